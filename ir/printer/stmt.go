package printer

import "pypto-ls/ir"

// block prints the statements of b, one a line, without a final newline.
// results are the variables of the enclosing loop or branch that a trailing
// yield binds; top marks a function body, where a yield prints as return.
func (p *printer) block(b *ir.Block, level int, results []*ir.Var, top bool) {
	if b == nil || len(b.Stmts) == 0 {
		p.indent(level)
		p.s("pass")
		return
	}
	for i, s := range b.Stmts {
		if i > 0 {
			p.s("\n")
		}
		last := i == len(b.Stmts)-1
		if y, ok := s.(*ir.Yield); ok {
			p.comments(&y.StmtMeta, level)
			p.indent(level)
			switch {
			case top:
				p.values("return", y.Values)
			case last && len(results) > 0:
				p.boundYield(y, results)
			default:
				p.bareYield(y)
			}
			continue
		}
		if sc, ok := s.(*ir.Scope); ok && last && len(b.Stmts) == 1 && sc.Kind == ir.ScopeRuntime && len(results) > 0 {
			p.scope(sc, level, results)
			continue
		}
		p.stmt(s, level)
	}
}

func (p *printer) comments(m *ir.StmtMeta, level int) {
	for _, c := range m.Comments {
		p.indent(level)
		p.s("# ")
		p.s(c)
		p.s("\n")
	}
}

func (p *printer) boundYield(y *ir.Yield, results []*ir.Var) {
	for i, r := range results {
		if i > 0 {
			p.s(", ")
		}
		p.varName(r)
	}
	if len(results) == 1 && !p.opt.Concise {
		p.s(": ")
		p.typ(p.typeOf(results[0]))
	}
	p.s(" = ")
	p.bareYield(y)
}

func (p *printer) bareYield(y *ir.Yield) {
	p.s("pl.yield_(")
	p.exprList(y.Values)
	p.s(")")
}

func (p *printer) values(word string, es []ir.Expr) {
	p.s(word)
	if len(es) > 0 {
		p.s(" ")
		p.exprList(es)
	}
}

func (p *printer) stmt(s ir.Stmt, level int) {
	p.comments(s.Meta(), level)
	switch s := s.(type) {
	case *ir.For:
		p.forStmt(s, level)
		return
	case *ir.While:
		p.whileStmt(s, level)
		return
	case *ir.If:
		p.ifStmt(s, level)
		return
	case *ir.Scope:
		p.scope(s, level, nil)
		return
	}
	p.indent(level)
	switch s := s.(type) {
	case *ir.Assign:
		p.varName(s.Var)
		if !p.opt.Concise {
			p.s(": ")
			p.typ(p.typeOf(s.Var))
		}
		p.s(" = ")
		p.expr(s.Value, false)
	case *ir.Eval:
		p.expr(s.X, false)
	case *ir.Return:
		p.values("return", s.Values)
	case *ir.Yield:
		p.bareYield(s)
	case *ir.Break:
		p.s("break")
	case *ir.Continue:
		p.s("continue")
	case *ir.Inline:
		p.s(s.Text)
	}
}

func (p *printer) ifStmt(s *ir.If, level int) {
	p.indent(level)
	p.s("if ")
	p.expr(s.Cond, false)
	p.s(":\n")
	p.block(s.Then, level+1, s.Results, false)
	if s.Else != nil {
		p.s("\n")
		p.indent(level)
		p.s("else:\n")
		p.block(s.Else, level+1, s.Results, false)
	}
}

func (p *printer) tuple(vs []*ir.Var) {
	p.s("(")
	for i, v := range vs {
		if i > 0 {
			p.s(", ")
		}
		p.varName(v)
	}
	if len(vs) == 1 {
		p.s(",")
	}
	p.s(")")
}

func (p *printer) initValues(a *argList, iterArgs []*ir.Var) {
	if len(iterArgs) == 0 {
		return
	}
	a.next()
	p.s("init_values=(")
	for i, v := range iterArgs {
		if i > 0 {
			p.s(", ")
		}
		if v.Init != nil {
			p.expr(v.Init, false)
		}
	}
	if len(iterArgs) == 1 {
		p.s(",")
	}
	p.s(")")
}

func (p *printer) forStmt(s *ir.For, level int) {
	p.indent(level)
	p.s("for ")
	p.varName(s.Var)
	if len(s.IterArgs) > 0 {
		p.s(", ")
		p.tuple(s.IterArgs)
	}
	p.s(" in pl.")
	p.s(s.Kind.String())
	p.s("(")
	a := &argList{p: p}
	p.bounds(s, a)
	stages := ""
	if v, ok := ir.FindAttr(s.Attrs, "pipeline_stages"); ok && s.Kind == ir.Pipeline {
		stages = "pipeline_stages"
		a.next()
		p.s("stage=")
		p.attrValue(v)
	}
	p.initValues(a, s.IterArgs)
	var rest []ir.Attr
	for _, at := range s.Attrs {
		if at.Key != stages {
			rest = append(rest, at)
		}
	}
	if len(rest) > 0 {
		a.next()
		p.attrs(rest)
	}
	p.s("):\n")
	p.block(s.Body, level+1, s.Results, false)
}

func isIndex(e ir.Expr, v int64) bool {
	c, ok := e.(*ir.ConstInt)
	return ok && c.Value == v && c.DType == ir.INDEX
}

func (p *printer) bounds(s *ir.For, a *argList) {
	if isIndex(s.Step, 1) {
		if !isIndex(s.Start, 0) {
			a.exprs([]ir.Expr{s.Start})
		}
		a.exprs([]ir.Expr{s.Stop})
		return
	}
	a.exprs([]ir.Expr{s.Start, s.Stop, s.Step})
}

func (p *printer) whileStmt(s *ir.While, level int) {
	p.indent(level)
	if len(s.IterArgs) == 0 {
		p.s("while ")
		p.expr(s.Cond, false)
		p.s(":\n")
		p.block(s.Body, level+1, s.Results, false)
		return
	}
	p.s("for ")
	p.tuple(s.IterArgs)
	p.s(" in pl.while_(")
	p.initValues(&argList{p: p}, s.IterArgs)
	p.s("):\n")
	p.indent(level + 1)
	p.s("pl.cond(")
	p.expr(s.Cond, false)
	p.s(")\n")
	p.block(s.Body, level+1, s.Results, false)
}
