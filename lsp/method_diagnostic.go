package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func documentDiagnosticMethod(r *registry) {
	registerRequest(r, protocol317.MethodDocumentDiagnostic, traits[protocol317.DocumentDiagnosticParams]{
		doc:      func(p *protocol317.DocumentDiagnosticParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errRetrigger,
		priority: sched.Normal,
	}, documentDiagnostic)
	r.advertise(func(c *client, caps *protocol317.ServerCapabilities) {
		if c.flags.pullDiagnostics {
			caps.DiagnosticProvider = &protocol317.DiagnosticOptions{Identifier: source}
		}
	})
}

// documentDiagnostic answers a pull; the result id is the hash of the content,
// so it survives versions and sessions.
func documentDiagnostic(ctx context.Context, snap *Snapshot, p *protocol317.DocumentDiagnosticParams) (*protocol317.DocumentDiagnosticReport, error) {
	items := []protocol.Diagnostic{}
	if doc := snap.anyDoc(p.TextDocument.URI); doc != nil {
		items = snap.diagnostics(ctx, doc)
	}
	id := hashOf(items)
	if id == p.PreviousResultID {
		return &protocol317.DocumentDiagnosticReport{Kind: protocol317.ReportUnchanged, ResultID: id}, nil
	}
	return &protocol317.DocumentDiagnosticReport{Kind: protocol317.ReportFull, ResultID: id, Items: &items}, nil
}
