package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func semanticTokensMethods(r *registry) {
	registerRequest(r, "textDocument/semanticTokens/full", traits[protocol.SemanticTokensParams]{
		doc:      func(p *protocol.SemanticTokensParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Low,
	}, semanticTokensFull)
	registerRequest(r, "textDocument/semanticTokens/full/delta", traits[protocol.SemanticTokensDeltaParams]{
		doc:      func(p *protocol.SemanticTokensDeltaParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Low,
	}, semanticTokensDelta)
	registerRequest(r, "textDocument/semanticTokens/range", traits[protocol.SemanticTokensRangeParams]{
		doc:      func(p *protocol.SemanticTokensRangeParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, semanticTokensRange)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.SemanticTokensProvider = protocol317.SemanticTokensOptions{
			Legend: protocol317.SemanticTokensLegend{TokenTypes: analysis.TokenTypeNames, TokenModifiers: analysis.TokenModNames},
			Range:  true,
			Full:   protocol317.SemanticTokensFull{Delta: true},
		}
	})
}

func semanticTokensFull(ctx context.Context, snap *Snapshot, p *protocol.SemanticTokensParams) (*protocol317.SemanticTokens, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	w := &tokenWriter{enc: snap.encoding, data: protocol317.TokenData{}}
	blocks, err := w.all(ctx, doc, a)
	if err != nil {
		return nil, err
	}
	r := &tokenResult{id: resultID(blocks), blocks: blocks}
	snap.tokens.put(doc.uri.Key, r)
	return &protocol317.SemanticTokens{ResultID: r.id, Data: w.data}, nil
}

// all writes the tokens of the document.
func (w *tokenWriter) all(ctx context.Context, doc *Document, a *analysis.Document) ([]tokenBlock, error) {
	chunks := a.TokenChunks(0, a.File.Len)
	blocks := make([]tokenBlock, 0, len(chunks))
	for _, i := range chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := w.chunk(doc, a, i, nil)
		b.key = a.TokenKey(i)
		blocks = append(blocks, b)
	}
	return blocks, nil
}

func semanticTokensRange(_ context.Context, snap *Snapshot, p *protocol.SemanticTokensRangeParams) (*protocol317.SemanticTokens, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	start, end := doc.mapper.RangeSpan(p.Range)
	w := &tokenWriter{enc: snap.encoding, data: protocol317.TokenData{}}
	for _, i := range a.TokenChunks(start, end) {
		base := a.File.Chunks[i].Start
		w.chunk(doc, a, i, func(from, to int32) bool { return int(base+to) >= start && int(base+from) <= end })
	}
	return &protocol317.SemanticTokens{Data: w.data}, nil
}

// semanticTokensDelta answers with one edit: what lies between the chunks at the
// beginning and at the end of which nothing has changed. Only the chunks in
// between are looked at.
func semanticTokensDelta(ctx context.Context, snap *Snapshot, p *protocol.SemanticTokensDeltaParams) (any, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	old := snap.tokens.get(doc.uri.Key, p.PreviousResultID)
	if old == nil {
		return semanticTokensFull(ctx, snap, &protocol.SemanticTokensParams{TextDocument: p.TextDocument})
	}
	d := &tokenDelta{doc: doc, a: a, old: old.blocks, chunks: a.TokenChunks(0, a.File.Len), enc: snap.encoding}
	edits, blocks, err := d.edits(ctx)
	if err != nil {
		return nil, err
	}
	r := &tokenResult{id: resultID(blocks), blocks: blocks}
	snap.tokens.put(doc.uri.Key, r)
	return &protocol317.SemanticTokensDelta{ResultID: r.id, Edits: edits}, nil
}
