package read_test

import (
	"strings"
	"testing"
)

// A module's `pl.MemRef(...)` is evaluated by Python: its arguments may be any
// constants (spec 03 §6.1), and a count below one is an error there.
func TestModuleDeclarations(t *testing.T) {
	for _, c := range []struct{ module, ref, want, problem string }{
		{"N = 2\nrot = pl.MemRef(slots=N)", "rot[n % 2]", `pl.MemRef("rot", slots=2)[n % 2]`, ""},
		{"D = 3\nNAME = 'ring'\nrot = pl.MemRef(NAME, slots=D * 2 - 1)", "rot[4]", `pl.MemRef("ring", slots=5)[4]`, ""},
		{"rot = pl.MemRef('b', slots=0x10)", "rot[15]", `pl.MemRef("b", slots=16)[15]`, ""},
		{"rot = pl.MemRef(slots=0)", "rot", `pl.MemRef("rot")`, "A declared allocation must have at least one slot, got slots=0"},
		{"N = 1\nrot = pl.MemRef(slots=N - 3)", "rot", `pl.MemRef("rot")`, "A declared allocation must have at least one slot, got slots=-2"},
	} {
		text, fn := kernel(t, c.module, "t: pl.Tile[[16, 64], pl.FP32, "+c.ref+", pl.Mem.Vec] = pl.load(a, [0, 0], [16, 64])")
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s\nwant %s", c.module, text, c.want)
		}
		switch {
		case c.problem == "" && len(fn.Problems) > 0,
			c.problem != "" && (len(fn.Problems) != 1 || fn.Problems[0].Message != c.problem):
			t.Errorf("%s: %+v\nwant %q", c.module, fn.Problems, c.problem)
		}
	}
}
