package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const passSplitVector = "SplitVectorKernel"

// splitVectorKernel makes both vector cores run an unsplit kernel: the first
// one as written, the second one a replay that moves no data and only keeps the
// pipes in step (spec 11b §4.7, 09 §10).
func splitVectorKernel(c *Ctx, f *ir.Function) *ir.Function {
	if f.Kind != ir.AIV || !attrTrue(f.Attrs, "dual_aiv_dispatch") || splitsVectors(f) {
		return f
	}
	g := copyFunc(f)
	meta := ir.StmtMeta{Span: f.NameSpan}
	idx := g.NewVar(ir.PlainVar, "subblock_idx", &ir.ScalarType{DType: ir.INDEX}, f.NameSpan)
	body := &ir.Block{}
	add(body, &ir.Assign{StmtMeta: meta, Var: idx, Value: newCall("tile.get_subblock_idx", f.NameSpan, nil)})
	n := leadingSetUp(f.Body.Stmts)
	body.Stmts = append(body.Stmts, f.Body.Stmts[:n]...)
	rest := f.Body.Stmts[n:]
	for _, st := range rest {
		if call := callOf(st); call != nil && isSetUp(call) {
			c.note(passSplitVector, f, call.Span, "pipe set-up that does not stand at the top is run by both vector cores")
		}
	}
	r := &replayer{c: c, f: g, sub: newSubst(int(f.NumVars))}
	r.sub.logged = true
	add(body, &ir.If{StmtMeta: meta, Cond: bin(ir.Eq, idx, ir.Index(0)), Then: &ir.Block{Stmts: rest}, Else: r.block(&ir.Block{Stmts: rest})})
	g.Body = body
	return g
}

// splitsVectors reports a split mode: an attribute, or a transfer that names
// one.
func splitsVectors(f *ir.Function) bool {
	if attrTrue(f.Attrs, "split_aiv") || splitMode(f) != 0 {
		return true
	}
	_, split := transports(f.Body)
	return split
}

// transports counts the pushes and pops of a body and tells whether one of
// them names a split mode.
func transports(b *ir.Block) (n int, split bool) {
	ir.EachStmt(b, func(st ir.Stmt) {
		c := callOf(st)
		if c == nil || c.Op == nil || c.Op.CrossCore != "TPush" && c.Op.CrossCore != "TPop" {
			return
		}
		n++
		if v, ok := c.Kwarg("split"); ok && v != any(int64(0)) {
			split = true
		}
	})
	return n, split
}

func leadingSetUp(stmts []ir.Stmt) int {
	for i, st := range stmts {
		if c := callOf(st); c == nil || !isSetUp(c) {
			return i
		}
	}
	return len(stmts)
}

type replayer struct {
	c *Ctx
	f *ir.Function
	// sub is what variables are in the replay.
	sub  subst
	zero []ir.Expr // see zeroes
}

// block replays a sequence. Entries that it makes in sub do not leave it.
func (r *replayer) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	before := r.sub.mark()
	out := &ir.Block{Stmts: make([]ir.Stmt, 0, len(b.Stmts))}
	for _, st := range b.Stmts {
		if n := r.stmt(st); n != nil {
			add(out, n)
		}
	}
	r.sub.takeBack(before)
	return out
}

func (r *replayer) stmt(st ir.Stmt) ir.Stmt {
	s := r.sub
	switch st := st.(type) {
	case *ir.Assign:
		return r.assign(st)
	case *ir.Eval:
		if c, ok := st.X.(*ir.Call); ok && c.Name == "tile.store" {
			return nil
		}
		return s.made.eval(st.StmtMeta, r.value(st.X))
	case *ir.For:
		n := *st
		n.Start, n.Stop, n.Step = s.expr(st.Start), s.expr(st.Stop), s.expr(st.Step)
		inits, before := s.inits(st.IterArgs), s.mark()
		n.Var = r.fresh(st.Var, st.Var.Type)
		n.IterArgs = r.iters(st.IterArgs, inits)
		n.Body = r.block(st.Body)
		s.takeBack(before)
		n.Results = r.results(st.Results, n.IterArgs)
		return &n
	case *ir.While:
		n := *st
		inits, before := s.inits(st.IterArgs), s.mark()
		n.IterArgs = r.iters(st.IterArgs, inits)
		n.Cond = s.expr(st.Cond)
		n.Body = r.block(st.Body)
		s.takeBack(before)
		n.Results = r.results(st.Results, n.IterArgs)
		return &n
	case *ir.If:
		n := *st
		n.Cond = s.expr(st.Cond)
		n.Then, n.Else = r.block(st.Then), r.block(st.Else)
		n.Results = nil
		for _, v := range st.Results {
			n.Results = append(n.Results, r.fresh(v, s.typ(v.Type)))
		}
		return &n
	}
	return withBlocks(copiedStmt(st, s), r.block)
}

func (r *replayer) fresh(v *ir.Var, t ir.Type) *ir.Var {
	n := r.sub.made.newVar(r.f, v.Kind, v.Name, t, v.Span)
	r.sub.set(v, n)
	return n
}

// carryInit is how a carry starts.
type carryInit struct {
	value ir.Expr
	t     ir.Type
}

// inits are how the carries of a loop start, as seen before it: one that starts
// from a tile takes that tile's type.
func (s subst) inits(vs []*ir.Var) []carryInit {
	out := make([]carryInit, len(vs))
	for i, v := range vs {
		out[i] = carryInit{s.expr(v.Init), s.typ(v.Type)}
		if it := tileOf(out[i].value); it != nil {
			out[i].t = it
		}
	}
	return out
}

func (r *replayer) iters(vs []*ir.Var, inits []carryInit) []*ir.Var {
	var out []*ir.Var
	for i, v := range vs {
		n := r.fresh(v, inits[i].t)
		n.Init = inits[i].value
		out = append(out, n)
	}
	return out
}

func (r *replayer) results(vs, iters []*ir.Var) []*ir.Var {
	var out []*ir.Var
	for i, v := range vs {
		t := r.sub.typ(v.Type)
		if i < len(iters) {
			t = iters[i].Type
		}
		out = append(out, r.fresh(v, t))
	}
	return out
}

func (r *replayer) assign(a *ir.Assign) ir.Stmt {
	s := r.sub
	t := s.typ(a.Var.Type)
	c, _ := a.Value.(*ir.Call)
	if c != nil && c.Name == "tile.store" && len(c.Args) > 2 {
		dest := s.expr(c.Args[2])
		v := r.fresh(a.Var, t)
		s.set(a.Var, dest)
		return s.made.assign(a.StmtMeta, v, dest)
	}
	tt, tile := t.(*ir.TileType)
	if tile {
		t = r.nothingValid(tt, a.Span)
	}
	var value ir.Expr
	switch {
	case tile && c != nil && movesIn(c):
		e := s.made.emptyTile(tt, c.Span)
		if tileOf(e) != nil {
			e.Type = withoutMemRef(t)
		}
		value = e
	case c != nil && tileOf(c) != nil:
		value = r.call(c, withoutMemRef(t))
	default:
		value = r.value(a.Value)
		if nc, ok := value.(*ir.Call); ok && tileOf(nc) != nil {
			nc = s.made.call(nc)
			nc.Type = withoutMemRef(t)
			value = nc
		}
	}
	return s.made.assign(a.StmtMeta, r.fresh(a.Var, t), value)
}

// movesIn reports whether a call fills its tile from elsewhere.
func movesIn(c *ir.Call) bool {
	return c.Name == "tile.load" || c.Name == "tile.slice" || c.Name == "tile.transpose"
}

// value substitutes in a right-hand side; windows of validity become empty.
func (r *replayer) value(e ir.Expr) ir.Expr {
	if c, ok := e.(*ir.Call); ok && c.Name == "tile.set_validshape" {
		return r.call(c, r.sub.typ(c.Type))
	}
	return r.sub.expr(e)
}

// call is value for a call whose result is of type t.
func (r *replayer) call(c *ir.Call, t ir.Type) *ir.Call {
	n := r.sub.made.call(c)
	n.Args, n.Type = r.sub.list(c.Args), t
	n.Attrs, _ = r.sub.attrs(c.Attrs)
	n.Kwargs, _ = r.sub.kwargs(c.Kwargs)
	if c.Name == "tile.set_validshape" && len(c.Args) > 2 {
		n.Args = []ir.Expr{n.Args[0], ir.Index(0), ir.Index(0)}
	}
	return n
}

// nothingValid is t with an empty valid shape.
func (r *replayer) nothingValid(t *ir.TileType, sp ir.Span) *ir.TileType {
	v := *t.LayoutView()
	v.ValidShape = r.zeroes(len(t.Shape))
	n := r.sub.made.tiles.NewTileTypeOf(t.Shape, t.DType, v, t.Space)
	n.MemRef = t.MemRef
	if t.MemRef != nil {
		r.c.note(passSplitVector, r.f, sp, "a declared buffer in a kernel that both vector cores run")
	}
	return n
}

// zeroes is an empty valid shape of a rank; equal ones are shared.
func (r *replayer) zeroes(rank int) []ir.Expr {
	for len(r.zero) < rank {
		r.zero = append(r.zero, ir.Index(0))
	}
	return r.zero[:rank:rank]
}

func withoutMemRef(t ir.Type) ir.Type {
	tt, ok := t.(*ir.TileType)
	if !ok || tt.MemRef == nil {
		return t
	}
	n := *tt
	n.MemRef = nil
	return &n
}

// emptyTile makes a tile without loading anything into it.
func (m *nodes) emptyTile(t *ir.TileType, sp ir.Span) *ir.Call {
	args := m.single(&ir.MakeTuple{Elems: t.Shape})
	kwargs := [2]ir.Kwarg{{Key: "dtype", Value: t.DType}}
	if t.Space == platforms.NoSpace {
		return m.newCall("tile.create", sp, args, kwargs[:1]...)
	}
	kwargs[1] = ir.Kwarg{Key: "target_memory", Value: t.Space}
	return m.newCall("tile.create", sp, args, kwargs[:]...)
}
