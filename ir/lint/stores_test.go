package lint_test

import (
	"strings"
	"testing"

	"pypto-ls/ir/lint"
)

func storeOf(t *testing.T, space, tileType, tensorType, kwargs string) source {
	return programOf(t, `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIC)
    def k(c: pl.Tile[[16, 16], pl.`+tileType+`, pl.Mem.`+space+`], out: pl.Out[pl.Tensor[[16, 16], pl.`+tensorType+`]]):
        o: pl.Tensor[[16, 16], pl.`+tensorType+`] = pl.tile.store(c, [0, 0], out`+kwargs+`)
`)
}

// The fix-pipe writes INT32, FP32, FP16 and BF16 on both targets; the vector
// core's store is not concerned.
func TestAccStores(t *testing.T) {
	for _, p := range []struct{ name, arch string }{{"Ascend910B", "a2a3"}, {"Ascend950", "a5"}} {
		for _, d := range []string{"INT32", "FP32", "FP16", "BF16"} {
			s := storeOf(t, "Acc", "FP32", d, "")
			s.want(t, lint.AccStores(lint.Body{Fn: s.fn}, target(t, p.name)))
		}
		s := storeOf(t, "Acc", "INT32", "INT8", "")
		s.want(t, lint.AccStores(lint.Body{Fn: s.fn}, target(t, p.name)),
			"pl.tile.store(c, [0, 0], out): cube accumulator cannot be stored directly into a 'int8' global tensor on the '"+p.arch+"' backend (function 'k'). The fix-pipe narrows an Acc tile only into INT32/FP32/FP16/BF16. Narrow through the vector unit first -- cast the matmul result to 'int8' (e.g. pl.cast(result, ...)) and store that -- or accumulate into an INT32/FP32 tensor and convert afterwards.")
		s = storeOf(t, "Vec", "INT8", "INT8", "")
		s.want(t, lint.AccStores(lint.Body{Fn: s.fn}, target(t, p.name)))
	}
	s := storeOf(t, "Acc", "INT32", "INT8", "")
	s.want(t, lint.AccStores(lint.Body{Fn: s.fn}, nil))
}

// Only Ascend910B adds BF16 atomically; the tensor's type counts.
func TestAtomicAdds(t *testing.T) {
	const add = ", atomic=pl.AtomicType.Add"
	text := "pl.tile.store(c, [0, 0], out" + add + "): atomic-add into a bf16 global tensor is not supported on the 'a5' backend (function 'k'). bf16 atomic-add requires the Ascend910B (A2/A3) profile, whose store pipe honours set_atomic_bf16. Accumulate into an fp32 tensor and cast to bf16 after the reduction instead."
	s := storeOf(t, "Vec", "BF16", "BF16", add)
	s.want(t, lint.AtomicAdds(lint.Body{Fn: s.fn}, target(t, "Ascend950")), text)
	s.want(t, lint.AtomicAdds(lint.Body{Fn: s.fn}, target(t, "Ascend910B")))
	for _, c := range [][3]string{{"Vec", "BF16", ""}, {"Vec", "FP32", add}} {
		s = storeOf(t, c[0], c[1], c[1], c[2])
		s.want(t, lint.AtomicAdds(lint.Body{Fn: s.fn}, target(t, "Ascend950")))
	}
}

func TestValidShapes(t *testing.T) {
	for _, c := range []struct{ view, want string }{
		{"[4, 64]", ""},
		{"[n, 64]", ""}, // n <= 16 is unknown
		{"[4]", "TileType valid_shape rank mismatch: got rank 1 [4], but physical shape has rank 2 [16, 64]"},
		{"[-1, 64]", "TileType valid_shape dimension 0 has provably negative extent -1; expected 0 <= valid_shape[0] <= shape[0] (16)"},
		{"[4, 65]", "TileType valid_shape dimension 1 extent 65 provably exceeds physical shape extent 64"},
		// n is an INDEX, hence not negative: n + 17 is at least 17.
		{"[n + 17, 64]", "TileType valid_shape dimension 0 extent n + 17 provably exceeds physical shape extent 16"},
	} {
		s := programOf(t, strings.Replace(header, "n: pl.Scalar[pl.INDEX]", "n: pl.Scalar[pl.INDEX], t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape="+c.view+")]", 1)+"        return x\n")
		if c.want == "" {
			s.want(t, lint.ValidShapes(s.fn))
		} else {
			s.want(t, lint.ValidShapes(s.fn), "t: "+c.want)
		}
	}
	s := programOf(t, strings.Replace(header, "x: pl.Tensor[[256, 256], pl.FP16]", "x: pl.Tensor[[256, 256], pl.FP16, pl.TensorView(valid_shape=[300, 257])]", 1)+"        return x\n")
	s.want(t, lint.ValidShapes(s.fn),
		"x: TensorType valid_shape dimension 0 extent 300 provably exceeds physical shape extent 256",
		"x: TensorType valid_shape dimension 1 extent 257 provably exceeds physical shape extent 256")
}
