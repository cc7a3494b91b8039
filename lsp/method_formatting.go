package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func formattingMethods(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentFormatting, traits[protocol.DocumentFormattingParams]{
		doc:      func(p *protocol.DocumentFormattingParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, formatting)
	registerRequest(r, protocol.MethodTextDocumentRangeFormatting, traits[protocol.DocumentRangeFormattingParams]{
		doc:      func(p *protocol.DocumentRangeFormattingParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, rangeFormatting)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.DocumentFormattingProvider = true
		caps.DocumentRangeFormattingProvider = true
	})
}

// formatting brings the kernels into canonical form. The client's options do
// not count: the form is the reference compiler's.
func formatting(_ context.Context, snap *Snapshot, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	return snap.format(doc, 0, doc.file.Len)
}

func rangeFormatting(_ context.Context, snap *Snapshot, p *protocol.DocumentRangeFormattingParams) ([]protocol.TextEdit, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	start, end := doc.mapper.RangeSpan(p.Range)
	return snap.format(doc, start, end)
}

// format also tells the client which functions were left alone, and why.
func (s *Snapshot) format(doc *Document, start, end int) ([]protocol.TextEdit, error) {
	a := s.analysed(doc)
	if a == nil || !a.IsKernel() {
		return nil, nil
	}
	edits, left := a.Format(start, end)
	s.tellUnformatted(doc, left, len(edits) == 0)
	return doc.textEdits(edits), nil
}

// maxUnformatted bounds the reasons given for one request.
const maxUnformatted = 20

// tellUnformatted writes the reasons to the client's log; when nothing at all
// was formatted, the first one is shown.
func (s *Snapshot) tellUnformatted(doc *Document, left []analysis.Unformatted, nothing bool) {
	if len(left) == 0 {
		return
	}
	session := s.checked.s
	session.post(func() {
		for i, u := range left {
			if i == maxUnformatted {
				session.logMessage(protocol.MessageTypeInfo, fmt.Sprintf("… and %d more functions", len(left)-i))
				break
			}
			line := doc.mapper.OffsetPosition(int(u.Span.Start)).Line + 1
			session.logMessage(protocol.MessageTypeInfo, fmt.Sprintf("Not formatted: '%s' (line %d): %s.", u.Func, line, u.Reason))
		}
		if nothing && len(left) == 1 {
			session.showMessage(protocol.MessageTypeInfo, fmt.Sprintf("'%s' is not formatted: %s.", left[0].Func, left[0].Reason))
		}
	})
}
