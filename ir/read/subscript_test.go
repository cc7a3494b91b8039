package read_test

import "testing"

// TestSubscripts: what subscript syntax stands for (spec 01 §8.4, 7.2).
func TestSubscripts(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// All-scalar full rank reads an element.
		{"x = a[n, 3]", "x: pl.Scalar[pl.FP32] = pl.tensor.read(a, [n, 3])"},
		{"x = t[0, n]", "x: pl.Scalar[pl.FP32] = pl.tile.read(t, [0, n])"},
		// Slices: extent is upper - lower; missing positions take the axis.
		{"x = a[0:16, 0:16]", "x: pl.Tensor[[16, 16], pl.FP32] = pl.tensor.slice(a, [16, 16], [0, 0])"},
		{"x = a[n:n + 16]", "x: pl.Tensor[[16, 64], pl.FP32] = pl.tensor.slice(a, [16, 64], [n, 0])"},
		{"x = t[4:, :32]", "x: pl.Tile[[12, 32], pl.FP32, pl.Mem.Vec] = pl.tile.slice(t, [12, 32], [4, 0])"},
		// A scalar drops its axis.
		{"x = a[n]", "x: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(a, [1, 64], [n, 0], [], [0])"},
		{"x = a[:, 3]", "x: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(a, [64, 1], [0, 3], [], [1])"},
		// A tile's storage is static: a runtime upper bound narrows the valid shape.
		{"x = t[0:n, :]", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[n, 64])] = pl.tile.slice(t, [16, 64], [0, 0], [n, 64])"},
		// Tiles keep two axes.
		{"x = t[2, 0:32]", "x: pl.Tile[[1, 32], pl.FP32, pl.Mem.Vec] = pl.tile.slice(t, [1, 32], [2, 0], [], [0])"},
		// Writes assemble into the same variable.
		{"t[0:4, 0:32] = t[4:8, 0:32]", "t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(t, pl.tile.slice(t, [4, 32], [4, 0]), [0, 0])"},
		{"a[n:n + 16, :] = a[0:16, :]", "a: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.assemble(a, pl.tensor.slice(a, [16, 64], [0, 0]), [n, 0])"},
		// A rank-reduced source is reshaped to the window.
		{"a[n] = a[0]", "a: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.assemble(a, pl.tensor.reshape(pl.tensor.slice(a, [1, 64], [0, 0], [], [0]), [1, 64]), [n, 0])"},
		{"t[2, :] = t[0:1, :]", "t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(t, pl.tile.slice(t, [1, 64], [0, 0]), [2, 0])"},
		// Arrays.
		{"x = pl.array.create(4, dtype=pl.INT32)\ny = x[n]\nx[1] = 5", "x: pl.Array[4, pl.INT32] = pl.array.create(4, dtype=pl.INT32)\ny: pl.Scalar[pl.INT32] = pl.array.get_element(x, n)\nx: pl.Array[4, pl.INT32] = pl.array.update_element(x, 1, pl.const(5, pl.INT32))"},
	} {
		wantBody(t, c.in, c.want)
	}
}

func TestSubscriptErrors(t *testing.T) {
	for _, c := range []struct {
		in   string
		want found
	}{
		{"x = a[0, 0, 0]", found{"a[0, 0, 0]", "Tensor subscript has 3 indices but the tensor is 2D", "Provide at most 2 indices for a 2D tensor"}},
		{"x = t[0:8:2, :]", found{"t[0:8:2, :]", "Slice step is not supported in tile subscript", "Use A[start:stop] without step"}},
		{"x = t[n:, :]", found{"t[n:, :]", "Dynamic lower bounds are not supported in tile subscript", "Use a constant tile slice lower bound or rewrite the logic with explicit tile ops"}},
		{"x = t[8:4, :]", found{"t[8:4, :]", "Tile subscript must produce a positive static extent", "Keep tile slice bounds within the source static shape and ensure upper > lower"}},
		{"x = n[0]", found{"n[0]", "Subscript requires Tuple, Tensor, Tile, or Array type, got ScalarType", "Subscript syntax is supported for Tuple, Tensor, Tile, and Array types"}},
		{"t[0, 0] = t", found{"t[0, 0]", "Element-write 'dst[i, j] = scalar' is not supported for tile targets", "Use slice indices (e.g. 'dst[i:i+1, j:j+1] = tile_1x1') or index fewer axes"}},
		{"t[0:4, :] = a[0:4, :]", found{"t[0:4, :]", "Subscript-write source must also be a Tile, got TensorType", "The rhs of 'dst[...] = src' must be a Tile of matching shape"}},
		{"t[0:4, :] = t[0:8, :]", found{"t[0:4, :]", "Subscript-write shape mismatch on source axis 0: window expects 4 elements, source has 8", "Make the source's static_shape or valid_shape match the rank-reduced lhs window, or adjust the slice bounds"}},
		{"a[n] = a[0:1, :]", found{"a[n]", "Subscript-write source must be 1D to match the rank-reduced tensor window, got 2D", "A scalar index removes its axis from the lhs window; the rhs rank must match the remaining axes (tiles may also keep leading unit axes to stay 2D)"}},
		{"n[0:1] = t", found{"n[0:1]", "Subscript-write requires a Tensor, Tile, or Array target, got ScalarType", "Subscript-write 'dst[...] = src' is only supported for Tensor, Tile, and Array"}},
		// Errors of the operator behind the syntax have no position of their own.
		{"x = a[60:80, :]", found{"a[60:80, :]", "Failed to parse function 'f': tensor.slice reads past the end of dimension 0: offset 60 + extent 20 exceeds the source extent 64. Pass clamp=True -- pl.slice(x, shape, offset, clamp=True) -- to narrow the valid region to the source edge instead", "Check your function definition for errors"}},
	} {
		wantProblems(t, "", c.in, c.want)
	}
}
