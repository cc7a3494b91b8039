package dsa

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// one makes a problem of one pool from size, begin, end triples (alignment 32).
func one(capacity uint64, triples [][3]int64, penalties ...[2]int) *Problem {
	p := &Problem{Pools: []Pool{{ID: 1, Capacity: capacity}}}
	for i, b := range triples {
		p.Buffers = append(p.Buffers, Buffer{ID: i, Pool: 1, Size: uint64(b[0]), Align: 32, Begin: b[1], End: b[2]})
	}
	for _, q := range penalties {
		p.Penalties = append(p.Penalties, Penalty{q[0], q[1], 1})
	}
	return p
}

func example112() *Problem {
	return one(224, [][3]int64{{64, 3, 9}, {64, 11, 17}, {64, 15, 16}, {96, 17, 18}, {96, 9, 10}},
		[2]int{0, 1}, [2]int{0, 2}, [2]int{0, 4}, [2]int{2, 3}, [2]int{2, 4}, [2]int{3, 4})
}

func example113() *Problem {
	return one(224, [][3]int64{{32, 13, 14}, {64, 9, 13}, {96, 11, 17}, {96, 17, 18}, {96, 15, 16}}, [2]int{1, 3}, [2]int{2, 3})
}

func example114(capacity uint64) *Problem {
	p := one(capacity, [][3]int64{{64, 1, 3}, {64, 3, 5}, {64, 4, 6}})
	p.Separations = []Separation{{0, 1, PipelineStage}, {0, 2, SemanticNoAlias}}
	return p
}

// solve runs both forms of the greedy, which must agree in everything.
func solve(t *testing.T, p *Problem) Result {
	t.Helper()
	r := Solve(p, Options{})
	if d := cmp.Diff(Solve(p, Options{noTables: true}), r); d != "" {
		t.Fatalf("the two forms of the greedy differ (-sorting +tables):\n%s", d)
	}
	return r
}

// Spec 08 §11.1: the solver's part, sizes 16384, capacity of Vec on Ascend910B.
func TestExampleKernel(t *testing.T) {
	r := solve(t, one(188416, [][3]int64{{16384, 7, 9}, {16384, 9, 10}, {16384, 11, 13}}, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 2}))
	if want := []uint64{0, 16384, 32768}; !slices.Equal(r.Offsets, want) || r.Selected != 0 || r.Objective != (Objective{0, 49152, 49152}) {
		t.Errorf("offsets %v selected %d objective %v", r.Offsets, r.Selected, r.Objective)
	}
}

// Spec 08 §11.2.
func TestExampleShuffledOrderWins(t *testing.T) {
	p := example112()
	m := newModel(p)
	want := [][]int32{{4, 3, 0, 1, 2}, {0, 4, 1, 2, 3}, {4, 0, 2, 3, 1}, {2, 4, 0, 3, 1}, {0, 1, 3, 4, 2}, {4, 2, 0, 3, 1}, {0, 3, 4, 1, 2}}
	// The example writes the size order 4 3 …: both have 96 bytes, and 4 begins
	// first.
	if d := cmp.Diff(want, m.orders(m.sizeOrder())); d != "" {
		t.Errorf("orders (-want +got):\n%s", d)
	}
	r := solve(t, p)
	if want := []uint64{0, 64, 128, 0, 96}; !slices.Equal(r.Offsets, want) {
		t.Errorf("offsets %v, want %v", r.Offsets, want)
	}
	if r.Selected != 4 || r.Objective != (Objective{1, 192, 192}) || r.Stats != (Stats{7, 84, true}) {
		t.Errorf("selected %d objective %v stats %v", r.Selected, r.Objective, r.Stats)
	}
}

// Spec 08 §11.3.
func TestExampleIncumbentKept(t *testing.T) {
	r := solve(t, example113())
	if want := []uint64{96, 96, 0, 0, 96}; !slices.Equal(r.Offsets, want) {
		t.Errorf("offsets %v, want %v", r.Offsets, want)
	}
	if r.Selected != Incumbent || r.Objective != (Objective{1, 192, 192}) || r.Stats != (Stats{7, 65, true}) {
		t.Errorf("selected %d objective %v stats %v", r.Selected, r.Objective, r.Stats)
	}
}

// Spec 08 §11.4.
func TestExampleRelaxed(t *testing.T) {
	p := example114(128)
	r := solve(t, p)
	if r.Status != NoFit || !slices.Equal(r.Findings, []string{NoFitText}) {
		t.Errorf("strict: %v %v", r.Status, r.Findings)
	}
	pairs := PipelinePairs(p)
	if !slices.Equal(pairs, []Pair{{0, 1}}) {
		t.Fatalf("pipeline pairs %v", pairs)
	}
	relaxed := Relax(p, pairs)
	if d := cmp.Diff([]Separation{{0, 2, SemanticNoAlias}}, relaxed.Separations); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Penalty{{0, 1, 1}}, relaxed.Penalties); d != "" {
		t.Error(d)
	}
	// 1 and 2 overlap in time, 0 and 2 are separated: 128 bytes hold 2 and, on
	// the other half, 0 and 1 together.
	r = solve(t, relaxed)
	if r.Status != Feasible || r.Objective.Reuse != 1 || r.Offsets[0] != r.Offsets[1] {
		t.Errorf("relaxed: %v %v %v", r.Status, r.Objective, r.Offsets)
	}
	if r := solve(t, example114(192)); r.Status != Feasible || r.Objective.Reuse != 0 {
		t.Errorf("192 bytes: %v %v", r.Status, r.Objective)
	}
}

// The strict failure of §11.4 names what blocked every attempt: the third
// buffer placed meets two 64-byte ones in 128 bytes.
func TestFailures(t *testing.T) {
	r := solve(t, example114(128))
	if len(r.Failures) != 1+r.Stats.Orders {
		t.Fatalf("%d failures for %d orders", len(r.Failures), r.Stats.Orders)
	}
	// Size order is 0, 1, 2 (equal sizes, by begin).
	want := Failure{Order: Incumbent, Placed: 2, Buffer: 2, Blockers: []int{0, 1}}
	if d := cmp.Diff(want, r.Failures[0]); d != "" {
		t.Error(d)
	}
}

// A relaxed pair's weight is added to an existing one; endpoints are ordered.
func TestRelaxMerges(t *testing.T) {
	p := one(1024, [][3]int64{{32, 0, 1}, {32, 1, 2}, {32, 2, 3}})
	p.Separations = []Separation{{2, 0, PipelineStage}, {0, 1, PipelineStage | SemanticNoAlias}}
	p.Penalties = []Penalty{{1, 2, 5}, {0, 2, 3}}
	relaxed := Relax(p, PipelinePairs(p))
	if d := cmp.Diff([]Penalty{{0, 2, 4}, {1, 2, 5}}, relaxed.Penalties); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(p.Separations[1:], relaxed.Separations); d != "" {
		t.Error(d)
	}
}

// A reserved window is an obstacle and its end a candidate; a pool without
// buffers still has the window as its peak.
func TestReserved(t *testing.T) {
	p := one(256, [][3]int64{{64, 0, 2}, {64, 1, 3}})
	p.Pools[0].Reserved = []Range{{0, 96}}
	p.Pools = append(p.Pools, Pool{ID: 4, Capacity: 512, Reserved: []Range{{32, 64}}})
	r := solve(t, p)
	// 0 at 96, 1 at 160; 160+64 = 224.
	if !slices.Equal(r.Offsets, []uint64{96, 160}) || !slices.Equal(r.Peaks, []uint64{224, 64}) || r.Objective != (Objective{0, 288, 224}) {
		t.Errorf("offsets %v peaks %v objective %v", r.Offsets, r.Peaks, r.Objective)
	}
}

func TestStop(t *testing.T) {
	if r := Solve(example112(), Options{Stop: func() bool { return true }}); r.Status != Stopped || r.Offsets != nil {
		t.Errorf("status %v offsets %v", r.Status, r.Offsets)
	}
}

// Weights that do not fit the tables: buffer 2 (64 B) cannot avoid both others
// in 160 B. At 0 it meets 0 at a cost of 2³², which is 0 in 32 bits, at 96 it
// meets 1 at a cost of 1.
func TestLargeWeights(t *testing.T) {
	p := one(160, [][3]int64{{96, 0, 2}, {64, 0, 2}, {64, 3, 4}})
	p.Penalties = []Penalty{{0, 2, 1 << 32}, {1, 2, 1}}
	r := solve(t, p)
	if want := []uint64{0, 96, 96}; !slices.Equal(r.Offsets, want) || r.Objective.Reuse != 1 {
		t.Errorf("offsets %v objective %v", r.Offsets, r.Objective)
	}
}
