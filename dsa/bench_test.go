package dsa

import (
	"fmt"
	"testing"
)

const benchSeed = 20

func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{50, 200, 1000, 5000} {
		benchmarkSolve(b, fmt.Sprint(n), Generate(KernelShape(n), benchSeed))
		// A capacity 5 % above the lower bound: penalties cannot all be avoided.
		tight := Generate(KernelShape(n), benchSeed)
		tight.Pools[0].Capacity = LowerBounds(tight)[0].Bytes * 105 / 100
		benchmarkSolve(b, fmt.Sprint(n, "tight"), tight)
	}
}

func benchmarkSolve(b *testing.B, name string, p *Problem) {
	b.Run(name, func(b *testing.B) {
		var r Result
		for b.Loop() {
			r = Solve(p, Options{})
		}
		mean, most := liveTogether(p)
		b.Logf("seed %d: %d buffers, %.1f live together on average, at most %d, %d penalties; status %d, reuse cost %d, peak %d of %d, order %d, %d candidates",
			benchSeed, len(p.Buffers), mean, most, len(p.Penalties), r.Status, r.Objective.Reuse, r.Objective.Max, p.Pools[0].Capacity, r.Selected, r.Stats.Candidates)
	})
}

// liveTogether measures how many buffers live together at each begin.
func liveTogether(p *Problem) (mean float64, most int) {
	for _, b := range p.Buffers {
		n := 0
		for _, c := range p.Buffers {
			if c.Begin <= b.Begin && b.Begin < c.End {
				n++
			}
		}
		mean += float64(n) / float64(len(p.Buffers))
		most = max(most, n)
	}
	return mean, most
}
