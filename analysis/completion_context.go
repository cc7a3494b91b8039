package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// probeWord stands for the word at the cursor in the text that completion looks
// at, so that there is a name in the tree whatever has been typed so far.
const probeWord = "pypto_ls_here"

// probe is the place of the cursor in a chunk whose word is replaced.
type probe struct {
	d     *Document
	chunk int
	// word is the written word around the cursor: its start and the cursor, in
	// the chunk.
	start, cursor int32
	tree          *irsyntax.Tree
	changed       *irsyntax.Chunk
	path          []irsyntax.Ref // to the probe word, the deepest node last
	base          string         // the dotted name before the word, "" for none
	deco          bool           // the dotted name begins with @
	lineStart     bool           // nothing but blanks stands before the word
	str           irsyntax.Ref   // the string literal that holds the cursor
	outside       bool           // after a function's end, by its indentation
}

// probeAt looks at the place of an offset; ok is false in comments and
// numbers, and in ordinary Python.
func (d *Document) probeAt(off int) (*probe, bool) {
	if !d.IsKernel() {
		return nil, false
	}
	chunk := d.File.ChunkAt(off)
	if chunk < 0 {
		return nil, false
	}
	e := &d.File.Chunks[chunk]
	p := &probe{d: d, chunk: chunk, cursor: int32(off) - e.Start}
	text := e.Text
	for _, c := range e.Tree().Comments {
		if c.Start < p.cursor && p.cursor <= c.End {
			return nil, false
		}
	}
	for _, r := range e.Tree().Path(p.cursor) {
		if r.Kind() == irsyntax.String && r.Start() < p.cursor && (p.cursor < r.End() || unclosed(r.Text())) {
			p.str = r
		}
	}
	i, j := int(p.cursor), int(p.cursor)
	for i > 0 && isWordByte(text[i-1]) {
		i--
	}
	for j < len(text) && isWordByte(text[j]) {
		j++
	}
	p.start = int32(i)
	if !p.str.Ok() && i < int(p.cursor) && text[i] >= '0' && text[i] <= '9' {
		return nil, false
	}
	word := probeWord
	if p.str.Ok() {
		word = text[i:j] // a string stays as it is
	}
	p.changed = chunkWith(e.Chunk, text[:i]+word+text[j:])
	p.tree = p.changed.Tree()
	p.path = p.tree.Path(p.start)
	p.before(text)
	return p, true
}

// unclosed reports a literal that does not end with the quote it begins with.
func unclosed(s string) bool {
	q := strings.IndexAny(s, `"'`)
	return q >= 0 && (len(s) < q+2 || s[len(s)-1] != s[q])
}

// before looks at the text before the word: a dotted name, a decorator's @,
// the indentation.
func (p *probe) before(text string) {
	i := int(p.start)
	for i > 0 && text[i-1] == '.' {
		j := i - 1
		for j > 0 && (text[j-1] == ' ' || text[j-1] == '\t') {
			j--
		}
		k := j
		for k > 0 && isWordByte(text[k-1]) {
			k--
		}
		if k == j {
			p.base = "?" // of an expression that is no dotted name
			return
		}
		if p.base != "" {
			p.base = "." + p.base
		}
		p.base = text[k:j] + p.base
		i = k
	}
	line := text[strings.LastIndexAny(text[:i], "\r\n")+1 : i]
	lead := strings.TrimLeft(line, " \t")
	p.deco = lead == "@"
	p.lineStart = lead == "" && p.base == ""
	indent := len(line) - len(lead)
	c := p.d.File.Chunks[p.chunk].Chunk
	p.outside = c.Kind == irsyntax.FuncChunk && p.lineStart && int(p.start) > codeEnd(c) && indent <= int(c.Indent) || p.deco && c.Kind != irsyntax.SnippetChunk
}

// replaced is the range that a completion replaces, in bytes of the document:
// what is written of the word before the cursor.
func (p *probe) replaced() ir.Span {
	return p.d.Abs(p.chunk, ir.Span{Start: p.start, End: p.cursor})
}

// argument is a place among the arguments of a call.
type argument struct {
	// index counts the positional arguments before it; keyword is the name it is
	// given under, "" for none.
	index   int
	keyword string
	// late: a keyword argument stands before it, so that it can be none but one.
	late bool
}

// call finds the innermost call whose arguments hold the word, and where in
// them.
func (p *probe) call() (irsyntax.Ref, argument) {
	for i := len(p.path) - 1; i >= 0; i-- {
		r := p.path[i]
		if r.Kind() != irsyntax.Call || p.start <= r.First().End() {
			continue
		}
		var at argument
		for a := r.First().Next(); a.Ok() && a.Start() <= p.start; a = a.Next() {
			if p.start <= a.End() {
				if a.Kind() == irsyntax.Keyword && p.start > a.First().End() {
					at.keyword = a.First().Text()
				}
				break
			}
			if a.Kind() == irsyntax.Keyword {
				at.late = true
			} else {
				at.index++
			}
		}
		return r, at
	}
	return irsyntax.Ref{}, argument{}
}

// direct reports whether the word is an argument of the call itself, not part of
// an expression in it.
func (p *probe) direct(call irsyntax.Ref) bool {
	for i, r := range p.path {
		if r == call {
			rest := p.path[i+1:]
			return len(rest) == 1 || len(rest) == 2 && rest[0].Kind() == irsyntax.Keyword
		}
	}
	return false
}

// place is the grammatical position of the word.
func (p *probe) place() place {
	switch {
	case p.deco:
		return decoratorPlace
	case p.lineStart:
		return statementPlace
	}
	for i := len(p.path) - 2; i >= 0; i-- {
		r, child := p.path[i], p.path[i+1]
		switch r.Kind() {
		case irsyntax.AnnAssign, irsyntax.Param:
			if r.Child(1) == child {
				return typePlace
			}
			return anyPlace
		case irsyntax.FuncDef:
			if child.Kind() != irsyntax.Block && child.Kind() != irsyntax.Decorator && child.Kind() != irsyntax.Params {
				return typePlace
			}
			return anyPlace
		case irsyntax.For:
			if r.Child(1) == child {
				return loopPlace
			}
			return anyPlace
		case irsyntax.WithItem:
			return scopePlace
		case irsyntax.ExprStmt:
			if t := p.tree.Text[r.Start():child.Start()]; strings.TrimSpace(t) == "" && p.base != "" {
				return statementPlace
			}
			return anyPlace
		case irsyntax.Call:
			return anyPlace
		}
	}
	return anyPlace
}

// visible are the names in scope at the cursor.
func (p *probe) visible() *chunkNames {
	return resolveProbed(p.changed, p.d.module(), p.d.nameContext(p.chunk), p.start)
}
