package prelude

import (
	"math"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// simplify is the restricted set of spec 11 §6.2: constants folded and
// propagated, decided branches and loops of zero or one trip removed, scalar
// assignments and branch results that nobody reads dropped.
func simplify(c *Ctx, f *ir.Function) *ir.Function {
	g := copyFunc(f)
	s := &simplifier{c: c, sub: newSubst(0), moved: newSubst(0), f: g, facts: newFacts()}
	g.Body = s.block(f.Body, true)
	g.Body = dropDead(g.Body)
	noteSlots(c, g)
	return g
}

// noteSlots says that a slot index became constant without being a literal:
// whether it is folded, and its address known, is not specified.
func noteSlots(c *Ctx, f *ir.Function) {
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		a, ok := st.(*ir.Assign)
		if !ok {
			return
		}
		t := tileOf(a.Var)
		if t == nil || t.MemRef == nil || t.MemRef.Slot == nil || isConstant(t.MemRef.Slot) {
			return
		}
		open := false
		exprVars(t.MemRef.Slot, func(*ir.Var) { open = true })
		if !open {
			c.note(passSimplify, f, a.Span, "the slot of `"+baseName(a.Var.Name)+"` is a constant that is computed")
		}
	})
}

const passSimplify = "Simplify"

type simplifier struct {
	c   *Ctx
	sub subst
	// moved is sub without the propagated constants.
	moved subst
	f     *ir.Function
	facts *facts
	at    ir.Span // of the statement at hand
}

func (s *simplifier) expr(e ir.Expr) ir.Expr {
	e = s.sub.expr(e)
	s.facts.unsure = false
	n := s.facts.fold(e)
	if s.facts.unsure || s.facts.doubtful(e, n) {
		s.c.note(passSimplify, s.f, s.at, "what is computed here may be simplified by a prover that is not modelled")
	}
	return n
}

func (s *simplifier) exprs(es []ir.Expr) ([]ir.Expr, bool) {
	out, changed := es, false
	for i, e := range es {
		n := s.expr(e)
		if n != e && !changed {
			out, changed = append([]ir.Expr(nil), es...), true
		}
		if changed {
			out[i] = n
		}
	}
	return out, changed
}

// fold folds the scalar expressions inside e.
func (r *facts) fold(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Call:
		args, changed := r.foldList(e.Args)
		t := r.foldType(e.Type)
		if changed || t != e.Type {
			c := *e
			c.Args, c.Type = args, t
			return &c
		}
		return e
	case *ir.MakeTuple:
		if elems, changed := r.foldList(e.Elems); changed {
			return &ir.MakeTuple{Elems: elems, Span: e.Span}
		}
		return e
	case *ir.Binary, *ir.Unary:
		if !hasCall(e) {
			return r.engine.Fold(e)
		}
		n := r.foldCalls(e)
		folded := r.engine.Fold(n)
		r.unsure = r.unsure || r.twins(n, folded)
		return folded
	}
	return e
}

// foldCalls folds the operands of the calls that a scalar is computed from;
// around it they are opaque.
func (r *facts) foldCalls(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Call:
		return r.fold(e)
	case *ir.Binary:
		if x, y := r.foldCalls(e.X), r.foldCalls(e.Y); x != e.X || y != e.Y {
			return &ir.Binary{Op: e.Op, X: x, Y: y, DType: e.DType}
		}
	case *ir.Unary:
		if x := r.foldCalls(e.X); x != e.X {
			return &ir.Unary{Op: e.Op, X: x, DType: e.DType}
		}
	}
	return e
}

func (r *facts) foldList(es []ir.Expr) ([]ir.Expr, bool) {
	out, changed := es, false
	for i, e := range es {
		switch e.(type) {
		case *ir.Var, *ir.ConstInt: // most are
			continue
		}
		n := r.fold(e)
		if n != e && !changed {
			out, changed = append([]ir.Expr(nil), es...), true
		}
		if changed {
			out[i] = n
		}
	}
	return out, changed
}

func hasCall(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Call:
		return true
	case *ir.Binary:
		return hasCall(e.X) || hasCall(e.Y)
	case *ir.Unary:
		return hasCall(e.X)
	case *ir.TupleGet:
		return hasCall(e.Tuple)
	}
	return false
}

// foldType folds the extents of a shaped type.
func (r *facts) foldType(t ir.Type) ir.Type {
	switch t := t.(type) {
	case *ir.TileType:
		shape, c1 := r.foldList(t.Shape)
		view := t.View
		c2 := false
		if view != nil && len(view.ValidShape) > 0 {
			valid, c := r.foldList(view.ValidShape)
			if c {
				v := *view
				v.ValidShape = valid
				view, c2 = &v, true
			}
		}
		if c1 || c2 {
			n := ir.NewTileType(shape, t.DType, view, t.Space)
			n.MemRef = t.MemRef
			return n
		}
	case *ir.TensorType:
		shape, c1 := r.foldList(t.Shape)
		view := t.View
		c2 := false
		if view != nil {
			valid, ca := r.foldList(view.ValidShape)
			stride, cb := r.foldList(view.Stride)
			if ca || cb {
				v := *view
				v.ValidShape, v.Stride = valid, stride
				view, c2 = &v, true
			}
		}
		if c1 || c2 {
			n := *t
			n.Shape, n.View = shape, view
			return &n
		}
	}
	return t
}

// replace puts e for v from now on.
func (s *simplifier) replace(v *ir.Var, e ir.Expr) {
	s.sub.set(v, e)
	s.moved.set(v, e)
}

func (s *simplifier) typ(t ir.Type) ir.Type { return s.facts.foldType(s.sub.typ(t)) }

// withoutRanges folds what needs no ranges.
func withoutRanges() *facts { return &facts{engine: &arith.Engine{}} }

// retype gives v the simplified type under a new identity when it changed.
func (s *simplifier) retype(v *ir.Var) *ir.Var {
	t := s.typ(v.Type)
	if t == v.Type {
		return v
	}
	if tileOf(v) != nil && s.c.Planner != "PYPTO" && !ir.TypeEqual(t, withoutRanges().foldType(s.sub.typ(v.Type))) {
		// Under the other planners a whole tile is planned differently.
		s.c.note(passSimplify, s.f, v.Span, "what is valid of `"+baseName(v.Name)+"` is simplified over the range of a scalar, by a prover that is not modelled")
	}
	return s.retypeAs(v, t)
}

func (s *simplifier) retypeAs(v *ir.Var, t ir.Type) *ir.Var {
	if t == v.Type {
		return v
	}
	n := s.f.NewVar(v.Kind, v.Name, t, v.Span)
	n.Init = v.Init
	s.replace(v, n)
	return n
}

func (s *simplifier) block(b *ir.Block, top bool) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		s.stmt(st, top, &out)
	}
	return out.block()
}

// stmt adds what becomes of st, st itself without a change.
func (s *simplifier) stmt(st ir.Stmt, top bool, out *rewriting) {
	s.at = st.Meta().Span
	switch st := st.(type) {
	case *ir.Assign:
		value := s.expr(st.Value)
		if top && isScalarType(st.Var.Type) && isConstant(value) {
			s.sub.set(st.Var, value)
		}
		s.facts.define(st.Var, value)
		out.add(withParts(st, s.retypeAssigned(st.Var), value))
		return
	case *ir.Eval:
		if x := s.expr(st.X); x != st.X {
			out.add(&ir.Eval{StmtMeta: st.StmtMeta, X: x})
			return
		}
	case *ir.Yield:
		if vs, changed := s.exprs(st.Values); changed {
			out.add(&ir.Yield{StmtMeta: st.StmtMeta, Values: vs})
			return
		}
	case *ir.Return:
		if vs, changed := s.exprs(st.Values); changed {
			out.add(&ir.Return{StmtMeta: st.StmtMeta, Values: vs})
			return
		}
	case *ir.If:
		s.ifStmt(st, top, out)
		return
	case *ir.For:
		s.forStmt(st, top, out)
		return
	case *ir.While:
		iters, i := s.iters(st.IterArgs)
		cond := s.expr(st.Cond)
		body := s.block(st.Body, false)
		if results, r := s.vars(st.Results); i || r || cond != st.Cond || body != st.Body {
			out.add(&ir.While{StmtMeta: st.StmtMeta, Cond: cond, IterArgs: iters, Body: body, Results: results})
			return
		}
	case *ir.Scope:
		args, changed := s.exprs(st.Args)
		if body := s.block(st.Body, top && s.transparent(st)); changed || body != st.Body {
			n := *st
			n.Args, n.Body = args, body
			out.add(&n)
			return
		}
	}
	out.add(st)
}

// transparent reports whether constants assigned in a scope are propagated as
// those around it: in `pl.at` they are, in spmd bodies they are not (recorded).
func (s *simplifier) transparent(st *ir.Scope) bool {
	switch st.Kind {
	case ir.ScopeInCore, ir.ScopeHierarchy:
		return true
	case ir.ScopeSpmd:
		return false
	}
	if st.Body == nil {
		return true
	}
	for _, x := range st.Body.Stmts {
		if a, ok := x.(*ir.Assign); ok && isScalarType(a.Var.Type) && isConstant(a.Value) {
			s.c.note(passSimplify, s.f, a.Span, "whether a constant assigned in this scope is propagated is not specified")
		}
	}
	return true
}

// retypeAssigned keeps a propagated constant's variable as it is.
func (s *simplifier) retypeAssigned(v *ir.Var) *ir.Var {
	if s.sub.has(v) {
		return v
	}
	return s.retype(v)
}

// branchResult keeps the type of a branch's result as it is written: constants
// are not propagated into it (recorded for tensors).
func (s *simplifier) branchResult(v *ir.Var) *ir.Var {
	t := s.moved.typ(v.Type)
	if tile, ok := v.Type.(*ir.TileType); ok && !ir.TypeEqual(t, s.typ(v.Type)) {
		s.c.note(passSimplify, s.f, v.Span, "whether the type of `"+baseName(v.Name)+"`, the result of a branch, is simplified is not specified")
		if !isStatic(tile.Shape) {
			return s.retype(v) // a tile of no known size has no place
		}
	}
	return s.retypeAs(v, t)
}

func isStatic(shape []ir.Expr) bool {
	return !slices.ContainsFunc(shape, func(e ir.Expr) bool { return !isConstant(e) })
}

func (s *simplifier) vars(vs []*ir.Var) (out []*ir.Var, changed bool) {
	return eachVar(vs, func(_ int, v *ir.Var) *ir.Var { return s.retype(v) })
}

func (s *simplifier) iters(vs []*ir.Var) (out []*ir.Var, changed bool) {
	return eachVar(vs, func(_ int, v *ir.Var) *ir.Var {
		init := s.expr(v.Init)
		t := s.typ(v.Type)
		if init == v.Init && t == v.Type {
			return v
		}
		n := s.f.NewVar(ir.IterArg, v.Name, t, v.Span)
		n.Init = init
		s.replace(v, n)
		return n
	})
}

// isConstant reports a literal.
func isConstant(e ir.Expr) bool {
	switch e.(type) {
	case *ir.ConstInt, *ir.ConstFloat, *ir.ConstBool:
		return true
	}
	return false
}

func constCond(e ir.Expr) (value, ok bool) {
	switch e := e.(type) {
	case *ir.ConstBool:
		return e.Value, true
	case *ir.ConstInt:
		return e.Value != 0, e.DType == ir.BOOL
	}
	return false, false
}

func (s *simplifier) ifStmt(st *ir.If, top bool, out *rewriting) {
	cond := s.expr(st.Cond)
	if _, ok := constCond(cond); !ok && !hasCall(cond) {
		if d := s.facts.engine.Fold(cond); d != cond {
			if _, ok := constCond(d); ok {
				cond = d
			}
		}
		if _, ok := constCond(cond); !ok && !s.facts.surelyOpen(cond) {
			s.c.note(passSimplify, s.f, st.Span, "whether this branch is always or never taken is decided by a prover that is not modelled")
		}
	}
	if v, ok := constCond(cond); ok {
		b := st.Then
		if !v {
			b = st.Else
		}
		s.inlineBlock(b, st.Results, top, out)
		return
	}
	var then, els *ir.Block
	s.facts.under(cond, func() { then = s.block(st.Then, false) })
	s.facts.under(&ir.Unary{Op: ir.Not, X: cond, DType: ir.BOOL}, func() { els = s.block(st.Else, false) })
	results, changed := eachVar(st.Results, func(_ int, v *ir.Var) *ir.Var { return s.branchResult(v) })
	if !changed && cond == st.Cond && then == st.Then && els == st.Else {
		out.add(st)
		return
	}
	out.add(&ir.If{StmtMeta: st.StmtMeta, Cond: cond, Then: then, Else: els, Results: results})
}

// inlineBlock puts a decided branch or single iteration in place; the results
// denote the yielded values from then on.
func (s *simplifier) inlineBlock(b *ir.Block, results []*ir.Var, top bool, out *rewriting) {
	if b == nil {
		return
	}
	for i, st := range b.Stmts {
		if y, ok := st.(*ir.Yield); ok && i == len(b.Stmts)-1 {
			for k, r := range results {
				if k < len(y.Values) {
					s.replace(r, s.expr(y.Values[k]))
				}
			}
			return
		}
		s.stmt(st, top, out)
	}
}

// trips is the trip count of constant bounds.
func trips(start, stop, step ir.Expr) (int64, bool) {
	a, ok1 := ir.ConstValue(start)
	b, ok2 := ir.ConstValue(stop)
	c, ok3 := ir.ConstValue(step)
	if !ok1 || !ok2 || !ok3 || c == 0 {
		return 0, false
	}
	if c < 0 {
		a, b = b, a
	}
	if b <= a {
		return 0, true
	}
	span, by := uint64(b)-uint64(a), uint64(c)
	if c < 0 {
		by = -by
	}
	return int64(min((span-1)/by, math.MaxInt64-1)) + 1, true
}

func (s *simplifier) forStmt(st *ir.For, top bool, out *rewriting) {
	start, stop, step := s.expr(st.Start), s.expr(st.Stop), s.expr(st.Step)
	if n, ok := trips(start, stop, step); ok && n <= 1 && st.Kind == ir.Sequential && len(st.Attrs) == 0 {
		if n == 0 {
			for i, r := range st.Results {
				out.add(&ir.Assign{StmtMeta: st.StmtMeta, Var: s.retype(r), Value: s.expr(st.IterArgs[i].Init)})
			}
			return
		}
		s.replace(st.Var, start)
		for _, a := range st.IterArgs {
			s.replace(a, s.expr(a.Init))
		}
		s.inlineBlock(st.Body, st.Results, top, out)
		return
	}
	s.noteSingle(st, start, stop, step)
	r, ok := loopRange(start, stop, step)
	if ok {
		s.facts.ranges.set(st.Var, r)
	}
	if ok && r.IsConst() {
		s.replace(st.Var, constLike(start, r.Lo)) // the only value it takes
	} else {
		s.facts.doubtIndex(st.Var, start, stop, step)
	}
	iters, changedIters := s.iters(st.IterArgs)
	var body *ir.Block
	s.facts.insideLoop(st.Var, start, stop, step, func() { body = s.block(st.Body, false) })
	results, changedResults := s.vars(st.Results)
	if !changedIters && !changedResults && start == st.Start && stop == st.Stop && step == st.Step && body == st.Body {
		out.add(st)
		return
	}
	n := *st
	n.Start, n.Stop, n.Step = start, stop, step
	n.IterArgs, n.Body, n.Results = iters, body, results
	out.add(&n)
}

// noteSingle says that a loop with symbolic bounds may be known to run once, or
// not at all.
func (s *simplifier) noteSingle(st *ir.For, start, stop, step ir.Expr) {
	if st.Kind != ir.Sequential || len(st.Attrs) > 0 || hasCall(start) || hasCall(stop) {
		return
	}
	if _, known := trips(start, stop, step); known {
		return
	}
	if span := s.facts.fold(bin(ir.Sub, stop, start)); s.facts.atMostOnce(span, step) {
		s.c.note(passSimplify, s.f, st.Span, "whether this loop runs more than once is decided by a prover that is not modelled")
	}
}

// dropUnused removes pure scalar assignments to variables, and results of
// branches, that have no uses.
func dropUnused(b *ir.Block, uses *varTable[int]) (*ir.Block, bool) {
	if b == nil {
		return nil, false
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		if a, ok := st.(*ir.Assign); ok && uses.get(a.Var) == 0 && pureScalar(a) {
			continue
		}
		if i, ok := st.(*ir.If); ok {
			if n, c := pruneResults(i, uses); c {
				st = n
			}
		}
		out.add(withBlocks(st, func(c *ir.Block) *ir.Block {
			d, _ := dropUnused(c, uses)
			return d
		}))
	}
	n := out.block()
	return n, n != b
}

func pureScalar(a *ir.Assign) bool {
	_, scalar := a.Var.Type.(*ir.ScalarType)
	return scalar && !hasCall(a.Value)
}

// pruneResults drops the results of a branch that nobody reads, with their
// yield slots.
func pruneResults(st *ir.If, uses *varTable[int]) (*ir.If, bool) {
	var keep []int
	for i, r := range st.Results {
		if uses.get(r) > 0 {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(st.Results) {
		return st, false
	}
	n := *st
	n.Results = nil
	for _, i := range keep {
		n.Results = append(n.Results, st.Results[i])
	}
	n.Then = keepYields(st.Then, keep)
	if st.Else != nil {
		n.Else = keepYields(st.Else, keep)
	}
	return &n, true
}

// keepYields keeps the given slots of a block's trailing yield; a yield
// without slots disappears.
func keepYields(b *ir.Block, keep []int) *ir.Block {
	y := lastYield(b)
	if y == nil {
		return b
	}
	stmts := append([]ir.Stmt(nil), b.Stmts[:len(b.Stmts)-1]...)
	var vals []ir.Expr
	for _, i := range keep {
		if i < len(y.Values) {
			vals = append(vals, y.Values[i])
		}
	}
	if len(vals) > 0 {
		stmts = append(stmts, &ir.Yield{StmtMeta: y.StmtMeta, Values: vals})
	}
	return &ir.Block{Stmts: stmts}
}
