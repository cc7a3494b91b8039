package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func selectionRangeMethod(r *registry) {
	registerRequest(r, "textDocument/selectionRange", traits[protocol.SelectionRangeParams]{
		doc:      func(p *protocol.SelectionRangeParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, selectionRange)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.SelectionRangeProvider = true })
}

// maxSelections bounds the cursors that one request may ask about.
const maxSelections = 1000

// selectionRange answers for every position, as the standard asks.
func selectionRange(_ context.Context, snap *Snapshot, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil || len(p.Positions) > maxSelections {
		return nil, nil
	}
	out := make([]protocol.SelectionRange, 0, len(p.Positions))
	for _, at := range p.Positions {
		spans := a.Selections(doc.mapper.PositionOffset(at))
		var r *protocol.SelectionRange
		for i := len(spans) - 1; i >= 0; i-- {
			r = &protocol.SelectionRange{Range: doc.mapper.SpanRange(int(spans[i].Start), int(spans[i].End)), Parent: r}
		}
		out = append(out, *r)
	}
	return out, nil
}
