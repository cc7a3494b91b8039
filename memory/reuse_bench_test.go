package memory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// kernelOf is a function of about n statements such as kernels have: work on
// young values with a few long-lived ones, loops, branches and pipelines in
// between. It is generate with a body that grows by length, not by depth.
func kernelOf(n int) *ir.Function {
	g := &gen{rnd: rand.New(rand.NewPCG(uint64(n), 2)), prefix: "v", rows: []int{1, 8, 16}}
	g.fb = newFn("k", ir.AIV)
	g.x, g.out = g.param(g.name(), tensor(4096, 64)), g.param(g.name(), tensor(4096, 64))
	g.cond = g.param(g.name(), index())
	g.vec = append(g.vec, g.load(g.name(), g.tile(), g.x))
	for count := 0; count < n; count = countStmts(g.f.Body) {
		g.body(2, 2)
		if len(g.vec) > 40 {
			g.vec = g.vec[len(g.vec)-40:]
		}
	}
	g.add(&ir.Return{Values: []ir.Expr{g.out}})
	return g.f
}

func countStmts(b *ir.Block) int {
	n := 0
	ir.WalkStmts(b, func(ir.Stmt) bool { n++; return true })
	return n
}

// growth runs f on functions of the given sizes and reports, with each size,
// the exponent by which the time grew since the one before: 1 is linear.
func growth(b *testing.B, sizes []int, build func(n int) *ir.Function, f func(fn *ir.Function)) {
	last := 0.0
	for i, n := range sizes {
		fn := build(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				f(fn)
			}
			now := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			if i > 0 && last > 0 {
				b.ReportMetric(math.Log(now/last)/math.Log(float64(n)/float64(sizes[i-1])), "growth")
			}
			last = now
		})
	}
}

// BenchmarkPlanFunction is everything on the keystroke path of one function:
// all passes of PYPTO and the plan. Budgets: 0.5, 8 and 150 ms.
func BenchmarkPlanFunction(b *testing.B) {
	cfg := Config{Platform: benchPlatform(b)}
	growth(b, benchSizes, kernelOf, func(fn *ir.Function) { NewPlan(Run(fn, cfg, StageInput), cfg) })
}

// BenchmarkUnsafe is the exact data flow, computed on demand.
func BenchmarkUnsafe(b *testing.B) {
	cfg := Config{Platform: benchPlatform(b)}
	growth(b, benchSizes, kernelOf, func(fn *ir.Function) { findUnsafe(NewLayout(fn), false, cfg) })
}

// BenchmarkReuseAllLive: nothing can share, every tile meets every buffer.
func BenchmarkReuseAllLive(b *testing.B) {
	cfg := Config{Platform: benchPlatform(b)}
	growth(b, benchSizes, func(n int) *ir.Function {
		k := newFn("k", ir.AIV)
		var all []*ir.Var
		for i := range n / 2 {
			all = append(all, k.own(fmt.Sprint("v", i), 32, "tile.create"))
		}
		for _, v := range all {
			k.read(v)
		}
		return k.f
	}, func(fn *ir.Function) { MemoryReuse(NewLayout(fn), cfg) })
}

// BenchmarkReuseShed: pipelines that have to be lowered step by step.
func BenchmarkReuseShed(b *testing.B) {
	cfg := Config{Platform: benchPlatform(b)}
	growth(b, benchSizes, func(n int) *ir.Function {
		k := newFn("k", ir.AIV)
		for g := range n / 16 {
			for s := range 4 {
				tag := fmt.Sprintf("%d:%d", g, s)
				l := k.in910(fmt.Sprint("l", g, s), platforms.Vec, 16384, "tile.load", tag)
				k.read(k.in910(fmt.Sprint("e", g, s), platforms.Vec, 16384, "tile.exp", tag, l))
			}
		}
		return k.f
	}, func(fn *ir.Function) { MemoryReuse(NewLayout(fn), cfg) })
}

// BenchmarkAliasChain: an accumulator updated in place again and again.
func BenchmarkAliasChain(b *testing.B) {
	cfg := Config{Platform: benchPlatform(b)}
	growth(b, benchSizes, func(n int) *ir.Function {
		k := newFn("k", ir.AIC)
		acc := tile(platforms.Acc, ir.FP32, 16, 16)
		m1, m2 := k.base("m1"), k.base("m2")
		init := k.op("init", at(acc, m1, int64c(0), 1024), "tile.matmul")
		k.loop("a", "r", at(acc, m1, int64c(0), 1024), init, func(_, a *ir.Var) {
			v := k.op("v", at(acc, m2, int64c(0), 1024), "tile.matmul")
			for range n {
				v = k.op("v", at(acc, m2, int64c(0), 1024), "tile.matmul_acc", v)
			}
			k.yield(v)
		})
		return k.f
	}, func(fn *ir.Function) { MaterializeSemanticAliases(NewLayout(fn), cfg) })
}
