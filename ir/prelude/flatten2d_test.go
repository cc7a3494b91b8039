package prelude_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stack is a kernel over tiles of rank 3.
func stack(body string) string {
	const tensor = "pl.Tensor[[2, 8, 64], pl.FP32]"
	return program("@pl.function(type=pl.FunctionType.InCore)\ndef k(self, a: " + tensor + ", out: pl.Out[" + tensor + "]):\n    x = pl.load(a, [0, 0, 0], [2, 8, 64])\n" +
		indented(body, 4) + "\n    pl.store(x, [0, 0, 0], out)")
}

// Negative axes of a transpose count from the end, so the last two are the
// last two however they are written; a batch axis is not.
func TestTransposeAxesFromTheEnd(t *testing.T) {
	want := exact(t, stack("y = pl.transpose(x, 1, 2)\nx = pl.transpose(y, 2, 1)"), "Ascend910B").body("k")
	got := exact(t, stack("y = pl.transpose(x, -2, -1)\nx = pl.transpose(y, -1, 1)"), "Ascend910B").body("k")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-with 1, 2 +with -2, -1):\n%s", diff)
	}
	batch := []string{"FlattenTileNdTo2D: FlattenTileNdTo2D: only last-two-axes tile.transpose on >2D tiles is supported; transpose involving a batch axis (axes 0, 2 of rank 3) is not yet lowered. Reshape the tile so the transposed axes are the last two."}
	if diff := cmp.Diff(batch, lower(t, stack("y = pl.transpose(x, -3, -1)"), "Ascend910B").messages()); diff != "" {
		t.Error(diff)
	}
}

// A write is a statement of its own, and refused like an assigned call.
func TestNoElementsOfStacks(t *testing.T) {
	for body, op := range map[string]string{
		"pl.tile.write(x, [0, 0, 0], 1.0)":              "tile.write",
		"y = pl.tile.slice(x, [1, 8, 64], [0, 0, 0])":   "tile.slice",
		"s: pl.Scalar[pl.FP32] = pl.read(x, [0, 0, 0])": "tile.read",
	} {
		want := []string{"FlattenTileNdTo2D: FlattenTileNdTo2D: " + op + " is not supported on >2D tiles"}
		if diff := cmp.Diff(want, lower(t, stack(body), "Ascend910B").messages()); diff != "" {
			t.Errorf("%s:\n%s", body, diff)
		}
	}
}
