package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func hoverMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentHover, traits[protocol.HoverParams]{
		doc:      func(p *protocol.HoverParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, hover)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.HoverProvider = true })
}

func hover(ctx context.Context, snap *Snapshot, p *protocol.HoverParams) (*protocol.Hover, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	h, ok := snap.queries.Hover(ctx, doc.uri.Key, doc.mapper.PositionOffset(p.Position))
	if !ok {
		return nil, nil
	}
	r := doc.mapper.SpanRange(h.Start, h.End)
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.Markdown, Value: h.Markdown}, Range: &r}, nil
}
