package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// replayedText is a vector function as it stands after SplitVectorKernel, with a
// loop that LowerPipelineLoops still has to replicate.
const replayedText = `import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def k_aiv(x__ssa_v0: pl.Tensor[[512, 128], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[512, 128], pl.FP32]]) -> pl.Tensor[[512, 128], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        if subblock_idx == 0:
            for i__idx_v0, (o__iter_v1,) in pl.pipeline(8, stage=2, init_values=(out__ssa_v0,)):
                a__ssa_v0: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [i__idx_v0 * 32, 0], [32, 128], [32, 128], target_memory=pl.Mem.Vec)
                b__ssa_v0: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(a__ssa_v0, a__ssa_v0)
                o__ssa_v3: pl.Tensor[[512, 128], pl.FP32] = pl.tile.store(b__ssa_v0, [i__idx_v0 * 32, 0], o__iter_v1)
                o__rv_v2: pl.Tensor[[512, 128], pl.FP32] = pl.yield_(o__ssa_v3)
            return o__rv_v2
        else:
            return out__ssa_v0
`

// TestReplayedOnce: whatever the file is called, what SplitVectorKernel has made
// is not made again. Two stages of two tiles are four, not eight.
func TestReplayedOnce(t *testing.T) {
	var all []string
	for _, name := range []string{"k.py", "24_after_SplitVectorKernel.py"} {
		d := recordedDocument(NewEngine(1<<20), name, replayedText, "Ascend910B", "PYPTO")
		var labels []string
		for _, h := range d.InlayHints(0, len(replayedText), HintKinds{Addresses: true}) {
			for _, p := range h.Parts {
				labels = append(labels, p.Text)
			}
		}
		all = append(all, strings.Join(labels, ""))
		n := 0
		for _, i := range d.FuncChunks() {
			for _, p := range d.Func(i).Planned {
				n += len(p.Tiles)
			}
		}
		if n != 4 {
			t.Errorf("%s: %d tiles", name, n)
		}
	}
	if diff := cmp.Diff(all[1], all[0]); diff != "" || !strings.Contains(all[0], "0x00000 / 0x04000") {
		t.Errorf("%q\n%s", all[0], diff)
	}
}
