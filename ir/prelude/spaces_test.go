package prelude_test

import (
	"strings"
	"testing"
)

// The carry of a while loop has no recorded space, so that an operator that
// inherits its space takes that of its next operand (spec 02 §8.2: "space of the
// first operand already recorded"; 11 §6.4).
func TestInheritsFirstKnownSpace(t *testing.T) {
	l := lower(t, guarded(`
w = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
k = 0
while k < n:
    w = pl.tile.assemble(w, t, [0, 0])
    k = k + 1`), "Ascend950")
	for _, line := range strings.Split(l.text, "\n") {
		if strings.Contains(line, "tile.assemble(") && !strings.Contains(line, "pl.Mem.Vec") {
			t.Errorf("not in the space of the known operand: %s", line)
		}
	}
}
