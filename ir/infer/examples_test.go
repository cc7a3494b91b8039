package infer_test

import "testing"

// The worked examples of spec 02 §13.

func TestExampleRagged(t *testing.T) { // 13.1
	p := params("x: Tensor[[100, 64], FP32]", "y: Tensor[[100, 64], FP32]", "t: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[4, 64])]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.load(x, [96, 0], [16, 64], [4, 64], target_memory=pl.Mem.Vec)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64])]"},
		{"pl.tile.load(x, [96, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)", "error: tile.load reads past the end of dimension 0: offset 96 + extent 16 exceeds the source extent 100. Pass clamp=True -- pl.load(x, offsets, shapes, clamp=True) -- to narrow the read to the source edge instead"},
		{"pl.tile.load(x, [96, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec, clamp=True)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64])]"},
		{"pl.tile.store(t, [96, 0], y)", "pl.Tensor[[100, 64], pl.FP32]"},
	})
}

func TestExampleAdd(t *testing.T) { // 13.2
	p := params("a: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[4, 64])]", "b: Tile[[16, 64], FP32, Mem.Vec]", "r: Tile[[1, 64], FP32, Mem.Vec]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.add(a, b)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64])]"},
		{"pl.tile.add(b, a)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.add(r, b)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 64])]"},
		{"pl.tile.add(b, r)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
	})
}

func TestExampleSlice(t *testing.T) { // 13.3
	p := params("m: Tile[[64, 64], BF16, Mem.Mat]", "m2: Tile[[64, 64], BF16, Mem.Mat, TileView(valid_shape=[20, 64])]")
	checkTypes(t, p, []typeCase{
		// The flat view is fully valid, vanishes, and Mat makes it NZ.
		{"pl.tile.slice(m, [16, 64], [16, 0])", "pl.Tile[[16, 64], pl.BF16, pl.Mem.Mat]"},
		// The narrower request keeps the flat view alive.
		{"pl.tile.slice(m, [16, 64], [16, 0], [4, 64])", "pl.Tile[[16, 64], pl.BF16, pl.Mem.Mat, pl.TileView(valid_shape=[4, 64], blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)]"},
		{"pl.tile.set_validshape(m, 20, 64)", "pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat, pl.TileView(valid_shape=[20, 64])]"},
		// min(20 - 16, 16) = 4 rows; the explicit NZ view is inherited.
		{"pl.tile.slice(m2, [16, 64], [16, 0])", "pl.Tile[[16, 64], pl.BF16, pl.Mem.Mat, pl.TileView(valid_shape=[4, 64])]"},
	})
}

func TestExampleReshape(t *testing.T) { // 13.4
	p := params("s: Tile[[8, 32], FP32, Mem.Vec, TileView(valid_shape=[3, 32])]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.reshape(s, [256])", "pl.Tile[[256], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[96])]"},
		{"pl.tile.reshape(s, [4, 64])", "error: tile.reshape: cannot reshape [8, 32] to [4, 64] because only 96 of its elements hold real data (valid_shape [3, 32]), and no region of [4, 64] covers exactly those 96 elements -- they do not fill a whole number of rows there. Pick a target shape whose trailing dimensions divide it, or copy the real data out first (pl.slice / pl.store)."},
		{"pl.tile.reshape(s, [8, 1, 32])", "pl.Tile[[8, 1, 32], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[3, 1, 32])]"},
	})
}

func TestExampleMatmulSpaces(t *testing.T) { // 13.5
	p := params("x: Tensor[[16, 64], FP16]", "a: Tile[[16, 64], FP16, Mem.Mat]", "al: Tile[[16, 64], FP16, Mem.Left]", "br: Tile[[64, 32], FP16, Mem.Right]",
		"c: Tile[[16, 32], FP32, Mem.Acc]", "out: Tensor[[16, 32], FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.load(x, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Mat]"},
		{"pl.tile.move(a, target_memory=pl.Mem.Left)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Left]"},
		{"pl.tile.matmul(al, br)", "pl.Tile[[16, 32], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.move(c, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)", "pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec]"},
		// Without the overrides Vec keeps the source's NZ layout.
		{"pl.tile.move(c, target_memory=pl.Mem.Vec)", "pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major, slayout=pl.TileLayout.row_major)]"},
		{"pl.tile.store(c, [0, 0], out)", "pl.Tensor[[16, 32], pl.FP32]"},
	})
}

func TestExampleGemv(t *testing.T) { // 13.7
	p := params("l: Tile[[1, 128], FP16, Mem.Left]", "r: Tile[[128, 64], FP16, Mem.Right]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.gemv(l, r, acc_phase='unspecified')", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Acc, pl.TileView(valid_shape=[1, 64])]"},
		// Unlike gemv, matmul stamps compact unless all rows are valid: here they are.
		{"pl.tile.matmul(l, r)", "pl.Tile[[1, 64], pl.FP32, pl.Mem.Acc]"},
	})
}
