package arith

import "pypto-ls/ir"

// DTypeOf is the element type of a scalar expression, NoDType for anything
// else.
func DTypeOf(e ir.Expr) ir.DType {
	switch e := e.(type) {
	case *ir.ConstInt:
		return e.DType
	case *ir.ConstFloat:
		return e.DType
	case *ir.ConstBool:
		return ir.BOOL
	case *ir.Binary:
		return e.DType
	case *ir.Unary:
		return e.DType
	case *ir.Var:
		return scalar(e.Type)
	case *ir.Call:
		return scalar(e.Type)
	case *ir.TupleGet:
		if v, ok := e.Tuple.(*ir.Var); ok {
			if t, ok := v.Type.(*ir.TupleType); ok && e.Index >= 0 && e.Index < len(t.Elems) {
				return scalar(t.Elems[e.Index])
			}
		}
	}
	return ir.NoDType
}

func scalar(t ir.Type) ir.DType {
	if s, ok := t.(*ir.ScalarType); ok {
		return s.DType
	}
	return ir.NoDType
}

// IsInteger reports whether e is an integer scalar; BOOL is not.
func IsInteger(e ir.Expr) bool { return DTypeOf(e).IsInt() }

// Promote is the dtype of an arithmetic expression over two scalars of one
// class (spec 01 §8.3): the wider one wins, the first on a tie.
func Promote(a, b ir.DType) ir.DType {
	if b.Bits() > a.Bits() {
		return b
	}
	return a
}

// same is structural equality of the engine: like ir.ExprEqual, and casts and
// tuple elements compare by their parts.
func same(a, b ir.Expr) bool { return sameTo(a, b, maxDepth) }

func sameTo(a, b ir.Expr, depth int) bool {
	if a == b {
		return true
	}
	if depth == 0 {
		return false
	}
	switch a := a.(type) {
	case *ir.ConstInt:
		b, ok := b.(*ir.ConstInt)
		return ok && a.Value == b.Value
	case *ir.ConstFloat:
		b, ok := b.(*ir.ConstFloat)
		return ok && *a == *b
	case *ir.ConstBool:
		b, ok := b.(*ir.ConstBool)
		return ok && *a == *b
	case *ir.Binary:
		b, ok := b.(*ir.Binary)
		return ok && a.Op == b.Op && sameTo(a.X, b.X, depth-1) && sameTo(a.Y, b.Y, depth-1)
	case *ir.Unary:
		b, ok := b.(*ir.Unary)
		return ok && a.Op == b.Op && a.DType == b.DType && sameTo(a.X, b.X, depth-1)
	case *ir.TupleGet:
		b, ok := b.(*ir.TupleGet)
		return ok && a.Index == b.Index && sameTo(a.Tuple, b.Tuple, depth-1)
	case *ir.Call:
		b, ok := b.(*ir.Call)
		if !ok || a.Name != b.Name || len(a.Args) != len(b.Args) {
			return false
		}
		for i := range a.Args {
			if !sameTo(a.Args[i], b.Args[i], depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

var zeros = func() (t [64]ir.ConstInt) {
	for d := range t {
		t[d].DType = ir.DType(d)
	}
	return t
}()

// Zero is the 0 of an element type, a shared value.
func Zero(d ir.DType) *ir.ConstInt {
	if int(d) < len(zeros) {
		return &zeros[d]
	}
	return &ir.ConstInt{DType: d}
}
