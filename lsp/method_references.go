package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func referencesMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentReferences, traits[protocol.ReferenceParams]{
		doc:      func(p *protocol.ReferenceParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.Normal,
		progress: "Looking for references",
	}, references)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.ReferencesProvider = true })
}

func references(ctx context.Context, snap *Snapshot, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	off := doc.mapper.PositionOffset(p.Position)
	_, shared := a.Reach(off)
	r, err := snap.reach(ctx, shared, isPython)
	if err != nil {
		return nil, err
	}
	return r.locations(a.References(off, p.Context.IncludeDeclaration, r.docs)), nil
}
