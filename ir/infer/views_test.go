package infer_test

import "testing"

func TestSlice(t *testing.T) {
	p := params("n: Scalar[INDEX]", "i: Scalar[INDEX]", "k: Scalar[INT32]", "a: Tile[[64, 64], FP32, Mem.Vec]", "v: Tile[[64, 64], FP32, Mem.Vec, TileView(valid_shape=[20, 64], pad=PadValue.min)]", "a3: Tile[[1, 64, 64], FP32, Mem.Vec]",
		"w: Tile[[1, 64, 64], FP32, Mem.Vec, TileView(valid_shape=[n, 64, 64])]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.slice(a, [16, 64], [i, 0])", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		// 20 valid rows, window of 16 at i: min(max(20 - i, 0), 16). pad is inherited.
		{"pl.tile.slice(v, [16, 64], [i, 0])", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[pl.min(pl.max(pl.const(20, pl.INDEX) - i, pl.const(0, pl.INDEX)), pl.const(16, pl.INDEX)), 64], pad=pl.PadValue.min)]"},
		{"pl.tile.slice(a, [16, 64], [0, 0], pad_value=pl.PadValue.zero)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)]"},
		{"pl.tile.slice(a, [16, 1], [0, 0])", "pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.slice(a, [16, 64], [49, 0])", "error: tile.slice reads past the end of dimension 0: offset 49 + extent 16 exceeds the source extent 64. An on-chip window has no clamping mechanism, so it must fit: keep offset + shape inside the source tile, or clamp the read at the tensor boundary with pl.load(..., clamp=True) and slice the resulting tile in bounds"},
		// An exact window has to fit as a whole, whatever is requested.
		{"pl.tile.slice(a, [16, 64], [49, 0], [4, 64])", "error: tile.slice reads past the end of dimension 0: offset 49 + extent 16 exceeds the source extent 64. An on-chip window has no clamping mechanism, so it must fit: keep offset + shape inside the source tile, or clamp the read at the tensor boundary with pl.load(..., clamp=True) and slice the resulting tile in bounds"},
		{"pl.tile.slice(a3, [1, 16, 64], [0, 0, 0], [], [0])", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		// Fewer than two axes left: units in front.
		{"pl.tile.slice(a3, [1, 1, 64], [0, 0, 0], [], [0, 1])", "pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.slice(a3, [1, 16, 64], [0, 0, 0], [], [1])", "error: tile.slice drop_dims index 1 must select a static unit dimension (rank reduction only erases size-1 dims), but dim 1 is 16"},
		{"pl.tile.slice(a3, [1, 16, 64], [0, 0, 0], [], [0, 0])", "error: tile.slice drop_dims index 0 is repeated"},
		{"pl.tile.slice(a3, [1, 16, 64], [0, 0, 0], [], [3])", "error: tile.slice drop_dims index 3 out of range for rank 3"},
		{"pl.tile.slice(w, [1, 16, 64], [0, 0, 0], [], [0])", "error: tile.slice cannot drop dimension 0: its valid extent is pl.min(n, 1), which is not provably 1. Rank reduction erases an axis, so the axis must be fully valid; keep the dimension instead of dropping it"},
		{"pl.tile.slice(a, [n, 64], [0, 0])", "error: tile.slice shape element 0 must be a compile-time constant so InitMemRef can allocate storage"},
		{"pl.tile.slice(a, [16, 64], [k, 0])", "error: tile.slice offset tuple element 0 must have dtype INT64, UINT64, or INDEX, but got int32"},
		{"pl.tile.slice(a, [16, 64], [0])", "error: tile.slice requires offset and shape to have the same rank, but got offset rank 1 and shape rank 2"},
		{"pl.tile.slice(a, [16], [0])", "error: tile.slice requires the window and the source to have the same rank, but got window rank 1 [16] and source rank 2 [64, 64]"},
	})
}

func TestAssemble(t *testing.T) {
	p := params("t: Tile[[64, 64], FP32, Mem.Vec]", "tv: Tile[[64, 64], FP32, Mem.Vec, TileView(valid_shape=[16, 64])]", "s: Tile[[16, 64], FP32, Mem.Vec]", "sv: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[4, 64])]",
		"b: Tile[[64, 64], BF16, Mem.Mat]", "acc: Tile[[16, 64], FP32, Mem.Acc]", "i: Tile[[16, 64], INT32, Mem.Vec]", "n: Scalar[INDEX]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.assemble(t, s, [0, 0])", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.assemble(tv, s, [16, 0])", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[32, 64])]"},
		// Only 4 of the 16 rows are valid, but the whole source has to fit.
		{"pl.tile.assemble(tv, sv, [16, 0])", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[20, 64])]"},
		{"pl.tile.assemble(t, sv, [60, 0])", "error: tile.assemble writes past the end of dimension 0: offset 60 + extent 16 exceeds the target extent 64. tile.assemble lowers to pto.tinsert, which copies the whole source subview rather than only its valid region, so the source allocation itself has to fit -- unlike tensor.assemble, which transfers only the valid extent"},
		{"pl.tile.assemble(b, acc, [0, 0])", "pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat]"},
		{"pl.tile.assemble(t, i, [0, 0])", "error: tile.assemble requires target and source to have the same dtype (or an Acc->Mat FIXPIPE downcast to bf16/f16), but got fp32 and int32"},
		{"pl.tile.assemble(t, s, n)", "error: tile.assemble requires offset to be TupleType, but got ScalarType"},
	})
}

func TestExtract(t *testing.T) {
	p := params("n: Scalar[INDEX]", "m: Tile[[64, 128], BF16, Mem.Mat]", "mv: Tile[[64, 128], BF16, Mem.Mat, TileView(valid_shape=[n, 128])]", "f: Scalar[FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.extract(m, 0, n, [16, 64], target_memory=pl.Mem.Left)", "pl.Tile[[16, 64], pl.BF16, pl.Mem.Left, pl.TileView(blayout=pl.TileLayout.row_major)]"},
		{"pl.tile.extract(m, 0, 0, [64, 16], target_memory=pl.Mem.Right)", "pl.Tile[[64, 16], pl.BF16, pl.Mem.Right]"},
		{"pl.tile.extract(mv, 0, 0, [16, 64], target_memory=pl.Mem.Left)", "pl.Tile[[16, 64], pl.BF16, pl.Mem.Left, pl.TileView(valid_shape=[pl.min(n, pl.const(16, pl.INDEX)), 64], blayout=pl.TileLayout.row_major, compact=pl.CompactMode.normal)]"},
		{"pl.tile.extract(m, 0, 0, [16, 64])", "pl.Tile[[16, 64], pl.BF16, pl.Mem.Vec]"},
		{"pl.tile.extract(m, 0, 0, [65, 64])", "error: tile.extract shape[0]=65 exceeds src row 64"},
		{"pl.tile.extract(m, 0, 65, [16, 64])", "error: tile.extract index_col=65 + shape[1]=64 exceeds src col 128"},
		{"pl.tile.extract(m, -1, 0, [16, 64])", "error: tile.extract index_row must be >= 0, got -1"},
		{"pl.tile.extract(m, f, 0, [16, 64])", "error: tile.extract index_row must have INT64/UINT64/INDEX dtype, but got fp32"},
		{"pl.tile.extract(m, 0, 0, [16, n])", "error: tile.extract shape[1] must be a compile-time ConstInt"},
	})
}

func TestSetValidShape(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tile[[64, 64], FP32, Mem.Vec]", "m: Tile[[64, 64], FP32, Mem.Mat, TileView(blayout=TileLayout.row_major, slayout=TileLayout.none_box)]", "k: Scalar[INT32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.set_validshape(a, n, 64)", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[n, 64])]"},
		{"pl.tile.set_validshape(a, 64, 64)", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec]"},
		// A flat Mat tile becomes NZ when it is made fully valid …
		{"pl.tile.set_validshape(m, 64, 64)", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat]"},
		// … and stays flat otherwise.
		{"pl.tile.set_validshape(m, 20, 64)", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat, pl.TileView(valid_shape=[20, 64], blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)]"},
		{"pl.tile.set_validshape(a, 65, 64)", "error: tile.set_validshape valid_rows (65) exceeds tile bound 64"},
		{"pl.tile.set_validshape(a, 4, -1)", "error: tile.set_validshape valid_cols must be >= 0, got -1"},
		{"pl.tile.set_validshape(a, k, 64)", "error: tile.set_validshape valid_rows must have dtype INT64, UINT64, or INDEX, but got int32"},
	})
}

func TestReshape(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tile[[16, 64], FP32, Mem.Vec]", "c: Tile[[64, 1], FP32, Mem.Vec]", "v: Tile[[8, 32], FP32, Mem.Vec, TileView(valid_shape=[n, 32])]", "h: Tile[[8, 32], FP32, Mem.Vec, TileView(valid_shape=[3, 16])]",
		"z: Tile[[8, 32], FP32, Mem.Vec, TileView(valid_shape=[0, 32])]", "cv: Tile[[64, 1], FP32, Mem.Vec, TileView(valid_shape=[n, 1])]", "nz: Tile[[32, 32], FP32, Mem.Mat, TileView(valid_shape=[4, 32])]", "g: Tile[[8, 32], FP32, Mem.Vec, TileView(valid_shape=[3, n])]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.reshape(a, [64, 16])", "pl.Tile[[64, 16], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.reshape(c, [1, 64])", "pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.reshape(a, [64, 17])", "error: tile.reshape: cannot reshape tile of size 1024 into shape with size 1088"},
		// A runtime number of rows needs a dimension with the same row size.
		{"pl.tile.reshape(v, [1, 8, 32])", "pl.Tile[[1, 8, 32], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, n, 32])]"},
		{"pl.tile.reshape(v, [16, 16])", "error: tile.reshape: cannot reshape [8, 32] to [16, 16] because its real data extends a runtime number of rows (n) and no dimension of [16, 16] has the matching row size of 32 elements. Keep that dimension intact in the target shape, or copy the real data out first (pl.slice / pl.store)."},
		{"pl.tile.reshape(h, [256])", "error: tile.reshape: cannot reshape [8, 32] to [256] because only part of it holds real data (valid_shape [3, 16]). Dimension 1 is valid for 16 of 32, so the real data is scattered across the buffer rather than filling it from the start, and no region of the new shape describes the same cells. Reshape the full extent and narrow afterwards, or copy the real data out first (pl.slice / pl.store)."},
		{"pl.tile.reshape(g, [256])", "error: tile.reshape: cannot reshape [8, 32] to [256] because only part of it holds real data (valid_shape [3, n]). Dimension 1 is valid for n of 32 (a runtime extent that cannot be proven equal), so the real data is scattered across the buffer rather than filling it from the start, and no region of the new shape describes the same cells. Reshape the full extent and narrow afterwards, or copy the real data out first (pl.slice / pl.store)."},
		{"pl.tile.reshape(z, [256])", "pl.Tile[[256], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[0])]"},
		// Erase the unit column, insert a unit row.
		{"pl.tile.reshape(cv, [1, 64])", "pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, n])]"},
		{"pl.tile.reshape(nz, [1024, 1])", "error: tile.reshape: cannot reshape [32, 32] to [1024, 1] because only part of it holds real data (valid_shape [4, 32]) and its elements are not stored row-major, so the real data does not occupy a contiguous run that the new shape can describe. Reshape the full extent and narrow afterwards, or copy the real data out first (pl.slice / pl.store)."},
	})
}

func TestReinterpret(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tile[[16, 64], FP32, Mem.Vec]", "h: Tile[[16, 64], FP16, Mem.Vec, TileView(valid_shape=[16, 32], pad=PadValue.max)]", "c: Tile[[64, 1], FP16, Mem.Vec]", "m: Tile[[64, 64], FP16, Mem.Mat]", "odd: Tile[[16, 63], FP16, Mem.Vec]",
		"v: Tile[[16, 64], FP16, Mem.Vec, TileView(valid_shape=[16, n])]", "b: Tile[[16, 64], FP4, Mem.Vec]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.reinterpret_view(a, dtype=pl.FP16)", "pl.Tile[[16, 128], pl.FP16, pl.Mem.Vec]"},
		// Half as many elements, half as many valid ones; pad max is dropped.
		{"pl.tile.reinterpret_view(h, dtype=pl.INT32)", "pl.Tile[[16, 32], pl.INT32, pl.Mem.Vec, pl.TileView(valid_shape=[16, 16])]"},
		// A column is contiguous along its rows.
		{"pl.tile.reinterpret_view(c, dtype=pl.INT32)", "pl.Tile[[32, 1], pl.INT32, pl.Mem.Vec]"},
		{"pl.tile.reinterpret_view(a, [32, 64], dtype=pl.INT16)", "pl.Tile[[32, 64], pl.INT16, pl.Mem.Vec]"},
		{"pl.tile.reinterpret_view(a, [32, 63], dtype=pl.INT16)", "error: tile.reinterpret_view requires equal source and target byte sizes, but source has 4096 bytes and target has 4032 bytes"},
		{"pl.tile.reinterpret_view(odd, dtype=pl.INT32)", "error: tile.reinterpret_view shape dimension 1 (63) is not divisible by 2 for the wider target dtype"},
		{"pl.tile.reinterpret_view(v, dtype=pl.INT32)", "error: tile.reinterpret_view cannot prove that dynamic valid_shape dimension 1 is divisible by 2 for the wider target dtype; provide a static divisible extent"},
		{"pl.tile.reinterpret_view(m, dtype=pl.INT32)", "error: tile.reinterpret_view only supports flat tiles with slayout=none_box; boxed/fractal tiles are unsupported"},
		{"pl.tile.reinterpret_view(a, dtype=pl.FP32)", "error: tile.reinterpret_view requires source and target dtypes to differ; use reshape/view for shape-only changes"},
		{"pl.tile.reinterpret_view(a, dtype=pl.BOOL)", "error: tile.reinterpret_view does not support target dtype bool; supported dtypes are byte-addressable int/uint8/16/32/64, FP16, BF16, and FP32"},
		{"pl.tile.reinterpret_view(h, [32, 16], dtype=pl.INT32)", "error: tile.reinterpret_view cannot preserve a partial valid_shape through an arbitrary explicit reshape; omit shape or use the layout-aware auto-detected shape"},
	})
}

func TestTranspose(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tile[[1, 64], FP32, Mem.Vec, TileView(valid_shape=[1, n])]", "m: Tile[[64, 32], FP16, Mem.Mat, TileView(valid_shape=[20, 32])]", "r: Tile[[64, 32], FP16, Mem.Right]")
	checkTypes(t, p, []typeCase{
		// Fully valid whatever the source, and row_major even for [64, 1].
		{"pl.tile.transpose(a, 0, 1)", "pl.Tile[[64, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.row_major)]"},
		{"pl.tile.transpose(a, -2, -1, a)", "pl.Tile[[64, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.row_major)]"},
		{"pl.tile.transpose(a, 0, 2)", "error: Axis 2 is out of range for 2D tile"},
		{"pl.tile.transpose(a, 1, -1)", "error: tile.transpose: axis1 and axis2 must be different, but got axis1=1, axis2=1"},
		{"pl.tile.transpose_view(m)", "pl.Tile[[32, 64], pl.FP16, pl.Mem.Mat, pl.TileView(valid_shape=[32, 20], blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.col_major)]"},
	})
}

func TestConcatAndPad(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tile[[16, 64], FP32, Mem.Vec]", "b: Tile[[16, 32], FP32, Mem.Vec]", "w: Tile[[8, 32], FP32, Mem.Vec]", "v: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[4, n])]", "m: Tile[[16, 64], FP32, Mem.Mat, TileView(valid_shape=[4, 64])]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.concat(a, b)", "pl.Tile[[16, 96], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.concat(a, w)", "error: tile.concat: row count must match, got 16 vs 8"},
		{"pl.tile.fillpad(v, pad_value=pl.PadValue.min)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.min)]"},
		{"pl.tile.fillpad_inplace(v)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)]"},
		// The space is the operand's, not the operator's fixed Vec.
		{"pl.tile.fillpad(m)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat, pl.TileView(pad=pl.PadValue.zero)]"},
		{"pl.tile.fillpad(v, pad_value=pl.PadValue.null)", "error: tile.fillpad requires pad_value to be zero/max/min, not null"},
		{"pl.tile.fillpad_expand(b, [16, 64], pad_value=pl.PadValue.zero)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)]"},
		{"pl.tile.fillpad_expand(a, [16, 32])", "error: tile.fillpad_expand destination dimension 1 (32) must be >= source dimension (64)"},
	})
}
