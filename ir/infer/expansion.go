package infer

import (
	"pypto-ls/ir"
)

// expansion are row and column broadcasts (spec 02 §5.5).
var expansion = map[string]rule{
	"tile.row_expand": rowExpand, "tile.row_expand_sub": rowExpand, "tile.row_expand_div": rowExpand, "tile.row_expand_mul": rowExpand,
	"tile.row_expand_max": rowExpand, "tile.row_expand_min": rowExpand, "tile.row_expand_expdif": rowExpand,
	"tile.row_expand_add": rowExpandAdd,
	"tile.col_expand":     colExpand, "tile.col_expand_add": colExpand, "tile.col_expand_sub": colExpand, "tile.col_expand_div": colExpand,
	"tile.col_expand_mul": colExpand, "tile.col_expand_max": colExpand, "tile.col_expand_min": colExpand, "tile.col_expand_expdif": colExpand,
	"tile.expands": tileExpands,
}

const (
	firstRank2  = "The operator {op} requires first argument to have at least 2 dimensions, but got {n} dimensions"
	secondRank2 = "The operator {op} requires second argument to have at least 2 dimensions, but got {n} dimensions"
	lastIsOne   = "The operator {op} requires second argument's last dimension to be 1, but got {shape}"
)

func (c *call) ranks2(a, b []ir.Expr) bool {
	switch {
	case len(a) < 2:
		c.fail(-1, firstRank2, len(a))
	case len(b) < 2:
		c.fail(-1, secondRank2, len(b))
	default:
		return true
	}
	return false
}

func rowExpand(c *call) ir.Type {
	a, b := c.twoTiles()
	if b == nil || !c.ranks2(a.Shape, b.Shape) {
		return nil
	}
	if !isOne(b.Shape[len(b.Shape)-1]) {
		return c.fail(-1, lastIsOne, b.Shape)
	}
	ra, rb := a.Shape[len(a.Shape)-2], b.Shape[len(b.Shape)-2]
	if differ(ra, rb) {
		return c.fail(-1, "The operator {op} requires matching row dimensions, but got tile rows={value} and row_vec rows={value}", ra, rb)
	}
	return c.like(a, promote(a.DType, b.DType))
}

// rowExpandAdd has a contract of its own: src1 is [M, 1] column-major or
// [M, 32/bytes] row-major.
func rowExpandAdd(c *call) ir.Type {
	if !c.arityIn(2, 3, "The operator {op} requires 2 or 3 arguments, but got {count}") {
		return nil
	}
	a := c.tile(0, firstTile)
	if a == nil {
		return nil
	}
	b := c.tile(1, secondTile)
	if b == nil {
		return nil
	}
	if len(c.args) == 3 && c.tile(2, "The operator {op} requires optional third argument tmp to be a TileType, but got {type}") == nil {
		return nil
	}
	if !c.ranks2(a.Shape, b.Shape) {
		return nil
	}
	switch {
	case a.LayoutView().BLayout != ir.RowMajor:
		return c.fail(-1, "The operator {op} requires src0 effective blayout to be row_major")
	case a.DType != b.DType:
		return c.fail(-1, "The operator {op} requires src0 and src1 to have the same dtype, but got {dtype} and {dtype}", a.DType, b.DType)
	case !oneOf(a.DType, ir.INT8, ir.INT16, ir.INT32, ir.FP16, ir.FP32):
		return c.fail(-1, "The operator {op} requires dtype in {INT8, INT16, INT32, FP16, FP32}, but got {dtype}", a.DType)
	}
	va, ok := c.valid(a)
	if !ok {
		return nil
	}
	vb, ok := c.valid(b)
	if !ok {
		return nil
	}
	if !equalByValue(va[len(va)-2], vb[len(vb)-2]) {
		return c.fail(-1, "The operator {op} requires src1 valid row extent to match src0/dst, but got src0 valid_shape {shape} and src1 valid_shape {shape}", va, vb)
	}
	if b.DType.Bits()%8 != 0 {
		return c.fail(-1, "The operator {op} requires a byte-addressable src1 dtype, but got {dtype}", b.DType)
	}
	which, want := 1, int64(1)
	if b.LayoutView().BLayout == ir.RowMajor {
		which, want = 0, int64(32/b.DType.Bytes())
	}
	if !equalByValue(vb[len(vb)-1], ir.Index(want)) {
		return c.fail(-1, "The operator {op} requires {row-major|non-row-major} src1 valid last dimension to be {value}, but got valid_shape {shape}", which, want, vb)
	}
	return c.like(a, a.DType)
}

// colExpand does not look at the column operand's shape.
func colExpand(c *call) ir.Type {
	a, b := c.twoTiles()
	if b == nil {
		return nil
	}
	return c.like(a, promote(a.DType, b.DType))
}

func tileExpands(c *call) ir.Type {
	t, s := c.tileAndScalar()
	if s == nil {
		return nil
	}
	return c.like(t, promote(t.DType, s.DType))
}
