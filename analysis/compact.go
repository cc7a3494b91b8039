package analysis

import (
	"strconv"

	"github.com/cespare/xxhash/v2"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// compact keeps of a plan what editors show all the time.
func compact(p *PlannedDetail) Planned {
	out := Planned{Name: p.Fn.Name, Kind: p.Fn.Kind, OK: p.Result.Err == nil}
	if p.Plan == nil {
		return out
	}
	out.Placed = p.Plan.Placed
	out.Tiles = tilesOf(p.Plan)
	for i := range p.Plan.Spaces {
		u := &p.Plan.Spaces[i]
		s := Space{Space: u.Space, Used: u.Used, Limit: u.Limit, Reserved: u.Reserved, Bound: u.Bound, Peak: u.Peak}
		if u.PeakAt != nil {
			s.PeakAt = u.PeakAt.Meta().Span
		}
		out.Spaces = append(out.Spaces, s)
	}
	return out
}

// detached copies what a signature needs of its function, whose variables lie
// together in memory: one of them would keep all of them.
func detached(s *read.Signature) *read.Signature {
	c := *s
	c.Params = append([]ir.Param(nil), s.Params...)
	for i := range c.Params {
		if v := c.Params[i].Var; v != nil {
			own := *v
			c.Params[i].Var = &own
		}
	}
	return &c
}

// tilesOf lists the tiles of a planned function in definition order: those
// that assignments define, loop-carried values and results.
func tilesOf(p *memory.Plan) []Tile {
	vars := tileVars(p)
	tiles := make([]Tile, len(vars))
	for i, v := range vars {
		tiles[i] = tileOf(p, v)
		t := p.Layout.Tile(v)
		// Neighbours mostly have one shape.
		if i > 0 && sameText(t, p.Layout.Tile(vars[i-1])) {
			tiles[i].Type = tiles[i-1].Type
		} else {
			tiles[i].Type = TypeText(t)
		}
	}
	return tiles
}

// sameText reports whether two tiles of constant shape have the same TypeText.
func sameText(a, b *ir.TileType) bool {
	if a.DType != b.DType || len(a.Shape) != len(b.Shape) {
		return false
	}
	for i := range a.Shape {
		x, ok := a.Shape[i].(*ir.ConstInt)
		y, is := b.Shape[i].(*ir.ConstInt)
		if !ok || !is || x.Value != y.Value {
			return false
		}
	}
	return true
}

// tileVars are the variables of tilesOf.
func tileVars(p *memory.Plan) []*ir.Var {
	n := max(int(p.Layout.Fn.NumVars), len(p.Layout.Types))
	w := &tileWalker{plan: p, seen: make([]bool, n), vars: make([]*ir.Var, 0, n)}
	for _, prm := range p.Layout.Fn.Params {
		w.add(prm.Var)
	}
	w.block(p.Layout.Fn.Body)
	return w.vars
}

type tileWalker struct {
	plan *memory.Plan
	seen []bool
	vars []*ir.Var
}

func (w *tileWalker) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.Assign:
			w.add(s.Var)
		case *ir.For:
			w.adds(s.IterArgs)
			w.block(s.Body)
			w.adds(s.Results)
		case *ir.While:
			w.adds(s.IterArgs)
			w.block(s.Body)
			w.adds(s.Results)
		case *ir.If:
			w.block(s.Then)
			w.block(s.Else)
			w.adds(s.Results)
		case *ir.Scope:
			w.block(s.Body)
		}
	}
}

func (w *tileWalker) adds(vs []*ir.Var) {
	for _, v := range vs {
		w.add(v)
	}
}

func (w *tileWalker) add(v *ir.Var) {
	t := w.plan.Layout.Tile(v)
	if t == nil || v.ID < 0 || int(v.ID) >= len(w.seen) || w.seen[v.ID] || t.Space == platforms.DDR {
		return
	}
	w.seen[v.ID] = true
	w.vars = append(w.vars, v)
}

// tileOf is the tile of v without its type's text.
func tileOf(p *memory.Plan, v *ir.Var) Tile {
	t := p.Layout.Tile(v)
	out := Tile{Name: v.Name, Span: v.Span, Space: t.Space, Addr: -1, LiveNo: [2]int32{-1, -1}}
	size, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, p.Config.Platform)
	if ok {
		out.Size = size
	}
	if t.MemRef == nil {
		out.Popped = true
		return out
	}
	m := t.MemRef
	out.Buffer, out.BufferSize = m.Base.Name, m.Size
	if !ok {
		out.Size = m.Size
	}
	b := p.BufferOf(v)
	if p.Placed {
		if o, ok := ir.ConstValue(m.Offset); ok {
			out.Addr = o
		} else if m.Offset != nil {
			out.Dynamic = printer.Expr(m.Offset)
			if b != nil {
				out.Addr = int64(b.Addr)
			}
		}
	}
	if b != nil {
		out.RegionStart, out.RegionEnd = b.Addr, b.Addr+b.Size
	}
	findLife(p, v, b, &out)
	return out
}

// findLife fills in where the tile is live; a carried value lives as long as
// its buffer.
func findLife(p *memory.Plan, v *ir.Var, b *memory.Buffer, out *Tile) {
	live, ok := p.Lifetimes.LiveOf(v)
	if !ok && b != nil {
		live, ok = b.Live, true
	}
	if !ok {
		return
	}
	out.LiveNo = [2]int32{live.Def, live.Last}
	out.Live = [2]ir.Span{spanNear(p, live.Def, 1), spanNear(p, live.Last, -1)}
}

// spanNear is the span of statement n, or of the next one in direction step
// that has a place in the text.
func spanNear(p *memory.Plan, n, step int32) ir.Span {
	for ; ; n += step {
		s := p.Stmt(n)
		if s == nil {
			return ir.Span{}
		}
		if sp := s.Meta().Span; sp.Valid() {
			return sp
		}
	}
}

// TypeText is a tile's shape and dtype, `[64, 64] FP32`.
func TypeText(t *ir.TileType) string {
	s := append(make([]byte, 0, 32), '[')
	for i, d := range t.Shape {
		if i > 0 {
			s = append(s, ", "...)
		}
		if n, ok := d.(*ir.ConstInt); ok {
			s = strconv.AppendInt(s, n.Value, 10)
		} else {
			s = append(s, printer.Dim(d)...)
		}
	}
	s = append(s, "] "...)
	return string(append(s, t.DType.String()...))
}

// mix is a running hash.
type mix uint64

const mixStart, mixPrime = 14695981039346656037, 1099511628211

func (h *mix) num(n uint64) {
	x := (uint64(*h) ^ n) * mixPrime
	*h = mix(x ^ x>>29)
}

func (h *mix) str(s string) { h.num(xxhash.Sum64String(s)) }

// planHashes identify a function's plan: shown changes with anything that hints
// and lenses show, drawn also with the lines within the function.
func planHashes(f *Func, text string) (shown, drawn uint64) {
	h, g := mix(mixStart), mix(mixStart)
	l := &liner{text: text}
	line := func(s ir.Span) { g.num(uint64(l.line(s.Start))) }
	h.str(f.Name)
	for i := range f.Planned {
		p := &f.Planned[i]
		h.str(p.Name)
		for k := range p.Tiles {
			t := &p.Tiles[k]
			h.str(t.Name)
			h.str(t.Buffer)
			h.str(t.Dynamic)
			h.num(uint64(t.Addr))
			h.num(t.Size)
			h.num(uint64(t.Space))
			h.num(t.RegionEnd)
			h.num(uint64(t.LiveNo[0])<<32 | uint64(uint32(t.LiveNo[1])))
			line(t.Span)
			line(t.Live[0])
			line(t.Live[1])
		}
		for _, s := range p.Spaces {
			h.num(s.Used)
			h.num(s.Limit)
			line(s.PeakAt)
		}
	}
	h.num(uint64(len(f.Approximate)))
	for i := range f.Findings {
		if f.Findings[i].Severity == Error {
			g.str(f.Findings[i].Message)
		}
	}
	g.num(uint64(h))
	return uint64(h), uint64(g)
}

// PlanHashes identify the plans of the whole document: shown changes with
// anything that hints and lenses show, drawn with anything that the memory map
// does, line numbers included.
func (d *Document) PlanHashes() (shown, drawn uint64) {
	d.prepare()
	h, g := mix(mixStart), mix(mixStart)
	for i, u := range d.unitOf {
		if u < 0 {
			continue
		}
		f := d.Func(i)
		h.num(f.shown)
		g.num(f.drawn)
		g.num(uint64(d.File.Chunks[i].Line))
	}
	return uint64(h), uint64(g)
}
