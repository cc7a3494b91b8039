package dsa

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// random makes a small problem without findings that is hard to fit: several
// pools, reserved ranges, odd sizes, mixed alignments, all kinds of
// separations, weighted and repeated penalties.
func random(r *rand.Rand) *Problem {
	p := &Problem{}
	odd := r.IntN(3) == 0
	for id := range 1 + r.IntN(2) {
		pool := Pool{ID: 3 - id, Capacity: uint64(64 + 32*r.IntN(14))}
		if odd {
			pool.Capacity += uint64(r.IntN(32))
		}
		for range r.IntN(3) {
			begin := uint64(r.IntN(3)) * 32 * uint64(r.IntN(2))
			if odd {
				begin += uint64(r.IntN(40)) * uint64(r.IntN(2))
			}
			if end := begin + 1 + uint64(r.IntN(64)); end <= pool.Capacity {
				pool.Reserved = append(pool.Reserved, Range{begin, end})
			}
		}
		p.Pools = append(p.Pools, pool)
	}
	n := r.IntN(13)
	ids := r.Perm(n)
	for i := range n {
		b := Buffer{ID: i, Pool: p.Pools[r.IntN(len(p.Pools))].ID, Size: uint64(32 * (1 + r.IntN(4))), Align: 32}
		if odd {
			b.Size = uint64(1 + r.IntN(128))
			b.ID = ids[i] * 7
			if r.IntN(3) == 0 {
				b.Align = []uint64{1, 8, 64, 48}[r.IntN(4)]
			}
		}
		b.Begin = int64(r.IntN(20))
		b.End = b.Begin + 1 + int64(r.IntN(6))
		p.Buffers = append(p.Buffers, b)
	}
	for i, a := range p.Buffers {
		for _, b := range p.Buffers[:i] {
			if a.Pool != b.Pool {
				continue
			}
			if r.IntN(12) == 0 {
				p.Separations = append(p.Separations, Separation{b.ID, a.ID, Reasons(1 + r.IntN(15))})
			} else if r.IntN(6) == 0 {
				p.Separations = append(p.Separations, Separation{b.ID, a.ID, PipelineStage})
			}
			for a.End <= b.Begin || b.End <= a.Begin {
				if r.IntN(3) == 0 {
					break
				}
				p.Penalties = append(p.Penalties, Penalty{a.ID, b.ID, uint64(r.IntN(3))})
			}
		}
	}
	return p
}

const propertyRounds = 4000

// Solve agrees with the naive search in placement, choice, objective and
// counts, with and without tables, and whatever it returns is valid.
func TestSolveAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	fit := map[Status]int{}
	for round := range propertyRounds {
		p := random(r)
		got := solve(t, p)
		fit[got.Status]++
		if d := cmp.Diff(naiveSolve(p), got, cmpopts.IgnoreFields(Result{}, "Peaks", "Findings", "Failures"), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("round %d: %+v\n(-naive +got)\n%s", round, p, d)
		}
		if got.Status == Feasible {
			if f := Validate(p, got.Placed(p)); f != nil {
				t.Fatalf("round %d: %v", round, f)
			}
		}
	}
	if fit[Feasible] < propertyRounds/10 || fit[NoFit] < propertyRounds/10 || fit[Invalid] > 0 {
		t.Errorf("one-sided problems: %v", fit)
	}
}

// The result does not depend on the order of separations and penalties nor on
// which endpoint comes first.
func TestSolveIgnoresPairOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 1000 {
		p := random(r)
		q := &Problem{p.Pools, p.Buffers, slices.Clone(p.Separations), slices.Clone(p.Penalties)}
		r.Shuffle(len(q.Separations), func(i, j int) { q.Separations[i], q.Separations[j] = q.Separations[j], q.Separations[i] })
		r.Shuffle(len(q.Penalties), func(i, j int) { q.Penalties[i], q.Penalties[j] = q.Penalties[j], q.Penalties[i] })
		for i, s := range q.Separations {
			q.Separations[i].A, q.Separations[i].B = s.B, s.A
		}
		for i, s := range q.Penalties {
			q.Penalties[i].A, q.Penalties[i].B = s.B, s.A
		}
		if d := cmp.Diff(Solve(p, Options{}), Solve(q, Options{})); d != "" {
			t.Fatalf("%+v\n%s", p, d)
		}
	}
}

// Solve keeps nothing and changes nothing: the same problem gives the same
// result again.
func TestSolveIsPure(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for range 300 {
		p := random(r)
		before := cmp.Diff(nil, p)
		first := Solve(p, Options{})
		if d := cmp.Diff(first, Solve(p, Options{})); d != "" {
			t.Fatalf("%+v\n%s", p, d)
		}
		if cmp.Diff(nil, p) != before {
			t.Fatalf("the problem was changed: %+v", p)
		}
	}
}

// Giving separations up never loses a fit: a strict placement is valid for the
// relaxed problem, and the driver fits wherever the strict search does and
// somewhere else besides.
func TestRelaxedNeverFitsLess(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	gained := 0
	for range propertyRounds {
		p := random(r)
		pairs := PipelinePairs(p)
		strict := Solve(p, Options{})
		got, solved := SolveRelaxing(p, pairs, Options{})
		if strict.Status == Feasible {
			if solved != p || cmp.Diff(strict, got) != "" {
				t.Fatalf("%+v\nthe driver relaxed a problem that fits", p)
			}
			if f := Validate(Relax(p, pairs), strict.Placed(p)); f != nil {
				t.Fatalf("%+v\na strict placement is not valid for the relaxed problem: %v", p, f)
			}
		}
		if got.Status == Feasible && strict.Status == NoFit {
			gained++
		}
		if f := Check(solved); f != nil || got.Status == Invalid {
			t.Fatalf("%+v\nrelaxed: %v", p, f)
		}
	}
	if gained == 0 {
		t.Error("relaxing never helped: the property was not exercised")
	}
}
