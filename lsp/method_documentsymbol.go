package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func documentSymbolMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentDocumentSymbol, traits[protocol.DocumentSymbolParams]{
		doc:      func(p *protocol.DocumentSymbolParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, documentSymbol)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.DocumentSymbolProvider = true })
}

func documentSymbol(ctx context.Context, snap *Snapshot, p *protocol.DocumentSymbolParams) ([]protocol.DocumentSymbol, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	return doc.symbols(snap.queries.Symbols(ctx, doc.uri.Key)), nil
}

func (d *Document) symbols(found []Symbol) []protocol.DocumentSymbol {
	out := make([]protocol.DocumentSymbol, 0, len(found))
	for _, f := range found {
		s := protocol.DocumentSymbol{
			Name: f.Name, Detail: f.Detail, Kind: protocol.SymbolKind(f.Kind),
			Range: d.mapper.SpanRange(f.Start, f.End), SelectionRange: d.mapper.SpanRange(f.NameStart, f.NameEnd),
		}
		if len(f.Children) > 0 {
			s.Children = d.symbols(f.Children)
		}
		out = append(out, s)
	}
	return out
}
