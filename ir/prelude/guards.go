package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// facts are what is known where a guard stands.
type facts struct {
	// ranges are the values that indices of loops with constant bounds take.
	ranges *varTable[arith.Interval]
	// defs are the values of scalars that are computed without calls.
	defs *varTable[ir.Expr]
	// path are conditions that hold: those of the branches around the place, and
	// the bounds of loops around it.
	path []ir.Expr
	// engine folds under the ranges.
	engine *arith.Engine
	doubts *doubts
	unsure bool     // folding met what is in doubt
	ask    question // memory for one question after the other
}

func newFacts() *facts {
	r := &facts{ranges: newVarTable[arith.Interval](0), defs: newVarTable[ir.Expr](0)}
	r.engine = &arith.Engine{Range: r.ranges.lookup}
	r.doubts = newDoubts(r.ranges)
	r.ask = question{facts: r, known: newVarSet(0)}
	return r
}

// under runs f where cond holds as well.
func (r *facts) under(cond ir.Expr, f func()) {
	old := r.path
	r.path = append(old, cond)
	f()
	r.path = old
}

// insideLoop runs f where the index is within the bounds of its loop.
func (r *facts) insideLoop(index *ir.Var, start, stop, step ir.Expr, f func()) {
	by, ok := ir.ConstValue(step)
	if !ok || by == 0 || hasCall(start) || hasCall(stop) {
		f()
		return
	}
	from, to := ir.Ge, ir.Lt
	if by < 0 {
		from, to = ir.Le, ir.Gt
	}
	r.under(bin(from, index, start), func() { r.under(bin(to, index, stop), f) })
}

// define records the value of a scalar. The prover knows its bounds (recorded);
// whether it knows that it is one number is in doubt.
func (r *facts) define(v *ir.Var, value ir.Expr) {
	if !isScalarType(v.Type) {
		return
	}
	if !hasCall(value) {
		r.defs.set(v, value)
	}
	own, of := r.engine.Bounds(v), r.engine.Bounds(value)
	if of.Lo <= own.Lo && of.Hi >= own.Hi {
		return
	}
	both := arith.Interval{Lo: max(of.Lo, own.Lo), Hi: min(of.Hi, own.Hi)}
	switch {
	case both.Lo < both.Hi:
		r.ranges.set(v, both)
	case both.Lo == both.Hi:
		r.doubts.ranges.set(v, both)
	}
}

// loopRange is the interval that the reference's prover takes a loop's index to
// be in: from the start to the last number before the stop, whatever the step.
// ok is false when it knows nothing beyond the index's type.
func loopRange(start, stop, step ir.Expr) (arith.Interval, bool) {
	a, ok1 := ir.ConstValue(start)
	b, ok2 := ir.ConstValue(stop)
	by, ok3 := ir.ConstValue(step)
	if !ok1 || !ok2 || !ok3 || by <= 0 || a >= b {
		return arith.Interval{}, false
	}
	return arith.Interval{Lo: a, Hi: b - 1}, true
}

// surelyOpen reports whether a condition takes both values over what its
// variables can be at this place: then no prover can decide it and it stays in
// any case. false means that somebody cleverer might.
func (r *facts) surelyOpen(cond ir.Expr) bool {
	q := &r.ask
	q.begin(cond)
	if len(q.free) == 0 || len(q.free) > maxFree {
		return false
	}
	q.gatherPath()
	for _, c := range q.given {
		if settles(c, cond) {
			return false
		}
	}
	return q.takesBoth()
}

// Sets of outcomes of a comparison.
const less, equal, greater = 1, 2, 4

var outcomes = map[ir.BinOp]uint8{ir.Lt: less, ir.Le: less | equal, ir.Eq: equal, ir.Ne: less | greater, ir.Ge: equal | greater, ir.Gt: greater}

// settles reports whether a comparison has only one value where another one of
// the same operands holds.
func settles(given, cond ir.Expr) bool {
	a, ok1 := given.(*ir.Binary)
	b, ok2 := cond.(*ir.Binary)
	if !ok1 || !ok2 || outcomes[a.Op] == 0 || outcomes[b.Op] == 0 {
		return false
	}
	can, want := outcomes[a.Op], outcomes[b.Op]
	switch {
	case sameOperand(a.X, b.X) && sameOperand(a.Y, b.Y):
	case sameOperand(a.X, b.Y) && sameOperand(a.Y, b.X):
		can = can&equal | can&less<<2 | can&greater>>2
	default:
		return false
	}
	return can&want == 0 || can&^want == 0
}

// sameOperand reports whether two operands are one variable or one number.
func sameOperand(a, b ir.Expr) bool {
	switch a := a.(type) {
	case *ir.Var:
		return a == b
	case *ir.ConstInt:
		b, ok := b.(*ir.ConstInt)
		return ok && a.Value == b.Value
	}
	return false
}

// Bounds of what a condition is tried over: variables of its own, and
// constants.
const maxFree, maxNumbers = 6, 8

// exprConstants visits the integer literals of a scalar expression.
func exprConstants(e ir.Expr, visit func(n int64)) {
	switch e := e.(type) {
	case *ir.ConstInt:
		visit(e.Value)
	case *ir.Unary:
		exprConstants(e.X, visit)
	case *ir.Binary:
		exprConstants(e.X, visit)
		exprConstants(e.Y, visit)
	}
}

// question is one condition that is tried out. free are the variables that it,
// and what it is computed from, reads; derived are the computed ones, operands
// first; given are the conditions of the path that say something about them,
// numbers the constants that occur.
type question struct {
	*facts
	cond          ir.Expr
	given         []ir.Expr
	numbers       []int64
	free, derived []*ir.Var
	known         varSet
	env           valuation // of free, then of derived
	taken         []bool    // of the path
	samples       [][]int64 // of free
	sampled       []int64   // the samples of all, one after the other
}

// begin starts with another condition.
func (q *question) begin(cond ir.Expr) {
	q.cond = cond
	q.given, q.numbers, q.free, q.derived = q.given[:0], q.numbers[:0], q.free[:0], q.derived[:0]
	q.known.reset()
	q.gather(cond)
}

// valuation is what variables are worth at the moment. There are few of them.
type valuation []valued

type valued struct {
	v  *ir.Var
	x  int64
	ok bool
}

func (env valuation) of(v *ir.Var) (int64, bool) {
	for i := range env {
		if env[i].v == v {
			return env[i].x, env[i].ok
		}
	}
	return 0, false
}

// gatherPath enters the conditions of the path that share variables with the
// question, and theirs.
func (q *question) gatherPath() {
	taken := append(q.taken[:0], make([]bool, len(q.path))...)
	q.taken = taken
	for again := true; again; {
		again = false
		for i, c := range q.path {
			if !taken[i] && q.mentions(c) {
				taken[i], again = true, true
				q.gather(c)
				q.given = append(q.given, c)
			}
		}
	}
}

func (q *question) mentions(e ir.Expr) bool {
	found := false
	exprVars(e, func(v *ir.Var) { found = found || q.known.has(v) })
	return found
}

// gather enters the variables of e.
func (q *question) gather(e ir.Expr) {
	exprConstants(e, func(n int64) {
		if len(q.numbers) < maxNumbers {
			q.numbers = append(q.numbers, n)
		}
	})
	exprVars(e, func(v *ir.Var) {
		if q.known.has(v) {
			return
		}
		q.known.add(v)
		if d := q.defs.get(v); d != nil {
			q.gather(d)
			q.derived = append(q.derived, v)
			return
		}
		q.free = append(q.free, v)
	})
}

// takesBoth tries values until the condition was true and false.
func (q *question) takesBoth() bool {
	const tries, first = 1000, 64
	q.env, q.samples, q.sampled = q.env[:0], q.samples[:0], q.sampled[:0]
	all := 1
	for _, v := range q.free {
		start := len(q.sampled)
		q.sampled = q.sample(q.sampled, v, q.numbers)
		q.env, q.samples = append(q.env, valued{v: v}), append(q.samples, q.sampled[start:])
		all = min(all*(len(q.sampled)-start), tries+1)
	}
	for _, v := range q.derived {
		q.env = append(q.env, valued{v: v})
	}
	sawTrue, sawFalse := false, false
	// Where all of many values can be tried, some from all over mostly decide
	// sooner.
	begin := 0
	if first < all && all <= tries {
		begin = -first
	}
	for n := begin; n < min(all, tries); n++ {
		k := n
		for i := range q.free {
			at := k
			switch {
			case n < 0 && i == 0: // of the condition itself
				at = n - begin
			case n < 0 || all > tries:
				at = scatter(n-begin, i)
			}
			q.env[i].x, q.env[i].ok = q.samples[i][at%len(q.samples[i])], true
			k /= len(q.samples[i])
		}
		x, ok := q.value()
		switch {
		case !ok:
		case x != 0:
			sawTrue = true
		default:
			sawFalse = true
		}
		if sawTrue && sawFalse {
			return true
		}
	}
	return false
}

// value is the condition's under the values at hand; ok is false when they
// cannot occur here, or when it cannot be computed.
func (q *question) value() (x int64, ok bool) {
	for i := range q.env[len(q.free):] {
		e := &q.env[len(q.free)+i]
		e.ok = false
		e.x, e.ok = evalInt(q.defs.get(e.v), q.env)
	}
	for _, c := range q.given {
		if x, ok := evalInt(c, q.env); ok && x == 0 {
			return 0, false
		}
	}
	return evalInt(q.cond, q.env)
}

// scatter is a fixed, evenly spread number for try n of variable i.
func scatter(n, i int) int {
	x := uint64(n+1)*0x9E3779B97F4A7C15 + uint64(i+1)*0xBF58476D1CE4E5B9
	x = (x ^ x>>30) * 0x94D049BB133111EB
	return int((x ^ x>>31) >> 33)
}

// sample appends values that v can take, as far as its own type and range tell;
// those around the given numbers are among them.
func (r *facts) sample(out []int64, v *ir.Var, numbers []int64) []int64 {
	around := func(fits func(x int64) bool) {
		for _, n := range numbers {
			for _, x := range [3]int64{n - 1, n, n + 1} {
				if fits(x) {
					out = append(out, x)
				}
			}
		}
	}
	if i, ok := r.ranges.lookup(v); ok {
		if i.Hi-i.Lo < 64 {
			for x := i.Lo; x <= i.Hi; x++ {
				out = append(out, x)
			}
			return out
		}
		out = append(out, i.Lo, i.Lo+1, i.Lo+2, (i.Lo+i.Hi)/2, i.Hi-1, i.Hi)
		around(func(x int64) bool { return i.Lo <= x && x <= i.Hi })
		return out
	}
	s, ok := v.Type.(*ir.ScalarType)
	if ok && s.DType == ir.BOOL {
		return append(out, 0, 1)
	}
	out = append(out, 0, 1, 2, 3, 4, 5, 7, 8, 16, 33, 64, 100, 255, 1024, 65536)
	signed := ok && s.DType.IsSigned() && s.DType != ir.INDEX
	if signed {
		out = append(out, -1, -2, -64)
	}
	around(func(x int64) bool { return x >= 0 || signed })
	return out
}

// evalInt evaluates a scalar integer or boolean expression.
func evalInt(e ir.Expr, env valuation) (int64, bool) {
	switch e := e.(type) {
	case *ir.ConstInt:
		return e.Value, true
	case *ir.ConstBool:
		return truth(e.Value), true
	case *ir.Var:
		return env.of(e)
	case *ir.Unary:
		x, ok := evalInt(e.X, env)
		switch {
		case !ok:
		case e.Op == ir.Neg:
			return -x, true
		case e.Op == ir.Not:
			return truth(x == 0), true
		case e.Op == ir.Cast:
			return x, e.DType.IsInt()
		}
	case *ir.Binary:
		x, ok1 := evalInt(e.X, env)
		y, ok2 := evalInt(e.Y, env)
		if ok1 && ok2 {
			return evalBinary(e.Op, x, y)
		}
	}
	return 0, false
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func evalBinary(op ir.BinOp, x, y int64) (int64, bool) {
	switch op {
	case ir.Add:
		return x + y, true
	case ir.Sub:
		return x - y, true
	case ir.Mul:
		return x * y, true
	case ir.FloorDiv, ir.FloorMod:
		if y == 0 {
			return 0, false
		}
		q := x / y
		if x%y != 0 && (x < 0) != (y < 0) {
			q--
		}
		if op == ir.FloorDiv {
			return q, true
		}
		return x - q*y, true
	case ir.Min:
		return min(x, y), true
	case ir.Max:
		return max(x, y), true
	case ir.Eq:
		return truth(x == y), true
	case ir.Ne:
		return truth(x != y), true
	case ir.Lt:
		return truth(x < y), true
	case ir.Le:
		return truth(x <= y), true
	case ir.Gt:
		return truth(x > y), true
	case ir.Ge:
		return truth(x >= y), true
	case ir.And:
		return truth(x != 0 && y != 0), true
	case ir.Or:
		return truth(x != 0 || y != 0), true
	}
	return 0, false
}
