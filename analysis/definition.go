package analysis

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// Place is a range of a document, in bytes of the document.
type Place struct {
	Doc  *Document
	Span ir.Span
}

// Definition finds where the name at an offset is defined: for a variable the
// assignments that may have given it its value there, for a result every yield
// of it. docs are the other documents that imports may lead to.
func (d *Document) Definition(off int, docs []*Document) []Place {
	chunk, n, use, ok := d.nameAt(off)
	if !ok {
		return d.prefixDefinition(off)
	}
	u := n.uses[use]
	s := &n.syms[u.sym]
	if s.key.scope == scopeLocal {
		return d.places(chunk, n.reaching(use))
	}
	if s.kind == UndefinedName || s.kind == DimensionName && s.key.scope == scopeDim {
		return d.places(chunk, n.nearest(use))
	}
	od, key := d.origin(s.key, docs)
	if key.scope == scopeParam {
		return od.paramPlaces(key)
	}
	return od.defines(key)
}

// prefixDefinition: `pl` leads to its import.
func (d *Document) prefixDefinition(off int) []Place {
	if !d.IsKernel() {
		return nil
	}
	c := d.File.ChunkAt(off)
	if c < 0 {
		return nil
	}
	e := &d.File.Chunks[c]
	for _, r := range e.Tree().Path(int32(off) - e.Start) {
		if r.Kind() != irsyntax.Name || r.Text() != "pl" && r.Text() != "pld" {
			continue
		}
		if m := d.module().lookup(r.Text()); m != nil {
			return []Place{{d, d.Abs(int(m.chunk), m.span)}}
		}
	}
	return nil
}

func (d *Document) places(chunk int, uses []nameUse) []Place {
	var out []Place
	for _, u := range uses {
		out = append(out, Place{d, d.Abs(chunk, u.span)})
	}
	return out
}

// defines lists the definitions of a symbol that is not local.
func (d *Document) defines(k symKey) []Place {
	var out []Place
	d.eachMention(k, func(chunk int, n *chunkNames) bool {
		for _, u := range n.usesOf(k) {
			if u.role == roleDefine {
				out = append(out, Place{d, d.Abs(chunk, u.span)})
			}
		}
		return true
	})
	return out
}

// reaching lists the writes of a local symbol that may have given the value
// seen at a use: backwards up to one that every way to the use goes through.
// A definition is its own; an allocation that nothing allocates is defined by
// its first mention.
func (n *chunkNames) reaching(use int) []nameUse {
	at := n.uses[use]
	s := &n.syms[at.sym]
	if at.role == roleDefine || s.kind == ResultName {
		return n.definesOf(at.sym, at)
	}
	var writes []nameUse
	first := at
	for _, u := range n.uses {
		if u.sym != at.sym {
			continue
		}
		if u.role.writes() && u.order < at.order {
			writes = append(writes, u)
		}
		if u.order < first.order {
			first = u
		}
	}
	if len(writes) == 0 {
		if defs := n.definesOf(at.sym, at); defs != nil {
			return defs // used before it is written
		}
		return []nameUse{first}
	}
	sort.Slice(writes, func(i, j int) bool { return writes[i].order < writes[j].order })
	for i := len(writes) - 1; i > 0; i-- {
		if n.encloses(writes[i].block, at.block) {
			writes = writes[i:]
			break
		}
	}
	return writes
}

// definesOf are all definitions of a symbol; of a variable only at itself.
func (n *chunkNames) definesOf(sym int32, at nameUse) []nameUse {
	var out []nameUse
	for _, u := range n.uses {
		if u.sym == sym && u.role == roleDefine && (n.syms[sym].kind == ResultName || at.role != roleDefine || u.span == at.span) {
			out = append(out, u)
		}
	}
	return out
}

// nearest finds the definition of the same name that stands closest: what the
// user most likely means where nothing visible defines it.
func (n *chunkNames) nearest(use int) []nameUse {
	at := n.uses[use]
	name := n.syms[at.sym].name
	var before, after *nameUse
	for i := range n.uses {
		u := &n.uses[i]
		if u.role != roleDefine || n.syms[u.sym].name != name || n.syms[u.sym].kind == DeclaredName {
			continue
		}
		if u.span.Start < at.span.Start {
			before = u
		} else if after == nil {
			after = u
		}
	}
	switch {
	case before != nil:
		return []nameUse{*before}
	case after != nil:
		return []nameUse{*after}
	case n.syms[at.sym].kind == DimensionName: // a free dimension is defined by being used
		for _, u := range n.uses {
			if u.sym == at.sym {
				return []nameUse{u}
			}
		}
	}
	return nil
}

// paramPlaces finds the parameter that a keyword of a call names.
func (d *Document) paramPlaces(k symKey) []Place {
	chunk, n, sym := d.paramOf(k)
	if sym < 0 {
		return nil
	}
	return []Place{{d, d.Abs(chunk, n.syms[sym].def)}}
}

// paramOf finds the parameter k.name of the module-level function k.owner.
func (d *Document) paramOf(k symKey) (int, *chunkNames, int32) {
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if e.Kind != irsyntax.FuncChunk || e.Class >= 0 || e.Name != k.owner {
			continue
		}
		n := d.namesOf(i)
		for s := range n.syms {
			if n.syms[s].kind == ParameterName && n.syms[s].name == k.name && n.syms[s].key.scope == scopeLocal {
				return i, n, int32(s)
			}
		}
	}
	return 0, nil, -1
}

// origin follows an imported name to the document that defines it.
func (d *Document) origin(k symKey, docs []*Document) (*Document, symKey) {
	for range 8 { // imports of imports; a cycle ends here
		name := k.name
		if k.scope == scopeParam {
			name = k.owner
		}
		if k.scope != scopeModule && k.scope != scopeParam || k.owner == "MemRef" {
			return d, k
		}
		m := d.module().lookup(name)
		if m == nil || m.kind != ModuleName || m.orig == "" {
			return d, k
		}
		to := d.imported(m.from, docs)
		if to == nil || to == d || to.module().lookup(m.orig) == nil {
			return d, k
		}
		d = to
		if k.scope == scopeParam {
			k.owner = m.orig
		} else {
			k.name = m.orig
		}
	}
	return d, k
}

// imported finds the document of a module (`a.b`, `.b`); of several the one
// whose folder has most in common.
func (d *Document) imported(module string, docs []*Document) *Document {
	parts := strings.Split(strings.TrimLeft(module, "."), ".")
	var best *Document
	common := -1
	for _, o := range docs {
		if o == d || !endsInModule(o.Name, parts) {
			continue
		}
		if c := commonPrefix(o.Name, d.Name); c > common {
			best, common = o, c
		}
	}
	return best
}

func endsInModule(name string, parts []string) bool {
	path := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	last := len(path) - 1
	base, ok := strings.CutSuffix(path[last], ".py")
	if !ok {
		return false
	}
	path[last] = strings.TrimSuffix(base, ".pypto")
	if path[last] == "__init__" {
		path = path[:last]
	}
	if len(path) < len(parts) {
		return false
	}
	for i, p := range path[len(path)-len(parts):] {
		if p != parts[i] {
			return false
		}
	}
	return true
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// TypeDefinition leads from a tile or tensor to the declaration of the
// allocation it lives in: the alloc statement, the module-level declaration,
// or, for a base that nothing allocates, its first mention. Empty for values
// without a written MemRef.
func (d *Document) TypeDefinition(off int, docs []*Document) []Place {
	chunk, n, use, ok := d.nameAt(off)
	if !ok {
		return nil
	}
	s := &n.syms[n.uses[use].sym]
	if s.kind == AllocationName || s.kind == DeclaredName {
		return d.Definition(off, docs)
	}
	if s.key.scope != scopeLocal {
		return nil
	}
	for _, u := range n.reaching(use) {
		if p := d.memrefPlaces(chunk, n, u, docs); p != nil {
			return p
		}
	}
	return nil
}

// memrefPlaces finds the allocation that the annotation of a definition names.
func (d *Document) memrefPlaces(chunk int, n *chunkNames, def nameUse, docs []*Document) []Place {
	ann := annotationOf(d.File.Chunks[chunk].Tree(), def.span)
	if !ann.Ok() {
		return nil
	}
	for i, u := range n.uses {
		if u.span.Start < ann.Start() || u.span.End > ann.End() {
			continue
		}
		switch s := &n.syms[u.sym]; {
		case s.kind == AllocationName && s.def.Valid():
			return []Place{{d, d.Abs(chunk, s.def)}}
		case s.kind == AllocationName:
			for _, first := range n.uses {
				if first.sym == u.sym {
					return []Place{{d, d.Abs(chunk, first.span)}}
				}
			}
		case s.kind == DeclaredName:
			return d.Definition(int(d.File.Chunks[chunk].Start+n.uses[i].span.Start), docs)
		}
	}
	return nil
}

// annotationOf is the annotation of the name at a span, of an assignment or a
// parameter.
func annotationOf(t *irsyntax.Tree, name ir.Span) irsyntax.Ref {
	path := t.Path(name.Start)
	for i := len(path) - 1; i > 0; i-- {
		if path[i].Kind() == irsyntax.Name && spanOf(path[i]) == name {
			if k := path[i-1].Kind(); (k == irsyntax.AnnAssign || k == irsyntax.Param) && path[i-1].First() == path[i] {
				return path[i].Next()
			}
		}
	}
	return irsyntax.Ref{}
}
