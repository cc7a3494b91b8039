package infer

import "pypto-ls/ir"

// tensorReductions are reductions of tensors.
var tensorReductions = map[string]rule{
	"tensor.row_sum": tensorReduce, "tensor.row_max": tensorReduce, "tensor.row_min": tensorReduce, "tensor.row_prod": tensorReduce,
	"tensor.row_argmax": tensorReduce, "tensor.row_argmin": tensorReduce,
	"tensor.col_sum": tensorReduce, "tensor.col_max": tensorReduce, "tensor.col_min": tensorReduce, "tensor.col_prod": tensorReduce,
	"tensor.col_argmax": tensorReduce, "tensor.col_argmin": tensorReduce,
}

// tensorReduce sets an axis to 1, or removes it with keep_dim=False.
func tensorReduce(c *call) ir.Type {
	if !c.arity(1, exactly1) {
		return nil
	}
	t := c.plainTensor(0, firstPlain)
	if t == nil {
		return nil
	}
	rank, axis := int64(len(t.Shape)), int64(-1)
	if c.op.Name[:len("tensor.col")] == "tensor.col" {
		if axis = -2; rank < 2 {
			return c.fail(-1, "The operator {op} requires at least a 2D tensor, but got {value} dimensions", rank)
		}
	}
	given := c.intKwarg("axis", axis)
	if axis = given; axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		return c.fail(-1, "The operator {op} axis {axis} is out of range for shape with {value} dimensions", given, rank)
	}
	valid, ok := c.valid(t)
	if !ok || !c.nonEmpty(valid) {
		return nil
	}
	d := t.DType
	if c.isArg() {
		d = ir.INT32
	}
	if c.op.Name == "tensor.row_min" && !oneOf(d, ir.INT16, ir.INT32, ir.FP16, ir.FP32) {
		return c.fail(0, "The operator tensor.row_min requires input dtype in {INT16, INT32, FP16, FP32}, but got {dtype}", d)
	}
	if keep, given := c.kwarg("keep_dim"); given && keep == false {
		if rank == 1 {
			return scalarOf(d)
		}
		return tensorWith(without(t.Shape, int(axis)), d, without(valid, int(axis)), false)
	}
	one := ir.Index(1)
	return tensorWith(replaced(t.Shape, int(axis), one), d, replaced(valid, int(axis), one), false)
}

func without(l []ir.Expr, i int) []ir.Expr {
	return append(append([]ir.Expr(nil), l[:i]...), l[i+1:]...)
}
