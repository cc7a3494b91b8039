package prelude

import (
	"testing"

	"pypto-ls/ir"
)

// TestLastReads: the statement that is read last counts, and a loop counts
// before its body.
func TestLastReads(t *testing.T) {
	f := &ir.Function{}
	a, b, c := f.NewVar(ir.PlainVar, "a", ir.Unknown, ir.Span{}), f.NewVar(ir.PlainVar, "b", ir.Unknown, ir.Span{}), f.NewVar(ir.PlainVar, "c", ir.Unknown, ir.Span{})
	use := func(v *ir.Var) ir.Stmt { return &ir.Eval{X: v} }
	loop := &ir.For{Var: f.NewVar(ir.LoopVar, "i", ir.Unknown, ir.Span{}), Start: ir.Index(0), Stop: a, Step: ir.Index(1), Body: &ir.Block{Stmts: []ir.Stmt{use(b), use(c)}}}
	d := f.NewVar(ir.PlainVar, "d", ir.Unknown, ir.Span{})
	// 1: b, 2: the loop, which reads a, 3: b, 4: c, 5: c.
	r := &lastReads{body: &ir.Block{Stmts: []ir.Stmt{use(b), loop, use(c)}}, vars: f.NumVars}
	for _, x := range []struct {
		v  *ir.Var
		at int
	}{{a, 2}, {b, 3}, {c, 5}} {
		if !r.after(x.v, x.at-1) || r.after(x.v, x.at) {
			t.Errorf("%s is not read last by statement %d", x.v.Name, x.at)
		}
	}
	if r.after(d, 0) {
		t.Error("a variable that nothing reads")
	}
	if !r.after(f.NewVar(ir.PlainVar, "e", ir.Unknown, ir.Span{}), 9) {
		t.Error("a variable of another function")
	}
}
