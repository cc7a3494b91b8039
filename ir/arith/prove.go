package arith

import "pypto-ls/ir"

// Truth is the answer of a proof.
type Truth int8

// The answers.
const (
	Unknown Truth = iota
	False
	True
)

func (t Truth) String() string { return [...]string{"Unknown", "False", "True"}[t] }

var def Engine

// DimensionsEqual reports whether two extents are the same node, constants of
// equal value, or differ by a provable 0 (spec 02 §3.5).
func DimensionsEqual(a, b ir.Expr) bool { return def.DimensionsEqual(a, b) }

// ProveEqual decides a = b (spec 02 §3.5): Unknown at once unless both are
// integer scalars of the same signedness.
func ProveEqual(a, b ir.Expr) Truth { return def.ProveEqual(a, b) }

// ProveLessEqual decides a ≤ b under the same conditions.
func ProveLessEqual(a, b ir.Expr) Truth { return def.ProveLessEqual(a, b) }

// ProvablyZero reports whether e is a constant 0 of any dtype or provably
// equal to the 0 of its own dtype.
func ProvablyZero(e ir.Expr) bool { return def.ProvablyZero(e) }

// ProveEqualByValue compares two constants by value, ignoring signedness, and
// proves equality of anything else.
func ProveEqualByValue(a, b ir.Expr) Truth { return def.ProveEqualByValue(a, b) }

// DimensionsEqual is the method form of the function of that name.
func (g *Engine) DimensionsEqual(a, b ir.Expr) bool {
	if a == b {
		return true
	}
	x, okX := ir.ConstValue(a)
	y, okY := ir.ConstValue(b)
	if okX && okY {
		return x == y
	}
	return IsInteger(a) && IsInteger(b) && g.equal(a, b) == True
}

// ProveEqual is the method form of the function of that name.
func (g *Engine) ProveEqual(a, b ir.Expr) Truth {
	if !comparable(a, b) {
		return Unknown
	}
	return g.equal(a, b)
}

func (g *Engine) equal(a, b ir.Expr) Truth {
	if ir.ExprEqual(a, b) {
		return True
	}
	if !small(a) || !small(b) {
		return Unknown
	}
	if x, y := g.bounds(a), g.bounds(b); x.Hi != posInf && y.Lo != negInf && x.Hi < y.Lo || y.Hi != posInf && x.Lo != negInf && y.Hi < x.Lo {
		return False
	}
	p := prover{g, proofFuel}
	return p.equal(g.fold(a), g.fold(b))
}

// ProveLessEqual is the method form of the function of that name.
func (g *Engine) ProveLessEqual(a, b ir.Expr) Truth {
	if !comparable(a, b) {
		return Unknown
	}
	if ir.ExprEqual(a, b) {
		return True
	}
	if !small(a) || !small(b) {
		return Unknown
	}
	// Most questions are about constants and plain variables.
	x, y := g.bounds(a), g.bounds(b)
	switch {
	case x.Hi != posInf && y.Lo != negInf && x.Hi <= y.Lo:
		return True
	case x.Lo != negInf && y.Hi != posInf && x.Lo > y.Hi:
		return False
	}
	p := prover{g, proofFuel}
	return p.lessEqual(g.fold(a), g.fold(b))
}

// ProvablyZero is the method form of the function of that name.
func (g *Engine) ProvablyZero(e ir.Expr) bool {
	if v, ok := ir.ConstValue(e); ok {
		return v == 0
	}
	return g.ProveEqual(e, Zero(DTypeOf(e))) == True
}

// ProveEqualByValue is the method form of the function of that name.
func (g *Engine) ProveEqualByValue(a, b ir.Expr) Truth {
	x, okX := ir.ConstValue(a)
	y, okY := ir.ConstValue(b)
	if okX && okY {
		if x == y {
			return True
		}
		return False
	}
	return g.ProveEqual(a, b)
}

// comparable: integer scalars of one signedness; INDEX counts as signed.
func comparable(a, b ir.Expr) bool {
	x, y := DTypeOf(a), DTypeOf(b)
	return x.IsInt() && y.IsInt() && x.IsSigned() == y.IsSigned()
}

// prover decides statements about folded expressions.
type prover struct {
	*Engine
	fuel int // steps left; without any, nothing more is proved
}

// proofFuel bounds the steps of one proof, or of all proofs of one Fold.
const proofFuel = 50_000

// difference is the linear form of a - b.
func (p *prover) difference(a, b ir.Expr) (l linear, ok bool) {
	ok = p.add(&l, a, 1) && p.add(&l, b, -1)
	return l, ok
}

func (p *prover) equal(a, b ir.Expr) Truth {
	if same(a, b) {
		return True
	}
	d, ok := p.difference(a, b)
	if !ok {
		return Unknown
	}
	if r := d.bounds(p.Engine); r.IsConst() {
		if r.Lo == 0 {
			return True
		}
		return False
	}
	if p.atLeast(a, b, 0) && p.atLeast(b, a, 0) {
		return True
	}
	if p.atLeast(a, b, 1) || p.atLeast(b, a, 1) {
		return False
	}
	return Unknown
}

func (p *prover) lessEqual(a, b ir.Expr) Truth {
	if p.atLeast(b, a, 0) {
		return True
	}
	if p.atLeast(a, b, 1) {
		return False
	}
	return Unknown
}

// atLeast proves a - b ≥ k.
func (p *prover) atLeast(a, b ir.Expr, k int64) bool {
	d, ok := p.difference(a, b)
	if !ok {
		return false
	}
	if d.c, ok = subInt(d.c, k); !ok {
		return false
	}
	return p.nonNegative(d, maxSplits)
}

// maxSplits bounds how many min and max terms are taken apart within one
// another, splitCost is what looking at a sum costs.
const (
	maxSplits = 3
	splitCost = 50
)

// nonNegative proves d ≥ 0, by bounds or by taking a min or max term apart: a
// sum with +min(p, q) is at least 0 if it is with p and with q, one with
// -min(p, q) if it is with p or with q; max the other way round.
func (p *prover) nonNegative(d linear, splits int) bool {
	p.fuel -= splitCost
	if p.fuel < 0 {
		return false
	}
	if d.bounds(p.Engine).Lo >= 0 {
		return true
	}
	if splits == 0 {
		return false
	}
	for i, t := range d.terms {
		m, ok := t.atom.(*ir.Binary)
		if !ok || (m.Op != ir.Min && m.Op != ir.Max) || !m.DType.IsInt() {
			continue
		}
		holds := func(e ir.Expr) bool {
			r, ok := p.replaced(d, i, e)
			return ok && p.nonNegative(r, splits-1)
		}
		if both := (m.Op == ir.Min) == (t.coef > 0); both {
			if holds(m.X) && holds(m.Y) {
				return true
			}
		} else if holds(m.X) || holds(m.Y) {
			return true
		}
	}
	return false
}
