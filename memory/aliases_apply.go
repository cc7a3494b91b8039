package memory

import "pypto-ls/ir"

// apply makes the layout in which every planned variable has its new type,
// and views of moved inputs follow them (spec 04 §5). Without a plan it is
// the input layout itself.
func (r *retargeter) apply() (*Layout, *Error) {
	if len(r.planned) == 0 {
		return r.l, nil
	}
	out := r.l.Clone(r.l.Fn)
	if err := r.applyTo(out); err != nil {
		return nil, err
	}
	return out, nil
}

// applyTo changes the types of out, which starts as a copy of the input
// layout.
func (r *retargeter) applyTo(out *Layout) *Error {
	for _, v := range r.planned {
		out.setType(v, r.planOf(v))
	}
	var err *Error
	ir.WalkStmts(r.l.Fn.Body, func(s ir.Stmt) bool {
		if a, ok := s.(*ir.Assign); ok && err == nil {
			err = r.follow(out, a)
		}
		return err == nil
	})
	return err
}

// follow moves the result of a view whose input was moved, unless the result
// has a plan of its own.
func (r *retargeter) follow(out *Layout, a *ir.Assign) *Error {
	c, ok := a.Value.(*ir.Call)
	if !ok || c.IsFunc || c.Op == nil || !c.Op.InheritsInput || len(c.Args) == 0 || r.planOf(a.Var) != nil {
		return nil
	}
	x, ok := c.Args[0].(*ir.Var)
	if !ok || x == nil {
		return nil
	}
	was, is, mem := r.l.MemRefOf(x), out.MemRefOf(x), r.l.MemRefOf(a.Var)
	if was == nil || is == nil || mem == nil || mem.Base != was.Base || is.Base == was.Base {
		return nil
	}
	add := ir.Expr(indexZero)
	if c.Name == "tile.slice" || c.Name == "tensor.slice" {
		var err *Error
		if add, err = (&initPass{Layout: r.l}).sliceOffset(c); err != nil {
			err.Pass = passAliases
			return err
		}
	}
	if n, ok := ir.ConstValue(add); !ok || n != 0 || mem.Size != is.Size {
		is = &ir.MemRef{Base: is.Base, Offset: addIndex(is.Offset, add), Size: mem.Size, Slots: 1}
	}
	out.setType(a.Var, withMemRef(r.l.TypeOf(a.Var), is, out.SpaceOf(x)))
	return nil
}
