package infer

import (
	"pypto-ls/ir"
)

// tensorMath are element-wise operators, broadcasts and casts of tensors (spec
// 02 §5.16).
var tensorMath = map[string]rule{
	"tensor.add": tensorTensor, "tensor.sub": tensorTensor, "tensor.mul": tensorTensor, "tensor.div": tensorTensor, "tensor.fmod": tensorTensor,
	"tensor.part_add": tensorTensor, "tensor.part_mul": tensorTensor, "tensor.part_max": tensorTensor, "tensor.part_min": tensorTensor,
	"tensor.maximum": tensorAny, "tensor.minimum": tensorAny, "tensor.cmp": tensorAny,
	"tensor.and": tensorBitwise, "tensor.or": tensorBitwise, "tensor.xor": tensorBitwise, "tensor.shl": tensorBitwise, "tensor.shr": tensorBitwise,
	"tensor.adds": tensorScalar, "tensor.subs": tensorScalar, "tensor.muls": tensorScalar, "tensor.divs": tensorScalar, "tensor.fmods": tensorScalar,
	"tensor.ands": tensorBits, "tensor.ors": tensorBits, "tensor.xors": tensorBits, "tensor.shls": tensorBits, "tensor.shrs": tensorBits,
	"tensor.abs": tensorUnary, "tensor.neg": tensorUnary, "tensor.log": tensorUnary, "tensor.not": tensorUnary, "tensor.exp": tensorUnary,
	"tensor.sqrt": tensorUnary, "tensor.rsqrt": tensorUnary, "tensor.recip": tensorUnary, "tensor.sin": tensorUnary, "tensor.cos": tensorUnary,
	"tensor.cast":       tensorCast,
	"tensor.row_expand": tensorRowExpand, "tensor.row_expand_add": tensorRowExpand, "tensor.row_expand_sub": tensorRowExpand,
	"tensor.row_expand_div": tensorRowExpand, "tensor.row_expand_mul": tensorRowExpand, "tensor.row_expand_max": tensorRowExpand,
	"tensor.row_expand_min": tensorRowExpand, "tensor.row_expand_expdif": tensorRowExpand,
	"tensor.col_expand": tensorColExpand, "tensor.col_expand_add": tensorColExpand, "tensor.col_expand_sub": tensorColExpand,
	"tensor.col_expand_div": tensorColExpand, "tensor.col_expand_mul": tensorColExpand, "tensor.col_expand_max": tensorColExpand,
	"tensor.col_expand_min": tensorColExpand, "tensor.col_expand_expdif": tensorColExpand,
	"tensor.expands": tensorExpands, "tensor.expand_clone": expandClone,
}

const (
	firstTensor  = "The operator {op} requires first argument to be a TensorType or DistributedTensorType, but got {type}"
	secondTensor = "The operator {op} requires second argument to be a TensorType or DistributedTensorType, but got {type}"
	firstPlain   = "The operator {op} requires first argument to be a TensorType, but got {type}"
	secondPlain  = "The operator {op} requires second argument to be a TensorType, but got {type}"
	bareFirst    = "{op} requires first argument to be a TensorType or DistributedTensorType, but got {type}"
	barePlain    = "{op} requires first argument to be a TensorType, but got {type}"
)

// tensorWith is a tensor whose view holds only a valid shape; nil is fully
// valid.
func tensorWith(shape []ir.Expr, d ir.DType, valid []ir.Expr, distributed bool) ir.Type {
	return ir.NewTensorType(shape, d, &ir.TensorView{ValidShape: valid}, distributed)
}

// twoTensors checks for exactly two tensor operands.
func (c *call) twoTensors() (a, b *ir.TensorType) {
	if !c.arity(2, exactly2) {
		return nil, nil
	}
	if a = c.tensor(0, firstTensor); a != nil {
		b = c.tensor(1, secondTensor)
	}
	return a, b
}

// commonValid is the valid shape of a result over two tensors: the first's
// when both are plain tensors of provably equal shape and valid shape.
func commonValid(a, b *ir.TensorType) []ir.Expr {
	va, vb := ir.ValidShape(a), ir.ValidShape(b)
	if a.Distributed || b.Distributed || !allEqualByValue(a.Shape, b.Shape) || !allEqualByValue(va, vb) {
		return nil
	}
	return va
}

func tensorTensor(c *call) ir.Type {
	a, b := c.twoTensors()
	if b == nil {
		return nil
	}
	shape, ok := broadcast(a.Shape, b.Shape)
	if !ok {
		return c.fail(-1, shapesShown, a.Shape, b.Shape)
	}
	d := promote(a.DType, b.DType)
	valid := commonValid(a, b)
	switch c.op.Name {
	case "tensor.part_add", "tensor.part_mul", "tensor.part_max", "tensor.part_min", "tensor.cmp":
		valid = nil
	case "tensor.div":
		for _, t := range [2]*ir.TensorType{a, b} {
			if !oneOf(t.DType, ir.INT16, ir.INT32, ir.FP16, ir.FP32) {
				return c.fail(-1, "The operator tensor.div requires operand dtype in {INT16, INT32, FP16, FP32}, but got {dtype}", t.DType)
			}
		}
		if c.boolKwarg("high_precision") && !oneOf(d, ir.FP16, ir.FP32) {
			return c.fail(-1, "The operator tensor.div supports high_precision only for FP16 or FP32 because the PTOAS high-precision template does not implement integer division")
		}
	}
	return tensorWith(shape, d, valid, false)
}

// tensorAny takes a tensor or a scalar on the right.
func tensorAny(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	if _, ok := c.types[1].(*ir.ScalarType); ok {
		return tensorScalar(c)
	}
	return tensorTensor(c)
}

// tensorScalar promotes the dtype with the scalar's, except for subs.
func tensorScalar(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	t := c.tensor(0, firstTensor)
	if t == nil {
		return nil
	}
	s := c.scalar(1, secondScalar)
	if s == nil {
		return nil
	}
	d := promote(t.DType, s.DType)
	if c.op.Name == "tensor.subs" {
		d = t.DType
		switch {
		case !oneOf(t.DType, subsDTypes[:]...):
			return c.fail(-1, "The operator tensor.subs requires tensor dtype in {INT8, INT16, INT32, FP16, FP32, BF16}, but got {dtype}", t.DType)
		case !oneOf(s.DType, subsDTypes[:]...):
			return c.fail(-1, "The operator tensor.subs requires scalar dtype in {INT8, INT16, INT32, FP16, FP32, BF16}, but got {dtype}", s.DType)
		}
	}
	valid := ir.ValidShape(t)
	if t.Distributed || c.op.Name == "tensor.cmp" {
		valid = nil
	}
	return tensorWith(t.Shape, d, valid, false)
}

// tensorBitwise does not broadcast.
func tensorBitwise(c *call) ir.Type {
	a, b := c.twoTensors()
	if b == nil {
		return nil
	}
	for _, t := range [2]*ir.TensorType{a, b} {
		if !t.DType.IsInt() {
			return c.fail(-1, "The operator {op} requires an integer tensor dtype, but got {dtype}", t.DType)
		}
	}
	if !allEqualByValue(a.Shape, b.Shape) {
		return c.fail(-1, "The operator {op} requires both operands to have the same shape, but got {shape} and {shape}. Broadcasting is not supported for bitwise/shift operators because the hardware provides no row/col-expand form; reshape or expand the operand explicitly first.", a.Shape, b.Shape)
	}
	d := promote(a.DType, b.DType)
	valid := commonValid(a, b)
	switch c.op.Name {
	case "tensor.shl", "tensor.shr":
		d = a.DType
	case "tensor.xor":
		valid = nil
	}
	return tensorWith(a.Shape, d, valid, false)
}

func tensorBits(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	t := c.tensor(0, firstTensor)
	if t == nil {
		return nil
	}
	s := c.scalar(1, secondScalar)
	switch {
	case s == nil:
		return nil
	case !t.DType.IsInt():
		return c.fail(-1, "The operator {op} requires an integer tensor dtype, but got {dtype}", t.DType)
	case !s.DType.IsInt():
		return c.fail(-1, "The operator {op} requires the shift/bitwise scalar to be an integer type, but got {dtype}", s.DType)
	}
	if shift := c.op.Name == "tensor.shls" || c.op.Name == "tensor.shrs"; shift {
		if v, ok := ir.ConstValue(c.args[1]); ok && v < 0 {
			return c.fail(-1, "The operator {op} requires a non-negative shift count, but got {value}. A negative shift distance has no defined result.", v)
		}
	}
	valid := ir.ValidShape(t)
	if t.Distributed || c.op.Name == "tensor.xors" {
		valid = nil
	}
	return tensorWith(t.Shape, t.DType, valid, false)
}

func tensorUnary(c *call) ir.Type {
	if !c.arity(1, "{op} requires exactly 1 argument, but got {count}") {
		return nil
	}
	t := c.tensor(0, bareFirst)
	if t == nil {
		return nil
	}
	d := t.DType
	switch c.op.Name {
	case "tensor.exp", "tensor.sqrt", "tensor.rsqrt", "tensor.recip":
		if !d.IsFloat() {
			d = ir.FP32
		}
		if c.op.Name == "tensor.recip" && c.boolKwarg("high_precision") && !oneOf(t.DType, ir.FP16, ir.FP32) {
			return c.fail(-1, "The operator tensor.recip supports high_precision only for FP16 or FP32 because the PTOAS high-precision template does not implement other dtypes")
		}
	case "tensor.log":
		if !oneOf(d, ir.FP16, ir.FP32) {
			return c.fail(-1, "tensor.log requires an FP16 or FP32 tensor operand, but got {dtype}", d)
		}
	case "tensor.not":
		if !oneOf(d, ir.INT16, ir.UINT16) {
			return c.fail(-1, "tensor.not requires an int16 or uint16 tensor dtype, but got {dtype}. Reinterpret or cast the tensor to a 16-bit integer dtype first.", d)
		}
	case "tensor.sin", "tensor.cos":
		if d != ir.FP32 {
			return c.fail(-1, "{op} is FP32-only, but got input with dtype {dtype}. Cast the input to FP32 explicitly via pl.cast(x, pl.FP32) before applying {op}.", d)
		}
	}
	return tensorWith(t.Shape, d, ir.ValidShape(t), false)
}

func tensorCast(c *call) ir.Type {
	if !c.arity(1, "tensor.cast requires exactly 1 argument (input), but got {count}") {
		return nil
	}
	t := c.tensor(0, bareFirst)
	if t == nil {
		return nil
	}
	if _, ok := c.kwarg("target_type"); !ok {
		return c.fail(-1, "tensor.cast requires 'target_type' kwarg")
	}
	d := c.dtypeKwarg("target_type", ir.NoDType)
	if c.problem != nil {
		return nil
	}
	if d == t.DType {
		return c.fail(-1, "tensor.cast: target_type {dtype} equals input dtype; same-dtype cast is not a valid operation. Remove the cast or use a different target_type.", d)
	}
	if _, ok := c.kwarg("mode"); !ok {
		return c.fail(-1, "tensor.cast requires a 'mode' kwarg (round mode: none(0), rint(1), round(2), floor(3), ceil(4), trunc(5), odd(6)). Pass mode=\"round\" (2) to match the pl.cast / tensor_ops.cast default.")
	}
	return tensorWith(t.Shape, d, ir.ValidShape(t), false)
}

// twoPlain checks for exactly two plain tensors of rank 2 or more.
func (c *call) twoPlain() (a, b *ir.TensorType) {
	if !c.arity(2, exactly2) {
		return nil, nil
	}
	if a = c.plainTensor(0, firstPlain); a == nil {
		return nil, nil
	}
	if b = c.plainTensor(1, secondPlain); b == nil || !c.ranks2(a.Shape, b.Shape) {
		return nil, nil
	}
	return a, b
}

func tensorRowExpand(c *call) ir.Type {
	a, b := c.twoPlain()
	if b == nil {
		return nil
	}
	if !isOne(b.Shape[len(b.Shape)-1]) {
		return c.fail(-1, lastIsOne, b.Shape)
	}
	ra, rb := a.Shape[len(a.Shape)-2], b.Shape[len(b.Shape)-2]
	if differ(ra, rb) {
		return c.fail(-1, "The operator {op} requires matching row dimensions, but got tensor rows={value} and row_vec rows={value}", ra, rb)
	}
	if c.op.Name == "tensor.row_expand_add" {
		switch {
		case a.DType != b.DType:
			return c.fail(-1, "The operator {op} requires src0 and src1 to have the same dtype, but got {dtype} and {dtype}", a.DType, b.DType)
		case !oneOf(a.DType, ir.INT8, ir.INT16, ir.INT32, ir.FP16, ir.FP32):
			return c.fail(-1, "The operator {op} requires dtype in {INT8, INT16, INT32, FP16, FP32}, but got {dtype}", a.DType)
		}
	}
	return tensorWith(a.Shape, promote(a.DType, b.DType), nil, false)
}

func tensorColExpand(c *call) ir.Type {
	a, b := c.twoPlain()
	if b == nil {
		return nil
	}
	row, col := b.Shape[len(b.Shape)-2], b.Shape[len(b.Shape)-1]
	if !isOne(row) {
		return c.fail(-1, "The operator {op} requires second argument's second-to-last dimension (row) to be 1, but got {n}", row)
	}
	if ca := a.Shape[len(a.Shape)-1]; differ(ca, col) {
		return c.fail(-1, "The operator {op} requires matching column dimensions, but got tensor cols={value} and col_vec cols={value}", ca, col)
	}
	return tensorWith(a.Shape, promote(a.DType, b.DType), nil, false)
}

func tensorExpands(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	t := c.plainTensor(0, firstPlain)
	if t == nil || c.scalar(1, secondScalar) == nil {
		return nil
	}
	return tensorWith(t.Shape, t.DType, nil, false)
}

func expandClone(c *call) ir.Type {
	if !c.arity(2, "{op} requires 2 arguments (input, target), but got {count}") {
		return nil
	}
	a := c.plainTensor(0, "{op}requires first argument to be a TensorType, but got {type}")
	if a == nil {
		return nil
	}
	b := c.plainTensor(1, "{op}requires second argument to be a TensorType, but got {type}")
	switch {
	case b == nil:
		return nil
	case len(a.Shape) != 3:
		return c.fail(-1, "{op} requires input rank to be 3, but got {n}", len(a.Shape))
	case len(b.Shape) != len(a.Shape):
		return c.fail(-1, "{op} requires input rank ({n}) to match target rank ({n})", len(a.Shape), len(b.Shape))
	}
	expanded := 0
	for i := range a.Shape {
		if equalByValue(a.Shape[i], b.Shape[i]) {
			continue
		}
		if !isOne(a.Shape[i]) {
			return c.fail(-1, "{op} only allows broadcasting from dimension 1, but input shape {shape} cannot be expanded to {shape} at dim {i} (got {extent} -> {extent})", a.Shape, b.Shape, i, a.Shape[i], b.Shape[i])
		}
		expanded++
	}
	if expanded > 1 {
		return c.fail(-1, "{op} allows broadcasting in at most one dimension, but got {value} (input shape {shape}, target shape {shape})", expanded, a.Shape, b.Shape)
	}
	return tensorWith(b.Shape, promote(a.DType, b.DType), nil, false)
}
