package printer

import (
	"fmt"
	"testing"

	"pypto-ls/ir"
)

// TestNamesOfMany: 40,000 variables of one name, as unrolling leaves them, take a
// number each; trying all numbers from 1 for each takes a minute. A name that is
// a variable's own is passed over: t, t_1, t_2, t_4, ...
func TestNamesOfMany(t *testing.T) {
	const n = 40000
	f := &ir.Function{NumVars: n + 1}
	for i := range n {
		f.Params = append(f.Params, ir.Param{Var: &ir.Var{Name: "t", ID: int32(i)}})
	}
	f.Params = append(f.Params, ir.Param{Var: &ir.Var{Name: "t_3", ID: n}})
	names := Names(f)
	for i, want := range map[int]string{0: "", 1: "t_1", 2: "t_2", 3: "t_4", n - 1: fmt.Sprintf("t_%d", n), n: ""} {
		if names[i] != want {
			t.Errorf("variable %d: %q, want %q", i, names[i], want)
		}
	}
}
