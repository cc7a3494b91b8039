package analysis

import (
	"strings"

	"pypto-ls/analysis/rules"
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// comment tells about a diagnostic's code that a comment mentions.
func (h *hoverer) comment(c irsyntax.Comment) (string, ir.Span) {
	text := h.tree.Text
	part := func(b byte) bool {
		return b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
	}
	start, end := h.rel, h.rel
	for start > c.Start && part(text[start-1]) {
		start--
	}
	for end < c.End && part(text[end]) {
		end++
	}
	word := strings.Trim(text[start:end], "-")
	about := CodeSummary(word)
	if about == "" {
		return "", ir.Span{}
	}
	return "**" + word + "** · " + about, ir.Span{Start: start, End: end}
}

// CodeSummary says in short what a code means; "" for words that are no code.
func CodeSummary(code string) string {
	r, ok := rules.Find(code)
	if !ok {
		return ""
	}
	return r.Title + ".\n\n" + r.Short()
}
