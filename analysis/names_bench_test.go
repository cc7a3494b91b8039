package analysis

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// benchKernel is a generated kernel of n statements.
func benchKernel(n int) string {
	var b strings.Builder
	b.WriteString("import pypto.language as pl\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.AIV)\n    def f(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Tensor[[64, 64], pl.FP32]):\n")
	b.WriteString("        t0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "        t%d: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(t%d, t%d)\n", i, i-1, i/2)
	}
	fmt.Fprintf(&b, "        r: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t%d, [0, 0], o)\n        return r\n", n-1)
	return b.String()
}

// Requests about names in functions of growing length: what one costs must
// grow no faster than the function.
func BenchmarkNames(b *testing.B) {
	for _, n := range []int{30, 300, 3000} {
		text := benchKernel(n)
		at := strings.Index(text, "t15")
		d := NewEngine(64<<20).NewDocument("k.py", irsyntax.Parse(text), Resolve(platforms.Builtin()), Options{}, nil)
		d.Symbols()
		chunk := d.FuncChunks()[0]
		for _, q := range []struct {
			name string
			ask  func()
		}{
			{"resolve", func() { resolveNames(d.File.Chunks[chunk].Chunk, d.module(), d.nameContext(chunk)) }},
			{"definition", func() { d.Definition(at, nil) }},
			{"references", func() { d.References(at, true, nil) }},
			{"highlight", func() { d.Highlights(at) }},
			{"rename", func() { d.Rename(at, "renamed", nil) }},
			{"complete", func() { d.Complete(at + 1) }},
			{"signature", func() { d.SignatureAt(strings.Index(text, "[0, 0]")) }},
			{"tokens", func() { d.Tokens(chunk) }},
			{"selections", func() { d.Selections(at) }},
			{"symbols", func() { d.Symbols() }},
			{"folds", func() { foldsOfTree(d.File.Chunks[chunk].Tree()) }},
			{"format", func() { d.Format(0, d.File.Len) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", q.name, n), func(b *testing.B) {
				for b.Loop() {
					q.ask()
				}
			})
		}
	}
}
