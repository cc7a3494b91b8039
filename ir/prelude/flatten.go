package prelude

import (
	"strconv"

	"pypto-ls/ir"
)

// flattenCallExpr binds every nested call to a temporary `t__tmp_v<n>` placed
// directly before its statement (spec 11 §6.3).
func flattenCallExpr(c *Ctx, f *ir.Function) *ir.Function {
	g := copyFunc(f)
	fl := &flattener{f: g}
	g.Body = fl.block(f.Body)
	return g
}

type flattener struct {
	f *ir.Function
	n int
	// out receives the temporaries of the statement at hand.
	out  *ir.Block
	meta ir.StmtMeta
}

func (fl *flattener) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	old := fl.out
	out := roomFor(b)
	for _, st := range b.Stmts {
		fl.out = out
		n := fl.stmt(st)
		out.Stmts = append(out.Stmts, n)
	}
	fl.out = old
	return out
}

func (fl *flattener) stmt(st ir.Stmt) ir.Stmt {
	m := *st.Meta()
	fl.meta = ir.StmtMeta{Span: m.Span}
	switch st := st.(type) {
	case *ir.Assign:
		return &ir.Assign{StmtMeta: m, Var: st.Var, Value: fl.inner(st.Value)}
	case *ir.Eval:
		return &ir.Eval{StmtMeta: m, X: fl.inner(st.X)}
	case *ir.Yield:
		return &ir.Yield{StmtMeta: m, Values: fl.bindAll(st.Values)}
	case *ir.Return:
		return &ir.Return{StmtMeta: m, Values: fl.bindAll(st.Values)}
	case *ir.If:
		n := *st
		n.Cond = fl.bound(st.Cond)
		n.Then, n.Else = fl.block(st.Then), fl.block(st.Else)
		return &n
	case *ir.For:
		n := *st
		n.Start, n.Stop, n.Step = fl.bound(st.Start), fl.bound(st.Stop), fl.bound(st.Step)
		n.Body = fl.block(st.Body)
		return &n
	case *ir.While:
		n := *st
		n.Body = fl.block(st.Body)
		return &n
	case *ir.Scope:
		n := *st
		n.Body = fl.block(st.Body)
		return &n
	}
	return st
}

// inner flattens what lies inside a right-hand side; the outermost call stays.
func (fl *flattener) inner(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Call:
		args, changed := e.Args, false
		for i, a := range e.Args {
			n := fl.bound(a)
			if n != a && !changed {
				args, changed = append([]ir.Expr(nil), e.Args...), true
			}
			if changed {
				args[i] = n
			}
		}
		if changed {
			c := *e
			c.Args = args
			return &c
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

func (fl *flattener) bindAll(es []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = fl.bound(e)
	}
	return out
}

func (fl *flattener) temp(e ir.Expr) ir.Expr {
	c, ok := e.(*ir.Call)
	if !ok {
		return e
	}
	v := fl.f.NewVar(ir.PlainVar, "t__tmp_v"+strconv.Itoa(fl.n), exprType(c), c.Span)
	fl.n++
	fl.out.Stmts = append(fl.out.Stmts, &ir.Assign{StmtMeta: fl.meta, Var: v, Value: c})
	return v
}
