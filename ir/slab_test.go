package ir_test

import (
	"testing"

	"pypto-ls/ir"
)

// TestSlab: every value is zero and its own, over several allocations.
func TestSlab(t *testing.T) {
	var s ir.Slab[int]
	seen := map[*int]bool{}
	for i := range 1000 {
		p := s.New()
		if *p != 0 || seen[p] {
			t.Fatalf("value %d: %d, seen %v", i, *p, seen[p])
		}
		seen[p] = true
		*p = i + 1
	}
}

// TestSlices: slices share nothing, also when one is appended to.
func TestSlices(t *testing.T) {
	var s ir.Slices[int]
	if s.Make(0) != nil {
		t.Error("no values: not nil")
	}
	var all [][]int
	for i := range 400 {
		v := s.Make(i % 40)
		if len(v) != i%40 || cap(v) != len(v) {
			t.Fatalf("slice %d: %d values with room for %d", i, len(v), cap(v))
		}
		for j := range v {
			if v[j] != 0 {
				t.Fatalf("slice %d is not zero", i)
			}
			v[j] = i
		}
		_ = append(v, -1)
		all = append(all, v)
	}
	for i, v := range all {
		for _, x := range v {
			if x != i {
				t.Fatalf("slice %d holds %d", i, x)
			}
		}
	}
}

func BenchmarkSlab(b *testing.B) {
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			for range 100 {
				node = new(ir.Assign)
			}
		}
	})
	b.Run("slab", func(b *testing.B) {
		for b.Loop() {
			var s ir.Slab[ir.Assign]
			for range 100 {
				node = s.New()
			}
		}
	})
}

var node *ir.Assign
