package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func inlayHintMethod(r *registry) {
	registerRequest(r, protocol317.MethodInlayHint, traits[protocol317.InlayHintParams]{
		doc:      func(p *protocol317.InlayHintParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, inlayHint)
	registerRequest(r, protocol317.MethodInlayHintResolve, traits[protocol317.InlayHint]{priority: sched.Normal}, resolveHint)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.InlayHintProvider = &protocol317.InlayHintOptions{ResolveProvider: true}
	})
}

// hintData finds the hint again when its tooltip is asked for.
type hintData struct {
	URI protocol.DocumentURI `json:"u"`
	Seq uint64               `json:"s"` // version it belongs to
	HintRef
}

func inlayHint(ctx context.Context, snap *Snapshot, p *protocol317.InlayHintParams) ([]protocol317.InlayHint, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	start, end := doc.mapper.RangeSpan(p.Range)
	found := snap.queries.Hints(ctx, doc.uri.Key, start, end)
	hints := make([]protocol317.InlayHint, 0, len(found))
	for i := range found {
		hints = append(hints, snap.hint(doc, &found[i]))
	}
	return hints, nil
}

func (s *Snapshot) hint(doc *Document, h *Hint) protocol317.InlayHint {
	hint := protocol317.InlayHint{Position: doc.mapper.OffsetPosition(h.Offset), Kind: protocol317.InlayHintType, PaddingLeft: true}
	for _, part := range h.Parts {
		label := protocol317.InlayHintLabelPart{Value: part.Text}
		if part.Key != "" {
			if loc, ok := s.location(part.Key, part.Start, part.End); ok {
				label.Location = &loc
			}
		}
		hint.Label = append(hint.Label, label)
	}
	if h.Tooltip != "" {
		hint.Tooltip = &protocol.MarkupContent{Kind: protocol.Markdown, Value: h.Tooltip}
	}
	if h.Ref != nil && s.client.flags.resolveHints {
		hint.Data, _ = json.Marshal(hintData{protocol.DocumentURI(doc.uri.Raw), doc.seq, *h.Ref})
	}
	return hint
}

// resolveHint adds the tooltip. A hint of an older version stays as it is: the
// client asks for new ones anyway.
func resolveHint(_ context.Context, snap *Snapshot, h *protocol317.InlayHint) (*protocol317.InlayHint, error) {
	var data hintData
	if json.Unmarshal(h.Data, &data) != nil {
		return h, nil
	}
	doc := snap.Doc(data.URI)
	a := snap.analysed(doc)
	if a == nil || doc.seq != data.Seq {
		return h, nil
	}
	ref := analysis.InlayHint{Chunk: data.Chunk, Planned: data.Planned, Tile: data.Tile}
	if text := a.HintTooltip(ref); text != "" {
		h.Tooltip = &protocol.MarkupContent{Kind: protocol.Markdown, Value: text}
	}
	return h, nil
}
