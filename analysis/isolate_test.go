package analysis

import (
	"strings"
	"testing"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

const twoKernels = `import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV)
    def good(self, x: pl.Tensor[[64, 64], pl.FP32]):
        a: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)

    @pl.function(type=pl.FunctionType.AIV)
    def bad(self, x: pl.Tensor[[64, 64], pl.FP32]):
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
`

// TestIsolated: a panic in our own code costs one function and is reported; it
// is not remembered once the cause is gone.
func TestIsolated(t *testing.T) {
	e := NewEngine(1 << 20)
	var stacks []string
	e.OnPanic = func(_ any, stack []byte) { stacks = append(stacks, string(stack)) }
	e.fault = func(c *irsyntax.Chunk) {
		if c.Name == "bad" {
			panic("failed on purpose")
		}
	}
	file := irsyntax.Parse(twoKernels)
	s := Resolve(platforms.Builtin())
	d := e.NewDocument("x.py", file, s, Options{}, nil)
	failures := func() (out []Finding) {
		for _, f := range d.Findings() {
			if f.Code == "internal-error" {
				out = append(out, f)
			}
		}
		return out
	}
	found := failures()
	if len(found) != 1 || found[0].Func != "bad" || twoKernels[found[0].Span.Start:found[0].Span.End] != "bad" {
		t.Errorf("findings %+v", found)
	}
	if len(stacks) != 1 || !strings.Contains(stacks[0], "isolated") {
		t.Errorf("told of %d panics", len(stacks))
	}
	all := HintKinds{Addresses: true, Sizes: true}
	if hints := d.InlayHints(0, file.Len, all); len(hints) != 1 {
		t.Errorf("%d hints, want the one of the other function", len(hints))
	}
	bad := strings.Index(twoKernels, "bad(")
	if _, ok := d.Hover(bad); ok {
		t.Error("a hover on the function that failed")
	}
	d.PlanHashes()
	d.Status()
	d.PlanModels(PlanOptions{})
	e.fault = nil
	d = e.NewDocument("x.py", file, s, Options{}, d)
	if found := failures(); len(found) != 0 {
		t.Errorf("findings %+v", found)
	}
	if hints := d.InlayHints(0, file.Len, all); len(hints) != 2 {
		t.Errorf("%d hints", len(hints))
	}
}
