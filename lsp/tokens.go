package lsp

import (
	"encoding/binary"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
)

// tokenBlock is what is kept of the tokens of one chunk that were sent: enough to
// find what has changed, not the tokens.
type tokenBlock struct {
	key   uint64 // analysis.TokenKey
	count uint32 // tokens
}

// tokenResult is one answer.
type tokenResult struct {
	id     string
	blocks []tokenBlock
}

// tokenTable keeps the last answer for each document.
type tokenTable struct {
	mu   sync.Mutex
	last map[string]*tokenResult // by key; guarded by mu
}

// maxTokenResults bounds the documents of which the last answer is kept.
const maxTokenResults = 256

func newTokenTable() *tokenTable { return &tokenTable{last: map[string]*tokenResult{}} }

func (t *tokenTable) get(key, id string) *tokenResult {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.last[key]; r != nil && r.id == id {
		return r
	}
	return nil
}

func (t *tokenTable) put(key string, r *tokenResult) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.last) >= maxTokenResults {
		clear(t.last)
	}
	t.last[key] = r
}

// tokenWriter encodes tokens: places relative to the token before.
type tokenWriter struct {
	enc  position.Encoding
	line uint32 // of the token before
	col  uint32
	data protocol317.TokenData
}

// chunk writes the tokens of a chunk and tells their block.
func (w *tokenWriter) chunk(doc *Document, a *analysis.Document, i int, keep func(start, end int32) bool) tokenBlock {
	e := &a.File.Chunks[i]
	b := tokenBlock{}
	text := e.Text
	pos, line, col := int32(0), uint32(0), uint32(0)
	first := true
	for _, t := range a.Tokens(i) {
		if keep != nil && !keep(t.Start, t.Start+t.Len) {
			continue
		}
		if first { // one look-up for a chunk, the rest is counted on
			at := doc.mapper.OffsetPosition(int(e.Start + t.Start))
			line, col = at.Line, at.Character
		} else {
			line, col = advance(w.enc, text[pos:t.Start], line, col)
		}
		pos = t.Start
		dl := line - w.line
		dc := col
		if dl == 0 {
			dc -= w.col
		}
		first = false
		w.data = append(w.data, dl, dc, w.enc.Units(text[t.Start:t.Start+t.Len]), uint32(t.Type), uint32(t.Mods))
		w.line, w.col = line, col
		b.count++
	}
	return b
}

// advance moves a position over a text.
func advance(enc position.Encoding, text string, line, col uint32) (uint32, uint32) {
	for {
		i := strings.IndexAny(text, "\r\n")
		if i < 0 {
			return line, col + enc.Units(text)
		}
		if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			i++
		}
		text, line, col = text[i+1:], line+1, 0
	}
}

// resultID identifies an answer by its content: the chunks' keys determine it.
func resultID(blocks []tokenBlock) string {
	h := xxhash.New()
	var buf [8]byte
	for _, b := range blocks {
		binary.LittleEndian.PutUint64(buf[:], b.key)
		h.Write(buf[:])
	}
	return strconv.FormatUint(h.Sum64(), 16)
}
