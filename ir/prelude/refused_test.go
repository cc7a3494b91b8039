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

// TestRefusedBehindNote: what follows a pass that is not modelled is not what
// the compiler makes, and nothing is said about where that stops.
func TestRefusedBehindNote(t *testing.T) {
	l := lower(t, program(`
@pl.function(type=pl.FunctionType.InCore)
def k(self, a: pl.Tensor[[3, 32, 64], pl.FP16], b: pl.Tensor[[3, 64, 32], pl.FP16], out: pl.Out[pl.Tensor[[3, 32, 32], pl.FP32]]) -> pl.Tensor[[3, 32, 32], pl.FP32]:
    x = pl.tile.load(a, [0, 0, 0], [3, 32, 64], target_memory=pl.Mem.Mat)
    y = pl.tile.load(b, [0, 0, 0], [3, 64, 32], target_memory=pl.Mem.Mat)
    z = pl.tile.batch_matmul(x, y)
    o = pl.tile.store(z, [0, 0, 0], out)
    return o`), platforms.Names()[0])
	if len(l.notes) == 0 || l.notes[0].Pass != "FlattenTileNdTo2D" {
		t.Fatalf("notes %+v, want the batched product's first", l.notes)
	}
	for _, n := range l.notes {
		if strings.Contains(n.Reason, "stops here") {
			t.Errorf("%s: %s", n.Pass, n.Reason)
		}
	}
}
