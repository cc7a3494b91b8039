package lint

import (
	"strings"

	"pypto-ls/ir"
)

// UnusedVariables is the check UnusedVariable (spec 10 §6.1) of a function as
// its author wrote it, before the first pass: a variable that is assigned and
// that nothing in the function mentions afterwards or before, neither an
// expression nor a type. One finding a variable, at its first assignment, in
// text order.
//
// A name that is assigned again is the same variable (spec 01 §10.2), and so
// is an output parameter that takes a store's result. Results of loops and
// branches are UnusedResults'. The specification gives the text, not the
// condition; left out here are what the compiler makes itself (the bases of
// allocations, the temporaries of unpacking) and names that begin with an
// underscore, which say that nobody wants the value.
func UnusedVariables(fn *ir.Function) []Finding {
	return unused(fn, UnusedVariable, func(s ir.Stmt, visit func(*ir.Var)) {
		if a, ok := s.(*ir.Assign); ok && a.Var.Kind == ir.PlainVar {
			if _, base := a.Var.Type.(*ir.PtrType); !base {
				visit(a.Var)
			}
		}
	})
}

// UnusedResults is the check UnusedControlFlowResult (spec 10 §6.1): a result
// of a loop or branch that nothing reads. The reference has it switched off by
// default (spec 10 §6.3).
func UnusedResults(fn *ir.Function) []Finding {
	return unused(fn, UnusedResult, func(s ir.Stmt, visit func(*ir.Var)) {
		var results []*ir.Var
		switch s := s.(type) {
		case *ir.For:
			results = s.Results
		case *ir.While:
			results = s.Results
		case *ir.If:
			results = s.Results
		}
		for _, v := range results {
			visit(v)
		}
	})
}

func unused(fn *ir.Function, rule *Rule, candidates func(ir.Stmt, func(*ir.Var))) []Finding {
	var vars []*ir.Var
	seen := newVarSet(fn)
	note := func(v *ir.Var) {
		if seen.add(v) && !strings.HasPrefix(v.Name, "_") {
			vars = append(vars, v)
		}
	}
	ir.EachStmt(fn.Body, func(s ir.Stmt) { candidates(s, note) })
	if len(vars) == 0 {
		return nil
	}
	used := mentioned(fn)
	var out []Finding
	for _, v := range vars {
		if !used.has(v) {
			out = append(out, Finding{rule, fn.Name, "Unused variable '" + v.Name + "' in function '" + fn.Name + "'", v.Span, ""})
		}
	}
	return out
}

// mentioned are the variables that some expression or type of fn mentions. A
// variable's definition is no mention; its type's extents are.
func mentioned(fn *ir.Function) *varSet {
	used := newVarSet(fn)
	var see func(ir.Expr)
	see = func(e ir.Expr) {
		if v, ok := e.(*ir.Var); ok {
			used.add(v)
			return
		}
		parts(e, see)
	}
	for _, p := range fn.Params {
		typeExprs(p.Var.Type, see)
	}
	for _, t := range fn.Returns {
		typeExprs(t, see)
	}
	for i := range fn.Attrs {
		value(fn.Attrs[i].Value, see)
	}
	ir.EachStmt(fn.Body, func(s ir.Stmt) {
		exprs(s, see)
		ir.EachDef(s, func(v *ir.Var) { typeExprs(v.Type, see) })
	})
	return used
}
