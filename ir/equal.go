package ir

// ExprEqual is structural equality of extents (spec 01 §6.5, 02 §3.5): the
// same node; integer constants of equal value, whatever their dtypes; binary
// expressions with the same operator and equal operands; calls of the same
// operator with equal operands. Everything else is different. No arithmetic.
func ExprEqual(a, b Expr) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ConstInt:
		b, ok := b.(*ConstInt)
		return ok && a.Value == b.Value
	case *Binary:
		b, ok := b.(*Binary)
		return ok && a.Op == b.Op && ExprEqual(a.X, b.X) && ExprEqual(a.Y, b.Y)
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Name == b.Name && a.IsFunc == b.IsFunc && ExprsEqual(a.Args, b.Args)
	}
	return false
}

// ExprsEqual is element-wise ExprEqual of two lists.
func ExprsEqual(a, b []Expr) bool { return exprsEqual(a, b, ExprEqual) }

func exprsEqual(a, b []Expr, eq func(a, b Expr) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !eq(a[i], b[i]) {
			return false
		}
	}
	return true
}

// TypeEqual reports whether two types in canonical form are equal. MemRefs are
// ignored (spec 01 §6.6).
func TypeEqual(a, b Type) bool { return TypeEqualFunc(a, b, ExprEqual) }

// TypeEqualFunc is TypeEqual with extents compared by eq.
func TypeEqualFunc(a, b Type, eq func(a, b Expr) bool) bool {
	switch a := a.(type) {
	case *TileType:
		b, ok := b.(*TileType)
		return ok && a.DType == b.DType && a.Space == b.Space && exprsEqual(a.Shape, b.Shape, eq) && tileViewEqual(a.View, b.View, eq)
	case *TensorType:
		b, ok := b.(*TensorType)
		return ok && a.DType == b.DType && a.Distributed == b.Distributed && exprsEqual(a.Shape, b.Shape, eq) && tensorViewEqual(a.View, b.View, eq)
	case *ScalarType:
		b, ok := b.(*ScalarType)
		return ok && a.DType == b.DType
	case *ArrayType:
		b, ok := b.(*ArrayType)
		return ok && *a == *b
	case *TupleType:
		b, ok := b.(*TupleType)
		if !ok || len(a.Elems) != len(b.Elems) {
			return false
		}
		for i := range a.Elems {
			if !TypeEqualFunc(a.Elems[i], b.Elems[i], eq) {
				return false
			}
		}
		return true
	case *PtrType:
		_, ok := b.(*PtrType)
		return ok
	case *MarkerType:
		b, ok := b.(*MarkerType)
		return ok && a.Name == b.Name
	case *UnknownType:
		_, ok := b.(*UnknownType)
		return ok
	}
	return a == nil && b == nil
}

func tileViewEqual(a, b *TileView, eq func(a, b Expr) bool) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	return sameTileLayout(a, b) && a.Pad == b.Pad && a.Compact == b.Compact && optionalEqual(a.StartOffset, b.StartOffset, eq) &&
		exprsEqual(a.ValidShape, b.ValidShape, eq) && exprsEqual(a.Stride, b.Stride, eq)
}

func sameTileLayout(a, b *TileView) bool {
	return a.BLayout == b.BLayout && a.SLayout == b.SLayout && a.Fractal == b.Fractal
}

func tensorViewEqual(a, b *TensorView, eq func(a, b Expr) bool) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	return a.Layout == b.Layout && a.Pad == b.Pad && exprsEqual(a.ValidShape, b.ValidShape, eq) && exprsEqual(a.Stride, b.Stride, eq)
}

func optionalEqual(a, b Expr, eq func(a, b Expr) bool) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return eq(a, b)
}
