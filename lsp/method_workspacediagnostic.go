package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func workspaceDiagnosticMethod(r *registry) {
	registerRequest(r, protocol317.MethodWorkspaceDiagnostic, traits[protocol317.WorkspaceDiagnosticParams]{
		priority: sched.Low,
		progress: "Checking the workspace",
	}, workspaceDiagnostic)
	r.advertise(func(c *client, caps *protocol317.ServerCapabilities) {
		if caps.DiagnosticProvider != nil && !c.flags.noWorkspacePull {
			caps.DiagnosticProvider.WorkspaceDiagnostics = true
		}
	})
}

// workspaceDiagnostic answers a pull of everything. What the client has already
// is left out, but for a word that it is unchanged; what it has of files that
// are gone is taken back.
func workspaceDiagnostic(ctx context.Context, snap *Snapshot, p *protocol317.WorkspaceDiagnosticParams) (*protocol317.WorkspaceDiagnosticReport, error) {
	has := make(map[string]string, len(p.PreviousResultIDs))
	for _, id := range p.PreviousResultIDs {
		has[string(id.URI)] = id.Value
	}
	out := &protocol317.WorkspaceDiagnosticReport{Items: []protocol317.WorkspaceDocumentDiagnosticReport{}}
	progress := progressOf(ctx)
	err := snap.checkFiles(ctx, func(i, n int, r fileResult) {
		progress.Report(i, n, "")
		item := protocol317.WorkspaceDocumentDiagnosticReport{URI: protocol.DocumentURI(r.uri)}
		if r.doc != nil {
			item.Version = &r.doc.version
		}
		item.Kind, item.ResultID = protocol317.ReportFull, r.hash
		if had, ok := has[r.uri]; ok && had == r.hash {
			item.Kind = protocol317.ReportUnchanged
		} else {
			item.Items = &r.items
		}
		delete(has, r.uri)
		out.Items = append(out.Items, item)
	})
	if err != nil {
		return nil, err
	}
	for _, uri := range sortedKeys(has) {
		none := []protocol.Diagnostic{}
		item := protocol317.WorkspaceDocumentDiagnosticReport{URI: protocol.DocumentURI(uri)}
		item.Kind, item.Items = protocol317.ReportFull, &none
		out.Items = append(out.Items, item)
	}
	return out, nil
}
