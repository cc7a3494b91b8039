package prelude

import "pypto-ls/ir"

// Callers indexes the calls between the functions of a program, as read: the
// result lists, in program order, the functions whose bodies call or submit
// the function of a name. It is what Ctx.Callers wants.
func Callers(funcs []*ir.Function) func(name string) []*ir.Function {
	index := map[string][]*ir.Function{}
	for _, f := range funcs {
		for _, name := range callees(f) {
			index[name] = append(index[name], f)
		}
	}
	return func(name string) []*ir.Function { return index[name] }
}

// callees lists the program functions that f calls, in order of first call.
func callees(f *ir.Function) []string {
	var out []string
	seen := map[string]bool{}
	note := func(name string) bool {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
		return false
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) { stmtCalls(st, func(c *ir.Call) { eachCallee(c, note) }) })
	return out
}

// stmtCalls visits the calls in a statement's own expressions, nested ones
// after the ones around them.
func stmtCalls(st ir.Stmt, visit func(c *ir.Call)) {
	list := func(es []ir.Expr) {
		for _, e := range es {
			ir.EachCall(e, visit)
		}
	}
	switch s := st.(type) {
	case *ir.Assign:
		ir.EachCall(s.Value, visit)
	case *ir.Eval:
		ir.EachCall(s.X, visit)
	case *ir.Yield:
		list(s.Values)
	case *ir.Return:
		list(s.Values)
	case *ir.If:
		ir.EachCall(s.Cond, visit)
	case *ir.For:
		for _, a := range s.IterArgs {
			ir.EachCall(a.Init, visit)
		}
		list([]ir.Expr{s.Start, s.Stop, s.Step})
	case *ir.While:
		for _, a := range s.IterArgs {
			ir.EachCall(a.Init, visit)
		}
		ir.EachCall(s.Cond, visit)
	case *ir.Scope:
		list(s.Args)
	}
}
