package prelude

import "pypto-ls/ir"

// normalizeWrapperReturns makes the returns of a Group or Spmd function name
// the parameter that a called function returned.
func normalizeWrapperReturns(c *Ctx, f *ir.Function) *ir.Function {
	if f.Kind != ir.Group && f.Kind != ir.Spmd {
		return f
	}
	o := returnOrigins(f)
	tuples := map[*ir.Var][]*ir.Var{}
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		a, ok := st.(*ir.Assign)
		if !ok {
			return
		}
		switch v := a.Value.(type) {
		case *ir.Call:
			if !v.IsFunc {
				return
			}
			from := c.returnedArgs(v, o)
			if len(from) == 1 {
				o.set(a.Var, from[0])
			} else {
				tuples[a.Var] = from
			}
		case *ir.TupleGet:
			if t, ok := v.Tuple.(*ir.Var); ok && v.Index >= 0 && v.Index < len(tuples[t]) {
				o.set(a.Var, tuples[t][v.Index])
			}
		case *ir.Var:
			o.set(a.Var, o.of.get(v))
		}
	})
	g := copyFunc(f)
	g.Body = o.returns(f.Body)
	return g
}

// returnedArgs are, for each result of a called function, the origin of the
// argument it returns; nil entries where it returns something else.
func (c *Ctx) returnedArgs(call *ir.Call, o *origins) []*ir.Var {
	callee := c.program(call.Name)
	if callee == nil {
		return nil
	}
	from := returnOrigins(callee)
	var out []*ir.Var
	ir.EachStmt(callee.Body, func(st ir.Stmt) {
		r, ok := st.(*ir.Return)
		if !ok || out != nil {
			return
		}
		out = make([]*ir.Var, len(r.Values))
		for i, e := range r.Values {
			p := from.expr(e)
			for k, q := range callee.Params {
				if q.Var == p && p != nil && k < len(call.Args) {
					out[i] = o.expr(call.Args[k])
				}
			}
		}
	})
	return out
}

// program finds a function: one that the pass at hand runs on, or another one
// of the program, in SSA form.
func (c *Ctx) program(name string) *ir.Function {
	for _, f := range c.funcs {
		if f.Name == name {
			return f
		}
	}
	if c.Function == nil {
		return nil
	}
	f := c.Function(name)
	if f == nil {
		return c.halfOf(name)
	}
	return convertToSSA(&Ctx{}, f)
}
