package prelude

import (
	"slices"

	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// doubts are what holds of variables without it being known that the
// reference's prover makes use of it: narrower ranges, and the one value of
// an index. What would be simplified with them only is left as it is, and
// marked.
type doubts struct {
	ranges *varTable[arith.Interval]
	values subst
	// engine folds under the ranges of these and of what is certain.
	engine *arith.Engine
}

func newDoubts(certain *varTable[arith.Interval]) *doubts {
	d := &doubts{ranges: newVarTable[arith.Interval](0), values: newSubst(0)}
	d.engine = &arith.Engine{Range: func(v *ir.Var) (arith.Interval, bool) {
		if r, ok := d.ranges.lookup(v); ok {
			return r, true
		}
		return certain.lookup(v)
	}}
	return d
}

// concern reports whether e computes something from a variable in doubt.
func (d *doubts) concern(e ir.Expr) bool {
	if d.ranges.n == 0 && d.values.n == 0 {
		return false
	}
	switch e.(type) {
	case *ir.Var, *ir.ConstInt:
		return false
	}
	found := false
	exprVars(e, func(v *ir.Var) { found = found || d.ranges.has(v) || d.values.has(v) })
	return found
}

// doubtful reports whether an expression would become something else than
// folded if the prover knew what is in doubt.
func (r *facts) doubtful(e, folded ir.Expr) bool {
	d := r.doubts
	if !d.concern(e) {
		return false
	}
	certain := r.engine
	r.engine = d.engine
	sharp := r.fold(d.values.expr(e))
	r.engine = certain
	return !sameText(sharp, d.values.expr(folded))
}

// doubtIndex enters what holds of the index of a loop with constant bounds
// beyond its range: that of a loop that counts down, and the only value where
// the step exceeds the one trip's.
func (r *facts) doubtIndex(index *ir.Var, start, stop, step ir.Expr) {
	n, ok := trips(start, stop, step)
	if !ok || n == 0 {
		return
	}
	a, _ := ir.ConstValue(start)
	b, _ := ir.ConstValue(stop)
	by, _ := ir.ConstValue(step)
	switch {
	case n == 1:
		r.doubts.values.set(index, constLike(start, a))
	case by < 0:
		r.doubts.ranges.set(index, arith.Interval{Lo: b + 1, Hi: a})
	}
}

// atMostOnce reports whether a loop over so many numbers may be known to run
// at most once.
func (r *facts) atMostOnce(span, step ir.Expr) bool {
	by, ok := ir.ConstValue(step)
	bounds := r.doubts.engine.Bounds(span)
	return ok && (by > 0 && bounds.Hi <= by || by < 0 && bounds.Lo >= by)
}

// maxCalls bounds the calls that are compared with one another.
const maxCalls = 64

// twins are equal calls that one scalar is computed from: whether they count
// as one value is not known. It reports whether that may matter where e was
// folded.
func (r *facts) twins(e, folded ir.Expr) bool {
	var calls []*ir.Call
	operandCalls(e, func(c *ir.Call) { calls = append(calls, c) })
	if len(calls) > maxCalls {
		return true
	}
	first := map[*ir.Call]*ir.Call{}
	for i, c := range calls {
		if k := slices.IndexFunc(calls[:i], func(d *ir.Call) bool { return sameText(c, d) }); k >= 0 {
			first[c] = calls[k]
		}
	}
	return len(first) > 0 && (folded != e || !sameText(r.engine.Fold(withOne(e, first)), e))
}

// withOne is e with calls replaced by equal ones.
func withOne(e ir.Expr, by map[*ir.Call]*ir.Call) ir.Expr {
	switch e := e.(type) {
	case *ir.Call:
		if c := by[e]; c != nil {
			return c
		}
	case *ir.Binary:
		return &ir.Binary{Op: e.Op, X: withOne(e.X, by), Y: withOne(e.Y, by), DType: e.DType}
	case *ir.Unary:
		return &ir.Unary{Op: e.Op, X: withOne(e.X, by), DType: e.DType}
	}
	return e
}

// operandCalls visits the calls among the operands of a scalar expression.
func operandCalls(e ir.Expr, visit func(c *ir.Call)) {
	switch e := e.(type) {
	case *ir.Call:
		visit(e)
	case *ir.Binary:
		operandCalls(e.X, visit)
		operandCalls(e.Y, visit)
	case *ir.Unary:
		operandCalls(e.X, visit)
	}
}

// sameText is structural equality of expressions, of tuples and casts too.
func sameText(a, b ir.Expr) bool {
	if a == b || ir.ExprEqual(a, b) {
		return true
	}
	switch a := a.(type) {
	case *ir.ConstBool:
		b, ok := b.(*ir.ConstBool)
		return ok && a.Value == b.Value
	case *ir.Unary:
		b, ok := b.(*ir.Unary)
		return ok && a.Op == b.Op && a.DType == b.DType && sameText(a.X, b.X)
	case *ir.Binary:
		b, ok := b.(*ir.Binary)
		return ok && a.Op == b.Op && sameText(a.X, b.X) && sameText(a.Y, b.Y)
	case *ir.TupleGet:
		b, ok := b.(*ir.TupleGet)
		return ok && a.Index == b.Index && sameText(a.Tuple, b.Tuple)
	case *ir.MakeTuple:
		b, ok := b.(*ir.MakeTuple)
		return ok && slices.EqualFunc(a.Elems, b.Elems, sameText)
	case *ir.Call:
		b, ok := b.(*ir.Call)
		return ok && a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, sameText)
	}
	return false
}
