package analysis

import (
	"sort"

	"pypto-ls/ir"
)

// HighlightKind tells what a highlighted range is.
type HighlightKind uint8

// The kinds of highlights. HighlightSharing is the definition of a tile that
// occupies some of the same bytes.
const (
	HighlightRead HighlightKind = iota
	HighlightWrite
	HighlightSharing
)

// Highlight is a range to highlight, in bytes of the document.
type Highlight struct {
	Span ir.Span
	Kind HighlightKind
}

// Highlights are the uses of the name at an offset in the document and, for a
// tile, the definitions of all tiles that occupy some of its bytes. In text
// order.
func (d *Document) Highlights(off int) []Highlight {
	chunk, n, use, ok := d.nameAt(off)
	if !ok {
		return nil
	}
	var out []Highlight
	seen := map[int32]bool{}
	for _, m := range d.mentions(chunk, n, n.uses[use].sym, nil) {
		for _, u := range m.uses {
			h := Highlight{Span: d.Abs(m.chunk, u.span)}
			if u.role.writes() {
				h.Kind = HighlightWrite
			}
			out = append(out, h)
			seen[h.Span.Start] = true
		}
	}
	for _, sp := range d.sharing(chunk, n, n.uses[use].sym) {
		if sp = d.Abs(chunk, sp); !seen[sp.Start] {
			seen[sp.Start] = true
			out = append(out, Highlight{sp, HighlightSharing})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span.Start < out[j].Span.Start })
	return out
}

// sharing are the names of the tiles that have bytes in common with the tiles
// that a symbol's definitions make.
func (d *Document) sharing(chunk int, n *chunkNames, sym int32) []ir.Span {
	f := d.Func(chunk)
	if f == nil || n.syms[sym].key.scope != scopeLocal {
		return nil
	}
	defs := map[int32]bool{}
	for _, u := range n.uses {
		if u.sym == sym && u.role.writes() {
			defs[u.span.Start] = true
		}
	}
	var out []ir.Span
	for p := range f.Planned {
		pl := &f.Planned[p]
		for i := range pl.Tiles {
			if t := &pl.Tiles[i]; !t.Span.Valid() || !defs[t.Span.Start] {
				continue
			}
			for _, j := range pl.sameBytes(i) {
				if pl.Tiles[j].Span.Valid() {
					out = append(out, pl.Tiles[j].Span)
				}
			}
		}
	}
	return out
}

// sameBytes are the indexes of the other tiles of which bytes are bytes of
// tile i: known addresses decide, otherwise the buffer does.
func (p *Planned) sameBytes(i int) []int {
	var out []int
	t := &p.Tiles[i]
	for _, j := range p.SharersOf(i) {
		o := &p.Tiles[j]
		if p.Placed && t.exact() && o.exact() {
			if t.Addr >= o.Addr+int64(o.Size) || o.Addr >= t.Addr+int64(t.Size) {
				continue
			}
		}
		out = append(out, j)
	}
	return out
}

// exact: where the tile lies is known to the byte.
func (t *Tile) exact() bool { return t.Addr >= 0 && t.Dynamic == "" && t.Size > 0 }
