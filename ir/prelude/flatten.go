package prelude

import "pypto-ls/ir"

// flattenCallExpr binds every nested call to a temporary `t__tmp_v<n>` placed
// directly before its statement (spec 11 §6.3).
func flattenCallExpr(c *Ctx, f *ir.Function) *ir.Function {
	g := copyFunc(f)
	fl := &flattener{c: c, f: g}
	g.Body = fl.block(f.Body)
	return g
}

type flattener struct {
	c     *Ctx
	f     *ir.Function
	n     int
	names names
	made  nodes
	// out receives the temporaries of the statement at hand.
	out  *rewriting
	meta ir.StmtMeta
}

func (fl *flattener) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	outer := fl.out
	out := rewrite(b)
	for _, st := range b.Stmts {
		fl.out = &out
		out.add(fl.stmt(st))
	}
	fl.out = outer
	return out.block()
}

func (fl *flattener) stmt(st ir.Stmt) ir.Stmt {
	fl.meta = ir.StmtMeta{Span: st.Meta().Span}
	switch st := st.(type) {
	case *ir.Assign:
		if v := fl.inner(st.Value); v != st.Value {
			return fl.made.assign(st.StmtMeta, st.Var, v)
		}
	case *ir.Eval:
		if x := fl.inner(st.X); x != st.X {
			return fl.made.eval(st.StmtMeta, x)
		}
	case *ir.Yield:
		if vs, changed := fl.bindAll(st.Values); changed {
			return &ir.Yield{StmtMeta: st.StmtMeta, Values: vs}
		}
	case *ir.Return:
		if vs, changed := fl.bindAll(st.Values); changed {
			return &ir.Return{StmtMeta: st.StmtMeta, Values: vs}
		}
	case *ir.If:
		cond := fl.bound(st.Cond)
		n := withBlocks(st, fl.block)
		if cond != st.Cond {
			m := *n.(*ir.If)
			m.Cond = cond
			return &m
		}
		return n
	case *ir.For:
		fl.inits(st.IterArgs)
		start, stop, step := fl.bound(st.Start), fl.bound(st.Stop), fl.bound(st.Step)
		n := withBlocks(st, fl.block)
		if start != st.Start || stop != st.Stop || step != st.Step {
			m := *n.(*ir.For)
			m.Start, m.Stop, m.Step = start, stop, step
			return &m
		}
		return n
	case *ir.While:
		fl.inits(st.IterArgs)
		return withBlocks(st, fl.block)
	case *ir.Scope:
		return withBlocks(st, fl.block)
	}
	return st
}

// inits notes calls among the initial values of carries, of which the rule says
// nothing.
func (fl *flattener) inits(iters []*ir.Var) {
	for _, v := range iters {
		if v.Init != nil && hasCall(v.Init) {
			fl.c.note("FlattenCallExpr", fl.f, v.Span, "the initial value of a carry has a call in it; assign it to a name before the loop")
		}
	}
}

// inner flattens what lies inside a right-hand side; the outermost call stays.
func (fl *flattener) inner(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Call:
		if args, changed := fl.bindAll(e.Args); changed {
			c := fl.made.call(e)
			c.Args = args
			return c
		}
	case *ir.Binary:
		x, y := fl.inner(e.X), fl.inner(e.Y)
		x, y = fl.temp(x), fl.temp(y)
		if x != e.X || y != e.Y {
			return &ir.Binary{Op: e.Op, X: x, Y: y, DType: e.DType}
		}
	case *ir.Unary:
		if x := fl.bound(e.X); x != e.X {
			return &ir.Unary{Op: e.Op, X: x, DType: e.DType}
		}
	case *ir.TupleGet:
		if t := fl.bound(e.Tuple); t != e.Tuple {
			return &ir.TupleGet{Tuple: t, Index: e.Index}
		}
	}
	return e
}

// bound flattens e and binds it when it is a call itself.
func (fl *flattener) bound(e ir.Expr) ir.Expr { return fl.temp(fl.inner(e)) }

func (fl *flattener) bindAll(es []ir.Expr) (out []ir.Expr, changed bool) {
	out = es
	for i, e := range es {
		n := fl.bound(e)
		if n != e && !changed {
			out, changed = fl.made.list(es), true
		}
		if changed {
			out[i] = n
		}
	}
	return out, changed
}

func (fl *flattener) temp(e ir.Expr) ir.Expr {
	c, ok := e.(*ir.Call)
	if !ok {
		return e
	}
	v := fl.f.NewVarIn(fl.made.vars.New(), ir.PlainVar, fl.names.numbered(fl.n, "t__tmp_v"), exprType(c), c.Span)
	fl.n++
	fl.out.add(fl.made.assign(fl.meta, v, c))
	return v
}
