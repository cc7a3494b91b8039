package analysis

import (
	"sort"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// References lists the uses of the name at an offset, in text order, the
// document itself first; declarations says whether definitions are wanted too.
// docs are the other documents of the workspace.
func (d *Document) References(off int, declarations bool, docs []*Document) []Place {
	chunk, n, use, ok := d.nameAt(off)
	if !ok {
		return nil
	}
	var out []Place
	for _, m := range d.mentions(chunk, n, n.uses[use].sym, docs) {
		for _, u := range m.uses {
			if declarations || u.role != roleDefine {
				out = append(out, Place{m.doc, m.doc.Abs(m.chunk, u.span)})
			}
		}
	}
	return out
}

// mention are the uses of a symbol in one chunk.
type mention struct {
	doc   *Document
	chunk int
	uses  []nameUse
}

// mentions finds all uses of a symbol of a chunk: in the function, in the
// program, in the file, or in all files that import it.
func (d *Document) mentions(chunk int, n *chunkNames, sym int32, docs []*Document) []mention {
	s := &n.syms[sym]
	switch {
	case s.kind == UndefinedName:
		return []mention{{d, chunk, n.usesOf(s.key)}}
	case s.key.scope == scopeLocal:
		out := []mention{{d, chunk, n.usesOf(s.key)}}
		e := &d.File.Chunks[chunk]
		if s.kind == ParameterName && e.Kind == irsyntax.FuncChunk && e.Class < 0 {
			out = append(out, d.everywhere(symKey{scope: scopeParam, owner: e.Name, name: s.name}, docs)...)
		}
		return out
	}
	od, key := d.origin(s.key, docs)
	if key.scope == scopeParam {
		if c, pn, ps := od.paramOf(key); ps >= 0 {
			return od.mentions(c, pn, ps, docs)
		}
	}
	return od.everywhere(key, docs)
}

// everywhere finds a symbol's uses in its document and, when it can be
// imported, in the others.
func (d *Document) everywhere(k symKey, docs []*Document) []mention {
	out := d.mentionsOf(k)
	if k.scope != scopeModule && k.scope != scopeParam || k.owner == "MemRef" {
		return out
	}
	name := k.name
	if k.scope == scopeParam {
		name = k.owner
	}
	for _, o := range docs {
		if o == d || !o.IsKernel() {
			continue
		}
		for i := range o.module().list {
			m := &o.module().list[i]
			if m.kind != ModuleName || m.orig != name || o.imported(m.from, append(docs, d)) != d {
				continue
			}
			local := k
			if k.scope == scopeParam {
				local.owner = m.name
			} else {
				local.name = m.name
				out = append(out, o.importMention(m))
			}
			out = append(out, o.mentionsOf(local)...)
		}
	}
	return out
}

// importMention is the imported name itself where an alias stands for it.
func (d *Document) importMention(m *moduleName) mention {
	out := mention{doc: d, chunk: int(m.chunk)}
	if m.name == m.orig {
		return out // recorded as a use
	}
	t := d.File.Chunks[m.chunk].Tree()
	path := t.Path(m.span.Start)
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Kind() != irsyntax.ImportFrom {
			continue
		}
		for n := path[i].First(); n.Ok(); n = n.Next() {
			if a := n.Next(); a.Ok() && spanOf(a) == m.span {
				out.uses = []nameUse{{span: ir.Span{Start: n.Start(), End: n.End()}}}
			}
		}
	}
	return out
}

func (d *Document) mentionsOf(k symKey) []mention {
	var out []mention
	d.eachMention(k, func(chunk int, n *chunkNames) bool {
		if uses := n.usesOf(k); len(uses) > 0 {
			out = append(out, mention{d, chunk, uses})
		}
		return true
	})
	sort.SliceStable(out, func(i, j int) bool { return out[i].chunk < out[j].chunk })
	return out
}

// Reach tells how far the name at an offset goes: imported, that another file
// defines it; shared, that other files may use it.
func (d *Document) Reach(off int) (imported, shared bool) {
	chunk, n, use, ok := d.nameAt(off)
	if !ok {
		return false, false
	}
	s := &n.syms[n.uses[use].sym]
	switch s.key.scope {
	case scopeLocal:
		e := &d.File.Chunks[chunk]
		return false, s.kind == ParameterName && e.Kind == irsyntax.FuncChunk && e.Class < 0
	case scopeModule, scopeParam:
		name := s.key.name
		if s.key.scope == scopeParam {
			name = s.key.owner
		}
		m := d.module().lookup(name)
		return m != nil && m.orig != "", s.key.owner != "MemRef"
	}
	return false, false
}
