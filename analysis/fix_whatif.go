package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/memory"
)

// whatIf makes a variant of a function, which shares no statement with it: some variables have other types, some
// calls are others. Variables keep their IDs, so that results by ID compare.
type whatIf struct {
	// typeOf is the new type of a variable, nil to keep it.
	typeOf func(*ir.Var) ir.Type
	// call is the new form of a call, the call itself to keep it. Its operands
	// are replaced afterwards.
	call func(*ir.Call) *ir.Call

	vars map[*ir.Var]*ir.Var
}

func (w *whatIf) function(f *ir.Function) *ir.Function {
	w.vars = map[*ir.Var]*ir.Var{}
	g := *f
	g.Params = append([]ir.Param(nil), f.Params...)
	for i := range g.Params {
		g.Params[i].Var = w.variable(g.Params[i].Var)
	}
	g.Body = w.block(f.Body)
	return &g
}

// variable is the variable that stands for v.
func (w *whatIf) variable(v *ir.Var) *ir.Var {
	if v == nil {
		return nil
	}
	if n, ok := w.vars[v]; ok {
		return n
	}
	n := v
	t := ir.Type(nil)
	if w.typeOf != nil {
		t = w.typeOf(v)
	}
	if t != nil || v.Init != nil {
		c := *v
		if t != nil {
			c.Type = t
		}
		n = &c
	}
	w.vars[v] = n
	if v.Init != nil {
		n.Init = w.expr(v.Init)
	}
	return n
}

func (w *whatIf) variables(vs []*ir.Var) []*ir.Var {
	if len(vs) == 0 {
		return vs
	}
	out := make([]*ir.Var, len(vs))
	for i, v := range vs {
		out[i] = w.variable(v)
	}
	return out
}

func (w *whatIf) expr(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Var:
		return w.variable(e)
	case *ir.Call:
		return w.callOf(e)
	case *ir.MakeTuple:
		return &ir.MakeTuple{Elems: w.exprs(e.Elems), Span: e.Span}
	case *ir.TupleGet:
		return &ir.TupleGet{Tuple: w.expr(e.Tuple), Index: e.Index}
	case *ir.Binary:
		return &ir.Binary{Op: e.Op, X: w.expr(e.X), Y: w.expr(e.Y), DType: e.DType}
	case *ir.Unary:
		return &ir.Unary{Op: e.Op, X: w.expr(e.X), DType: e.DType}
	}
	return e
}

func (w *whatIf) exprs(es []ir.Expr) []ir.Expr {
	if len(es) == 0 {
		return es
	}
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = w.expr(e)
	}
	return out
}

func (w *whatIf) callOf(c *ir.Call) *ir.Call {
	n := *c
	if w.call != nil {
		n = *w.call(c)
	}
	n.Args = w.exprs(n.Args)
	n.Attrs = w.attrs(n.Attrs)
	return &n
}

func (w *whatIf) attrs(as []ir.Attr) []ir.Attr {
	for i := range as {
		switch as[i].Value.(type) {
		case ir.Expr, []ir.Expr:
			out := append([]ir.Attr(nil), as...)
			for k := range out {
				switch x := out[k].Value.(type) {
				case ir.Expr:
					out[k].Value = w.expr(x)
				case []ir.Expr:
					out[k].Value = w.exprs(x)
				}
			}
			return out
		}
	}
	return as
}

func (w *whatIf) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := &ir.Block{Stmts: make([]ir.Stmt, len(b.Stmts))}
	for i, s := range b.Stmts {
		out.Stmts[i] = w.stmt(s)
	}
	return out
}

func (w *whatIf) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Assign:
		n := *s
		n.Value, n.Var = w.expr(s.Value), w.variable(s.Var)
		if c, ok := n.Value.(*ir.Call); ok && n.Var != s.Var {
			c.Type = withoutMemRef(n.Var.Type)
		}
		return &n
	case *ir.For:
		n := *s
		n.Start, n.Stop, n.Step = w.expr(s.Start), w.expr(s.Stop), w.expr(s.Step)
		n.Var, n.IterArgs, n.Attrs = w.variable(s.Var), w.variables(s.IterArgs), w.attrs(s.Attrs)
		n.Body, n.Results = w.block(s.Body), w.variables(s.Results)
		return &n
	case *ir.While:
		n := *s
		n.IterArgs, n.Cond = w.variables(s.IterArgs), w.expr(s.Cond)
		n.Body, n.Results = w.block(s.Body), w.variables(s.Results)
		return &n
	case *ir.If:
		n := *s
		n.Cond, n.Then, n.Else, n.Results = w.expr(s.Cond), w.block(s.Then), w.block(s.Else), w.variables(s.Results)
		return &n
	case *ir.Yield:
		n := *s
		n.Values = w.exprs(s.Values)
		return &n
	case *ir.Return:
		n := *s
		n.Values = w.exprs(s.Values)
		return &n
	case *ir.Eval:
		n := *s
		n.X = w.expr(s.X)
		return &n
	case *ir.Scope:
		n := *s
		n.Args, n.Attrs = w.exprs(s.Args), w.attrs(s.Attrs)
		n.TaskVar, n.Var, n.Body = w.variable(s.TaskVar), w.variable(s.Var), w.block(s.Body)
		return &n
	case *ir.Break:
		n := *s
		return &n
	case *ir.Continue:
		n := *s
		return &n
	case *ir.Inline:
		n := *s
		return &n
	}
	return s
}

// withoutMemRef is the type of a call that makes a value of type t.
func withoutMemRef(t ir.Type) ir.Type {
	tile, ok := t.(*ir.TileType)
	if !ok || tile.MemRef == nil {
		return t
	}
	c := *tile
	c.MemRef = nil
	return &c
}

// trial is one function planned.
type trial struct {
	fn  *ir.Function
	res *memory.Result
	cfg memory.Config
}

func plan(fn *ir.Function, cfg memory.Config, from memory.Stage) trial {
	return trial{fn, memory.Run(fn, cfg, from), cfg}
}

// fits reports that the function was planned and no space is too full.
func (t trial) fits() bool {
	if t.res.Err != nil {
		return false
	}
	for _, u := range t.res.Usage {
		if u.Over() {
			return false
		}
	}
	for _, v := range t.res.Verify {
		if v.Code == 1 {
			return false
		}
	}
	return true
}

// use is how full a space is: used and limit in bytes.
func (t trial) use(space ir.Space) (used, limit uint64) {
	for _, u := range t.res.Usage {
		if u.Space == space {
			return u.Used, u.Limit
		}
	}
	if p := memory.NewPlan(t.res, t.cfg); p != nil {
		if s := p.Space(space); s != nil {
			return s.Used, s.Limit
		}
	}
	return 0, t.cfg.Platform.Capacity(space)
}

// callOfStmt is the call that a statement assigns or evaluates, with the
// variable it is assigned to; nil when there is none.
func callOfStmt(s ir.Stmt) (*ir.Call, *ir.Var) {
	switch s := s.(type) {
	case *ir.Assign:
		c, _ := s.Value.(*ir.Call)
		return c, s.Var
	case *ir.Eval:
		c, _ := s.X.(*ir.Call)
		return c, nil
	}
	return nil, nil
}
