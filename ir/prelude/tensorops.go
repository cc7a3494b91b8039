package prelude

import "pypto-ls/ir"

// convertTensorToTileOps is what the pass of that name does to bodies of tile
// operators: it finds the tensors that are written, and ends every body with a
// return (spec 11b §5.2, 01b §10). Tensor operators are only noted.
func convertTensorToTileOps(c *Ctx, f *ir.Function) *ir.Function {
	f = detectTensorOps(c, f)
	if f.Kind != ir.InCore || f.RuntimeBound || f.Body == nil {
		return f
	}
	g := copyFunc(f)
	g.Params = writtenParams(f)
	if _, ok := lastStmt(f.Body.Stmts).(*ir.Return); !ok {
		stmts := append([]ir.Stmt(nil), f.Body.Stmts...)
		g.Body = &ir.Block{Stmts: append(stmts, &ir.Return{StmtMeta: ir.StmtMeta{Span: f.NameSpan}})}
	}
	return g
}

// writtenParams gives tensor parameters that a store reaches, through aliases,
// carries and results, the direction Out, or InOut when they are read as well.
// Declared directions stay.
func writtenParams(f *ir.Function) []ir.Param {
	d := derivations{from: map[*ir.Var]*ir.Var{}, written: newVarSet(0), read: newVarSet(0)}
	open := false
	for _, p := range f.Params {
		if _, tensor := p.Var.Type.(*ir.TensorType); tensor && p.Dir == ir.In {
			d.from[p.Var] = p.Var
			open = true
		}
	}
	if !open {
		return f.Params
	}
	d.block(f.Body)
	out := append([]ir.Param(nil), f.Params...)
	for i, p := range out {
		if p.Dir == ir.In && d.written.has(p.Var) {
			out[i].Dir = ir.Out
			if d.read.has(p.Var) {
				out[i].Dir = ir.InOut
			}
		}
	}
	return out
}

// derivations follows tensors back to parameters and notes what happens to
// them.
type derivations struct {
	from          map[*ir.Var]*ir.Var
	written, read varSet
}

func (d *derivations) root(e ir.Expr) *ir.Var {
	v, _ := e.(*ir.Var)
	return d.from[v]
}

func (d *derivations) derive(v *ir.Var, e ir.Expr) {
	if r := d.root(e); r != nil && d.from[v] == nil {
		d.from[v] = r
	}
}

func (d *derivations) uses(e ir.Expr) {
	exprVars(e, func(v *ir.Var) {
		if r := d.from[v]; r != nil {
			d.read.add(r)
		}
	})
}

func (d *derivations) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, st := range b.Stmts {
		switch s := st.(type) {
		case *ir.Assign:
			d.assign(s.Var, s.Value)
		case *ir.Eval:
			d.assign(nil, s.X)
		case *ir.If:
			d.block(s.Then)
			d.block(s.Else)
			for _, y := range []*ir.Yield{lastYield(s.Then), lastYield(s.Else)} {
				d.yields(y, s.Results)
			}
		case *ir.Scope:
			d.block(s.Body)
		default:
			l, ok := loopOf(st)
			if !ok {
				continue
			}
			for _, a := range l.iters {
				d.derive(a, a.Init)
			}
			d.block(l.body)
			d.yields(lastYield(l.body), l.results)
			for i, r := range l.results {
				if i < len(l.iters) {
					d.derive(r, l.iters[i])
				}
			}
		}
	}
}

func (d *derivations) yields(y *ir.Yield, results []*ir.Var) {
	if y == nil {
		return
	}
	for i, e := range y.Values {
		if i < len(results) {
			d.derive(results[i], e)
		}
	}
}

func (d *derivations) assign(v *ir.Var, e ir.Expr) {
	if w, ok := e.(*ir.Var); ok && v != nil {
		d.derive(v, w)
		return
	}
	c, ok := e.(*ir.Call)
	if !ok || c.Name != "tile.store" || len(c.Args) < 3 {
		d.uses(e)
		return
	}
	for i, a := range c.Args {
		if i != 2 {
			d.uses(a)
		}
	}
	r := d.root(c.Args[2])
	if r == nil {
		return
	}
	d.written.add(r)
	if atomic, ok := c.Kwarg("atomic"); ok && atomic != any(int64(0)) {
		d.read.add(r)
	}
	if v != nil {
		d.derive(v, c.Args[2])
	}
}
