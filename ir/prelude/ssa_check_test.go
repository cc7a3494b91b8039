package prelude

import (
	"testing"

	"pypto-ls/ir"
)

// TestReachManyBranches: 60,000 branches one after the other, each with a result
// that stays visible, are looked at without a copy of what is visible for each; a
// name of one branch that is read after it is told.
func TestReachManyBranches(t *testing.T) {
	f := &ir.Function{Name: "f", Kind: ir.InCore, Body: &ir.Block{}}
	scalar := &ir.ScalarType{}
	p := f.NewVar(ir.ParamVar, "p", scalar, ir.Span{})
	f.Params = []ir.Param{{Var: p}}
	last := p
	var inner *ir.Var
	for range 60000 {
		inner = f.NewVar(ir.PlainVar, "inner", scalar, ir.Span{})
		r := f.NewVar(ir.PlainVar, "r", scalar, ir.Span{})
		f.Body.Stmts = append(f.Body.Stmts, &ir.If{Cond: last, Results: []*ir.Var{r},
			Then: &ir.Block{Stmts: []ir.Stmt{&ir.Assign{Var: inner, Value: last}, &ir.Yield{Values: []ir.Expr{inner}}}},
			Else: &ir.Block{Stmts: []ir.Stmt{&ir.Yield{Values: []ir.Expr{last}}}}})
		last = r
	}
	c := &Ctx{}
	noteUndefined(c, f, newVarSet(0))
	if len(c.Notes) != 0 {
		t.Errorf("notes without a reason: %+v", c.Notes)
	}
	f.Body.Stmts = append(f.Body.Stmts, &ir.Eval{X: inner})
	noteUndefined(c, f, newVarSet(0))
	if len(c.Notes) != 1 {
		t.Errorf("%d notes on a name that does not reach its use", len(c.Notes))
	}
}
