package dsa

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// bruteForce tries every order, each buffer at the lowest free offset above
// nothing in particular: a placement with the smallest sum of offsets arises
// in the order of its offsets.
func bruteForce(p *Problem) bool {
	n := &naive{p: p}
	order := make([]int, len(p.Buffers))
	for i := range order {
		order[i] = i
	}
	var try func(k int) bool
	try = func(k int) bool {
		if k == len(order) {
			return n.firstFit(order) != nil
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			if try(k + 1) {
				return true
			}
			order[k], order[i] = order[i], order[k]
		}
		return false
	}
	return try(0)
}

// Decide agrees with trying every order on small problems, and so does the
// bound: it never exceeds what fits.
func TestDecideAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	counts := map[Verdict]int{}
	exhausted := 0
	for round := range 1000 {
		p := random(r)
		if len(p.Buffers) > 6 {
			p.Buffers = p.Buffers[:6]
			keep := func(a, b int) bool {
				return slices.ContainsFunc(p.Buffers, func(x Buffer) bool { return x.ID == a }) &&
					slices.ContainsFunc(p.Buffers, func(x Buffer) bool { return x.ID == b })
			}
			p.Separations = slices.DeleteFunc(p.Separations, func(s Separation) bool { return !keep(s.A, s.B) })
			p.Penalties = nil
		}
		a := Decide(p, SearchOptions{})
		counts[a.Verdict]++
		want := Impossible
		if bruteForce(p) {
			want = Exists
		}
		if a.Verdict != want || a.Findings != nil {
			t.Fatalf("round %d: Decide %v (bound %v, %v), every order: %v\n%+v", round, a.Verdict, a.Bound, a.Findings, want, p)
		}
		if a.Exhausted {
			exhausted++
		}
		if a.Verdict == Exists {
			if f := Validate(p, a.Placed(p)); f != nil {
				t.Fatalf("round %d: %v", round, f)
			}
		}
	}
	if counts[Impossible] < 100 || counts[Exists] < 100 || exhausted < 20 {
		t.Errorf("one-sided problems: %v, %d by exhaustion", counts, exhausted)
	}
}

// What the canonical search places, Decide does not call impossible.
func TestDecideNeverBelowCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	rescued := 0
	for range 2000 {
		p := random(r)
		s, a := Solve(p, Options{}), Decide(p, SearchOptions{})
		if s.Status == Feasible && a.Verdict != Exists {
			t.Fatalf("canonical fits, Decide says %v\n%+v", a.Verdict, p)
		}
		if s.Status == NoFit && a.Verdict == Exists {
			rescued++
		}
	}
	if rescued == 0 {
		t.Error("Decide never found what the canonical search missed")
	}
	t.Logf("%d placements exist that the canonical search missed", rescued)
}
