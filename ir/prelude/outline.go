package prelude

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
)

const passOutline = "OutlineIncoreScopes"

// outlineIncoreScopes turns the bodies of `pl.at(level=CORE_GROUP)` scopes into
// InCore functions and the scopes into calls (spec 11b §5.1). The new functions
// stand before the one they come from.
func outlineIncoreScopes(c *Ctx, f *ir.Function) []*ir.Function {
	switch f.Kind {
	case ir.Opaque, ir.Orchestration, ir.Graph:
	default:
		if f.Kind.IsInCore() {
			noteScopes(c, f, f.Body)
		}
		return []*ir.Function{f}
	}
	if !hasCore(f.Body) {
		// Without any scope there is nothing to outline: the tile code stays where
		// it is, and gets no addresses.
		if hasHostScope(f.Body) {
			noteTilesOutside(c, f)
		}
		return []*ir.Function{f}
	}
	o := &outliner{c: c, f: copyFunc(f), next: nextVersions(f), names: namesIn(f)}
	o.f.Body = o.block(f.Body, newVarSet(0), newSubst(0))
	noteTilesOutside(c, o.f)
	if f.Kind == ir.Opaque {
		o.f.Kind, o.f.Level, o.f.Role = ir.Orchestration, "CHIP", "Orchestrator"
	}
	return append(o.out, o.f)
}

// noteScopes says that a kernel's body has scopes, core scopes of helpers that
// were spliced in for example: they stay, and what becomes of them is not known.
// Regions of `pl.split_aiv` have their own pass.
func noteScopes(c *Ctx, f *ir.Function, body *ir.Block) {
	ir.EachStmt(body, func(st ir.Stmt) {
		if s, ok := st.(*ir.Scope); ok && s.Kind != ir.ScopeSplitAiv {
			c.note(passOutline, f, s.Span, "a scope inside a kernel")
		}
	})
}

// noteTilesOutside says that tile code of a host function was not outlined:
// bodies of `pl.spmd` loops and other scopes whose passes are not modelled.
func noteTilesOutside(c *Ctx, f *ir.Function) {
	noted := false
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if call := callOf(st); call != nil && !noted && strings.HasPrefix(call.Name, "tile.") {
			noted = true
			c.note(passOutline, f, call.Span, "tile operators outside a pl.at(level=CORE_GROUP) scope are not outlined")
		}
	})
}

// hasCore reports whether a body contains a core scope, a `pl.spmd` scope
// around tile code included.
func hasCore(b *ir.Block) bool {
	found := false
	ir.EachStmt(b, func(st ir.Stmt) {
		if s, ok := st.(*ir.Scope); ok && (s.Kind == ir.ScopeInCore || isCoreSpmd(s)) {
			found = true
		}
	})
	return found
}

// isCoreSpmd reports a `pl.spmd` scope whose body is tile code itself: the
// frontend puts an in-core scope around such a body.
func isCoreSpmd(s *ir.Scope) bool {
	if s.Kind != ir.ScopeSpmd || hasScope(s.Body, ir.ScopeInCore) {
		return false
	}
	found := false
	ir.EachStmt(s.Body, func(st ir.Stmt) {
		if c := callOf(st); c != nil && !c.IsFunc && strings.HasPrefix(c.Name, "tile.") {
			found = true
		}
	})
	return found
}

func hasScope(b *ir.Block, kind ir.ScopeKind) bool {
	found := false
	ir.EachStmt(b, func(st ir.Stmt) {
		if s, ok := st.(*ir.Scope); ok && s.Kind == kind {
			found = true
		}
	})
	return found
}

// hasHostScope reports a scope that some pass may outline.
func hasHostScope(b *ir.Block) bool {
	found := false
	ir.EachStmt(b, func(st ir.Stmt) {
		if s, ok := st.(*ir.Scope); ok && s.Kind != ir.ScopeRuntime {
			found = true
		}
	})
	return found
}

type outliner struct {
	c *Ctx
	f *ir.Function
	// out are the functions made so far, n the number of core scopes met.
	out []*ir.Function
	n   int
	// next is the next free version of a base name.
	next map[string]int
	// names are the names used inside the function.
	names map[string]bool
}

func namesIn(f *ir.Function) map[string]bool {
	names := map[string]bool{}
	see := func(v *ir.Var) { names[v.Name] = true }
	for _, p := range f.Params {
		see(p.Var)
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) { ir.EachDef(st, see) })
	return names
}

// nextVersions finds the first free version number of every base name.
func nextVersions(f *ir.Function) map[string]int {
	next := map[string]int{}
	see := func(v *ir.Var) {
		i := strings.LastIndex(v.Name, "_v")
		if i < 0 || !strings.Contains(v.Name, "__") {
			return
		}
		if n, err := strconv.Atoi(v.Name[i+2:]); err == nil {
			base := baseName(v.Name)
			next[base] = max(next[base], n+1)
		}
	}
	for _, p := range f.Params {
		see(p.Var)
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) { ir.EachDef(st, see) })
	return next
}

// block replaces the core scopes of a sequence. after are the variables that
// enclosing sequences read later; s renames what calls produce.
func (o *outliner) block(b *ir.Block, after varSet, s subst) *ir.Block {
	if b == nil {
		return nil
	}
	// Only statements with a core scope need to know what is read later.
	later := make([]varSet, len(b.Stmts))
	set := after.copy()
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		if hasCore(&ir.Block{Stmts: b.Stmts[i : i+1]}) {
			later[i] = set.copy()
		}
		set.addUses(b.Stmts[i])
	}
	out := roomFor(b)
	for i, st := range b.Stmts {
		st = substStmt(st, s)
		if sc, ok := st.(*ir.Scope); ok && sc.Kind == ir.ScopeInCore {
			o.scope(sc, later[i], s, out)
			continue
		} else if ok && isCoreSpmd(sc) {
			o.spmd(sc, later[i], s, out)
			continue
		} else if ok {
			o.otherScope(sc)
		}
		add(out, withBlocks(st, func(c *ir.Block) *ir.Block { return o.block(c, later[i], visible(st, s)) }))
	}
	return out
}

// visible is the substitution for a body of a statement: what calls in a branch
// or a loop produce is seen outside through the results alone, scopes hide
// nothing.
func visible(st ir.Stmt, s subst) subst {
	if _, ok := st.(*ir.Scope); ok {
		return s
	}
	return s.inner()
}

// otherScope says that scopes around core scopes are not modelled.
func (o *outliner) otherScope(sc *ir.Scope) {
	if sc.Kind == ir.ScopeRuntime || !hasScope(sc.Body, ir.ScopeInCore) {
		return
	}
	o.c.note(passOutline, o.f, sc.Span, "a core scope inside another scope")
}

// spmd outlines the body of a `pl.spmd` scope; its loop variable is the index
// of the block.
func (o *outliner) spmd(sc *ir.Scope, later varSet, s subst, out *ir.Block) {
	core := &ir.Scope{StmtMeta: sc.StmtMeta, Kind: ir.ScopeInCore, Body: &ir.Block{}}
	if sc.Var != nil {
		add(core.Body, &ir.Assign{StmtMeta: ir.StmtMeta{Span: sc.Span}, Var: sc.Var, Value: newCall("tile.get_block_idx", sc.Span, nil)})
	}
	core.Body.Stmts = append(core.Body.Stmts, sc.Body.Stmts...)
	for _, a := range sc.Attrs {
		switch a.Key {
		case "name_hint":
			if hint, ok := a.Value.(string); ok {
				core.Attrs = append(core.Attrs, ir.Attr{Key: a.Key, Value: strings.TrimSuffix(hint, "_spmd")})
			}
		case "split", "slot_num":
			core.Attrs = append(core.Attrs, a)
		}
	}
	n := *sc
	n.Var = nil
	n.Attrs = withoutAttrs(sc.Attrs, "split", "slot_num")
	n.Body = &ir.Block{}
	o.scope(core, later, s, n.Body)
	add(out, &n)
}

// scope outlines one scope.
func (o *outliner) scope(sc *ir.Scope, later varSet, s subst, out *ir.Block) {
	o.noteUnmodelled(sc)
	p := outlinePlan(sc.Body, later)
	name := o.name(sc)
	g := p.function(name, o.f, sc)
	o.out = append(o.out, g)

	args := make([]ir.Expr, len(p.live))
	for i, v := range p.live {
		args[i] = s.expr(v)
	}
	meta := ir.StmtMeta{Span: sc.Span}
	call := &ir.Call{Name: name, IsFunc: true, Args: args, Span: sc.Span, Type: ir.Unknown}
	results := append([]*ir.Var(nil), p.results...)
	for _, t := range p.targets {
		base := baseName(t.target.Name)
		v := o.f.NewVar(ir.PlainVar, base+"__ssa_v"+itoa(o.next[base]), t.target.Type, t.target.Span)
		o.next[base]++
		results = append(results, v)
		s.set(t.target, v)
		for _, r := range t.stored {
			s.set(r, v)
		}
	}
	switch len(results) {
	case 0:
		add(out, &ir.Eval{StmtMeta: meta, X: call})
	case 1:
		call.Type = results[0].Type
		add(out, &ir.Assign{StmtMeta: meta, Var: results[0], Value: call})
	default:
		t := &ir.TupleType{}
		for _, r := range results {
			t.Elems = append(t.Elems, r.Type)
		}
		call.Type = t
		tuple := o.f.NewVar(ir.PlainVar, "ret__tmp_v0", t, sc.Span)
		add(out, &ir.Assign{StmtMeta: meta, Var: tuple, Value: call})
		for i, r := range results {
			add(out, &ir.Assign{StmtMeta: meta, Var: r, Value: &ir.TupleGet{Tuple: tuple, Index: i}})
		}
	}
}

// noteUnmodelled says what in a scope, or its header, changes the kernel or the
// call in ways that are not modelled.
func (o *outliner) noteUnmodelled(sc *ir.Scope) {
	if sc.TaskVar != nil {
		o.c.note(passOutline, o.f, sc.Span, "the scope is submitted as a task")
	}
	// CtrlFlowTransform, which runs before, only looks at functions that are
	// in-core then.
	eachJump(sc.Body, func(word string, st ir.Stmt) {
		o.c.note(passOutline, o.f, st.Meta().Span, word+" in a core scope, which no pass removes")
	})
	noteScopes(o.c, o.f, sc.Body)
	for _, a := range sc.Attrs {
		switch a.Key {
		case "level", "role", "name_hint", "split", "slot_num", "windowize":
		default:
			o.c.note(passOutline, o.f, sc.Span, "the scope has the option "+a.Key)
		}
	}
}

// name is the outlined function's name.
func (o *outliner) name(sc *ir.Scope) string {
	k := o.n
	o.n++
	name := ""
	if v, ok := ir.FindAttr(sc.Attrs, "name_hint"); ok {
		name, _ = v.(string)
	}
	if name == "" {
		name = o.f.Name + "_incore_" + itoa(k)
	}
	// The one that comes second goes by another name, and which one that is is not
	// known from one function.
	if o.c.Outlined != nil && o.c.Outlined(name) {
		o.c.note(passOutline, o.f, sc.Span, "another function may have a scope named `"+name+"`")
	}
	taken := func(n string) bool { return o.names[n] || o.c.Used != nil && o.c.Used(n) }
	switch {
	case o.names[name]:
		base := name
		for i := 0; taken(name); i++ {
			name = base + "_" + itoa(i)
		}
	case taken(name):
		base := o.f.Name + "_" + name
		name = base
		for i := 0; taken(name); i++ {
			name = base + "_" + itoa(i)
		}
	}
	o.names[name] = true
	return name
}
