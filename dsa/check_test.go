package dsa

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every finding of spec 08 §10 in its order: pools, buffers, separations,
// penalties.
func TestCheck(t *testing.T) {
	p := &Problem{
		Pools: []Pool{{ID: 1, Capacity: 64}, {ID: 1, Reserved: []Range{{8, 8}, {0, 1}}}, {ID: 2, Capacity: 64}},
		Buffers: []Buffer{
			{ID: 5, Pool: 1, Size: 1, Align: 1, Begin: 0, End: 2},
			{ID: 5, Pool: 1, Align: 0, Begin: 3, End: 3},
			{ID: 6, Pool: 7, Size: 1, Align: 1, Begin: -1, End: 2},
			{ID: 8, Pool: 2, Size: 1, Align: 1, Begin: 1, End: 3},
			{ID: 9, Pool: 2, Size: 1, Align: 1, Begin: 3, End: 4},
		},
		Separations: []Separation{{A: 5, B: 5}, {A: 5, B: 77}, {A: 5, B: 8}},
		Penalties:   []Penalty{{5, 8, math.MaxUint64}, {9, 8, 1}, {9, 9, 0}, {1, 2, 0}},
	}
	want := []string{
		"duplicate pool id 1",
		"pool 1 must have a positive fixed capacity",
		"pool 1 has an empty or reversed reserved range",
		"pool 1 has a reserved range beyond capacity", // [8,8) ends beyond capacity 0
		"pool 1 has a reserved range beyond capacity", // and so does [0,1)
		"duplicate buffer id 5",
		"buffer 5 has zero size",
		"buffer 5 has zero alignment",
		"buffer 5 has an invalid half-open lifetime",
		"buffer 6 has an invalid half-open lifetime",
		"buffer 6 references unknown pool 7",
		"separation has identical endpoints 5",
		"separation references an unknown buffer",
		"separation spans different fixed pools",
		"reuse penalty spans different fixed pools",
		"reuse penalty endpoints must have lifetime-compatible buffers", // 5 [0,2), 8 [1,3)
		"reuse penalty has identical endpoints 9",
		"reuse penalty references an unknown buffer",
		"total reuse-penalty weight exceeds uint64",
	}
	if d := cmp.Diff(want, Check(p)); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
	if r := Solve(p, Options{}); r.Status != Invalid || len(r.Findings) != len(want) {
		t.Errorf("Solve: %v, %d findings", r.Status, len(r.Findings))
	}
	if d := cmp.Diff(want, Validate(p, nil)); d != "" {
		t.Errorf("Validate of a malformed problem (-want +got):\n%s", d)
	}
}

// Every finding about a solution.
func TestValidate(t *testing.T) {
	p := &Problem{
		Pools: []Pool{{ID: 1, Capacity: 256, Reserved: []Range{{0, 32}}}},
		Buffers: []Buffer{
			{ID: 0, Pool: 1, Size: 32, Align: 32, Begin: 0, End: 2},
			{ID: 1, Pool: 1, Size: 32, Align: 32, Begin: 1, End: 3},
			{ID: 2, Pool: 1, Size: 32, Align: 32, Begin: 2, End: 4},
			{ID: 3, Pool: 1, Size: 32, Align: 32, Begin: 9, End: 10},
			{ID: 4, Pool: 1, Size: 96, Align: 32, Begin: 9, End: 10},
			{ID: 5, Pool: 1, Size: 96, Align: 32, Begin: 20, End: 21},
		},
		Separations: []Separation{{A: 2, B: 0}},
	}
	// 0 and 1 overlap in time, 0 and 2 are separated, 1 and 2 overlap in time;
	// all three contain byte 80. 3 has no offset. 4 is unaligned, in the reserved
	// range. 5 leaves the pool: 192+96 > 256.
	got := Validate(p, []Placed{{0, 64}, {7, 0}, {1, 64}, {2, 64}, {4, 8}, {5, 192}})
	want := []string{
		"solution contains unknown buffer 7",
		"buffer 3 has no offset",
		"buffer 4 violates alignment",
		"buffer 4 overlaps a reserved range",
		"buffer 5 exceeds pool capacity",
		"hard-conflicting buffers 0,1 overlap in address",
		"hard-conflicting buffers 0,2 overlap in address",
		"hard-conflicting buffers 1,2 overlap in address",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
	got = Validate(p, []Placed{{0, math.MaxUint64 &^ 31}, {1, 32}, {2, 64}, {3, 32}, {4, 64}, {5, 32}})
	if d := cmp.Diff([]string{"buffer 0 address range overflows uint64"}, got); d != "" {
		t.Errorf("overflow (-want +got):\n%s", d)
	}
	if got := Validate(p, []Placed{{0, 32}, {1, 64}, {2, 96}, {3, 32}, {4, 64}, {5, 32}}); got != nil {
		t.Errorf("a good placement: %v", got)
	}
}
