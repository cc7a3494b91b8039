package analysis

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// eachCallNode visits the calls of a tree in text order, outer before inner.
func eachCallNode(t *irsyntax.Tree, visit func(call irsyntax.Ref)) {
	eachNode(t.Root(), func(r irsyntax.Ref) {
		if r.Kind() == irsyntax.Call {
			visit(r)
		}
	})
}

// eachNode visits r and all below it, parents first. Trees are at most as deep
// as the parser's limit.
func eachNode(r irsyntax.Ref, visit func(irsyntax.Ref)) {
	if !r.Ok() {
		return
	}
	visit(r)
	for c := r.First(); c.Ok(); c = c.Next() {
		eachNode(c, visit)
	}
}

// calleeName is the last component of what a call calls, "" for none.
func calleeName(call irsyntax.Ref) string {
	if call.Kind() != irsyntax.Call {
		return ""
	}
	return lastName(call.First())
}

func lastName(r irsyntax.Ref) string {
	switch r.Kind() {
	case irsyntax.Name:
		return r.Text()
	case irsyntax.Attribute:
		return r.Child(1).Text()
	}
	return ""
}

// prefixOf is what stands before the last component of a callee, with its
// dot: "pl." in `pl.at(…)`.
func prefixOf(call irsyntax.Ref) string {
	c := call.First()
	if c.Kind() != irsyntax.Attribute {
		return ""
	}
	return c.T.Text[c.Start():c.Child(1).Start()]
}

// firstOf and nextOf are the first child and the next sibling, the zero Ref
// also for the zero Ref.
func firstOf(r irsyntax.Ref) irsyntax.Ref {
	if !r.Ok() {
		return r
	}
	return r.First()
}

func nextOf(r irsyntax.Ref) irsyntax.Ref {
	if !r.Ok() {
		return r
	}
	return r.Next()
}

// keywordArg is the value of a keyword argument, the zero Ref when absent.
func keywordArg(call irsyntax.Ref, key string) irsyntax.Ref {
	for a := firstOf(call); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword && a.First().Text() == key {
			return a.Child(1)
		}
	}
	return irsyntax.Ref{}
}

// positional is the n-th positional argument of a call, from 0.
func positional(call irsyntax.Ref, n int) irsyntax.Ref {
	for a := nextOf(firstOf(call)); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword || a.Kind() == irsyntax.Star {
			continue
		}
		if n == 0 {
			return a
		}
		n--
	}
	return irsyntax.Ref{}
}

// literal is the content of a plain string literal; ok is false for others.
func literal(r irsyntax.Ref) (string, bool) {
	if r.Kind() != irsyntax.String || r.Has(irsyntax.FlagFString) {
		return "", false
	}
	s := r.Text()
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' || s[len(s)-1] != s[0] || strings.ContainsAny(s[1:len(s)-1], "\\\"'") {
		return "", false
	}
	return s[1 : len(s)-1], true
}

// setKeyword gives a call's keyword a value: in its place, or at the end.
func setKeyword(call irsyntax.Ref, key, value string) TextEdit {
	if v := keywordArg(call, key); v.Ok() {
		return replaceNode(v, value)
	}
	return appendTo(call, key+"="+value)
}

// appendTo adds an item at the end of a call, list or dict.
func appendTo(r irsyntax.Ref, item string) TextEdit {
	last := lastOf(r)
	if !last.Ok() || r.Kind() == irsyntax.Call && last.I == r.First().I {
		return insertAt(r.End()-1, item)
	}
	return insertAt(closing(last), ", "+item)
}

func lastOf(r irsyntax.Ref) irsyntax.Ref {
	last := irsyntax.Ref{}
	for c := firstOf(r); c.Ok(); c = c.Next() {
		last = c
	}
	return last
}

// closing is the end of a node with the parentheses around it.
func closing(r irsyntax.Ref) int32 {
	text, end := r.T.Text, r.End()
	inner := r
	for inner.Kind() == irsyntax.Keyword || inner.Kind() == irsyntax.DictItem {
		inner = lastOf(inner)
	}
	if !inner.Ok() || !inner.Has(irsyntax.FlagParen) || inner.Kind() == irsyntax.Tuple {
		return end
	}
	for i := int(end); i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\n', '\r', '\\':
		case ')':
			end = int32(i) + 1
		default:
			return end
		}
	}
	return end
}

// bodyOf is the block of a function definition, the zero Ref when r is none.
func bodyOf(def irsyntax.Ref) irsyntax.Ref {
	if def.Kind() != irsyntax.FuncDef {
		return irsyntax.Ref{}
	}
	if b := lastOf(def); b.Kind() == irsyntax.Block {
		return b
	}
	return irsyntax.Ref{}
}

// lineIndent is what stands before a node on its line; ok is false when that
// is not only blanks.
func lineIndent(r irsyntax.Ref) (string, bool) {
	if !r.Ok() {
		return "", false
	}
	text, at := r.T.Text, int(r.Start())
	start := strings.LastIndexAny(text[:at], "\r\n") + 1
	indent := text[start:at]
	return indent, strings.Trim(indent, " \t\f") == ""
}

// newline is the line end that a text uses.
func newline(text string) string {
	i := strings.IndexAny(text, "\r\n")
	switch {
	case i < 0 || text[i] == '\n':
		return "\n"
	case strings.HasPrefix(text[i:], "\r\n"):
		return "\r\n"
	}
	return "\r"
}

// wholeLines is the range of the lines that a statement is on, with the last
// line end.
func wholeLines(r irsyntax.Ref) (start, end int32) {
	text := r.T.Text
	start = int32(strings.LastIndexAny(text[:r.Start()], "\r\n") + 1)
	end = r.End()
	if i := strings.IndexAny(text[end:], "\r\n"); i >= 0 {
		end += int32(i) + 1
		if text[end-1] == '\r' && int(end) < len(text) && text[end] == '\n' {
			end++
		}
	} else {
		end = int32(len(text))
	}
	return start, end
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func span(start, end int32) ir.Span { return ir.Span{Start: start, End: end} }
