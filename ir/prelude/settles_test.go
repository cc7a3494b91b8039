package prelude

import (
	"testing"

	"pypto-ls/ir"
)

// TestSettles tries all pairs of comparisons of two variables on all pairs of
// numbers from 0 to 2: one settles the other iff the other takes at most one
// value where it holds.
func TestSettles(t *testing.T) {
	x, y := &ir.Var{Name: "x"}, &ir.Var{Name: "y"}
	compare := []ir.BinOp{ir.Lt, ir.Le, ir.Eq, ir.Ne, ir.Ge, ir.Gt}
	for _, a := range compare {
		for _, b := range compare {
			for _, swapped := range []bool{false, true} {
				given, cond := &ir.Binary{Op: a, X: x, Y: y}, &ir.Binary{Op: b, X: x, Y: y}
				if swapped {
					cond.X, cond.Y = y, x
				}
				var seen [2]bool
				for n := range 9 {
					env := valuation{{x, int64(n % 3), true}, {y, int64(n / 3), true}}
					if holds, _ := evalInt(given, env); holds != 0 {
						value, _ := evalInt(cond, env)
						seen[value] = true
					}
				}
				if got, want := settles(given, cond), !(seen[0] && seen[1]); got != want {
					t.Errorf("%v settles %v (swapped: %v): %v, want %v", a, b, swapped, got, want)
				}
			}
		}
	}
	if settles(&ir.Binary{Op: ir.Lt, X: x, Y: y}, &ir.Binary{Op: ir.Lt, X: x, Y: x}) {
		t.Error("other operands")
	}
}
