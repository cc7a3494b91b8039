package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// doubtKernel is a kernel whose module begins with some lines, with statements
// that follow a tile `a` of 16 x 64.
func doubtKernel(module, tensor, body string) string {
	return module + "\nimport pypto.language as pl\n\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n" +
		"    def main(self, x: pl.Tensor[" + tensor + ", pl.FP32], out: pl.Out[pl.Tensor[[256, 256], pl.FP32]]) -> pl.Tensor[[256, 256], pl.FP32]:\n" +
		"        a = pl.tile.load(x, [0, 0], [16, 64])\n        " + strings.ReplaceAll(body, "\n", "\n        ") + "\n        out = pl.tile.store(a, [0, 0], out)\n        return out\n"
}

// TestDoubts: a value that only execution would give makes a plan approximate
// and is never the author's error.
func TestDoubts(t *testing.T) {
	const whole = "[256, 256]"
	const elsewhere, computed = "`%s` comes from another module, which is not read here", "`%s` is computed in a way that is not evaluated here"
	for _, c := range []struct{ module, tensor, body, line, reason string }{
		{"S = f(2)", whole, "a = pl.tile.muls(a, S)", "a = pl.tile.muls(a, S)", fmt.Sprintf(computed, "S")},
		{"S = f(2)", whole, "a = pl.tile.muls(a, -S * 2.0)", "a = pl.tile.muls(a, -S * 2.0)", fmt.Sprintf(computed, "S")},
		{"S = f(2)", whole, "a = pl.tile.fillpad(a, pad_value=S)", "a = pl.tile.fillpad(a, pad_value=S)", fmt.Sprintf(computed, "S")},
		{"from c import N", whole, "for i in pl.pipeline(N, stage=2):\n    a = pl.tile.add(a, a)", "for i in pl.pipeline(N, stage=2)", fmt.Sprintf(elsewhere, "N")},
		{"from c import N", whole, "for i in pl.unroll(N // 16):\n    a = pl.tile.add(a, a)", "for i in pl.unroll(N // 16)", fmt.Sprintf(elsewhere, "N")},
		{"from c import N", "[N, 256]", "for i in pl.unroll(N // 16):\n    a = pl.tile.add(a, a)", "for i in pl.unroll(N // 16)", fmt.Sprintf(elsewhere, "N")},
		{"from c import N", whole, "b: pl.Tile[[N, 64], pl.FP32] = pl.tile.load(x, [0, 0], [N, 64])\nout = pl.tile.store(b, [0, 0], out)", "b: pl.Tile[[N, 64], pl.FP32] = pl.tile.load(x, [0, 0], [N, 64])", fmt.Sprintf(elsewhere, "N")},
		{"from c import N", whole, "b: pl.Tile[[N * 2, 64], pl.FP32] = pl.tile.load(x, [0, 0], [N * 2, 64])\nout = pl.tile.store(b, [0, 0], out)", "b: pl.Tile[[N * 2, 64], pl.FP32] = pl.tile.load(x, [0, 0], [N * 2, 64])", fmt.Sprintf(elsewhere, "N")},
		{"from c import C", whole, "a = pl.tile.adds(a, C.EPS)", "a = pl.tile.adds(a, C.EPS)", fmt.Sprintf(elsewhere, "C")},
		{"from c import C", whole, "a = pl.tile.adds(a, -C.EPS)", "a = pl.tile.adds(a, -C.EPS)", fmt.Sprintf(elsewhere, "C")},
		{"import c", whole, "a = pl.tile.adds(a, c.C.EPS)", "a = pl.tile.adds(a, c.C.EPS)", fmt.Sprintf(elsewhere, "c")},
		{"from c import C", whole, "a = pl.tile.full([16, 64], dtype=C.DT, value=0.0)", "a = pl.tile.full([16, 64], dtype=C.DT, value=0.0)", fmt.Sprintf(elsewhere, "C")},
		{"from c import F", whole, "b: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(fractal=F)] = pl.tile.add(a, a)\nout = pl.tile.store(b, [0, 0], out)",
			"b: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(fractal=F)] = pl.tile.add(a, a)", fmt.Sprintf(elsewhere, "F")},
		{"from c import N", whole, "b = pl.reserve_buffer(name='b', size=N)", "b = pl.reserve_buffer(name='b', size=N)", fmt.Sprintf(elsewhere, "N")},
		{"from c import N", whole, "b = pl.load(x, [0, 0], [pl.max(N, 2), 64])\nout = pl.tile.store(b, [0, 0], out)", "b = pl.load(x, [0, 0], [pl.max(N, 2), 64])", fmt.Sprintf(elsewhere, "N")},
		{"from c import N", "[N, 256]", "a = pl.tile.adds(a, 1.0)", "", ""},
		{"from c import *", "[N, 256]", "b = pl.tile.cast(a, BF16)\nb = pl.tile.add(b, b)", "", ""},
		{"from c import *", whole, "a = pl.tile.muls(a, S)", "a = pl.tile.muls(a, S)", fmt.Sprintf(elsewhere, "S")},
		{"from c import N", whole, "pl.static_assert(N > 2)", "", ""},
		{"from c import N", whole, "a = pl.tile.muls(a, N)\nb = pl.tile.add(a)", "", ""}, // refused
	} {
		text := doubtKernel(c.module, c.tensor, c.body)
		d := hostileDocument(text, "")
		var got, want []string
		for _, f := range d.Findings() {
			refused := strings.Contains(f.Message, "missing 1 required")
			if f.Code == "approximate" {
				got = append(got, text[f.Span.Start:f.Span.End]+": "+f.Message)
			} else if f.Severity == Error && !refused {
				t.Errorf("%s: %s: %s", c.module, c.body, f.Message)
			}
		}
		if c.reason != "" {
			want = []string{c.line + ": The placement shown is approximate, because " + c.reason}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s\n%s", c.module, c.body, diff)
		}
	}
}
