package read

import (
	"pypto-ls/ir"
	"pypto-ls/ir/infer"
)

var opNames = [...]string{
	ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.FloatDiv: "truediv", ir.FloorDiv: "floordiv", ir.FloorMod: "mod",
	ir.Pow: "pow", ir.Min: "min", ir.Max: "max", ir.Eq: "eq", ir.Ne: "ne", ir.Lt: "lt", ir.Le: "le", ir.Gt: "gt", ir.Ge: "ge",
	ir.Shl: "bit_shift_left", ir.Shr: "bit_shift_right", ir.And: "and", ir.Or: "or", ir.Xor: "xor", ir.BitAnd: "bit_and", ir.BitOr: "bit_or", ir.BitXor: "bit_xor",
}

// scalarDType checks that an operand is scalar; false when it is not or not
// known.
func (r *reader) scalarDType(e ir.Expr, sp ir.Span) (ir.DType, bool) {
	d, msg := scalarOf(e)
	if msg != "" {
		r.funcProblem(sp, msg)
	}
	return d, d != ir.NoDType
}

func irClass(e ir.Expr) string {
	switch e.(type) {
	case *ir.Var:
		return "Var"
	case *ir.Call:
		return "Call"
	case *ir.MakeTuple:
		return "MakeTuple"
	case *ir.TupleGet:
		return "TupleGetItemExpr"
	}
	return "Expr"
}

// TypeClass is the reference's class name of a type, as messages show it.
func TypeClass(t ir.Type) string { return infer.TypeClass(t) }

// binary builds a scalar binary expression with the promotion of spec 01 §8.3.
func (r *reader) binary(op ir.BinOp, x, y ir.Expr, sp ir.Span) ir.Expr {
	e, msg := binaryExpr(op, x, y)
	if msg != "" {
		r.funcProblem(sp, msg)
		return &ir.Raw{}
	}
	return e
}

// binaryExpr is binary without a place to report at: the reference's text
// tells what is wrong. An operand of unknown type is accepted.
func binaryExpr(op ir.BinOp, x, y ir.Expr) (ir.Expr, string) {
	a, msg := scalarOf(x)
	if msg != "" {
		return nil, msg
	}
	b, msg := scalarOf(y)
	if msg != "" {
		return nil, msg
	}
	res := a
	switch {
	case a != ir.NoDType && b != ir.NoDType:
		if x, y, res, msg = Promote(op, x, y, a, b); msg != "" {
			return nil, msg
		}
	case op.IsCompare() || op == ir.And || op == ir.Or || op == ir.Xor:
		res = ir.BOOL
	case a == ir.NoDType:
		res = b
	}
	return &ir.Binary{Op: op, X: x, Y: y, DType: res}, ""
}

// scalarOf is the dtype of a scalar operand, NoDType when it is not known, or
// the text for an operand that is no scalar.
func scalarOf(e ir.Expr) (ir.DType, string) {
	switch t := exprType(e).(type) {
	case *ir.ScalarType:
		return t.DType, ""
	case *ir.UnknownType:
		return ir.NoDType, ""
	default:
		return ir.NoDType, "Expression must be ScalarExpr or Var with ScalarType, got " + irClass(e) + " with type " + TypeClass(t)
	}
}

// Promote applies the operand rules of spec 01 §8.3: it returns the operands,
// one perhaps wrapped in a cast, the result dtype, and an error text or "".
func Promote(op ir.BinOp, x, y ir.Expr, a, b ir.DType) (ir.Expr, ir.Expr, ir.DType, string) {
	name := opNames[op]
	switch {
	case op == ir.And || op == ir.Or || op == ir.Xor:
		return x, y, ir.BOOL, ""
	case (op == ir.Shl || op == ir.Shr || op == ir.BitAnd || op == ir.BitOr || op == ir.BitXor) && (!a.IsInt() || !b.IsInt()):
		return x, y, a, "Operator '" + name + "' requires integer dtype, got " + a.Lower() + " and " + b.Lower()
	case a == ir.BOOL || b == ir.BOOL:
		return x, y, a, "Operator '" + name + "' does not accept bool dtype"
	}
	for _, d := range [2]ir.DType{a, b} {
		if !d.IsFloat() && !d.IsInt() {
			return x, y, a, "Operator '" + name + "' requires numeric scalar dtype, got " + d.Lower()
		}
	}
	if a.IsFloat() != b.IsFloat() {
		return x, y, a, "Operator '" + name + "' requires same numeric dtype category, got " + a.Lower() + " and " + b.Lower()
	}
	res := a
	if b.Bits() > a.Bits() {
		res = b
	}
	x, y = castTo(x, a, res), castTo(y, b, res)
	if op.IsCompare() {
		res = ir.BOOL
	}
	return x, y, res, ""
}

func castTo(e ir.Expr, from, to ir.DType) ir.Expr {
	if from == to || indexOr64(from) && indexOr64(to) {
		return e
	}
	return &ir.Unary{Op: ir.Cast, X: e, DType: to}
}

func indexOr64(d ir.DType) bool { return d == ir.INDEX || d == ir.INT64 }
