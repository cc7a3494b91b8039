package infer_test

import "testing"

func TestGather(t *testing.T) {
	p := params("n: Scalar[INDEX]", "s: Tile[[16, 64], FP32, Mem.Vec]", "h: Tile[[16, 64], FP16, Mem.Vec]", "b: Tile[[16, 64], BF16, Mem.Vec]", "i: Tile[[8, 32], INT32, Mem.Vec]", "i16: Tile[[8, 32], INT16, Mem.Vec]",
		"off: Tile[[16, 8], UINT32, Mem.Vec]", "off4: Tile[[16, 4], UINT32, Mem.Vec]", "odd: Tile[[16, 63], FP32, Mem.Vec]", "s1: Tile[[64], FP32, Mem.Vec]", "f: Scalar[FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.gather(s, i, i)", "pl.Tile[[8, 32], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.gather(h, i16, i)", "pl.Tile[[8, 32], pl.FP16, pl.Mem.Vec]"},
		{"pl.tile.gather(s, i16, i)", "error: The operator tile.gather requires indices dtype INT32 (any src), or INT16 with a 16-bit src (FP16/INT16); INT16 indices with a 32-bit src are unsafe (tgather b32 reads them as u32). Got indices int16 with src fp32"},
		{"pl.tile.gather(b, i, i)", "error: The operator tile.gather requires src dtype to be FP16, FP32, INT16, or INT32, but got bfloat16"},
		// 8 offsets a row, 32/4 = 8 elements each.
		{"pl.tile.gatherb(s, off)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.gatherb(s, off, output_dtype=pl.INT8)", "pl.Tile[[16, 256], pl.INT8, pl.Mem.Vec]"},
		{"pl.tile.gatherb(s, off4)", "error: The operator tile.gatherb requires offset columns to be a positive multiple of 8 (32-byte UINT32 row), but got 4"},
		{"pl.tile.gather_mask(s, mask_pattern=1)", "pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.gather_mask(s, mask_pattern=5)", "pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.gather_mask(s, mask_pattern=7, output_dtype=pl.INT32)", "pl.Tile[[16, 64], pl.INT32, pl.Mem.Vec]"},
		{"pl.tile.gather_mask(s, mask_pattern=8)", "error: The operator tile.gather_mask requires mask_pattern in range [1, 7], but got 8"},
		{"pl.tile.gather_mask(odd, mask_pattern=2)", "error: The operator tile.gather_mask with mask_pattern=2 requires src columns divisible by 2, got 63"},
		{"pl.tile.gather_mask(s, mask_pattern=1, output_dtype=pl.FP16)", "error: The operator tile.gather_mask output_dtype must have the same bit width as src dtype (fp32 = 32 bits), but got fp16 = 16 bits"},
		{"pl.tile.gather_mask(s1, mask_pattern=1)", "internal: Internal error: tile.gather_mask requires 2D src shape, got rank 1"},
		{"pl.tile.gather_mask(s)", "error: Missing kwarg: mask_pattern"},
		{"pl.tile.gather_compare(s, f, s, cmp_mode=0, out_cols=8)", "pl.Tuple[pl.Tile[[16, 8], pl.INT32, pl.Mem.Vec], pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec]]"},
		{"pl.tile.gather_compare(s, f, s, cmp_mode=0, out_cols=0)", "error: The operator tile.gather_compare requires out_cols > 0, but got 0"},
		{"pl.tile.gather_compare(s, f, s, out_cols=4)", "error: The operator tile.gather_compare requires a 'cmp_mode' keyword argument"},
		{"pl.tile.gather_compare(s, n, s, cmp_mode=0, out_cols=8)", "error: The operator tile.gather_compare requires kvalue dtype equal to src dtype fp32 , but got index"},
	})
}

func TestGatherRow(t *testing.T) {
	p := params("n: Scalar[INDEX]", "d: Tile[[16, 64], BF16, Mem.Mat]", "x: Tensor[[100, 64], BF16]", "y: Tensor[[100, 64], FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.gather_row(d, x, [0, 0], [n, 0], [1, 64])", "pl.Tile[[16, 64], pl.BF16, pl.Mem.Mat]"},
		{"pl.tile.gather_row(d, y, [0, 0], [n, 0], [1, 64])", "error: The operator tile.gather_row requires dst and src to share dtype, but got bfloat16 and fp32"},
		{"pl.tile.gather_row(d, x, [0, 0], [0, 0], [16, 64], [n, 64], transpose=True)", "error: The operator tile.gather_row does not support a dynamic valid_shape together with transpose=True (the DN2NZ per-row path would need a runtime column extent on a boxed NZ tile). Use a static valid_shape with transpose=True, or gather without transpose and read the operand with matmul(b_trans=True)."},
		// All violations are collected.
		{"pl.tile.gather_row(d, x, [0, 0], [0, 0], [16, 64], [17, -1])", "error: tile.gather_row valid_shape dimension 0 extent 17 provably exceeds physical shape extent 16; tile.gather_row valid_shape dimension 1 has provably negative extent -1; expected 0 <= valid_shape[1] <= shape[1] (64)"},
	})
}

func TestMgather(t *testing.T) {
	p := params("n: Scalar[INDEX]", "x: Tensor[[100, 64], FP16]", "i: Tile[[1, 8], INT32, Mem.Vec, TileView(valid_shape=[1, n])]", "c: Tile[[8, 1], INT32, Mem.Vec]", "q: Tile[[4, 8], INT32, Mem.Vec]", "g: Tensor[[1, 16], INT32]",
		"g2: Tensor[[32, 16], INT32]", "sc: Tensor[[1024], FP16]", "small: Tensor[[100], FP16]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.mgather(x, i, coalesce=0)", "pl.Tile[[8, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[n, 64])]"},
		{"pl.tile.mgather(x, c, coalesce=0)", "pl.Tile[[8, 64], pl.FP16, pl.Mem.Vec]"},
		{"pl.tile.mgather(x, q, coalesce=0)", "error: The operator tile.mgather row mode requires a [1, R] or [R, 1] idx shape, but got [4, 8]"},
		{"pl.tile.mgather(x, q, coalesce=1)", "pl.Tile[[4, 8], pl.FP16, pl.Mem.Vec]"},
		{"pl.tile.mgather(x, g, coalesce=0, target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Mat]"},
		{"pl.tile.mgather(x, g2, sc, coalesce=1, target_memory=pl.Mem.Mat)", "pl.Tile[[32, 16], pl.FP16, pl.Mem.Mat]"},
		// 32·16 = 512 elements are needed.
		{"pl.tile.mgather(x, g2, small, coalesce=1, target_memory=pl.Mem.Mat)", "error: The operator tile.mgather Mat elem scratch requires at least 512 elements, but got 100"},
		{"pl.tile.mgather(x, g2, x, coalesce=1, target_memory=pl.Mem.Mat)", "error: The operator tile.mgather Mat elem scratch must not alias mem or idx; use a distinct GM tensor"},
		{"pl.tile.mgather(x, g, coalesce=2)", "error: The operator tile.mgather requires coalesce in {0 (row), 1 (elem)}, but got 2"},
	})
}

func TestScatterAndSort(t *testing.T) {
	p := params("n: Scalar[INDEX]", "d: Tile[[16, 64], FP16, Mem.Vec, TileView(valid_shape=[n, 64])]", "s: Tile[[8, 32], FP16, Mem.Vec]", "i: Tile[[8, 32], INT16, Mem.Vec]", "i32: Tile[[8, 32], INT32, Mem.Vec]", "iw: Tile[[4, 32], INT16, Mem.Vec]",
		"w: Tile[[16, 32], FP16, Mem.Vec]", "k: Scalar[INT32]", "o: Tensor[[100], FP16]", "o32: Tensor[[100], FP32]", "f: Tile[[16, 64], FP32, Mem.Vec]", "big: Tile[[16, 256], FP32, Mem.Vec]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.scatter(d, s, i)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[n, 64])]"},
		{"pl.tile.scatter(d, s, i32)", "error: The operator tile.scatter with dst dtype fp16 (2 bytes) requires indexes dtype of 2 bytes, but got int32 (4 bytes)"},
		{"pl.tile.scatter(d, s, iw)", "error: The operator tile.scatter requires indexes.shape[0] == src.shape[0], got src rows 8 vs indexes rows 4"},
		{"pl.tile.scatter_mask(d, w, mask_pattern=1)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[n, 64])]"},
		{"pl.tile.scatter_mask(d, w, mask_pattern=3)", "error: The operator tile.scatter_mask with mask_pattern=3 requires dst.shape[1] (64) == src.shape[1] (32) * 4"},
		{"pl.tile.scatter_update(d, i, w, dim=-2)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[n, 64])]"},
		{"pl.tile.scatter_update(d, i, w, dim=0)", "error: tile.scatter_update: only dim=-2 is currently supported, got 0"},
		{"pl.tile.mscatter(s, i32, o)", "pl.Tensor[[100], pl.FP16]"},
		{"pl.tile.mscatter(s, i32, o32)", "error: The operator tile.mscatter requires output_tensor dtype (fp32) to match src dtype (fp16)"},
		{"pl.tile.sort32(f, i32)", "pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.sort32(i32, i32)", "error: The operator tile.sort32 requires src dtype to be FP16 or FP32, but got int32"},
		{"pl.tile.mrgsort_format1(f, k)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.mrgsort_format1(f, 65)", "error: The operator tile.mrgsort_format1 requires block_len to be a positive multiple of 64, but got 65"},
		{"pl.tile.mrgsort_format2(f, f, f, big, exhausted=False)", "pl.Tile[[16, 256], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.mrgsort_format2(f, s, big, exhausted=False)", "error: The operator tile.mrgsort_format2 requires all src tiles to have matching dtype, but argument 1 has fp16 (expected fp32)"},
	})
}

func TestAccess(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tile[[16, 64], FP16, Mem.Vec, TileView(valid_shape=[n, 64])]", "f: Scalar[FP16]", "g: Scalar[FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.read(a, [n, 0])", "pl.Scalar[pl.FP16]"},
		{"pl.tile.read(a, [n])", "error: tile.read indices count (1) must match tile rank (2)"},
		{"pl.tile.read(a, [n, f])", "error: tile.read index element 1 must have integer dtype, but got fp16"},
		{"pl.tile.write(a, [0, 0], f)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[n, 64])]"},
		{"pl.tile.write(a, [0, 0], g)", "error: tile.write requires value dtype to match tile dtype, but got value dtype fp32 and tile dtype fp16"},
		{"pl.tile.get_block_idx()", "pl.Scalar[pl.INDEX]"},
		{"pl.tile.get_subblock_idx(n)", "error: The operator tile.get_subblock_idx requires no arguments, but got 1"},
	})
}

func TestCrossCore(t *testing.T) {
	p := params("n: Scalar[INDEX]", "acc: Tile[[32, 64], FP32, Mem.Acc]", "v: Tile[[17, 64], FP32, Mem.Vec]", "cols: Tile[[32, 64], FP32, Mem.Acc, TileView(valid_shape=[32, 60])]", "coln: Tile[[32, 64], FP32, Mem.Acc, TileView(valid_shape=[32, n])]",
		"both: Tile[[32, 64], FP32, Mem.Acc, TileView(valid_shape=[20, 60])]", "rows: Tile[[32, 64], FP32, Mem.Acc, TileView(valid_shape=[n, 64])]", "a3: Tile[[2, 32, 64], FP32, Mem.Vec]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.aiv_shard(acc, split=1)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.aiv_shard(acc, split=2)", "pl.Tile[[32, 32], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.aiv_shard(cols, split=0)", "pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[32, 60])]"},
		// ceil(17/2) = 9.
		{"pl.tile.aiv_shard(v, split=1)", "pl.Tile[[9, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.aiv_shard(rows, split=1)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[(n + pl.const(1, pl.INDEX)) // pl.const(2, pl.INDEX), 64])]"},
		{"pl.tile.aic_gather(v, split=1)", "pl.Tile[[34, 64], pl.FP32, pl.Mem.Mat]"},
		{"pl.tile.aiv_shard(acc, split=3)", "error: tile.aiv_shard split must be 0 (NONE/no split axis), 1 (UP_DOWN/axis0) or 2 (LEFT_RIGHT/axis1), but got 3"},
		{"pl.tile.aiv_shard(a3, split=1)", "error: tile.aiv_shard requires a 2D tile, but got rank 3"},
		{"pl.tile.aiv_shard(acc, split=1, lane_stride=17)", "error: tile.aiv_shard: 'lane_stride' 17 exceeds the per-lane physical half 16 of a 32-wide split axis"},
		{"pl.tile.aiv_shard(both, split=1)", "error: tile.aiv_shard: UP_DOWN split with BOTH a per-lane row extent (20 of 32, so the lanes hold different row counts) and a narrowed column extent (60 of 64) is not supported. The per-lane row extent rides on the TPOP valid_row operand, but the narrowed column extent can only be restored by pto.treshape, which rebuilds BOTH axes from one static type and would overwrite that per-lane row.\nFix: widen the columns before the crossing and store the full column box --\n        acc = pl.set_validshape(acc, 20, 64)\n        out[r0 : r0 + <half>, 0 : 64] = shard"},
		{"pl.tile.tpush_to_aiv(acc, split=0)", "pl.UnknownType"},
		{"pl.tile.tpop_from_aic(split=0)", "pl.UnknownType"},
		{"pl.system.reserve_buffer(name='b', size=64, base=-1)", "pl.Scalar[pl.INT32]"},
		{"pl.system.sync_set(pipe=pl.PipeType.V, event_id=14)", "error: system.sync_set event_id must be in the user-available range [0, 13], got 14"},
		{"pl.system.sync_set(event_id=3)", "error: system.sync_set requires a pipe attribute"},
		{"pl.system.sync_set(n, pipe=pl.PipeType.V, event_id=3)", "error: system.sync_set requires exactly one static event_id attribute or dynamic event-id operand"},
		{"pl.system.sync_wait(n, pipe=pl.PipeType.V, ffts_mode=0)", "error: Unknown kwarg 'ffts_mode' for operator 'system.sync_wait'"},
	})
}

func TestArray(t *testing.T) {
	p := params("n: Scalar[INDEX]", "f: Scalar[FP32]", "k: Scalar[INT32]") + ", arr: pl.Array[4, pl.INT32]"
	checkTypes(t, p, []typeCase{
		{"pl.array.create(4, dtype=pl.INT32)", "pl.Array[4, pl.INT32]"},
		{"pl.array.create(0, dtype=pl.INT32)", "error: array.create extent must be positive, got 0"},
		{"pl.array.create(4, dtype=pl.FP32)", "error: array.create dtype must be integer, BOOL, or TASK_ID, got fp32"},
		{"pl.array.get_element(arr, n)", "pl.Scalar[pl.INT32]"},
		{"pl.array.get_element(n, n)", "error: array.get_element first argument must be ArrayType, got ScalarType"},
		{"pl.array.update_element(arr, n, n)", "pl.Array[4, pl.INT32]"}, // INDEX goes with any integer
		{"pl.array.update_element(arr, n, f)", "error: array.update_element value dtype (fp32) must match array dtype (int32)"},
	})
}
