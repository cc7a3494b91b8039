package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/ir/printer"
)

// walkCalls visits the calls of a block, outer ones first, in text order.
func walkCalls(b *ir.Block, visit func(*ir.Call)) {
	var expr func(e ir.Expr)
	exprs := func(es []ir.Expr) {
		for _, e := range es {
			expr(e)
		}
	}
	expr = func(e ir.Expr) {
		switch e := e.(type) {
		case *ir.Call:
			visit(e)
			exprs(e.Args)
			for _, k := range e.Kwargs {
				if x, ok := k.Value.(ir.Expr); ok {
					expr(x)
				}
			}
		case *ir.MakeTuple:
			exprs(e.Elems)
		case *ir.TupleGet:
			expr(e.Tuple)
		case *ir.Binary:
			expr(e.X)
			expr(e.Y)
		case *ir.Unary:
			expr(e.X)
		}
	}
	ir.EachStmt(b, func(s ir.Stmt) { exprs(stmtExprs(s)) })
}

// stmtExprs are the expressions of a statement itself.
func stmtExprs(s ir.Stmt) []ir.Expr {
	inits := func(vs []*ir.Var, es ...ir.Expr) []ir.Expr {
		for _, v := range vs {
			es = append(es, v.Init)
		}
		return es
	}
	switch s := s.(type) {
	case *ir.Assign:
		return []ir.Expr{s.Value}
	case *ir.For:
		return inits(s.IterArgs, s.Start, s.Stop, s.Step)
	case *ir.While:
		return inits(s.IterArgs, s.Cond)
	case *ir.If:
		return []ir.Expr{s.Cond}
	case *ir.Yield:
		return s.Values
	case *ir.Return:
		return s.Values
	case *ir.Eval:
		return []ir.Expr{s.X}
	case *ir.Scope:
		return s.Args
	}
	return nil
}

// findVar is the variable that a name at a place means: the one defined there,
// else the one whose definition is the last before it, else the first one.
func findVar(f *ir.Function, name string, at int32) *ir.Var {
	var before, first *ir.Var
	note := func(v *ir.Var, within ir.Span) {
		if v == nil || v.Name != name || !v.Span.Valid() {
			return
		}
		if first == nil {
			first = v
		}
		// The right-hand side of a definition does not see it yet.
		ahead := v.Span.End < at && within.Start <= at && at <= within.End
		if v.Span.Start <= at && !ahead && (before == nil || v.Span.Start >= before.Span.Start) {
			before = v
		}
	}
	for _, p := range f.Params {
		note(p.Var, ir.Span{Start: -1, End: -2})
	}
	ir.EachStmt(f.Body, func(s ir.Stmt) {
		none := ir.Span{Start: -1, End: -2}
		notes := func(vs ...*ir.Var) {
			for _, v := range vs {
				note(v, none)
			}
		}
		switch s := s.(type) {
		case *ir.Assign:
			note(s.Var, s.Span)
		case *ir.For:
			notes(s.Var)
			notes(s.IterArgs...)
			notes(s.Results...)
		case *ir.While:
			notes(s.IterArgs...)
			notes(s.Results...)
		case *ir.If:
			notes(s.Results...)
		case *ir.Scope:
			notes(s.Var, s.TaskVar)
		}
	})
	if before != nil {
		return before
	}
	return first
}

// variable tells a variable's type.
func (h *hoverer) variable(v *ir.Var) string {
	if v.Type == nil || v.Type == ir.Unknown {
		return code(v.Name) + "\n\nof unknown type"
	}
	return code(v.Name + ": " + printer.Type(h.det.Read.IR, v.Type, printer.Options{}))
}

// code is a block of source text.
func code(s string) string { return "```pypto-ir\n" + s + "\n```" }
