package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// half is one side of a mixed kernel (spec 11b §4.2).
type half struct {
	m    *mixedKernel
	side lane
	body *ir.Block
	// pops tells what the references to a source, or to the destination of a
	// direct pop, become in the end. Until then such variables count as having
	// no definition in this half.
	pops *varTable[*ir.Var]
	// sources are the variables that a popped tile may stand for.
	sources *varTable[[2]*ir.Var]
	// alias is room for aliasesOf.
	alias varSet
	// refused is set once a carry was found that the reference fails on.
	refused bool
}

// half builds and repairs one side.
func (m *mixedKernel) half(side lane) *half {
	h := &half{m: m, side: side, pops: newVarTable[*ir.Var](m.crossings), sources: newVarTable[[2]*ir.Var](m.crossings / 2), alias: newVarSet(0)}
	h.body = h.build(m.f.Body, true)
	h.body = dropDeadCarries(h.body)
	h.body = h.pullInits(h.body, true)
	h.body = h.fixYields(h.body)
	if hasBranchResults(h.body) {
		h.body = h.fixBranches(h.body, h.poppedVars())
	}
	h.body = m.dead.drop(h.body)
	if b := dropDeadCarries(h.body); b != h.body {
		h.body = m.dead.drop(b)
	}
	return h
}

// poppedVars are the variables that popped tiles stand for.
func (h *half) poppedVars() varSet {
	s := newVarSet(h.pops.n)
	for v := range h.pops.all() {
		s.add(v)
	}
	s.logged = true
	return s
}

// build keeps the statements of this side and turns boundary moves into pushes
// and pops.
func (h *half) build(b *ir.Block, top bool) *ir.Block {
	if b == nil {
		return nil
	}
	out := &ir.Block{Stmts: make([]ir.Stmt, 0, len(b.Stmts))}
	for _, st := range b.Stmts {
		l := h.m.lane(st)
		if x, ok := h.m.crossing(st, l); ok {
			if x.from == h.side {
				h.push(x, out)
			} else {
				h.pop(x, out)
			}
			continue
		}
		if l == h.side.other() {
			continue
		}
		if _, ret := st.(*ir.Return); ret && top && h.side == cube {
			continue
		}
		if l == mixed && !ir.HasBodies(st) {
			h.m.c.note(passExpand, h.m.f, st.Meta().Span, "a transfer between the cores that is no plain move of a tile variable")
		}
		if h.side == vector {
			h.fencePops(st, out)
		}
		if l == mixed {
			st = withBlocks(st, func(c *ir.Block) *ir.Block { return h.build(c, false) })
		}
		out.Stmts = append(out.Stmts, st)
		if h.side == cube {
			h.fencePush(st, out)
		}
	}
	return out
}

func add(out *ir.Block, st ir.Stmt) { out.Stmts = append(out.Stmts, st) }

// crossCall makes a call of one of the transfer operators, which have no
// result type of their own.
func (m *mixedKernel) crossCall(name string, sp ir.Span, split int64, t ir.Type, args []ir.Expr) *ir.Call {
	return m.made.call(&ir.Call{Name: name, Op: ops.Lookup(name), Args: args, Kwargs: m.made.keyword("split", split), Type: t, Span: sp})
}

func (h *half) pushCall(sp ir.Span, split int64, v ir.Expr) *ir.Call {
	name := "tile.tpush_to_aiv"
	if h.side == vector {
		name = "tile.tpush_to_aic"
	}
	return h.m.crossCall(name, sp, split, ir.Unknown, h.m.made.single(v))
}

func (h *half) popCall(sp ir.Span, split int64, t ir.Type) *ir.Call {
	name := "tile.tpop_from_aiv"
	if h.side == vector {
		name = "tile.tpop_from_aic"
	}
	return h.m.crossCall(name, sp, split, t, nil)
}

// push is the producer's side of a boundary move.
func (h *half) push(x crossing, out *ir.Block) {
	var v ir.Expr = x.src
	if h.side == vector && adaptsPushes(h.m.c.Platform) {
		src, dst := tileOf(x.src), tileOf(x.dst)
		v = adapter(h.m.f, x.src, src, transferView(dst), x.meta, x.span, func(st ir.Stmt) { add(out, st) })
	}
	add(out, h.m.made.eval(x.meta, h.pushCall(x.span, x.split, v)))
}

// transferView is the view a tile crosses with on its way to the cube core:
// the destination's, in fractal layout when it is for the matrix unit (spec
// 11b §4.3).
func transferView(dst *ir.TileType) ir.TileView {
	v := *dst.LayoutView()
	if len(v.ValidShape) == 0 && len(dst.Shape) > 0 {
		v.ValidShape = dst.Shape
	}
	switch dst.Space {
	case platforms.Mat, platforms.Left, platforms.Right:
		v.BLayout, v.SLayout = ir.ColMajor, ir.RowMajor
	}
	return v
}

// pop is the consumer's side of a boundary move.
func (h *half) pop(x crossing, out *ir.Block) {
	dst := tileOf(x.dst)
	space, view := platforms.Vec, *dst.LayoutView()
	if h.side == cube {
		space, view = platforms.Mat, transferView(dst)
	}
	t := h.m.made.tiles.NewTileTypeOf(dst.Shape, dst.DType, view, space)
	name := x.dst.Name
	direct := dst.Space == space
	if !direct {
		name += "_vec"
		if h.side == cube {
			name = x.dst.Name + "_mat"
		}
	}
	made := &h.m.made
	p := made.newVar(h.m.f, ir.PlainVar, name, t, x.dst.Span)
	h.pops.set(x.src, p)
	h.sources.set(p, [2]*ir.Var{x.src})
	add(out, made.assign(x.meta, p, h.popCall(x.span, x.split, t)))
	if direct {
		h.pops.set(x.dst, p)
		h.sources.set(p, [2]*ir.Var{x.src, x.dst})
		return
	}
	v := dst.LayoutView()
	add(out, made.assign(x.meta, x.dst, made.newCall("tile.move", x.span, made.single(p),
		ir.Kwarg{Key: "target_memory", Value: dst.Space}, ir.Kwarg{Key: "blayout", Value: v.BLayout}, ir.Kwarg{Key: "slayout", Value: v.SLayout})))
}

func adaptsPushes(p *platforms.Platform) bool { return p != nil && p.Flags.VtoCFractalAdapt }

// adapter emits the move that brings a vector tile into the layout it crosses
// with.
func adapter(f *ir.Function, src *ir.Var, t *ir.TileType, view ir.TileView, meta ir.StmtMeta, sp ir.Span, emit func(ir.Stmt)) *ir.Var {
	nt := ir.NewTileTypeOf(t.Shape, t.DType, view, platforms.Vec)
	v := f.NewVar(ir.PlainVar, src.Name+"_nz", nt, src.Span)
	c := newCall("tile.move", sp, []ir.Expr{src}, ir.Kwarg{Key: "target_memory", Value: platforms.Vec},
		ir.Kwarg{Key: "blayout", Value: view.BLayout}, ir.Kwarg{Key: "slayout", Value: view.SLayout})
	emit(&ir.Assign{StmtMeta: meta, Var: v, Value: c})
	return v
}

// adaptPushes gives the pushes of a hand-written vector function their
// adapters where the target needs them (spec 11b §4.3).
func adaptPushes(c *Ctx, f *ir.Function) *ir.Function {
	if !adaptsPushes(c.Platform) {
		return f
	}
	g := copyFunc(f)
	b := adaptBlock(g, f.Body)
	if b == f.Body {
		return f
	}
	g.Body = b
	return g
}

func adaptBlock(g *ir.Function, b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		st = withBlocks(st, func(c *ir.Block) *ir.Block { return adaptBlock(g, c) })
		if v, t, c := bareFlatPush(st); v != nil {
			view := *ir.EffectiveView(t)
			view.BLayout, view.SLayout = ir.ColMajor, ir.RowMajor
			n := *c
			n.Args = []ir.Expr{adapter(g, v, t, view, ir.StmtMeta{Span: st.Meta().Span}, c.Span, out.add)}
			st = &ir.Eval{StmtMeta: *st.Meta(), X: &n}
		}
		out.add(st)
	}
	return out.block()
}

// bareFlatPush matches a push to the cube core of a tile that is not in
// fractal layout.
func bareFlatPush(st ir.Stmt) (*ir.Var, *ir.TileType, *ir.Call) {
	e, ok := st.(*ir.Eval)
	if !ok {
		return nil, nil, nil
	}
	c, ok := e.X.(*ir.Call)
	if !ok || c.Name != "tile.tpush_to_aic" || len(c.Args) != 1 {
		return nil, nil, nil
	}
	v, ok := c.Args[0].(*ir.Var)
	t := tileOf(c.Args[0])
	if !ok || t == nil {
		return nil, nil, nil
	}
	if w := t.LayoutView(); w.BLayout == ir.ColMajor && w.SLayout == ir.RowMajor {
		return nil, nil, nil
	}
	return v, t, c
}
