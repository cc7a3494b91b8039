package infer_test

import "testing"

func TestTensorMath(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tensor[[16, 64], FP32]", "h: Tensor[[16, 64], FP16]", "i: Tensor[[16, 64], INT32]", "v: Tensor[[16, 64], FP32, TensorView(valid_shape=[n, 64], stride=[], layout=TensorLayout.ND)]",
		"row: Tensor[[1, 64], FP32]", "col: Tensor[[16, 1], FP32]", "f: Scalar[FP32]", "k: Scalar[INT32]", "a3: Tensor[[1, 16, 64], FP32]", "b3: Tensor[[4, 16, 64], FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tensor.add(a, h)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.add(v, v)", "pl.Tensor[[16, 64], pl.FP32, pl.TensorView(valid_shape=[n, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		// The two valid shapes differ: the partial one is dropped.
		{"pl.tensor.add(v, a)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.part_add(v, v)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.add(a, row)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.adds(h, f)", "pl.Tensor[[16, 64], pl.FP32]"}, // promotes, unlike tiles
		{"pl.tensor.subs(h, f)", "pl.Tensor[[16, 64], pl.FP16]"},
		{"pl.tensor.maximum(v, f)", "pl.Tensor[[16, 64], pl.FP32, pl.TensorView(valid_shape=[n, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.and_(i, i)", "pl.Tensor[[16, 64], pl.INT32]"},
		{"pl.tensor.shls(i, -1)", "error: The operator tensor.shls requires a non-negative shift count, but got -1. A negative shift distance has no defined result."},
		{"pl.tensor.exp(i)", "pl.Tensor[[16, 64], pl.FP32]"}, // a float result
		{"pl.tensor.neg(v)", "pl.Tensor[[16, 64], pl.FP32, pl.TensorView(valid_shape=[n, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.cast(a, target_type=pl.BF16, mode='round')", "pl.Tensor[[16, 64], pl.BF16]"},
		{"pl.tensor.row_expand_mul(a, col)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.col_expand_mul(a, col)", "error: The operator tensor.col_expand_mul requires second argument's second-to-last dimension (row) to be 1, but got 16"},
		{"pl.tensor.expand_clone(a3, b3)", "pl.Tensor[[4, 16, 64], pl.FP32]"},
		{"pl.tensor.row_sum(v)", "pl.Tensor[[16, 1], pl.FP32, pl.TensorView(valid_shape=[n, 1], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.row_max(a, axis=0, keep_dim=False)", "pl.Tensor[[64], pl.FP32]"},
		{"pl.tensor.col_argmax(a)", "pl.Tensor[[1, 64], pl.INT32]"},
		{"pl.tensor.row_sum(a, axis=2)", "error: The operator tensor.row_sum axis 2 is out of range for shape with 2 dimensions"},
	})
}

func TestTensorViews(t *testing.T) {
	p := params("n: Scalar[INDEX]", "a: Tensor[[16, 64], FP32]", "d: Tensor[[n, 64], FP32]", "v: Tensor[[16, 64], FP32, TensorView(valid_shape=[4, 64], stride=[], layout=TensorLayout.ND)]", "s: Tensor[[8, 64], FP32]", "f: Scalar[FP32]", "a3: Tensor[[2, 16, 64], FP32]")
	checkTypes(t, p, []typeCase{
		{"pl.tensor.create([n, 64], dtype=pl.FP16)", "pl.Tensor[[n, 64], pl.FP16]"},
		{"pl.tensor.full([16, 64], dtype=pl.FP16, value=1.0)", "pl.Tensor[[16, 64], pl.FP16]"},
		{"pl.tensor.dim(d, 0)", "pl.Scalar[pl.INDEX]"},
		{"pl.tensor.dim(d, 2)", "error: tensor.dim axis 2 out of range for tensor of rank 2"},
		{"pl.tensor.read(a, [n, 0])", "pl.Scalar[pl.FP32]"},
		{"pl.tensor.write(a, [n, 0], f)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.slice(a, [8, 64], [8, 0])", "pl.Tensor[[8, 64], pl.FP32]"},
		// 4 valid rows, read from row 2: max(4, 2) - 2 = 2.
		{"pl.tensor.slice(v, [8, 64], [2, 0])", "pl.Tensor[[8, 64], pl.FP32, pl.TensorView(valid_shape=[2, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.slice(a3, [1, 16, 64], [1, 0, 0], [], [0])", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.slice(a, [8, 64], [9, 0])", "error: tensor.slice reads past the end of dimension 0: offset 9 + extent 8 exceeds the source extent 16. Pass clamp=True -- pl.slice(x, shape, offset, clamp=True) -- to narrow the valid region to the source edge instead"},
		{"pl.tensor.assemble(v, s, [4, 0])", "pl.Tensor[[16, 64], pl.FP32, pl.TensorView(valid_shape=[12, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.reshape(a, [64, 16])", "pl.Tensor[[64, 16], pl.FP32]"},
		{"pl.tensor.reshape(v, [1024])", "pl.Tensor[[1024], pl.FP32, pl.TensorView(valid_shape=[256], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.set_validshape(a, n, 64)", "pl.Tensor[[16, 64], pl.FP32, pl.TensorView(valid_shape=[n, 64], stride=[], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.view(a, [64, 16])", "pl.Tensor[[64, 16], pl.FP32, pl.TensorView(stride=[16, 1], layout=pl.TensorLayout.ND)]"},
		// The same memory seen column-major: the last two axes change places.
		{"pl.tensor.view(a, layout=pl.TensorLayout.DN)", "pl.Tensor[[64, 16], pl.FP32, pl.TensorView(stride=[1, 64], layout=pl.TensorLayout.DN)]"},
		{"pl.tensor.view(a)", "error: tensor.view requires at least one of shape or layout"},
		{"pl.tensor.view(v, [1024])", "error: tensor.view: shape reinterpret does not support a source with a partial valid_shape"},
		{"pl.tensor.transpose(a, 0, 1)", "pl.Tensor[[64, 16], pl.FP32, pl.TensorView(stride=[1, 64], layout=pl.TensorLayout.DN)]"},
		{"pl.tensor.transpose(a3, 0, 1)", "pl.Tensor[[16, 2, 64], pl.FP32, pl.TensorView(stride=[64, 1024, 1], layout=pl.TensorLayout.ND)]"},
		{"pl.tensor.concat(a, a)", "pl.Tensor[[16, 128], pl.FP32]"},
		{"pl.tensor.fillpad(v, pad_value=pl.PadValue.zero)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.reinterpret_view(a, dtype=pl.INT16)", "pl.Tensor[[16, 128], pl.INT16]"},
	})
}

func TestTensorMatmulAndIndexed(t *testing.T) {
	p := params("n: Scalar[INDEX]", "l: Tensor[[16, 64], FP16]", "r: Tensor[[64, 32], FP16]", "rt: Tensor[[32, 64], FP16]", "v: Tensor[[64], FP16]", "l3: Tensor[[4, 16, 64], FP16]", "acc: Tensor[[16, 32], FP32]", "i: Tensor[[16, 8], INT32]",
		"x: Tensor[[16, 64], FP32]", "k: Scalar[INT32]", "u: Tensor[[16, 64], UINT32]")
	checkTypes(t, p, []typeCase{
		{"pl.tensor.matmul(l, r)", "pl.Tensor[[16, 32], pl.FP16]"},
		{"pl.tensor.matmul(l, r, out_dtype=pl.FP32)", "pl.Tensor[[16, 32], pl.FP32]"},
		{"pl.tensor.matmul(l, rt, b_trans=True)", "pl.Tensor[[16, 32], pl.FP16]"},
		{"pl.tensor.matmul(l, v)", "pl.Tensor[[16], pl.FP16]"},
		{"pl.tensor.matmul(l3, r)", "pl.Tensor[[4, 16, 32], pl.FP16]"},
		{"pl.tensor.matmul(v, r, a_trans=True)", "error: tensor.matmul: a_trans does not apply to a 1D lhs (a vector has no axes to swap); drop a_trans or pass a 2D lhs"},
		{"pl.tensor.matmul_acc(acc, l, r)", "pl.Tensor[[16, 32], pl.FP32]"},
		{"pl.tensor.matmul_acc(acc, l, rt)", "error: tensor.matmul_acc: lhs K=64 != rhs K=32"},
		{"pl.tensor.gather(x, i, dim=-1)", "pl.Tensor[[16, 8], pl.FP32]"},
		{"pl.tensor.gather(x, i, dim=2)", "error: The operator tensor.gather requires dim in [-2, 1], but got dim=2"},
		{"pl.tensor.gather_mask(x, mask_pattern=1)", "pl.Tensor[[16, 32], pl.FP32]"},
		{"pl.tensor.sort32(x, u)", "pl.Tensor[[16, 128], pl.FP32]"},
		{"pl.tensor.mrgsort_format1(x, 64)", "pl.Tensor[[16, 64], pl.FP32]"},
		{"pl.tensor.mrgsort_format2(x, x, x, exhausted=False)", "pl.Tensor[[16, 192], pl.FP32]"},
	})
}
