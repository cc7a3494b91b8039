package infer

import "pypto-ls/ir"

// scatters are the scatter operators and the sorts (spec 02 §5.13).
var scatters = map[string]rule{"tile.scatter": tileScatter, "tile.scatter_mask": scatterMask, "tile.scatter_update": scatterUpdate,
	"tile.mscatter": mscatter}

const (
	scatterDst = "The operator {op} requires dst dtype in {I8, I16, I32, FP16, FP32, BF16}, but got {dtype}"
	scatterSrc = "The operator {op} requires src dtype in {I8, I16, I32, FP16, FP32, BF16}, but got {dtype}"
	dstTile    = "The operator {op} requires dst to be a TileType, but got {type}"
	srcTile    = "The operator {op} requires src to be a TileType, but got {type}"
)

func isScatterDType(d ir.DType) bool {
	return oneOf(d, ir.INT8, ir.INT16, ir.INT32, ir.FP16, ir.FP32, ir.BF16)
}

// dstAndSrc checks the first two operands of a scatter.
func (c *call) dstAndSrc() (dst, src *ir.TileType) {
	if dst = c.tile(0, dstTile); dst == nil {
		return nil, nil
	}
	if !isScatterDType(dst.DType) {
		c.fail(-1, scatterDst, dst.DType)
		return nil, nil
	}
	if src = c.tile(1, srcTile); src == nil {
		return nil, nil
	}
	if !isScatterDType(src.DType) {
		c.fail(-1, scatterSrc, src.DType)
		return nil, nil
	}
	return dst, src
}

// sameAs is operand 0's effective view in its space.
func (c *call) sameAs(t *ir.TileType) ir.Type {
	valid, ok := c.valid(t)
	if !ok {
		return nil
	}
	return c.tileIn(t.Shape, t.DType, effective(t, valid), t.Space)
}

func tileScatter(c *call) ir.Type {
	if !c.arity(3, "The operator {op} requires 3 arguments (dst, src, indexes), but got {count}") {
		return nil
	}
	dst, src := c.dstAndSrc()
	if src == nil {
		return nil
	}
	if dst.DType != src.DType {
		return c.fail(-1, "The operator {op} requires dst dtype ({dtype}) to match src dtype ({dtype})", dst.DType, src.DType)
	}
	idx := c.tile(2, "The operator {op} requires indexes to be a TileType, but got {type}")
	if idx == nil {
		return nil
	}
	if !oneOf(idx.DType, ir.INT16, ir.INT32) {
		return c.fail(-1, "The operator {op} requires indexes dtype in {INT16, INT32}, but got {dtype}", idx.DType)
	}
	want := 2
	if dst.DType.Bytes() == 4 {
		want = 4
	}
	switch {
	case idx.DType.Bytes() != want:
		return c.fail(-1, "The operator {op} with dst dtype {dtype} ({value} bytes) requires indexes dtype of {value} bytes, but got {dtype} ({value} bytes)", dst.DType, dst.DType.Bytes(), want, idx.DType, idx.DType.Bytes())
	case len(src.Shape) != 2 || len(dst.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D src/dst tiles, but got src rank {n} and dst rank {n}", len(src.Shape), len(dst.Shape))
	case len(idx.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D indexes tile, but got rank {n}", len(idx.Shape))
	case differ(idx.Shape[0], src.Shape[0]):
		return c.fail(-1, "The operator {op} requires indexes.shape[0] == src.shape[0], got src rows {value} vs indexes rows {value}", src.Shape[0], idx.Shape[0])
	case differ(idx.Shape[1], src.Shape[1]):
		return c.fail(-1, "The operator {op} requires indexes.shape[1] == src.shape[1], got src cols {value} vs indexes cols {value}", src.Shape[1], idx.Shape[1])
	}
	return c.sameAs(dst)
}

func scatterMask(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (dst, src), but got {count}") {
		return nil
	}
	dst, src := c.dstAndSrc()
	switch {
	case src == nil:
		return nil
	case dst.DType != src.DType:
		return c.fail(-1, "The operator {op} requires dst and src to have the same dtype, got {dtype} vs {dtype}", dst.DType, src.DType)
	case len(src.Shape) != 2 || len(dst.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D src/dst tiles, but got src rank {n} and dst rank {n}", len(src.Shape), len(dst.Shape))
	}
	pattern, ok := c.requiredInt("mask_pattern")
	if !ok {
		return nil
	}
	step := maskStep(pattern)
	switch {
	case step == 0:
		return c.fail(-1, "The operator {op} requires mask_pattern in range [1, 7], but got {value}", pattern)
	case differ(src.Shape[0], dst.Shape[0]):
		return c.fail(-1, "The operator {op} requires src.shape[0] == dst.shape[0], got src rows {value} vs dst rows {value}", src.Shape[0], dst.Shape[0])
	}
	if d, s, ok := bothConst(dst.Shape[1], src.Shape[1]); ok && d != s*step {
		return c.fail(-1, "The operator {op} with mask_pattern={value} requires dst.shape[1] ({value}) == src.shape[1] ({value}) * {value}", pattern, d, s, step)
	}
	return c.sameAs(dst)
}

func scatterUpdate(c *call) ir.Type {
	if !c.arity(3, "tile.scatter_update requires exactly 3 arguments (input, index, src), got {count}") {
		return nil
	}
	t := c.tile(0, "tile.scatter_update: input must be TileType, got {type}")
	if t == nil {
		return nil
	}
	if len(t.Shape) != 2 && len(t.Shape) != 4 {
		return c.fail(-1, "tile.scatter_update: input must be 2D or 4D, got rank {n}", len(t.Shape))
	}
	idx := c.tile(1, "tile.scatter_update: index must be TileType, got {type}")
	switch {
	case idx == nil:
		return nil
	case len(idx.Shape) != 2:
		return c.fail(-1, "tile.scatter_update: index must be 2D [b, s], got rank {n}", len(idx.Shape))
	case !idx.DType.IsInt():
		return c.fail(-1, "tile.scatter_update: index dtype must be integer, got {dtype}", idx.DType)
	}
	src := c.tile(2, "tile.scatter_update: src must be TileType, got {type}")
	switch {
	case src == nil:
		return nil
	case len(src.Shape) != len(t.Shape):
		return c.fail(-1, "tile.scatter_update: src rank ({n}) must match input rank ({n})", len(src.Shape), len(t.Shape))
	case src.DType != t.DType:
		return c.fail(-1, "tile.scatter_update: src dtype ({dtype}) must match input dtype ({dtype})", src.DType, t.DType)
	}
	if dim := c.intKwarg("dim", -2); dim != -2 {
		return c.fail(-1, "tile.scatter_update: only dim=-2 is currently supported, got {value}", dim)
	}
	return c.sameAs(t)
}

func mscatter(c *call) ir.Type {
	if !c.arity(3, "The operator {op} requires 3 arguments (src, idx, output_tensor), but got {count}") {
		return nil
	}
	src := c.tile(0, firstTile)
	if src == nil {
		return nil
	}
	if !isGatherDType(src.DType) {
		return c.fail(-1, "The operator {op} requires src dtype to be FP16, FP32, INT16, or INT32, but got {dtype}", src.DType)
	}
	idx := c.tile(1, secondTile)
	switch {
	case idx == nil:
		return nil
	case idx.DType != ir.INT32:
		return c.fail(-1, "The operator {op} requires idx dtype to be INT32, but got {dtype}", idx.DType)
	case len(idx.Shape) != len(src.Shape):
		return c.fail(-1, "The operator {op} requires idx rank to match src rank ({n}), but got {n}", len(src.Shape), len(idx.Shape))
	}
	for i := range src.Shape {
		if differ(idx.Shape[i], src.Shape[i]) {
			return c.fail(-1, "The operator {op} requires idx shape to match src shape at dimension {i}, but got {value} vs {value}", i, idx.Shape[i], src.Shape[i])
		}
	}
	out := c.tensor(2, "The operator {op} requires third argument to be a TensorType or DistributedTensorType, but got {type}")
	switch {
	case out == nil:
		return nil
	case len(out.Shape) == 0:
		return c.fail(-1, "The operator {op} requires output_tensor to have at least 1 dimension (scalar not supported)")
	case out.DType != src.DType:
		return c.fail(-1, "The operator {op} requires output_tensor dtype ({dtype}) to match src dtype ({dtype})", out.DType, src.DType)
	}
	return withoutMemRef(out)
}

// sorts are the sorting operators.
var sorts = map[string]rule{"tile.sort32": sort32, "tile.mrgsort_format1": mrgsort1, "tile.mrgsort_format2": mrgsort2}

const (
	sortDType = "The operator {op} requires src dtype to be FP16 or FP32, but got {dtype}"
	arg0Tile  = "The operator {op} requires argument 0 to be a TileType, but got {type}"
)

func sort32(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (src, idx), but got {count}") {
		return nil
	}
	src := c.tile(0, firstTile)
	if src == nil {
		return nil
	}
	if !oneOf(src.DType, ir.FP16, ir.FP32) {
		return c.fail(-1, sortDType, src.DType)
	}
	if c.tile(1, secondTile) == nil {
		return nil
	}
	n := len(src.Shape)
	if n == 0 {
		return c.fail(-1, "The operator {op} requires non-empty input shape")
	}
	return c.newTile(replaced(src.Shape, n-1, foldMul(src.Shape[n-1], ir.Index(2))), src.DType, inherit(src, nil))
}

// blockLen checks the block_len operand of a merge sort.
func (c *call) blockLen() bool {
	s := c.scalar(1, "The operator {op} requires argument 1 (block_len) to be a ScalarType, but got {type}")
	if s == nil {
		return false
	}
	if !s.DType.IsInt() {
		c.fail(-1, "The operator {op} requires block_len to be an integer type, but got {dtype}", s.DType)
		return false
	}
	if v, ok := ir.ConstValue(c.args[1]); ok && (v <= 0 || v%64 != 0) {
		c.fail(-1, "The operator {op} requires block_len to be a positive multiple of 64, but got {value}", v)
		return false
	}
	return true
}

func mrgsort1(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (src, block_len), but got {count}") {
		return nil
	}
	src := c.tile(0, arg0Tile)
	if src == nil {
		return nil
	}
	if !oneOf(src.DType, ir.FP16, ir.FP32) {
		return c.fail(-1, sortDType, src.DType)
	}
	if !c.blockLen() {
		return nil
	}
	return c.newTile(src.Shape, src.DType, inherit(src, nil))
}

func mrgsort2(c *call) ir.Type {
	if !c.arityIn(3, 5, "The operator {op} requires 3-5 arguments (2-4 srcs + tmp), but got {count}") {
		return nil
	}
	src := c.tile(0, arg0Tile)
	if src == nil {
		return nil
	}
	if !oneOf(src.DType, ir.FP16, ir.FP32) {
		return c.fail(-1, sortDType, src.DType)
	}
	last := len(c.args) - 1
	for i := 1; i < last; i++ {
		t, ok := c.types[i].(*ir.TileType)
		switch {
		case !ok:
			return c.fail(i, "The operator {op} requires argument {i} to be a TileType, but got {type}", i, c.types[i])
		case t.DType != src.DType:
			return c.fail(i, "The operator {op} requires all src tiles to have matching dtype, but argument {i} has {dtype} (expected {dtype})", i, t.DType, src.DType)
		}
	}
	tmp, ok := c.types[last].(*ir.TileType)
	if !ok {
		return c.fail(last, "The operator {op} requires argument {value} (tmp) to be a TileType, but got {type}", last, c.types[last])
	}
	return c.newTile(tmp.Shape, src.DType, inherit(src, nil))
}
