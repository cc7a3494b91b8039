package prelude_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir/prelude"
	"pypto-ls/ir/read"
	"pypto-ls/platforms"
)

// markedFrom lists the passes that have something to say about a dump that
// stands after a pass.
func markedFrom(t *testing.T, text, from, platform string) []string {
	t.Helper()
	p, _ := platforms.Lookup(platform)
	var out []string
	for _, f := range readProgram(t, text, read.Dump, p).Funcs {
		c := &prelude.Ctx{Platform: p, Planner: "PYPTO"}
		prelude.Lower(c, f, from, nil)
		for _, n := range c.Notes {
			out = append(out, n.Pass)
		}
	}
	return out
}

// checkMarked compares the marks of starts after several passes.
func checkMarked(t *testing.T, text string, want map[string][]string) {
	t.Helper()
	for from, passes := range want {
		if diff := cmp.Diff(passes, markedFrom(t, text, from, "Ascend950")); diff != "" {
			t.Errorf("from %q:\n%s", from, diff)
		}
	}
}

func dump(params, body string) string {
	return "import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)\n    def k(" +
		params + "):\n" + indented(body, 8) + "\n"
}

// A pass that is not modelled marks every dump that stands before it, and none
// that stands after it.
func TestUnmodelledFromAnyPass(t *testing.T) {
	mx := dump("out__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]", `l: pl.Tile[[64, 64], pl.FP8E4M3FN, pl.Mem.Left] = pl.tile.create([64, 64], dtype=pl.FP8E4M3FN, target_memory=pl.Mem.Left)
r: pl.Tile[[64, 64], pl.FP8E4M3FN, pl.Mem.Right] = pl.tile.create([64, 64], dtype=pl.FP8E4M3FN, target_memory=pl.Mem.Right)
ls: pl.Tile[[64, 2], pl.FP8E8M0, pl.Mem.LeftScale] = pl.tile.create([64, 2], dtype=pl.FP8E8M0, target_memory=pl.Mem.LeftScale)
rs: pl.Tile[[2, 64], pl.FP8E8M0, pl.Mem.RightScale] = pl.tile.create([2, 64], dtype=pl.FP8E8M0, target_memory=pl.Mem.RightScale)
c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul_mx(l, ls, r, rs)
pl.tile.store(c, [0, 0], out__ssa_v0)
return`)
	bound := []string{"InsertMxScaleAddr"}
	checkMarked(t, mx, map[string][]string{"ConvertToSSA": bound, "OptimizeOrchTensors": bound, "InferTileMemorySpace": bound,
		"InsertMxScaleAddr": nil, "ExpandMixedKernel": nil})

	scatter := dump("a__ssa_v0: pl.Tensor[[16, 64], pl.FP32], i__ssa_v0: pl.Tensor[[1, 8], pl.INT32], out__ssa_v0: pl.Out[pl.Tensor[[16, 64], pl.FP32]]", `x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)
s: pl.Tile[[8, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [8, 64], [8, 64], target_memory=pl.Mem.Vec)
i: pl.Tile[[1, 8], pl.INT32, pl.Mem.Vec] = pl.tile.load(i__ssa_v0, [0, 0], [1, 8], [1, 8], target_memory=pl.Mem.Vec)
y: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.scatter_update(x, i, s, dim=-2)
pl.tile.store(y, [0, 0], out__ssa_v0)
return`)
	lowered := []string{"LowerCompositeOps"}
	checkMarked(t, scatter, map[string][]string{"ConvertToSSA": lowered, "ConvertTensorToTileOps": lowered, "OptimizeOrchTensors": lowered,
		"LowerCompositeOps": nil})
}

// Loads into Mat that the compiler made may move out of loops that do not
// change them; an author's stay.
func TestInvariantLoads(t *testing.T) {
	params := "a__ssa_v0: pl.Tensor[[64, 64], pl.FP16], n__ssa_v0: pl.Scalar[pl.INDEX], out__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP16]]"
	kernel := func(name, row string) string {
		return dump(params, "for i__idx_v0 in pl.range(n__ssa_v0):\n    row__ssa_v0: pl.Scalar[pl.INDEX] = "+row+" * 16\n    if n__ssa_v0 > 3:\n        "+
			name+": pl.Tile[[16, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [row__ssa_v0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Mat)\n        pl.tile.store("+
			name+", [0, 0], out__ssa_v0)\nreturn")
	}
	moved := []string{"InferTileMemorySpace"}
	for _, name := range []string{"a__tile", "a__ssa_v0_mat", "a__tile_1"} {
		checkMarked(t, kernel(name, "n__ssa_v0"), map[string][]string{"OutlineIncoreScopes": nil, "ConvertTensorToTileOps": moved,
			"CanonicalizeTileSlice": moved, "InferTileMemorySpace": nil})
		checkMarked(t, kernel(name, "i__idx_v0"), map[string][]string{"OptimizeOrchTensors": nil})
	}
	for _, name := range []string{"x__ssa_v0", "t__tmp_v3_1"} {
		checkMarked(t, kernel(name, "n__ssa_v0"), map[string][]string{"OptimizeOrchTensors": nil})
	}
}
