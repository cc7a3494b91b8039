package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/printer"
)

// crossCore are the operators that hand tiles between cube and vector cores
// (spec 02 §5.15). A pop has no type of its own: the annotation supplies it.
var crossCore = map[string]rule{"tile.aiv_shard": tileShard, "tile.aic_gather": tileShard,
	"tile.tpush_to_aic": noType, "tile.tpush_to_aiv": noType, "tile.tpop_from_aic": noType, "tile.tpop_from_aiv": noType,
	"tensor.aiv_shard": tensorShard, "tensor.aic_gather": tensorShard}

func noType(*call) ir.Type { return ir.Unknown }

// splitMode is the checked value of the keyword split: 0 none, 1 rows
// (UP_DOWN), 2 columns (LEFT_RIGHT).
func (c *call) splitMode() (int, bool) {
	if _, ok := c.kwarg("split"); !ok {
		c.fail(-1, "{op} requires a 'split' attr (0 = NONE/no split axis, 1 = UP_DOWN/axis0, 2 = LEFT_RIGHT/axis1)")
		return 0, false
	}
	s := c.intKwarg("split", 0)
	if s < 0 || s > 2 {
		c.fail(-1, "{op} split must be 0 (NONE/no split axis), 1 (UP_DOWN/axis0) or 2 (LEFT_RIGHT/axis1), but got {value}", s)
	}
	return int(s), c.problem == nil
}

func (c *call) isShard() bool {
	return c.op.Name == "tile.aiv_shard" || c.op.Name == "tensor.aiv_shard"
}

func tileShard(c *call) ir.Type {
	if !c.arity(1, "The operator {op} requires exactly 1 tile argument, but got {count}") {
		return nil
	}
	t := c.tile(0, theTile)
	if t == nil {
		return nil
	}
	split, ok := c.splitMode()
	if !ok {
		return nil
	}
	valid, ok := c.valid(t)
	if !ok {
		return nil
	}
	if split == 0 {
		if !c.shardable(split, t.Shape, valid) {
			return nil
		}
		return c.newTile(t.Shape, t.DType, flat(valid))
	}
	if len(t.Shape) != 2 {
		return c.fail(0, "{op} requires a 2D tile, but got rank {n}", len(t.Shape))
	}
	axis := split - 1
	if !c.laneStride(t.Shape[axis]) || !c.shardable(split, t.Shape, valid) {
		return nil
	}
	shape, valid := c.sharded(t.Shape, valid, axis)
	return c.newTile(shape, t.DType, flat(valid))
}

// sharded halves (shard) or doubles (gather) an axis.
func (c *call) sharded(shape, valid []ir.Expr, axis int) (newShape, newValid []ir.Expr) {
	if !c.isShard() {
		return replaced(shape, axis, doubled(shape[axis])), replaced(valid, axis, doubled(valid[axis]))
	}
	d, v := shape[axis], valid[axis]
	half := scaled(ir.FloorDiv, d, 2)
	if n, ok := ir.ConstValue(d); ok {
		half = ir.Index((n + 1) / 2)
	}
	lane := rounded(v, 2)
	if n, ok := ir.ConstValue(v); ok {
		lane = ir.Index((n + 1) / 2)
	}
	return replaced(shape, axis, half), replaced(valid, axis, lane)
}

func doubled(e ir.Expr) ir.Expr {
	if n, ok := ir.ConstValue(e); ok {
		return ir.Index(2 * n)
	}
	return scaled(ir.Mul, e, 2)
}

func (c *call) laneStride(d ir.Expr) bool {
	if _, ok := c.kwarg("lane_stride"); !ok {
		return true
	}
	s := c.intKwarg("lane_stride", 1)
	if s <= 0 {
		c.fail(-1, "{op}: 'lane_stride' must be a positive partition stride, but got {value}", s)
		return false
	}
	if n, ok := ir.ConstValue(d); ok && s > (n+1)/2 {
		c.fail(-1, "{op}: 'lane_stride' {value} exceeds the per-lane physical half {value} of a {value}-wide split axis", s, (n+1)/2, n)
		return false
	}
	return c.problem == nil
}

const (
	shardColumns = "{op}: LEFT_RIGHT splits the column axis, but this tile's valid column extent ({value}) does not cover the full box, so the two AIV lanes would hold different amounts of real data. A per-lane column extent cannot cross this boundary: the Cube<->Vector FIFO pins the transported column extent to the physical one, and the only way to restore a narrower extent afterwards (pto.treshape) is compile-time static and so cannot express a per-lane value.\nAuthor one of these instead:\n  * split the row axis: mode=pl.SplitMode.UP_DOWN (a per-lane ROW extent IS carried)\n  * make the columns fully valid before the crossing and let the padding be don't-care at the store:\n        acc = pl.set_validshape(acc, <valid_rows>, {extent})\n        out[..., c0 : c0 + <half>] = shard   # c0 = aiv_id * <half>\n  * keep the ragged column tail in its own matmul outside the pl.split_aiv region"
	shardRuntime = "{op}: this tile's valid column extent ({value}) is a runtime value narrower than the physical box. A narrowed column extent has to be rebuilt after the boundary's full-box transport, and the only rebuild available (pto.treshape) is compile-time static.\nFix: make the columns fully valid before the crossing --\n        acc = pl.set_validshape(acc, <valid_rows>, {extent})\n    and store the full column box; the padded columns are don't-care."
	shardBoth    = "{op}: UP_DOWN split with BOTH a per-lane row extent ({value}, so the lanes hold different row counts) and a narrowed column extent ({value}) is not supported. The per-lane row extent rides on the TPOP valid_row operand, but the narrowed column extent can only be restored by pto.treshape, which rebuilds BOTH axes from one static type and would overwrite that per-lane row.\nFix: widen the columns before the crossing and store the full column box --\n        acc = pl.set_validshape(acc, {extent}, {extent})\n        out[r0 : r0 + <half>, 0 : {extent}] = shard"
	shardRows    = "{op}: this tile's valid row extent ({value}) is a runtime value and its valid column extent ({value}) is narrower than the physical box. The narrowed column extent forces a full-box transport whose logical extents are rebuilt by the static pto.treshape, which cannot express a runtime row extent.\nFix: make the columns fully valid before the crossing --\n        acc = pl.set_validshape(acc, <valid_rows>, {extent})\n    and store the full column box; the padded columns are don't-care."
)

// shardable checks that a shard's partial valid shape can cross to the vector
// cores; gathers and other ranks always can.
func (c *call) shardable(split int, shape, valid []ir.Expr) bool {
	if !c.isShard() || len(shape) != 2 || equalByValue(valid[1], shape[1]) {
		return true
	}
	of := func(i int) string { return printer.Dim(valid[i]) + " of " + printer.Dim(shape[i]) }
	_, constCols := ir.ConstValue(valid[1])
	_, constRows := ir.ConstValue(valid[0])
	switch {
	case split == 2:
		c.fail(0, shardColumns, of(1), shape[1])
	case !constCols:
		c.fail(0, shardRuntime, of(1), shape[1])
	case split == 1 && !equalByValue(valid[0], shape[0]):
		c.fail(0, shardBoth, of(0), of(1), valid[0], shape[1], shape[1])
	case !constRows:
		c.fail(0, shardRows, of(0), of(1), shape[1])
	default:
		return true
	}
	return false
}

func tensorShard(c *call) ir.Type {
	if !c.arity(1, "The operator {op} requires exactly 1 tensor argument, but got {count}") {
		return nil
	}
	t := c.plainTensor(0, "The operator {op} requires argument to be a (non-distributed) TensorType, but got {type}")
	if t == nil {
		return nil
	}
	split, ok := c.splitMode()
	if !ok {
		return nil
	}
	if split == 0 {
		return withoutMemRef(t)
	}
	if len(t.Shape) != 2 {
		return c.fail(0, "{op} requires a 2D tensor, but got rank {n}. Reshape the operand to 2D (pl.reshape) before the shard / gather so the UP_DOWN / LEFT_RIGHT split axis is unambiguous.", len(t.Shape))
	}
	valid, ok := c.valid(t)
	if !ok || !c.shardable(split, t.Shape, valid) {
		return nil
	}
	shape, valid := c.sharded(t.Shape, valid, split-1)
	return tensorWith(shape, t.DType, valid, false)
}
