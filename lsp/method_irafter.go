package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/sched"
)

type irAfterParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Pass         string                          `json:"pass"`
	Function     string                          `json:"function"`
}

type irAfterResult struct {
	Text  string `json:"text"`
	Pass  string `json:"pass"`
	Error string `json:"error,omitempty"`
}

func irAfterMethod(r *registry) {
	registerRequest(r, "pypto/irAfter", traits[irAfterParams]{
		doc:      func(p *irAfterParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.Normal,
	}, irAfter)
}

func irAfter(_ context.Context, snap *Snapshot, p *irAfterParams) (*irAfterResult, error) {
	a := snap.analysed(snap.Doc(p.TextDocument.URI))
	if a == nil {
		return nil, errNotOpen
	}
	ir, ok := a.IRAfterPass(p.Pass, p.Function)
	if !ok {
		return nil, invalidParams(fmt.Errorf("no pass %.100q; known: %s", p.Pass, strings.Join(analysis.IRPasses(), ", ")))
	}
	return &irAfterResult{Text: ir.Text, Pass: ir.Pass, Error: ir.Error}, nil
}
