package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// tensorViews are creation, views, windows and element access of tensors.
var tensorViews = map[string]rule{
	"tensor.create": tensorCreate, "tensor.create_l1": createL1, "tensor.full": tensorFull, "tensor.ci": tensorCi, "tensor.random": tensorRandom,
	"tensor.dim": tensorDim, "tensor.read": tensorRead, "tensor.write": tensorWrite, "tensor.slice": tensorSlice, "tensor.assemble": tensorAssemble,
	"tensor.reshape": tensorReshape, "tensor.set_validshape": tensorSetValid, "tensor.concat": tensorConcat, "tensor.fillpad": tensorFillpad,
	"tensor.fillpad_expand": tensorFillpadExpand, "tensor.reinterpret_view": tensorReinterpret,
	"tensor.view": tensorView, "tensor.transpose": tensorTranspose,
}

// integerTuple checks that operand i is a tuple of integer scalars.
func (c *call) integerTuple(i int, notTuple, notScalar, notInteger string) bool {
	_, ok := c.eachElem(i, func(k int, t ir.Type) bool {
		s, isScalar := t.(*ir.ScalarType)
		switch {
		case !isScalar:
			c.fail(-1, notScalar, k, t)
		case !s.DType.IsInt():
			c.fail(-1, notInteger, k, s.DType)
		}
		return c.problem == nil
	})
	if !ok {
		c.fail(-1, notTuple, c.types[i])
	}
	return c.problem == nil
}

func tensorCreate(c *call) ir.Type {
	if !c.arity(1, "tensor.create requires exactly 1 argument (shape tuple), but got {count}") {
		return nil
	}
	if _, ok := c.kwarg("dtype"); !ok {
		return c.fail(-1, "tensor.create requires 'dtype' kwarg")
	}
	d := c.dtypeKwarg("dtype", ir.NoDType)
	if c.problem != nil || !c.integerTuple(0, "tensor.create requires shape to be TupleType, but got {type}",
		"tensor.create shape tuple element {i} must be ScalarType, but got {type}", "tensor.create shape tuple element {i} must have integer dtype, but got {dtype}") {
		return nil
	}
	shape, ok := c.elems(0)
	if !ok {
		return nil
	}
	v := &ir.TensorView{}
	if l, ok := c.kwarg("layout"); ok {
		if l, ok := l.(ir.TensorLayout); ok {
			v.Layout = l
		}
	}
	return ir.NewTensorType(shape, d, v, false)
}

func createL1(c *call) ir.Type {
	if !c.arity(1, "The operator {op} requires 1 argument (shape), but got {count}") {
		return nil
	}
	t, ok := c.literal(0)
	if !ok {
		return c.fail(-1, "The operator {op} requires shape to be a MakeTuple of static ConstInt dims, but got {type}", c.types[0])
	}
	for i, e := range t.Elems {
		if v, ok := ir.ConstValue(e); !ok || v <= 0 {
			return c.fail(-1, "The operator {op} shape element {i} must be a positive compile-time ConstInt", i)
		}
	}
	if len(t.Elems) == 0 {
		return c.fail(-1, "The operator {op} requires a non-empty shape")
	}
	if _, ok := c.kwarg("dtype"); !ok {
		return c.fail(-1, "The operator {op} requires a 'dtype' keyword argument")
	}
	d := c.dtypeKwarg("dtype", ir.NoDType)
	if c.problem != nil {
		return nil
	}
	return tensorWith(t.Elems, d, nil, false)
}

func tensorFull(c *call) ir.Type {
	if !c.arity(2, "tensor.full requires exactly 2 arguments (shape, value), but got {count}") {
		return nil
	}
	if _, ok := c.kwarg("dtype"); !ok {
		return c.fail(-1, "tensor.full requires 'dtype' kwarg")
	}
	d := c.dtypeKwarg("dtype", ir.NoDType)
	if c.problem != nil || !c.integerTuple(0, "tensor.full requires shape to be TupleType, but got {type}",
		"tensor.full shape element {i} must be ScalarType, but got {type}", "tensor.full shape element {i} must have integer dtype, but got {dtype}") {
		return nil
	}
	switch c.args[1].(type) {
	case *ir.ConstInt, *ir.ConstFloat:
	default:
		return c.fail(-1, "tensor.full requires value to be ConstInt or ConstFloat, but got {type}", c.types[1])
	}
	shape, ok := c.elems(0)
	if !ok {
		return nil
	}
	return tensorWith(shape, d, nil, false)
}

func tensorCi(c *call) ir.Type {
	if !c.arity(2, "tensor.ci requires exactly 2 arguments (start, shape), but got {count}") {
		return nil
	}
	if _, ok := c.kwarg("dtype"); !ok {
		return c.fail(-1, "tensor.ci requires 'dtype' kwarg")
	}
	d := c.dtypeKwarg("dtype", ir.NoDType)
	if c.problem != nil {
		return nil
	}
	if !oneOf(d, ir.INT16, ir.INT32, ir.UINT16, ir.UINT32) {
		return c.fail(-1, "tensor.ci dtype must be one of {INT16, INT32, UINT16, UINT32}, but got {dtype}", d)
	}
	s := c.scalar(0, "tensor.ci requires first argument 'start' to be a scalar, but got {type}")
	if s == nil {
		return nil
	}
	if s.DType != d {
		return c.fail(-1, "tensor.ci 'start' dtype ({dtype}) must match destination dtype ({dtype})", s.DType, d)
	}
	if !c.integerTuple(1, "tensor.ci requires shape to be TupleType, but got {type}", "tensor.ci shape element {i} must be ScalarType, but got {type}",
		"tensor.ci shape element {i} must have integer dtype, but got {dtype}") {
		return nil
	}
	shape, ok := c.elems(1)
	switch {
	case !ok:
		return nil
	case len(shape) == 0:
		return c.fail(-1, "tensor.ci requires non-empty shape")
	case isOne(shape[len(shape)-1]):
		return c.fail(-1, "tensor.ci requires the innermost dimension (Cols) to be != 1, got {value}", 1)
	}
	for i, e := range shape[:len(shape)-1] {
		if v, isConst := ir.ConstValue(e); isConst && v != 1 {
			return c.fail(-1, "tensor.ci only populates the first row because pto.tci ignores valid rows; leading dimensions must be 1, but got {value} at index {i}", v, i)
		}
	}
	return tensorWith(shape, d, nil, false)
}

func tensorRandom(c *call) ir.Type {
	if !c.arity(7, "tensor.random requires exactly 7 arguments (key0, key1, counter0, counter1, counter2, counter3, shape), but got {count}") {
		return nil
	}
	if _, ok := c.kwarg("dtype"); !ok {
		return c.fail(-1, "tensor.random requires 'dtype' kwarg")
	}
	d := c.dtypeKwarg("dtype", ir.NoDType)
	if c.problem != nil {
		return nil
	}
	if !oneOf(d, ir.INT32, ir.UINT32) {
		return c.fail(-1, "tensor.random dtype must be one of {INT32, UINT32}, but got {dtype}", d)
	}
	if r := c.intKwarg("rounds", 10); r != 7 && r != 10 {
		return c.fail(-1, "tensor.random requires rounds to be 7 or 10, but got {value}", r)
	}
	for i := range 6 {
		s, isScalar := c.types[i].(*ir.ScalarType)
		switch {
		case !isScalar:
			return c.fail(-1, "tensor.random requires argument {i} (seed scalar) to be a scalar, but got {type}", i, c.types[i])
		case s.DType != ir.INT32:
			return c.fail(-1, "tensor.random requires seed argument {i} to have INT32 dtype, but got {dtype}", i, s.DType)
		}
	}
	if !c.integerTuple(6, "tensor.random requires shape to be TupleType, but got {type}", "tensor.random shape element {i} must be ScalarType, but got {type}",
		"tensor.random shape element {i} must have integer dtype, but got {dtype}") {
		return nil
	}
	shape, ok := c.elems(6)
	switch {
	case !ok:
		return nil
	case len(shape) == 0:
		return c.fail(-1, "tensor.random requires non-empty shape")
	case len(shape) != 2:
		return c.fail(-1, "tensor.random requires a 2D shape (rows, cols), but got rank {n}", len(shape))
	}
	return tensorWith(shape, d, nil, false)
}

func tensorDim(c *call) ir.Type {
	if !c.arity(2, "tensor.dim requires exactly 2 arguments (tensor, axis), but got {count}") {
		return nil
	}
	t, ok := c.types[0].(*ir.TensorType)
	if !ok {
		return c.fail(0, barePlain, c.types[0])
	}
	v, ok := ir.ConstValue(c.args[1])
	if !ok {
		return c.fail(-1, "tensor.dim requires axis to be a constant integer")
	}
	if n := int64(len(t.Shape)); v < -n || v >= n {
		return c.fail(-1, "tensor.dim axis {value} out of range for tensor of rank {value}", v, n)
	}
	return scalarOf(ir.INDEX)
}

var tensorReadTexts = elementTexts{"tensor.read requires indices to be TupleType, but got {type}",
	"tensor.read indices count ({n}) must match tensor rank ({n})", "tensor.read index element {i} must be ScalarType, but got {type}",
	"tensor.read index element {i} must have integer dtype, but got {dtype}"}

var tensorWriteTexts = elementTexts{"tensor.write requires indices to be TupleType, but got {type}",
	"tensor.write indices count ({n}) must match tensor rank ({n})", "tensor.write index element {i} must be ScalarType, but got {type}",
	"tensor.write index element {i} must have integer dtype, but got {dtype}"}

func tensorRead(c *call) ir.Type {
	if !c.arity(2, "tensor.read requires exactly 2 arguments (tensor, indices), but got {count}") {
		return nil
	}
	t := c.tensor(0, barePlain)
	if t == nil || !c.element(len(t.Shape), &tensorReadTexts) {
		return nil
	}
	return scalarOf(t.DType)
}

func tensorWrite(c *call) ir.Type {
	if !c.arity(3, "tensor.write requires exactly 3 arguments (tensor, indices, value), but got {count}") {
		return nil
	}
	t := c.tensor(0, barePlain)
	if t == nil || !c.element(len(t.Shape), &tensorWriteTexts) {
		return nil
	}
	s := c.scalar(2, "tensor.write requires third argument (value) to be a ScalarType, but got {type}")
	if s == nil {
		return nil
	}
	if s.DType != t.DType {
		return c.fail(-1, "tensor.write requires value dtype to match tensor dtype, but got value dtype {dtype} and tensor dtype {dtype}", s.DType, t.DType)
	}
	return withoutMemRef(t)
}

func tensorConcat(c *call) ir.Type {
	if !c.arity(2, "tensor.concat requires 2 arguments (src0, src1), got {count}") {
		return nil
	}
	a := c.plainTensor(0, "tensor.concat: src0 must be TensorType, got {type}")
	if a == nil {
		return nil
	}
	b := c.plainTensor(1, "tensor.concat: src1 must be TensorType, got {type}")
	switch {
	case b == nil:
		return nil
	case a.DType != b.DType:
		return c.fail(-1, "tensor.concat: src0 and src1 must have same dtype, got {dtype} and {dtype}", a.DType, b.DType)
	case len(a.Shape) != 2 || len(b.Shape) != 2:
		return c.fail(-1, "tensor.concat requires 2D tensors")
	case differ(a.Shape[0], b.Shape[0]):
		return c.fail(-1, "tensor.concat: row count must match, got {value} vs {value}", a.Shape[0], b.Shape[0])
	}
	return tensorWith([]ir.Expr{a.Shape[0], arith.Add(a.Shape[1], b.Shape[1])}, a.DType, nil, false)
}

func tensorFillpad(c *call) ir.Type {
	if !c.arity(1, "tensor.fillpad requires exactly 1 argument (tensor), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, barePlain)
	if t == nil {
		return nil
	}
	if _, ok := c.padding(); !ok {
		return nil
	}
	return withTensorValid(t, nil)
}

func tensorFillpadExpand(c *call) ir.Type {
	if !c.arity(2, "tensor.fillpad_expand requires exactly 2 arguments (tensor, shape), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, barePlain)
	if t == nil {
		return nil
	}
	shape, ok := c.expandShape(t.Shape)
	if !ok {
		return nil
	}
	p, ok := c.padding()
	if !ok {
		return nil
	}
	v := ir.TensorView{Pad: p}
	if t.View != nil {
		v.Layout = t.View.Layout
	}
	return ir.NewTensorType(shape, t.DType, &v, false)
}
