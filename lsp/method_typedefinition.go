package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func typeDefinitionMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentTypeDefinition, traits[protocol.TypeDefinitionParams]{
		doc:      func(p *protocol.TypeDefinitionParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, typeDefinition)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.TypeDefinitionProvider = true })
}

// typeDefinition leads from a tile to the allocation it lives in.
func typeDefinition(ctx context.Context, snap *Snapshot, p *protocol.TypeDefinitionParams) ([]protocol.Location, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	r, err := snap.reach(ctx, false, nil)
	if err != nil {
		return nil, err
	}
	return r.locations(a.TypeDefinition(doc.mapper.PositionOffset(p.Position), r.docs)), nil
}
