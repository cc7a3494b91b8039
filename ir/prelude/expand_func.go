package prelude

import "pypto-ls/ir"

// function finishes one half: references are redirected, locals get variables
// of their own, the ring's set-up goes to the top (spec 11b §4.6, 09 §4).
func (m *mixedKernel) function(h *half, prologue []ir.Stmt) *ir.Function {
	f := m.f
	g := &ir.Function{Name: f.Name + "_" + h.side.suffix(), Attrs: f.Attrs, Method: f.Method, Span: f.Span, NameSpan: f.NameSpan}
	if v, ok := f.Attr("split"); ok && splitMode(f) != 0 {
		g.Attrs = append(withoutAttrs(f.Attrs, "split"), ir.Attr{Key: "split", Value: v})
	}
	kind := ir.AIC
	if h.side == vector {
		kind = ir.AIV
		g.Returns = returnTypes(f)
		if p := m.c.Platform; p != nil && p.Flags.NoSplitDualAivDispatch || splitMode(f) != 0 {
			g.Attrs = withDualDispatch(g).Attrs
		}
	}
	setKind(g, kind)
	d := m.checkDefined(h)
	sub := m.made.subst(len(f.Params) + d.n + d.tensors.n + h.pops.n)
	g.Params = cloneParams(g, f.Params, sub)
	for i, t := range g.Returns {
		g.Returns[i] = sub.typ(t)
	}
	for v, p := range d.tensors.all() {
		sub.set(v, sub.get(p))
	}
	c := &cloner{f: g, sub: sub, popped: h}
	g.Body = &ir.Block{Stmts: c.stmts(withPrologue(h.body.Stmts, prologue, h.side))}
	return g
}

// withPrologue puts the set-up at the very top, in the vector half after a
// leading `get_subblock_idx`.
func withPrologue(stmts, prologue []ir.Stmt, side lane) []ir.Stmt {
	at := 0
	if side == vector && len(stmts) > 0 {
		if a, ok := stmts[0].(*ir.Assign); ok {
			if c, ok := a.Value.(*ir.Call); ok && c.Name == "tile.get_subblock_idx" {
				at = 1
			}
		}
	}
	out := append([]ir.Stmt(nil), stmts[:at]...)
	return append(append(out, prologue...), stmts[at:]...)
}

// cloneParams makes parameters of g; sub maps the old ones to them.
func cloneParams(g *ir.Function, params []ir.Param, sub subst) []ir.Param {
	out := make([]ir.Param, len(params))
	for i, p := range params {
		v := g.NewVar(ir.ParamVar, p.Var.Name, p.Var.Type, p.Var.Span)
		sub.set(p.Var, v)
		out[i] = ir.Param{Var: v, Dir: p.Dir}
	}
	for _, p := range out {
		p.Var.Type = sub.typ(p.Var.Type)
	}
	return out
}

// returnTypes are the results of f, from its returns where it declares none.
func returnTypes(f *ir.Function) []ir.Type {
	if len(f.Returns) > 0 {
		return append([]ir.Type(nil), f.Returns...)
	}
	var out []ir.Type
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if r, ok := st.(*ir.Return); ok && len(out) == 0 {
			for _, e := range r.Values {
				out = append(out, exprType(e))
			}
		}
	})
	return out
}

// standsFor is what a reference to v becomes in this half: the popped tile for
// its source and, of a direct pop, its destination.
func (h *half) standsFor(v *ir.Var) *ir.Var {
	if p := h.pops.get(v); p != nil {
		return p
	}
	return v
}

// checkDefined leaves a note where a half uses a value that it does not have,
// or one that was copied into a nested sequence and is used outside as well.
func (m *mixedKernel) checkDefined(h *half) *definedness {
	d := &definedness{h: h, visible: newVarSet(int(stmtCount(h.body))), tensors: newVarTable[*ir.Var](0)}
	for _, p := range m.f.Params {
		d.show(p.Var)
	}
	d.walk(h.body)
	for _, u := range d.bad {
		m.c.note(passExpand, m.f, u.span, "`"+baseName(u.v.Name)+"` is used on the "+h.side.suffix()+" side but has no definition there")
	}
	return d
}

// definedness walks a body with the definitions that are visible.
type definedness struct {
	h *half
	// visible holds what variables stand for, see standsFor.
	visible varSet
	n       int // how many definitions there are
	// tensors are those that only the other half writes, each with the parameter
	// that stands for it in this one. These are visible everywhere.
	tensors *varTable[*ir.Var]
	known   varSet // see isKnown
	bad     []badUse
}

type badUse struct {
	v    *ir.Var
	span ir.Span
}

// show makes a parameter, a carry or an index visible. Where a popped tile takes
// its place, that does.
func (d *definedness) show(v *ir.Var) {
	if !d.h.pops.has(v) {
		d.visible.add(v)
	}
}

func (d *definedness) add(v *ir.Var) {
	d.visible.add(d.h.standsFor(v))
	d.n++
}

func (d *definedness) hide(v *ir.Var) { d.visible.remove(d.h.standsFor(v)) }

// isKnown reports whether v is a parameter or defined anywhere in this half.
func (d *definedness) isKnown(v *ir.Var) bool {
	if d.known == nil {
		d.known = newVarSet(0)
		for _, p := range d.h.m.f.Params {
			d.known.add(p.Var)
		}
		ir.EachStmt(d.h.body, func(st ir.Stmt) { ir.EachDef(st, d.known.add) })
	}
	return d.known.has(v)
}

func (d *definedness) use(v *ir.Var, sp ir.Span) {
	if d.visible.has(v) {
		return
	}
	stand := d.h.standsFor(v)
	if p := d.h.m.origin.of.get(v); p != nil && !d.isKnown(v) {
		d.tensors.set(v, p)
	}
	if stand.ID >= 0 && !d.visible.has(stand) && stand.Kind != ir.DimVar && !d.tensors.has(stand) {
		d.bad = append(d.bad, badUse{stand, sp})
	}
}

func (d *definedness) walk(b *ir.Block) {
	for _, st := range b.Stmts {
		// The condition of a while loop reads its carries.
		if l, isLoop := loopOf(st); isLoop {
			for _, a := range l.iters {
				d.show(a)
			}
			if l.index != nil {
				d.show(l.index)
			}
		}
		stmtUses(st, func(v *ir.Var) { d.use(v, st.Meta().Span) })
		ir.EachBody(st, d.nested)
		ir.EachDef(st, d.add)
	}
}

// nested walks a nested sequence. A variable that is defined again inside it is
// hidden after it: copies of the outer definition would be meant by later uses.
func (d *definedness) nested(b *ir.Block) {
	d.walk(b)
	for _, st := range b.Stmts {
		ir.EachDef(st, d.hide)
	}
}

// wantsGroup reports whether the kernel becomes a group of its own: not when
// only existing groups call it, which then call the halves.
func (m *mixedKernel) wantsGroup() bool {
	if m.c.Callers == nil {
		return true
	}
	callers := m.c.Callers(m.f.Name)
	for _, f := range callers {
		if f.Kind != ir.Group {
			return true
		}
	}
	return len(callers) == 0
}

// group is the function that calls both halves.
func (m *mixedKernel) group() *ir.Function {
	f := m.f
	g := &ir.Function{Name: f.Name, Attrs: f.Attrs, Method: f.Method, Span: f.Span, NameSpan: f.NameSpan}
	setKind(g, ir.Group)
	sub := newSubst(0)
	g.Params = cloneParams(g, f.Params, sub)
	for _, t := range returnTypes(f) {
		g.Returns = append(g.Returns, sub.typ(t))
	}
	args := make([]ir.Expr, len(g.Params))
	for i, p := range g.Params {
		args[i] = p.Var
	}
	meta := ir.StmtMeta{Span: f.NameSpan}
	call := func(side lane, t ir.Type) *ir.Call {
		return &ir.Call{Name: f.Name + "_" + side.suffix(), IsFunc: true, Args: args, Type: t, Span: f.NameSpan}
	}
	g.Body = &ir.Block{Stmts: []ir.Stmt{&ir.Eval{StmtMeta: meta, X: call(cube, ir.Unknown)}}}
	if len(g.Returns) == 0 {
		add(g.Body, &ir.Eval{StmtMeta: meta, X: call(vector, ir.Unknown)})
		return g
	}
	t := g.Returns[0]
	if len(g.Returns) > 1 {
		t = &ir.TupleType{Elems: g.Returns}
	}
	if vals, ok := m.returnedParams(sub); ok {
		add(g.Body, &ir.Eval{StmtMeta: meta, X: call(vector, t)})
		add(g.Body, &ir.Return{StmtMeta: meta, Values: vals})
		return g
	}
	r := g.NewVar(ir.PlainVar, "result", t, f.NameSpan)
	add(g.Body, &ir.Assign{StmtMeta: meta, Var: r, Value: call(vector, t)})
	add(g.Body, &ir.Return{StmtMeta: meta, Values: []ir.Expr{r}})
	return g
}

// returnedParams are the parameters that the kernel's results derive from; ok
// is false when one derives from none.
func (m *mixedKernel) returnedParams(sub subst) (vals []ir.Expr, ok bool) {
	var ret *ir.Return
	for _, st := range m.f.Body.Stmts {
		if r, is := st.(*ir.Return); is {
			ret = r
		}
	}
	if ret == nil {
		return nil, false
	}
	for _, e := range ret.Values {
		p := m.origin.expr(e)
		if p == nil {
			return nil, false
		}
		vals = append(vals, sub.expr(p))
	}
	return vals, true
}

// tensorOrigins finds the parameter each tensor variable of f derives from.
func tensorOrigins(f *ir.Function) *origins {
	return findOrigins(f, &origins{of: newVarTable[*ir.Var](0), branches: true})
}

// returnOrigins is tensorOrigins without looking through branches.
func returnOrigins(f *ir.Function) *origins {
	return findOrigins(f, &origins{of: newVarTable[*ir.Var](0)})
}

func findOrigins(f *ir.Function, o *origins) *origins {
	for _, p := range f.Params {
		if _, tensor := p.Var.Type.(*ir.TensorType); tensor {
			o.of.set(p.Var, p.Var)
		}
	}
	o.block(f.Body)
	return o
}
