package read_test

import "testing"

// TestWrappers: what user-level wrappers make of their arguments (spec 02 §6
// and ops.json). t is FP32, u FP16, i INT32, all [16, 64] in Vec.
func TestWrappers(t *testing.T) {
	const vec = ": pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = "
	const vec16 = ": pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = "
	const vecI = ": pl.Tile[[16, 64], pl.INT32, pl.Mem.Vec] = "
	for _, c := range []struct{ in, want string }{
		// load: the valid shape is the shape when omitted, Vec is the default
		// space, clamp is written only when True.
		{"x = pl.load(a, [0, 0], [16, 64])", "x" + vec + "pl.tile.load(a, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)"},
		{"x = pl.tile.load(a, offsets=[n, 0], shapes=[16, 64], clamp=False)", "x" + vec + "pl.tile.load(a, [n, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)"},
		{"x = pl.load(a, [n, 0], [16, 64], clamp=True)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[pl.min(pl.max(pl.const(64, pl.INDEX) - n, pl.const(0, pl.INDEX)), pl.const(16, pl.INDEX)), 64])] = pl.tile.load(a, [n, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec, clamp=True)"},
		{"x = pl.load(a, [0, 0], [16, 64], target_memory=pl.Mem.Mat)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Mat)"},
		// create: dtype and space always, the rest only when given.
		{"x = pl.create_tile([16, 64], dtype=pl.FP32)", "x" + vec + "pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)"},
		{"x = pl.tile.create([16, 64], pl.FP32, pl.Mem.Mat, True)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.col_major)] = pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat, transpose=True)"},
		{"x = pl.tile.full([16, 64], dtype=pl.FP32, value=0.5)", "x" + vec + "pl.tile.full([16, 64], dtype=pl.FP32, value=0.5)"},
		{"x = pl.tile.full([16, 64], pl.INT32, value=-7)", "x" + vecI + "pl.tile.full([16, 64], dtype=pl.INT32, value=-7)"},
		{"x = pl.tile.ci(5, [1, 64])", "x: pl.Tile[[1, 64], pl.INT32, pl.Mem.Vec] = pl.tile.ci(pl.const(5, pl.INT32), [1, 64], dtype=pl.INT32, descending=False)"},
		{"x = pl.tile.arange(0, [1, 64], dtype=pl.UINT32, descending=True)", "x: pl.Tile[[1, 64], pl.UINT32, pl.Mem.Vec] = pl.tile.ci(pl.const(0, pl.UINT32), [1, 64], dtype=pl.UINT32, descending=True)"},
		{"x = pl.tri(-1, [16, 64])", "x" + vecI + "pl.tile.tri(pl.const(-1, pl.INT32), [16, 64], dtype=pl.INT32, upper=False)"},
		{"x = pl.tile.random(1, 2, 3, 4, 5, 6, [16, 64], dtype=pl.INT32)", "x" + vecI + "pl.tile.random(pl.const(1, pl.INT32), pl.const(2, pl.INT32), pl.const(3, pl.INT32), pl.const(4, pl.INT32), pl.const(5, pl.INT32), pl.const(6, pl.INT32), [16, 64], dtype=pl.INT32, rounds=10)"},
		// cast: the mode by name or number, always written.
		{"x = pl.cast(t, pl.FP16)", "x" + vec16 + "pl.tile.cast(t, target_type=pl.FP16, mode='round')"},
		{"x = pl.cast(t, target_type=pl.FP16, mode='odd')", "x" + vec16 + "pl.tile.cast(t, target_type=pl.FP16, mode='odd')"},
		{"x = pl.tile.cast(t, pl.FP16, 0)", "x" + vec16 + "pl.tile.cast(t, target_type=pl.FP16, mode='none')"},
		// Placeholders take the element type; a float literal stays FP32.
		{"x = pl.add(t, 1)", "x" + vec + "pl.tile.adds(t, 1.0)"},
		{"x = pl.add(u, 1)", "x" + vec16 + "pl.tile.adds(u, pl.const(1.0, pl.FP16))"},
		{"x = pl.mul(u, 0.5)", "x" + vec16 + "pl.tile.muls(u, 0.5)"},
		{"x = pl.mul(u, rhs=0.5)", "x" + vec16 + "pl.tile.muls(u, pl.const(0.5, pl.FP16))"},
		{"x = pl.tile.maximum(t, t)", "x" + vec + "pl.tile.maximum(t, t)"},
		{"x = pl.maximum(i, 3)", "x" + vecI + "pl.tile.maximums(i, pl.const(3, pl.INT32))"},
		{"x = pl.tile.sub(i, m)", "x" + vecI + "pl.tile.subs(i, m)"},
		{"x = pl.tile.div(t, 2)", "x" + vec + "pl.tile.divs(t, 2.0)"},
		{"x = pl.div(t, t, high_precision=True)", "x" + vec + "pl.tile.div(t, t, high_precision=True)"},
		{"x = pl.rsqrt(t)", "x" + vec + "pl.tile.rsqrt(t)"},
		{"x = pl.tile.rsqrt(t, t)", "x" + vec + "pl.tile.rsqrt(t, t)"},
		{"x = pl.matmul_acc(t, t[:, 0:16], t)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul_acc(t, pl.tile.slice(t, [16, 16], [0, 0]), t)"},
		{"x = pl.matmul_acc(t, t[:, 0:16], t, init_cond=n == 0)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul_acc(t, pl.tile.slice(t, [16, 16], [0, 0]), t, n == 0)"},
		{"x = pl.tile.expands(t, 3)", "x" + vec + "pl.tile.expands(t, 3.0)"},
		{"x = pl.lrelu(u, 1)", "x" + vec16 + "pl.tile.lrelu(u, 1.0)"},
		{"x = pl.and_(i, 1)", "x" + vecI + "pl.tile.ands(i, pl.const(1, pl.INT32))"},
		{"x = pl.not_(pl.cast(t, pl.INT16))", "x: pl.Tile[[16, 64], pl.INT16, pl.Mem.Vec] = pl.tile.not_(pl.tile.cast(t, target_type=pl.INT16, mode='round'))"},
		{"x = pl.cmp(u, 3, 5)", "x: pl.Tile[[16, 32], pl.UINT8, pl.Mem.Vec, pl.TileView(valid_shape=[16, 8])] = pl.tile.cmps(u, pl.const(3.0, pl.FP16), cmp_type=5)"},
		// Rows, columns, padding.
		{"x = pl.row_max(t, t)", "x: pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec] = pl.tile.row_max(t, t)"},
		{"x = pl.col_sum(t)", "x: pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec] = pl.tile.col_sum(t)"},
		{"x = pl.fillpad(t)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad(t, pad_value=pl.PadValue.zero)"},
		{"x = pl.tile.fillpad(t, pad_value=-math.inf)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.min)] = pl.tile.fillpad(t, pad_value=pl.PadValue.min)"},
		{"x = pl.fillpad(t, 0.0)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad(t, pad_value=pl.PadValue.zero)"},
		// slice: an empty request when only drop_dims is given.
		{"x = pl.slice(t, [16, 32], [0, 0])", "x: pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec] = pl.tile.slice(t, [16, 32], [0, 0])"},
		{"x = pl.slice(a, [1, 32], [n, 0], drop_dims=[0])", "x: pl.Tensor[[32], pl.FP32] = pl.tensor.slice(a, [1, 32], [n, 0], [], [0])"},
		{"x = pl.slice(a, [16, 32], [n, 0], clamp=True)", "x: pl.Tensor[[16, 32], pl.FP32, pl.TensorView(valid_shape=[pl.min(pl.max(pl.const(64, pl.INDEX) - n, pl.const(0, pl.INDEX)), pl.const(16, pl.INDEX)), 32], stride=[], layout=pl.TensorLayout.ND)] = pl.tensor.slice(a, [16, 32], [n, 0], clamp=True)"},
		// move, store, atomic.
		{"x = pl.move(t, pl.Mem.Mat)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat] = pl.tile.move(t, target_memory=pl.Mem.Mat)"},
		{"o = pl.store(t, [0, 0], o)", "o: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [0, 0], o)"},
		{"o = pl.store(t, [0, 0], o, atomic=pl.AtomicType.None_)", "o: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [0, 0], o)"},
		{"o = pl.store(t, [0, 0], o, atomic=pl.AtomicType.Add)", "o: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [0, 0], o, atomic=pl.AtomicType.Add)"},
		{"x = pl.read(t, [0, n])", "x: pl.Scalar[pl.FP32] = pl.tile.read(t, [0, n])"},
		// Sorting and gathering.
		{"x = pl.tile.mrgsort(t[0:1, :], block_len=64)", "x: pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec] = pl.tile.mrgsort_format1(pl.tile.slice(t, [1, 64], [0, 0]), pl.const(64, pl.INT32))"},
		{"x = pl.mrgsort(t, t, tmp=t)", "x" + vec + "pl.tile.mrgsort_format2(t, t, t, exhausted=False)"},
		{"x, y = pl.tile.gather_compare(t, 1.0, t, cmp_mode='gt', out_cols=8)", "_tuple_tmp: pl.Tuple[pl.Tile[[16, 8], pl.INT32, pl.Mem.Vec], pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec]] = pl.tile.gather_compare(t, 1.0, t, cmp_mode=4, offset=0, out_cols=8)\nx: pl.Tile[[16, 8], pl.INT32, pl.Mem.Vec] = _tuple_tmp[0]\ny: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = _tuple_tmp[1]"},
		{"x = pl.tile.gather_mask(t, pl.tile.MaskPattern.P1010)", "x: pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec] = pl.tile.gather_mask(t, mask_pattern=2)"},
		{"x = pl.tile.scatter_update(t, -2, i[0:1, 0:16], t)", "x" + vec + "pl.tile.scatter_update(t, pl.tile.slice(i, [1, 16], [0, 0]), t, dim=-2)"},
		// Tensor level.
		{"x = pl.create_tensor([64], dtype=pl.FP32)", "x: pl.Tensor[[64], pl.FP32] = pl.tensor.create([64], dtype=pl.FP32, layout=pl.TensorLayout.ND)"},
		{"x = pl.matmul(a, a, b_trans=True)", "x: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.matmul(a, a, a_trans=False, b_trans=True, c_matrix_nz=False)"},
		{"x = pl.add(h, 1)", "x: pl.Tensor[[64, 64], pl.FP16] = pl.tensor.adds(h, pl.const(1.0, pl.FP16))"},
		{"x = pl.row_sum(a)", "x: pl.Tensor[[64, 1], pl.FP32] = pl.tensor.row_sum(a)"},
		{"x = pl.full([64], dtype=pl.FP32, value=0.0)", "x: pl.Tensor[[64], pl.FP32] = pl.tensor.full([64], dtype=pl.FP32, value=0.0)"},
		// Cross-core: the pop's type comes from shape and dtype or from the annotation.
		{"x = pl.reserve_buffer(name='b', size=4096)", "x: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='b', size=4096, base=-1)"},
		{"pl.aic_initialize_pipe(dir_mask=1, slot_size=4096)", "pl.system.aic_initialize_pipe(pl.const(0, pl.INT32), pl.const(0, pl.INT32), dir_mask=1, slot_size=4096)"},
		{"x = pl.tpop_from_aic(shape=[16, 64], dtype=pl.FP32)", "x" + vec + "pl.tile.tpop_from_aic(split=0)"},
		{"x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat] = pl.tpop_from_aiv()", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Mat] = pl.tile.tpop_from_aiv(split=0)"},
		{"pl.tpush_to_aic(t, split=0)", "pl.tile.tpush_to_aic(t, split=0)"},
		{"pl.tfree_to_aic(t)", "pl.system.tfree_to_aic(t)"},
		{"pl.system.sync_set(3, pipe=pl.PipeType.MTE3)", "pl.system.sync_set(pipe=pl.PipeType.MTE3, event_id=3)"},
		{"pl.system.sync_wait(n, pipe=pl.PipeType.V)", "pl.system.sync_wait(n, pipe=pl.PipeType.V)"},
		// The right side in the operator's space, keyword order of the constructor.
		{"x = pl.tile.extract(t, 0, 0, [16, 32], target_memory=pl.Mem.Vec)", "x: pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec] = pl.tile.extract(t, 0, 0, [16, 32], target_memory=pl.Mem.Vec)"},
		{"x = pl.tile.cast(t, mode='rint', target_type=pl.FP16)", "x" + vec16 + "pl.tile.cast(t, target_type=pl.FP16, mode='rint')"},
	} {
		wantBody(t, c.in, c.want)
	}
}

// TestScalarForms: promoted names on scalars, and scalar arithmetic (spec 01
// §8.3, 02 §7; examples of 01b §13).
func TestScalarForms(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"x = pl.min(n, 64)", "x: pl.Scalar[pl.INDEX] = pl.min(n, 64)"},
		{"x = pl.max(m, n)", "x: pl.Scalar[pl.INDEX] = pl.max(pl.cast(m, pl.INDEX), n)"},
		{"x = pl.add(n, 1)", "x: pl.Scalar[pl.INDEX] = n + 1"},
		{"x = pl.div(2.0, 0.5)", "x: pl.Scalar[pl.FP32] = 2.0 / 0.5"},
		{"x = pl.cast(n, pl.INT32)", "x: pl.Scalar[pl.INT32] = pl.cast(n, pl.INT32)"},
		{"x = m + 1", "x: pl.Scalar[pl.INDEX] = pl.cast(m, pl.INDEX) + 1"},
		{"x = pl.const(32, pl.INT64) * 2", "x: pl.Scalar[pl.INT64] = pl.const(32, pl.INT64) * pl.const(2, pl.INDEX)"},
		{"x = 2 ** 3", "x: pl.Scalar[pl.INDEX] = 8"},
		{"x = -(-m)", "x: pl.Scalar[pl.INT32] = --m"},
		{"x = (m - m) - m", "x: pl.Scalar[pl.INT32] = m - m - m"},
		{"x = (m + m) << 1", "x: pl.Scalar[pl.INDEX] = pl.cast(m + m, pl.INDEX) << 1"},
		{"x = not (m < m)", "x: pl.Scalar[pl.BOOL] = not m < m"},
		{"x = 3 / 2", "x: pl.Scalar[pl.FP32] = 1.5"},
		{"x: pl.Scalar[pl.INT32] = 5", "x: pl.Scalar[pl.INT32] = pl.const(5, pl.INT32)"},
		{"x = pl.FP32.get_byte() * 2", "x: pl.Scalar[pl.INDEX] = pl.const(4, pl.INDEX) * pl.const(2, pl.INDEX)"},
	} {
		wantBody(t, c.in, c.want)
	}
}

// TestClosure: module-level values are folded where they are used.
func TestClosure(t *testing.T) {
	wantBodyOf(t, "ROWS, COLS = 4, 64\nSHAPE = [ROWS * 4, COLS]\nDT = pl.FP16\nPAD = pl.PadValue.max\nMODE = 'floor'\nEPS = 1e-6",
		"x = pl.load(a, [ROWS * n, 0], SHAPE)\nw = pl.fillpad(x, pad_value=PAD)\ny = pl.cast(w, DT, mode=MODE)\nz = pl.add(t, EPS)",
		`x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [4 * n, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)
w: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.max)] = pl.tile.fillpad(x, pad_value=pl.PadValue.max)
y: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.max)] = pl.tile.cast(w, target_type=pl.FP16, mode='floor')
z: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.adds(t, 9.9999999999999995e-07)`)
}
