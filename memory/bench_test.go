package memory

import (
	"fmt"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// benchFn is an AIV function of about n statements in blocks of ten: loads, a
// slice, element-wise work, a loop that carries a tile, a branch and a store.
func benchFn(n int) *ir.Function {
	b := newFn("k", ir.AIV)
	x := b.param("x", tensor(1024, 64))
	out := b.param("out", tensor(1024, 64))
	last := b.load("first", vec(8, 64), x)
	for i := 0; i < n/10; i++ {
		a := b.load("a", vec(8, 64), x)
		c := b.op("c", vec(4, 64), "tile.slice", a, tup(4, 64), tup(4, 0))
		d := b.op("d", vec(4, 64), "tile.exp", c)
		r := b.loop("it", "r", vec(8, 64), a, func(_, it *ir.Var) {
			e := b.op("e", vec(8, 64), "tile.add", it, last)
			b.yield(e)
		})
		p := b.branch("p", vec(8, 64), &ir.ConstBool{Value: true},
			func() { b.yield(b.op("f", vec(8, 64), "tile.neg", r)) },
			func() { b.yield(r) })
		s := b.op("s", tensor(1024, 64), "tile.store", d, tup(0, 0), out)
		out, last = s, p
	}
	b.add(&ir.Return{Values: []ir.Expr{out}})
	return b.f
}

var benchSizes = []int{100, 1_000, 10_000}

// bench runs f on the layout that the pipeline has after stage upTo.
func bench(b *testing.B, upTo Stage, f func(l *Layout, cfg Config)) {
	cfg := Config{Platform: benchPlatform(b)}
	for _, n := range benchSizes {
		fn := benchFn(n)
		var l *Layout
		if upTo > StageInput {
			l = RunTo(fn, cfg, StageInput, upTo).Last()
		} else {
			l = NewLayout(fn)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f(l, cfg)
			}
		})
	}
}

// benchPlatform has the routes and rows of a real target; capacities are its
// own, so the larger functions do not fit.
func benchPlatform(b *testing.B) *platforms.Platform {
	p, ok := platforms.Lookup("Ascend910B")
	if !ok {
		b.Fatal("no platform")
	}
	return p
}

func BenchmarkInitMemRef(b *testing.B) {
	bench(b, StageInput, func(l *Layout, cfg Config) { InitMemRef(l.Fn, cfg) })
}

func BenchmarkMaterializeSemanticAliases(b *testing.B) {
	bench(b, StageInitMemRef, func(l *Layout, cfg Config) { MaterializeSemanticAliases(l, cfg) })
}

func BenchmarkMemoryReuse(b *testing.B) {
	bench(b, StageSemanticAliases, func(l *Layout, cfg Config) { MemoryReuse(l, cfg) })
}

func BenchmarkAllocateMemoryAddr(b *testing.B) {
	bench(b, StageMemoryReuse, func(l *Layout, cfg Config) { AllocateMemoryAddr(l, cfg) })
}

func BenchmarkVerifyAddresses(b *testing.B) {
	bench(b, StageMemoryReuse, func(l *Layout, cfg Config) { VerifyAddresses(l, cfg) })
}

// BenchmarkPipeline is all passes of planner PYPTO.
func BenchmarkPipeline(b *testing.B) {
	bench(b, StageInput, func(l *Layout, cfg Config) { Run(l.Fn, cfg, StageInput) })
}
