package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/ir/ops"
)

// nodes is where what a pass makes of one function is allocated.
type nodes struct {
	vars    ir.Slab[ir.Var]
	assigns ir.Slab[ir.Assign]
	evals   ir.Slab[ir.Eval]
	calls   ir.Slab[ir.Call]
	exprs   ir.Slices[ir.Expr]
	attrs   ir.Slices[ir.Attr]
	kwargs  ir.Slices[ir.Kwarg]
	tiles   ir.TileSlab
	infer   *infer.Scratch // see rededuce
}

// subst is newSubst for one of several substitutions of a pass.
func (m *nodes) subst(n int) subst { return subst{newVarTable[ir.Expr](n), m} }

func (m *nodes) assign(meta ir.StmtMeta, v *ir.Var, value ir.Expr) *ir.Assign {
	a := m.assigns.New()
	*a = ir.Assign{StmtMeta: meta, Var: v, Value: value}
	return a
}

func (m *nodes) eval(meta ir.StmtMeta, x ir.Expr) *ir.Eval {
	e := m.evals.New()
	*e = ir.Eval{StmtMeta: meta, X: x}
	return e
}

// call is a copy of c.
func (m *nodes) call(c *ir.Call) *ir.Call {
	n := m.calls.New()
	*n = *c
	return n
}

// single is a list of one expression.
func (m *nodes) single(e ir.Expr) []ir.Expr {
	out := m.exprs.Make(1)
	out[0] = e
	return out
}

// keyword is a list of one keyword argument.
func (m *nodes) keyword(key string, value any) []ir.Kwarg {
	out := m.kwargs.Make(1)
	out[0] = ir.Kwarg{Key: key, Value: value}
	return out
}

// list is a copy of es.
func (m *nodes) list(es []ir.Expr) []ir.Expr {
	out := m.exprs.Make(len(es))
	copy(out, es)
	return out
}

// newVar is f.NewVar.
func (m *nodes) newVar(f *ir.Function, kind ir.VarKind, name string, t ir.Type, sp ir.Span) *ir.Var {
	return f.NewVarIn(m.vars.New(), kind, name, t, sp)
}

// newCall is the function of that name.
func (m *nodes) newCall(name string, sp ir.Span, args []ir.Expr, kwargs ...ir.Kwarg) *ir.Call {
	c := m.calls.New()
	*c = ir.Call{Name: name, Op: ops.Lookup(name), Args: args, Kwargs: m.kwargs.Make(len(kwargs)), Span: sp, Type: ir.Unknown}
	copy(c.Kwargs, kwargs)
	m.rededuce(c)
	return c
}

// rebuilt is Ctx.rebuilt; a refusal is for the caller to note.
func (m *nodes) rebuilt(c *ir.Call, args []ir.Expr) (*ir.Call, *infer.Problem) {
	n := m.call(c)
	n.Args, n.Attrs = args, nil
	return n, m.rededuce(n)
}

// rededuce is rededuceIn.
func (m *nodes) rededuce(c *ir.Call) *infer.Problem {
	if m.infer == nil {
		m.infer = new(infer.Scratch)
	}
	return rededuceIn(m.infer, c)
}
