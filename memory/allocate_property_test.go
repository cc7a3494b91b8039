package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Whatever the function, allocations of one space do not overlap, start at
// multiples of 32 above the reserved window, in name order without gaps larger
// than the padding, and the usage is the end of the last one.
func TestAllocateProperties(t *testing.T) {
	spaces := []ir.Space{platforms.Vec, platforms.Mat, platforms.Left, platforms.Acc}
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		b := newFn("k", ir.AIC)
		var floor uint64
		for range rnd.IntN(3) {
			size := 1 + rnd.Int64N(5000)
			b.reserve("r", size, -1)
			floor += uint64(align32(size))
		}
		extent := make(map[*ir.Var]uint64)
		where := make(map[*ir.Var]ir.Space)
		for i := range 1 + rnd.IntN(30) {
			space := spaces[rnd.IntN(len(spaces))]
			declared := rnd.IntN(4) == 0
			stated := rnd.Int64N(3000)
			base := b.alloc(fmt.Sprintf("m%d", rnd.IntN(100)*100+i), space, stated, declared)
			where[base] = space
			if declared {
				extent[base] = uint64(stated)
			}
			for range 1 + rnd.IntN(3) {
				size := 1 + rnd.Uint64N(2000)
				b.placed("v", base, int64c(rnd.Int64N(64)), size, space)
				extent[base] = max(extent[base], size)
			}
		}
		l, usage := mustAllocate(t, b, Config{})
		// Every member moved by the same distance: its allocation's address.
		addr := make(map[*ir.Var]uint64)
		for _, v := range mentions(b.f) {
			old, now := memRefOfType(v.Type), l.MemRefOf(v)
			if old == nil {
				continue
			}
			was, _ := ir.ConstValue(old.Offset)
			is, _ := ir.ConstValue(now.Offset)
			if a, ok := addr[old.Base]; ok && a != uint64(is-was) {
				t.Fatalf("seed %d: members of %s moved differently", seed, old.Base.Name)
			}
			addr[old.Base] = uint64(is - was)
		}
		for _, u := range usage {
			next := uint64(0)
			if u.Space == platforms.Mat {
				next = floor
			}
			for range where { // walk the space's allocations in address order
				var at *ir.Var
				for base, s := range where {
					if s == u.Space && addr[base] >= next && (at == nil || addr[base] < addr[at]) {
						at = base
					}
				}
				if at == nil {
					break
				}
				if addr[at] != next {
					t.Fatalf("seed %d: %s of %s at %d, want %d", seed, at.Name, u.Space, addr[at], next)
				}
				for base, s := range where {
					if s == u.Space && base.Name < at.Name && addr[base] > addr[at] {
						t.Fatalf("seed %d: %s before %s", seed, at.Name, base.Name)
					}
				}
				next = uint64(align32(int64(addr[at] + extent[at])))
			}
			if u.Used != next {
				t.Fatalf("seed %d: %s used %d, want %d", seed, u.Space, u.Used, next)
			}
		}
	}
}

// A plan that only lacks room shows where everything would lie without limits,
// one that fails otherwise does not, and one base in two spaces is a buffer in
// each.
func TestTooFullIsPlaced(t *testing.T) {
	shown := 0
	check := func(t *testing.T, r *Result, cfg Config) {
		if r.Err == nil || r.Failed != StageAllocate {
			return
		}
		before := r.Layouts[StageMemoryReuse]
		want, err := AllocateMemoryAddr(before, Config{Planner: PYPTO, Policy: cfg.policy()})
		p := NewPlan(r, cfg)
		if p.Placed != (err == nil) {
			t.Fatalf("placed %v, without limits: %v", p.Placed, err)
		}
		if !p.Placed {
			return
		}
		shown++
		for _, v := range before.mentions() {
			if x, y := ref(p.Layout, v), ref(want, v); x != y {
				t.Errorf("%s: %s, without limits %s", v.Name, x, y)
			}
		}
	}
	eachGenerated(t, PYPTO, func(t *testing.T, _ uint64, cfg Config, r *Result) { check(t, r, cfg) })
	if shown == 0 {
		t.Error("nothing was too full")
	}
	cfg := Config{Platform: platform(t, "Ascend910B")}
	for _, zero := range []uint64{64, 0} {
		b := newFn("k", ir.InCore)
		m := b.alloc("m", platforms.Vec, 64, false)
		b.placed("a", m, int64c(0), 1<<20, platforms.Vec)
		b.placed("b", m, int64c(0), 96, platforms.Left)
		b.placed("c", m, int64c(32), 4096, platforms.Vec)
		b.placed("d", b.alloc("n", platforms.Left, 64, false), int64c(0), zero, platforms.Left)
		r := Run(b.f, cfg, StageMemoryReuse)
		check(t, r, cfg)
		want := "[{Left 160 65536 0 } {Vec 1048576 188416 0 }]"
		if zero == 0 {
			want = "[{Left 96 65536 0 } {Vec 1048576 188416 0 }]"
		}
		if got := fmt.Sprint(r.Usage); got != want || r.tooFull != nil != (zero > 0) {
			t.Errorf("size %d: %s, want %s", zero, got, want)
		}
	}
}
