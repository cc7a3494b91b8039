package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func definitionMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentDefinition, traits[protocol.DefinitionParams]{
		doc:      func(p *protocol.DefinitionParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, definition)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.DefinitionProvider = true })
}

func definition(ctx context.Context, snap *Snapshot, p *protocol.DefinitionParams) ([]protocol.Location, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	off := doc.mapper.PositionOffset(p.Position)
	imported, _ := a.Reach(off)
	r, err := snap.reach(ctx, imported, isPython)
	if err != nil {
		return nil, err
	}
	return r.locations(a.Definition(off, r.docs)), nil
}
