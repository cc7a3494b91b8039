package infer_test

import "testing"

var tiles = params("a: Tile[[16, 64], FP32, Mem.Vec]", "h: Tile[[16, 64], FP16, Mem.Vec]", "i: Tile[[16, 64], INT32, Mem.Vec]",
	"s: Tile[[16, 64], INT16, Mem.Vec]", "u: Tile[[16, 64], UINT16, Mem.Vec]", "p: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[4, 64], pad=PadValue.zero)]",
	"row: Tile[[1, 64], FP32, Mem.Vec]", "col: Tile[[16, 1], FP32, Mem.Vec]", "w: Tile[[8, 64], FP32, Mem.Vec]", "n: Scalar[INDEX]", "f: Scalar[FP32]",
	"k: Scalar[INT32]", "t: Tensor[[16, 64], FP32]", "dyn: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[n, 64])]")

func TestElementwise(t *testing.T) {
	checkTypes(t, tiles, []typeCase{
		{"pl.tile.add(a, a)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		// FP32 beats FP16 by width, FP16 beats INT32 as the float.
		{"pl.tile.mul(a, h)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.mul(i, h)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec]"},
		// Equal widths: the signed operand wins, on either side.
		{"pl.tile.add(u, s)", "pl.Tile[[16, 64], pl.INT16, pl.Mem.Vec]"},
		{"pl.tile.add(s, u)", "pl.Tile[[16, 64], pl.INT16, pl.Mem.Vec]"},
		// pad and valid shape come from the first operand.
		{"pl.tile.maximum(p, a)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64], pad=pl.PadValue.zero)]"},
		{"pl.tile.add(col, row)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[16, 1], blayout=pl.TileLayout.col_major)]"},
		{"pl.tile.add(a, w)", "error: The operator tile.add requires compatible shapes, but got [16, 64] and [8, 64]"},
		{"pl.tile.add(a)", "error: The operator tile.add requires exactly 2 arguments, but got 1"},
		{"pl.tile.add(a, n)", "error: The operator tile.add requires second argument to be a TileType, but got ScalarType"},
		{"pl.tile.add(t, a)", "error: The operator tile.add requires first argument to be a TileType, but got TensorType"},
		{"pl.tile.and_(i, s)", "pl.Tile[[16, 64], pl.INT32, pl.Mem.Vec]"},
		{"pl.tile.and_(i, a)", "error: The operator tile.and requires integer tile dtype, but got fp32"},
		{"pl.tile.shl(s, i)", "pl.Tile[[16, 64], pl.INT16, pl.Mem.Vec]"},
		{"pl.tile.shl(i, a)", "error: The operator tile.shl requires integer shift tile dtype, but got fp32"},
		{"pl.tile.div(a, p)", "error: The operator tile.div requires src0, src1, and dst to have the same valid_shape, but dimension 0 differs; got src0 valid_shape [16, 64] and src1 valid_shape [4, 64]"},
		{"pl.tile.div(i, i, high_precision=True)", "error: The operator tile.div supports high_precision only for FP16 or FP32 because the PTOAS high-precision template does not implement integer division"},
		{"pl.tile.div(a, row)", "error: The operator tile.div requires src0, src1, and dst to have the same physical shape, but dimension 0 differs; got src0 shape [16, 64] and src1 shape [1, 64]"},
		{"pl.tile.rem(a, row, a)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.rem(a, a, n)", "error: The operator tile.rem requires third argument (tmp) to be a TileType, but got ScalarType"},
		{"pl.tile.addc(row, a, a)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 64])]"},
		// A scalar never changes the dtype …
		{"pl.tile.adds(h, f)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec]"},
		// … but a scratch tile does.
		{"pl.tile.rems(h, f, a)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.subs(u, k)", "error: The operator tile.subs requires tile dtype in {INT8, INT16, INT32, FP16, FP32, BF16}, but got uint16"},
		{"pl.tile.subs(a, n)", "error: The operator tile.subs requires scalar dtype in {INT8, INT16, INT32, FP16, FP32, BF16}, but got index"},
		{"pl.tile.ands(i, f)", "error: The operator tile.ands requires shift/bitwise scalar to be an integer type, but got fp32"},
		{"pl.tile.xors(i, k, a)", "pl.Tile[[16, 64], pl.INT32, pl.Mem.Vec]"},
		{"pl.tile.xors(i, k, k)", "error: The operator tile.xors requires third argument to be a TileType, but got ScalarType"},
		{"pl.tile.adds(a, f, mode=3)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"}, // no attributes: any keyword passes
	})
}

func TestComparison(t *testing.T) {
	p := params("a: Tile[[16, 100], FP32, Mem.Vec]", "v: Tile[[16, 100], FP32, Mem.Vec, TileView(valid_shape=[16, n])]", "m: Tile[[16, 32], UINT8, Mem.Vec]",
		"small: Tile[[8, 32], UINT8, Mem.Vec]", "n: Scalar[INDEX]", "f: Scalar[FP32]", "h: Scalar[FP16]", "s3: Tile[[2, 16, 32], FP32, Mem.Vec]")
	checkTypes(t, p, []typeCase{
		// ceil(100/8) = 13 bytes, rounded up to 32; 13 of them valid.
		{"pl.tile.cmp(a, a, cmp_type=2)", "pl.Tile[[16, 32], pl.UINT8, pl.Mem.Vec, pl.TileView(valid_shape=[16, 13])]"},
		{"pl.tile.cmps(v, f, cmp_type=0)", "pl.Tile[[16, 32], pl.UINT8, pl.Mem.Vec, pl.TileView(valid_shape=[16, (n + pl.const(7, pl.INDEX)) // pl.const(8, pl.INDEX)])]"},
		{"pl.tile.cmp(a, a)", "error: The operator tile.cmp requires 'cmp_type' attribute"},
		{"pl.tile.sel(m, v, a, a)", "pl.Tile[[16, 100], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[16, n])]"},
		{"pl.tile.sel(m, a, a, f)", "error: The operator tile.sel requires fourth argument (tmp) to be a TileType, but got ScalarType"},
		{"pl.tile.sels(m, a, a, f)", "pl.Tile[[16, 100], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.sels(m, a, a, h)", "error: The operator tile.sels requires scalar dtype fp32 for src dtype fp32, but got fp16"},
		{"pl.tile.sels(small, a, a, f)", "error: The operator tile.sels requires mask carrier rows to cover src valid rows, but got mask valid_shape [8, 32] and src valid_shape [16, 100]"},
		// A runtime number of columns cannot be proven to fit 32 bytes a row.
		{"pl.tile.sels(m, v, a, f)", "error: The operator tile.sels requires each mask carrier row to hold at least ceil(src valid columns / 8) packed bytes, but got mask valid_shape [16, 32] with dtype uint8 and src valid_shape [16, n]"},
		{"pl.tile.sels(a, a, a, f)", "error: The operator tile.sels requires an 8-, 16-, or 32-bit integer mask, but got fp32"},
		{"pl.tile.prelu(a, a, m)", "pl.Tile[[16, 100], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.prelu(a, v, m)", "error: The operator tile.prelu requires slope and src to have the same valid_shape, but dimension 1 differs; got slope valid_shape [16, n] and src valid_shape [16, 100]"},
		{"pl.tile.prelu(a, a, s3)", "error: The operator tile.prelu requires a rank-2 tmp tile, but got rank 3"},
	})
}

func TestUnary(t *testing.T) {
	checkTypes(t, tiles, []typeCase{
		{"pl.tile.exp(p)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64], pad=pl.PadValue.zero)]"},
		{"pl.tile.exp(n)", "error: The operator tile.exp requires argument to be a TileType, but got ScalarType"},
		{"pl.tile.log(i)", "error: tile.log requires an FP16 or FP32 tile operand, but got int32"},
		{"pl.tile.sin(h)", "error: tile.sin is FP32-only, but got input with dtype fp16. Cast the input to FP32 explicitly via pl.cast(tile, pl.FP32) before applying tile.sin."},
		{"pl.tile.not_(i)", "error: The operator tile.not requires int16 or uint16 tile dtype, but got int32"},
		{"pl.tile.not_(u)", "pl.Tile[[16, 64], pl.UINT16, pl.Mem.Vec]"},
		{"pl.tile.recip(i, high_precision=True)", "error: The operator tile.recip supports high_precision only for FP16 or FP32 because the PTOAS high-precision template does not implement other dtypes"},
		{"pl.tile.rsqrt(a, h)", "error: tile.rsqrt: tmp tile dtype (fp16) must match input dtype (fp32)"},
		{"pl.tile.rsqrt(a, w)", "error: tile.rsqrt: tmp tile shape mismatch at dimension 0 (tmp: 8, input: 16)"},
		{"pl.tile.cast(a, target_type=pl.FP16, mode='round')", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec]"},
		{"pl.tile.cast(a, target_type=pl.FP32, mode='none')", "error: tile.cast: target_type fp32 equals input dtype; same-dtype cast is not a valid operation. Remove the cast or use a different target_type."},
		{"pl.tile.cast(a, mode='none')", "error: tile.cast requires 'target_type' kwarg"},
		{"pl.tile.cast(a, target_type=True, mode='none')", "error: Kwarg 'target_type' for operator 'tile.cast' expects DataType or int, but got incompatible type"},
		{"pl.tile.cast(a, colour=1)", "error: Unknown kwarg 'colour' for operator 'tile.cast'"},
	})
}

func TestExpansion(t *testing.T) {
	p := tiles + ", " + params("c8: Tile[[16, 8], FP32, Mem.Vec]", "rowcol: Tile[[16, 1], FP32, Mem.Vec, TileView(blayout=TileLayout.row_major)]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.row_expand_mul(h, col)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.row_expand_mul(a, row)", "error: The operator tile.row_expand_mul requires second argument's last dimension to be 1, but got [1, 64]"},
		{"pl.tile.row_expand_mul(w, col)", "error: The operator tile.row_expand_mul requires matching row dimensions, but got tile rows=8 and row_vec rows=16"},
		{"pl.tile.row_expand_add(a, col)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		// A row-major src1 has 32 bytes a row: 8 elements of FP32.
		{"pl.tile.row_expand_add(a, c8)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.row_expand_add(a, rowcol)", "error: The operator tile.row_expand_add requires row-major src1 valid last dimension to be 8, but got valid_shape [16, 1]"},
		{"pl.tile.row_expand_add(p, col)", "error: The operator tile.row_expand_add requires src1 valid row extent to match src0/dst, but got src0 valid_shape [4, 64] and src1 valid_shape [16, 1]"},
		{"pl.tile.col_expand_mul(a, col)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"}, // the column operand's shape is not checked
		{"pl.tile.expands(h, f)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
	})
}

func TestReductions(t *testing.T) {
	p := tiles + ", " + params("z: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[0, 64])]", "one: Tile[[1, 64], FP32, Mem.Vec]", "nz: Tile[[16, 64], FP32, Mem.Mat]",
		"m1: Tile[[n, 64], FP32, Mem.Vec]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.row_sum(a, a)", "pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec]"},
		// [1, 1] keeps an explicit col_major view: the implicit one is row_major.
		{"pl.tile.row_sum(one, one)", "pl.Tile[[1, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major)]"},
		{"pl.tile.row_max(dyn, a)", "pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[n, 1])]"},
		{"pl.tile.row_argmax(a, a)", "pl.Tile[[16, 1], pl.INT32, pl.Mem.Vec]"},
		{"pl.tile.row_sum(a, w)", "error: The operator tile.row_sum requires tmp_tile shape to be at least the input shape in every dimension, but tmp_tile dimension 0 is undersized; got tmp_tile shape [8, 64] and input shape [16, 64]"},
		{"pl.tile.row_sum(w, a)", "pl.Tile[[8, 1], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.row_argmax(w, a)", "error: The operator tile.row_argmax requires tmp_tile shape to exactly match the input shape, but dimension 0 differs; got tmp_tile shape [16, 64] and input shape [8, 64]"},
		{"pl.tile.row_sum(a, h)", "error: The operator tile.row_sum requires tmp_tile dtype to match input dtype, but got tmp_tile dtype fp16 and input dtype fp32"},
		{"pl.tile.row_min(u, u)", "error: The operator tile.row_min requires input dtype in {INT16, INT32, FP16, FP32}, but got uint16"},
		{"pl.tile.row_min(nz, a)", "error: The operator tile.row_min requires an ND input layout (blayout=row_major, slayout=none_box), but got blayout=col_major, slayout=row_major"},
		{"pl.tile.col_sum(a)", "pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.col_max(p)", "pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec]"},
		// [1, 1] from a column vector: nothing of the col_major operand is inherited.
		{"pl.tile.col_max(col)", "pl.Tile[[1, 1], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.col_argmin(a, a)", "pl.Tile[[1, 64], pl.INT32, pl.Mem.Vec]"},
		{"pl.tile.col_max(a, a)", "error: The operator tile.col_max requires 1 argument, but got 2"},
		{"pl.tile.row_sum(m1, m1)", "pl.Tile[[n, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major)]"},
		{"pl.tile.row_sum(z, a)", "error: tile.row_sum: input valid extent on axis 0 is 0 (valid_shape [0, 64]), so the reduction has no real data to consume. The backend reduction kernels require a non-empty valid region on every axis and assert on an empty one, and an empty region also leaves max/min with no value to return. Widen the valid region, or guard the reduction so it does not run when the axis can be empty."},
	})
}
