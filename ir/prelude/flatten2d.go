package prelude

import (
	"fmt"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const passFlatten2D = "FlattenTileNdTo2D"

// flattenTileNdTo2D makes all tiles two-dimensional and gives transposes their
// scratch tile (spec 11b §2). Comments of in-core bodies are gone afterwards.
func flattenTileNdTo2D(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() {
		return f
	}
	n := &flat{c: c, f: copyFunc(f)}
	n.f.Body = n.block(f.Body, newSubst(0))
	return n.f
}

type flat struct {
	c    *Ctx
	f    *ir.Function
	made ir.Block // for the statement at hand; empty before and after
}

func (n *flat) block(b *ir.Block, s subst) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		n.stmt(st, s, &n.made)
		out.addAll(&n.made)
	}
	return out.block()
}

func bare(m ir.StmtMeta) ir.StmtMeta { return ir.StmtMeta{Span: m.Span} }

func (n *flat) stmt(st ir.Stmt, s subst, out *ir.Block) {
	add := func(x ir.Stmt) { out.Stmts = append(out.Stmts, x) }
	switch st := st.(type) {
	case *ir.Assign:
		n.assign(st, s, out)
	case *ir.Eval:
		x := st.X
		if c, ok := x.(*ir.Call); ok && n.refused(c) {
			add(st)
			return
		} else if ok {
			x = n.call(c, s, bare(st.StmtMeta), out)
		} else {
			x = s.expr(x)
		}
		if x == st.X && len(st.Comments) == 0 {
			add(st)
			return
		}
		add(&ir.Eval{StmtMeta: bare(st.StmtMeta), X: x})
	case *ir.For:
		start, stop, step := s.expr(st.Start), s.expr(st.Stop), s.expr(st.Step)
		in := s.inner()
		iters, c1 := n.iters(st.IterArgs, s, in)
		body := n.block(st.Body, in)
		results, c2 := n.results(st.Results, iters, s)
		if c1 || c2 || body != st.Body || start != st.Start || stop != st.Stop || step != st.Step || len(st.Comments) > 0 {
			m := *st
			m.StmtMeta = bare(st.StmtMeta)
			m.Start, m.Stop, m.Step, m.IterArgs, m.Body, m.Results = start, stop, step, iters, body, results
			add(&m)
			return
		}
		add(st)
	case *ir.While:
		in := s.inner()
		iters, c1 := n.iters(st.IterArgs, s, in)
		cond := in.expr(st.Cond)
		body := n.block(st.Body, in)
		results, c2 := n.results(st.Results, iters, s)
		if c1 || c2 || body != st.Body || cond != st.Cond || len(st.Comments) > 0 {
			add(&ir.While{StmtMeta: bare(st.StmtMeta), Cond: cond, IterArgs: iters, Body: body, Results: results})
			return
		}
		add(st)
	case *ir.If:
		m := *st
		m.StmtMeta = bare(st.StmtMeta)
		m.Cond = s.expr(st.Cond)
		m.Then = n.block(st.Then, s.inner())
		if st.Else != nil {
			m.Else = n.block(st.Else, s.inner())
		}
		results, changed := n.phis(st.Results, m.Then, m.Else, s)
		if changed || m.Cond != st.Cond || m.Then != st.Then || m.Else != st.Else || len(st.Comments) > 0 {
			m.Results = results
			add(&m)
			return
		}
		add(st)
	case *ir.Scope:
		m := *st
		m.StmtMeta = bare(st.StmtMeta)
		m.Args = s.list(st.Args)
		m.Body = n.block(st.Body, s)
		add(&m)
	default:
		x := substStmt(st, s)
		add(stripped(x))
	}
}

// stripped is a simple statement without its comments.
func stripped(st ir.Stmt) ir.Stmt {
	if len(st.Meta().Comments) == 0 {
		return st
	}
	m := bare(*st.Meta())
	switch st := st.(type) {
	case *ir.Yield:
		return &ir.Yield{StmtMeta: m, Values: st.Values}
	case *ir.Return:
		return &ir.Return{StmtMeta: m, Values: st.Values}
	case *ir.Break:
		return &ir.Break{StmtMeta: m}
	case *ir.Continue:
		return &ir.Continue{StmtMeta: m}
	}
	return st
}

func (n *flat) retyped(v *ir.Var, t ir.Type, s subst) *ir.Var {
	if t == v.Type {
		return v
	}
	w := n.f.NewVar(v.Kind, v.Name, t, v.Span)
	w.Init = v.Init
	s.set(v, w)
	return w
}

func (n *flat) iters(vs []*ir.Var, s, in subst) (out []*ir.Var, changed bool) {
	return eachVar(vs, func(_ int, v *ir.Var) *ir.Var {
		init := s.expr(v.Init)
		if init == v.Init {
			return v
		}
		w := n.f.NewVar(ir.IterArg, v.Name, v.Type, v.Span)
		if tileOf(v) != nil {
			w.Type = exprType(init)
		}
		w.Init = init
		in.set(v, w)
		return w
	})
}

func (n *flat) results(vs, iters []*ir.Var, s subst) (out []*ir.Var, changed bool) {
	return eachVar(vs, func(i int, v *ir.Var) *ir.Var {
		if i < len(iters) && rankOf(v) > 2 {
			return n.retyped(v, iters[i].Type, s)
		}
		return v
	})
}

func (n *flat) phis(vs []*ir.Var, then, els *ir.Block, s subst) (out []*ir.Var, changed bool) {
	y := lastYield(then)
	if y == nil {
		y = lastYield(els)
	}
	return eachVar(vs, func(i int, v *ir.Var) *ir.Var {
		if y != nil && i < len(y.Values) && rankOf(v) > 2 {
			return n.retyped(v, exprType(y.Values[i]), s)
		}
		return v
	})
}

func rankOf(e ir.Expr) int {
	if t := tileOf(e); t != nil {
		return len(t.Shape)
	}
	return 0
}

// merged is `[d1*…*d(k-1), dk]`; false when an extent is not literal.
func merged(shape []ir.Expr) ([]ir.Expr, bool) {
	rows := int64(1)
	for _, e := range shape[:len(shape)-1] {
		d, ok := ir.ConstValue(e)
		if !ok {
			return nil, false
		}
		rows *= d
	}
	if _, ok := ir.ConstValue(shape[len(shape)-1]); !ok {
		return nil, false
	}
	return []ir.Expr{ir.Index(rows), shape[len(shape)-1]}, true
}

// mergedValid merges a valid shape: constant leading factors into one literal
// put first, symbolic ones in order.
func mergedValid(valid []ir.Expr) []ir.Expr {
	k := int64(1)
	var sym []ir.Expr
	for _, e := range valid[:len(valid)-1] {
		if d, ok := ir.ConstValue(e); ok {
			k *= d
		} else {
			sym = append(sym, e)
		}
	}
	var rows ir.Expr
	if k != 1 || len(sym) == 0 {
		rows = ir.Index(k)
	}
	for _, e := range sym {
		if rows == nil {
			rows = e
		} else {
			rows = bin(ir.Mul, rows, e)
		}
	}
	return []ir.Expr{rows, valid[len(valid)-1]}
}

// flatType is a tile type merged to two dimensions.
func flatType(t *ir.TileType) (*ir.TileType, bool) {
	shape, ok := merged(t.Shape)
	if !ok {
		return nil, false
	}
	var view *ir.TileView
	if t.View != nil {
		v := *t.View
		v.Stride, v.StartOffset = nil, nil
		if len(v.ValidShape) > 0 {
			v.ValidShape = mergedValid(v.ValidShape)
		}
		view = &v
	}
	n := ir.NewTileType(shape, t.DType, view, t.Space)
	n.MemRef = t.MemRef
	return n, true
}

func (n *flat) assign(a *ir.Assign, s subst, out *ir.Block) {
	meta := bare(a.StmtMeta)
	c, ok := a.Value.(*ir.Call)
	if !ok {
		v := s.expr(a.Value)
		target := a.Var
		if rankOf(a.Var) > 2 && v != a.Value {
			target = n.retyped(a.Var, exprType(v), s)
		}
		add(out, withValue(a, meta, target, v))
		return
	}
	if n.special(a, c, s, meta, out) {
		return
	}
	call := n.call(c, s, meta, out)
	target := a.Var
	if t := tileOf(a.Var); t != nil && call != c && len(t.Shape) > 2 {
		if ct, ok := call.Type.(*ir.TileType); ok {
			target = n.retyped(a.Var, withMemRef(ct, t.MemRef), s)
		}
	}
	add(out, withValue(a, meta, target, call))
}

// withValue is a with other parts, a itself where they are its own and meta
// only lacks comments that it has not got.
func withValue(a *ir.Assign, meta ir.StmtMeta, v *ir.Var, value ir.Expr) *ir.Assign {
	if v == a.Var && value == a.Value && len(a.Comments) == 0 {
		return a
	}
	return &ir.Assign{StmtMeta: meta, Var: v, Value: value}
}

// special handles loads, creations, transposes and assembles; false for all
// other operators.
func (n *flat) special(a *ir.Assign, c *ir.Call, s subst, meta ir.StmtMeta, out *ir.Block) bool {
	t := tileOf(a.Var)
	switch c.Name {
	case "tile.load":
		if t == nil || len(t.Shape) <= 2 {
			return false
		}
		n.load(a, c, t, s, meta, out)
		return true
	case "tile.create", "tile.full":
		if t == nil || len(t.Shape) <= 2 {
			return false
		}
		n.create(a, c, t, s, meta, out)
		return true
	case "tile.transpose":
		return n.transpose(a, c, s, meta, out)
	case "tile.batch_matmul", "tile.batch_matmul_acc":
		n.c.note(passFlatten2D, n.f, c.Span, "batched matrix products are unrolled by a rule that depends on capacities")
	case "tile.assemble":
		if len(c.Args) == 3 && rankOf(c.Args[0]) > 2 {
			n.assemble(a, c, s, meta, out)
			return true
		}
	default:
		n.refused(c)
	}
	return false
}

// refused reports the operators that have no form for tiles of rank > 2.
func (n *flat) refused(c *ir.Call) bool {
	switch c.Name {
	case "tile.read", "tile.write", "tile.slice":
		if len(c.Args) > 0 && rankOf(c.Args[0]) > 2 {
			n.c.problem(passFlatten2D, n.f, c.Span, "FlattenTileNdTo2D: "+c.Name+" is not supported on >2D tiles")
			return true
		}
	}
	return false
}

func (n *flat) dynamic(c *ir.Call, t *ir.TileType) {
	for i, e := range t.Shape {
		if _, ok := ir.ConstValue(e); !ok {
			n.c.problem(passFlatten2D, n.f, ir.Span{}, fmt.Sprintf("FlattenTileNdTo2D: tile op '%s' has a dynamic (non-constant) dimension %d in its >2D tile shape, which cannot be flattened to 2D.", c.Name, i))
			return
		}
	}
}

func (n *flat) load(a *ir.Assign, c *ir.Call, t *ir.TileType, s subst, meta ir.StmtMeta, out *ir.Block) {
	ft, ok := flatType(t)
	if !ok {
		n.dynamic(c, t)
		out.Stmts = append(out.Stmts, a)
		return
	}
	call := *c
	call.Args = s.list(c.Args)
	if t.Space == platforms.Mat {
		eff := ir.EffectiveView(t)
		if eff.BLayout == ir.ColMajor && eff.SLayout == ir.RowMajor {
			if !n.matLoad(&call, meta, out) {
				n.c.note(passFlatten2D, n.f, c.Span, "a load of rank > 2 into Mat whose window is not literal")
			}
		}
	}
	call.Type = withMemRef(ft, nil)
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: n.retyped(a.Var, ft, s), Value: &call})
}

// matLoad reads through a merged view of the tensor.
func (n *flat) matLoad(c *ir.Call, meta ir.StmtMeta, out *ir.Block) bool {
	tensor, ok := exprType(c.Args[0]).(*ir.TensorType)
	off, ok1 := c.Args[1].(*ir.MakeTuple)
	shape, ok2 := c.Args[2].(*ir.MakeTuple)
	valid, ok3 := c.Args[3].(*ir.MakeTuple)
	if !ok || !ok1 || !ok2 || !ok3 || len(tensor.Shape) < 2 || len(off.Elems) != len(tensor.Shape) {
		return false
	}
	rows := mergedValid(tensor.Shape)
	win, ok := merged(shape.Elems)
	if !ok {
		return false
	}
	view := newCall("tensor.view", c.Span, []ir.Expr{c.Args[0], &ir.MakeTuple{Elems: rows}})
	if _, typed := view.Type.(*ir.TensorType); !typed {
		view.Type = ir.NewTensorType(rows, tensor.DType, nil, tensor.Distributed)
	}
	v := n.f.NewVar(ir.PlainVar, "view2d", view.Type, c.Span)
	if as, ok := c.Args[0].(*ir.Var); ok {
		v.Name = as.Name + "_view2d"
	}
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: v, Value: view})
	c.Args = []ir.Expr{v, &ir.MakeTuple{Elems: rowLast(off.Elems, tensor.Shape)}, &ir.MakeTuple{Elems: win}, &ir.MakeTuple{Elems: mergedValid(valid.Elems)}}
	return true
}

// rowLast is `[row, last]` of an offset in a merged shape.
func rowLast(off, extents []ir.Expr) []ir.Expr {
	row := off[0]
	for i := 1; i < len(off)-1; i++ {
		row = foldSum(foldProduct(row, extents[i]), off[i])
	}
	return []ir.Expr{row, off[len(off)-1]}
}

func foldSum(a, b ir.Expr) ir.Expr { return sum(a, b) }

func foldProduct(a, b ir.Expr) ir.Expr {
	x, ok1 := ir.ConstValue(a)
	y, ok2 := ir.ConstValue(b)
	switch {
	case ok1 && ok2:
		return ir.Index(x * y)
	case ok1 && x == 0:
		return ir.Index(0)
	case ok1 && x == 1:
		return b
	case ok2 && y == 1:
		return a
	}
	return bin(ir.Mul, a, b)
}

func (n *flat) create(a *ir.Assign, c *ir.Call, t *ir.TileType, s subst, meta ir.StmtMeta, out *ir.Block) {
	shape, ok := merged(t.Shape)
	if !ok || len(c.Args) == 0 {
		n.dynamic(c, t)
		out.Stmts = append(out.Stmts, a)
		return
	}
	args := append([]ir.Expr{&ir.MakeTuple{Elems: shape}}, c.Args[1:]...)
	call := n.c.rebuilt(passFlatten2D, n.f, c, args)
	nt, ok := call.Type.(*ir.TileType)
	if !ok {
		nt, _ = flatType(t)
		call.Type = nt
	}
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: n.retyped(a.Var, withMemRef(nt, t.MemRef), s), Value: call})
}

func (n *flat) assemble(a *ir.Assign, c *ir.Call, s subst, meta ir.StmtMeta, out *ir.Block) {
	off, ok := c.Args[2].(*ir.MakeTuple)
	t := tileOf(c.Args[0])
	if !ok || len(off.Elems) != len(t.Shape) {
		n.c.note(passFlatten2D, n.f, c.Span, "an assemble into a tile of rank > 2")
		out.Stmts = append(out.Stmts, a)
		return
	}
	args := []ir.Expr{s.expr(c.Args[0]), s.expr(c.Args[1]), &ir.MakeTuple{Elems: rowLast(s.list(off.Elems), t.Shape)}}
	call := n.c.rebuilt(passFlatten2D, n.f, c, args)
	target := a.Var
	if ct, ok := call.Type.(*ir.TileType); ok {
		target = n.retyped(a.Var, ct, s)
	}
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: target, Value: call})
}

// call substitutes in a call; stores into tensors of rank > 2 get the tile's
// original shape as fourth operand.
func (n *flat) call(c *ir.Call, s subst, meta ir.StmtMeta, out *ir.Block) *ir.Call {
	if c.Name == "tile.store" && len(c.Args) == 3 {
		if tt, ok := exprType(c.Args[2]).(*ir.TensorType); ok && len(tt.Shape) > 2 {
			return n.store(c, tt, s, meta, out)
		}
	}
	args, changed := s.exprs(c.Args)
	if !changed {
		return c
	}
	if c.IsFunc || !strings.HasPrefix(c.Name, "tile.") {
		m := *c
		m.Args = args
		return &m
	}
	return n.c.rebuilt(passFlatten2D, n.f, c, args)
}

func (n *flat) store(c *ir.Call, tt *ir.TensorType, s subst, meta ir.StmtMeta, out *ir.Block) *ir.Call {
	t := tileOf(c.Args[0])
	m := *c
	args := s.list(c.Args)
	if t != nil {
		shape := append([]ir.Expr(nil), t.Shape...)
		for len(shape) < len(tt.Shape) {
			shape = append([]ir.Expr{ir.Index(1)}, shape...)
		}
		if at := tileOf(args[0]); at != nil && len(at.Shape) > 2 {
			if flatShape, ok := merged(at.Shape); ok {
				r := newCall("tile.reshape", c.Span, []ir.Expr{args[0], &ir.MakeTuple{Elems: flatShape}})
				v := n.f.NewVar(ir.PlainVar, "flat_tile", r.Type, c.Span)
				out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: v, Value: r})
				args = append([]ir.Expr{v}, args[1:]...)
			}
		}
		args = append(append([]ir.Expr(nil), args...), &ir.MakeTuple{Elems: shape})
	}
	m.Args = args
	return &m
}
