package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

// maxFoundSymbols bounds an answer: nobody reads more.
const maxFoundSymbols = 256

func workspaceSymbolMethod(r *registry) {
	registerRequest(r, protocol.MethodWorkspaceSymbol, traits[protocol.WorkspaceSymbolParams]{
		priority: sched.Low,
		progress: "Looking for symbols",
	}, workspaceSymbol)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.WorkspaceSymbolProvider = true })
}

func workspaceSymbol(ctx context.Context, snap *Snapshot, p *protocol.WorkspaceSymbolParams) ([]protocol.SymbolInformation, error) {
	r, err := snap.reach(ctx, true, func(path string) bool { return strings.HasSuffix(path, ".py") })
	if err != nil {
		return nil, err
	}
	out := []protocol.SymbolInformation{}
	for _, f := range analysis.FindSymbols(r.docs, p.Query, maxFoundSymbols) {
		if l, ok := r.location(analysis.Place{Doc: f.Doc, Span: f.Span}); ok {
			out = append(out, protocol.SymbolInformation{Name: f.Name, Kind: protocol.SymbolKind(symbolKinds[f.Kind]), ContainerName: f.Container, Location: l})
		}
	}
	return out, nil
}
