package infer_test

import "testing"

func TestCreation(t *testing.T) {
	p := params("n: Scalar[INDEX]", "k: Scalar[INT32]", "f: Scalar[FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Acc)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Acc]"},
		{"pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat]"},
		// Without target_memory the space pass decides.
		{"pl.tile.create([16, 1], dtype=pl.FP32)", "pl.Tile[[16, 1], pl.FP32]"},
		{"pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat, flat_layout=True)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)]"},
		{"pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat, transpose=True)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.col_major)]"},
		{"pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec, transpose=True)", "error: The operator tile.create supports transpose=true only for a 2D tile with target_memory=Mat (L1)"},
		{"pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.LeftScale)", "error: The operator tile.create does not support target_memory=LeftScale/RightScale; create the scale tile with tile.load to Mat followed by tile.move"},
		{"pl.tile.create([n, 64], dtype=pl.FP32)", "error: The operator tile.create shape element 0 must be a compile-time constant (ConstInt), but got ScalarType"},
		{"pl.tile.create([0, 64], dtype=pl.FP32)", "error: The operator tile.create shape element 0 must be positive, got 0"},
		{"pl.tile.create([], dtype=pl.FP32)", "error: The operator tile.create requires non-empty shape"},
		{"pl.tile.create([16, 64])", "error: Missing kwarg: dtype"},
		{"pl.tile.create([16, 15], dtype=pl.FP4)", "error: Packed FP4 shaped types require a positive even logical last dimension, but got 15"},
		{"pl.tile.full([16, 1], dtype=pl.FP32, value=0.0)", "pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.row_major)]"},
		{"pl.tile.ci(k, [1, 64], dtype=pl.INT32)", "pl.Tile[[1, 64], pl.INT32, pl.Mem.Vec]"},
		{"pl.tile.ci(k, [2, 64], dtype=pl.INT32)", "error: The operator tile.ci only populates the first row because pto.tci ignores valid rows; leading dimensions must be 1, but got 2 at index 0"},
		{"pl.tile.ci(k, [1, 1], dtype=pl.INT32)", "error: The operator tile.ci requires the innermost dimension (Cols) to be != 1, got 1"},
		{"pl.tile.ci(k, [1, 64], dtype=pl.UINT32)", "error: The operator tile.ci requires 'start' dtype (int32) to match destination dtype (uint32)"},
		{"pl.tile.ci(k, [1, 64], dtype=pl.FP32)", "error: The operator tile.ci requires dtype to be one of {INT16, INT32, UINT16, UINT32}, but got fp32"},
		{"pl.tile.tri(k, [16, 64], [4, 64], dtype=pl.FP16, upper=True)", "pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64])]"},
		{"pl.tile.tri(k, [16, 64], [17, 64], dtype=pl.FP16)", "error: The operator tile.tri requires 0 < valid_shape[0] <= shape[0], but got 17 and 16"},
		{"pl.tile.tri(n, [16, 64], dtype=pl.FP16)", "error: The operator tile.tri requires diagonal to be an INT32 scalar, but got index"},
		{"pl.tile.random(k, k, k, k, k, k, [16, 64], dtype=pl.UINT32, rounds=7)", "pl.Tile[[16, 64], pl.UINT32, pl.Mem.Vec]"},
		{"pl.tile.random(k, k, k, k, k, k, [16, 64], dtype=pl.UINT32, rounds=8)", "error: The operator tile.random requires rounds to be 7 or 10, but got 8"},
		{"pl.tile.random(k, k, n, k, k, k, [16, 64], dtype=pl.UINT32)", "error: The operator tile.random requires seed argument 2 to have INT32 dtype, but got index"},
	})
}

func TestLoad(t *testing.T) {
	p := params("x: Tensor[[100, 64], FP32]", "r1: Tensor[[64, 1], FP32]", "dn: Tensor[[64, 64], FP32, TensorView(stride=[1, 64], layout=TensorLayout.DN)]", "part: Tensor[[64, 64], FP32, TensorView(valid_shape=[n, 64], stride=[], layout=TensorLayout.ND)]",
		"d: Tensor[[n, 64], FP32]", "n: Scalar[INDEX]", "i: Scalar[INDEX]", "x3: Tensor[[4, 64, 64], FP32]", "a: Tile[[16, 64], FP32, Mem.Vec]", "mx: Tensor[[64, 64], UINT8, TensorView(stride=[], layout=TensorLayout.MX_A_ZZ)]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.load(x, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.load(x, [0, 0], [16, 64], [16, 64])", "pl.Tile[[16, 64], pl.FP32]"},
		{"pl.tile.load(x, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat]"},
		// One row in Mat is flat; a DN source swaps the layouts.
		{"pl.tile.load(x, [0, 0], [1, 64], [1, 64], target_memory=pl.Mem.Mat)", "pl.Tile[[1, 64], pl.FP32, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)]"},
		{"pl.tile.load(dn, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.col_major)]"},
		// [1, 1] keeps an explicit col_major view, [16, 1] does not.
		{"pl.tile.load(r1, [0, 0], [1, 1], [1, 1], target_memory=pl.Mem.Vec)", "pl.Tile[[1, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major)]"},
		{"pl.tile.load(r1, [0, 0], [16, 1], [16, 1], target_memory=pl.Mem.Vec)", "pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec]"},
		// A window at row 16 of n rows, clamped: min(max(n - 16, 0), 16).
		{"pl.tile.load(d, [16, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec, clamp=True)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[pl.min(pl.max(n - pl.const(16, pl.INDEX), pl.const(0, pl.INDEX)), pl.const(16, pl.INDEX)), 64])]"},
		// The source's partial valid shape narrows the window: min(n, 16).
		{"pl.tile.load(part, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[pl.min(n, pl.const(16, pl.INDEX)), 64])]"},
		{"pl.tile.load(d, [i, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"},
		{"pl.tile.load(x, [-1, 0], [16, 64], [16, 64])", "error: tile.load offset 0 is provably negative (-1); a window must start inside its source"},
		{"pl.tile.load(x, [0, 0], [16, 64], [17, 64])", "error: tile.load valid_shape 0 is 17, which exceeds the window extent 16; a valid region cannot be larger than the shape that holds it"},
		// Ranks that differ keep the request as it is.
		{"pl.tile.load(x3, [0, 0], [16, 64], [4, 64], target_memory=pl.Mem.Vec)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64])]"},
		{"pl.tile.load(x, [0], [16, 64], [16, 64])", "error: The operator tile.load requires offsets and shapes to have same number of dimensions, but got 1 offsets and 2 shapes"},
		{"pl.tile.load(x, [0, 0], [16, 64])", "error: The operator tile.load requires 4 arguments (tensor, offsets, shapes, valid_shape), but got 3"},
		{"pl.tile.load(a, [0, 0], [16, 64], [16, 64])", "error: The operator tile.load requires first argument to be a TensorType or DistributedTensorType, but got TileType"},
		{"pl.tile.load(x, n, [16, 64], [16, 64])", "error: The operator tile.load requires second argument to be a tuple (offsets), but got ScalarType"},
		{"pl.tile.load(mx, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.UINT8, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, fractal=32)]"},
		{"pl.tile.load(mx, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)", "error: The operator tile.load of an MX-layout tensor requires target_memory=MemorySpace.Mat"},
		{"pl.tile.load(x, [0, 0], [16, 64], [16, 64], target_memory=3)", "error: Kwarg 'target_memory' for operator 'tile.load' expects MemorySpace, but got incompatible type"},
	})
}

func TestStore(t *testing.T) {
	p := params("n: Scalar[INDEX]", "t: Tile[[16, 64], FP32, Mem.Vec]", "tv: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[4, 64])]", "half: Tile[[16, 32], FP32, Mem.Vec]", "y: Tensor[[100, 64], FP32]",
		"e: Tensor[[64, 64], FP32, TensorView(valid_shape=[0, 64], stride=[], layout=TensorLayout.ND)]", "g: Tensor[[64, 64], FP32, TensorView(valid_shape=[16, 64], stride=[], layout=TensorLayout.ND)]",
		"gn: Tensor[[64, 64], FP32, TensorView(valid_shape=[n, 64], stride=[], layout=TensorLayout.ND)]", "i64: Tile[[16, 64], INT64, Mem.Vec]", "y3: Tensor[[4, 64, 64], FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.store(t, [84, 0], y)", "pl.Tensor[[100, 64], pl.FP32]"},
		{"pl.tile.store(t, [85, 0], y)", "error: tile.store writes past the end of dimension 0: offset 85 + extent 16 exceeds the target extent 100. A store performs no layout conversion (RFC #1300 P7): the offsets and the tile extent must already be in the destination's coordinate system. If the tile was read through a view whose layout differs from the destination's -- a DN view transposes it -- take the matching view of the destination, pl.view(out, layout=...), and store into that"},
		// Only the valid region is transferred: 85 + 4 fits.
		{"pl.tile.store(tv, [85, 0], y)", "pl.Tensor[[100, 64], pl.FP32]"},
		{"pl.tile.store(t, [0, 0], e)", "pl.Tensor[[64, 64], pl.FP32, pl.TensorView(valid_shape=[16, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tile.store(t, [8, 0], e)", "error: tile.store writes at offset [8, 0] into a target whose valid region is empty (dimension 0 has extent 0), which would leave a region that does not start at the origin. A valid shape names one origin-anchored rectangle, so initialize an empty target at offset 0"},
		// 16 rows at 16 after 16 valid ones: min(max(16, 32), 64) = 32.
		{"pl.tile.store(t, [16, 0], g)", "pl.Tensor[[64, 64], pl.FP32, pl.TensorView(valid_shape=[32, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		// n rows valid, 16 written at n: min(n + 16, 64).
		{"pl.tile.store(t, [n, 0], gn)", "pl.Tensor[[64, 64], pl.FP32, pl.TensorView(valid_shape=[pl.min(n + pl.const(16, pl.INDEX), pl.const(64, pl.INDEX)), 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tile.store(t, [0, 0], g)", "pl.Tensor[[64, 64], pl.FP32, pl.TensorView(valid_shape=[16, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tile.store(t, [32, 0], g)", "error: tile.store leaves a gap in dimension 0: the write starts at 32, which is not provably at or before the target valid extent 16. A valid shape names one contiguous origin-anchored rectangle, so a write that grows it must abut the region already there"},
		{"pl.tile.store(half, [16, 32], g)", "error: tile.store grows dimension 0, so it must span dimension 1 from the origin, but it starts at 32. The added region would be narrower than the region it extends, making the union an L-shape"},
		{"pl.tile.store(half, [16, 0], g)", "error: tile.store grows dimension 0, so its extent in dimension 1 (32) must provably equal the target valid extent (64). The added region would otherwise not line up with the region it extends, making the union an L-shape"},
		{"pl.tile.store(t, [0, 0, 0], y3)", "pl.Tensor[[4, 64, 64], pl.FP32]"},     // ranks differ: the target's type as it is
		{"pl.tile.store(t, [99, 0], y, [1, 64])", "pl.Tensor[[100, 64], pl.FP32]"}, // a fourth operand, likewise
		{"pl.tile.store(t, [0, 0], y, [])", "error: The operator tile.store requires non-empty shapes tuple when provided"},
		{"pl.tile.store(i64, [0, 0], y, atomic=pl.AtomicType.Add)", "error: The operator tile.store with atomic=AtomicType.Add requires an fp32/bf16/fp16/int32/int16/int8 tile (hardware atomic-add dtypes), but got int64"},
		{"pl.tile.store(i64, [0, 0], y)", "pl.Tensor[[100, 64], pl.FP32]"}, // the dtypes are not compared
		{"pl.tile.store(t, [0, 0], y, atomic=2)", "error: The operator tile.store atomic kwarg must be AtomicType.None_ or AtomicType.Add, but got int 2"},
	})
}

func TestGrowTwoAxes(t *testing.T) {
	p := params("t: Tile[[32, 48], FP32, Mem.Vec]", "g: Tensor[[64, 64], FP32, TensorView(valid_shape=[16, 32], stride=[], layout=TensorLayout.ND)]", "s: Tile[[8, 48], FP32, Mem.Vec]")
	checkTypes(t, p, []typeCase{
		// At the origin the source covers the target's region.
		{"pl.tile.store(t, [0, 0], g)", "pl.Tensor[[64, 64], pl.FP32, pl.TensorView(valid_shape=[32, 48], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tile.store(t, [8, 8], g)", "error: tile.store grows the valid region along dimensions 0 and 1 at once, whose union with the target is an L-shape rather than one origin-anchored rectangle. Target valid [16, 32], writing [32, 48] at offset [8, 8]"},
	})
}

func TestMove(t *testing.T) {
	p := params("v: Tile[[16, 64], FP32, Mem.Vec, TileView(valid_shape=[4, 64], pad=PadValue.zero)]", "m: Tile[[64, 64], FP16, Mem.Mat]", "acc: Tile[[16, 64], FP32, Mem.Acc]", "c1: Tile[[16, 1], FP16, Mem.Mat]")
	checkTypes(t, p, []typeCase{
		{"pl.tile.move(v, target_memory=pl.Mem.Vec)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[4, 64], pad=pl.PadValue.zero)]"},
		{"pl.tile.move(v, target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat, pl.TileView(valid_shape=[4, 64], pad=pl.PadValue.zero)]"},
		{"pl.tile.move(m, target_memory=pl.Mem.Right)", "pl.Tile[[64, 64], pl.FP16, pl.Mem.Right]"},
		// Right is always row_major outside, even for a column.
		{"pl.tile.move(c1, target_memory=pl.Mem.Right)", "pl.Tile[[16, 1], pl.FP16, pl.Mem.Right, pl.TileView(blayout=pl.TileLayout.row_major)]"},
		{"pl.tile.move(acc, target_memory=pl.Mem.Mat)", "pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat]"},
		{"pl.tile.move(v)", "error: Missing kwarg: target_memory"},
		{"pl.tile.move(v, v, target_memory=pl.Mem.Vec)", "error: The operator tile.move requires 1 argument, but got 2"},
	})
}
