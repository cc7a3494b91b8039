package prelude_test

import (
	"fmt"
	"strings"
	"testing"
)

// nested are loops within each other, depth deep, around one store.
func nested(head string, depth int) string {
	var b strings.Builder
	for d := range depth {
		fmt.Fprintf(&b, "%s"+head+"\n", strings.Repeat("    ", d), d)
	}
	b.WriteString(strings.Repeat("    ", depth) + "pl.store(h, [0, 0], out)")
	return loops(b.String())
}

// doubling are Inline functions that call the one before twice.
func doubling(depth int, call string) string {
	tile := "pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]"
	def := "@pl.function(type=pl.FunctionType.Inline)\ndef f%d(self, a: " + tile + ", m: pl.Scalar[pl.INDEX]) -> " + tile + ":\n"
	var b strings.Builder
	fmt.Fprintf(&b, def+"    s = pl.slice(a, [16, 64], [m, 0])\n    return s\n", 0)
	for d := 1; d <= depth; d++ {
		fmt.Fprintf(&b, def+strings.ReplaceAll(call, "LAST", fmt.Sprint("f", d-1)), d)
	}
	b.WriteString(`@pl.function(type=pl.FunctionType.InCore)
def k(self, n: pl.Scalar[pl.INDEX], a: ` + tensor + `, out: pl.Out[` + tensor + `]):
    h = pl.load(a, [0, 0], [16, 64])
    x = self.f` + fmt.Sprint(depth) + `(h, n)
    pl.store(x, [0, 0], out)
`)
	return program(b.String())
}

// A few lines that a pass would copy beyond every measure are left as they
// are, and the function is marked.
func TestCopyingIsBounded(t *testing.T) {
	for _, c := range []struct{ pass, text string }{
		{"UnrollLoops", nested("for i%d in pl.unroll(1000):", 3)},
		{"UnrollLoops", loops("for i in pl.unroll(1024):\n    for j in pl.unroll(1024):\n        pass")},
		{"LowerPipelineLoops", nested("for i%d in pl.pipeline(0, 16, 1, stage=8):", 8)},
		{"LowerPipelineLoops", nested("for i%d in pl.pipeline(0, n, 1, stage=8):", 6)},
		{"LowerPipelineLoops", nested("for i%d in pl.pipeline(0, 9223372036854775807, 1, stage=9223372036854775807):", 1)},
		{"LowerPipelineLoops", nested("for i%d in pl.pipeline(0, n, 1, stage=9223372036854775807):", 1)},
		{"InlineFunctions", doubling(40, "    b = self.LAST(a, m)\n    c = self.LAST(b, m)\n    return c\n")},
		{"InlineFunctions", doubling(40, "    b = self.LAST(a, m + m)\n    return b\n")},
	} {
		l := lower(t, c.text, "Ascend910B")
		found := false
		for _, n := range l.notes {
			found = found || n.Pass == c.pass
		}
		if !found || len(l.text) > 1<<24 {
			t.Errorf("%s: notes %+v, %d bytes", c.pass, l.notes, len(l.text))
		}
	}
}

// What is large but not without measure is copied: 1000 times 20 times 2
// statements.
func TestLargeUnroll(t *testing.T) {
	l := exact(t, loops("for i in pl.unroll(1000):\n    for j in pl.unroll(20):\n        pl.store(h, [0, 0], out)\n        pl.store(x, [0, 0], out)"), "Ascend910B")
	if n := strings.Count(l.text, "pl.tile.store("); n != 40000 {
		t.Errorf("%d stores, want 40000", n)
	}
}

// Bounds whose distance does not fit 64 bits have more than one trip: the
// loop stays. 2^63-1 steps of 2 are 2^62 trips.
func TestTripsDoNotOverflow(t *testing.T) {
	for _, head := range []string{"pl.range(0, 9223372036854775807, 2)", "pl.range(-9223372036854775807, 9223372036854775807, 1)", "pl.range(9223372036854775807, -9223372036854775807, -2)"} {
		l := exact(t, loops("for i in "+head+":\n    pl.store(h, [0, 0], out)"), "Ascend910B")
		if !strings.Contains(l.text, "for i") {
			t.Errorf("%s: the loop is gone", head)
		}
	}
	l := lower(t, loops("for i in pl.unroll(-9223372036854775807, 9223372036854775807):\n    pl.store(h, [0, 0], out)"), "Ascend910B")
	if len(l.problems) == 0 || !strings.HasPrefix(l.problems[0].Message, "Unroll loop trip count 9223372036854775807 exceeds") {
		t.Errorf("problems %+v", l.problems)
	}
}
