package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// views are the operators that look at or rearrange a whole tile (spec 02
// §5.12).
var views = map[string]rule{"tile.reshape": tileReshape, "tile.reinterpret_view": tileReinterpret, "tile.transpose": tileTranspose,
	"tile.transpose_view": transposeView, "tile.set_validshape": setValidShape, "tile.concat": tileConcat}

func foldMul(a, b ir.Expr) ir.Expr { return arith.Mul(a, b) }

const (
	elemScalar = "{op} {arg_name} tuple element {i} must be ScalarType, but got {type}"
	elemIndex  = "{op} {arg_name} tuple element {i} must have dtype INT64, UINT64, or INDEX, but got {dtype}"
)

// indexTuple checks that operand i is a tuple of index-like scalars.
func (c *call) indexTuple(i int, name, notTuple string) bool {
	_, ok := c.eachElem(i, func(k int, t ir.Type) bool {
		s, isScalar := t.(*ir.ScalarType)
		switch {
		case !isScalar:
			c.fail(-1, elemScalar, name, k, t)
		case !s.DType.IsIndexLike():
			c.fail(-1, elemIndex, name, k, s.DType)
		}
		return c.problem == nil
	})
	if !ok {
		c.fail(i, notTuple, c.types[i])
	}
	return c.problem == nil
}

// elems are the elements of operand i, a tuple; ok is false (with a degraded
// result) when it is no literal.
func (c *call) elems(i int) ([]ir.Expr, bool) {
	t, ok := c.literal(i)
	if !ok {
		c.degrade("a tuple operand is not a literal")
		return nil, false
	}
	return t.Elems, true
}

func tileReshape(c *call) ir.Type {
	if !c.arity(2, "tile.reshape requires exactly 2 arguments (input, shape), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.reshape requires first argument to be a TileType, but got {type}")
	if t == nil || !c.indexTuple(1, "shape", "tile.reshape requires shape to be TupleType, but got {type}") {
		return nil
	}
	shape, ok := c.elems(1)
	if !ok {
		return nil
	}
	a, okA := product(t.Shape)
	b, okB := product(shape)
	if okA && okB && a != b {
		return c.fail(-1, "tile.reshape: cannot reshape tile of size {value} into shape with size {value}", a, b)
	}
	valid, ok := c.valid(t)
	if !ok {
		return nil
	}
	src := t.LayoutView()
	if valid, ok = c.reshapeValid(t.Shape, valid, shape, src.BLayout == ir.RowMajor); !ok {
		return nil
	}
	return c.newTile(shape, t.DType, ir.TileView{ValidShape: valid, BLayout: ir.ShapeBLayout(shape), SLayout: ir.NoneBox, Fractal: 512,
		Pad: src.Pad, Compact: src.Compact})
}

// constAxis is an axis operand, counted from the end when negative.
func (c *call) constAxis(i, rank int, notConst, outOfRange string) (int, bool) {
	v, ok := ir.ConstValue(c.args[i])
	if !ok {
		c.fail(-1, notConst)
		return 0, false
	}
	axis := v
	if axis < 0 {
		axis += int64(rank)
	}
	if axis < 0 || axis >= int64(rank) {
		c.fail(-1, outOfRange, v, rank)
		return 0, false
	}
	return int(axis), true
}

// tileTranspose is fully valid whatever the source.
func tileTranspose(c *call) ir.Type {
	if !c.arityIn(3, 4, "tile.transpose requires 3 or 4 arguments (input, axis1, axis2[, tmp]), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.transpose: first argument (input) must be TileType, but got {type}")
	if t == nil {
		return nil
	}
	if len(t.Shape) < 2 {
		return c.fail(-1, "tile.transpose requires at least 2 dimensions, but got {value}", len(t.Shape))
	}
	if len(c.args) == 4 {
		tmp := c.tile(3, "tile.transpose: fourth argument (tmp) must be TileType, but got {type}")
		switch {
		case tmp == nil:
			return nil
		case tmp.DType != t.DType:
			return c.fail(-1, "tile.transpose: tmp dtype must match input dtype, got input={dtype} tmp={dtype}", t.DType, tmp.DType)
		case len(tmp.Shape) != len(t.Shape):
			return c.fail(-1, "tile.transpose: tmp rank must match input rank, got input rank={n} tmp rank={n}", len(t.Shape), len(tmp.Shape))
		}
	}
	const outOfRange = "Axis {axis} is out of range for {value}D tile"
	a, ok := c.constAxis(1, len(t.Shape), "tile.transpose requires second argument (axis1) to be a ConstInt", outOfRange)
	if !ok {
		return nil
	}
	b, ok := c.constAxis(2, len(t.Shape), "tile.transpose requires third argument (axis2) to be a ConstInt", outOfRange)
	if !ok {
		return nil
	}
	if a == b {
		return c.fail(-1, "tile.transpose: axis1 and axis2 must be different, but got axis1={axis1}, axis2={axis2}", a, b)
	}
	return c.newTile(swapped(t.Shape, a, b), t.DType, flat(nil))
}

func swapped(l []ir.Expr, a, b int) []ir.Expr {
	out := append([]ir.Expr(nil), l...)
	out[a], out[b] = out[b], out[a]
	return out
}

func transposeView(c *call) ir.Type {
	if !c.arity(1, "tile.transpose_view requires exactly 1 argument (input), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.transpose_view requires input to be a TileType, but got {type}")
	if t == nil {
		return nil
	}
	n := len(t.Shape)
	if n < 2 {
		return c.fail(-1, "tile.transpose_view requires at least 2 dimensions, but got {value}", n)
	}
	valid, ok := c.valid(t)
	if !ok {
		return nil
	}
	src := t.LayoutView()
	return c.tileIn(swapped(t.Shape, n-2, n-1), t.DType, ir.TileView{ValidShape: swapped(valid, n-2, n-1), BLayout: otherMajor(src.BLayout),
		SLayout: otherMajor(src.SLayout), Fractal: src.Fractal, Pad: src.Pad, Compact: src.Compact}, t.Space)
}

func otherMajor(l ir.TileLayout) ir.TileLayout {
	switch l {
	case ir.RowMajor:
		return ir.ColMajor
	case ir.ColMajor:
		return ir.RowMajor
	}
	return l
}

func setValidShape(c *call) ir.Type {
	if !c.arity(3, "tile.set_validshape requires exactly 3 arguments (tile, valid_rows, valid_cols), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.set_validshape requires first argument to be a TileType, but got {type}")
	if t == nil {
		return nil
	}
	if len(t.Shape) != 2 {
		return c.fail(-1, "tile.set_validshape requires a 2D tile, but got rank {n}", len(t.Shape))
	}
	for _, o := range [2]struct {
		i                   int
		notScalar, notIndex string
	}{
		{1, "tile.set_validshape valid_rows must be ScalarType, but got {type}", "tile.set_validshape valid_rows must have dtype INT64, UINT64, or INDEX, but got {dtype}"},
		{2, "tile.set_validshape valid_cols must be ScalarType, but got {type}", "tile.set_validshape valid_cols must have dtype INT64, UINT64, or INDEX, but got {dtype}"},
	} {
		s := c.scalar(o.i, o.notScalar)
		if s == nil {
			return nil
		}
		if !s.DType.IsIndexLike() {
			return c.fail(-1, o.notIndex, s.DType)
		}
	}
	for i, name := range [2]string{"valid_rows", "valid_cols"} {
		v, ok := ir.ConstValue(c.args[i+1])
		if !ok {
			continue
		}
		if v < 0 {
			return c.fail(-1, "tile.set_validshape {name} must be >= 0, got {value}", name, v)
		}
		if dim, ok := ir.ConstValue(t.Shape[i]); ok && v > dim {
			return c.fail(-1, "tile.set_validshape {name} ({value}) exceeds tile bound {value}", name, v, dim)
		}
	}
	return c.newTile(t.Shape, t.DType, effective(t, []ir.Expr{c.args[1], c.args[2]}))
}

func tileConcat(c *call) ir.Type {
	if !c.arity(2, "tile.concat requires 2 arguments (src0, src1), got {count}") {
		return nil
	}
	a := c.tile(0, "tile.concat: src0 must be TileType, got {type}")
	if a == nil {
		return nil
	}
	b := c.tile(1, "tile.concat: src1 must be TileType, got {type}")
	switch {
	case b == nil:
		return nil
	case a.DType != b.DType:
		return c.fail(-1, "tile.concat: src0 and src1 must have same dtype, got {dtype} and {dtype}", a.DType, b.DType)
	case len(a.Shape) != 2 || len(b.Shape) != 2:
		return c.fail(-1, "tile.concat requires 2D tiles")
	case differ(a.Shape[0], b.Shape[0]):
		return c.fail(-1, "tile.concat: row count must match, got {value} vs {value}", a.Shape[0], b.Shape[0])
	}
	return c.newTile([]ir.Expr{a.Shape[0], arith.Add(a.Shape[1], b.Shape[1])}, a.DType, flat(nil))
}
