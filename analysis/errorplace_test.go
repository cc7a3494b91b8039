package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An error whose place is a call is shown at the call (spec 03 §7.4.2), one of
// the function at its name: element 1 of a row of FP4 is the second nibble.
func TestErrorAtCall(t *testing.T) {
	const text = `# pypto.program: P
import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def k(x: pl.Tensor[[8, 64], pl.FP4], out: pl.Out[pl.Tensor[[8, 64], pl.FP4]]) -> pl.Tensor[[8, 64], pl.FP4]:
        a: pl.Tile[[8, 16], pl.FP4, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
        c: pl.Tile[[1, 14], pl.FP4, pl.Mem.Vec] = pl.tile.slice(a, [1, 14], [0, 1])
        res: pl.Tensor[[8, 64], pl.FP4] = pl.tile.store(c, [0, 0], out)
        return res
`
	want := []string{"9 init-memref: Packed 4-bit slice origins must be byte-aligned; logical linear offset 1 selects the second nibble of a byte"}
	got := linted(t, "31_after_MaterializeTensorStrides.py", text, "Ascend950", "init-memref")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
