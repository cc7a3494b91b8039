package memory

import "pypto-ls/ir"

// The walkers of this file follow the "reading order" of spec 03 §3: sequence
// in order; assignment: left variable, then right side; if: condition, then,
// else, results; for: loop variable, start, stop, step, iter_args (each
// followed by its initial value), body, results; while: condition, iter_args,
// body, results; call: positional arguments, then expressions in attributes
// (keyword values are not visited); scopes: header expressions, then body.

// exprVars calls visit for every variable mentioned in e, in reading order. A
// mention of an iter_arg is not followed to its initial value.
func exprVars(e ir.Expr, visit func(*ir.Var)) {
	switch e := e.(type) {
	case *ir.Var:
		if e != nil {
			visit(e)
		}
	case *ir.Call:
		for _, a := range e.Args {
			if v, ok := a.(*ir.Var); ok && v != nil { // nearly all are
				visit(v)
			} else {
				exprVars(a, visit)
			}
		}
		if len(e.Attrs) > 0 {
			attrVars(e.Attrs, visit)
		}
	case *ir.MakeTuple:
		for _, x := range e.Elems {
			exprVars(x, visit)
		}
	case *ir.TupleGet:
		exprVars(e.Tuple, visit)
	case *ir.Binary:
		exprVars(e.X, visit)
		exprVars(e.Y, visit)
	case *ir.Unary:
		exprVars(e.X, visit)
	}
}

func attrVars(attrs []ir.Attr, visit func(*ir.Var)) {
	for i := range attrs {
		switch x := attrs[i].Value.(type) {
		case ir.Expr:
			exprVars(x, visit)
		case []ir.Expr:
			for _, e := range x {
				exprVars(e, visit)
			}
		}
	}
}

// stmtExprs calls visit for the expressions s itself evaluates, in reading
// order; nested bodies, defined variables and initial values of iter_args are
// not visited.
func stmtExprs(s ir.Stmt, visit func(ir.Expr)) {
	switch s := s.(type) {
	case *ir.Assign:
		visit(s.Value)
	case *ir.Eval:
		visit(s.X)
	case *ir.Yield:
		visitAll(s.Values, visit)
	case *ir.Return:
		visitAll(s.Values, visit)
	case *ir.If:
		visit(s.Cond)
	case *ir.For:
		visit(s.Start)
		visit(s.Stop)
		visit(s.Step)
	case *ir.While:
		visit(s.Cond)
	case *ir.Scope:
		visitAll(s.Args, visit)
		for i := range s.Attrs {
			switch x := s.Attrs[i].Value.(type) {
			case ir.Expr:
				visit(x)
			case []ir.Expr:
				visitAll(x, visit)
			}
		}
	}
}

func visitAll(es []ir.Expr, visit func(ir.Expr)) {
	for _, e := range es {
		visit(e)
	}
}

// yieldOf is the yield of a body: the first one in its statement list; nested
// statements are not searched (spec 03 §7.5). nil when there is none.
func yieldOf(b *ir.Block) *ir.Yield {
	if b == nil {
		return nil
	}
	for _, s := range b.Stmts {
		if y, ok := s.(*ir.Yield); ok {
			return y
		}
	}
	return nil
}

// yieldValue is the value number i that b yields, nil when it yields fewer.
func yieldValue(b *ir.Block, i int) ir.Expr {
	if y := yieldOf(b); y != nil && i < len(y.Values) {
		return y.Values[i]
	}
	return nil
}

// mapBlock rewrites the statements of b and of the bodies nested in them,
// bodies first, sharing what f returns unchanged. A nil block stays nil.
func mapBlock(b *ir.Block, f func(ir.Stmt) ir.Stmt) *ir.Block {
	if b == nil {
		return nil
	}
	var out []ir.Stmt
	for i, s := range b.Stmts {
		n := f(mapBodies(s, f))
		if n != s && out == nil {
			out = append(make([]ir.Stmt, 0, len(b.Stmts)), b.Stmts[:i]...)
		}
		if out != nil {
			out = append(out, n)
		}
	}
	if out == nil {
		return b
	}
	return &ir.Block{Stmts: out}
}

func mapBodies(s ir.Stmt, f func(ir.Stmt) ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.For:
		if b := mapBlock(s.Body, f); b != s.Body {
			c := *s
			c.Body = b
			return &c
		}
	case *ir.While:
		if b := mapBlock(s.Body, f); b != s.Body {
			c := *s
			c.Body = b
			return &c
		}
	case *ir.Scope:
		if b := mapBlock(s.Body, f); b != s.Body {
			c := *s
			c.Body = b
			return &c
		}
	case *ir.If:
		then, els := mapBlock(s.Then, f), mapBlock(s.Else, f)
		if then != s.Then || els != s.Else {
			c := *s
			c.Then, c.Else = then, els
			return &c
		}
	}
	return s
}
