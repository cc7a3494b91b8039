package read_test

import (
	"testing"

	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// fuzzSeeds cover the forms of hand-written kernels.
var fuzzSeeds = []string{
	"import pypto.language as pl\nN = 64\n@pl.inline\ndef twice(t, k):\n    u = pl.mul(t, k)\n    return u\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n" +
		"    def f(self, x: pl.Tensor[[N, 64], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):\n        t = pl.load(x, [0, 0], [16, 64])\n        t = twice(t, 2.0)\n" +
		"        for i, (a,) in pl.range(4, init_values=(t,)):\n            b = pl.add(a, 1)\n            c = pl.yield_(b)\n        if n > 2:\n            c = pl.exp(c)\n        elif n < 1:\n            c = pl.neg(c)\n" +
		"        c[0:4, :] = c[4:8, :]\n        while n < 3:\n            n = n + 1\n        pl.store(c, [0, 0], o)\n        return o\n",
	"import pypto.language as pl\n@pl.function(type=pl.FunctionType.InCore)\ndef f(x: pl.Tensor[[64, 64], pl.FP32]):\n    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):\n" +
		"        for i in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n            y = pl.aiv_shard(x)\n        a, b = pl.tile.gather_compare(x, 1.0, x, cmp_mode='gt', out_cols=8)\n        z = pl.cast(x, pl.FP16, mode='odd')\n",
	"t: Tile[[64, 64], FP32, memref=m] = tile.load(a, ...)\n# SeqStmts [\nx = add(t, 1)\n#   ReturnStmt [x]\n",
	"@pl.inline\ndef r(x):\n    return r(x)\n@pl.function\ndef g(x: pl.Tensor[[M, 1 + N], pl.BF16, pl.NZ], y: pl.Tile[[1, 2], pl.FP4, pl.MemRef(\"m\", slots=2)[1], pl.Mem.Vec]):\n    q = r(x)\n    q[1, 2:3:4] = 7 ** 2\n    pl.tile.full([2], dtype=pl.FP32, value=inf)\n",
}

// FuzzRead reads any text by both policies and prints what was read: nothing
// may panic, every function is there.
func FuzzRead(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, policy := range []read.Policy{read.Dump, read.Reference} {
			for _, p := range read.File(irsyntax.Parse(text), read.Options{Policy: policy}) {
				for _, fn := range p.Functions {
					if fn.IR == nil || fn.IR.Body == nil {
						t.Fatal("a function without IR")
					}
					for _, pr := range fn.Problems {
						if pr.Message == "" || pr.Span.Start < 0 || int(pr.Span.End) > len(fn.Chunk.Text) {
							t.Fatalf("bad problem %+v", pr)
						}
					}
				}
				printer.Program(p.IR, printer.Options{})
			}
		}
	})
}
