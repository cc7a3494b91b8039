package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func inlayHintMethod(r *registry) {
	registerRequest(r, protocol317.MethodInlayHint, traits[protocol317.InlayHintParams]{
		doc:      func(p *protocol317.InlayHintParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, inlayHint)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.InlayHintProvider = &protocol317.InlayHintOptions{}
	})
}

func inlayHint(ctx context.Context, snap *Snapshot, p *protocol317.InlayHintParams) ([]protocol317.InlayHint, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	start, end := doc.mapper.RangeSpan(p.Range)
	found := snap.queries.Hints(ctx, doc.uri.Key, start, end)
	hints := make([]protocol317.InlayHint, 0, len(found))
	for _, h := range found {
		hint := protocol317.InlayHint{Position: doc.mapper.OffsetPosition(h.Offset), Kind: protocol317.InlayHintType, PaddingLeft: true}
		for _, part := range h.Parts {
			label := protocol317.InlayHintLabelPart{Value: part.Text}
			if loc, ok := snap.location(part.Key, part.Start, part.End); ok {
				label.Location = &loc
			}
			hint.Label = append(hint.Label, label)
		}
		if h.Tooltip != "" {
			hint.Tooltip = &protocol.MarkupContent{Kind: protocol.Markdown, Value: h.Tooltip}
		}
		hints = append(hints, hint)
	}
	return hints, nil
}
