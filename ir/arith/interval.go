package arith

import (
	"math"
	"math/big"

	"pypto-ls/ir"
)

// Interval is a set of integers between two constants. math.MinInt64 as Lo and
// math.MaxInt64 as Hi mean unbounded.
type Interval struct{ Lo, Hi int64 }

// The ends that mean "unbounded".
const (
	negInf = math.MinInt64
	posInf = math.MaxInt64
)

// Everything is the interval without bounds.
var Everything = Interval{negInf, posInf}

// Const is the interval of one number.
func Const(v int64) Interval { return Interval{v, v} }

// IsConst reports whether the interval holds exactly one number.
func (r Interval) IsConst() bool { return r.Lo == r.Hi && r.Lo != negInf && r.Hi != posInf }

// Bounds are constant bounds of an integer expression.
func (g *Engine) Bounds(e ir.Expr) Interval {
	if !small(e) {
		return Everything
	}
	return g.bounds(e)
}

func (g *Engine) bounds(e ir.Expr) Interval {
	switch e := e.(type) {
	case *ir.ConstInt:
		return Const(e.Value)
	case *ir.Var:
		if g.Range != nil {
			if r, ok := g.Range(e); ok {
				return r
			}
		}
		if scalar(e.Type) == ir.INDEX {
			return Interval{0, posInf}
		}
	case *ir.Unary:
		return g.unaryBounds(e)
	case *ir.Binary:
		if !e.DType.IsInt() {
			return Everything
		}
		return g.binaryBounds(e)
	}
	return Everything
}

func (g *Engine) unaryBounds(e *ir.Unary) Interval {
	switch e.Op {
	case ir.Neg:
		return negate(g.bounds(e.X))
	case ir.Abs:
		r := g.bounds(e.X)
		if r.Lo >= 0 {
			return r
		}
		return Interval{0, max(r.Hi, negate(r).Hi)}
	case ir.Cast:
		if !IsInteger(e.X) || !e.DType.IsInt() {
			return Everything
		}
		// A value that does not fit wraps around, so that nothing is known of it.
		r, full := g.bounds(e.X), rangeOf(e.DType)
		if r.Lo == negInf || r.Hi == posInf {
			from := rangeOf(DTypeOf(e.X))
			r = Interval{max(r.Lo, from.Lo), min(r.Hi, from.Hi)}
		}
		if r.Lo < full.Lo || r.Hi > full.Hi {
			return Everything
		}
		return r
	}
	return Everything
}

// rangeOf are the values of an integer type; 64-bit types count as unbounded.
func rangeOf(d ir.DType) Interval {
	bits := d.Bits()
	switch {
	case bits >= 64 && d.IsSigned():
		return Everything
	case bits >= 64:
		return Interval{0, posInf}
	case d.IsSigned():
		return Interval{-1 << (bits - 1), 1<<(bits-1) - 1}
	}
	return Interval{0, 1<<bits - 1}
}

func (g *Engine) binaryBounds(e *ir.Binary) Interval {
	x, y := g.bounds(e.X), g.bounds(e.Y)
	switch e.Op {
	case ir.Add:
		return plus(x, y)
	case ir.Sub:
		return plus(x, negate(y))
	case ir.Mul:
		return times(x, y)
	case ir.Min:
		return Interval{min(x.Lo, y.Lo), min(x.Hi, y.Hi)}
	case ir.Max:
		return Interval{max(x.Lo, y.Lo), max(x.Hi, y.Hi)}
	case ir.FloorDiv:
		if y.Lo <= 0 {
			return Everything
		}
		// The quotient is monotone in x and moves towards 0 (or -1) as y grows.
		return Interval{min(divEnd(x.Lo, y.Lo), divEnd(x.Lo, y.Hi)), max(divEnd(x.Hi, y.Lo), divEnd(x.Hi, y.Hi))}
	case ir.FloorMod:
		if y.Lo <= 0 {
			return Everything
		}
		if x.Lo >= 0 && x.Hi < y.Lo {
			return x
		}
		hi := y.Hi
		if hi != posInf {
			hi--
		}
		if x.Lo >= 0 {
			hi = min(hi, x.Hi)
		}
		return Interval{0, hi}
	}
	return Everything
}

func negate(r Interval) Interval {
	n := Everything
	if r.Hi != posInf && r.Hi != negInf {
		n.Lo = -r.Hi
	}
	if r.Lo != negInf {
		n.Hi = -r.Lo
	}
	return n
}

func plus(a, b Interval) Interval {
	r := Everything
	if a.Lo != negInf && b.Lo != negInf {
		if s, ok := addInt(a.Lo, b.Lo); ok {
			r.Lo = s
		}
	}
	if a.Hi != posInf && b.Hi != posInf {
		if s, ok := addInt(a.Hi, b.Hi); ok {
			r.Hi = s
		}
	}
	return r
}

// times multiplies with exact ends; an infinite end times zero is zero.
func times(a, b Interval) Interval {
	r := Interval{posInf, negInf}
	for _, p := range [4][2]int64{{a.Lo, b.Lo}, {a.Lo, b.Hi}, {a.Hi, b.Lo}, {a.Hi, b.Hi}} {
		v := endProduct(p[0], p[1])
		r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
	}
	return r
}

func endProduct(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if inf := a == negInf || a == posInf || b == negInf || b == posInf; !inf {
		if v, ok := mulInt(a, b); ok {
			return v
		}
	}
	if (a < 0) == (b < 0) {
		return posInf
	}
	return negInf
}

// divEnd divides an end of an interval by a positive end.
func divEnd(a, b int64) int64 {
	switch {
	case a == negInf || a == posInf:
		return a
	case b == posInf && a >= 0:
		return 0
	case b == posInf:
		return -1
	}
	return floorDiv(a, b)
}

func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (a >= 0) != (b >= 0) || (s >= 0) == (a >= 0)
}

func subInt(a, b int64) (int64, bool) {
	d := a - b
	return d, (a >= 0) == (b >= 0) || (d >= 0) == (a >= 0)
}

func mulInt(a, b int64) (int64, bool) {
	const half = 1 << 31
	if -half < a && a < half && -half < b && b < half {
		return a * b, true
	}
	p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	return p.Int64(), p.IsInt64()
}

// floorDiv rounds towards negative infinity; b is not 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// floorMod has the sign of b; b is not 0.
func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }
