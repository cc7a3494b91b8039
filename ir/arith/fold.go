package arith

import "pypto-ls/ir"

// Fold simplifies a scalar expression the way the reference does before it
// prints or compares extents (spec 02 §3.5): constants move to the right and
// are folded, sums and products of constants are collected, common factors are
// taken out, min and max vanish where their order is proved, and
// max(v, o) - o becomes max(v - o, 0). Parts that cannot be simplified are
// shared with e; an expression that does not change is returned as it is.
func Fold(e ir.Expr) ir.Expr { return def.Fold(e) }

// Min is the smaller of two extents: an operand when the order is proved (the
// first if ≤), else the folded min expression.
func Min(a, b ir.Expr) ir.Expr { return def.binary(ir.Min, def.Fold(a), def.Fold(b)) }

// Max is the larger of two extents, likewise.
func Max(a, b ir.Expr) ir.Expr { return def.binary(ir.Max, def.Fold(a), def.Fold(b)) }

// Add, Sub and Mul are folded sums, differences and products.
func Add(a, b ir.Expr) ir.Expr { return def.binary(ir.Add, def.Fold(a), def.Fold(b)) }

// Sub is the folded difference; see Add.
func Sub(a, b ir.Expr) ir.Expr { return def.binary(ir.Sub, def.Fold(a), def.Fold(b)) }

// Mul is the folded product; see Add.
func Mul(a, b ir.Expr) ir.Expr { return def.binary(ir.Mul, def.Fold(a), def.Fold(b)) }

// Fold is the method form of the function of that name.
func (g *Engine) Fold(e ir.Expr) ir.Expr {
	if !small(e) {
		return e
	}
	return g.fold(e)
}

func (g *Engine) binary(op ir.BinOp, x, y ir.Expr) ir.Expr {
	f := folder{prover: prover{g, proofFuel}, steps: foldFuel}
	return f.build(op, x, y, Promote(DTypeOf(x), DTypeOf(y)))
}

// foldFuel bounds the rewriting steps of one Fold; when it is used up, nodes
// are built as they are.
const foldFuel = 20_000

func (g *Engine) fold(e ir.Expr) ir.Expr {
	f := folder{prover: prover{g, proofFuel}, steps: foldFuel}
	return f.expr(e)
}

// folder rewrites one expression. The methods add, sub, mul, … take operands
// that are folded already and return the folded result of the operation with
// result dtype d.
type folder struct {
	prover
	steps int // rewriting steps left
	// at is the expression being folded: most stay what they are, so that its
	// parts are taken where they fit.
	at *ir.Binary
}

func (f *folder) expr(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Unary:
		return f.unary(e)
	case *ir.Binary:
		if !e.DType.IsInt() && e.DType != ir.BOOL {
			return e
		}
		x, y := f.expr(e.X), f.expr(e.Y)
		f.at = e
		r := f.build(e.Op, x, y, e.DType)
		if b, ok := r.(*ir.Binary); ok && b.Op == e.Op && unchanged(b.X, e.X) && unchanged(b.Y, e.Y) {
			return e
		}
		return r
	}
	return e
}

// unchanged: the same node, or a constant that was built again.
func unchanged(a, b ir.Expr) bool {
	if a == b {
		return true
	}
	x, okX := a.(*ir.ConstInt)
	y, okY := b.(*ir.ConstInt)
	return okX && okY && *x == *y
}

func (f *folder) unary(e *ir.Unary) ir.Expr {
	x := f.expr(e.X)
	switch e.Op {
	case ir.Neg:
		if v, ok := ir.ConstValue(x); ok && v != negInf && e.DType.IsInt() {
			return &ir.ConstInt{Value: -v, DType: e.DType}
		}
	case ir.Not:
		if b, ok := x.(*ir.ConstBool); ok {
			return &ir.ConstBool{Value: !b.Value}
		}
	}
	if x == e.X {
		return e
	}
	return &ir.Unary{Op: e.Op, X: x, DType: e.DType}
}

func (f *folder) build(op ir.BinOp, x, y ir.Expr, d ir.DType) ir.Expr {
	if f.steps <= 0 {
		return f.node(op, x, y, d)
	}
	f.steps--
	switch {
	case op.IsCompare():
		return f.compare(op, x, y)
	case op == ir.And || op == ir.Or:
		return f.logical(op, x, y)
	}
	if !d.IsInt() {
		return f.node(op, x, y, d)
	}
	switch op {
	case ir.Add:
		return f.add(x, y, d)
	case ir.Sub:
		return f.sub(x, y, d)
	case ir.Mul:
		return f.mul(x, y, d)
	case ir.FloorDiv:
		return f.div(x, y, d)
	case ir.FloorMod:
		return f.mod(x, y, d)
	case ir.Min, ir.Max:
		return f.minMax(op, x, y, d)
	}
	return f.node(op, x, y, d)
}

func (f *folder) node(op ir.BinOp, x, y ir.Expr, d ir.DType) ir.Expr {
	if e := f.at; e != nil && e.Op == op && e.DType == d && unchanged(x, e.X) && unchanged(y, e.Y) {
		return e
	}
	return &ir.Binary{Op: op, X: x, Y: y, DType: d}
}

// is returns e as a binary expression with the given operator, nil if it is
// none.
func is(e ir.Expr, op ir.BinOp) *ir.Binary {
	if b, ok := e.(*ir.Binary); ok && b.Op == op && b.DType.IsInt() {
		return b
	}
	return nil
}

// offset takes e apart into rest + c for a constant c; ok is false when e is
// no sum with a constant.
func offset(e ir.Expr) (rest ir.Expr, c int64, ok bool) {
	b, isBinary := e.(*ir.Binary)
	if !isBinary || !b.DType.IsInt() {
		return nil, 0, false
	}
	c, ok = ir.ConstValue(b.Y)
	switch {
	case ok && b.Op == ir.Add:
		return b.X, c, true
	case ok && b.Op == ir.Sub && c != negInf:
		return b.X, -c, true
	}
	return nil, 0, false
}

// shifted is e + c, written with the sign of c.
func (f *folder) shifted(e ir.Expr, c int64, d ir.DType) ir.Expr {
	switch {
	case c == 0:
		return e
	case c < 0 && c != negInf:
		return f.node(ir.Sub, e, f.constant(-c, d), d)
	}
	return f.node(ir.Add, e, f.constant(c, d), d)
}

// constant is v with the type of the number that it stands for: beside an INT64
// variable a number is an index all the same, if there is one.
func (f *folder) constant(v int64, d ir.DType) ir.Expr {
	if f.at == nil {
		return &ir.ConstInt{Value: v, DType: d}
	}
	k, ok := f.at.Y.(*ir.ConstInt)
	if !ok {
		k, ok = f.at.X.(*ir.ConstInt)
	}
	switch {
	case ok && k.Value == v:
		return k
	case ok:
		d = k.DType
	}
	return &ir.ConstInt{Value: v, DType: d}
}

// compare decides a comparison where it can, and writes > and ≥ as < and ≤.
func (f *folder) compare(op ir.BinOp, x, y ir.Expr) ir.Expr {
	switch op {
	case ir.Gt:
		op, x, y = ir.Lt, y, x
	case ir.Ge:
		op, x, y = ir.Le, y, x
	}
	var t Truth
	if comparable(x, y) {
		switch op {
		case ir.Eq:
			t = f.equal(x, y)
		case ir.Ne:
			t = not(f.equal(x, y))
		case ir.Le:
			t = f.lessEqual(x, y)
		case ir.Lt:
			t = not(f.lessEqual(y, x))
		}
	}
	if t != Unknown {
		return &ir.ConstBool{Value: t == True}
	}
	return f.node(op, x, y, ir.BOOL)
}

func not(t Truth) Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return Unknown
}

func (f *folder) logical(op ir.BinOp, x, y ir.Expr) ir.Expr {
	for _, p := range [2][2]ir.Expr{{x, y}, {y, x}} {
		if c, ok := p[0].(*ir.ConstBool); ok {
			if c.Value == (op == ir.And) {
				return p[1]
			}
			return c
		}
	}
	return f.node(op, x, y, ir.BOOL)
}
