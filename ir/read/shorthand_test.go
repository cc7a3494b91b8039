package read_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// TestShorthand: documentation shorthand gets its modern meaning and no strict
// diagnostics (spec 01 §13).
func TestShorthand(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"def main(x: Tensor[[32, 32], FP32], y: Tensor[[32, 32], FP32]):\n    a: Tile[[32, 32], FP32] = tile.load(x, [0, 0], [32, 32])\n    b = tile.add(a, 1)\n    r = store(b, [0, 0], y)\n    return r\n",
			"    def main(x: pl.Tensor[[32, 32], pl.FP32], y: pl.Tensor[[32, 32], pl.FP32]):\n" +
				"        a: pl.Tile[[32, 32], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [32, 32], [32, 32], target_memory=pl.Mem.Vec)\n" +
				"        b: pl.Tile[[32, 32], pl.FP32, pl.Mem.Vec] = pl.tile.adds(a, 1.0)\n" +
				"        r: pl.Tensor[[32, 32], pl.FP32] = pl.tile.store(b, [0, 0], y)\n        return r"},
		{"m: Ptr = tile.alloc(Vec, 4096)\na: Tile[[32, 32], FP32, MemRef(m, -1, 4096)] = tile.load(...)\nb: Tile[[32, 32], FP32, MemRef(m, -1, 4096)] = tile.add(a, ...)\n",
			"    def ():\n        m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4096)\n" +
				"        a: pl.Tile[[32, 32], pl.FP32, pl.MemRef(m, -1, 4096), pl.Mem.Vec] = pl.tile.load()\n" +
				"        b: pl.Tile[[32, 32], pl.FP32, pl.MemRef(m, -1, 4096), pl.Mem.Vec] = pl.tile.add(a)"},
	} {
		p := read.File(irsyntax.Parse(c.in), read.Options{Policy: read.Reference})[0]
		for _, pr := range p.Functions[0].Problems {
			t.Error(pr.Message)
		}
		head := "# pypto.program: Program\nimport pypto.language as pl\n\n@pl.program\nclass Program:\n    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)\n"
		if diff := cmp.Diff(head+c.want, printer.Program(p.IR, printer.Options{})); diff != "" {
			t.Error(diff)
		}
	}
}

// TestDumpEdits: a dump keeps what is written, but calls that no signature
// takes are reported there too.
func TestDumpEdits(t *testing.T) {
	text := "import pypto.language as pl\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.AIV)\n    def f(x: pl.Tensor[[16, 64], pl.FP32, pl.MemRef(\"mem_ddr_0\", pl.const(0, pl.INT64), 4096)]):\n" +
		"        m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4096)\n" +
		"        t: pl.Tile[[16, 64], pl.FP32, pl.MemRef(m, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 64])\n" +
		"        u: pl.Tile[[16, 64], pl.FP32, pl.MemRef(m, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.exp(t, t)\n"
	fn := read.File(irsyntax.Parse(text), read.Options{Policy: read.Dump})[0].Functions[0]
	wantFound(t, text, fn, []found{{"pl.tile.exp(t, t)", "pl.tile operation 'exp': exp() takes 1 positional argument but 2 were given", ""}})
	if n := len(fn.IR.Body.Stmts[1].(*ir.Assign).Value.(*ir.Call).Args); n != 3 {
		t.Errorf("the load has %d operands, 3 are written", n)
	}
}
