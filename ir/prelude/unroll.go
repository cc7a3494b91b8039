package prelude

import (
	"fmt"

	"pypto-ls/ir"
)

const passUnroll = "UnrollLoops"

// maxUnroll is the largest trip count the reference unrolls.
const maxUnroll = 1024

// unrollLoops replaces `pl.unroll` loops by copies of their bodies (spec 11b
// §6.2). It runs before SSA: assigned variables keep their identity.
func unrollLoops(c *Ctx, f *ir.Function) *ir.Function {
	u := &unroller{c: c, f: f}
	b := u.block(f.Body, newSubst(0))
	if b == f.Body {
		return f
	}
	g := copyFunc(f)
	g.Body = b
	return g
}

type unroller struct {
	c *Ctx
	f *ir.Function
}

func (u *unroller) block(b *ir.Block, s subst) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		if l, ok := st.(*ir.For); ok && l.Kind == ir.Unroll {
			if copies, ok := u.loop(l, s); ok {
				out.addAll(&ir.Block{Stmts: copies})
				continue
			}
		}
		out.add(u.stmt(st, s))
	}
	return out.block()
}

func (u *unroller) loop(l *ir.For, s subst) ([]ir.Stmt, bool) {
	for _, x := range []struct {
		name string
		e    ir.Expr
	}{{"start", l.Start}, {"stop", l.Stop}, {"step", l.Step}} {
		if _, ok := ir.ConstValue(s.expr(x.e)); !ok {
			u.c.problem(passUnroll, u.f, l.Span, "Unroll loop "+x.name+" must be a compile-time integer constant, got "+nodeKind(x.e))
			return nil, false
		}
	}
	start, _ := ir.ConstValue(s.expr(l.Start))
	stop, _ := ir.ConstValue(s.expr(l.Stop))
	step, _ := ir.ConstValue(s.expr(l.Step))
	if step == 0 {
		u.c.problem(passUnroll, u.f, l.Span, "Unroll loop step cannot be zero")
		return nil, false
	}
	n, _ := trips(ir.Index(start), ir.Index(stop), ir.Index(step))
	if n > maxUnroll {
		u.c.problem(passUnroll, u.f, l.Span, fmt.Sprintf("Unroll loop trip count %d exceeds maximum allowed (%d). Reduce the loop range or use pl.range() instead", n, maxUnroll))
		return nil, false
	}
	// Nested loops are accounted for when the copies are made.
	if !u.c.grow(passUnroll, u.f, l.Span, n, stmtCount(l.Body)) {
		return nil, false
	}
	var out []ir.Stmt
	for i := range n {
		inner := s.inner()
		inner.set(l.Var, ir.Index(start+i*step))
		out = append(out, u.block(l.Body, inner).Stmts...)
	}
	return out, true
}

func nodeKind(e ir.Expr) string {
	switch e.(type) {
	case *ir.Var:
		return "Var"
	case *ir.Call:
		return "Call"
	}
	return "Expr"
}

// stmt substitutes in one statement; nested loop indices keep their identity.
func (u *unroller) stmt(st ir.Stmt, s subst) ir.Stmt {
	if s.n > 0 {
		st = copiedStmt(st, s)
	}
	return withBlocks(st, func(b *ir.Block) *ir.Block { return u.block(b, s) })
}

// copiedStmt is substStmt for a statement that is wanted twice: no statement
// may stand in two places of a function.
func copiedStmt(st ir.Stmt, s subst) ir.Stmt {
	n := substStmt(st, s)
	if n != st {
		return n
	}
	switch st := st.(type) {
	case *ir.Assign:
		n := *st
		return &n
	case *ir.Eval:
		n := *st
		return &n
	case *ir.Yield:
		n := *st
		return &n
	case *ir.Return:
		n := *st
		return &n
	case *ir.If:
		n := *st
		return &n
	case *ir.For:
		n := *st
		return &n
	case *ir.While:
		n := *st
		return &n
	case *ir.Scope:
		n := *st
		return &n
	}
	return st
}

// substStmt substitutes in the statement's own expressions, not in nested
// blocks. Defined variables stay; a statement without changes is shared.
func substStmt(st ir.Stmt, s subst) ir.Stmt {
	if s.n == 0 {
		return st
	}
	switch st := st.(type) {
	case *ir.Assign:
		if v := s.expr(st.Value); v != st.Value {
			return &ir.Assign{StmtMeta: st.StmtMeta, Var: st.Var, Value: v}
		}
	case *ir.Eval:
		if x := s.expr(st.X); x != st.X {
			return &ir.Eval{StmtMeta: st.StmtMeta, X: x}
		}
	case *ir.Yield:
		if vs, changed := s.exprs(st.Values); changed {
			return &ir.Yield{StmtMeta: st.StmtMeta, Values: vs}
		}
	case *ir.Return:
		if vs, changed := s.exprs(st.Values); changed {
			return &ir.Return{StmtMeta: st.StmtMeta, Values: vs}
		}
	case *ir.If:
		if c := s.expr(st.Cond); c != st.Cond {
			n := *st
			n.Cond = c
			return &n
		}
	case *ir.For:
		n := *st
		n.Start, n.Stop, n.Step = s.expr(st.Start), s.expr(st.Stop), s.expr(st.Step)
		n.IterArgs = substIters(st.IterArgs, s)
		return &n
	case *ir.While:
		n := *st
		n.Cond = s.expr(st.Cond)
		n.IterArgs = substIters(st.IterArgs, s)
		return &n
	case *ir.Scope:
		n := *st
		n.Args = s.list(st.Args)
		return &n
	}
	return st
}

// substIters substitutes in initial values; a changed iter_arg is entered in s.
func substIters(vs []*ir.Var, s subst) []*ir.Var {
	out := vs
	for i, v := range vs {
		init := s.expr(v.Init)
		if init == v.Init {
			continue
		}
		if &out[0] == &vs[0] {
			out = append([]*ir.Var(nil), vs...)
		}
		n := *v
		n.Init = init
		out[i] = &n
		s.set(v, &n)
	}
	return out
}
