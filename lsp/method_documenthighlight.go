package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func documentHighlightMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentDocumentHighlight, traits[protocol.DocumentHighlightParams]{
		doc:      func(p *protocol.DocumentHighlightParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, documentHighlight)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.DocumentHighlightProvider = true })
}

// highlightKinds: what shares bytes with a tile is shown as text.
var highlightKinds = map[analysis.HighlightKind]protocol.DocumentHighlightKind{
	analysis.HighlightRead:    protocol.DocumentHighlightKindRead,
	analysis.HighlightWrite:   protocol.DocumentHighlightKindWrite,
	analysis.HighlightSharing: protocol.DocumentHighlightKindText,
}

func documentHighlight(_ context.Context, snap *Snapshot, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	var out []protocol.DocumentHighlight
	for _, h := range a.Highlights(doc.mapper.PositionOffset(p.Position)) {
		out = append(out, protocol.DocumentHighlight{Range: doc.mapper.SpanRange(int(h.Span.Start), int(h.Span.End)), Kind: highlightKinds[h.Kind]})
	}
	return out, nil
}
