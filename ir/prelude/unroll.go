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
	b := u.block(f.Body, subst{})
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
	out := roomFor(b)
	changed := len(s) > 0
	for _, st := range b.Stmts {
		if l, ok := st.(*ir.For); ok && l.Kind == ir.Unroll {
			if copies, ok := u.loop(l, s); ok {
				out.Stmts = append(out.Stmts, copies...)
				changed = true
				continue
			}
		}
		n := u.stmt(st, s)
		changed = changed || n != st
		out.Stmts = append(out.Stmts, n)
	}
	if !changed {
		return b
	}
	return out
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
		inner := subst{}
		for k, v := range s {
			inner[k] = v
		}
		inner[l.Var] = ir.Index(start + i*step)
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
	if len(s) > 0 {
		st = substStmt(st, s)
	}
	return withBlocks(st, func(b *ir.Block) *ir.Block { return u.block(b, s) })
}

// substStmt substitutes in the statement's own expressions, not in nested
// blocks. Defined variables stay.
func substStmt(st ir.Stmt, s subst) ir.Stmt {
	switch st := st.(type) {
	case *ir.Assign:
		return &ir.Assign{StmtMeta: st.StmtMeta, Var: st.Var, Value: s.expr(st.Value)}
	case *ir.Eval:
		return &ir.Eval{StmtMeta: st.StmtMeta, X: s.expr(st.X)}
	case *ir.Yield:
		return &ir.Yield{StmtMeta: st.StmtMeta, Values: s.list(st.Values)}
	case *ir.Return:
		return &ir.Return{StmtMeta: st.StmtMeta, Values: s.list(st.Values)}
	case *ir.If:
		n := *st
		n.Cond = s.expr(st.Cond)
		return &n
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
		s[v] = &n
	}
	return out
}
