package lsp

import (
	"context"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
)

// tokenDelta compares a document with the tokens that were sent before.
type tokenDelta struct {
	doc    *Document
	a      *analysis.Document
	old    []tokenBlock
	chunks []int
	enc    position.Encoding
}

// edits is the change of the data, nothing or one edit, and the new blocks.
func (d *tokenDelta) edits(ctx context.Context) ([]protocol317.SemanticTokensEdit, []tokenBlock, error) {
	n := len(d.chunks)
	keys := make([]uint64, n)
	for k, i := range d.chunks {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		keys[k] = d.a.TokenKey(i)
	}
	front := 0
	for front < n && front < len(d.old) && keys[front] == d.old[front].key {
		front++
	}
	back := 0
	for back < n-front && back < len(d.old)-front && keys[n-1-back] == d.old[len(d.old)-1-back].key {
		back++
	}
	// The first token of the tail counts from the last one before it, so the first
	// chunk with tokens there is written anew.
	for back > 0 && d.old[len(d.old)-back].count == 0 {
		back--
	}
	if back > 0 {
		back--
	}
	blocks := append(make([]tokenBlock, 0, n), d.old[:front]...)
	w := &tokenWriter{enc: d.enc}
	d.seek(w, front)
	for k := front; k < n-back; k++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		b := w.chunk(d.doc, d.a, d.chunks[k], nil)
		b.key = keys[k]
		blocks = append(blocks, b)
	}
	blocks = append(blocks, d.old[len(d.old)-back:]...)
	start, gone := count(d.old[:front]), count(d.old[front:len(d.old)-back])
	if gone == 0 && len(w.data) == 0 {
		return []protocol317.SemanticTokensEdit{}, blocks, nil
	}
	return []protocol317.SemanticTokensEdit{{Start: 5 * start, DeleteCount: 5 * gone, Data: w.data}}, blocks, nil
}

// seek puts the writer behind the last token of the first chunks.
func (d *tokenDelta) seek(w *tokenWriter, front int) {
	for k := front - 1; k >= 0; k-- {
		if d.old[k].count == 0 {
			continue
		}
		i := d.chunks[k]
		list := d.a.Tokens(i)
		at := d.doc.mapper.OffsetPosition(int(d.a.File.Chunks[i].Start + list[len(list)-1].Start))
		w.line, w.col = at.Line, at.Character
		return
	}
}

func count(blocks []tokenBlock) uint32 {
	n := uint32(0)
	for _, b := range blocks {
		n += b.count
	}
	return n
}
