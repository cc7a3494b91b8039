package infer_test

import "testing"

func TestMatmul(t *testing.T) {
	p := params("l: Tile[[32, 64], FP16, Mem.Left]", "r: Tile[[64, 48], FP16, Mem.Right]", "k32: Tile[[32, 48], FP16, Mem.Right]", "lv: Tile[[32, 64], FP16, Mem.Left, TileView(valid_shape=[n, 60])]",
		"rv: Tile[[64, 48], FP16, Mem.Right, TileView(valid_shape=[32, 40])]", "acc: Tile[[32, 48], FP32, Mem.Acc]", "accv: Tile[[32, 48], FP32, Mem.Acc, TileView(valid_shape=[n, 40], compact=CompactMode.normal)]",
		"acc16: Tile[[16, 48], FP32, Mem.Acc]", "b: Tile[[1, 48], FP32, Mem.Bias]", "bh: Tile[[1, 48], FP16, Mem.Bias]", "b2: Tile[[2, 48], FP32, Mem.Bias]", "li: Tile[[32, 64], INT8, Mem.Left]", "ri: Tile[[64, 48], INT8, Mem.Right]",
		"n: Scalar[INDEX]", "c: Scalar[BOOL]", "l3: Tile[[2, 32, 64], FP16, Mem.Left]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.matmul(l, r)", "pl.Tile[[32, 48], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.matmul(li, ri)", "pl.Tile[[32, 48], pl.INT32, pl.Mem.Acc]"},
		// Valid for (valid M of lhs, valid N of rhs); n rows are not provably all 32.
		{"pl.tile.matmul(lv, r)", "pl.Tile[[32, 48], pl.FP32, pl.Mem.Acc, pl.TileView(valid_shape=[n, 48], compact=pl.CompactMode.normal)]"},
		{"pl.tile.matmul(l, rv)", "error: The operator tile.matmul requires rhs valid K to cover lhs valid K, but got lhs K=64 and rhs K=32"},
		{"pl.tile.matmul(l, k32)", "error: The operator tile.matmul requires matching physical inner dimensions (physical K), but got lhs K=64 and rhs K=32"},
		{"pl.tile.matmul(l, ri)", "error: The operator tile.matmul requires identical lhs and rhs data types, but got fp16 and int8"},
		{"pl.tile.matmul(l3, r)", "error: The operator tile.matmul requires lhs to be 2D, but got 3 dimensions"},
		// The accumulator's shape, valid region and compact.
		{"pl.tile.matmul_acc(accv, lv, r)", "error: The operator tile.matmul_acc requires acc valid N to cover rhs valid N, but got acc N=40 and rhs N=48"},
		{"pl.tile.matmul_acc(acc, lv, r)", "pl.Tile[[32, 48], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.matmul_acc(acc, l, r, c)", "pl.Tile[[32, 48], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.matmul_acc(acc, l, r, n)", "error: The operator tile.matmul_acc requires init_cond to have dtype BOOL, but got index. Write a comparison such as `k == 0` rather than passing the index itself."},
		{"pl.tile.matmul_acc(acc16, l, r)", "error: The operator tile.matmul_acc requires matching physical M dimensions, but got acc M=16 and product M=32"},
		{"pl.tile.matmul_acc(acc, li, ri)", "error: The operator tile.matmul_acc requires accumulator dtype int32, but got fp32"},
		{"pl.tile.matmul_bias(l, r, b)", "pl.Tile[[32, 48], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.matmul_bias(l, r, bh)", "error: The operator tile.matmul_bias requires bias dtype fp32 to match the accumulator, but got fp16"},
		{"pl.tile.matmul_bias(l, r, b2)", "error: The operator tile.matmul_bias requires bias to have shape [1, N], but got [2, 48]"},
	})
}

func TestGemv(t *testing.T) {
	p := params("l: Tile[[1, 128], FP16, Mem.Left]", "l2: Tile[[16, 128], FP16, Mem.Left]", "r: Tile[[128, 64], FP16, Mem.Right]", "acc: Tile[[16, 64], FP32, Mem.Acc, TileView(valid_shape=[1, 64])]",
		"full: Tile[[16, 64], FP32, Mem.Acc]", "b: Tile[[1, 64], FP32, Mem.Bias]", "u: Tile[[1, 128], INT16, Mem.Left]", "v: Tile[[128, 64], INT16, Mem.Right]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.gemv(l, r, acc_phase='final')", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Acc, pl.TileView(valid_shape=[1, 64])]"},
		{"pl.tile.gemv(l, r, acc_phase='first')", "error: The operator tile.gemv requires acc_phase to be one of {unspecified, partial, final}, but got first"},
		{"pl.tile.gemv(l2, r)", "error: GEMV requires lhs physical row extent to be exactly 1, but got shape [16, 128]"},
		{"pl.tile.gemv(u, v)", "error: The operator tile.gemv supports only INT8 x INT8 -> INT32 and same-type FP16/BF16/FP32 inputs -> FP32, but got int16"},
		{"pl.tile.gemv_acc(acc, l, r)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Acc, pl.TileView(valid_shape=[1, 64])]"},
		{"pl.tile.gemv_acc(full, l, r)", "error: The operator tile.gemv_acc requires accumulator valid_shape [1, 64], but got [16, 64]"},
		{"pl.tile.gemv_bias(l, r, b)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Acc, pl.TileView(valid_shape=[1, 64])]"},
	})
}

func TestBatchMatmul(t *testing.T) {
	p := params("l: Tile[[2, 32, 64], FP16, Mem.Left]", "r: Tile[[64, 48], FP16, Mem.Right]", "r5: Tile[[5, 64, 48], FP16, Mem.Right]", "acc: Tile[[2, 32, 48], FP32, Mem.Acc]", "acc2: Tile[[32, 48], FP32, Mem.Acc]",
		"v: Tile[[64], FP16, Mem.Left]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.batch_matmul(l, r)", "pl.Tile[[2, 32, 48], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.batch_matmul(l, r5)", "error: Cannot broadcast batch dimensions for tile.batch_matmul"},
		{"pl.tile.batch_matmul(v, r)", "error: The operator tile.batch_matmul requires lhs to have at least 2 dimensions, but got 1 dimensions"},
		{"pl.tile.batch_matmul_acc(acc, l, r)", "pl.Tile[[2, 32, 48], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.batch_matmul_acc(acc2, l, r)", "error: The operator tile.batch_matmul_acc requires acc batch rank (0) to equal broadcast(lhs, rhs) batch rank (1)"},
	})
}

func TestMX(t *testing.T) {
	p := params("l: Tile[[16, 64], FP8E4M3FN, Mem.Left]", "ls: Tile[[16, 2], FP8E8M0, Mem.LeftScale]", "r: Tile[[64, 32], FP8E4M3FN, Mem.Right]", "rs: Tile[[2, 32], FP8E8M0, Mem.RightScale]",
		"bad: Tile[[16, 3], FP8E8M0, Mem.LeftScale]", "acc: Tile[[16, 32], FP32, Mem.Acc]", "bias: Tile[[1, 32], FP32, Mem.Bias]", "h: Tile[[16, 64], FP16, Mem.Left]", "u: Tile[[16, 2], UINT8, Mem.Mat, TileView(blayout=TileLayout.row_major, slayout=TileLayout.row_major, fractal=32)]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.matmul_mx(l, ls, r, rs)", "pl.Tile[[16, 32], pl.FP32, pl.Mem.Acc]"},
		// ceil(64/32) = 2 groups.
		{"pl.tile.matmul_mx(l, bad, r, rs)", "error: The operator tile.matmul_mx requires lhs_scale physical cols=2, but got 3"},
		{"pl.tile.matmul_mx(h, ls, r, rs)", "error: The operator tile.matmul_mx requires lhs dtype FP8E4M3FN, but got fp16"},
		{"pl.tile.matmul_mx_acc(acc, l, ls, r, rs)", "pl.Tile[[16, 32], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.matmul_mx_bias(l, ls, r, rs, bias)", "pl.Tile[[16, 32], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.tget_scale_addr(ls, l)", "pl.Tile[[16, 2], pl.FP8E8M0, pl.Mem.LeftScale]"},
		{"pl.tile.tget_scale_addr(rs, l)", "error: The operator tile.tget_scale_addr requires LeftScale↔Left or RightScale↔Right pairing, but got dst=RightScale src=Left"},
		// UINT8 becomes FP8E8M0 on its way into a scale buffer.
		{"pl.tile.move(u, target_memory=pl.Mem.LeftScale)", "pl.Tile[[16, 2], pl.FP8E8M0, pl.Mem.LeftScale]"},
		{"pl.tile.move(u, target_memory=pl.Mem.RightScale)", "error: The operator tile.move into RightScale requires the source Mat tile to use the matching col/col/32 layout"},
		{"pl.tile.move(h, target_memory=pl.Mem.LeftScale)", "error: The operator tile.move into LeftScale/RightScale requires the input tile to be in Mat memory"},
	})
}
