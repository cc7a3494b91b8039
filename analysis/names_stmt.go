package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// function resolves the chunk's function. root tells it from a nested one.
func (r *resolver) function(f irsyntax.Ref, root bool) {
	c := f.First()
	for ; c.Ok() && c.Kind() == irsyntax.Decorator; c = c.Next() {
		r.expr(c.First())
		if root && strings.Contains(c.Text(), "strict_ssa") {
			r.strict = isTrue(keywordOf(c.First(), "strict_ssa"))
		}
	}
	if root && c.Ok() && c.Kind() == irsyntax.Name {
		r.record(spanOf(c), r.functionSym(c.Text()), roleDefine)
	}
	if !c.Ok() {
		return
	}
	params := c.Next()
	if !params.Ok() {
		return
	}
	r.params(params)
	returns := params.Next()
	if !returns.Ok() {
		return
	}
	r.annotation(returns)
	body := returns.Next()
	if !body.Ok() {
		return
	}
	if !r.ctx.kernel {
		r.bindAssigned(body)
	}
	r.stmts(body)
}

// functionSym is the symbol of the chunk's own function, or of another
// function of its program.
func (r *resolver) functionSym(name string) int32 {
	if r.ctx.class >= 0 {
		return r.outside(symKey{scope: scopeProgram, unit: r.ctx.class, name: name}, FunctionName)
	}
	return r.outside(symKey{scope: scopeModule, name: name}, FunctionName)
}

func (r *resolver) params(ps irsyntax.Ref) {
	for p := ps.First(); p.Ok(); p = p.Next() {
		if p.Kind() != irsyntax.Param {
			continue
		}
		n := p.First()
		if n.Kind() == irsyntax.Name && n.Text() == "self" {
			continue
		}
		r.annotation(p.Child(1))
		r.expr(p.Child(2))
		if n.Kind() != irsyntax.Name {
			continue
		}
		name := n.Text()
		if m := r.mod.lookup(name); m != nil && m.kind == DimensionName && isIndexScalar(p.Child(1)) && (m.text == "" || m.text == name) {
			// It is the dynamic dimension from here on (spec 01 §5.2).
			s := r.outside(symKey{scope: scopeModule, name: name}, DimensionName)
			r.bind(name, s)
			r.record(spanOf(n), s, roleWrite)
			continue
		}
		r.fresh(n, ParameterName)
	}
}

func isIndexScalar(ann irsyntax.Ref) bool {
	return ann.Ok() && ann.Kind() == irsyntax.Subscript && lastComponent(ann.First()) == "Scalar" && lastComponent(ann.Child(1)) == "INDEX"
}

// nested is a function within a function: ordinary Python.
func (r *resolver) nested(f irsyntax.Ref) {
	if n := childName(f); n.Ok() {
		r.define(n)
	}
	mark, outer, kernel, in := len(r.undo), r.yields, r.ctx.kernel, r.inFunc
	r.yields, r.ctx.kernel, r.inFunc = nil, false, true
	r.inBlock(func() { r.function(f, false) })
	r.leave(mark, false)
	r.yields, r.ctx.kernel, r.inFunc = outer, kernel, in
}

// bindAssigned makes every name that a Python function assigns anywhere its
// local variable, as Python does.
func (r *resolver) bindAssigned(body irsyntax.Ref) {
	var visit func(n irsyntax.Ref, target bool)
	visit = func(n irsyntax.Ref, target bool) {
		switch n.Kind() {
		case irsyntax.Name:
			if _, ok := r.scope[n.Text()]; target && !ok {
				r.bind(n.Text(), r.newSym(VariableName, n.Text(), symKey{}, ir.Span{}))
			}
		case irsyntax.Tuple, irsyntax.List, irsyntax.Star:
			for c := n.First(); target && c.Ok(); c = c.Next() {
				visit(c, true)
			}
		case irsyntax.Assign:
			for c := n.First(); c.Ok() && c.Next().Ok(); c = c.Next() {
				visit(c, true)
			}
		case irsyntax.AnnAssign, irsyntax.AugAssign:
			visit(n.First(), true)
		case irsyntax.For:
			visit(n.First(), true)
			visitBlocks(n, visit)
		case irsyntax.WithItem:
			visit(n.Child(1), true)
		case irsyntax.Block, irsyntax.If, irsyntax.While, irsyntax.With, irsyntax.Opaque:
			visitBlocks(n, visit)
		}
	}
	visit(body, false)
}

func visitBlocks(n irsyntax.Ref, visit func(irsyntax.Ref, bool)) {
	for c := n.First(); c.Ok(); c = c.Next() {
		switch c.Kind() {
		case irsyntax.Name, irsyntax.Tuple, irsyntax.List, irsyntax.Star:
		default:
			visit(c, false)
		}
	}
}

func (r *resolver) classDef(root irsyntax.Ref) {
	for c := root.First(); c.Ok(); c = c.Next() {
		switch c.Kind() {
		case irsyntax.Decorator:
			r.expr(c.First())
		case irsyntax.Name:
			r.record(spanOf(c), r.outside(symKey{scope: scopeModule, name: c.Text()}, ProgramName), roleDefine)
		case irsyntax.Block:
			r.ctx.class, r.ctx.kernel = r.ctx.chunk, false
			r.stmts(c)
		default:
			if !c.IsEmpty() {
				r.expr(c)
			}
		}
	}
}

func (r *resolver) annAssign(s irsyntax.Ref) {
	target, ann, value := s.First(), s.Child(1), s.Child(2)
	if target.Kind() != irsyntax.Name {
		r.annotation(ann)
		r.expr(value)
		r.targets(target)
		return
	}
	if isCallTo(value, "yield_") {
		r.annotation(ann)
		r.yield(value, target)
		return
	}
	if isCallTo(value, "alloc") && r.inFunc {
		if a := lastComponent(ann); a == "Ptr" || a == "MemRefType" {
			r.expr(value)
			r.alloc(target)
			return
		}
	}
	r.annotation(ann)
	r.expr(value)
	r.define(target)
}

// alloc binds the interned base of an allocation statement.
func (r *resolver) alloc(target irsyntax.Ref) {
	name := target.Text()
	s, ok := r.bases[name]
	if !ok {
		s = r.newSym(AllocationName, name, symKey{}, spanOf(target))
		r.bases[name] = s
	}
	r.out.syms[s].def = spanOf(target)
	r.bind(name, s)
	r.record(spanOf(target), s, roleDefine)
}

// base is the allocation that a MemRef's base name denotes.
func (r *resolver) base(name string) int32 {
	if s, ok := r.scope[name]; ok && r.out.syms[s].kind == AllocationName {
		return s
	}
	if s, ok := r.bases[name]; ok {
		return s
	}
	s := r.newSym(AllocationName, name, symKey{}, ir.Span{})
	r.bases[name] = s
	return s
}

func (r *resolver) assign(s irsyntax.Ref) {
	value := lastChild(s)
	target := s.First()
	switch {
	case isCallTo(value, "yield_") && target.Next() == value:
		r.yield(value, target)
		return
	case isCallTo(value, "alloc") && target.Next() == value && target.Kind() == irsyntax.Name && r.inFunc:
		if q := value.First(); q.Kind() == irsyntax.Attribute {
			if ns := lastComponent(q.First()); ns == "tile" || ns == "tensor" {
				r.expr(value)
				r.alloc(target)
				return
			}
		}
	}
	r.expr(value)
	if !r.inFunc {
		r.moduleText(target, value)
	}
	for t := target; t.Ok() && t != value; t = t.Next() {
		r.targets(t)
	}
}

// moduleText: `M = pl.dynamic("M")` names the dimension twice; the two names
// go together as long as they are equal.
func (r *resolver) moduleText(target, value irsyntax.Ref) {
	if target.Kind() == irsyntax.Tuple && (value.Kind() == irsyntax.Tuple || value.Kind() == irsyntax.List) {
		v := value.First()
		for t := target.First(); t.Ok() && v.Ok(); t, v = t.Next(), v.Next() {
			r.moduleText(t, v)
		}
		return
	}
	if target.Kind() != irsyntax.Name || !isCallTo(value, "dynamic") {
		return
	}
	if text, sp, ok := simpleString(value.First().Next()); ok && text == target.Text() {
		r.record(sp, r.outside(symKey{scope: scopeModule, name: text}, DimensionName), roleRead)
	}
}

// yield resolves the values of a yield and notes the names on its left.
func (r *resolver) yield(value, target irsyntax.Ref) {
	r.expr(value)
	if r.yields == nil {
		r.targets(target)
		return
	}
	names := target
	if target.Kind() == irsyntax.Tuple || target.Kind() == irsyntax.List {
		names = target.First()
	}
	for n := names; n.Ok(); n = n.Next() {
		if n.Kind() == irsyntax.Name {
			r.result(n)
		}
		if names == target {
			break
		}
	}
}

func (r *resolver) result(n irsyntax.Ref) {
	f, name := r.yields, n.Text()
	if s, ok := f.syms[name]; ok && f.phi {
		r.record(spanOf(n), s, roleDefine)
		return
	}
	s := r.newSym(ResultName, name, symKey{}, spanOf(n))
	if f.syms == nil {
		f.syms = map[string]int32{}
	}
	f.syms[name] = s
	f.names = append(f.names, name)
	r.record(spanOf(n), s, roleDefine)
}

func (r *resolver) collect(f *yieldFrame, body func()) {
	outer := r.yields
	r.yields = f
	body()
	r.yields = outer
}

// bindResults makes the names of a frame visible.
func (r *resolver) bindResults(f *yieldFrame) {
	for _, name := range f.names {
		r.bind(name, f.syms[name])
	}
}

func (r *resolver) forStmt(s irsyntax.Ref) {
	target, iter, body := s.First(), s.Child(1), s.Child(2)
	r.expr(iter)
	if !r.inFunc || !r.ctx.kernel {
		r.targets(target)
		r.inBlock(func() { r.stmts(body) })
		r.stmts(s.Child(3))
		return
	}
	mark := len(r.undo)
	inits := keywordOf(iter, "init_values")
	f := &yieldFrame{}
	r.inBlock(func() {
		r.loopTargets(target, isCallTo(iter, "while_"))
		r.collect(f, func() { r.stmts(body) })
	})
	r.leave(mark, !inits.Ok() || !inits.First().Ok())
	r.bindResults(f)
	r.stmts(s.Child(3))
}

// loopTargets binds the index and the carried names of a loop.
func (r *resolver) loopTargets(t irsyntax.Ref, while bool) {
	switch t.Kind() {
	case irsyntax.Name:
		if while {
			r.fresh(t, CarriedName)
		} else {
			r.fresh(t, LoopIndexName)
		}
	case irsyntax.Tuple, irsyntax.List:
		for c, i := t.First(), 0; c.Ok(); c, i = c.Next(), i+1 {
			if c.Kind() == irsyntax.Name && i == 0 && !while {
				r.fresh(c, LoopIndexName)
			} else {
				r.loopTargets(c, true)
			}
		}
	}
}

func (r *resolver) ifStmt(s irsyntax.Ref) {
	then, els := s.Child(1), s.Child(2)
	r.expr(s.First())
	leak := !hasDirectYield(then) && !hasDirectYield(els)
	f := &yieldFrame{phi: true}
	mark := len(r.undo)
	r.inBlock(func() { r.collect(f, func() { r.stmts(then) }) })
	r.leave(mark, leak)
	if els.Ok() && !els.IsEmpty() {
		mark = len(r.undo)
		r.inBlock(func() {
			if els.Kind() == irsyntax.If {
				r.collect(f, func() { r.stmt(els) })
			} else {
				r.collect(f, func() { r.stmts(els) })
			}
		})
		r.leave(mark, leak)
	}
	r.bindResults(f)
}

// hasDirectYield: with a yield of its own, a branch lets nothing else out
// (spec 01 §7.4).
func hasDirectYield(b irsyntax.Ref) bool {
	if !b.Ok() || b.Kind() != irsyntax.Block {
		return false
	}
	for s := b.First(); s.Ok(); s = s.Next() {
		switch s.Kind() {
		case irsyntax.AnnAssign, irsyntax.Assign:
			if isCallTo(lastChild(s), "yield_") {
				return true
			}
		case irsyntax.With:
			if hasDirectYield(lastChild(s)) {
				return true
			}
		}
	}
	return false
}

func (r *resolver) withStmt(s irsyntax.Ref) {
	for c := s.First(); c.Ok(); c = c.Next() {
		switch c.Kind() {
		case irsyntax.WithItem:
			r.expr(c.First())
			if as := c.Child(1); as.Kind() == irsyntax.Name && r.inFunc {
				r.fresh(as, VariableName)
			} else if !as.IsEmpty() {
				r.targets(as)
			}
		case irsyntax.Block:
			r.inBlock(func() { r.stmts(c) })
		}
	}
}

func keywordOf(call irsyntax.Ref, name string) irsyntax.Ref {
	if !call.Ok() || call.Kind() != irsyntax.Call {
		return irsyntax.Ref{}
	}
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword && a.First().Kind() == irsyntax.Name && a.First().Text() == name {
			return a.Child(1)
		}
	}
	return irsyntax.Ref{}
}

func isTrue(n irsyntax.Ref) bool { return n.Ok() && n.Kind() == irsyntax.True }
