package analysis

import (
	"sort"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// resolver finds out what each name of a chunk denotes. It follows the scopes
// of the reader (spec 01 §10), but needs no types.
type resolver struct {
	mod *moduleNames
	ctx nameContext
	out *chunkNames

	scope  map[string]int32
	undo   []nameUndo
	bases  map[string]int32 // allocations, interned by name (spec 01 §6.6)
	global map[symKey]int32 // symbols that live outside the function
	yields *yieldFrame      // of the innermost loop body or branch, nil outside
	block  int32
	strict bool
	own    string // the function's name, "" outside
	// inFunc: what is assigned is a variable of a function, or of the anonymous
	// one of a snippet.
	inFunc bool

	probe  int32 // offset whose visible names are wanted, -1 for none
	probed []int32
}

type nameUndo struct {
	name string
	old  int32 // -1: was not visible
}

// yieldFrame collects the left sides of the yields of a loop or branch.
type yieldFrame struct {
	names []string
	syms  map[string]int32
	phi   bool // one symbol for a name, however often it is yielded
}

// resolveNames resolves the names of a chunk. It is total.
func resolveNames(c *irsyntax.Chunk, mod *moduleNames, ctx nameContext) *chunkNames {
	return resolveProbed(c, mod, ctx, -1)
}

// resolveProbed also finds the names that are visible at an offset.
func resolveProbed(c *irsyntax.Chunk, mod *moduleNames, ctx nameContext, probe int32) *chunkNames {
	r := &resolver{mod: mod, ctx: ctx, out: &chunkNames{parent: []int32{-1}}, scope: map[string]int32{}, bases: map[string]int32{}, global: map[symKey]int32{}, inFunc: c.Kind == irsyntax.FuncChunk || c.Kind == irsyntax.SnippetChunk, probe: probe}
	if c.Kind == irsyntax.FuncChunk {
		r.own = c.Name
	}
	t := c.Tree()
	root := t.Root()
	switch root.Kind() {
	case irsyntax.FuncDef:
		r.function(root, true)
	case irsyntax.ClassDef:
		r.classDef(root)
	default:
		r.stmts(root)
	}
	if c.Kind == irsyntax.ModuleChunk {
		r.headerComment(t)
	}
	r.out.sort()
	r.out.visible = r.probed
	return r.out
}

// headerComment: a dump begins with `# pypto.program: NAME`.
func (r *resolver) headerComment(t *irsyntax.Tree) {
	const head = "# pypto.program: "
	for _, c := range t.Comments {
		text := t.Text[c.Start:c.End]
		if len(text) <= len(head) || text[:len(head)] != head {
			continue
		}
		name := text[len(head):]
		if m := r.mod.lookup(name); m != nil && m.kind == ProgramName {
			r.record(ir.Span{Start: c.End - int32(len(name)), End: c.End}, r.outside(symKey{scope: scopeModule, name: name}, ProgramName), roleRead)
		}
	}
}

// newSym makes a symbol; the key of a local one is completed.
func (r *resolver) newSym(kind NameKind, name string, key symKey, def ir.Span) int32 {
	i := int32(len(r.out.syms))
	if key.scope == scopeLocal {
		key = symKey{unit: r.ctx.chunk, sym: i, name: name}
	}
	r.out.syms = append(r.out.syms, nameSym{key: key, kind: kind, name: name, def: def})
	return i
}

// outside is the symbol of a name that lives outside the function.
func (r *resolver) outside(k symKey, kind NameKind) int32 {
	if i, ok := r.global[k]; ok {
		if r.out.syms[i].kind == UndefinedName {
			r.out.syms[i].kind = kind
		}
		return i
	}
	i := r.newSym(kind, k.name, k, ir.Span{})
	r.global[k] = i
	return i
}

func (r *resolver) record(sp ir.Span, sym int32, role nameRole) {
	if sp.End <= sp.Start {
		return
	}
	r.out.uses = append(r.out.uses, nameUse{span: sp, sym: sym, block: r.block, order: int32(len(r.out.uses)), role: role})
	if role.writes() && !r.out.syms[sym].def.Valid() {
		r.out.syms[sym].def = sp
	}
}

func (r *resolver) bind(name string, sym int32) {
	old, ok := r.scope[name]
	if !ok {
		old = -1
	}
	r.undo = append(r.undo, nameUndo{name, old})
	r.scope[name] = sym
}

func (r *resolver) leave(mark int, leak bool) {
	if leak {
		return
	}
	for i := len(r.undo) - 1; i >= mark; i-- {
		if u := r.undo[i]; u.old < 0 {
			delete(r.scope, u.name)
		} else {
			r.scope[u.name] = u.old
		}
	}
	r.undo = r.undo[:mark]
}

// fresh binds a name to a new symbol.
func (r *resolver) fresh(n irsyntax.Ref, kind NameKind) {
	s := r.newSym(kind, n.Text(), symKey{}, spanOf(n))
	r.bind(n.Text(), s)
	r.record(spanOf(n), s, roleDefine)
}

// define is an assignment: to the ordinary variable of that name, or to a new
// one (spec 01 §10.2).
func (r *resolver) define(n irsyntax.Ref) {
	if !r.inFunc {
		r.moduleDef(n)
		return
	}
	if old, ok := r.scope[n.Text()]; ok && !r.strict {
		if k := r.out.syms[old].kind; k != CarriedName && k != AllocationName {
			role := roleWrite
			if !r.out.syms[old].def.Valid() {
				role = roleDefine
			}
			r.record(spanOf(n), old, role)
			return
		}
	}
	r.fresh(n, VariableName)
}

func (r *resolver) moduleDef(n irsyntax.Ref) {
	if r.ctx.class >= 0 {
		return // class attributes mean nothing to kernels
	}
	kind := ConstantName
	if m := r.mod.lookup(n.Text()); m != nil {
		kind = m.kind
	}
	r.record(spanOf(n), r.outside(symKey{scope: scopeModule, name: n.Text()}, kind), roleDefine)
}

// targets defines every name of an assignment's target.
func (r *resolver) targets(t irsyntax.Ref) {
	switch t.Kind() {
	case irsyntax.Name:
		r.define(t)
	case irsyntax.Tuple, irsyntax.List, irsyntax.Star:
		for c := t.First(); c.Ok(); c = c.Next() {
			r.targets(c)
		}
	case irsyntax.Subscript: // t[i:j] = … rebinds t
		if base := t.First(); base.Kind() == irsyntax.Name {
			r.name(base, roleReadWrite)
			r.expr(t.Child(1))
			return
		}
		r.expr(t)
	default:
		if t.Ok() {
			r.expr(t)
		}
	}
}

// inBlock runs f in a new block.
func (r *resolver) inBlock(f func()) {
	outer := r.block
	r.out.parent = append(r.out.parent, outer)
	r.block = int32(len(r.out.parent) - 1)
	f()
	r.block = outer
}

// stmts resolves the statements of a block node.
func (r *resolver) stmts(b irsyntax.Ref) {
	for s := b.First(); s.Ok(); s = s.Next() {
		if r.probe >= 0 && s.Start() <= r.probe {
			if next := s.Next(); !next.Ok() || next.Start() > r.probe {
				r.look()
			}
		}
		r.stmt(s)
	}
}

// look notes what is visible now.
func (r *resolver) look() {
	r.probed = r.probed[:0]
	for _, sym := range r.scope {
		r.probed = append(r.probed, sym)
	}
	syms := r.out.syms
	sort.Slice(r.probed, func(i, j int) bool {
		a, b := &syms[r.probed[i]], &syms[r.probed[j]]
		if a.name != b.name {
			return a.name < b.name
		}
		return r.probed[i] < r.probed[j]
	})
}

func (r *resolver) stmt(s irsyntax.Ref) {
	switch s.Kind() {
	case irsyntax.AnnAssign:
		r.annAssign(s)
	case irsyntax.Assign:
		r.assign(s)
	case irsyntax.AugAssign:
		r.expr(s.Child(1))
		if t := s.First(); t.Kind() == irsyntax.Name {
			r.name(t, roleReadWrite)
		} else {
			r.targets(t)
		}
	case irsyntax.For:
		r.forStmt(s)
	case irsyntax.While:
		r.expr(s.First())
		f := &yieldFrame{}
		r.inBlock(func() { r.collect(f, func() { r.stmts(s.Child(1)) }) })
		r.bindResults(f)
		r.stmts(s.Child(2))
	case irsyntax.If:
		r.ifStmt(s)
	case irsyntax.With:
		r.withStmt(s)
	case irsyntax.FuncDef:
		r.nested(s)
	case irsyntax.ClassDef:
		if n := childName(s); n.Ok() {
			r.define(n)
		}
		r.children(s)
	case irsyntax.Import, irsyntax.ImportFrom:
		r.imports(s)
	case irsyntax.ErrorNode:
		r.broken(s)
	default:
		r.children(s)
	}
}

// children resolves the blocks and expressions of any other statement.
func (r *resolver) children(s irsyntax.Ref) {
	for c := s.First(); c.Ok(); c = c.Next() {
		switch c.Kind() {
		case irsyntax.Block:
			r.stmts(c)
		case irsyntax.Decorator:
			r.expr(c.First())
		case irsyntax.If:
			r.stmt(c)
		default:
			if c.Kind() == irsyntax.Name && s.Kind() == irsyntax.ClassDef {
				continue
			}
			r.expr(c)
		}
	}
}

// broken: what could be read of a broken statement; a name before `=` is
// taken as defined (spec 01 §14).
func (r *resolver) broken(s irsyntax.Ref) {
	c := s.First()
	if c.Ok() && c.Kind() == irsyntax.Name && assigned(s.T.Text[c.End():s.End()]) {
		for x := c.Next(); x.Ok(); x = x.Next() {
			r.expr(x)
		}
		r.define(c)
		return
	}
	r.children(s)
}

// assigned reports whether the text after a name begins with a single `=`.
func assigned(rest string) bool {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case ' ', '\t':
		case '=':
			return i+1 == len(rest) || rest[i+1] != '='
		default:
			return false
		}
	}
	return false
}

func (r *resolver) imports(s irsyntax.Ref) {
	n := s.First()
	if s.Kind() == irsyntax.ImportFrom {
		n = n.Next()
	}
	for ; n.Ok() && n.Next().Ok(); n = n.Next().Next() {
		at := n
		if a := n.Next(); a.Kind() == irsyntax.Name {
			at = a
		}
		if r.inFunc {
			r.define(at)
			continue
		}
		name := firstComponent(at.Text())
		if m := r.mod.lookup(name); m != nil {
			sp := spanOf(at)
			sp.End = sp.Start + int32(len(name))
			r.record(sp, r.outside(symKey{scope: scopeModule, name: name}, m.kind), roleDefine)
		}
	}
}

func childName(s irsyntax.Ref) irsyntax.Ref {
	for n := s.First(); n.Ok(); n = n.Next() {
		if n.Kind() == irsyntax.Name {
			return n
		}
	}
	return irsyntax.Ref{}
}

func lastChild(s irsyntax.Ref) irsyntax.Ref {
	var last irsyntax.Ref
	for c := s.First(); c.Ok(); c = c.Next() {
		last = c
	}
	return last
}

func isCallTo(n irsyntax.Ref, name string) bool {
	return n.Ok() && n.Kind() == irsyntax.Call && lastComponent(n.First()) == name
}
