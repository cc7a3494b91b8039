package read_test

import (
	"strings"
	"testing"

	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

const scalarHelp = "For scalar arithmetic / comparison, use Python operators directly (e.g. `s1 + s2`, `s1 % s2`, `s1 == s2`)."

// TestArity: the host language's texts for calls that do not fit their
// wrapper (spec 02 §2.3).
func TestArity(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"pl.tile.add(t)", "pl.tile operation 'add': add() missing 1 required positional argument: 'rhs'"},
		{"pl.tile.add()", "pl.tile operation 'add': add() missing 2 required positional arguments: 'lhs' and 'rhs'"},
		{"pl.tile.sel(t)", "pl.tile operation 'sel': sel() missing 3 required positional arguments: 'lhs', 'rhs', and 'tmp'"},
		{"pl.tile.add(t, t, t)", "pl.tile operation 'add': add() takes 2 positional arguments but 3 were given"},
		{"pl.exp(t, t)", "pl operation 'exp': exp() takes 1 positional argument but 2 were given"},
		{"pl.tile.get_block_idx(t)", "pl.tile operation 'get_block_idx': get_block_idx() takes 0 positional arguments but 1 was given"},
		{"pl.cast(t, pl.FP16, mode='round', x=1)", "pl operation 'cast': cast() got an unexpected keyword argument 'x'"},
		{"pl.add(t, t, lhs=t)", "pl operation 'add': add() got multiple values for argument 'lhs'"},
		{"pl.load(a, [0, 0], [16, 64], [16, 64], pl.Mem.Vec, False, t)", "pl operation 'load': load() takes from 3 to 6 positional arguments but 7 were given"},
		{"pl.tile.extract(t, 0, 0, [16, 32])", "pl.tile operation 'extract': extract() missing 1 required keyword-only argument: 'target_memory'"},
		{"pl.tpush_to_aic(t)", "pl operation 'tpush_to_aic': tpush_to_aic() missing 1 required keyword-only argument: 'split'"},
		{"pl.system.bar_all(t)", "pl.system operation 'bar_all': bar_all() takes 0 positional arguments but 1 was given"},
		{"pl.store(t, [0, 0], o, [1, 1], t, atomic=pl.AtomicType.Add)", "pl operation 'store': store() takes from 3 to 4 positional arguments but 5 positional arguments (and 1 keyword-only argument) were given"},
		{"pl.tile.mrgsort_format1(t)", "Error in pl.tile operation 'mrgsort_format1': mrgsort_format1() missing 1 required positional argument: 'block_len'"},
	} {
		_, fn := kernel(t, "", prepared+c.in)
		if len(fn.Problems) != 1 || fn.Problems[0].Message != c.want || fn.Problems[0].Class != read.Operation {
			t.Errorf("%s: %+v\nwant %s", c.in, fn.Problems, c.want)
		}
	}
}

// TestDispatchErrors: what promoted names refuse (spec 02 §7).
func TestDispatchErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"pl.add(t, a)", "pl.add: cannot mix Tensor and Tile arguments (Tile, Tensor). All operands must be the same type level — either all Tensor or all Tile"},
		{"pl.add(1, t)", "pl.add: expected Tensor or Tile operands, got (Scalar, Tile)"},
		{"pl.exp(n)", "pl.exp: expected Tensor or Tile, got Scalar"},
		{"pl.maximum(n, m)", "pl.maximum: expected Tensor or Tile operands, got (Scalar, Scalar)"},
		{"pl.row_max(t)", "pl.row_max: Tile inputs require tmp_tile with the same dtype and rank as the input, and every dimension at least as large as the corresponding input dimension"},
		{"pl.row_argmin(t)", "pl.row_argmin: Tile inputs require tmp_tile with exactly the same shape and dtype as the input"},
		{"pl.col_argmax(t)", "pl.col_argmax: Tile inputs require tmp_tile — the tile form takes caller-owned scratch, unlike pl.col_max / pl.col_min"},
		{"pl.xor(i, i)", "pl.xor: Tile inputs require an explicit scratch tile — call pl.xor(lhs, rhs, tmp) or pl.tile.xor(lhs, rhs, tmp)"},
		{"pl.row_sum(a, t)", "pl.row_sum: Tensor inputs must not pass tmp_tile — the scratch tile is allocated during Tensor-to-Tile lowering"},
		{"pl.xor(q, q, i)", "pl.xor: Tensor inputs must not pass tmp — the scratch tile is allocated during Tensor-to-Tile lowering"},
		{"pl.matmul(t, t, a_trans=True)", "pl.matmul: 'a_trans' is not supported for Tile operands. At tile level a transposed operand is an explicit zero-copy view, not an op flag: wrap the operand with pl.tile.transpose_view(...) and pass it directly."},
		{"pl.matmul(t, t, out_dtype=pl.BF16)", "pl.matmul: out_dtype=bfloat16 is not supported for Tile operands — the Cube accumulator fixes the result dtype, deduced as fp32 here. Convert the result explicitly with pl.cast(result, <dtype>), or let pl.tile.store narrow it on the way to GM."},
		{"pl.matmul_acc(t, t, t, n == 0)", "pl.matmul_acc: 'a_trans' is not supported for Tile operands. At tile level a transposed operand is an explicit zero-copy view, not an op flag: wrap the operand with pl.tile.transpose_view(...) and pass it directly."},
		{"pl.rsqrt(t, high_precision=True)", "pl.rsqrt: 'high_precision' is not supported for Tile operands. The tile form selects precision by taking a scratch tile: pl.tile.rsqrt(tile, tmp)."},
		{"pl.slice(t, [8, 64], [0, 0], clamp=True)", "pl.slice: clamp=True is not supported for a Tile. An on-chip window has no clamping mechanism, so offset + shape must stay inside the source tile. Clamp the read at the tensor boundary instead — pl.load(..., clamp=True) or pl.slice(tensor, ..., clamp=True) — and slice the resulting tile in bounds."},
		{"pl.div(t, 2.0, high_precision=True)", "pl.div: high_precision requires a Tile rhs"},
		{"pl.cast(n, pl.INT32, mode='floor')", "pl.cast: Scalar inputs do not support non-default mode, got mode='floor'"},
		{"pl.load(q, [0, 0], [8, 64], target_memory=pl.Mem.Vek)", "Unknown memory space: Vek"},
		{"pl.store(t, [0, 0], o, atomic=pl.AtomicType.Mul)", "Unknown AtomicType value: pl.AtomicType.Mul"},
		{"pl.move(t, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.diagonal)", "Unknown TileLayout value: pl.TileLayout.diagonal"},
		{"pl.nothing(t)", "Unknown operation 'pl.nothing'"},
		{"pl.tile.nothing(t)", "Unknown pl.tile operation: nothing"},
		{"pl.mrgsort(t)", "pl operation 'mrgsort': mrgsort() requires either block_len=<int> for format1, or at least (src0, src1, tmp=<tile>) for format2"},
		{"pl.tile.mrgsort(t, t)", "pl.tile operation 'mrgsort': mrgsort() format2 requires tmp; use mrgsort(src0, src1[, src2[, src3]], tmp=<tile>)"},
		{"pl.tile.mrgsort(t, t, block_len=64)", "pl.tile operation 'mrgsort': mrgsort() format1 (block_len=...) and format2 (src1, ..., tmp) are mutually exclusive; do not pass format2 arguments with block_len"},
		{"pl.tile.add(t, a)", "pl.tile operation 'add': float() argument must be a string or a real number, not 'Tensor'"},
	} {
		_, fn := kernel(t, "", prepared+c.in)
		if len(fn.Problems) != 1 || fn.Problems[0].Message != c.want {
			t.Errorf("%s: %+v\nwant %s", c.in, fn.Problems, c.want)
		}
	}
}

// TestWrapperErrors: value errors of the wrappers and of the operators' rules.
func TestWrapperErrors(t *testing.T) {
	const pad = " Use pl.PadValue.zero / pl.PadValue.max / pl.PadValue.min, or one of the literals 0, 0.0, math.inf, -math.inf."
	wantProblems(t, "", "x = pl.add(t, n)", found{"pl.add(t, n)",
		"pl operation 'add': Scalar operand has dtype `index`, which tile/tensor scalar instructions do not accept. Convert it explicitly, e.g. pl.cast(<value>, pl.INT32).", scalarHelp})
	wantProblems(t, "", "x = pl.tile.adds(pl.cast(t, pl.INT8), n)", found{"pl.tile.adds(pl.cast(t, pl.INT8), n)",
		"pl.tile operation 'adds': Scalar operand has dtype `index`, which tile/tensor scalar instructions do not accept. Convert it explicitly, e.g. pl.cast(<value>, pl.INT8).", scalarHelp})
	wantProblems(t, "", "x = pl.cast(t, pl.FP16, mode='up')", found{"pl.cast(t, pl.FP16, mode='up')",
		"pl operation 'cast': Invalid rounding mode 'up'. Expected one of ['none', 'rint', 'round', 'floor', 'ceil', 'trunc', 'odd'].", ""})
	wantProblems(t, "", "x = pl.tile.cast(t, pl.FP16, mode=7)", found{"pl.tile.cast(t, pl.FP16, mode=7)",
		"pl.tile operation 'cast': Invalid rounding mode 7. Expected int in range [0, 6].", ""})
	wantProblems(t, "", "x = pl.cast(t, pl.FP32)", found{"pl.cast(t, pl.FP32)",
		"pl operation 'cast': tile.cast: target_type fp32 equals input dtype; same-dtype cast is not a valid operation. Remove the cast or use a different target_type.", ""})
	wantProblems(t, "", "x = pl.fillpad(t, pad_value=1)", found{"pl.fillpad(t, pad_value=1)",
		"pl operation 'fillpad': fillpad pad_value only accepts the integer literal 0 (mapped to PadValue.zero); got 1." + pad, ""})
	wantProblems(t, "", "x = pl.fillpad(t, pad_value=pl.PadValue.null)", found{"pl.fillpad(t, pad_value=pl.PadValue.null)",
		"pl operation 'fillpad': fillpad pad_value cannot be PadValue.null — that means no padding mode." + pad, ""})
	wantProblems(t, "", "x = pl.tile.fillpad(t, pad_value=2.5)", found{"pl.tile.fillpad(t, pad_value=2.5)",
		"pl.tile operation 'fillpad': fillpad pad_value only accepts the float literals 0.0, math.inf, or -math.inf; got 2.5." + pad, ""})
	wantProblems(t, "", "x = pl.load(a, [0], [16, 64])", found{"pl.load(a, [0], [16, 64])",
		"pl operation 'load': offsets and shapes must have same number of dimensions, got 1 offsets and 2 shapes", ""})
	wantProblems(t, "", "x = pl.load(a, [0, 0], [16, 64], target_memory=pl.Mem.Acc)", found{"pl.load(a, [0, 0], [16, 64], target_memory=pl.Mem.Acc)",
		"pl operation 'load': target_memory for tile.load must be MemorySpace.Vec or MemorySpace.Mat, got MemorySpace.Acc", ""})
	// 60 + 16 rows of 64.
	wantProblems(t, "", "x = pl.load(a, [60, 0], [16, 64])", found{"pl.load(a, [60, 0], [16, 64])",
		"pl operation 'load': tile.load reads past the end of dimension 0: offset 60 + extent 16 exceeds the source extent 64. Pass clamp=True -- pl.load(x, offsets, shapes, clamp=True) -- to narrow the read to the source edge instead", ""})
	wantProblems(t, "", "x = pl.tile.add(t, pl.load(a, [0, 0], [16, 32]))", found{"pl.tile.add(t, pl.load(a, [0, 0], [16, 32]))",
		"pl.tile operation 'add': The operator tile.add requires compatible shapes, but got [16, 64] and [16, 32]", ""})
	wantProblems(t, "", "x = pl.tile.sels(i, i, i, 2.5)", found{"pl.tile.sels(i, i, i, 2.5)",
		"pl.tile operation 'sels': Cannot retype non-integral floating-point constant 2.5 to integer dtype int32; use an integral value or an explicit cast", scalarHelp})
	wantProblems(t, "", "x = pl.tpop_from_aic(shape=[16, 64])", found{"pl.tpop_from_aic(shape=[16, 64])",
		"pl operation 'tpop_from_aic': shape and dtype must both be provided or both omitted", ""})
}

// TestUnknownSuppresses: what could not be read causes no further finding.
func TestUnknownSuppresses(t *testing.T) {
	wantProblems(t, "", "x = zz\ny = pl.add(x, t)\nz = x + 1\nw = pl.exp(y)\nif x:\n    pl.store(w, [0, 0], o)\nv = x[0:3]\nv[1] = y",
		found{"zz", "Undefined variable 'zz'", "Check if the variable is defined before using it or is available in the enclosing scope"})
	// The reference masks an error inside a loop with carried values by an arity
	// error of the loop (spec 01 §12.4); we report the original alone.
	wantProblems(t, "", "for j, (s,) in pl.range(4, init_values=(t,)):\n    x = zz\n    r = pl.yield_(x)\ny = pl.exp(r)",
		found{"zz", "Undefined variable 'zz'", "Check if the variable is defined before using it or is available in the enclosing scope"})
	// Several independent ones are all found.
	wantProblems(t, "", "x = zz\ny = ww", found{"zz", "Undefined variable 'zz'", "Check if the variable is defined before using it or is available in the enclosing scope"},
		found{"ww", "Undefined variable 'ww'", "Check if the variable is defined before using it or is available in the enclosing scope"})
}

// TestAnnotations: annotation against inferred type (spec 01 §6.7, 15.3).
func TestAnnotations(t *testing.T) {
	load := "pl.tile.load(a, [0, 0], [64, 64])"
	help := "Change annotation to: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec]"
	wantProblems(t, "", "x: pl.Tile[[64, 64], pl.FP16] = "+load, found{"x: pl.Tile[[64, 64], pl.FP16] = " + load, "Type annotation for 'x' has dtype fp16 but expression has dtype fp32", help})
	wantProblems(t, "", "x: pl.Tile[[64], pl.FP32] = "+load, found{"x: pl.Tile[[64], pl.FP32] = " + load, "Type annotation for 'x' has rank 1 but expression has rank 2", help})
	wantProblems(t, "", "x: pl.Tile[[64, 32], pl.FP32] = "+load, found{"x: pl.Tile[[64, 32], pl.FP32] = " + load, "Type annotation for 'x' has shape dimension 1 = 32 but expression has shape dimension 1 = 64", help})
	wantProblems(t, "", "x: pl.Tensor[[64, 64], pl.FP32] = "+load, found{"x: pl.Tensor[[64, 64], pl.FP32] = " + load, "Type annotation for 'x' is Tensor but expression has type Tile", help})
	wantProblems(t, "", `x: pl.Tile[[64, 64], pl.FP32, pl.MemRef("m", 0, 16384)] = `+load, found{`pl.MemRef("m", 0, 16384)`, "Tile annotation with a memref argument must also specify explicit memory space",
		`Use pl.Tile[[shape], dtype, pl.MemRef(base, offset, size), pl.Mem.Vec], pl.Tile[[shape], dtype, pl.MemRef("scratch"), pl.Mem.Vec], or pl.Tile[[shape], dtype, memref_var, pl.Mem.Vec]`})
	wantProblems(t, "", "x: pl.Tile[[K, 64], pl.FP32] = "+load, found{"K", "Unknown shape variable: K", "Use an integer, pl.dynamic() variable, or a Scalar variable defined earlier"})
	wantProblems(t, "", "x: pl.Tile[[64, 64], pl.FP31] = "+load, found{"pl.FP31", "Unknown dtype: FP31", "Use a valid dtype like pl.FP32, pl.INT32, etc. Available: FP4, FP8E4M3FN, FP8E5M2, FP8E8M0, FP16, FP32, BF16, HF4, HF8, INT4, INT8, INT16, INT32, INT64, UINT4, UINT8, UINT16, UINT32, UINT64, BOOL, INDEX, TASK_ID"})
	wantProblems(t, "", "x: pl.Tile[[64, 64], pl.FP32, pl.ND] = "+load, found{"pl.ND", "Tile does not accept layouts like pl.ND", "Use pl.TileView(...) for tile views, or use pl.Tensor[...] for layout annotations"})
	wantProblems(t, "", "x: pl.Tile[[64, 64], pl.FP32, pl.TileView(valid=[1, 2])] = "+load, found{"valid=[1, 2]", "Unknown TileView keyword argument: 'valid'", "Supported: valid_shape, stride, start_offset, blayout, slayout, fractal, pad, compact"})
	wantProblems(t, "", "x = t\nx = u", found{"x", "Cannot reassign 'x' with a different type: was pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec], got pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec]", "Use a different variable name for tensors with different shapes or dtypes"})
}

// TestLoopErrors: headers, yields and jumps (spec 01 §7.3, 7.4).
func TestLoopErrors(t *testing.T) {
	const jump = "can only be used in sequential (pl.range) or while loops"
	for _, c := range []struct {
		in   string
		want found
	}{
		{"for j in n:\n    pass", found{"n", "For loop must use pl.range(), pl.parallel(), pl.unroll(), pl.pipeline(), pl.while_(), pl.spmd(), or pl.split_aiv()", "Use pl.range(), pl.parallel(), pl.unroll(), pl.pipeline(), pl.while_(), pl.spmd(), or pl.split_aiv() as the iterator"}},
		{"for j in pl.range():\n    pass", found{"pl.range()", "pl.range() requires at least 1 argument (stop)", "Provide at least the stop value: pl.range(10) or pl.range(0, 10)"}},
		{"for j in pl.range(4, step=2):\n    pass", found{"step=2", "Unknown keyword argument 'step' in pl.range()", "Supported keywords for pl.range(): init_values, attrs"}},
		{"for j in pl.pipeline(4):\n    pass", found{"pl.pipeline(4)", "pl.pipeline() requires stage= (positive integer)", "Use pl.pipeline(stop, stage=F)."}},
		{"for j in pl.pipeline(4, stage=0):\n    pass", found{"pl.pipeline(4, stage=0)", "pl.pipeline() stage must be >= 1, got 0", "Use a positive integer for stage: stage=4"}},
		{"for j in pl.pipeline(4, stage=n):\n    pass", found{"pl.pipeline(4, stage=n)", "pl.pipeline() stage must be a compile-time constant integer", "Use an integer literal: stage=4"}},
		{"for j in pl.range(4, stage=2):\n    pass", found{"pl.range(4, stage=2)", "stage= is only supported on pl.pipeline(), not pl.range()", "Use pl.pipeline() for software pipelining."}},
		{"for j in pl.unroll(n):\n    pass", found{"pl.unroll(n)", "pl.unroll() requires compile-time constant integer bounds", "Use integer literals for start, stop, and step in pl.unroll()."}},
		{"for j in pl.unroll(0, 4, 0):\n    pass", found{"pl.unroll(0, 4, 0)", "pl.unroll() step cannot be zero", "Use a non-zero step in pl.unroll(start, stop, step)."}},
		{"for j in pl.range(4, init_values=(t,)):\n    x = pl.yield_(t)", found{"j", "For loop target must be a tuple when init_values is provided", "Use: for i, (var1,) in pl.range(n, init_values=(val1,)) to include iter_args"}},
		{"for j, (s, r) in pl.range(4, init_values=(t,)):\n    x = pl.yield_(s)", found{"(s, r)", "Mismatch: 2 iter_args but 1 init_values", "Provide exactly 1 iteration variable(s) to match init_values"}},
		{"for j, (s,) in pl.range(4, init_values=(t,)):\n    pl.yield_(s)", found{"pl.yield_(s)", "Loop with init_values requires an assignment-form pl.yield_(...) — the LHS supplies the post-loop binding name. Bare pl.yield_(...) is rejected here.", "Use yield-LHS form: `x_next = pl.yield_(updated)`. Then refer to `x_next` after the loop."}},
		{"for j, (s,) in pl.range(4, init_values=(t,)):\n    x = pl.exp(s)", found{"for j, (s,)", "The loop carries 's' but its body yields no next value", "End the body with an assignment-form yield, e.g. `s_next = pl.yield_(...)`, and use that name after the loop"}},
		{"if n > 1:\n    x = pl.yield_(t)\nelse:\n    pass", found{"x", "'x' gets no value when the condition is false", "Yield it on both sides: `x = pl.yield_(...)` at the end of the if and of the else branch"}},
		{"if n:\n    pass", found{"if n", "if condition must be a Bool-typed scalar expression, got pl.Scalar[pl.INDEX]", "Use an explicit boolean comparison, e.g. `if x != 0:` or `if x > 0:`"}},
		{"while m:\n    m = m", found{"while m", "while condition must be a Bool-typed scalar expression, got pl.Scalar[pl.INT32]", "Use an explicit boolean comparison, e.g. `while x != 0:` or `while x > 0:`"}},
		{"for (k,) in pl.while_(init_values=(n,)):\n    x = pl.yield_(k)", found{"x = pl.yield_(k)", "First statement in pl.while_() body must be pl.cond(condition)", "Add pl.cond(condition) as first statement"}},
		{"for j in pl.parallel(4):\n    break", found{"break", "'break' not supported in parallel loops", "'break' " + jump}},
		{"for j in pl.unroll(4):\n    continue", found{"continue", "'continue' not supported in unrolled loops", "'continue' " + jump}},
		{"n += 1", found{"n += 1", "Unsupported statement type: AugAssign", "Only assignments, for loops, while loops, if statements, with statements, returns, break, continue, and pass are supported in DSL functions"}},
		{"x, y = t", found{"t", "Failed to parse function 'f': TupleGetItemExpr requires tuple to have TupleType, got TileType", "Check your function definition for errors"}},
		{"x = n & 3", found{"n & 3", "Unsupported binary operator: BitAnd", "Use supported operators: +, -, *, /, //, %, <<, >>"}},
		{"x = t + 1", found{"t + 1", "Failed to parse function 'f': Expression must be ScalarExpr or Var with ScalarType, got Var with type TileType", "Check your function definition for errors"}},
		{"x = m < 0.0", found{"m < 0.0", "Failed to parse function 'f': Operator 'lt' requires same numeric dtype category, got int32 and fp32", "Check your function definition for errors"}},
		{"x = 1 < n < 3", found{"1 < n < 3", "Only simple comparisons supported", "Use single comparison operators like: a < b, not chained comparisons"}},
		{"pl.static_assert(1 > 2, 'rows')", found{"pl.static_assert(1 > 2, 'rows')", "static_assert failed: rows", "Condition `1 > 2` evaluated to False"}},
		{"pl.static_assert(n > 2)", found{"pl.static_assert(n > 2)", "static_assert condition must be compile-time evaluable", "Condition `n > 2` produced a non-constant IR expression"}},
		{"x = t.shape", found{"t.shape", "Standalone attribute access not supported: t.shape", "Attribute access is only supported within function calls"}},
		{"x = self.g(t)", found{"self.g(t)", "Function 'g' not defined in program", "Available functions: ['f']"}},
		{"x = helper(t)", found{"helper(t)", "Unsupported function call: helper(t)", "Use pl.* operations, pl.yield_(), self.method() for cross-function calls, or call an external @pl.function / @pl.inline by name"}},
		{"x = np.exp(t)", found{"np.exp(t)", "Unsupported operation call: np.exp(t)", "Use pl.*, pl.tensor.*, pl.tile.*, or pl.system.* operations"}},
		{"x = pl.const(n, pl.INT32)", found{"pl.const(n, pl.INT32)", "pl.const() first argument must be a numeric literal", "Use an int or float literal: pl.const(42, pl.INT32)"}},
	} {
		wantProblems(t, "", c.in, c.want)
	}
}

// TestSignatureErrors: decorators and parameters (spec 01 §4.4, 5).
func TestSignatureErrors(t *testing.T) {
	read1 := func(text string) *read.Function {
		ps := read.File(irsyntax.Parse("import pypto.language as pl\n"+text), read.Options{Policy: read.Reference})
		return ps[0].Functions[0]
	}
	for _, c := range []struct {
		in   string
		want found
	}{
		{"@pl.function(type=pl.FunctionType.Incore)\ndef f(x: pl.Scalar[pl.INDEX]):\n    return\n", found{"Incore", "Unknown FunctionType value: Incore", "Valid values: AIC, AIV, Graph, Group, InCore, Inline, Opaque, Orchestration, Spmd"}},
		{"@pl.function(type=FT.InCore)\ndef f(x: pl.Scalar[pl.INDEX]):\n    return\n", found{"FT.InCore", "Expected pl.FunctionType.<name>", "Use pl.FunctionType.<name>."}},
		{"@pl.function(type=pl.FunctionType.AIV, level=pl.Level.CHIP)\ndef f(x: pl.Scalar[pl.INDEX]):\n    return\n", found{"f(x: pl.Scalar[pl.INDEX]):\n    ", "Failed to parse function 'f': Function 'f' has func_type=AIV which implies level=AIV, but explicit level=CHIP was provided", "Check your function definition for errors"}},
		{"@pl.function\ndef f(x):\n    return\n", found{"x", "Parameter 'x' missing type annotation", "Add a type annotation like: x: pl.Tensor[[64], pl.FP32]"}},
		{"@pl.function\ndef f(x: pl.InOut[pl.Scalar[pl.INDEX]]):\n    return\n", found{"x: pl.InOut[pl.Scalar[pl.INDEX]]", "Scalar parameters cannot have InOut direction", "Only Tensor and Tile parameters support InOut direction"}},
		{"@pl.function\ndef f(x: pl.Tensor):\n    return\n", found{"pl.Tensor", "Incomplete type annotation: pl.Tensor", "Use pl.Tensor[[shape], dtype], pl.Tile[[shape], dtype], or pl.Scalar[dtype]"}},
		{"@pl.function\ndef f(x: pl.Tensor[[4, 3], pl.FP4]):\n    return\n", found{"pl.Tensor[[4, 3], pl.FP4]", "Failed to parse function 'f': Packed FP4 shaped types require a positive even logical last dimension, but got 3", "Check your function definition for errors"}},
		{"M = pl.dynamic(\"M\")\n@pl.function\ndef f(x: pl.Tensor[[M, 3], pl.FP32], M: pl.Scalar[pl.INDEX]):\n    return\n", found{"M: pl.Scalar[pl.INDEX]", "Parameter 'M' shadows the dynamic symbol 'M', which an earlier parameter's type annotation already uses", "Declare 'M: pl.Scalar[pl.INDEX]' before the parameter whose pl.TensorView(valid_shape=...) names it, so the annotation resolves to the parameter"}},
		{"@pl.program\nclass P:\n    @pl.function\n    def f(self, x: pl.Tensor[[M, 3], pl.FP32]):\n        return\n", found{"M", "NameError: name 'M' is not defined", "Declare it at module level: M = pl.dynamic(\"M\")"}},
		{"@pl.function\ndef f(n: pl.Scalar[pl.INDEX]):\n    x = n\n    pl.func_attr({\"split\": 1})\n", found{"pl.func_attr({\"split\": 1})", "pl.func_attr() must appear before every other statement in 'f'", "Move the pl.func_attr(...) call to the top of the function body. A function attribute describes the whole function, so it is declared in the prologue; only parameters are referenceable there."}},
		{"@pl.function(strict_ssa=True)\ndef f(n: pl.Scalar[pl.INDEX]):\n    x = n\n    x = n + 1\n", found{"x", "Variable 'x' is already defined", "Use a different variable name for each assignment (SSA form requires unique names)"}},
	} {
		wantFound(t, c.in, read1(c.in), []found{c.want})
	}
	// A stand-alone signature makes dimensions of unknown names.
	wantFound(t, "dims", read1("@pl.function\ndef f(x: pl.Tensor[[M, 3], pl.FP32]):\n    return\n"), nil)
}

// TestScopeErrors: with scopes and split regions (01c).
func TestScopeErrors(t *testing.T) {
	split := "Use 'for aiv_id in pl.split_aiv(2, mode=pl.SplitMode.NONE):'"
	for _, c := range []struct {
		in, at, message, help string
	}{
		{"with pl.at():\n    pass", "pl.at()", "pl.at() requires a level argument", "Use pl.at(pl.Level.HOST)"},
		{"with pl.at(level=pl.Level.CORE_GROUP, hint=1):\n    pass", "hint=1", "Unknown keyword argument 'hint' in pl.at()", "Supported arguments: level"},
		{"with pl.at(level=pl.Level.CORE_GROUP, name_hint=\"a b\"):\n    pass", "\"a b\"", "pl.at() 'name_hint' must be a valid non-keyword identifier, got 'a b'", "Use a valid"},
		{"with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.tile]):\n    pass", "pl.tile", "Unsupported entry in pl.at(optimizations=[...])", ""},
		{"with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.cross_core_slot(slot_num=0)]):\n    pass", "0", "pl.cross_core_slot(slot_num=...) must be positive, got 0", ""},
		{"with pl.incore():\n    pass", "with pl.incore()", "Unsupported context manager in with statement", "Supported: 'with pl.cluster():'"},
		{"for j in pl.split_aiv(3, mode=pl.SplitMode.NONE):\n    pass", "3", "pl.split_aiv(n) requires n == 2 (AIV sub-core count is hardware-fixed at 2), got 3", split},
		{"for j in pl.split_aiv(2):\n    pass", "pl.split_aiv(2)", "pl.split_aiv() requires mode= (e.g. mode=pl.SplitMode.NONE for task-parallel, or pl.SplitMode.UP_DOWN / pl.SplitMode.LEFT_RIGHT for data-parallel halving)", split},
		{"x = pl.aiv_shard(t)", "pl.aiv_shard(t)", "pl.aiv_shard() must be used inside a 'for ... in pl.split_aiv(...)' loop (or pass an explicit integer 'split=' in the outlined form); it otherwise inherits the split mode from that scope", "Write 'x = pl.aiv_shard(tile)'"},
		{"x = pl.spmd(t)", "pl.spmd(t)", "Unknown operation 'pl.spmd'", "Check spelling"},
	} {
		_, fn := kernel(t, "", prepared+c.in)
		if len(fn.Problems) != 1 {
			t.Errorf("%s: %+v", c.in, fn.Problems)
			continue
		}
		p := fn.Problems[0]
		at := fn.Chunk.Text[p.Span.Start:p.Span.End]
		if at != c.at || p.Message != c.message || !strings.HasPrefix(p.Help, c.help) {
			t.Errorf("%s: at %q %q %q", c.in, at, p.Message, p.Help)
		}
	}
}
