package prelude_test

import (
	"strings"
	"testing"

	"pypto-ls/platforms"
)

// TestRefusedIsNoted: where a pass makes a call that the operator's rule
// refuses, the reference stops; it is never planned without saying so (spec 11
// §6.7 step 3, 11b §2.2).
func TestRefusedIsNoted(t *testing.T) {
	for _, c := range []struct{ name, shape, second, pass, text string }{
		{"a column beside a tile", "[32, 64]", "pl.tile.row_max(x, pl.tile.create([32, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec))",
			"ResolveBackendOpLayouts", "The operator tile.add requires compatible shapes, but got [32, 64] and [1, 32]"},
		{"rows of a batch", "[2, 8, 64]", "pl.tile.load(a, [0, 0, 0], [2, 1, 64])",
			"FlattenTileNdTo2D", "The operator tile.add requires compatible shapes, but got [16, 64] and [2, 64]"},
	} {
		zeros := "[" + strings.Repeat("0, ", strings.Count(c.shape, ",")) + "0]"
		l := lower(t, program(`
@pl.function(type=pl.FunctionType.InCore)
def k(self, a: pl.Tensor[`+c.shape+`, pl.FP32], out: pl.Out[pl.Tensor[`+c.shape+`, pl.FP32]]) -> pl.Tensor[`+c.shape+`, pl.FP32]:
    x = pl.tile.load(a, `+zeros+`, `+c.shape+`)
    y = `+c.second+`
    z = pl.tile.add(x, y)
    o = pl.tile.store(z, `+zeros+`, out)
    return o`), platforms.Names()[0])
		found := false
		for _, n := range l.notes {
			found = found || n.Pass == c.pass && strings.HasSuffix(n.Reason, c.text)
		}
		if !found {
			t.Errorf("%s: notes %+v, want %s of %s", c.name, l.notes, c.text, c.pass)
		}
	}
}
