package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// ranges are the values loop indices can take, for deciding guards.
type ranges map[*ir.Var]arith.Interval

func (r ranges) engine() *arith.Engine {
	return &arith.Engine{Range: func(v *ir.Var) (arith.Interval, bool) {
		i, ok := r[v]
		return i, ok
	}}
}

// loopRange is the interval of a loop's index; ok is false when nothing is
// known beyond the index's type.
func loopRange(start, stop, step ir.Expr) (arith.Interval, bool) {
	n, ok := trips(start, stop, step)
	if ok && n > 0 {
		a, _ := ir.ConstValue(start)
		s, _ := ir.ConstValue(step)
		b := a + (n-1)*s
		return arith.Interval{Lo: min(a, b), Hi: max(a, b)}, true
	}
	return arith.Interval{}, false
}

// surelyOpen reports whether a condition takes both values over the known
// ranges of its variables: then no prover can decide it and it stays in any
// case. false means that somebody cleverer might.
func (r ranges) surelyOpen(cond ir.Expr) bool {
	var vars []*ir.Var
	seen := map[*ir.Var]bool{}
	exprVars(cond, func(v *ir.Var) {
		if !seen[v] {
			seen[v] = true
			vars = append(vars, v)
		}
	})
	if len(vars) == 0 || len(vars) > 6 {
		return false
	}
	values := make([][]int64, len(vars))
	for i, v := range vars {
		values[i] = r.samples(v)
	}
	env := map[*ir.Var]int64{}
	sawTrue, sawFalse := false, false
	const tries = 400
	all := 1
	for _, v := range values {
		all = min(all*len(v), tries+1)
	}
	for n := range tries {
		k := n
		for i, v := range vars {
			at := k
			if all > tries {
				at = scatter(n, i)
			}
			env[v] = values[i][at%len(values[i])]
			k /= len(values[i])
		}
		x, ok := evalInt(cond, env)
		if !ok {
			continue
		}
		if x != 0 {
			sawTrue = true
		} else {
			sawFalse = true
		}
		if sawTrue && sawFalse {
			return true
		}
	}
	return false
}

// scatter is a fixed, evenly spread number for try n of variable i.
func scatter(n, i int) int {
	x := uint64(n+1)*0x9E3779B97F4A7C15 + uint64(i+1)*0xBF58476D1CE4E5B9
	x = (x ^ x>>30) * 0x94D049BB133111EB
	return int((x ^ x>>31) >> 33)
}

func (r ranges) samples(v *ir.Var) []int64 {
	if i, ok := r[v]; ok {
		if i.Hi-i.Lo < 64 {
			var out []int64
			for x := i.Lo; x <= i.Hi; x++ {
				out = append(out, x)
			}
			return out
		}
		return []int64{i.Lo, i.Lo + 1, i.Lo + 2, (i.Lo + i.Hi) / 2, i.Hi - 1, i.Hi}
	}
	out := []int64{0, 1, 2, 3, 4, 5, 7, 8, 16, 33, 64, 100, 255, 1024, 65536}
	if s, ok := v.Type.(*ir.ScalarType); ok && s.DType.IsSigned() && s.DType != ir.INDEX {
		out = append(out, -1, -2, -64)
	}
	return out
}

// evalInt evaluates a scalar integer or boolean expression.
func evalInt(e ir.Expr, env map[*ir.Var]int64) (int64, bool) {
	switch e := e.(type) {
	case *ir.ConstInt:
		return e.Value, true
	case *ir.ConstBool:
		return truth(e.Value), true
	case *ir.Var:
		v, ok := env[e]
		return v, ok
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
