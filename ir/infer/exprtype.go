package infer

import "pypto-ls/ir"

// TypeOf is the type of an expression, ir.Unknown when it has none (spec 01
// §8.3 for scalar expressions).
func (env Env) TypeOf(e ir.Expr) ir.Type {
	switch e := e.(type) {
	case *ir.Var:
		t := e.Type
		if env.VarType != nil {
			t = env.VarType(e)
		}
		if t != nil {
			return t
		}
	case *ir.ConstInt:
		return scalarOf(e.DType)
	case *ir.ConstFloat:
		return scalarOf(e.DType)
	case *ir.ConstBool:
		return scalarOf(ir.BOOL)
	case *ir.Binary:
		return scalarOf(e.DType)
	case *ir.Unary:
		return scalarOf(e.DType)
	case *ir.Call:
		if e.Type != nil {
			return e.Type
		}
	case *ir.MakeTuple:
		t := &ir.TupleType{Elems: make([]ir.Type, len(e.Elems))}
		for i, x := range e.Elems {
			t.Elems[i] = env.TypeOf(x)
		}
		return t
	case *ir.TupleGet:
		if t, ok := env.TypeOf(e.Tuple).(*ir.TupleType); ok && e.Index >= 0 && e.Index < len(t.Elems) {
			return t.Elems[e.Index]
		}
	}
	return ir.Unknown
}

// ExprType is Env{}.TypeOf(e).
func ExprType(e ir.Expr) ir.Type { return Env{}.TypeOf(e) }

var scalarTypes = func() (t [64]*ir.ScalarType) {
	for d := range t {
		t[d] = &ir.ScalarType{DType: ir.DType(d)}
	}
	return t
}()

// scalarOf is a shared value: scalar types are made in great numbers.
func scalarOf(d ir.DType) *ir.ScalarType {
	if int(d) < len(scalarTypes) {
		return scalarTypes[d]
	}
	return &ir.ScalarType{DType: d}
}

// TypeClass is the reference's name of a type's class, as its messages show
// it (spec 02 §5).
func TypeClass(t ir.Type) string {
	switch t := t.(type) {
	case *ir.ScalarType:
		return "ScalarType"
	case *ir.TileType:
		return "TileType"
	case *ir.TensorType:
		if t.Distributed {
			return "DistributedTensorType"
		}
		return "TensorType"
	case *ir.ArrayType:
		return "ArrayType"
	case *ir.TupleType:
		return "TupleType"
	case *ir.PtrType:
		return "PtrType"
	case *ir.MarkerType:
		return markerClass(t.Name)
	}
	return "UnknownType"
}

// markerClass turns `pl.AsyncEvent` and `pld.CommCtxType` into class names.
func markerClass(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			name = name[i+1:]
			break
		}
	}
	if len(name) < 4 || name[len(name)-4:] != "Type" {
		name += "Type"
	}
	return name
}
