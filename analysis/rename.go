package analysis

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// TextEdit replaces a range of a document, in bytes of the document.
type TextEdit struct {
	Span ir.Span
	Text string
}

// FileEdits are the edits of one document, in text order.
type FileEdits struct {
	Doc   *Document
	Edits []TextEdit
}

// RenameError says why a name cannot be renamed, in words for the user.
type RenameError struct{ Message string }

func (e *RenameError) Error() string { return e.Message }

func cannotRename(format string, args ...any) error {
	return &RenameError{fmt.Sprintf(format, args...)}
}

// PrepareRename finds the name at an offset that can be renamed: its range
// and its present text. The error is a *RenameError.
func (d *Document) PrepareRename(off int, docs []*Document) (ir.Span, string, error) {
	r, err := d.renaming(off, docs)
	if err != nil {
		return ir.Span{}, "", err
	}
	return r.at, r.old, nil
}

// Rename gives every use of the name at an offset a new name: in the function,
// the program, the file and the files that import from it. The result means
// the same as before; where that cannot be, the error, a *RenameError, says
// what stands in the way.
func (d *Document) Rename(off int, newName string, docs []*Document) ([]FileEdits, error) {
	r, err := d.renaming(off, docs)
	if err != nil {
		return nil, err
	}
	if newName == r.old {
		return nil, nil
	}
	if err := checkNewName(newName); err != nil {
		return nil, err
	}
	r.new = newName
	if err := r.collect(); err != nil {
		return nil, err
	}
	for i := range r.edits {
		if err := r.verify(&r.edits[i]); err != nil {
			return nil, err
		}
	}
	return r.edits, nil
}

// renaming is one rename at work.
type renaming struct {
	doc      *Document // that defines the symbol
	key      symKey
	kind     NameKind
	old, new string
	at       ir.Span // the name the user points at
	mentions []mention
	edits    []FileEdits
	// keys are the renamed symbols by document: an imported name has a key of
	// its own in every file.
	keys map[*Document]map[symKey]bool
}

func (d *Document) renaming(off int, docs []*Document) (*renaming, error) {
	chunk, n, use, ok := d.nameAt(off)
	if !ok {
		return nil, cannotRename("There is no name here that can be renamed.")
	}
	u := n.uses[use]
	s := &n.syms[u.sym]
	r := &renaming{doc: d, key: s.key, kind: s.kind, old: s.name, at: d.Abs(chunk, u.span)}
	if s.kind == UndefinedName {
		return nil, cannotRename("'%s' is not defined here, so there is nothing to rename.", s.name)
	}
	if s.key.scope != scopeLocal {
		r.doc, r.key = d.origin(s.key, docs)
		if m := r.doc.module().lookup(r.key.name); m != nil && r.key.scope == scopeModule && r.key.owner == "" {
			r.kind = m.kind
		}
	}
	if r.key.scope == scopeParam {
		c, pn, ps := r.doc.paramOf(r.key)
		if ps < 0 {
			return nil, cannotRename("'%s' is not a parameter of '%s'.", r.key.name, r.key.owner)
		}
		r.key, r.kind = pn.syms[ps].key, ParameterName
		r.mentions = r.doc.mentions(c, pn, ps, docs)
	} else {
		r.mentions = d.mentions(chunk, n, u.sym, docs)
	}
	return r, r.defined(s.name, docs)
}

// defined checks that the text holds the definition of what is to be renamed.
func (r *renaming) defined(name string, docs []*Document) error {
	switch r.key.scope {
	case scopeModule:
		m := r.doc.module().lookup(r.key.name)
		switch {
		case r.key.owner != "":
		case m == nil:
			return cannotRename("'%s' comes from an import with *; it can only be renamed where it is defined.", name)
		case m.kind == ModuleName && (name == "pl" || name == "pld"):
			return cannotRename("'%s' is the fixed prefix of the kernel language.", name)
		case m.kind == ModuleName && (m.name == m.orig || m.orig == "" && m.name == firstComponent(m.from)):
			return cannotRename("'%s' is imported from '%s', which is not in the workspace.", name, m.from)
		}
	case scopeProgram, scopeRing:
		for _, m := range r.mentions {
			for _, u := range m.uses {
				if u.role == roleDefine {
					return nil
				}
			}
		}
		return cannotRename("%s '%s' is not defined in this program.", capital(r.kind.String()), name)
	}
	return nil
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// checkNewName checks that a name can be written.
func checkNewName(name string) error {
	switch {
	case !isIdentifier(name):
		return cannotRename("'%s' is not a valid name: letters, digits and _ only, not beginning with a digit.", name)
	case pythonKeywords[name]:
		return cannotRename("'%s' is a keyword of Python.", name)
	case isLanguageWord(name):
		return cannotRename("'%s' already means something in the kernel language.", name)
	}
	return nil
}

// isIdentifier reports whether s is a Python identifier (keywords included).
func isIdentifier(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

var pythonKeywords = wordSet("False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield")

// collect makes the edits, document by document.
func (r *renaming) collect() error {
	r.keys = map[*Document]map[symKey]bool{}
	byDoc := map[*Document]int{}
	for _, m := range r.mentions {
		if len(m.uses) == 0 {
			continue
		}
		if err := r.readable(m); err != nil {
			return err
		}
		i, ok := byDoc[m.doc]
		if !ok {
			i = len(r.edits)
			byDoc[m.doc] = i
			r.edits = append(r.edits, FileEdits{Doc: m.doc})
			r.keys[m.doc] = map[symKey]bool{}
		}
		n := m.doc.namesOf(m.chunk)
		text := m.doc.File.Chunks[m.chunk].Text
		for _, u := range m.uses {
			if text[u.span.Start:u.span.End] != r.old {
				continue // an alias stands for it there
			}
			r.edits[i].Edits = append(r.edits[i].Edits, TextEdit{m.doc.Abs(m.chunk, u.span), r.new})
			if k := n.syms[u.sym].key; k.name == r.old {
				r.keys[m.doc][k] = true
			}
		}
	}
	for i := range r.edits {
		e := r.edits[i].Edits
		sort.Slice(e, func(a, b int) bool { return e[a].Span.Start < e[b].Span.Start })
	}
	return nil
}

// readable checks that no text that could not be parsed mentions the name.
func (r *renaming) readable(m mention) error {
	t := m.doc.File.Chunks[m.chunk].Tree()
	for i := range t.Nodes {
		nd := &t.Nodes[i]
		if nd.Kind == irsyntax.ErrorNode && nd.First == 0 && hasWord(t.Text[nd.Start:nd.End], r.old) {
			return cannotRename("Line %d mentions '%s' but has a syntax error; correct it first.", m.doc.Line(m.chunk, nd.Start), r.old)
		}
	}
	return nil
}

func hasWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !isWordByte(text[i-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
