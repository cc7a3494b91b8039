package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/dsa"
)

// stopped makes every search that is begun end without a result.
var stopped = dsa.Options{EndEarly: true, Stop: func() bool { return true }}

// generated is a problem that takes a search, with its pairs.
func generated(buffers int, seed uint64) (*dsa.Problem, []dsa.Pair) {
	p := dsa.Generate(dsa.KernelShape(buffers), seed)
	for i := range buffers - 1 {
		if p.Buffers[i].End <= p.Buffers[i+1].Begin {
			p.Separations = append(p.Separations, dsa.Separation{A: i, B: i + 1, Reasons: dsa.PipelineStage})
		}
	}
	p.Separations = append(p.Separations, dsa.Separation{A: 0, B: buffers - 1, Reasons: dsa.PipelineStage | dsa.SemanticNoAlias})
	return p, dsa.PipelinePairs(p)
}

// TestSolvedKnowsAgain: an equal problem is not searched a second time, and the
// result is that of the search.
func TestSolvedKnowsAgain(t *testing.T) {
	var m solvedMemo
	for seed := range uint64(10) {
		for _, n := range []int{minSolved, 40, 120} {
			p, pairs := generated(n, seed)
			want, of := dsa.SolveRelaxing(p, pairs, dsa.Options{EndEarly: true})
			for round := range 2 {
				q, same := generated(n, seed)
				opt := dsa.Options{EndEarly: true}
				if round == 1 {
					opt = stopped
				}
				got, gotOf := m.solve(q, same, opt)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%d buffers, seed %d, round %d: %s", n, seed, round, diff)
				}
				if (gotOf == q) != (of == p) {
					t.Fatalf("%d buffers, seed %d, round %d: relaxed differently", n, seed, round)
				}
				if diff := cmp.Diff(of, gotOf); diff != "" {
					t.Fatalf("%d buffers, seed %d, round %d: %s", n, seed, round, diff)
				}
			}
		}
	}
}

// TestSolvedTellsApart: a problem that differs in anything is another one.
func TestSolvedTellsApart(t *testing.T) {
	base := func() *dsa.Problem {
		p, _ := generated(60, 5)
		return p
	}
	if p := base(); len(p.Separations) == 0 || len(p.Penalties) == 0 || len(p.Pools) == 0 {
		t.Fatal("the problem has not all that can differ")
	}
	var m solvedMemo
	if r, _ := m.solve(base(), dsa.PipelinePairs(base()), stopped); r.Status != dsa.Stopped {
		t.Fatal("the problem takes no search")
	}
	m.solve(base(), dsa.PipelinePairs(base()), dsa.Options{EndEarly: true})
	for name, change := range map[string]func(p *dsa.Problem){
		"size":       func(p *dsa.Problem) { p.Buffers[7].Size += 32 },
		"align":      func(p *dsa.Problem) { p.Buffers[7].Align *= 2 },
		"begin":      func(p *dsa.Problem) { p.Buffers[7].Begin-- },
		"end":        func(p *dsa.Problem) { p.Buffers[7].End++ },
		"pool":       func(p *dsa.Problem) { p.Buffers[7].Pool++ },
		"capacity":   func(p *dsa.Problem) { p.Pools[0].Capacity++ },
		"reserved":   func(p *dsa.Problem) { p.Pools[0].Reserved = append(p.Pools[0].Reserved, dsa.Range{Begin: 0, End: 64}) },
		"separation": func(p *dsa.Problem) { p.Separations = p.Separations[1:] },
		"reason":     func(p *dsa.Problem) { p.Separations[0].Reasons ^= dsa.TargetHazard },
		"penalty":    func(p *dsa.Problem) { p.Penalties = p.Penalties[1:] },
		"weight":     func(p *dsa.Problem) { p.Penalties[0].Weight++ },
	} {
		p := base()
		pairs := dsa.PipelinePairs(p)
		change(p)
		if r, _ := m.solve(p, pairs, stopped); r.Status != dsa.Stopped && r.Status != dsa.Invalid {
			t.Errorf("another %s was not noticed", name)
		}
	}
	p := base()
	if r, _ := m.solve(p, append(dsa.PipelinePairs(p), dsa.Pair{A: 0, B: 1}), stopped); r.Status != dsa.Stopped {
		t.Error("another pair was not noticed")
	}
	if r, _ := m.solve(base(), dsa.PipelinePairs(p), dsa.Options{Stop: stopped.Stop}); r.Status != dsa.Stopped {
		t.Error("other options were not noticed")
	}
	if r, _ := m.solve(base(), dsa.PipelinePairs(p), stopped); r.Status == dsa.Stopped {
		t.Error("the problem itself was forgotten")
	}
}

// TestSolvedIsBounded: what is remembered stays within the bounds, and the
// oldest is forgotten first.
func TestSolvedIsBounded(t *testing.T) {
	var m solvedMemo
	known := func(seed uint64) bool {
		p, pairs := generated(60, seed)
		r, _ := m.solve(p, pairs, stopped)
		return r.Status != dsa.Stopped
	}
	for seed := range uint64(2 * maxSolved) {
		if known(seed) {
			t.Fatalf("seed %d takes no search", seed)
		}
		p, pairs := generated(60, seed)
		m.solve(p, pairs, dsa.Options{EndEarly: true})
	}
	if len(m.solved) != maxSolved || known(maxSolved-1) || !known(maxSolved) || !known(2*maxSolved-1) {
		t.Errorf("%d remembered, want the last %d", len(m.solved), maxSolved)
	}
	for seed := range uint64(12) {
		p, pairs := generated(600, seed)
		m.solve(p, pairs, dsa.Options{EndEarly: true})
		parts := 0
		for i := range m.solved {
			parts += m.solved[i].parts()
		}
		if parts != m.parts || parts > maxSolvedParts {
			t.Fatalf("%d parts remembered, %d counted, at most %d wanted", parts, m.parts, maxSolvedParts)
		}
	}
	if len(m.solved) == 0 || len(m.solved) == maxSolved {
		t.Errorf("%d remembered: the bound of parts was not reached", len(m.solved))
	}
}
