package prelude

import "pypto-ls/ir"

const passSSA = "ConvertToSSA"

// noteRivals says that a tile which escapes from a loop may start from another
// tile of its type: "a definition of matching type found before the loop" (spec
// 11 §6.1) does not tell which. Without one it starts undefined, and no record shows
// what becomes of that.
func (s *ssa) noteRivals(v *ir.Var) {
	t := tileOf(v)
	if t == nil {
		return
	}
	for w, e := range s.cur.all() {
		if w != v && tileOf(e) != nil && ir.TypeEqual(withMemRef(tileOf(e), nil), withMemRef(t, nil)) {
			s.c.note(passSSA, s.f, v.Span, "`"+v.Name+"` is first assigned inside a loop and used after it; which tile it starts from is not specified")
			return
		}
	}
	s.c.note(passSSA, s.f, v.Span, "`"+v.Name+"` is first assigned inside a loop and used after it: after no iteration it has no value")
}

// noteUndefined leaves a note where an in-core body reads a variable at a place
// that its definition does not reach: the results of a loop or branch inside
// another branch, names that only one branch assigns.
func noteUndefined(c *Ctx, f *ir.Function, undef varSet) {
	if !f.Kind.IsInCore() && !hasCore(f.Body) {
		return
	}
	r := &reach{c: c, f: f, visible: make([]bool, f.NumVars)}
	for v := range undef.all() {
		r.see(v)
	}
	for _, p := range f.Params {
		r.see(p.Var)
	}
	r.block(f.Body)
}

// reach walks a body with the definitions that reach the place at hand.
type reach struct {
	c *Ctx
	f *ir.Function
	// visible is by number: the conversion gave every definition its own. seen are
	// the numbers that became visible, the last ones at the end.
	visible []bool
	seen    []int32
}

func (r *reach) see(v *ir.Var) {
	if id := int(v.ID); id >= 0 && id < len(r.visible) && !r.visible[id] {
		r.visible[id] = true
		r.seen = append(r.seen, v.ID)
	}
}

// takeBack makes invisible what became visible after the first n.
func (r *reach) takeBack(n int) {
	for _, id := range r.seen[n:] {
		r.visible[id] = false
	}
	r.seen = r.seen[:n]
}

// lacks reports whether v has a definition that does not reach.
func (r *reach) lacks(v *ir.Var) bool {
	return v.ID >= 0 && v.Kind != ir.DimVar && (int(v.ID) >= len(r.visible) || !r.visible[v.ID])
}

func (r *reach) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, st := range b.Stmts {
		r.stmt(st)
	}
}

func (r *reach) stmt(st ir.Stmt) {
	use := func(v *ir.Var) {
		if v.Kind != ir.BaseVar && r.lacks(v) {
			r.c.note(passSSA, r.f, st.Meta().Span, "`"+baseName(v.Name)+"` is used where its definition does not reach")
		}
	}
	switch s := st.(type) {
	case *ir.Scope:
		// Scopes are transparent: what they define stays visible.
		stmtUses(st, use)
		ir.EachDef(st, r.see)
		r.block(s.Body)
	case *ir.While:
		for _, a := range s.IterArgs {
			exprVars(a.Init, use)
		}
		r.nested(s.Body, nil, s.IterArgs)
		mark := len(r.seen)
		for _, a := range s.IterArgs {
			r.see(a)
		}
		exprVars(s.Cond, use)
		r.takeBack(mark)
		for _, v := range s.Results {
			r.see(v)
		}
	case *ir.For:
		stmtUses(st, use)
		r.nested(s.Body, s.Var, s.IterArgs)
		for _, v := range s.Results {
			r.see(v)
		}
	case *ir.If:
		stmtUses(st, use)
		r.nested(s.Then, nil, nil)
		r.nested(s.Else, nil, nil)
		for _, v := range s.Results {
			r.see(v)
		}
	default:
		stmtUses(st, use)
		if a, ok := st.(*ir.Assign); ok {
			r.typeOf(a)
		}
		ir.EachDef(st, r.see)
	}
}

// typeOf looks at what the type of an assigned variable is computed from. A
// name that is assigned again keeps the type of its first assignment, whose
// loop index may be out of reach. Slots decide addresses under every planner,
// valid shapes only under some.
func (r *reach) typeOf(a *ir.Assign) {
	t := tileOf(a.Var)
	if t == nil {
		return
	}
	see := func(what string) func(v *ir.Var) {
		return func(v *ir.Var) {
			if r.lacks(v) {
				r.c.note(passSSA, r.f, a.Span, "the "+what+" of `"+baseName(a.Var.Name)+"` is computed from `"+baseName(v.Name)+"`, whose definition does not reach it")
			}
		}
	}
	if t.MemRef != nil && t.MemRef.Slot != nil {
		exprVars(t.MemRef.Slot, see("slot"))
	}
	if t.View != nil && r.c.Planner != "PYPTO" {
		for _, e := range t.View.ValidShape {
			exprVars(e, see("valid shape"))
		}
	}
}

// nested walks a body whose definitions end with it; index may be nil.
func (r *reach) nested(b *ir.Block, index *ir.Var, iters []*ir.Var) {
	mark := len(r.seen)
	if index != nil {
		r.see(index)
	}
	for _, v := range iters {
		r.see(v)
	}
	r.block(b)
	r.takeBack(mark)
}
