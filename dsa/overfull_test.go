package dsa

import (
	"math/rand/v2"
	"testing"
)

// 96 and 64 bytes live together at time 3: 160 bytes. The third buffer comes
// when the first has ended. A window of 32 bytes leaves no room for them in 160.
func TestOverfull(t *testing.T) {
	lives := [][3]int64{{96, 0, 4}, {64, 3, 9}, {96, 4, 6}}
	for _, tt := range []struct {
		capacity uint64
		reserved []Range
		want     bool
	}{
		{160, nil, false},
		{159, nil, true},
		{192, []Range{{0, 32}}, false},
		{160, []Range{{0, 32}}, true},
		{160, []Range{{64, 65}}, true},
	} {
		p := one(tt.capacity, lives)
		p.Pools[0].Reserved = tt.reserved
		if got := Overfull(p); got != tt.want {
			t.Errorf("capacity %d reserved %v: %v", tt.capacity, tt.reserved, got)
		}
	}
	// Each pool counts for itself.
	p := one(96, lives)
	p.Pools = append(p.Pools, Pool{ID: 2, Capacity: 64})
	p.Buffers[1].Pool = 2
	if Overfull(p) {
		t.Error("two pools")
	}
}

// No search finds a placement for what is called overfull, and much of what
// none is found for is.
func TestOverfullIsNoFit(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 5))
	noFit, overfull := 0, 0
	for i := range 5000 {
		p := random(r)
		if i%5 == 0 {
			p = Generate(KernelShape(5+r.IntN(60)), uint64(i))
			p.Pools[0].Capacity = p.Pools[0].Capacity * uint64(1+r.IntN(8)) / 8
		}
		if len(Check(p)) > 0 {
			continue
		}
		status := Solve(p, Options{}).Status
		if status == NoFit {
			noFit++
		}
		if Overfull(p) {
			overfull++
			if status != NoFit {
				t.Fatalf("problem %d is placed but called overfull: %+v", i, p)
			}
		}
	}
	t.Logf("%d without fit, %d of them overfull", noFit, overfull)
	if overfull < 100 || overfull < noFit/4 {
		t.Errorf("%d of %d", overfull, noFit)
	}
}
