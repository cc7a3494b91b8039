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

// documentSymbol answers with a tree, or with a list to clients of before 3.10.
func documentSymbol(ctx context.Context, snap *Snapshot, p *protocol.DocumentSymbolParams) (any, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	found := snap.queries.Symbols(ctx, doc.uri.Key)
	if t := snap.client.caps.TextDocument; t != nil && t.DocumentSymbol != nil && !t.DocumentSymbol.HierarchicalDocumentSymbolSupport {
		return doc.flatSymbols(found, "", []protocol.SymbolInformation{}), nil
	}
	return doc.symbols(found), nil
}

func (d *Document) flatSymbols(found []Symbol, container string, out []protocol.SymbolInformation) []protocol.SymbolInformation {
	for _, f := range found {
		out = append(out, protocol.SymbolInformation{Name: f.Name, Kind: protocol.SymbolKind(f.Kind), ContainerName: container,
			Location: protocol.Location{URI: protocol.DocumentURI(d.uri.Raw), Range: d.mapper.SpanRange(f.Start, f.End)}})
		out = d.flatSymbols(f.Children, f.Name, out)
	}
	return out
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
