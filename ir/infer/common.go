package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
	"pypto-ls/platforms"
)

// Texts that many operators share.
const (
	exactly1     = "The operator {op} requires exactly 1 argument, but got {count}"
	exactly2     = "The operator {op} requires exactly 2 arguments, but got {count}"
	exactly3     = "The operator {op} requires exactly 3 arguments, but got {count}"
	exactly4     = "The operator {op} requires exactly 4 arguments, but got {count}"
	theTile      = "The operator {op} requires argument to be a TileType, but got {type}"
	firstTile    = "The operator {op} requires first argument to be a TileType, but got {type}"
	secondTile   = "The operator {op} requires second argument to be a TileType, but got {type}"
	thirdTile    = "The operator {op} requires third argument to be a TileType, but got {type}"
	thirdTmp     = "The operator {op} requires third argument (tmp) to be a TileType, but got {type}"
	secondScalar = "The operator {op} requires second argument to be a ScalarType, but got {type}"
	integerTile  = "The operator {op} requires integer tile dtype, but got {dtype}"
	shapesShown  = "The operator {op} requires compatible shapes, but got {shape} and {shape}"
	shapesBare   = "The operator {op} requires compatible shapes"
)

// broadcast aligns two shapes from the right (spec 02 §4.1).
func broadcast(a, b []ir.Expr) ([]ir.Expr, bool) {
	long, short := a, b
	if len(b) > len(a) {
		long, short = b, a
	}
	lead := len(long) - len(short)
	out := long
	copied := false
	set := func(i int, e ir.Expr) {
		if out[i] == e {
			return
		}
		if !copied {
			out, copied = append([]ir.Expr(nil), out...), true
		}
		out[i] = e
	}
	for i := range short {
		x, y := a[len(a)-len(short)+i], b[len(b)-len(short)+i]
		switch {
		case arith.DimensionsEqual(x, y):
			set(lead+i, x)
		case isOne(x):
			set(lead+i, y)
		case isOne(y):
			set(lead+i, x)
		default:
			return nil, false
		}
	}
	return out, true
}

func isOne(e ir.Expr) bool {
	v, ok := ir.ConstValue(e)
	return ok && v == 1
}

// promote is the element type of a result over two operands (spec 02 §4.2).
func promote(a, b ir.DType) ir.DType {
	switch {
	case a == b:
		return a
	case a.IsFloat() != b.IsFloat():
		if a.IsFloat() {
			return a
		}
		return b
	case a.Bits() != b.Bits():
		if a.Bits() > b.Bits() {
			return a
		}
		return b
	case !a.IsSigned() && b.IsSigned():
		return b
	}
	return a
}

// valid is the effective valid shape of a tile or tensor operand, which must
// have the rank of the shape.
func (c *call) valid(t ir.Type) ([]ir.Expr, bool) {
	v := ir.ValidShape(t)
	switch t := t.(type) {
	case *ir.TileType:
		if len(v) != len(t.Shape) {
			c.fail(-1, "TileType valid_shape rank ({n}) must match the physical shape rank ({n}): valid_shape {shape} vs shape {shape}", len(v), len(t.Shape), v, t.Shape)
			return nil, false
		}
	case *ir.TensorType:
		if len(v) != len(t.Shape) {
			c.fail(-1, "TensorType valid_shape rank ({n}) must match the physical shape rank ({n}): valid_shape {shape} vs shape {shape}", len(v), len(t.Shape), v, t.Shape)
			return nil, false
		}
	}
	return v, true
}

// inherit is the view that most operators give their result: blayout, slayout,
// pad and compact of t; fractal 512, no stride and no start offset (spec 02
// §3.2).
func inherit(t *ir.TileType, valid []ir.Expr) ir.TileView {
	l := t.LayoutView()
	return ir.TileView{ValidShape: valid, BLayout: l.BLayout, SLayout: l.SLayout, Fractal: 512, Pad: l.Pad, Compact: l.Compact}
}

// flat is a row-major, unboxed view.
func flat(valid []ir.Expr) ir.TileView {
	return ir.TileView{ValidShape: valid, BLayout: ir.RowMajor, SLayout: ir.NoneBox, Fractal: 512}
}

// effective is the effective view of t with another valid shape.
func effective(t *ir.TileType, valid []ir.Expr) ir.TileView {
	v := *t.LayoutView()
	v.ValidShape = valid
	return v
}

// newTile builds a result without memory space; call creation sets it.
func (c *call) newTile(shape []ir.Expr, d ir.DType, v ir.TileView) ir.Type {
	return c.tileIn(shape, d, v, platforms.NoSpace)
}

// tileIn builds a result whose space the rule knows itself.
func (c *call) tileIn(shape []ir.Expr, d ir.DType, v ir.TileView, s ir.Space) ir.Type {
	if text := ir.CheckShaped(shape, d); text != "" {
		return c.fail(-1, "{value}", text)
	}
	if c.tiles != nil {
		c.made = c.tiles.NewTileTypeOf(shape, d, v, s)
	} else {
		c.made = ir.NewTileTypeOf(shape, d, v, s)
	}
	return c.made
}

// like is a result of t's shape, valid shape and layout with another dtype.
func (c *call) like(t *ir.TileType, d ir.DType) ir.Type { return c.shaped(t, t.Shape, d) }

// shaped is a result of another shape that keeps t's valid shape as it is and
// its layout.
func (c *call) shaped(t *ir.TileType, shape []ir.Expr, d ir.DType) ir.Type {
	v, ok := c.valid(t)
	if !ok {
		return nil
	}
	return c.newTile(shape, d, inherit(t, v))
}

// replaced is shape with another extent at axis i.
func replaced(shape []ir.Expr, i int, e ir.Expr) []ir.Expr {
	out := append([]ir.Expr(nil), shape...)
	out[i] = e
	return out
}

// bothConst reports two constant extents.
func bothConst(a, b ir.Expr) (x, y int64, ok bool) {
	x, okX := ir.ConstValue(a)
	y, okY := ir.ConstValue(b)
	return x, y, okX && okY
}

// differ reports two extents that are constants of different values.
func differ(a, b ir.Expr) bool {
	x, y, ok := bothConst(a, b)
	return ok && x != y
}

// equalByValue is a provable equality that ignores signedness of constants.
func equalByValue(a, b ir.Expr) bool { return arith.ProveEqualByValue(a, b) == arith.True }

// allEqualByValue is equalByValue on every axis.
func allEqualByValue(a, b []ir.Expr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equalByValue(a[i], b[i]) {
			return false
		}
	}
	return true
}

// product is the product of constant extents; ok is false when one is not
// constant or on overflow.
func product(shape []ir.Expr) (n int64, ok bool) {
	n = 1
	for _, e := range shape {
		v, isConst := ir.ConstValue(e)
		if !isConst {
			return 0, false
		}
		p := n * v
		if v != 0 && (p/v != n || v == -1 && p < 0 && n < 0) {
			return 0, false
		}
		n = p
	}
	return n, true
}
