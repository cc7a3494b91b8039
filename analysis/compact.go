package analysis

import (
	"hash/fnv"
	"strconv"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
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

// tilesOf lists the tiles of a planned function in definition order: those
// that assignments define, loop-carried values and results.
func tilesOf(p *memory.Plan) []Tile {
	w := &tileWalker{plan: p, seen: make([]bool, max(int(p.Layout.Fn.NumVars), len(p.Layout.Types)))}
	for _, prm := range p.Layout.Fn.Params {
		w.add(prm.Var)
	}
	w.block(p.Layout.Fn.Body)
	return w.tiles
}

type tileWalker struct {
	plan  *memory.Plan
	seen  []bool
	tiles []Tile
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
	out := Tile{Name: v.Name, Span: v.Span, Space: t.Space, Addr: -1, Type: TypeText(t), LiveNo: [2]int32{-1, -1}}
	size, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, w.plan.Config.Platform)
	if ok {
		out.Size = size
	}
	if t.MemRef == nil {
		out.Popped = true
		w.tiles = append(w.tiles, out)
		return
	}
	m := t.MemRef
	out.Buffer, out.BufferSize = m.Base.Name, m.Size
	if !ok {
		out.Size = m.Size
	}
	b := w.plan.BufferOf(v)
	if w.plan.Placed {
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
	w.life(v, b, &out)
	w.tiles = append(w.tiles, out)
}

// life fills in where the tile is live; a carried value lives as long as its
// buffer.
func (w *tileWalker) life(v *ir.Var, b *memory.Buffer, out *Tile) {
	live, ok := w.plan.Lifetimes.LiveOf(v)
	if !ok && b != nil {
		live, ok = b.Live, true
	}
	if !ok {
		return
	}
	out.LiveNo = [2]int32{live.Def, live.Last}
	out.Live = [2]ir.Span{spanNear(w.plan, live.Def, 1), spanNear(w.plan, live.Last, -1)}
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
	s := "["
	for i, d := range t.Shape {
		if i > 0 {
			s += ", "
		}
		s += printer.Dim(d)
	}
	return s + "] " + t.DType.String()
}

// planHash changes with anything that hints, lenses or the map show.
func planHash(f *Func) uint64 {
	h := fnv.New64a()
	add := func(s string) { h.Write([]byte(s)); h.Write([]byte{0}) }
	num := func(n uint64) { add(strconv.FormatUint(n, 10)) }
	for _, p := range f.Planned {
		add(p.Name)
		for _, t := range p.Tiles {
			add(t.Name)
			add(t.Buffer)
			add(t.Dynamic)
			num(uint64(t.Addr))
			num(t.Size)
			num(uint64(t.Space))
			num(t.RegionEnd)
			num(uint64(t.LiveNo[0])<<32 | uint64(uint32(t.LiveNo[1])))
		}
		for _, s := range p.Spaces {
			num(s.Used)
			num(s.Limit)
		}
	}
	num(uint64(len(f.Approximate)))
	return h.Sum64()
}
