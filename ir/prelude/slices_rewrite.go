package prelude

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// block rewrites the consumers of slices in one sequence. sub replaces slice
// variables by extracts made before a loop (rule 7).
func (s *slicer) block(b *ir.Block, sub subst) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		out.add(s.stmt(st, sub, &out))
	}
	return out.block()
}

func (s *slicer) stmt(st ir.Stmt, sub subst, out *rewriting) ir.Stmt {
	switch st := st.(type) {
	case *ir.For:
		inner := s.carries(st.IterArgs, sub, *st.Meta(), out)
		iters := substIters(st.IterArgs, inner)
		body := s.block(st.Body, inner)
		start, stop, step := sub.expr(st.Start), sub.expr(st.Stop), sub.expr(st.Step)
		if body == st.Body && sameVars(iters, st.IterArgs) && start == st.Start && stop == st.Stop && step == st.Step {
			return st
		}
		n := *st
		n.Start, n.Stop, n.Step, n.IterArgs, n.Body = start, stop, step, iters, body
		return &n
	case *ir.While:
		inner := s.carries(st.IterArgs, sub, *st.Meta(), out)
		iters := substIters(st.IterArgs, inner)
		cond := inner.expr(st.Cond)
		body := s.block(st.Body, inner)
		if body == st.Body && sameVars(iters, st.IterArgs) && cond == st.Cond {
			return st
		}
		n := *st
		n.Cond, n.IterArgs, n.Body = cond, iters, body
		return &n
	case *ir.If:
		cond := sub.expr(st.Cond)
		then, els := s.block(st.Then, sub), s.block(st.Else, sub)
		if cond == st.Cond && then == st.Then && els == st.Else {
			return st
		}
		n := *st
		n.Cond, n.Then, n.Else = cond, then, els
		return &n
	case *ir.Scope:
		return withBlocks(st, func(b *ir.Block) *ir.Block { return s.block(b, sub) })
	}
	if sub.n > 0 {
		st = substStmt(st, sub)
	}
	switch st := st.(type) {
	case *ir.Assign:
		return s.assign(st, out)
	case *ir.Eval:
		if c, ok := st.X.(*ir.Call); ok {
			if n := s.consumer(c, st.StmtMeta, out); n != c {
				return &ir.Eval{StmtMeta: st.StmtMeta, X: n}
			}
		}
	case *ir.Yield:
		return s.yield(st, out)
	}
	return st
}

// sameVars reports whether substIters left a list as it was.
func sameVars(a, b []*ir.Var) bool { return len(a) == 0 || &a[0] == &b[0] }

// carries is rule 7: unaligned slices that start a loop carry are extracted
// once before the loop and replaced inside it.
func (s *slicer) carries(iters []*ir.Var, sub subst, meta ir.StmtMeta, out *rewriting) subst {
	inner := sub.inner()
	for _, a := range iters {
		v, w := s.windowOf(sub.expr(a.Init))
		if w == nil || !s.vecOrNone(v) || s.aligned(w) {
			continue
		}
		if !inner.has(v) {
			inner.set(v, s.bind(v, w, platforms.Vec, meta, out))
		}
	}
	return inner
}

func (s *slicer) vecOrNone(v *ir.Var) bool {
	t := tileOf(v)
	return t != nil && (t.Space == platforms.Vec || t.Space < 0)
}

func (s *slicer) unaligned(e ir.Expr) (*ir.Var, *window) {
	v, w := s.windowOf(e)
	if w == nil || !s.vecOrNone(v) || s.aligned(w) {
		return nil, nil
	}
	return v, w
}

func (s *slicer) assign(a *ir.Assign, out *rewriting) ir.Stmt {
	switch v := a.Value.(type) {
	case *ir.Var:
		if sv, w := s.unaligned(v); w != nil {
			return &ir.Assign{StmtMeta: a.StmtMeta, Var: a.Var, Value: s.extract(sv, w, platforms.Vec, a.StmtMeta)}
		}
	case *ir.Call:
		if n := s.consumer(v, a.StmtMeta, out); n != v {
			return &ir.Assign{StmtMeta: a.StmtMeta, Var: a.Var, Value: n}
		}
	}
	return a
}

func (s *slicer) yield(y *ir.Yield, out *rewriting) ir.Stmt {
	vals, changed := y.Values, false
	for i, e := range y.Values {
		v, w := s.unaligned(e)
		if w == nil {
			continue
		}
		if !changed {
			vals, changed = append([]ir.Expr(nil), y.Values...), true
		}
		vals[i] = s.bind(v, w, platforms.Vec, y.StmtMeta, out)
	}
	if !changed {
		return y
	}
	return &ir.Yield{StmtMeta: y.StmtMeta, Values: vals}
}

// consumer applies the first rule of spec 11b §1.3 that matches a call.
func (s *slicer) consumer(c *ir.Call, meta ir.StmtMeta, out *rewriting) *ir.Call {
	switch c.Name {
	case "tile.slice":
		return c
	case "tile.extract":
		return s.ofExtract(c)
	case "tile.matmul", "tile.matmul_bias":
		if n := s.ofMatmul(c, 0, meta, out); n != c {
			return n
		}
	case "tile.matmul_acc":
		if n := s.ofMatmul(c, 1, meta, out); n != c {
			return n
		}
	}
	if strings.HasPrefix(c.Name, "tile.col_expand_") && len(c.Args) == 2 {
		if n := s.replace(c, 0, 2, meta, out, func(i int, v *ir.Var, w *window) (ir.Space, bool) {
			return platforms.Vec, s.vecOrNone(v) && s.hazardous(v, w)
		}); n != c {
			return n
		}
	}
	return s.replace(c, 0, len(c.Args), meta, out, func(i int, v *ir.Var, w *window) (ir.Space, bool) {
		return platforms.Vec, s.vecOrNone(v) && !s.aligned(w)
	})
}

// replace binds an extract for each of the operands from to end that want
// accepts.
func (s *slicer) replace(c *ir.Call, from, end int, meta ir.StmtMeta, out *rewriting, want func(i int, v *ir.Var, w *window) (ir.Space, bool)) *ir.Call {
	args, changed := c.Args, false
	for i := from; i < end; i++ {
		v, w := s.windowOf(c.Args[i])
		if w == nil {
			continue
		}
		sp, ok := want(i, v, w)
		if !ok {
			continue
		}
		if !changed {
			args, changed = append([]ir.Expr(nil), c.Args...), true
		}
		args[i] = s.bind(v, w, sp, meta, out)
	}
	if !changed {
		return c
	}
	if c.IsFunc {
		n := *c
		n.Args = args
		return &n
	}
	return s.c.rebuilt(passSlice, s.f, c, args)
}

func (s *slicer) ofMatmul(c *ir.Call, left int, meta ir.StmtMeta, out *rewriting) *ir.Call {
	if len(c.Args) < left+2 {
		return c
	}
	return s.replace(c, left, left+2, meta, out, func(i int, v *ir.Var, w *window) (ir.Space, bool) {
		t := tileOf(v)
		sp := platforms.Left
		if i != left {
			sp = platforms.Right
		}
		return sp, t != nil && t.Space == platforms.Mat
	})
}

// ofExtract folds an extract of a slice into one of the base.
func (s *slicer) ofExtract(c *ir.Call) *ir.Call {
	if len(c.Args) != 4 {
		return c
	}
	_, w := s.windowOf(c.Args[0])
	if w == nil {
		return c
	}
	return s.c.rebuilt(passSlice, s.f, c, []ir.Expr{w.base, sum(c.Args[1], w.row), sum(c.Args[2], w.col), c.Args[3]})
}

// hazardous: an offset is not a literal, or the window is not contiguous.
func (s *slicer) hazardous(v *ir.Var, w *window) bool {
	_, ok1 := ir.ConstValue(w.row)
	_, ok2 := ir.ConstValue(w.col)
	if !ok1 || !ok2 {
		return true
	}
	t, b := tileOf(v), tileOf(w.base)
	if t == nil || b == nil || len(t.Shape) != 2 || len(b.Shape) != 2 {
		return true
	}
	rows, k1 := ir.ConstValue(t.Shape[0])
	cols, k2 := ir.ConstValue(t.Shape[1])
	wide, k3 := ir.ConstValue(b.Shape[1])
	return !(k1 && k2 && k3 && (rows == 1 || cols == wide))
}
