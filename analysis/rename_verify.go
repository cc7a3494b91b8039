package analysis

import (
	"strings"

	"pypto-ls/irsyntax"
)

// verify applies the edits of a document and resolves its names again: every
// name must denote what it denoted before, under its new name.
func (r *renaming) verify(e *FileEdits) error {
	d := e.Doc
	if err := r.free(d); err != nil {
		return err
	}
	edits := make([]irsyntax.Edit, len(e.Edits))
	shift := 0
	for i, x := range e.Edits {
		edits[i] = irsyntax.Edit{Start: int(x.Span.Start) + shift, End: int(x.Span.End) + shift, Text: x.Text}
		shift += len(x.Text) - int(x.Span.End-x.Span.Start)
	}
	after, ok := irsyntax.Reparse(d.File, edits)
	if !ok || len(after.Chunks) != len(d.File.Chunks) {
		return cannotRename("Renaming '%s' to '%s' would change how the file is read.", r.old, r.new)
	}
	mod := d.module()
	local := r.local(d)
	if !local {
		mod = moduleNamesOf(after)
	}
	for i := range after.Chunks {
		before, now := &d.File.Chunks[i], &after.Chunks[i]
		if before.Chunk == now.Chunk && (local || !strings.Contains(now.Text, r.new) && !strings.Contains(now.Text, r.old)) {
			continue
		}
		held := now.HasTree()
		n := resolveNames(now.Chunk, mod, d.nameContext(i))
		if !held {
			now.Release()
		}
		if err := r.compare(d, i, d.namesOf(i), n); err != nil {
			return err
		}
	}
	return nil
}

// local: only symbols of functions are renamed in the document.
func (r *renaming) local(d *Document) bool {
	for k := range r.keys[d] {
		if k.scope != scopeLocal {
			return false
		}
	}
	return true
}

// free checks that symbols that reach further than a function do not get the
// name of another one.
func (r *renaming) free(d *Document) error {
	for k := range r.keys[d] {
		if k.scope == scopeLocal || k.scope == scopeParam {
			continue
		}
		k.name = r.new
		if (k.scope == scopeModule || k.scope == scopeDim) && k.owner == "" {
			if m := d.module().lookup(r.new); m != nil {
				return cannotRename("'%s' is already %s of this file (line %d).", r.new, m.kind.a(), d.Line(int(m.chunk), m.span.Start))
			}
		}
		var err error
		d.eachMention(k, func(chunk int, n *chunkNames) bool {
			if uses := n.usesOf(k); len(uses) > 0 {
				s := n.syms[uses[0].sym]
				err = cannotRename("'%s' is already used as the name of %s (line %d).", r.new, s.kind.a(), d.Line(chunk, uses[0].span.Start))
			}
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// compare checks one chunk.
func (r *renaming) compare(d *Document, chunk int, before, now *chunkNames) error {
	if err := r.apart(d, chunk, before); err != nil {
		return err
	}
	to, from := map[symKey]symKey{}, map[symKey]symKey{}
	for i, u := range before.uses {
		k := before.syms[u.sym].key
		if i >= len(now.uses) {
			return r.clash(d, chunk, before, u)
		}
		got := now.syms[now.uses[i].sym].key
		switch {
		case k.scope != scopeLocal && got != r.renamed(d, k), got.scope != k.scope:
			return r.clash(d, chunk, before, u)
		case k.scope == scopeLocal:
			// Numbers may differ, what is one variable may not.
			t, known := to[k]
			f, taken := from[got]
			if known && t != got || taken && f != k {
				return r.clash(d, chunk, before, u)
			}
			to[k], from[got] = got, k
		}
	}
	if len(now.uses) != len(before.uses) {
		return cannotRename("Renaming '%s' to '%s' would change how line %d is read.", r.old, r.new, d.Line(chunk, 0))
	}
	return nil
}

// clash says what stands in the way at a use that would change its meaning.
func (r *renaming) clash(d *Document, chunk int, n *chunkNames, u nameUse) error {
	line, name := d.Line(chunk, u.span.Start), n.syms[u.sym].name
	s := symbolCalled(n, r.new)
	switch {
	case s == nil:
		return cannotRename("Renaming '%s' to '%s' would change what '%s' on line %d means.", r.old, r.new, name, line)
	case s.kind == UndefinedName:
		return cannotRename("'%s' on line %d, which nothing defines now, would mean the renamed one.", r.new, line)
	case s.def.Valid():
		return cannotRename("'%s' is already the name of %s (line %d); '%s' on line %d would mean the other one.", r.new, s.kind.a(), d.Line(chunk, s.def.Start), name, line)
	}
	return cannotRename("'%s' is already the name of %s; '%s' on line %d would mean the other one.", r.new, s.kind.a(), name, line)
}

// renamed is the key that a symbol has after the rename.
func (r *renaming) renamed(d *Document, k symKey) symKey {
	if r.keys[d][k] {
		k.name = r.new
		return k
	}
	if r.kind == FunctionName && k.owner == r.old {
		for f := range r.keys[d] {
			if k.scope == scopeParam && f.scope == scopeModule || k.scope == scopeRing && (f.scope == scopeModule && k.unit < 0 || f.scope == scopeProgram && f.unit == k.unit) {
				k.owner = r.new
				break
			}
		}
	}
	return k
}

// apart checks that allocations of a function are told apart by name, from
// each other and from variables: a MemRef finds its allocation by name.
func (r *renaming) apart(d *Document, chunk int, n *chunkNames) error {
	renamed, local, alloc := false, false, false
	for i := range n.syms {
		if r.keys[d][n.syms[i].key] {
			renamed = true
			local = local || n.syms[i].key.scope == scopeLocal
			alloc = alloc || n.syms[i].kind == AllocationName || n.syms[i].kind == DeclaredName
		}
	}
	if !renamed {
		return nil
	}
	if err := r.ambiguous(d, chunk, n); err != nil {
		return err
	}
	for i := range n.syms {
		s := &n.syms[i]
		name := s.name
		if m := d.module().lookup(name); m != nil && s.key.scope == scopeModule && s.kind == DeclaredName && m.text != "" {
			name = m.text
		}
		other := s.kind == AllocationName || s.kind == DeclaredName
		if r.keys[d][s.key] || name != r.new || !alloc && !other {
			continue
		}
		if alloc && !other && (s.key.scope != scopeLocal || r.kind == DeclaredName) {
			continue // names of declarations live apart from variables
		}
		if !alloc && (s.kind == DeclaredName || !local) {
			continue // a MemRef cannot mean a function
		}
		at := d.Line(chunk, s.def.Start)
		return cannotRename("'%s' is already the name of %s (line %d); a MemRef finds its allocation by name.", r.new, s.kind.a(), at)
	}
	return nil
}

// ambiguous: where an allocation and something else bear one name, which
// happens while a text is broken, it is not known what is meant.
func (r *renaming) ambiguous(d *Document, chunk int, n *chunkNames) error {
	var alloc, other *nameSym
	for i := range n.syms {
		s := &n.syms[i]
		switch {
		case s.name != r.old || s.key.scope != scopeLocal && s.kind != DeclaredName:
		case s.kind == AllocationName:
			alloc = s
		default:
			other = s
		}
	}
	if alloc == nil || other == nil || !r.keys[d][alloc.key] && !r.keys[d][other.key] {
		return nil
	}
	return cannotRename("'%s' is %s (line %d) as well as the base of a MemRef; give them different names first.", r.old, other.kind.a(), d.Line(chunk, other.def.Start))
}

func symbolCalled(n *chunkNames, name string) *nameSym {
	for i := range n.syms {
		if n.syms[i].name == name {
			return &n.syms[i]
		}
	}
	return nil
}
