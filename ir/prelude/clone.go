package prelude

import "pypto-ls/ir"

// cloner copies statements with fresh definitions; uses follow.
type cloner struct {
	f   *ir.Function
	sub subst
	// popped, when set, is the half that is copied: popped tiles take the place of
	// what they stand for, and are given back.
	popped *half
	// assign, when set, may change an assignment's value in the copy; value is a's
	// after substitution, a's own where that changed nothing.
	assign func(a *ir.Assign, value ir.Expr) ir.Expr
}

func (c *cloner) fresh(v *ir.Var) *ir.Var {
	n := c.sub.made.newVar(c.f, v.Kind, v.Name, c.sub.typ(v.Type), v.Span)
	c.sub.set(v, n)
	return n
}

// assigned is what the copy of an assignment defines.
func (c *cloner) assigned(v *ir.Var) *ir.Var {
	if c.popped == nil {
		return c.fresh(v)
	}
	v = c.popped.standsFor(v)
	n := c.fresh(v)
	for _, s := range c.popped.sources.get(v) {
		if s != nil && c.popped.pops.get(s) == v {
			c.sub.set(s, n)
		}
	}
	return n
}

func (c *cloner) freshAll(vs []*ir.Var) []*ir.Var {
	if len(vs) == 0 {
		return nil
	}
	out := make([]*ir.Var, len(vs))
	for i, v := range vs {
		out[i] = c.fresh(v)
	}
	return out
}

func (c *cloner) iters(vs []*ir.Var) []*ir.Var {
	inits := make([]ir.Expr, len(vs))
	for i, v := range vs {
		inits[i] = c.sub.expr(v.Init)
	}
	out := c.freshAll(vs)
	for i := range out {
		out[i].Init = inits[i]
	}
	return out
}

func (c *cloner) stmts(ss []ir.Stmt) []ir.Stmt {
	if c.popped != nil {
		ss = c.popped.withFrees(ss)
	}
	return c.add(make([]ir.Stmt, 0, len(ss)), ss)
}

// add appends the copies of ss to out.
func (c *cloner) add(out, ss []ir.Stmt) []ir.Stmt {
	for _, s := range ss {
		out = append(out, c.stmt(s))
	}
	return out
}

func (c *cloner) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	return &ir.Block{Stmts: c.stmts(b.Stmts)}
}

func (c *cloner) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Assign:
		value := c.sub.expr(s.Value)
		if c.assign != nil {
			value = c.assign(s, value)
		}
		return c.sub.made.assign(s.StmtMeta, c.assigned(s.Var), value)
	case *ir.Eval:
		return c.sub.made.eval(s.StmtMeta, c.sub.expr(s.X))
	case *ir.If:
		n := *s
		n.Cond = c.sub.expr(s.Cond)
		n.Then, n.Else = c.block(s.Then), c.block(s.Else)
		n.Results = c.freshAll(s.Results)
		return &n
	case *ir.For:
		n := *s
		n.Start, n.Stop, n.Step = c.sub.expr(s.Start), c.sub.expr(s.Stop), c.sub.expr(s.Step)
		n.IterArgs = c.iters(s.IterArgs)
		n.Var = c.fresh(s.Var)
		n.Body = c.block(s.Body)
		n.Results = c.freshAll(s.Results)
		return &n
	case *ir.While:
		n := *s
		n.IterArgs = c.iters(s.IterArgs)
		n.Cond = c.sub.expr(s.Cond)
		n.Body = c.block(s.Body)
		n.Results = c.freshAll(s.Results)
		return &n
	case *ir.Scope:
		n := *s
		n.Args = c.sub.list(s.Args)
		n.Attrs, _ = c.sub.attrs(s.Attrs)
		if s.Var != nil {
			n.Var = c.fresh(s.Var)
		}
		if s.TaskVar != nil {
			n.TaskVar = c.fresh(s.TaskVar)
		}
		n.Body = c.block(s.Body)
		return &n
	}
	return copiedStmt(s, c.sub)
}
