package prelude

import "pypto-ls/ir"

// subst replaces variables in expressions and types; it shares what does not
// change. Variables without an entry stand for themselves.
type subst struct {
	*varTable[ir.Expr]
	made *nodes
}

// newSubst makes a substitution with room for n variables.
func newSubst(n int) subst { return (&nodes{}).subst(n) }

// inner is the substitution of a nested body: what it adds stays inside.
func (s subst) inner() subst { return subst{s.copy(), s.made} }

func (s subst) expr(e ir.Expr) ir.Expr {
	if s.n == 0 {
		return e
	}
	switch e := e.(type) {
	case *ir.Var:
		if r, ok := s.lookup(e); ok {
			return r
		}
	case *ir.Call:
		args, changed := s.exprs(e.Args)
		attrs, changedAttrs := s.attrs(e.Attrs)
		kwargs, changedKw := s.kwargs(e.Kwargs)
		if changed || changedAttrs || changedKw {
			c := s.made.call(e)
			c.Args, c.Attrs, c.Kwargs = args, attrs, kwargs
			c.Type = s.typ(e.Type)
			return c
		}
		if t := s.typ(e.Type); t != e.Type {
			c := s.made.call(e)
			c.Type = t
			return c
		}
	case *ir.MakeTuple:
		if elems, changed := s.exprs(e.Elems); changed {
			return &ir.MakeTuple{Elems: elems, Span: e.Span}
		}
	case *ir.TupleGet:
		if t := s.expr(e.Tuple); t != e.Tuple {
			return &ir.TupleGet{Tuple: t, Index: e.Index}
		}
	case *ir.Binary:
		x, y := s.expr(e.X), s.expr(e.Y)
		if x != e.X || y != e.Y {
			return &ir.Binary{Op: e.Op, X: x, Y: y, DType: e.DType}
		}
	case *ir.Unary:
		if x := s.expr(e.X); x != e.X {
			return &ir.Unary{Op: e.Op, X: x, DType: e.DType}
		}
	}
	return e
}

func (s subst) exprs(es []ir.Expr) ([]ir.Expr, bool) {
	for i, e := range es {
		if _, number := e.(*ir.ConstInt); number {
			continue // most of them are
		}
		if n := s.expr(e); n != e {
			out := s.made.list(es)
			out[i] = n
			for j := i + 1; j < len(es); j++ {
				out[j] = s.expr(es[j])
			}
			return out, true
		}
	}
	return es, false
}

func (s subst) list(es []ir.Expr) []ir.Expr {
	out, _ := s.exprs(es)
	return out
}

func (s subst) kwargs(ks []ir.Kwarg) ([]ir.Kwarg, bool) {
	for i := range ks {
		v, changed := s.value(ks[i].Value)
		if !changed {
			continue
		}
		out := append([]ir.Kwarg(nil), ks...)
		out[i].Value = v
		for j := i + 1; j < len(ks); j++ {
			out[j].Value, _ = s.value(ks[j].Value)
		}
		return out, true
	}
	return ks, false
}

func (s subst) attrs(as []ir.Attr) ([]ir.Attr, bool) {
	for i := range as {
		v, changed := s.value(as[i].Value)
		if !changed {
			continue
		}
		out := append([]ir.Attr(nil), as...)
		out[i].Value = v
		for j := i + 1; j < len(as); j++ {
			out[j].Value, _ = s.value(as[j].Value)
		}
		return out, true
	}
	return as, false
}

func (s subst) value(v any) (any, bool) {
	switch v := v.(type) {
	case ir.Expr:
		if n := s.expr(v); n != v {
			return n, true
		}
	case []ir.Expr:
		if n, changed := s.exprs(v); changed {
			return n, true
		}
	}
	return v, false
}

func (s subst) typ(t ir.Type) ir.Type {
	if s.n == 0 {
		return t
	}
	switch t := t.(type) {
	case *ir.TileType:
		return s.tile(t)
	case *ir.TensorType:
		shape, changed := s.exprs(t.Shape)
		view := t.View
		if view != nil {
			valid, c1 := s.exprs(view.ValidShape)
			stride, c2 := s.exprs(view.Stride)
			if c1 || c2 {
				v := *view
				v.ValidShape, v.Stride = valid, stride
				view, changed = &v, true
			}
		}
		if changed {
			n := *t
			n.Shape, n.View = shape, view
			return &n
		}
	case *ir.TupleType:
		for i, e := range t.Elems {
			if n := s.typ(e); n != e {
				out := &ir.TupleType{Elems: append([]ir.Type(nil), t.Elems...)}
				for j := i; j < len(t.Elems); j++ {
					out.Elems[j] = s.typ(t.Elems[j])
				}
				return out
			}
		}
	}
	return t
}

func (s subst) tile(t *ir.TileType) ir.Type {
	shape, changed := s.exprs(t.Shape)
	view, mem := t.View, t.MemRef
	if view != nil {
		valid, c1 := s.exprs(view.ValidShape)
		stride, c2 := s.exprs(view.Stride)
		off := view.StartOffset
		if off != nil {
			off = s.expr(off)
		}
		if c1 || c2 || off != view.StartOffset {
			v := *view
			v.ValidShape, v.Stride, v.StartOffset = valid, stride, off
			view, changed = &v, true
		}
	}
	if mem != nil && mem.Slot != nil {
		if k := s.expr(mem.Slot); k != mem.Slot {
			m := *mem
			m.Slot = k
			mem, changed = &m, true
		}
	}
	if !changed {
		return t
	}
	n := ir.NewTileType(shape, t.DType, view, t.Space)
	n.MemRef = mem
	return n
}

// exprType is the type of an expression.
func exprType(e ir.Expr) ir.Type {
	switch e := e.(type) {
	case *ir.Var:
		return e.Type
	case *ir.ConstInt:
		return &ir.ScalarType{DType: e.DType}
	case *ir.ConstFloat:
		return &ir.ScalarType{DType: e.DType}
	case *ir.ConstBool:
		return &ir.ScalarType{DType: ir.BOOL}
	case *ir.Binary:
		return &ir.ScalarType{DType: e.DType}
	case *ir.Unary:
		return &ir.ScalarType{DType: e.DType}
	case *ir.Call:
		if e.Type != nil {
			return e.Type
		}
	case *ir.MakeTuple:
		t := &ir.TupleType{}
		for _, x := range e.Elems {
			t.Elems = append(t.Elems, exprType(x))
		}
		return t
	case *ir.TupleGet:
		if t, ok := exprType(e.Tuple).(*ir.TupleType); ok && e.Index >= 0 && e.Index < len(t.Elems) {
			return t.Elems[e.Index]
		}
	}
	return ir.Unknown
}

// tileOf is the tile type of e, nil when it is none.
func tileOf(e ir.Expr) *ir.TileType {
	t, _ := exprType(e).(*ir.TileType)
	return t
}

// copyFunc makes a function that can get another body and new variables.
func copyFunc(f *ir.Function) *ir.Function {
	g := *f
	return &g
}
