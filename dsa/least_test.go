package dsa

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestEndEarly: leaving out orders changes nothing but the counts, and orders
// are left out at all, in some problems all of them.
func TestEndEarly(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 5))
	fewer, none, shorter := 0, 0, 0
	for i := range 20000 {
		p := random(r)
		if i%40 == 0 {
			p = Generate(KernelShape(5+r.IntN(150)), uint64(i))
		}
		want, got := Solve(p, Options{}), Solve(p, Options{EndEarly: true})
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(Result{}, "Stats", "Failures")); d != "" {
			t.Fatalf("problem %d (-all orders, +ended early):\n%s\n%+v", i, d, p)
		}
		if want.Status == NoFit && len(got.Failures) != len(want.Failures) {
			t.Fatalf("problem %d: %d failures of %d", i, len(got.Failures), len(want.Failures))
		}
		if got.Stats.Orders < want.Stats.Orders {
			fewer++
		}
		if got.Stats.Orders == 0 {
			none++
		}
		if got.Stats.Orders == want.Stats.Orders && got.Stats.Candidates < want.Stats.Candidates {
			shorter++
		}
	}
	if fewer < 100 || none < 100 || shorter < 100 {
		t.Errorf("ended early %d times, before the first order %d times, within orders %d times", fewer, none, shorter)
	}
}

// TestRace: what an order has cost when it is complete is the objective of its
// placement, in both forms of the greedy.
func TestRace(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 5))
	complete := 0
	for i := range 2000 {
		p := random(r)
		if i%10 == 0 {
			p = Generate(KernelShape(5+r.IntN(60)), uint64(i))
		}
		if len(Check(p)) > 0 {
			continue
		}
		m := newModel(p)
		if i%2 == 0 {
			for k := range m.pools {
				m.pools[k].tables = false
			}
		}
		g := newGreedy(m, nil)
		g.race.against(Objective{Reuse: math.MaxUint64})
		for k, order := range m.orders(m.sizeOrder()) {
			at, _ := g.run(k, order)
			if at == nil {
				continue
			}
			complete++
			if want := m.objective(at, make([]uint64, len(m.pools))); g.race.so != want {
				t.Fatalf("problem %d, order %d: %+v, want %+v\n%+v", i, k, g.race.so, want, p)
			}
		}
	}
	if complete < 2000 {
		t.Errorf("%d complete orders", complete)
	}
}

// TestLeast: a 64 B window at the bottom; a (96 B) and b (32 B) live together,
// c (64 B) later, with a penalty against a. Without active penalties a and c
// must not meet, b and c may: 64 + 96 + max(32, 64) = 224 at least, 192 when
// the penalty is not there.
func TestLeast(t *testing.T) {
	p := &Problem{
		Pools: []Pool{{ID: 1, Capacity: 1024, Reserved: []Range{{0, 64}}}},
		Buffers: []Buffer{
			{ID: 0, Pool: 1, Size: 96, Align: 32, Begin: 0, End: 4},
			{ID: 1, Pool: 1, Size: 32, Align: 32, Begin: 0, End: 4},
			{ID: 2, Pool: 1, Size: 64, Align: 32, Begin: 5, End: 6},
		},
	}
	if got := newModel(p).least(); got != 192 {
		t.Errorf("%d, want 192", got)
	}
	p.Penalties = []Penalty{{0, 2, 1}}
	if got := newModel(p).least(); got != 224 {
		t.Errorf("with a penalty %d, want 224", got)
	}
}

// TestLeastOfMany: with many buffers, too, the largest ones that live together
// are found: 40 times three of 64 B, 32 B and 32 B.
func TestLeastOfMany(t *testing.T) {
	p := &Problem{Pools: []Pool{{ID: 1, Capacity: 1024}}}
	for i := range 120 {
		b := Buffer{ID: i, Pool: 1, Size: 32, Align: 32, Begin: int64(i / 3), End: int64(i/3) + 1}
		if i%3 == 0 {
			b.Size = 64
		}
		p.Buffers = append(p.Buffers, b)
	}
	if got := newModel(p).least(); got != 128 {
		t.Errorf("%d, want 128", got)
	}
	if r := Solve(p, Options{EndEarly: true}); r.Stats.Orders > 1 || r.Objective.Total != 128 {
		t.Errorf("%d orders, objective %+v", r.Stats.Orders, r.Objective)
	}
}
