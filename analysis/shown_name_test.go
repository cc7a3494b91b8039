package analysis

import (
	"strings"
	"testing"
)

// TestShownNames: an overflow in a hand-written kernel is explained with the
// author's names. x, y and the nested sum are alive together at line 10, 131,072
// bytes each: 393,216.
func TestShownNames(t *testing.T) {
	d := recordedDocument(NewEngine(1<<20), "k.py", `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[4096, 512], pl.FP32], out: pl.Out[pl.Tensor[[4096, 512], pl.FP32]]) -> pl.Tensor[[4096, 512], pl.FP32]:
        x = pl.load(a, [0, 0], [64, 512])
        y = pl.load(a, [64, 0], [64, 512])
        z = pl.mul(pl.add(x, y), y)
        z = pl.add(z, x)
        return pl.store(z, [0, 0], out)
`, "Ascend910B", "PYPTO")
	var told, here string
	var related []string
	for _, f := range d.Findings() {
		switch f.Code {
		case "capacity":
			told = f.Explain
			for _, r := range f.Related {
				related = append(related, r.Message)
			}
		case "capacity-here":
			here = f.Message
		}
	}
	if want := "Most is live at line 10: 393,216 B in 'x' (131,072 B), 'y' (131,072 B), a nested result at line 10 (131,072 B)."; !strings.Contains(told, want) {
		t.Errorf("told %q", told)
	}
	if want := "Vec first overflows here: 'y' ends at byte 262,144 of 188,416"; here != want {
		t.Errorf("here %q", here)
	}
	if all := strings.Join(related, "\n"); strings.Contains(all, "__") || !strings.Contains(all, "a nested result: 131,072 B, live at the peak") {
		t.Errorf("related %q", all)
	}
}
