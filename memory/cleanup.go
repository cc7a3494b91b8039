package memory

import (
	"slices"

	"pypto-ls/ir"
)

// dropUnusedAllocs removes the top-level allocation statements whose base no
// tile or tensor variable of the body lives in (spec 06 §11).
func (w *rewrite) dropUnusedAllocs() {
	used := make([]bool, w.Fn.NumVars)
	facts := w.facts()
	for _, v := range facts.mentioned {
		if b := w.BaseOf(v); b != nil && int(b.ID) >= 0 && int(b.ID) < len(used) {
			used[b.ID] = true
		}
	}
	unused := func(s ir.Stmt) bool {
		a, c := allocCall(s)
		return c != nil && !flagged(used, a.Var)
	}
	b := w.Fn.Body
	if !slices.ContainsFunc(b.Stmts, unused) {
		w.remember(facts)
		return
	}
	out := make([]ir.Stmt, 0, len(b.Stmts))
	dropped, known := make([]bool, len(used)), !facts.again
	for _, s := range b.Stmts {
		if !unused(s) {
			out = append(out, s)
		} else if id := int(s.(*ir.Assign).Var.ID); id >= 0 && id < len(dropped) {
			dropped[id] = true
		} else {
			known = false
		}
	}
	w.setBody(&ir.Block{Stmts: out})
	if known {
		w.remember(facts.without(func(v *ir.Var) bool { return flagged(dropped, v) }))
	}
}

// stripMembership removes the pipeline stages from every call.
func (w *rewrite) stripMembership() {
	facts := w.facts()
	if facts.attrs == 0 {
		return
	}
	var r stripper
	w.setBody(mapBlock(w.Fn.Body, r.stmt))
	w.remember(facts.with(&r.newCalls, w.Fn))
}

type stripper struct{ newCalls }

func (r *stripper) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Assign:
		if e := r.expr(s.Value); e != s.Value {
			return r.assign(s, e)
		}
	case *ir.Eval:
		if e := r.expr(s.X); e != s.X {
			c := *s
			c.X = e
			return &c
		}
	case *ir.Yield:
		if es := r.exprs(s.Values); es != nil {
			c := *s
			c.Values = es
			return &c
		}
	case *ir.Return:
		if es := r.exprs(s.Values); es != nil {
			c := *s
			c.Values = es
			return &c
		}
	}
	return s
}

// expr is e without the attribute on any call; e itself when there is
// none.
func (r *stripper) expr(e ir.Expr) ir.Expr {
	switch x := e.(type) {
	case *ir.Call:
		args := r.exprs(x.Args)
		attrs := withoutAttr(x.Attrs, membershipAttr)
		if args == nil && len(attrs) == len(x.Attrs) {
			return e
		}
		c := r.call(x)
		c.Attrs = attrs
		if args != nil {
			c.Args = args
		}
		r.add(x, c)
		return c
	case *ir.MakeTuple:
		if elems := r.exprs(x.Elems); elems != nil {
			c := *x
			c.Elems = elems
			return &c
		}
	case *ir.TupleGet:
		if t := r.expr(x.Tuple); t != x.Tuple {
			return &ir.TupleGet{Tuple: t, Index: x.Index}
		}
	}
	return e
}

// exprs is es with every call stripped, nil when nothing changes.
func (r *stripper) exprs(es []ir.Expr) []ir.Expr {
	var out []ir.Expr
	for i, e := range es {
		n := r.expr(e)
		if n != e && out == nil {
			out = append([]ir.Expr(nil), es...)
		}
		if out != nil {
			out[i] = n
		}
	}
	return out
}

func withoutAttr(attrs []ir.Attr, key string) []ir.Attr {
	for i := range attrs {
		if attrs[i].Key == key {
			out := append([]ir.Attr(nil), attrs[:i]...)
			return append(out, withoutAttr(attrs[i+1:], key)...)
		}
	}
	return attrs
}
