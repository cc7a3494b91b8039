package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// comparison are comparison and selection (spec 02 §5.3).
var comparison = map[string]rule{"tile.cmp": tileCmp, "tile.cmps": tileCmp, "tile.sel": tileSel, "tile.sels": tileSels, "tile.prelu": tilePrelu}

// tileCmp makes a packed predicate mask: one bit an element, rows padded to 32
// bytes.
func tileCmp(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	if _, ok := c.kwarg("cmp_type"); !ok {
		return c.fail(-1, "The operator {op} requires 'cmp_type' attribute")
	}
	a := c.tile(0, firstTile)
	if a == nil {
		return nil
	}
	shape := a.Shape
	if c.op.Name == "tile.cmps" {
		if c.scalar(1, secondScalar) == nil {
			return nil
		}
	} else {
		b := c.tile(1, secondTile)
		if b == nil {
			return nil
		}
		var ok bool
		if shape, ok = broadcast(a.Shape, b.Shape); !ok {
			return c.fail(-1, shapesShown, a.Shape, b.Shape)
		}
	}
	valid, ok := c.valid(a)
	if !ok {
		return nil
	}
	if len(shape) == 0 || len(valid) == 0 {
		return c.bug(-1, "tile.cmp/tile.cmps require a non-empty tile shape for packed predicate mask inference")
	}
	shape = replaced(shape, len(shape)-1, maskRow(shape[len(shape)-1]))
	valid = replaced(valid, len(valid)-1, packedBits(valid[len(valid)-1]))
	return c.newTile(shape, ir.UINT8, inherit(a, valid))
}

// packedBits is ceil(e / 8); for a runtime extent the expression is not
// folded.
func packedBits(e ir.Expr) ir.Expr {
	if v, ok := ir.ConstValue(e); ok {
		return ir.Index((v + 7) / 8)
	}
	return rounded(e, 8)
}

// maskRow is packedBits rounded up to 32.
func maskRow(e ir.Expr) ir.Expr {
	p := packedBits(e)
	if v, ok := ir.ConstValue(p); ok {
		return ir.Index((v + 31) / 32 * 32)
	}
	return scaled(ir.Mul, rounded(p, 32), 32)
}

// rounded is (e + n - 1) // n.
func rounded(e ir.Expr, n int64) ir.Expr { return scaled(ir.FloorDiv, scaled(ir.Add, e, n-1), n) }

// scaled is `e op n` as a node, not folded.
func scaled(op ir.BinOp, e ir.Expr, n int64) ir.Expr {
	return &ir.Binary{Op: op, X: e, Y: ir.Index(n), DType: arith.Promote(arith.DTypeOf(e), ir.INDEX)}
}

func tileSel(c *call) ir.Type {
	if !c.arity(4, exactly4) {
		return nil
	}
	var t [4]*ir.TileType
	for i, text := range [4]string{
		"The operator {op} requires first argument (mask) to be a TileType, but got {type}",
		"The operator {op} requires second argument (lhs) to be a TileType, but got {type}",
		"The operator {op} requires third argument (rhs) to be a TileType, but got {type}",
		"The operator {op} requires fourth argument (tmp) to be a TileType, but got {type}",
	} {
		if t[i] = c.tile(i, text); t[i] == nil {
			return nil
		}
	}
	return c.broadcastTiles(t[1], t[2])
}

func tileSels(c *call) ir.Type {
	if !c.arity(4, exactly4) {
		return nil
	}
	mask := c.tile(0, "The operator {op} requires mask to be a TileType, but got {type}")
	if mask == nil {
		return nil
	}
	src := c.tile(1, "The operator {op} requires src to be a TileType, but got {type}")
	if src == nil {
		return nil
	}
	tmp := c.tile(2, "The operator {op} requires tmp to be a TileType, but got {type}")
	if tmp == nil {
		return nil
	}
	s := c.scalar(3, "The operator {op} requires scalar to be a ScalarType, but got {type}")
	if s == nil {
		return nil
	}
	switch {
	case len(mask.Shape) != 2:
		return c.fail(0, "The operator {op} requires a rank-2 mask tile, but got rank {n}", len(mask.Shape))
	case !mask.DType.IsInt() || mask.DType.Bits() < 8 || mask.DType.Bits() > 32:
		return c.fail(0, "The operator {op} requires an 8-, 16-, or 32-bit integer mask, but got {dtype}", mask.DType)
	case len(src.Shape) != 2:
		return c.fail(1, "The operator {op} requires a rank-2 src tile, but got rank {n}", len(src.Shape))
	case !oneOf(src.DType, ir.INT8, ir.UINT8, ir.INT16, ir.UINT16, ir.INT32, ir.UINT32, ir.FP16, ir.FP32):
		return c.fail(1, "The operator {op} requires src dtype in {INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, FP32}, but got {dtype}", src.DType)
	case len(tmp.Shape) != 2:
		return c.fail(2, "The operator {op} requires a rank-2 tmp tile, but got rank {n}", len(tmp.Shape))
	case s.DType != signedOf(src.DType):
		return c.fail(3, "The operator {op} requires scalar dtype {dtype} for src dtype {dtype}, but got {dtype}", signedOf(src.DType), src.DType, s.DType)
	}
	return c.selsMask(mask, src)
}

// selsMask checks that the mask holds a bit for every valid element.
func (c *call) selsMask(mask, src *ir.TileType) ir.Type {
	mv, ok := c.valid(mask)
	if !ok {
		return nil
	}
	sv, ok := c.valid(src)
	if !ok {
		return nil
	}
	if arith.ProveLessEqual(sv[0], mv[0]) != arith.True {
		return c.fail(0, "The operator {op} requires mask carrier rows to cover src valid rows, but got mask valid_shape {shape} and src valid_shape {shape}", mv, sv)
	}
	held := arith.Mul(mv[1], ir.Index(int64(mask.DType.Bytes())))
	if arith.ProveLessEqual(packedBits(sv[1]), held) != arith.True {
		return c.fail(0, "The operator {op} requires each mask carrier row to hold at least ceil(src valid columns / 8) packed bytes, but got mask valid_shape {shape} with dtype {dtype} and src valid_shape {shape}", mv, mask.DType, sv)
	}
	return c.like(src, src.DType)
}

// signedOf is the signed type of the width of an unsigned one.
func signedOf(d ir.DType) ir.DType {
	switch d {
	case ir.UINT8:
		return ir.INT8
	case ir.UINT16:
		return ir.INT16
	case ir.UINT32:
		return ir.INT32
	}
	return d
}

func tilePrelu(c *call) ir.Type {
	if !c.arity(3, exactly3) {
		return nil
	}
	var t [3]*ir.TileType
	for i, text := range [3]string{
		"The operator {op} requires src to be a TileType, but got {type}",
		"The operator {op} requires slope to be a TileType, but got {type}",
		"The operator {op} requires tmp to be a TileType, but got {type}",
	} {
		if t[i] = c.tile(i, text); t[i] == nil {
			return nil
		}
	}
	src, slope, tmp := t[0], t[1], t[2]
	switch {
	case !oneOf(src.DType, ir.FP16, ir.FP32):
		return c.fail(0, "The operator {op} requires src dtype in {FP16, FP32}, but got {dtype}", src.DType)
	case slope.DType != src.DType:
		return c.fail(1, "The operator {op} requires slope dtype to match src dtype, but got {dtype} and {dtype}", slope.DType, src.DType)
	case len(src.Shape) != 2:
		return c.fail(0, "The operator {op} requires a rank-2 src tile, but got rank {n}", len(src.Shape))
	case len(slope.Shape) != len(src.Shape):
		return c.fail(1, "The operator {op} requires slope and src to have the same rank, but got {n} and {n}", len(slope.Shape), len(src.Shape))
	}
	for i := range src.Shape {
		if !arith.DimensionsEqual(slope.Shape[i], src.Shape[i]) {
			return c.fail(1, "The operator {op} requires slope and src to have the same physical shape, but dimension {i} differs; got slope shape {shape} and src shape {shape}", i, slope.Shape, src.Shape)
		}
	}
	a, b := ir.ValidShape(slope), ir.ValidShape(src)
	if len(a) != len(b) {
		return c.fail(1, "The operator {op} requires slope and src to have the same valid_shape rank")
	}
	for i := range a {
		if !equalByValue(a[i], b[i]) {
			return c.fail(1, "The operator {op} requires slope and src to have the same valid_shape, but dimension {i} differs; got slope valid_shape {shape} and src valid_shape {shape}", i, a, b)
		}
	}
	if len(tmp.Shape) != 2 {
		return c.fail(2, "The operator {op} requires a rank-2 tmp tile, but got rank {n}", len(tmp.Shape))
	}
	return c.like(src, src.DType)
}
