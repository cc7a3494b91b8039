package analysis

import (
	"strings"
	"testing"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// A name of the module is shown with its value, as Python writes it.
func TestHoverOfModuleNames(t *testing.T) {
	const text = `import pypto.language as pl
N = 64
S = [N // 4, 64]

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        p = pl.load(x, [0, 0], [16, N])
        q = pl.load(x, [0, 0], S)
        pl.store(q, [0, 0], out)
`
	s := Resolve(platforms.Builtin(), Layer{Platform: "Ascend910B", From: "test"})
	d := NewEngine(1<<20).NewDocument("k.py", irsyntax.Parse(text), s, Options{}, nil)
	for at, want := range map[string]string{"N])": "N = 64\n", "S)\n": "S = [16, 64]\n"} {
		if h, ok := d.Hover(strings.Index(text, at)); !ok || !strings.Contains(h.Markdown, want) {
			t.Errorf("%s: %q, want %q", at, h.Markdown, want)
		}
	}
}
