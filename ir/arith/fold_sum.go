package arith

import "pypto-ls/ir"

func (f *folder) add(x, y ir.Expr, d ir.DType) ir.Expr {
	a, constX := ir.ConstValue(x)
	b, constY := ir.ConstValue(y)
	switch {
	case constX && constY:
		if s, ok := addInt(a, b); ok {
			return f.constant(s, d)
		}
		return f.node(ir.Add, x, y, d)
	case constX:
		x, b, constY = y, a, true
	}
	if constY {
		return f.addConst(x, b, d)
	}
	if s := is(x, ir.Sub); s != nil && same(s.Y, y) { // (a - y) + y
		return s.X
	}
	if s := is(y, ir.Sub); s != nil && same(s.Y, x) { // x + (a - x)
		return s.X
	}
	if e := f.factor(ir.Add, x, y, d); e != nil {
		return e
	}
	if rest, c, ok := offset(x); ok { // (a + c) + y
		return f.addConst(f.build(ir.Add, rest, y, d), c, d)
	}
	if rest, c, ok := offset(y); ok { // x + (a + c)
		return f.addConst(f.build(ir.Add, x, rest, d), c, d)
	}
	if s := is(y, ir.Sub); s != nil { // x + (c - a)
		if c, ok := ir.ConstValue(s.X); ok {
			return f.addConst(f.build(ir.Sub, x, s.Y, d), c, d)
		}
	}
	if s := is(x, ir.Sub); s != nil { // (c - a) + y
		if c, ok := ir.ConstValue(s.X); ok {
			return f.addConst(f.build(ir.Sub, y, s.Y, d), c, d)
		}
	}
	if e := quotientAndRest(x, y); e != nil {
		return e
	}
	return f.node(ir.Add, x, y, d)
}

// addConst is x + c for an x that is no constant, or is one after all.
func (f *folder) addConst(x ir.Expr, c int64, d ir.DType) ir.Expr {
	if v, ok := ir.ConstValue(x); ok {
		if s, ok := addInt(v, c); ok {
			return f.constant(s, d)
		}
		return f.node(ir.Add, x, f.constant(c, d), d)
	}
	if rest, k, ok := offset(x); ok && (k >= 0 || c < 0) { // (a + k) + c; (a - k) + c stays
		if s, ok := addInt(k, c); ok {
			return f.shifted(rest, s, d)
		}
	}
	if s := is(x, ir.Sub); s != nil { // (k - a) + c
		if k, ok := ir.ConstValue(s.X); ok {
			if sum, ok := addInt(k, c); ok {
				return f.node(ir.Sub, f.constant(sum, d), s.Y, d)
			}
		}
	}
	return f.shifted(x, c, d)
}

// quotientAndRest finds (a // c) * c + a % c, in either order, which is a.
func quotientAndRest(x, y ir.Expr) ir.Expr {
	m, r := is(x, ir.Mul), is(y, ir.FloorMod)
	if m == nil || r == nil {
		m, r = is(y, ir.Mul), is(x, ir.FloorMod)
	}
	if m == nil || r == nil {
		return nil
	}
	if q := is(m.X, ir.FloorDiv); q != nil && same(q.Y, m.Y) && same(q.X, r.X) && same(q.Y, r.Y) {
		return r.X
	}
	return nil
}

// factor takes a common factor out of a sum or difference of products:
// a*k ± b*k is (a ± b)*k, a*k ± a is a*(k ± 1), a + a is a*2. nil when there is
// none.
func (f *folder) factor(op ir.BinOp, x, y ir.Expr, d ir.DType) ir.Expr {
	m, n := is(x, ir.Mul), is(y, ir.Mul)
	switch {
	case m != nil && n != nil:
		for _, c := range [4][4]ir.Expr{{m.Y, m.X, n.Y, n.X}, {m.X, m.Y, n.X, n.Y}, {m.X, m.Y, n.Y, n.X}, {m.Y, m.X, n.X, n.Y}} {
			if same(c[0], c[2]) {
				return f.build(ir.Mul, f.build(op, c[1], c[3], d), c[0], d)
			}
		}
	case m != nil:
		if k, ok := ir.ConstValue(m.Y); ok && same(m.X, y) {
			return f.build(ir.Mul, m.X, f.build(op, f.constant(k, d), f.constant(1, d), d), d)
		}
	case n != nil:
		if k, ok := ir.ConstValue(n.Y); ok && same(n.X, x) {
			return f.build(ir.Mul, n.X, f.build(op, f.constant(1, d), f.constant(k, d), d), d)
		}
	case op == ir.Add && same(x, y):
		return f.build(ir.Mul, x, f.constant(2, d), d)
	}
	return nil
}

func (f *folder) sub(x, y ir.Expr, d ir.DType) ir.Expr {
	a, constX := ir.ConstValue(x)
	b, constY := ir.ConstValue(y)
	switch {
	case constX && constY:
		if s, ok := subInt(a, b); ok {
			return f.constant(s, d)
		}
		return f.node(ir.Sub, x, y, d)
	case same(x, y):
		return f.constant(0, d)
	}
	if e := f.subMinMax(x, y, d); e != nil { // also for a constant y: max(n, 16) - 16
		return e
	}
	if constY && b != negInf {
		return f.addConst(x, -b, d)
	}
	if e := cancel(x, y); e != nil {
		return e
	}
	if e := f.factor(ir.Sub, x, y, d); e != nil {
		return e
	}
	if rest, c, ok := offset(y); ok && c != negInf { // x - (a + c)
		return f.addConst(f.build(ir.Sub, x, rest, d), -c, d)
	}
	if rest, c, ok := offset(x); ok { // (a + c) - y
		return f.addConst(f.build(ir.Sub, rest, y, d), c, d)
	}
	if s := is(y, ir.Sub); s != nil { // x - (a - b)
		return f.build(ir.Sub, f.build(ir.Add, x, s.Y, d), s.X, d)
	}
	return f.node(ir.Sub, x, y, d)
}

// cancel finds differences with a common term that leave a single operand.
func cancel(x, y ir.Expr) ir.Expr {
	if s := is(x, ir.Add); s != nil { // (a + b) - b, (a + b) - a
		if same(s.Y, y) {
			return s.X
		}
		if same(s.X, y) {
			return s.Y
		}
	}
	if s := is(y, ir.Sub); s != nil && same(s.X, x) { // x - (x - b)
		return s.Y
	}
	return nil
}

// subMinMax folds a min or max against its own operand: max(a, b) - b is
// max(a - b, 0), x - max(x, b) is min(x - b, 0), and so on.
func (f *folder) subMinMax(x, y ir.Expr, d ir.DType) ir.Expr {
	for _, op := range [2]ir.BinOp{ir.Max, ir.Min} {
		if m := is(x, op); m != nil {
			if same(m.Y, y) {
				return f.build(op, f.build(ir.Sub, m.X, y, d), f.constant(0, d), d)
			}
			if same(m.X, y) {
				return f.build(op, f.build(ir.Sub, m.Y, y, d), f.constant(0, d), d)
			}
		}
		if m := is(y, op); m != nil {
			other := ir.Min
			if op == ir.Min {
				other = ir.Max
			}
			if same(m.X, x) {
				return f.build(other, f.build(ir.Sub, x, m.Y, d), f.constant(0, d), d)
			}
			if same(m.Y, x) {
				return f.build(other, f.build(ir.Sub, x, m.X, d), f.constant(0, d), d)
			}
		}
	}
	return nil
}
