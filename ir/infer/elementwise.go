package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// elementwise are the element-wise operators (spec 02 §5.1, §5.2).
var elementwise = map[string]rule{
	"tile.add": tileTile, "tile.sub": tileTile, "tile.mul": tileTile, "tile.maximum": tileTile, "tile.minimum": tileTile,
	"tile.part_add": tileTile, "tile.part_mul": tileTile, "tile.part_max": tileTile, "tile.part_min": tileTile, "tile.fmod": tileTile,
	"tile.and": integerTileTile, "tile.or": integerTileTile,
	"tile.div": tileDiv, "tile.shl": tileShift, "tile.shr": tileShift,
	"tile.rem": tileScratch, "tile.xor": tileScratch, "tile.addc": threeTiles, "tile.subc": threeTiles,
	"tile.adds": tileScalar, "tile.muls": tileScalar, "tile.divs": tileScalar, "tile.fmods": tileScalar, "tile.maximums": tileScalar,
	"tile.minimums": tileScalar, "tile.lrelu": tileScalar, "tile.subs": tileSubs,
	"tile.ands": bitwiseScalar, "tile.ors": bitwiseScalar, "tile.shls": bitwiseScalar, "tile.shrs": bitwiseScalar, "tile.xors": tileXors,
	"tile.rems": tileScalarTile, "tile.addsc": tileScalarTile, "tile.subsc": tileScalarTile,
}

// twoTiles checks for exactly two tile operands.
func (c *call) twoTiles() (a, b *ir.TileType) {
	if !c.arity(2, exactly2) {
		return nil, nil
	}
	if a = c.tile(0, firstTile); a != nil {
		b = c.tile(1, secondTile)
	}
	return a, b
}

// tileTile keeps the first operand's valid shape even when the second is
// narrower or the shape grew by broadcasting.
func tileTile(c *call) ir.Type {
	a, b := c.twoTiles()
	if b == nil {
		return nil
	}
	return c.broadcastTiles(a, b)
}

func (c *call) broadcastTiles(a, b *ir.TileType) ir.Type {
	shape, ok := broadcast(a.Shape, b.Shape)
	if !ok {
		return c.fail(-1, shapesShown, a.Shape, b.Shape)
	}
	return c.shaped(a, shape, promote(a.DType, b.DType))
}

func integerTileTile(c *call) ir.Type {
	a, b := c.twoTiles()
	if b == nil || !c.integerTiles(a, b) {
		return nil
	}
	return c.broadcastTiles(a, b)
}

func (c *call) integerTiles(tiles ...*ir.TileType) bool {
	for i, t := range tiles {
		if !t.DType.IsInt() {
			c.fail(i, integerTile, t.DType)
			return false
		}
	}
	return true
}

func tileDiv(c *call) ir.Type {
	a, b := c.twoTiles()
	if b == nil {
		return nil
	}
	if a.DType != b.DType {
		return c.fail(-1, "The operator {op} requires src0, src1, and dst to have the same dtype, but got {dtype} and {dtype}", a.DType, b.DType)
	}
	if !oneOf(a.DType, ir.INT16, ir.INT32, ir.FP16, ir.FP32) {
		return c.fail(-1, "The operator {op} requires dtype in {INT16, INT32, FP16, FP32}, but got {dtype}", a.DType)
	}
	if len(a.Shape) != len(b.Shape) {
		return c.fail(-1, "The operator {op} requires src0, src1, and dst to have the same physical shape rank, but got {n} and {n}", len(a.Shape), len(b.Shape))
	}
	for i := range a.Shape {
		if !arith.DimensionsEqual(a.Shape[i], b.Shape[i]) {
			return c.fail(-1, "The operator {op} requires src0, src1, and dst to have the same physical shape, but dimension {i} differs; got src0 shape {shape} and src1 shape {shape}", i, a.Shape, b.Shape)
		}
	}
	va, vb := ir.ValidShape(a), ir.ValidShape(b)
	if len(va) != len(vb) {
		return c.fail(-1, "The operator {op} requires src0, src1, and dst to have the same valid_shape rank, but got {n} and {n}", len(va), len(vb))
	}
	for i := range va {
		if !equalByValue(va[i], vb[i]) {
			return c.fail(-1, "The operator {op} requires src0, src1, and dst to have the same valid_shape, but dimension {i} differs; got src0 valid_shape {shape} and src1 valid_shape {shape}", i, va, vb)
		}
	}
	if c.boolKwarg("high_precision") && !a.DType.IsFloat() {
		return c.fail(-1, "The operator tile.div supports high_precision only for FP16 or FP32 because the PTOAS high-precision template does not implement integer division")
	}
	return c.like(a, a.DType)
}

func tileShift(c *call) ir.Type {
	a, b := c.twoTiles()
	if b == nil || !c.integerTiles(a) {
		return nil
	}
	if !b.DType.IsInt() {
		return c.fail(-1, "The operator {op} requires integer shift tile dtype, but got {dtype}", b.DType)
	}
	shape, ok := broadcast(a.Shape, b.Shape)
	if !ok {
		return c.fail(-1, shapesBare)
	}
	return c.shaped(a, shape, a.DType)
}

// tileScratch is an operation of two tiles with a scratch tile.
func tileScratch(c *call) ir.Type {
	if !c.arity(3, exactly3) {
		return nil
	}
	a := c.tile(0, firstTile)
	if a == nil {
		return nil
	}
	b := c.tile(1, secondTile)
	if b == nil || c.tile(2, thirdTmp) == nil || c.op.Name == "tile.xor" && !c.integerTiles(a, b) {
		return nil
	}
	shape, ok := broadcast(a.Shape, b.Shape)
	if !ok {
		return c.fail(-1, shapesBare)
	}
	return c.shaped(a, shape, promote(a.DType, b.DType))
}

func threeTiles(c *call) ir.Type {
	if !c.arity(3, exactly3) {
		return nil
	}
	var t [3]*ir.TileType
	for i, text := range [3]string{firstTile, secondTile, thirdTile} {
		if t[i] = c.tile(i, text); t[i] == nil {
			return nil
		}
	}
	shape, ok := broadcast(t[0].Shape, t[1].Shape)
	if ok {
		shape, ok = broadcast(shape, t[2].Shape)
	}
	if !ok {
		return c.fail(-1, shapesBare)
	}
	return c.shaped(t[0], shape, promote(promote(t[0].DType, t[1].DType), t[2].DType))
}

// tileAndScalar checks for exactly a tile and a scalar.
func (c *call) tileAndScalar() (*ir.TileType, *ir.ScalarType) {
	if !c.arity(2, exactly2) {
		return nil, nil
	}
	t := c.tile(0, firstTile)
	if t == nil {
		return nil, nil
	}
	return t, c.scalar(1, secondScalar)
}

// tileScalar has the tile's dtype whatever the scalar's.
func tileScalar(c *call) ir.Type {
	t, s := c.tileAndScalar()
	if s == nil {
		return nil
	}
	return c.like(t, t.DType)
}

var subsDTypes = [...]ir.DType{ir.INT8, ir.INT16, ir.INT32, ir.FP16, ir.FP32, ir.BF16}

func tileSubs(c *call) ir.Type {
	t, s := c.tileAndScalar()
	switch {
	case s == nil:
		return nil
	case !oneOf(t.DType, subsDTypes[:]...):
		return c.fail(-1, "The operator {op} requires tile dtype in {INT8, INT16, INT32, FP16, FP32, BF16}, but got {dtype}", t.DType)
	case !oneOf(s.DType, subsDTypes[:]...):
		return c.fail(-1, "The operator {op} requires scalar dtype in {INT8, INT16, INT32, FP16, FP32, BF16}, but got {dtype}", s.DType)
	}
	return c.like(t, t.DType)
}

func bitwiseScalar(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	return c.bitwise("The operator {op} requires shift/bitwise scalar to be an integer type, but got {dtype}", nil)
}

func tileXors(c *call) ir.Type {
	if !c.arity(3, exactly3) {
		return nil
	}
	return c.bitwise("The operator {op} requires scalar to be an integer type, but got {dtype}",
		func() bool { return c.tile(2, thirdTile) != nil })
}

// bitwise is a tile and an integer scalar, then whatever more checks.
func (c *call) bitwise(notInteger string, more func() bool) ir.Type {
	t := c.tile(0, firstTile)
	if t == nil || !c.integerTiles(t) {
		return nil
	}
	s := c.scalar(1, secondScalar)
	if s == nil {
		return nil
	}
	if !s.DType.IsInt() {
		return c.fail(1, notInteger, s.DType)
	}
	if more != nil && !more() {
		return nil
	}
	return c.like(t, t.DType)
}

// tileScalarTile promotes the dtype over all three operands: a scratch tile of
// another dtype changes the result's.
func tileScalarTile(c *call) ir.Type {
	if !c.arity(3, exactly3) {
		return nil
	}
	t := c.tile(0, firstTile)
	if t == nil {
		return nil
	}
	s := c.scalar(1, secondScalar)
	if s == nil {
		return nil
	}
	u := c.tile(2, thirdTile)
	if u == nil {
		return nil
	}
	shape, ok := broadcast(t.Shape, u.Shape)
	if !ok {
		return c.fail(-1, shapesBare)
	}
	return c.shaped(t, shape, promote(promote(t.DType, s.DType), u.DType))
}
