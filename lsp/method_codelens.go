package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func codeLensMethods(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentCodeLens, traits[protocol.CodeLensParams]{
		doc:      func(p *protocol.CodeLensParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, codeLens)
	registerRequest(r, protocol.MethodCodeLensResolve, traits[codeLensItem]{priority: sched.Normal}, resolveLens)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.CodeLensProvider = &protocol.CodeLensOptions{ResolveProvider: true}
	})
}

// codeLensItem is a lens; data stays as we wrote it.
type codeLensItem struct {
	Range   protocol.Range    `json:"range"`
	Command *protocol.Command `json:"command,omitempty"`
	Data    json.RawMessage   `json:"data,omitempty"`
}

// lensData finds the lens again when its text is asked for.
type lensData struct {
	URI   protocol.DocumentURI `json:"u"`
	Seq   uint64               `json:"s"` // version it belongs to
	Kind  analysis.LensKind    `json:"k"`
	Chunk int                  `json:"c"`
}

func codeLens(_ context.Context, snap *Snapshot, p *protocol.CodeLensParams) ([]codeLensItem, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil || !snap.settings.CodeLens {
		return nil, nil
	}
	out := []codeLensItem{}
	for _, l := range a.Lenses() {
		data, err := json.Marshal(lensData{protocol.DocumentURI(doc.uri.Raw), doc.seq, l.Kind, l.Chunk})
		if err != nil {
			return nil, err
		}
		out = append(out, codeLensItem{Range: doc.mapper.SpanRange(int(l.Span.Start), int(l.Span.End)), Data: data})
	}
	return out, nil
}

// resolveLens adds the text. A lens of an older version gets none: the client
// asks for new ones anyway.
func resolveLens(_ context.Context, snap *Snapshot, item *codeLensItem) (*codeLensItem, error) {
	var data lensData
	if json.Unmarshal(item.Data, &data) != nil {
		return item, nil
	}
	doc := snap.Doc(data.URI)
	a := snap.analysed(doc)
	item.Command = &protocol.Command{Title: "…"}
	if a == nil || doc.seq != data.Seq {
		return item, nil
	}
	item.Command.Title = a.LensText(analysis.Lens{Kind: data.Kind, Chunk: data.Chunk})
	item.Command.Command = commandPlacementTable
	if data.Kind == analysis.LensCompare {
		item.Command.Command = commandComparePlanners
	}
	item.Command.Arguments = []any{map[string]string{"uri": doc.uri.Raw}}
	return item, nil
}
