package infer

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// mgather gathers from global memory by an index tile (Vec) or an index tensor
// (Mat), row by row or element by element (spec 02 §5.13).
func mgather(c *call) ir.Type {
	if !c.arityIn(2, 4, "The operator {op} requires (mem, idx), optionally followed by scratch and/or valid_shape, but got {count} arguments") {
		return nil
	}
	mem := c.tensor(0, "The operator {op} requires mem to be a TensorType or DistributedTensorType, but got {type}")
	switch {
	case mem == nil:
		return nil
	case !oneOf(mem.DType, ir.INT8, ir.UINT8, ir.INT16, ir.UINT16, ir.INT32, ir.UINT32, ir.FP16, ir.BF16, ir.FP32, ir.FP8E4M3FN, ir.FP8E5M2, ir.HF8):
		return c.fail(-1, "The operator {op} requires mem dtype in {I8, U8, I16, U16, I32, U32, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, HF8}, but got {dtype}", mem.DType)
	case len(mem.Shape) == 0:
		return c.fail(-1, "The operator {op} requires mem to have at least one dimension")
	}
	coalesce := c.intKwarg("coalesce", 0)
	if coalesce != 0 && coalesce != 1 {
		return c.fail(-1, "The operator {op} requires coalesce in {0 (row), 1 (elem)}, but got {value}", coalesce)
	}
	if oob := c.intKwarg("gather_oob", 0); oob < 0 || oob > 3 {
		return c.fail(-1, "The operator {op} requires gather_oob in {0 (undefined), 1 (clamp), 2 (wrap), 3 (zero)}, but got {value}", oob)
	}
	target := c.spaceKwarg("target_memory", platforms.Vec)
	elem := coalesce == 1
	switch {
	case target != platforms.Vec && target != platforms.Mat:
		return c.fail(-1, "The operator {op} requires target_memory to be Vec or Mat")
	case target == platforms.Vec:
		if len(c.args) > 2 {
			return c.fail(-1, "The operator {op} permits scratch only for Mat elem mode")
		}
		return c.mgatherVec(mem, elem)
	case !plainND(mem):
		return c.fail(-1, "The operator {op} with Mat output requires mem to use ND tensor layout")
	}
	idx := c.tensor(1, "The operator {op} with Mat output requires idx to be a GM TensorType, but got {type}")
	switch {
	case idx == nil:
		return nil
	case !plainND(idx):
		return c.fail(-1, "The operator {op} with Mat output requires idx to use ND tensor layout")
	case idx.DType != ir.INT32:
		return c.fail(-1, "The operator {op} requires Mat idx dtype to be INT32, but got {dtype}", idx.DType)
	case len(idx.Shape) != 2:
		return c.fail(-1, "The operator {op} requires a 2D Mat idx tensor, but got rank {n}", len(idx.Shape))
	case elem:
		return c.mgatherMatElem(mem, idx)
	}
	return c.mgatherMatRow(mem, idx)
}

func plainND(t *ir.TensorType) bool { return t.View == nil || t.View.Layout == ir.LayoutND }

func (c *call) mgatherVec(mem *ir.TensorType, elem bool) ir.Type {
	idx := c.tile(1, "The operator {op} with Vec output requires idx to be a TileType, but got {type}")
	switch {
	case idx == nil:
		return nil
	case idx.DType != ir.INT32:
		return c.fail(-1, "The operator {op} requires idx dtype to be INT32, but got {dtype}", idx.DType)
	case len(idx.Shape) != 2:
		return c.fail(-1, "The operator {op} requires a 2D idx tile, but got rank {n}", len(idx.Shape))
	}
	valid := ir.ValidShape(idx)
	if elem {
		if len(valid) != 2 {
			return c.fail(-1, "The operator {op} requires a 2D idx valid shape")
		}
		return c.newTile(idx.Shape, mem.DType, flat(valid))
	}
	if len(mem.Shape) < 2 {
		return c.fail(-1, "The operator {op} row mode requires mem rank >= 2 so rows have an element dimension, but got rank {n}", len(mem.Shape))
	}
	a, b, ok := bothConst(idx.Shape[0], idx.Shape[1])
	switch {
	case !ok:
		return c.fail(-1, "The operator {op} row mode requires a static [1, R] or [R, 1] idx shape")
	case a != 1 && b != 1:
		return c.fail(-1, "The operator {op} row mode requires a [1, R] or [R, 1] idx shape, but got [{value}, {value}]", a, b)
	case len(valid) != 2:
		return c.fail(-1, "The operator {op} requires a 2D idx valid shape")
	}
	rows := 1 // the axis of idx that counts rows
	if a != 1 {
		rows = 0
	}
	last := mem.Shape[len(mem.Shape)-1]
	return c.newTile([]ir.Expr{idx.Shape[rows], last}, mem.DType, flat([]ir.Expr{valid[rows], last}))
}

func (c *call) mgatherMatElem(mem, idx *ir.TensorType) ir.Type {
	if len(c.args) < 3 {
		return c.fail(-1, "The operator {op} Mat elem mode requires GM scratch and optionally accepts valid_shape")
	}
	if c.args[2] == c.args[0] || c.args[2] == c.args[1] {
		return c.fail(-1, "The operator {op} Mat elem scratch must not alias mem or idx; use a distinct GM tensor")
	}
	scratch := c.tensor(2, "The operator {op} Mat elem scratch must be a GM tensor")
	switch {
	case scratch == nil:
		return nil
	case scratch.DType != mem.DType:
		return c.fail(-1, "The operator {op} Mat elem scratch dtype must match mem dtype")
	case !plainND(scratch) || !packed(scratch):
		return c.fail(-1, "The operator {op} Mat elem scratch must be a contiguous ND tensor")
	}
	need, ok := product(idx.Shape)
	if !ok {
		return c.fail(-1, "The operator {op} Mat elem output shape must be static")
	}
	have, ok := product(scratch.Shape)
	switch {
	case !ok:
		return c.fail(-1, "The operator {op} Mat elem scratch shape must be static")
	case have < need:
		return c.fail(-1, "The operator {op} Mat elem scratch requires at least {value} elements, but got {value}", need, have)
	}
	return c.mgatherMat(mem, idx.Shape, 3)
}

func (c *call) mgatherMatRow(mem, idx *ir.TensorType) ir.Type {
	switch {
	case len(c.args) > 3:
		return c.fail(-1, "The operator {op} Mat row mode accepts only an optional valid_shape")
	case len(mem.Shape) < 2:
		return c.fail(-1, "The operator {op} Mat row mode requires mem rank >= 2")
	case !isOne(idx.Shape[0]):
		return c.fail(-1, "The operator {op} Mat row mode requires a [1, R] GM idx tensor")
	}
	return c.mgatherMat(mem, []ir.Expr{idx.Shape[1], mem.Shape[len(mem.Shape)-1]}, 2)
}

// mgatherMat is the result in Mat; operand i may be its valid shape.
func (c *call) mgatherMat(mem *ir.TensorType, shape []ir.Expr, i int) ir.Type {
	rows, cols, ok := bothConst(shape[0], shape[1])
	switch {
	case !ok:
		return c.fail(-1, "The operator {op} Mat output shape must be static")
	case mem.DType.Bytes() == 0 || 32%mem.DType.Bytes() != 0:
		return c.fail(-1, "The operator {op} requires a byte-addressable mem dtype")
	case rows%16 != 0:
		return c.fail(-1, "The operator {op} Mat output rows must be a multiple of 16")
	}
	if n := int64(32 / mem.DType.Bytes()); cols%n != 0 {
		return c.fail(-1, "The operator {op} Mat output cols must be a multiple of {value}", n)
	}
	view := ir.TileView{BLayout: ir.ColMajor, SLayout: ir.RowMajor, Fractal: 512}
	if len(c.args) > i {
		t, ok := c.literal(i)
		if !ok {
			return c.fail(-1, "The operator {op} Mat valid_shape must be a MakeTuple of compile-time constants")
		}
		if len(t.Elems) != 2 {
			return c.fail(-1, "The operator {op} Mat valid_shape must have rank {n}, but got {n}", 2, len(t.Elems))
		}
		for k, e := range t.Elems {
			v, isConst := ir.ConstValue(e)
			if !isConst {
				return c.fail(-1, "The operator {op} Mat valid_shape element {i} must be a compile-time constant", k)
			}
			if dim, _ := ir.ConstValue(shape[k]); v <= 0 || v > dim {
				return c.fail(-1, "The operator {op} requires 0 < Mat valid_shape[{i}] <= output_shape[{i}], but got {value} and {value}", k, k, v, dim)
			}
		}
		view.ValidShape = t.Elems
	}
	return c.newTile(shape, mem.DType, view)
}
