package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func renameMethods(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentPrepareRename, traits[protocol.PrepareRenameParams]{
		doc:      func(p *protocol.PrepareRenameParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, prepareRename)
	registerRequest(r, protocol.MethodTextDocumentRename, traits[protocol.RenameParams]{
		doc:      func(p *protocol.RenameParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
		progress: "Renaming",
	}, rename)
	r.advertise(func(c *client, caps *protocol317.ServerCapabilities) {
		caps.RenameProvider = true
		if t := c.caps.TextDocument; t != nil && t.Rename != nil && t.Rename.PrepareSupport {
			caps.RenameProvider = &protocol.RenameOptions{PrepareProvider: true}
		}
	})
}

// renameTarget is the answer to prepareRename.
type renameTarget struct {
	Range       protocol.Range `json:"range"`
	Placeholder string         `json:"placeholder"`
}

func prepareRename(ctx context.Context, snap *Snapshot, p *protocol.PrepareRenameParams) (*renameTarget, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil || !a.IsKernel() {
		return nil, nil
	}
	off := doc.mapper.PositionOffset(p.Position)
	imported, _ := a.Reach(off)
	r, err := snap.reach(ctx, imported, isPython)
	if err != nil {
		return nil, err
	}
	sp, old, err := a.PrepareRename(off, r.docs)
	if err != nil {
		return nil, renameError(err)
	}
	return &renameTarget{doc.mapper.SpanRange(int(sp.Start), int(sp.End)), old}, nil
}

func rename(ctx context.Context, snap *Snapshot, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil || !a.IsKernel() {
		return nil, nil
	}
	off := doc.mapper.PositionOffset(p.Position)
	imported, shared := a.Reach(off)
	r, err := snap.reach(ctx, imported || shared, isPython)
	if err != nil {
		return nil, err
	}
	edits, err := a.Rename(off, p.NewName, r.docs)
	if err != nil {
		return nil, renameError(err)
	}
	return snap.workspaceEdit(r, edits), nil
}

// renameError is the answer that shows the reason to the user.
func renameError(err error) error {
	var why *analysis.RenameError
	if errors.As(err, &why) {
		return jsonrpc2.NewError(protocol317.CodeRequestFailed, why.Message)
	}
	return err
}
