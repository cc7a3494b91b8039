package read

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
	"pypto-ls/ir/printer"
	"pypto-ls/irsyntax"
)

// assignType is the type an assigned variable gets from its annotation and
// its value (spec 01 §6.7). It may replace the value: a call takes over the
// resulting type, an int literal the annotated dtype.
func (r *reader) assignType(s irsyntax.Ref, name string, ann ir.Type, value *ir.Expr) ir.Type {
	inferred := exprType(*value)
	if ann == nil {
		return inferred
	}
	if r.opt.Policy == Dump || isUnknown(inferred) {
		return ann
	}
	if msg := annotationMismatch(name, ann, inferred, *value); msg != "" {
		r.problem(TypeErr, r.span(s), msg, "Change annotation to: "+printer.Type(nil, inferred, printer.Options{}))
		return ann
	}
	t := mergeTypes(ann, inferred, *value)
	if c, ok := (*value).(*ir.Call); ok && !c.IsFunc && !ir.TypeEqual(c.Type, t) && !ir.TypeEqualFunc(c.Type, t, arith.DimensionsEqual) {
		cc := *c
		cc.Type = t
		*value = &cc
	}
	return t
}

func kindName(t ir.Type) string {
	switch t.(type) {
	case *ir.TensorType:
		return "Tensor"
	case *ir.TileType:
		return "Tile"
	case *ir.ScalarType:
		return "Scalar"
	case *ir.ArrayType:
		return "Array"
	}
	return TypeClass(t)
}

// annotationMismatch compares kinds, dtypes, ranks and constant dims in the
// reference's order; "" when they agree.
func annotationMismatch(name string, ann, inferred ir.Type, value ir.Expr) string {
	if msg := disagreement(ann, inferred, value); msg != "" {
		return "Type annotation for '" + name + "' " + msg
	}
	return ""
}

func disagreement(ann, inferred ir.Type, value ir.Expr) string {
	if TypeClass(ann) != TypeClass(inferred) {
		return "is " + kindName(ann) + " but expression has type " + kindName(inferred)
	}
	da, db := elementType(ann), elementType(inferred)
	if da != db && !(da == ir.INDEX && db.IsInt() || db == ir.INDEX && da.IsInt()) {
		return "has dtype " + da.Lower() + " but expression has dtype " + db.Lower()
	}
	sa, sb := shapeOf(ann), shapeOf(inferred)
	if flattened(value, sa, sb) {
		return ""
	}
	if len(sa) != len(sb) {
		return "has rank " + itoa(int64(len(sa))) + " but expression has rank " + itoa(int64(len(sb)))
	}
	for i := range sa {
		x, ok1 := ir.ConstValue(sa[i])
		y, ok2 := ir.ConstValue(sb[i])
		if ok1 && ok2 && x != y {
			return "has shape dimension " + itoa(int64(i)) + " = " + itoa(x) + " but expression has shape dimension " + itoa(int64(i)) + " = " + itoa(y)
		}
	}
	return ""
}

// flattened is the exception for loads and creates of rank > 2 whose
// annotation shows the 2-D result.
func flattened(value ir.Expr, ann, inferred []ir.Expr) bool {
	c, ok := value.(*ir.Call)
	return ok && (c.Name == "tile.load" || c.Name == "tile.create") && len(inferred) > 2 && len(ann) <= 2
}

func elementType(t ir.Type) ir.DType {
	switch t := t.(type) {
	case *ir.ScalarType:
		return t.DType
	case *ir.TileType:
		return t.DType
	case *ir.TensorType:
		return t.DType
	case *ir.ArrayType:
		return t.DType
	}
	return ir.NoDType
}

func shapeOf(t ir.Type) []ir.Expr {
	switch t := t.(type) {
	case *ir.TileType:
		return t.Shape
	case *ir.TensorType:
		return t.Shape
	}
	return nil
}

// mergeTypes says which parts of the annotation win.
func mergeTypes(ann, inferred ir.Type, value ir.Expr) ir.Type {
	switch a := ann.(type) {
	case *ir.TileType:
		b := inferred.(*ir.TileType)
		if a.MemRef == nil && a.Space < 0 && a.View == nil && ir.ExprsEqual(a.Shape, b.Shape) && a.DType == b.DType {
			return b
		}
		space := a.Space
		if space < 0 {
			space = b.Space
		}
		view := a.View
		if view == nil && !flattened(value, a.Shape, b.Shape) {
			view = b.View
		}
		if view == a.View && space == a.Space {
			return a
		}
		t := ir.NewTileType(a.Shape, a.DType, view, space)
		t.MemRef = a.MemRef
		return t
	case *ir.TensorType:
		if a.MemRef != nil || a.View != nil {
			return a
		}
		return inferred
	case *ir.ScalarType:
		if b, ok := inferred.(*ir.ScalarType); ok && b.DType == ir.INDEX {
			return a
		}
		return inferred
	}
	return inferred
}

func (r *reader) reassignProblem(old *ir.Var, name string, t ir.Type, sp ir.Span) {
	r.problem(TypeErr, sp, "Cannot reassign '"+name+"' with a different type: was "+printType(old.Type)+", got "+printType(t), "Use a different variable name for tensors with different shapes or dtypes")
}
