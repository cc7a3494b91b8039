package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

func tensorScatter(c *call) ir.Type {
	if !c.arity(3, "The operator {op} requires 3 arguments (input, index, src), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, inputTensor)
	if t == nil {
		return nil
	}
	if !isScatterDType(t.DType) {
		return c.fail(-1, "The operator {op} requires input dtype in {I8, I16, I32, FP16, FP32, BF16}, but got {dtype}", t.DType)
	}
	idx := c.plainTensor(1, "The operator {op} requires index to be a TensorType, but got {type}")
	if idx == nil {
		return nil
	}
	if !oneOf(idx.DType, ir.INT16, ir.INT32) {
		return c.fail(-1, "The operator {op} requires index dtype in {INT16, INT32}, but got {dtype}", idx.DType)
	}
	src := c.plainTensor(2, "The operator {op} requires src to be a TensorType, but got {type}")
	want := 2
	if t.DType.Bytes() == 4 {
		want = 4
	}
	switch {
	case src == nil:
		return nil
	case src.DType != t.DType:
		return c.fail(-1, "The operator {op} requires src dtype ({dtype}) to match input dtype ({dtype})", src.DType, t.DType)
	case idx.DType.Bytes() != want:
		return c.fail(-1, "The operator {op} with input dtype {dtype} ({value} bytes) requires index dtype of {value} bytes, but got {dtype} ({value} bytes)", t.DType, t.DType.Bytes(), want, idx.DType, idx.DType.Bytes())
	case len(t.Shape) != 2:
		return c.fail(-1, "The operator {op} currently supports rank-2 input only, got rank {value}", len(t.Shape))
	case len(src.Shape) != 2:
		return c.fail(-1, "The operator {op} requires src rank ({n}) to match input rank ({value})", len(src.Shape), 2)
	case len(idx.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D index, but got rank {n}", len(idx.Shape))
	}
	if _, ok := c.kwarg("dim"); !ok {
		return c.fail(-1, "The operator {op} requires a 'dim' keyword argument")
	}
	if dim := c.intKwarg("dim", -1); dim != -1 && dim != 1 {
		return c.fail(-1, "The operator {op} currently supports dim=-1 (last axis) only, got dim={value}", dim)
	}
	switch {
	case differ(idx.Shape[0], src.Shape[0]):
		return c.fail(-1, "The operator {op} requires index.shape[0] == src.shape[0], got src rows {value} vs index rows {value}", src.Shape[0], idx.Shape[0])
	case differ(idx.Shape[1], src.Shape[1]):
		return c.fail(-1, "The operator {op} requires index.shape[1] == src.shape[1], got src cols {value} vs index cols {value}", src.Shape[1], idx.Shape[1])
	}
	for i, text := range [2]string{"The operator {op} requires src.shape[0] <= input.shape[0], got src rows {value} vs input rows {value}",
		"The operator {op} requires src.shape[1] <= input.shape[1], got src cols {value} vs input cols {value}"} {
		if x, y, ok := bothConst(src.Shape[i], t.Shape[i]); ok && x > y {
			return c.fail(-1, text, x, y)
		}
	}
	return tensorWith(t.Shape, t.DType, nil, false)
}

func tensorScatterMask(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (input, dst), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, inputTensor)
	if t == nil {
		return nil
	}
	if !isScatterDType(t.DType) {
		return c.fail(-1, "The operator {op} requires input dtype in {I8, I16, I32, FP16, FP32, BF16}, but got {dtype}", t.DType)
	}
	dst := c.plainTensor(1, "The operator {op} requires dst to be a TensorType, but got {type}")
	switch {
	case dst == nil:
		return nil
	case !isScatterDType(dst.DType):
		return c.fail(-1, scatterDst, dst.DType)
	case dst.DType != t.DType:
		return c.fail(-1, "The operator {op} requires input and dst to have the same dtype, got {dtype} vs {dtype}", t.DType, dst.DType)
	case len(t.Shape) != 2 || len(dst.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D input/dst, but got input rank {n} and dst rank {n}", len(t.Shape), len(dst.Shape))
	}
	pattern, ok := c.requiredInt("mask_pattern")
	if !ok {
		return nil
	}
	step := maskStep(pattern)
	if step == 0 {
		return c.fail(-1, "The operator {op} requires mask_pattern in [1, 7], but got {value}", pattern)
	}
	if d, s, ok := bothConst(dst.Shape[1], t.Shape[1]); ok && d != s*step {
		return c.fail(-1, "The operator {op} with mask_pattern={value} requires dst.shape[1] ({value}) == input.shape[1] ({value}) * {value}", pattern, d, s, step)
	}
	return tensorWith(dst.Shape, dst.DType, nil, false)
}

func tensorScatterUpdate(c *call) ir.Type {
	if !c.arity(3, "tensor.scatter_update requires exactly 3 arguments (input, index, src), got {count}") {
		return nil
	}
	t := c.plainTensor(0, "tensor.scatter_update: input must be TensorType, got {type}")
	if t == nil {
		return nil
	}
	if len(t.Shape) != 2 && len(t.Shape) != 4 {
		return c.fail(-1, "tensor.scatter_update: input must be 2D or 4D, got rank {n}", len(t.Shape))
	}
	idx := c.plainTensor(1, "tensor.scatter_update: index must be TensorType, got {type}")
	switch {
	case idx == nil:
		return nil
	case len(idx.Shape) != 2:
		return c.fail(-1, "tensor.scatter_update: index must be 2D [b, s], got rank {n}", len(idx.Shape))
	case !idx.DType.IsInt():
		return c.fail(-1, "tensor.scatter_update: index dtype must be integer, got {dtype}", idx.DType)
	}
	src := c.plainTensor(2, "tensor.scatter_update: src must be TensorType, got {type}")
	switch {
	case src == nil:
		return nil
	case len(src.Shape) != len(t.Shape):
		return c.fail(-1, "tensor.scatter_update: src rank ({n}) must match input rank ({n})", len(src.Shape), len(t.Shape))
	case src.DType != t.DType:
		return c.fail(-1, "tensor.scatter_update: src dtype ({dtype}) must match input dtype ({dtype})", src.DType, t.DType)
	}
	if dim := c.intKwarg("dim", -2); dim != -2 {
		return c.fail(-1, "tensor.scatter_update: only dim=-2 is currently supported, got {value}", dim)
	}
	return tensorWith(t.Shape, t.DType, nil, false)
}

const arg0Tensor = "The operator {op} requires argument 0 to be a TensorType, but got {type}"

func tensorSort32(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (src, idx), but got {count}") {
		return nil
	}
	src := c.plainTensor(0, firstPlain)
	n := 0
	if src != nil {
		n = len(src.Shape)
	}
	switch {
	case src == nil:
		return nil
	case !oneOf(src.DType, ir.FP16, ir.FP32):
		return c.fail(-1, sortDType, src.DType)
	case n == 0:
		return c.fail(-1, "The operator {op} requires non-empty input shape")
	}
	if v, ok := ir.ConstValue(src.Shape[n-1]); ok && (v <= 0 || v%32 != 0) {
		return c.fail(-1, "The operator {op} requires the last dimension to be a positive multiple of 32, but got {value}", v)
	}
	idx := c.plainTensor(1, secondPlain)
	switch {
	case idx == nil:
		return nil
	case idx.DType != ir.UINT32:
		return c.fail(-1, "The operator {op} requires idx dtype to be UINT32, but got {dtype}", idx.DType)
	case len(idx.Shape) != n:
		return c.fail(-1, "The operator {op} requires idx rank ({n}) to match src rank ({n})", len(idx.Shape), n)
	}
	for i := range src.Shape {
		if differ(idx.Shape[i], src.Shape[i]) {
			return c.fail(-1, "The operator {op} requires idx shape to match src shape at axis {i}", i)
		}
	}
	return tensorWith(replaced(src.Shape, n-1, foldMul(src.Shape[n-1], ir.Index(2))), src.DType, nil, false)
}

func tensorMrgsort1(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (src, block_len), but got {count}") {
		return nil
	}
	src := c.plainTensor(0, arg0Tensor)
	if src == nil {
		return nil
	}
	if !oneOf(src.DType, ir.FP16, ir.FP32) {
		return c.fail(-1, sortDType, src.DType)
	}
	if !c.blockLen() {
		return nil
	}
	return tensorWith(src.Shape, src.DType, nil, false)
}

func tensorMrgsort2(c *call) ir.Type {
	if !c.arityIn(2, 4, "The operator {op} requires 2-4 arguments (2-4 srcs), but got {count}") {
		return nil
	}
	src := c.plainTensor(0, arg0Tensor)
	switch {
	case src == nil:
		return nil
	case !oneOf(src.DType, ir.FP16, ir.FP32):
		return c.fail(-1, sortDType, src.DType)
	case len(src.Shape) == 0:
		return c.fail(-1, "The operator {op} requires non-empty src shape")
	}
	last := len(src.Shape) - 1
	sum := src.Shape[last]
	for i := 1; i < len(c.args); i++ {
		t, ok := c.types[i].(*ir.TensorType)
		switch {
		case !ok:
			return c.fail(i, "The operator {op} requires argument {i} to be a TensorType, but got {type}", i, c.types[i])
		case t.DType != src.DType:
			return c.fail(i, "The operator {op} requires all src tensors to have matching dtype, but argument {i} has {dtype} (expected {dtype})", i, t.DType, src.DType)
		case len(t.Shape) != len(src.Shape):
			return c.fail(i, "The operator {op} requires all src tensors to have matching rank")
		}
		for a := range last {
			if differ(t.Shape[a], src.Shape[a]) {
				return c.fail(i, "The operator {op} requires all src tensors to match shape on non-concat axis {axis}, but argument {i} differs", a, i)
			}
		}
		sum = arith.Add(sum, t.Shape[last])
	}
	return tensorWith(replaced(src.Shape, last, sum), src.DType, nil, false)
}
