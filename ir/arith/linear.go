package arith

import "pypto-ls/ir"

// linear is Σ coef·atom + c over the integers. Atoms are expressions that are
// not sums themselves; no two are the same and no coefficient is 0.
type linear struct {
	terms []term
	c     int64
}

type term struct {
	atom ir.Expr
	coef int64
}

// add adds k·e to l; false when a coefficient overflows or fuel runs out.
func (p *prover) add(l *linear, e ir.Expr, k int64) bool {
	switch e := e.(type) {
	case *ir.ConstInt:
		v, ok := mulInt(e.Value, k)
		if ok {
			l.c, ok = addInt(l.c, v)
		}
		return ok
	case *ir.Unary:
		if e.Op == ir.Neg && e.DType.IsInt() {
			if k == negInf {
				return false
			}
			return p.add(l, e.X, -k)
		}
	case *ir.Binary:
		if !e.DType.IsInt() {
			break
		}
		switch e.Op {
		case ir.Add:
			return p.add(l, e.X, k) && p.add(l, e.Y, k)
		case ir.Sub:
			return k != negInf && p.add(l, e.X, k) && p.add(l, e.Y, -k)
		case ir.Mul:
			if v, isConst := ir.ConstValue(e.Y); isConst {
				n, ok := mulInt(k, v)
				return ok && p.add(l, e.X, n)
			}
			if v, isConst := ir.ConstValue(e.X); isConst {
				n, ok := mulInt(k, v)
				return ok && p.add(l, e.Y, n)
			}
		}
	}
	return p.addAtom(l, e, k)
}

func (p *prover) addAtom(l *linear, e ir.Expr, k int64) bool {
	if k == 0 {
		return true
	}
	p.fuel -= len(l.terms) + 1
	if p.fuel < 0 {
		return false
	}
	for i := range l.terms {
		if !same(l.terms[i].atom, e) {
			continue
		}
		sum, ok := addInt(l.terms[i].coef, k)
		if !ok {
			return false
		}
		l.terms[i].coef = sum
		if sum == 0 {
			l.terms = append(l.terms[:i], l.terms[i+1:]...)
		}
		return true
	}
	l.terms = append(l.terms, term{e, k})
	return true
}

// bounds are constant bounds of the sum.
func (l *linear) bounds(g *Engine) Interval {
	r := Const(l.c)
	for _, t := range l.terms {
		r = plus(r, times(g.bounds(t.atom), Const(t.coef)))
	}
	return r
}

// replaced is l with the atom at place i replaced by e.
func (p *prover) replaced(l linear, i int, e ir.Expr) (linear, bool) {
	n := linear{c: l.c, terms: make([]term, 0, len(l.terms)+1)}
	n.terms = append(append(n.terms, l.terms[:i]...), l.terms[i+1:]...)
	ok := p.add(&n, e, l.terms[i].coef)
	return n, ok
}
