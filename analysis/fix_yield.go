package analysis

import (
	"strings"

	"pypto-ls/irsyntax"
)

// yieldCodes are the findings among which those about yields are.
var yieldCodes = []string{"reading", "syntax"}

// yieldFixes completes loops that carry values: a yield that is missing, or
// one whose results have no names.
func yieldFixes(q *fixQuery) []Fix {
	switch {
	case strings.HasPrefix(q.f.Message, "The loop carries "):
		return q.yieldFix("yield", q.missingYield())
	case strings.HasPrefix(q.f.Message, "Loop with init_values requires an assignment-form"):
		return q.yieldFix("yield-names", q.namedYield())
	}
	return nil
}

func (q *fixQuery) yieldFix(id string, edit *TextEdit) []Fix {
	if edit == nil {
		return nil
	}
	edits := q.d.inDocument(q.chunk, []TextEdit{*edit})
	t, ok := q.d.try(edits, q.chunk)
	if !ok || !q.clears(t) {
		return nil
	}
	return []Fix{{
		ID: id + fixSeparatorID + decimal(int64(q.f.Span.Start)), Title: "Insert `" + strings.TrimSpace(edit.Text) + "`",
		Kind: QuickFix, Preferred: true, Edits: edits,
	}}
}

// loopAt is the innermost loop that starts where the finding does, or holds it.
func (q *fixQuery) loopAt() irsyntax.Ref {
	found := irsyntax.Ref{}
	for _, r := range q.tree().Path(q.f.Span.Start) {
		if r.Kind() == irsyntax.For {
			found = r
		}
	}
	return found
}

// carried are the names that a loop carries.
func carried(loop irsyntax.Ref) []string {
	target := firstOf(loop)
	if !target.Ok() {
		return nil
	}
	if calleeName(loop.Child(1)) != "while_" {
		target = lastOf(target) // for i, (a, b) in …
	}
	var out []string
	for c := firstOf(target); c.Ok(); c = c.Next() {
		out = append(out, c.Text())
	}
	return out
}

// missingYield ends the loop's body with a yield of what it made last from
// each carried value.
func (q *fixQuery) missingYield() *TextEdit {
	loop := q.loopAt()
	if !loop.Ok() {
		return nil
	}
	body := loop.Child(2)
	names := carried(loop)
	last := lastOf(body)
	if len(names) == 0 || !last.Ok() {
		return nil
	}
	indent, ok := lineIndent(last)
	if !ok {
		return nil
	}
	values := make([]string, len(names))
	for i, n := range names {
		if values[i] = successor(body, n); values[i] == "" {
			return nil
		}
	}
	text := newline(q.text()) + indent + strings.Join(q.resultNames(loop, names), ", ") + " = pl.yield_(" + strings.Join(values, ", ") + ")"
	_, end := wholeLines(last)
	at := last.End()
	if c := strings.TrimRight(q.text()[last.End():end], "\r\n"); strings.HasPrefix(strings.TrimSpace(c), "#") {
		at += int32(len(c)) // behind the comment on the line
	}
	e := insertAt(at, text)
	return &e
}

// successor is the last value that the body makes, directly or not, from the
// carried value; the value itself when it is assigned anew.
func successor(body irsyntax.Ref, name string) string {
	from := map[string]bool{name: true}
	out := ""
	for s := firstOf(body); s.Ok(); s = s.Next() {
		if s.Kind() != irsyntax.Assign && s.Kind() != irsyntax.AnnAssign {
			continue
		}
		value := lastOf(s)
		uses := false
		eachNode(value, func(r irsyntax.Ref) { uses = uses || r.Kind() == irsyntax.Name && from[r.Text()] })
		if target := s.First(); uses && target.Kind() == irsyntax.Name && calleeName(value) != "store" {
			from[target.Text()] = true
			out = target.Text()
		}
	}
	return out
}

// resultNames are names for the results: those that the text after the loop
// uses without a definition, else new ones.
func (q *fixQuery) resultNames(loop irsyntax.Ref, carried []string) []string {
	var wanted []string
	for i := range q.fn.Findings {
		f := &q.fn.Findings[i]
		if f.Code != "name" || f.Span.Start < loop.End() {
			continue
		}
		if n := q.text()[f.Span.Start:f.Span.End]; isIdentifier(n) && !contains(wanted, n) {
			wanted = append(wanted, n)
		}
	}
	out := make([]string, len(carried))
	for i, c := range carried {
		if len(wanted) == len(carried) {
			out[i] = wanted[i]
			continue
		}
		out[i] = freshName(q.text(), c+"_next")
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// freshName is a name that the text does not have.
func freshName(text, name string) string {
	for n, k := name, 1; ; k++ {
		if !hasWord(text, n) {
			return n
		}
		n = name + "_" + decimal(int64(k))
	}
}

// namedYield gives the results of a bare yield names.
func (q *fixQuery) namedYield() *TextEdit {
	loop := q.loopAt()
	if !loop.Ok() {
		return nil
	}
	names := carried(loop)
	values := 0
	call := irsyntax.Ref{}
	eachCallNode(q.tree(), func(c irsyntax.Ref) {
		if c.Start() >= q.f.Span.Start && c.End() <= q.f.Span.End && calleeName(c) == "yield_" && !call.Ok() {
			call = c
			for a := c.First().Next(); a.Ok(); a = a.Next() {
				values++
			}
		}
	})
	if !call.Ok() || len(names) == 0 || values != len(names) {
		return nil
	}
	e := insertAt(call.Start(), strings.Join(q.resultNames(loop, names), ", ")+" = ")
	return &e
}
