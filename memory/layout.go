package memory

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Layout is a function together with the current type of each of its
// variables; every pass takes one and returns a new one. Fn is shared with
// the previous Layout unless the pass changed statements.
//
// Types is indexed by ir.Var.ID. A nil entry, and an ID beyond the table,
// mean the type the variable was read with (Var.Type). A Layout is immutable
// once a pass has returned it.
type Layout struct {
	Fn    *ir.Function
	Types []ir.Type

	// known are the facts of knownOf, where a pass found them.
	known   *bodyFacts
	knownOf *ir.Function
}

// facts are those of l.Fn. They must not be changed.
func (l *Layout) facts() *bodyFacts {
	if l.knownOf == l.Fn {
		return l.known
	}
	return factsOf(l.Fn)
}

// mentions lists what l.Fn mentions, see bodyFacts. The result must not be
// changed.
func (l *Layout) mentions() []*ir.Var { return l.facts().mentioned }

// remember keeps the facts of l.Fn, which must not change any more. l is not
// published yet.
func (l *Layout) remember(f *bodyFacts) { l.known, l.knownOf = f, l.Fn }

// NewLayout is the layout that a text past InitMemRef states itself: every
// variable has the type it was read with.
func NewLayout(fn *ir.Function) *Layout { return &Layout{Fn: fn} }

// Clone makes a layout of fn that can be changed until it is published: it
// starts with l's types, has room for all of fn's variables and shares
// nothing with l. fn is l.Fn or a function made from it.
func (l *Layout) Clone(fn *ir.Function) *Layout {
	n := max(int(fn.NumVars), len(l.Types))
	// Room for the moves of YieldFixup.
	c := &Layout{Fn: fn, Types: make([]ir.Type, n, n+n/16+4), known: l.known, knownOf: l.knownOf}
	copy(c.Types, l.Types)
	return c
}

// TypeOf is the current type of v.
func (l *Layout) TypeOf(v *ir.Var) ir.Type {
	if id := int(v.ID); id >= 0 && id < len(l.Types) {
		if t := l.Types[id]; t != nil {
			return t
		}
	}
	return v.Type
}

// Tile is the current type of v when that is a tile, else nil.
func (l *Layout) Tile(v *ir.Var) *ir.TileType {
	t, _ := l.TypeOf(v).(*ir.TileType)
	return t
}

// countTiles is how many of vs are tiles.
func (l *Layout) countTiles(vs []*ir.Var) int {
	n := 0
	for _, v := range vs {
		if l.Tile(v) != nil {
			n++
		}
	}
	return n
}

// MemRefOf is the MemRef of v's tile or tensor type, nil when it has none.
func (l *Layout) MemRefOf(v *ir.Var) *ir.MemRef { return memRefOfType(l.TypeOf(v)) }

// BaseOf is the base of v's MemRef, nil when v has none: two variables are in
// the same allocation iff their bases are the same variable (spec 03 §3).
func (l *Layout) BaseOf(v *ir.Var) *ir.Var {
	if m := l.MemRefOf(v); m != nil {
		return m.Base
	}
	return nil
}

// SpaceOf is the memory space of v: a tile's own, DDR for tensors, NoSpace
// for everything else.
func (l *Layout) SpaceOf(v *ir.Var) ir.Space { return spaceOfType(l.TypeOf(v)) }

// setType changes v's type in a layout that is not published yet. Variables
// without a place in the table (ID < 0) keep their type.
func (l *Layout) setType(v *ir.Var, t ir.Type) {
	if id := int(v.ID); id >= 0 && id < len(l.Types) {
		l.Types[id] = t
	}
}

func memRefOfType(t ir.Type) *ir.MemRef {
	switch t := t.(type) {
	case *ir.TileType:
		return t.MemRef
	case *ir.TensorType:
		return t.MemRef
	}
	return nil
}

func spaceOfType(t ir.Type) ir.Space {
	switch t := t.(type) {
	case *ir.TileType:
		return t.Space
	case *ir.TensorType:
		return platforms.DDR
	}
	return platforms.NoSpace
}

// withMemRef is t with the given MemRef and, for a tile, the given memory
// space; NoSpace keeps the tile's own. Types without MemRefs are returned
// unchanged. Shape, dtype and view never change (spec 03 §3).
func withMemRef(t ir.Type, m *ir.MemRef, space ir.Space) ir.Type {
	if t, ok := t.(*ir.TileType); ok {
		return tileWithMemRef(new(ir.TileType), t, m, space)
	}
	return notTileWithMemRef(t, m)
}

// tileRoom makes the types of one layout, which live together.
type tileRoom struct{ slab ir.Slab[ir.TileType] }

// withMemRef is the function of that name.
func (r *tileRoom) withMemRef(t ir.Type, m *ir.MemRef, space ir.Space) ir.Type {
	if t, ok := t.(*ir.TileType); ok {
		return tileWithMemRef(r.slab.New(), t, m, space)
	}
	return notTileWithMemRef(t, m)
}

func tileWithMemRef(c, t *ir.TileType, m *ir.MemRef, space ir.Space) *ir.TileType {
	if space != platforms.NoSpace && space != t.Space {
		t = ir.WithSpace(t, space)
	}
	*c = *t
	c.MemRef = m
	return c
}

func notTileWithMemRef(t ir.Type, m *ir.MemRef) ir.Type {
	switch t := t.(type) {
	case *ir.TensorType:
		c := *t
		c.MemRef = m
		return &c
	}
	return t
}

// cloneFn is a copy of fn with another body, sharing everything else.
func cloneFn(fn *ir.Function, body *ir.Block) *ir.Function {
	c := *fn
	c.Body = body
	return &c
}

// memRefTable gives MemRefs numbers. Most bases have one MemRef, so that a map
// is seldom needed.
type memRefTable struct {
	first []int32 // by ID of the base: the number of one of its MemRefs, plus one
	more  map[*ir.MemRef]int
	// at is the MemRef with a number that was given.
	at func(n int) *ir.MemRef
}

func newMemRefTable(l *Layout, at func(n int) *ir.MemRef) *memRefTable {
	return &memRefTable{first: make([]int32, max(int(l.Fn.NumVars), len(l.Types))), at: at}
}

// number gives m the number n unless it has one already.
func (t *memRefTable) number(m *ir.MemRef, n int) (number int, known bool) {
	if m.Base != nil && m.Base.ID >= 0 && int(m.Base.ID) < len(t.first) {
		first := &t.first[m.Base.ID]
		if *first == 0 {
			*first = int32(n) + 1
			return n, false
		}
		if k := int(*first) - 1; t.at(k) == m {
			return k, true
		}
	}
	if number, known = t.more[m]; known {
		return number, true
	}
	if t.more == nil {
		t.more = make(map[*ir.MemRef]int)
	}
	t.more[m] = n
	return n, false
}
