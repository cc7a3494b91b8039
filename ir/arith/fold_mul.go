package arith

import "pypto-ls/ir"

func (f *folder) mul(x, y ir.Expr, d ir.DType) ir.Expr {
	a, constX := ir.ConstValue(x)
	b, constY := ir.ConstValue(y)
	switch {
	case constX && constY:
		if p, ok := mulInt(a, b); ok {
			return f.constant(p, d)
		}
		return f.node(ir.Mul, x, y, d)
	case constX:
		x, b, constY = y, a, true
	}
	if constY {
		return f.mulConst(x, b, d)
	}
	if m := is(x, ir.Mul); m != nil { // (a*c)*y
		if c, ok := ir.ConstValue(m.Y); ok {
			return f.mulConst(f.build(ir.Mul, m.X, y, d), c, d)
		}
	}
	if m := is(y, ir.Mul); m != nil { // x*(a*c)
		if c, ok := ir.ConstValue(m.Y); ok {
			return f.mulConst(f.build(ir.Mul, x, m.X, d), c, d)
		}
	}
	return f.node(ir.Mul, x, y, d)
}

func (f *folder) mulConst(x ir.Expr, c int64, d ir.DType) ir.Expr {
	switch c {
	case 0:
		return f.constant(0, d)
	case 1:
		return x
	}
	if v, ok := ir.ConstValue(x); ok {
		if p, ok := mulInt(v, c); ok {
			return f.constant(p, d)
		}
		return f.node(ir.Mul, x, f.constant(c, d), d)
	}
	if s := is(x, ir.Add); s != nil { // (a + k)*c; (a - k)*c stays
		if k, ok := ir.ConstValue(s.Y); ok {
			if p, ok := mulInt(k, c); ok {
				return f.addConst(f.mulConst(s.X, c, d), p, d)
			}
		}
	}
	if m := is(x, ir.Mul); m != nil { // (a*k)*c
		if k, ok := ir.ConstValue(m.Y); ok {
			if p, ok := mulInt(k, c); ok {
				return f.mulConst(m.X, p, d)
			}
		}
	}
	return f.node(ir.Mul, x, f.constant(c, d), d)
}

// multiple takes e apart as q*c for a constant c > 0; q is nil when e is no
// visible multiple.
func (f *folder) multiple(e ir.Expr, c int64, d ir.DType) (q ir.Expr) {
	if v, ok := ir.ConstValue(e); ok {
		if v%c == 0 {
			return f.constant(v/c, d)
		}
		return nil
	}
	if m := is(e, ir.Mul); m != nil {
		if k, ok := ir.ConstValue(m.Y); ok && k%c == 0 {
			return f.mulConst(m.X, k/c, d)
		}
	}
	return nil
}

func (f *folder) div(x, y ir.Expr, d ir.DType) ir.Expr {
	c, constY := ir.ConstValue(y)
	if !constY || c == 0 {
		return f.node(ir.FloorDiv, x, y, d)
	}
	if v, ok := ir.ConstValue(x); ok && !(v == negInf && c == -1) {
		return f.constant(floorDiv(v, c), d)
	}
	if c == 1 {
		return x
	}
	if c < 0 {
		return f.node(ir.FloorDiv, x, y, d)
	}
	if r := f.bounds(x); r.Lo != negInf && r.Hi != posInf && floorDiv(r.Lo, c) == floorDiv(r.Hi, c) {
		return f.constant(floorDiv(r.Lo, c), d)
	}
	if q := f.multiple(x, c, d); q != nil {
		return q
	}
	if b, ok := x.(*ir.Binary); ok && b.DType.IsInt() {
		if e := f.divBinary(b, c, d); e != nil {
			return e
		}
	}
	return f.node(ir.FloorDiv, x, y, d)
}

// divBinary folds b // c for c > 1; nil when nothing is to be folded.
func (f *folder) divBinary(b *ir.Binary, c int64, d ir.DType) ir.Expr {
	k, constY := ir.ConstValue(b.Y)
	switch b.Op {
	case ir.FloorDiv: // (a // k) // c
		if constY && k > 0 {
			if p, ok := mulInt(k, c); ok {
				return f.build(ir.FloorDiv, b.X, f.constant(p, d), d)
			}
		}
	case ir.Mul: // (a*k) // c
		if constY && k > 0 && c%k == 0 {
			return f.build(ir.FloorDiv, b.X, f.constant(c/k, d), d)
		}
	case ir.Add, ir.Sub:
		if q := f.multiple(b.Y, c, d); q != nil { // (a ± q*c) // c
			return f.build(b.Op, f.div(b.X, f.constant(c, d), d), q, d)
		}
		if b.Op == ir.Sub {
			break
		}
		if q := f.multiple(b.X, c, d); q != nil { // (q*c + a) // c
			return f.build(ir.Add, q, f.div(b.Y, f.constant(c, d), d), d)
		}
		// (a*k + r) // c with 0 ≤ r < k and k | c
		if m := is(b.X, ir.Mul); m != nil {
			if k, ok := ir.ConstValue(m.Y); ok && k > 0 && c%k == 0 {
				if r := f.bounds(b.Y); r.Lo >= 0 && r.Hi < k {
					return f.build(ir.FloorDiv, m.X, f.constant(c/k, d), d)
				}
			}
		}
	}
	return nil
}

func (f *folder) mod(x, y ir.Expr, d ir.DType) ir.Expr {
	c, constY := ir.ConstValue(y)
	if !constY || c == 0 {
		return f.node(ir.FloorMod, x, y, d)
	}
	if v, ok := ir.ConstValue(x); ok && !(v == negInf && c == -1) {
		return f.constant(floorMod(v, c), d)
	}
	if c == 1 {
		return f.constant(0, d)
	}
	if c < 0 {
		return f.node(ir.FloorMod, x, y, d)
	}
	if r := f.bounds(x); r.Lo >= 0 && r.Hi < c {
		return x
	}
	if f.multiple(x, c, d) != nil {
		return f.constant(0, d)
	}
	if b, ok := x.(*ir.Binary); ok && b.DType.IsInt() {
		switch b.Op {
		case ir.Add, ir.Sub: // multiples of c do not matter
			if f.multiple(b.Y, c, d) != nil {
				return f.build(ir.FloorMod, b.X, y, d)
			}
			if b.Op == ir.Add && f.multiple(b.X, c, d) != nil {
				return f.build(ir.FloorMod, b.Y, y, d)
			}
			if k, ok := ir.ConstValue(b.Y); ok && b.Op == ir.Add && floorMod(k, c) != k {
				return f.build(ir.FloorMod, f.addConst(b.X, floorMod(k, c), d), y, d)
			}
		case ir.FloorMod: // (a % k) % c with c | k
			if k, ok := ir.ConstValue(b.Y); ok && k > 0 && k%c == 0 {
				return f.build(ir.FloorMod, b.X, y, d)
			}
		}
	}
	return f.node(ir.FloorMod, x, y, d)
}

func (f *folder) minMax(op ir.BinOp, x, y ir.Expr, d ir.DType) ir.Expr {
	a, constX := ir.ConstValue(x)
	b, constY := ir.ConstValue(y)
	switch {
	case constX && constY:
		if (a <= b) == (op == ir.Min) {
			return x
		}
		return y
	case constX:
		x, y, b, constY = y, x, a, true
	}
	small, large := x, y // if x ≤ y
	if op == ir.Max {
		small, large = y, x
	}
	if comparable(x, y) {
		if f.atLeast(y, x, 0) {
			return small
		}
		if f.atLeast(x, y, 0) {
			return large
		}
	} else if same(x, y) {
		return x
	}
	if m := is(x, op); m != nil && constY { // min(min(a, k), c)
		if k, ok := ir.ConstValue(m.Y); ok {
			if (k <= b) == (op == ir.Min) {
				return x
			}
			return f.node(op, m.X, y, d)
		}
	}
	return f.node(op, x, y, d)
}
