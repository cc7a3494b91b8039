package analysis

import (
	"hash/fnv"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// moduleName is what the module level says about a name.
type moduleName struct {
	name string
	kind NameKind
	// chunk and span are its first definition.
	chunk int32
	span  ir.Span
	// text is the string a dimension or declared allocation was named with, ""
	// for none; textSpan is its place, without quotes.
	text     string
	textSpan ir.Span
	// from and orig are where it was imported from (`from from import orig`).
	from, orig string
}

// moduleNames are the module-level names of a file, in order of definition.
type moduleNames struct {
	list   []moduleName
	byName map[string]int
	// star: `from x import *` makes every unknown name known.
	star bool
	// hash changes with the names and their kinds.
	hash uint64
}

func (m *moduleNames) lookup(name string) *moduleName {
	if i, ok := m.byName[name]; ok {
		return &m.list[i]
	}
	return nil
}

func (m *moduleNames) add(n moduleName) {
	if n.name == "" {
		return
	}
	if i, ok := m.byName[n.name]; ok {
		// The last assignment counts, its first place is kept.
		n.chunk, n.span = m.list[i].chunk, m.list[i].span
		m.list[i] = n
		return
	}
	m.byName[n.name] = len(m.list)
	m.list = append(m.list, n)
}

// moduleNamesOf looks at the module-level statements and at the names of
// functions and classes; it builds no tree but those of module chunks.
func moduleNamesOf(f *irsyntax.File) *moduleNames {
	m := &moduleNames{byName: map[string]int{}}
	for i := range f.Chunks {
		e := &f.Chunks[i]
		switch e.Kind {
		case irsyntax.ModuleChunk:
			m.block(int32(i), e.Tree().Root())
		case irsyntax.FuncChunk:
			if e.Class < 0 {
				m.add(moduleName{name: e.Name, kind: FunctionName, chunk: int32(i), span: nameSpan(e.Chunk)})
			}
		case irsyntax.ClassChunk:
			m.add(moduleName{name: e.Name, kind: ProgramName, chunk: int32(i), span: classNameSpan(e.Chunk)})
		}
	}
	h := fnv.New64a()
	for i := range m.list {
		h.Write([]byte(m.list[i].name))
		h.Write([]byte{0, byte(m.list[i].kind)})
	}
	m.hash = h.Sum64()
	return m
}

func classNameSpan(c *irsyntax.Chunk) ir.Span {
	for n := c.Tree().Root().First(); n.Ok(); n = n.Next() {
		if n.Kind() == irsyntax.Name {
			return spanOf(n)
		}
	}
	return ir.Span{}
}

func spanOf(n irsyntax.Ref) ir.Span { return ir.Span{Start: n.Start(), End: n.End()} }

func (m *moduleNames) block(chunk int32, b irsyntax.Ref) {
	for s := b.First(); s.Ok(); s = s.Next() {
		m.stmt(chunk, s)
	}
}

func (m *moduleNames) stmt(chunk int32, s irsyntax.Ref) {
	switch s.Kind() {
	case irsyntax.Assign:
		value := s.First()
		for value.Ok() && value.Next().Ok() {
			value = value.Next()
		}
		for t := s.First(); t.Ok() && t != value; t = t.Next() {
			m.assign(chunk, t, value)
		}
	case irsyntax.AnnAssign:
		m.assign(chunk, s.First(), s.Child(2))
	case irsyntax.Import, irsyntax.ImportFrom:
		m.imports(chunk, s)
	case irsyntax.FuncDef, irsyntax.ClassDef:
		for n := s.First(); n.Ok(); n = n.Next() {
			if n.Kind() == irsyntax.Name {
				kind := FunctionName
				if s.Kind() == irsyntax.ClassDef {
					kind = ProgramName
				}
				m.add(moduleName{name: n.Text(), kind: kind, chunk: chunk, span: spanOf(n)})
				return
			}
		}
	default:
		if s.Kind() == irsyntax.For {
			m.assign(chunk, s.First(), irsyntax.Ref{})
		}
		for c := s.First(); c.Ok(); c = c.Next() {
			switch c.Kind() {
			case irsyntax.Block:
				m.block(chunk, c)
			case irsyntax.If: // elif
				m.stmt(chunk, c)
			case irsyntax.WithItem:
				m.assign(chunk, c.Child(1), irsyntax.Ref{})
			}
		}
	}
}

func (m *moduleNames) assign(chunk int32, t, value irsyntax.Ref) {
	switch t.Kind() {
	case irsyntax.Name:
		n := moduleName{name: t.Text(), kind: ConstantName, chunk: chunk, span: spanOf(t)}
		if value.Ok() && value.Kind() == irsyntax.Call {
			switch lastComponent(value.First()) {
			case "dynamic":
				n.kind = DimensionName
			case "MemRef":
				n.kind = DeclaredName
			}
			if arg := value.First().Next(); n.kind != ConstantName && arg.Ok() {
				n.text, n.textSpan, _ = simpleString(arg)
			}
		}
		m.add(n)
	case irsyntax.Tuple, irsyntax.List:
		v := irsyntax.Ref{}
		if value.Ok() && (value.Kind() == irsyntax.Tuple || value.Kind() == irsyntax.List) {
			v = value.First()
		}
		for c := t.First(); c.Ok(); c = c.Next() {
			m.assign(chunk, c, v)
			if v.Ok() {
				v = v.Next()
			}
		}
	case irsyntax.Star:
		m.assign(chunk, t.First(), irsyntax.Ref{})
	}
}

func (m *moduleNames) imports(chunk int32, s irsyntax.Ref) {
	n, from := s.First(), ""
	if s.Kind() == irsyntax.ImportFrom {
		from = n.Text()
		n = n.Next()
	}
	for ; n.Ok(); n = n.Next().Next() {
		alias := n.Next()
		if !alias.Ok() {
			return
		}
		x := moduleName{kind: ModuleName, chunk: chunk, from: from, orig: n.Text()}
		at := n
		if alias.Kind() == irsyntax.Name {
			at = alias
		}
		x.name, x.span = at.Text(), spanOf(at)
		if s.Kind() == irsyntax.Import {
			x.from, x.orig = n.Text(), ""
			if at == n {
				x.name = firstComponent(n.Text())
				x.span.End = x.span.Start + int32(len(x.name))
			}
		} else if x.orig == "*" {
			m.star = true
			continue
		}
		m.add(x)
	}
}

func firstComponent(dotted string) string {
	for i := 0; i < len(dotted); i++ {
		if dotted[i] == '.' || dotted[i] == ' ' {
			return dotted[:i]
		}
	}
	return dotted
}

// lastComponent is the last name of a dotted expression, "" if it is none.
func lastComponent(r irsyntax.Ref) string {
	switch r.Kind() {
	case irsyntax.Name:
		return r.Text()
	case irsyntax.Attribute:
		return r.Child(1).Text()
	}
	return ""
}

// simpleString is the content of a string literal without escapes, and its
// place without the quotes.
func simpleString(n irsyntax.Ref) (string, ir.Span, bool) {
	if !n.Ok() || n.Kind() != irsyntax.String {
		return "", ir.Span{}, false
	}
	s := n.Text()
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' || s[len(s)-1] != s[0] {
		return "", ir.Span{}, false
	}
	body := s[1 : len(s)-1]
	for i := 0; i < len(body); i++ {
		if body[i] == '\\' || body[i] == s[0] || body[i] == '\n' {
			return "", ir.Span{}, false
		}
	}
	return body, ir.Span{Start: n.Start() + 1, End: n.End() - 1}, true
}
