package read_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// TestSpans: variables point to the name where they are defined, statements
// and calls to their own text; what an inlined body made points to the call.
func TestSpans(t *testing.T) {
	_, fn := kernel(t, inlines, "t = pl.load(a, [0, 0], [16, 64])\nfor j, (s,) in pl.range(4, init_values=(t,)):\n    r = pl.yield_(pl.exp(s))\nw = scaled(r, 2.0)\nif n > 1:\n    v = w")
	text := fn.Chunk.Text
	at := func(s ir.Span) string { return text[s.Start:s.End] }
	var got []string
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, s := range b.Stmts {
			got = append(got, "stmt "+at(s.Meta().Span))
			switch s := s.(type) {
			case *ir.Assign:
				got = append(got, "var "+at(s.Var.Span))
				if c, ok := s.Value.(*ir.Call); ok {
					got = append(got, "call "+at(c.Span))
				}
			case *ir.For:
				got = append(got, "index "+at(s.Var.Span), "carried "+at(s.IterArgs[0].Span), "result "+at(s.Results[0].Span))
				block(s.Body)
			case *ir.If:
				block(s.Then)
			}
		}
	}
	block(fn.IR.Body)
	want := []string{
		"stmt t = pl.load(a, [0, 0], [16, 64])", "var t", "call pl.load(a, [0, 0], [16, 64])",
		"stmt for j, (s,) in pl.range(4, init_values=(t,)):", "index j", "carried s", "result r",
		"stmt r = pl.yield_(pl.exp(s))",
		"stmt scaled(r, 2.0)", "var scaled(r, 2.0)", "call scaled(r, 2.0)",
		"stmt scaled(r, 2.0)", "var scaled(r, 2.0)", "call scaled(r, 2.0)",
		"stmt w = scaled(r, 2.0)", "var w",
		"stmt if n > 1:", "stmt v = w", "var v",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestExample is the recorded example of spec 01b §13.
func TestExample(t *testing.T) {
	source := `@pl.program
class Ex:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, a: pl.Tensor[[16, 16], pl.FP32], c: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        t = pl.load(a, [0, 0], [16, 16])  # in
        for i in pl.range(2):
            t = pl.add(pl.exp(t), 1)
        pl.store(t, [0, 0], c)
`
	want := `# pypto.program: Ex
import pypto.language as pl

@pl.program
class Ex:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def f(a: pl.Tensor[[16, 16], pl.FP32], c: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        # in
        t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
        for i in pl.range(2):
            t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.adds(pl.tile.exp(t), 1.0)
        pl.tile.store(t, [0, 0], c)`
	p := read.File(irsyntax.Parse(source), read.Options{Policy: read.Reference})[0]
	for _, pr := range p.Functions[0].Problems {
		t.Error(pr.Message)
	}
	if diff := cmp.Diff(want, printer.Program(p.IR, printer.Options{})); diff != "" {
		t.Error(diff)
	}
}

// TestSmallItems are the entries of spec 01b §13 that concern reading.
func TestSmallItems(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"if n > 1:\n    pass\nelse:\n    pass", "if n > 1:\n    pass"},
		{"if n > 1:\n    x = n\nelif n > 2:\n    x = n", "if n > 1:\n    x: pl.Scalar[pl.INDEX] = n\nelse:\n    if n > 2:\n        x: pl.Scalar[pl.INDEX] = n"},
		{"for j in pl.range(2):\n    pass\nfor j in pl.range(3):\n    pass", "for j in pl.range(2):\n    pass\nfor j_1 in pl.range(3):\n    pass"},
		{"for j, (s,) in pl.range(2, init_values=(n,)):\n    s = s + n\n    r = pl.yield_(s)", "for j, (s,) in pl.range(2, init_values=(n,)):\n    s_1: pl.Scalar[pl.INDEX] = s + n\n    r: pl.Scalar[pl.INDEX] = pl.yield_(s_1)"},
		{"while n < 4:\n    n = n + 1", "while n < 4:\n    n: pl.Scalar[pl.INDEX] = n + 1"},
		{"for (k,) in pl.while_(init_values=(n,)):\n    pl.cond(k < 4)\n    r = pl.yield_(k + 1)", "for (k,) in pl.while_(init_values=(n,)):\n    pl.cond(k < 4)\n    r: pl.Scalar[pl.INDEX] = pl.yield_(k + 1)"},
		{"x: pl.Tile[[16, 64], pl.FP32, pl.MemRef(\"l\", slots=2)[n % 2], pl.Mem.Vec] = pl.exp(t)", "x: pl.Tile[[16, 64], pl.FP32, pl.MemRef(\"l\", slots=2)[n % 2], pl.Mem.Vec] = pl.tile.exp(t)"},
		{"x: pl.Tile[[16, 64], pl.FP32, pl.MemRef(m9, -1, 4096), pl.Mem.Vec] = pl.exp(t)", "x: pl.Tile[[16, 64], pl.FP32, pl.MemRef(\"m9\", -1, 4096), pl.Mem.Vec] = pl.tile.exp(t)"},
		{"if n > 1:\n    x = pl.yield_(t)\nelse:\n    x = pl.yield_(t)\ny = pl.exp(x)", "if n > 1:\n    x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.yield_(t)\nelse:\n    x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.yield_(t)\ny: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.exp(x)"},
	} {
		wantBody(t, c.in, c.want)
	}
}
