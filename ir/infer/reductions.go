package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// reductions are row and column reductions (spec 02 §5.6).
var reductions = map[string]rule{
	"tile.row_sum": rowReduce, "tile.row_max": rowReduce, "tile.row_min": rowReduce, "tile.row_prod": rowReduce,
	"tile.row_argmax": rowReduce, "tile.row_argmin": rowReduce,
	"tile.col_max": colReduce, "tile.col_min": colReduce, "tile.col_prod": colReduce, "tile.col_argmax": colReduce,
	"tile.col_argmin": colReduce, "tile.col_sum": colSum,
}

const (
	rank2Tile    = "The operator {op} requires at least a 2D tile, but got {value} dimensions"
	emptyReduced = "{op}: input valid extent on axis {i} is 0 (valid_shape {shape}), so the reduction has no real data to consume. The backend reduction kernels require a non-empty valid region on every axis and assert on an empty one, and an empty region also leaves max/min with no value to return. Widen the valid region, or guard the reduction so it does not run when the axis can be empty."
)

// nonEmpty rejects a reduction over a provably empty region (spec 02 §4.8).
func (c *call) nonEmpty(valid []ir.Expr) bool {
	for i, e := range valid {
		if arith.ProvablyZero(e) {
			c.fail(0, emptyReduced, i, valid)
			return false
		}
	}
	return true
}

func (c *call) isArg() bool {
	switch c.op.Name {
	case "tile.row_argmax", "tile.row_argmin", "tile.col_argmax", "tile.col_argmin",
		"tensor.row_argmax", "tensor.row_argmin", "tensor.col_argmax", "tensor.col_argmin":
		return true
	}
	return false
}

func rowReduce(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments, but got {count}") {
		return nil
	}
	t := c.tile(0, firstTile)
	if t == nil {
		return nil
	}
	if len(t.Shape) < 2 {
		return c.fail(-1, rank2Tile, len(t.Shape))
	}
	if !c.rowScratch(t) {
		return nil
	}
	valid, ok := c.valid(t)
	if !ok || !c.nonEmpty(valid) {
		return nil
	}
	if c.op.Name == "tile.row_min" {
		if !oneOf(t.DType, ir.INT16, ir.INT32, ir.FP16, ir.FP32) {
			return c.fail(0, "The operator tile.row_min requires input dtype in {INT16, INT32, FP16, FP32}, but got {dtype}", t.DType)
		}
		if l := t.LayoutView(); l.BLayout != ir.RowMajor || l.SLayout != ir.NoneBox {
			return c.fail(0, "The operator tile.row_min requires an ND input layout (blayout=row_major, slayout=none_box), but got blayout={layout}, slayout={layout}", l.BLayout, l.SLayout)
		}
	}
	return c.reduced(t, valid, len(t.Shape)-1, ir.ColMajor)
}

// rowScratch checks the tmp_tile operand.
func (c *call) rowScratch(t *ir.TileType) bool {
	tmp := c.tile(1, "The operator {op} requires tmp_tile to be a TileType, but got {type}")
	switch {
	case tmp == nil:
		return false
	case tmp.DType != t.DType:
		c.fail(1, "The operator {op} requires tmp_tile dtype to match input dtype, but got tmp_tile dtype {dtype} and input dtype {dtype}", tmp.DType, t.DType)
		return false
	case len(tmp.Shape) != len(t.Shape):
		c.fail(1, "The operator {op} requires tmp_tile to have the same rank as the input, but got tmp_tile shape {shape} and input shape {shape}", tmp.Shape, t.Shape)
		return false
	}
	for i := range t.Shape {
		if c.isArg() {
			if !equalByValue(tmp.Shape[i], t.Shape[i]) {
				c.fail(1, "The operator {op} requires tmp_tile shape to exactly match the input shape, but dimension {i} differs; got tmp_tile shape {shape} and input shape {shape}", i, tmp.Shape, t.Shape)
				return false
			}
			continue
		}
		if undersized(tmp.Shape[i], t.Shape[i]) {
			c.fail(1, "The operator {op} requires tmp_tile shape to be at least the input shape in every dimension, but tmp_tile dimension {i} is undersized; got tmp_tile shape {shape} and input shape {shape}", i, tmp.Shape, t.Shape)
			return false
		}
	}
	return true
}

// undersized reports have < need: two constants by value, else only when
// have ≥ need is disproved.
func undersized(have, need ir.Expr) bool {
	if x, y, ok := bothConst(have, need); ok {
		return x < y
	}
	return arith.ProveLessEqual(need, have) == arith.False
}

var one = ir.Index(1)

// reduced is t with axis i reduced to 1; nothing of t's layout is inherited.
func (c *call) reduced(t *ir.TileType, valid []ir.Expr, i int, b ir.TileLayout) ir.Type {
	d := t.DType
	if c.isArg() {
		d = ir.INT32
	}
	shape := replaced(t.Shape, i, one)
	if &valid[0] == &t.Shape[0] {
		valid = shape
	} else {
		valid = replaced(valid, i, one)
	}
	return c.newTile(shape, d, ir.TileView{ValidShape: valid, BLayout: b, SLayout: ir.NoneBox, Fractal: 512})
}

func colReduce(c *call) ir.Type {
	switch {
	case !c.isArg():
		if !c.arity(1, "The operator {op} requires 1 argument, but got {count}") {
			return nil
		}
	case !c.arity(2, "The operator {op} requires 2 arguments, but got {count}"):
		return nil
	}
	return c.colReduced()
}

func (c *call) colReduced() ir.Type {
	t := c.tile(0, firstTile)
	if t == nil {
		return nil
	}
	if len(t.Shape) < 2 {
		return c.fail(-1, rank2Tile, len(t.Shape))
	}
	valid, ok := c.valid(t)
	if !ok || !c.nonEmpty(valid) {
		return nil
	}
	return c.reduced(t, valid, 0, ir.RowMajor)
}

func colSum(c *call) ir.Type {
	if !c.arityIn(1, 2, "The operator tile.col_sum requires 1 or 2 arguments, but got {count}") {
		return nil
	}
	t := c.tile(0, "The operator tile.col_sum requires first argument to be a TileType, but got {type}")
	if t == nil {
		return nil
	}
	if len(c.args) == 2 {
		tmp := c.tile(1, "The operator tile.col_sum requires tmp_tile to be a TileType, but got {type}")
		if tmp == nil {
			return nil
		}
		if tmp.DType != t.DType {
			return c.fail(-1, "The operator tile.col_sum requires tmp_tile dtype to match input dtype")
		}
	}
	return c.colReduced()
}
