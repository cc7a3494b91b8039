package prelude

import (
	"math/rand"
	"testing"

	"pypto-ls/ir"
)

// TestVarTable does at random to a table and to a map what passes do, with
// variables many of which have one number and one place.
func TestVarTable(t *testing.T) {
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		vars := make([]*ir.Var, 60)
		for i := range vars {
			vars[i] = &ir.Var{ID: int32(r.Intn(25)) - 1, Span: ir.Span{Start: int32(r.Intn(2))}}
		}
		got, want := newVarTable[int](r.Intn(3)*10), map[*ir.Var]int{}
		got.logged = seed%2 == 0
		type state struct {
			mark int
			want map[*ir.Var]int
		}
		states := []state{{got.mark(), map[*ir.Var]int{}}}
		for step := range 2000 {
			v := vars[r.Intn(len(vars))]
			switch r.Intn(5) {
			case 0:
				if got.logged {
					s := states[len(states)-1]
					states = states[:len(states)-1]
					got.takeBack(s.mark)
					want = s.want
				} else {
					got.remove(v)
					delete(want, v)
				}
				fallthrough
			case 1:
				states = append(states, state{got.mark(), copied(want)})
			default:
				got.set(v, step)
				want[v] = step
			}
			if got.n != len(want) {
				t.Fatalf("seed %d, step %d: %d entries, want %d", seed, step, got.n, len(want))
			}
			for _, v := range vars {
				x, ok := got.lookup(v)
				if w, in := want[v]; ok != in || x != w || got.has(v) != in || got.copy().get(v) != w {
					t.Fatalf("seed %d, step %d: %d %v, want %d %v", seed, step, x, ok, w, in)
				}
			}
		}
	}
}

func copied(m map[*ir.Var]int) map[*ir.Var]int {
	out := map[*ir.Var]int{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func TestNoVarTable(t *testing.T) {
	var none *varTable[int]
	v := &ir.Var{}
	if none.has(v) || none.get(v) != 0 || none.copy().has(v) || newVarTable[int](4).has(nil) {
		t.Error("an empty table has something in it")
	}
}
