package prelude

import "pypto-ls/ir"

// normalizeReturnOrder makes returns name the output parameter that the
// returned value was stored to (spec 01b §10).
func normalizeReturnOrder(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() {
		return normalizeWrapperReturns(c, f)
	}
	o := returnOrigins(f)
	g := copyFunc(f)
	g.Body = o.returns(f.Body)
	if len(g.Returns) == 0 {
		// Return types are inferred where the author gave none.
		ir.EachStmt(f.Body, func(st ir.Stmt) {
			if r, ok := st.(*ir.Return); ok && len(g.Returns) == 0 {
				for _, e := range r.Values {
					g.Returns = append(g.Returns, exprType(e))
				}
			}
		})
	}
	return g
}

// origins follows tensors back to the parameter they derive from: stores,
// aliases, carries, results that agree.
type origins struct {
	of *varTable[*ir.Var]
	// branches: results of branches count when both sides agree. The pass that
	// normalises returns does not look through them.
	branches bool
}

func (o *origins) expr(e ir.Expr) *ir.Var {
	if v, ok := e.(*ir.Var); ok {
		return o.of.get(v)
	}
	return nil
}

func (o *origins) set(v *ir.Var, p *ir.Var) {
	if p != nil {
		o.of.set(v, p)
	}
}

func (o *origins) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, st := range b.Stmts {
		switch st := st.(type) {
		case *ir.Assign:
			switch v := st.Value.(type) {
			case *ir.Var:
				o.set(st.Var, o.of.get(v))
			case *ir.Call:
				if v.Op != nil && v.Op.ReusesInput >= 0 && v.Op.ReusesInput < len(v.Args) {
					o.set(st.Var, o.expr(v.Args[v.Op.ReusesInput]))
				}
			}
		case *ir.For:
			o.loop(st.IterArgs, st.Results, st.Body)
		case *ir.While:
			o.loop(st.IterArgs, st.Results, st.Body)
		case *ir.If:
			o.block(st.Then)
			o.block(st.Else)
			if !o.branches {
				continue
			}
			a, b := lastYield(st.Then), lastYield(st.Else)
			for i, r := range st.Results {
				if a != nil && b != nil && i < len(a.Values) && i < len(b.Values) {
					if p := o.expr(a.Values[i]); p != nil && p == o.expr(b.Values[i]) {
						o.of.set(r, p)
					}
				}
			}
		case *ir.Scope:
			o.block(st.Body)
		}
	}
}

func (o *origins) loop(iters, results []*ir.Var, body *ir.Block) {
	for _, a := range iters {
		o.set(a, o.expr(a.Init))
	}
	o.block(body)
	y := lastYield(body)
	for i, r := range results {
		if i >= len(iters) {
			break
		}
		p := o.of.get(iters[i])
		if y != nil && i < len(y.Values) && p != nil && o.expr(y.Values[i]) == p {
			o.of.set(r, p)
		}
	}
}

func (o *origins) returns(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		if r, ok := st.(*ir.Return); ok {
			vals := append([]ir.Expr(nil), r.Values...)
			for k, e := range vals {
				if p := o.expr(e); p != nil {
					vals[k] = p
				}
			}
			out.add(&ir.Return{StmtMeta: r.StmtMeta, Values: vals})
			continue
		}
		out.add(withBlocks(st, o.returns))
	}
	return out.block()
}
