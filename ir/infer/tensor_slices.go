package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

const (
	tensorSliceRemedy    = "Pass clamp=True -- pl.slice(x, shape, offset, clamp=True) -- to narrow the valid region to the source edge instead"
	tensorAssembleRemedy = "tensor.assemble transfers only the source's effective valid region, so it is that extent -- not the whole source allocation -- that has to fit at this offset"
	noMX                 = "{op} does not support MX-layout tensors"
)

func isMX(t *ir.TensorType) bool {
	return t.View != nil && (t.View.Layout == ir.LayoutMXAZZ || t.View.Layout == ir.LayoutMXBNN)
}

func tensorSlice(c *call) ir.Type {
	if !c.arityIn(3, 5, "tensor.slice requires 3-5 arguments (input, shape, offset[, valid_shape[, drop_dims]]), but got {count}") {
		return nil
	}
	t := c.tensor(0, bareFirst)
	if t == nil {
		return nil
	}
	if isMX(t) {
		return c.fail(0, noMX)
	}
	if !c.integerTuple(1, "tensor.slice requires shape to be TupleType, but got {type}", "tensor.slice shape tuple element {i} must be ScalarType, but got {type}",
		"tensor.slice shape tuple element {i} must have integer dtype, but got {dtype}") ||
		!c.integerTuple(2, "tensor.slice requires offset to be TupleType, but got {type}", "tensor.slice offset tuple element {i} must be ScalarType, but got {type}",
			"tensor.slice offset tuple element {i} must have integer dtype, but got {dtype}") {
		return nil
	}
	dims, ok := c.elems(1)
	if !ok {
		return nil
	}
	offsets, ok := c.elems(2)
	if !ok {
		return nil
	}
	pad := c.padKwarg("pad_value", ir.PadNull)
	var request []ir.Expr
	if len(c.args) > 3 {
		v, ok := c.literal(3)
		if !ok {
			return c.fail(3, "tensor.slice valid_shape (4th argument) must be a MakeTuple")
		}
		request = v.Elems
	}
	valid := dims
	if len(dims) == len(t.Shape) {
		if valid, ok = c.read(window{shape: t.Shape, valid: ir.ValidShape(t), offsets: offsets, dims: dims, request: request,
			transfer: true, clamp: c.boolKwarg("clamp"), remedy: tensorSliceRemedy}); !ok {
			return nil
		}
	} else if len(request) > 0 {
		valid = request
	}
	shape := dims
	if len(c.args) == 5 {
		if shape, valid, ok = c.dropDims(4, shape, valid); !ok {
			return nil
		}
		if len(shape) == 0 {
			return c.fail(0, "tensor.slice drop_dims cannot erase every dimension; keep one unit axis or use tensor.read for a scalar result")
		}
	}
	return ir.NewTensorType(shape, t.DType, &ir.TensorView{ValidShape: valid, Pad: pad}, t.Distributed)
}

func tensorAssemble(c *call) ir.Type {
	if !c.arity(3, "tensor.assemble requires exactly 3 arguments (target, source, offset), but got {count}") {
		return nil
	}
	t := c.tensor(0, bareFirst)
	if t == nil {
		return nil
	}
	s := c.tensor(1, "tensor.assemble requires second argument to be a TensorType or DistributedTensorType, but got {type}")
	if s == nil || !c.integerTuple(2, "tensor.assemble requires offset to be TupleType, but got {type}",
		"tensor.assemble offset tuple element {i} must be ScalarType, but got {type}", "tensor.assemble offset tuple element {i} must have integer dtype, but got {dtype}") {
		return nil
	}
	switch atomic := c.intKwarg("atomic", 0); {
	case atomic != 0 && atomic != 1:
		return c.fail(-1, "tensor.assemble atomic kwarg must be AtomicType.None_ or AtomicType.Add, but got int {value}", atomic)
	case atomic == 1 && !oneOf(t.DType, ir.FP32, ir.BF16, ir.FP16, ir.INT32, ir.INT16, ir.INT8):
		return c.fail(-1, "tensor.assemble with atomic=AtomicType.Add requires an fp32/bf16/fp16/int32/int16/int8 target (hardware atomic-add dtypes), but got {dtype}", t.DType)
	}
	offsets, ok := c.elems(2)
	if !ok {
		return nil
	}
	var valid []ir.Expr
	if len(s.Shape) == len(t.Shape) && len(offsets) == len(t.Shape) {
		if valid, _, ok = c.write(union{target: t.Shape, targetValid: ir.ValidShape(t), source: s.Shape, sourceValid: ir.ValidShape(s),
			offsets: offsets, transfer: true, remedy: tensorAssembleRemedy}); !ok {
			return nil
		}
	}
	return tensorWith(t.Shape, t.DType, valid, t.Distributed)
}

func tensorReshape(c *call) ir.Type {
	if !c.arityIn(2, 3, "tensor.reshape requires 2 or 3 arguments (input, shape[, valid_shape]), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, barePlain)
	if t == nil {
		return nil
	}
	if isMX(t) {
		return c.fail(0, noMX)
	}
	if !c.integerTuple(1, "tensor.reshape requires shape to be TupleType, but got {type}", "tensor.reshape shape tuple element {i} must be ScalarType, but got {type}",
		"tensor.reshape shape tuple element {i} must have integer dtype, but got {dtype}") {
		return nil
	}
	shape, ok := c.elems(1)
	if !ok {
		return nil
	}
	a, okA := product(t.Shape)
	b, okB := product(shape)
	if okA && okB && a != b {
		return c.fail(-1, "tensor.reshape: cannot reshape tensor of size {value} into shape with size {value}", a, b)
	}
	valid, ok := c.valid(t)
	if !ok {
		return nil
	}
	if valid, ok = c.reshapeValid(t.Shape, valid, shape, t.View == nil || t.View.Layout == ir.LayoutND); !ok {
		return nil
	}
	if len(c.args) == 3 {
		if valid, ok = c.narrowed(shape, valid); !ok {
			return nil
		}
	}
	v := ir.TensorView{ValidShape: valid}
	if t.View != nil {
		v.Pad = t.View.Pad
	}
	return ir.NewTensorType(shape, t.DType, &v, false)
}

// narrowed is the explicit valid shape (operand 2) of a reshape.
func (c *call) narrowed(shape, valid []ir.Expr) ([]ir.Expr, bool) {
	t, ok := c.literal(2)
	if !ok {
		c.fail(-1, "tensor.reshape valid_shape (3rd argument) must be a MakeTuple")
		return nil, false
	}
	if len(t.Elems) != len(shape) {
		c.fail(2, "tensor.reshape: valid_shape rank ({n}) must match the target shape rank ({n})", len(t.Elems), len(shape))
		return nil, false
	}
	for i, e := range t.Elems {
		if arith.ProveLessEqual(&ir.ConstInt{DType: arith.DTypeOf(e)}, e) != arith.True {
			c.fail(2, "tensor.reshape: explicit valid_shape[{i}]={extent} must be provably >= 0; a valid extent counts real elements", i, e)
			return nil, false
		}
		if arith.ProveLessEqual(e, valid[i]) != arith.True {
			c.fail(2, "tensor.reshape: explicit valid_shape[{i}]={extent} is not provably within the source-derived extent {extent}", i, e, valid[i])
			return nil, false
		}
	}
	return t.Elems, true
}

func tensorSetValid(c *call) ir.Type {
	if !c.arity(3, "tensor.set_validshape requires exactly 3 arguments (tensor, valid_rows, valid_cols), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, barePlain)
	if t == nil {
		return nil
	}
	if len(t.Shape) != 2 {
		return c.fail(-1, "tensor.set_validshape requires a 2D tensor, but got rank {n}", len(t.Shape))
	}
	for i, name := range [2]string{"valid_rows", "valid_cols"} {
		s, isScalar := c.types[i+1].(*ir.ScalarType)
		switch {
		case !isScalar:
			return c.fail(-1, "tensor.set_validshape {name} must be ScalarType, but got {type}", name, c.types[i+1])
		case !s.DType.IsIndexLike():
			return c.fail(-1, "tensor.set_validshape {name} must have dtype INT64, UINT64, or INDEX, but got {dtype}", name, s.DType)
		}
		v, isConst := ir.ConstValue(c.args[i+1])
		if !isConst {
			continue
		}
		if v < 0 {
			return c.fail(-1, "tensor.set_validshape {name} must be >= 0, got {value}", name, v)
		}
		if dim, ok := ir.ConstValue(t.Shape[i]); ok && v > dim {
			return c.fail(-1, "tensor.set_validshape {name} ({value}) exceeds tensor bound {value}", name, v, dim)
		}
	}
	return withTensorValid(t, c.args[1:3])
}

func tensorReinterpret(c *call) ir.Type {
	if !c.arityIn(1, 2, "{op} requires 1 or 2 arguments (data[, shape]), but got {count}") {
		return nil
	}
	if t, ok := c.types[0].(*ir.TensorType); ok && t.Distributed {
		return c.fail(0, "{op} does not support DistributedTensorType in the initial implementation")
	}
	t := c.plainTensor(0, "{op} requires data to be a TensorType, but got {type}")
	if t == nil {
		return nil
	}
	d, ok := c.requiredDType("dtype")
	if !ok {
		return nil
	}
	layout := ir.LayoutND
	if t.View != nil {
		layout = t.View.Layout
	}
	switch {
	case isMX(t):
		return c.fail(0, noMX)
	case len(t.Shape) == 0:
		return c.fail(0, "{op} requires a tensor rank >= 1")
	case layout == ir.LayoutNZ:
		return c.fail(0, "{op} does not support boxed/fractal NZ tensor layout")
	case layout == ir.LayoutDN && len(t.Shape) < 2:
		return c.fail(0, "{op} requires rank >= 2 for DN layout")
	case layout == ir.LayoutND && !packed(t):
		return c.fail(0, "{op} only supports packed tensors with canonical strides for their layout")
	}
	var explicit []ir.Expr
	if len(c.args) == 2 {
		if explicit, ok = c.elems(1); !ok {
			return nil
		}
		if layout == ir.LayoutDN && len(explicit) < 2 {
			return c.fail(1, "{op} requires target rank >= 2 for DN layout")
		}
	}
	axis := len(t.Shape) - 1
	if layout == ir.LayoutDN {
		axis--
	}
	if t.View != nil && len(t.View.Stride) > 0 {
		c.degrade("the strides of a reinterpreted tensor are not modelled")
		return nil
	}
	shape, valid, ok := c.reinterpreted(t, t.Shape, t.DType, d, axis, explicit)
	if !ok {
		return nil
	}
	return ir.NewTensorType(shape, d, &ir.TensorView{ValidShape: valid, Layout: layout}, false)
}
