package dsa

import (
	"slices"
	"testing"
)

// Spec 08 §6.1: first outputs for seed 0. The 10000th output for the default
// seed 5489 is the check value of the C++ standard ([rand.predef]).
func TestMT(t *testing.T) {
	g := newMT(0)
	for i, want := range []uint64{
		2947667278772165694, 18301848765998365067, 729919693006235833, 11021831128136023278,
		10003392056472839596, 1054412044467431918, 11649642299870863663, 7813497161378842344,
	} {
		if got := g.draw(); got != want {
			t.Errorf("output %d = %d, want %d", i, got, want)
		}
	}
	g = newMT(5489)
	for range 9999 {
		g.draw()
	}
	if got := g.draw(); got != 9981545732273789042 {
		t.Errorf("10000th output for seed 5489 = %d", got)
	}
}

// The draw traces of spec 08 §6.1.
func TestDrawTraces(t *testing.T) {
	g := newMT(0)
	for i, d := range [][2]uint64{{2, 0}, {12, 11}, {2, 0}, {12, 7}} { // n = 4, two shuffles
		if got := g.below(d[0]); got != d[1] {
			t.Errorf("n=4 draw %d: below(%d) = %d, want %d", i, d[0], got, d[1])
		}
	}
	g = newMT(0)
	for i, d := range [][2]uint64{{6, 0}, {20, 19}} { // n = 5, one shuffle
		if got := g.below(d[0]); got != d[1] {
			t.Errorf("n=5 draw %d: below(%d) = %d, want %d", i, d[0], got, d[1])
		}
	}
}

// below must redraw while the low word is under (2^64 - m) mod m. With
// m = 2^63 + 1 that threshold is 2^63 - 1, so about half of the draws are
// refused; what comes out must be r*m / 2^64 of a draw that is not.
func TestBelowRedraws(t *testing.T) {
	const m = 1<<63 + 1
	g, raw := newMT(0), newMT(0)
	redrawn := 0
	for range 50 {
		got := g.below(m)
		r := raw.draw()
		// r*m = r*2^63 + r: low word = r<<63 + r.
		for r<<63+r < 1<<63-1 {
			r = raw.draw()
			redrawn++
		}
		want := r >> 1
		if r&1 == 1 && r+1<<63 < r { // the low word's carry
			want++
		}
		if got != want {
			t.Fatalf("below = %d, want %d", got, want)
		}
	}
	if redrawn == 0 {
		t.Error("no draw was refused: the loop was not exercised")
	}
}

// The worked permutations of spec 08 §6.1, seed 0, applied cumulatively.
func TestShufflePermutations(t *testing.T) {
	for _, want := range [][4][]int32{
		{{1, 0}, {1, 0}, {0, 1}, {0, 1}},
		{{2, 0, 1}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}},
		{{1, 0, 2, 3}, {0, 2, 1, 3}, {3, 2, 0, 1}, {3, 1, 2, 0}},
		{{2, 0, 1, 3, 4}, {1, 4, 3, 0, 2}, {0, 2, 1, 3, 4}, {1, 3, 0, 4, 2}},
		{{4, 5, 2, 3, 1, 0}, {1, 0, 3, 5, 4, 2}, {1, 2, 0, 3, 4, 5}, {1, 5, 2, 4, 0, 3}},
		{{5, 6, 1, 3, 4, 2, 0}, {2, 6, 0, 5, 1, 4, 3}, {3, 5, 2, 1, 6, 4, 0}, {3, 1, 2, 4, 5, 6, 0}},
		{{4, 7, 2, 3, 6, 0, 1, 5}, {0, 7, 1, 6, 2, 3, 4, 5}, {3, 7, 2, 1, 5, 0, 6, 4}, {4, 0, 7, 6, 2, 5, 3, 1}},
		{{5, 6, 1, 3, 7, 2, 0, 8, 4}, {3, 7, 5, 4, 6, 0, 1, 2, 8}, {3, 7, 8, 1, 4, 2, 6, 5, 0}, {3, 2, 8, 5, 1, 0, 7, 6, 4}},
		{{4, 7, 2, 3, 8, 0, 1, 5, 9, 6}, {0, 6, 8, 3, 4, 1, 7, 5, 9, 2}, {6, 8, 2, 5, 4, 3, 0, 1, 7, 9}, {8, 5, 7, 0, 6, 9, 4, 1, 3, 2}},
		{{5, 6, 1, 3, 10, 9, 0, 8, 4, 2, 7}, {7, 5, 9, 0, 3, 10, 4, 6, 8, 2, 1}, {5, 7, 2, 3, 4, 10, 1, 0, 9, 6, 8}, {4, 1, 6, 3, 9, 7, 5, 10, 0, 8, 2}},
		{{10, 7, 2, 3, 8, 0, 1, 11, 9, 6, 4, 5}, {10, 0, 5, 9, 8, 3, 1, 4, 6, 2, 7, 11}, {4, 2, 0, 1, 5, 8, 10, 11, 9, 3, 6, 7}, {3, 6, 4, 1, 10, 9, 8, 7, 0, 11, 2, 5}},
		{
			{10, 7, 13, 3, 8, 15, 14, 11, 12, 6, 4, 5, 9, 2, 1, 0}, {15, 7, 8, 9, 2, 10, 1, 14, 12, 5, 0, 13, 4, 11, 3, 6},
			{14, 12, 3, 6, 11, 8, 0, 4, 7, 15, 2, 10, 9, 13, 1, 5}, {6, 14, 1, 7, 13, 12, 4, 8, 3, 0, 2, 11, 10, 5, 9, 15},
		},
	} {
		n := len(want[0])
		a := make([]int32, n)
		for i := range a {
			a[i] = int32(i)
		}
		g := newMT(0)
		for k := range want {
			shuffle(a, g)
			if !slices.Equal(a, want[k]) {
				t.Errorf("n=%d after %d: %v, want %v", n, k+1, a, want[k])
			}
		}
	}
}

// No draw for fewer than two elements.
func TestShuffleTrivial(t *testing.T) {
	g := newMT(0)
	shuffle(nil, g)
	shuffle([]int32{7}, g)
	if got := g.draw(); got != 2947667278772165694 {
		t.Errorf("a trivial shuffle drew: next output is %d", got)
	}
}
