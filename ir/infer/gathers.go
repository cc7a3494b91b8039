package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// gathers are the gather operators (spec 02 §5.13).
var gathers = map[string]rule{"tile.gather": tileGather, "tile.gatherb": tileGatherb, "tile.gather_mask": gatherMask,
	"tile.gather_compare": gatherCompare, "tile.gather_row": gatherRow, "tile.mgather": mgather}

func isGatherDType(d ir.DType) bool { return oneOf(d, ir.FP16, ir.FP32, ir.INT16, ir.INT32) }

func tileGather(c *call) ir.Type {
	if !c.arity(3, "The operator {op} requires 3 arguments (src, indices, tmp), but got {count}") {
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
	if idx == nil {
		return nil
	}
	if idx.DType != ir.INT32 && !(idx.DType == ir.INT16 && src.DType.Bits() == 16) {
		return c.fail(-1, "The operator {op} requires indices dtype INT32 (any src), or INT16 with a 16-bit src (FP16/INT16); INT16 indices with a 32-bit src are unsafe (tgather b32 reads them as u32). Got indices {dtype} with src {dtype}", idx.DType, src.DType)
	}
	if c.tile(2, thirdTile) == nil {
		return nil
	}
	return c.newTile(idx.Shape, src.DType, inherit(src, nil))
}

func byteDType(d ir.DType) bool {
	return oneOf(d, ir.INT8, ir.UINT8, ir.INT16, ir.UINT16, ir.INT32, ir.UINT32, ir.FP16, ir.BF16, ir.FP32)
}

func tileGatherb(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (src, offset), but got {count}") {
		return nil
	}
	src := c.tile(0, "The operator {op} requires src to be a TileType, but got {type}")
	if src == nil {
		return nil
	}
	if !byteDType(src.DType) {
		return c.fail(-1, "The operator {op} requires src dtype to be an 8/16/32-bit int/uint or FP16/BF16/FP32, but got {dtype}", src.DType)
	}
	d := c.dtypeKwarg("output_dtype", src.DType)
	if c.problem != nil {
		return nil
	}
	if !byteDType(d) {
		return c.fail(-1, "The operator {op} requires output_dtype to be an 8/16/32-bit int/uint or FP16/BF16/FP32, but got {dtype}", d)
	}
	off := c.tile(1, "The operator {op} requires offset to be a TileType, but got {type}")
	switch {
	case off == nil:
		return nil
	case off.DType != ir.UINT32:
		return c.fail(-1, "The operator {op} requires offset dtype to be UINT32, but got {dtype}", off.DType)
	case len(src.Shape) != 2:
		return c.fail(-1, "The operator {op} requires a 2D src tile, but got rank {n}", len(src.Shape))
	case len(off.Shape) != 2:
		return c.fail(-1, "The operator {op} requires a 2D offset tile, but got rank {n}", len(off.Shape))
	}
	cols, ok := ir.ConstValue(off.Shape[1])
	switch {
	case !ok:
		return c.fail(-1, "The operator {op} requires static offset columns")
	case cols <= 0 || cols%8 != 0:
		return c.fail(-1, "The operator {op} requires offset columns to be a positive multiple of 8 (32-byte UINT32 row), but got {value}", cols)
	case 32%d.Bytes() != 0:
		return c.fail(-1, "The operator {op} requires a byte-addressable output dtype that divides 32 bytes, but got {dtype}", d)
	}
	valid, ok := c.valid(off)
	if !ok {
		return nil
	}
	k := ir.Index(int64(32 / d.Bytes()))
	return c.newTile([]ir.Expr{off.Shape[0], arith.Mul(off.Shape[1], k)}, d, flat([]ir.Expr{valid[0], arith.Mul(valid[1], k)}))
}

// maskStep is how many source columns a mask pattern makes one of, 0 for an
// unknown pattern.
func maskStep(pattern int64) int64 {
	switch {
	case pattern == 1 || pattern == 2:
		return 2
	case pattern >= 3 && pattern <= 6:
		return 4
	case pattern == 7:
		return 1
	}
	return 0
}

func gatherMask(c *call) ir.Type {
	if !c.arity(1, "The operator {op} requires 1 argument (src), but got {count}") {
		return nil
	}
	src := c.tile(0, firstTile)
	if src == nil {
		return nil
	}
	if !isGatherDType(src.DType) {
		return c.fail(-1, "The operator {op} requires src dtype to be FP16, FP32, INT16, or INT32, but got {dtype}", src.DType)
	}
	pattern, ok := c.requiredInt("mask_pattern")
	if !ok {
		return nil
	}
	step := maskStep(pattern)
	if step == 0 {
		return c.fail(-1, "The operator {op} requires mask_pattern in range [1, 7], but got {value}", pattern)
	}
	if len(src.Shape) != 2 {
		return c.bug(0, "Internal error: tile.gather_mask requires 2D src shape, got rank {n}", len(src.Shape))
	}
	cols := src.Shape[1]
	if v, isConst := ir.ConstValue(cols); isConst {
		if v%step != 0 {
			return c.fail(-1, "The operator {op} with mask_pattern={value} requires src columns divisible by {value}, got {value}", pattern, step, v)
		}
		cols = ir.Index(v / step)
	} else if step > 1 {
		cols = arith.Fold(scaled(ir.FloorDiv, cols, step))
	}
	d := c.dtypeKwarg("output_dtype", src.DType)
	if c.problem != nil {
		return nil
	}
	if d.Bits() != src.DType.Bits() {
		return c.fail(-1, "The operator {op} output_dtype must have the same bit width as src dtype ({dtype} = {bits} bits), but got {dtype} = {bits} bits", src.DType, src.DType.Bits(), d, d.Bits())
	}
	return c.newTile([]ir.Expr{src.Shape[0], cols}, d, inherit(src, nil))
}

// requiredInt is an integer keyword that must be there.
func (c *call) requiredInt(key string) (int64, bool) {
	if _, ok := c.kwarg(key); !ok {
		c.missing("Missing kwarg: {value}", key)
		return 0, false
	}
	n := c.intKwarg(key, 0)
	return n, c.problem == nil
}

func gatherCompare(c *call) ir.Type {
	if !c.arity(3, "The operator {op} requires 3 arguments (src, kvalue, tmp), but got {count}") {
		return nil
	}
	src := c.tile(0, "The operator {op} requires src to be a TileType, but got {type}")
	switch {
	case src == nil:
		return nil
	case !isGatherDType(src.DType):
		return c.fail(-1, "The operator {op} requires src dtype in {FP16, FP32, INT16, INT32}, but got {dtype}", src.DType)
	case len(src.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D src, but got rank {n}", len(src.Shape))
	}
	k := c.scalar(1, "The operator {op} requires kvalue to be a ScalarType, but got {type}")
	if k == nil {
		return nil
	}
	if k.DType != src.DType {
		return c.fail(-1, "The operator {op} requires kvalue dtype equal to src dtype {dtype} , but got {dtype}", src.DType, k.DType)
	}
	if c.tile(2, "The operator {op} requires tmp to be a TileType, but got {type}") == nil {
		return nil
	}
	cols, counts, ok := c.compareKwargs()
	if !ok {
		return nil
	}
	found := c.newTile([]ir.Expr{src.Shape[0], cols}, ir.INT32, inherit(src, nil))
	count := c.newTile([]ir.Expr{ir.Index(1), src.Shape[0]}, counts, flat(nil))
	if c.problem != nil {
		return nil
	}
	return &ir.TupleType{Elems: []ir.Type{found, count}}
}

// compareKwargs checks the keywords of gather_compare: the number of output
// columns and the dtype of the counts.
func (c *call) compareKwargs() (cols ir.Expr, counts ir.DType, ok bool) {
	if _, ok := c.kwarg("cmp_mode"); !ok {
		c.fail(-1, "The operator {op} requires a 'cmp_mode' keyword argument")
		return nil, ir.NoDType, false
	}
	if m := c.intKwarg("cmp_mode", 0); m < 0 || m > 5 {
		c.fail(-1, "The operator {op} requires cmp_mode in [0, 5] (eq/ne/lt/le/gt/ge), but got {value}", m)
		return nil, ir.NoDType, false
	}
	if _, ok := c.kwarg("out_cols"); !ok {
		c.fail(-1, "The operator {op} requires an 'out_cols' keyword argument")
		return nil, ir.NoDType, false
	}
	n := c.intKwarg("out_cols", 0)
	if n <= 0 {
		c.fail(-1, "The operator {op} requires out_cols > 0, but got {value}", n)
		return nil, ir.NoDType, false
	}
	counts = c.dtypeKwarg("count_dtype", ir.INT32)
	if c.problem == nil && !oneOf(counts, ir.INT32, ir.UINT32) {
		c.fail(-1, "The operator {op} requires count_dtype to be INT32 or UINT32, but got {dtype}", counts)
	}
	return ir.Index(n), counts, c.problem == nil
}
