package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// deprecatedCodes are the findings about old spellings.
var deprecatedCodes = []string{"reading", "deprecated"}

// deprecatedFixes writes old spellings in the present way; the function means
// and plans the same.
func deprecatedFixes(q *fixQuery) []Fix {
	edits := q.modern()
	if len(edits) == 0 {
		return nil
	}
	all := q.d.inDocument(q.chunk, edits)
	t, ok := q.d.try(all, q.chunk)
	if !ok || !q.clears(t) || !sameTiles(q.fn, t.after.Func(q.chunk)) {
		return nil
	}
	return []Fix{{
		ID: "deprecated" + fixSeparatorID + decimal(int64(q.f.Span.Start)), Title: "Use the current spelling",
		Kind: QuickFix, Preferred: true, Safe: true, Edits: all,
	}}
}

func (q *fixQuery) modern() []TextEdit {
	all := oldSpellings(q.tree())
	for _, s := range all {
		if s.at != q.f.Span {
			continue
		}
		if s.known {
			return s.edits
		}
		var out []TextEdit // only the first of its kind is reported
		for _, o := range all {
			if o.message == s.message {
				out = append(out, o.edits...)
			}
		}
		return out
	}
	return nil
}

// oldSpelling is one old spelling with the edits that modernise it.
type oldSpelling struct {
	at      ir.Span
	message string
	// known: reading reports it already.
	known bool
	edits []TextEdit
}

// oldSpellings finds the old spellings of a function.
func oldSpellings(t *irsyntax.Tree) []oldSpelling {
	var out []oldSpelling
	if s, ok := attrsInDecorator(t.Root()); ok {
		out = append(out, s)
	}
	eachNode(t.Root(), func(r irsyntax.Ref) {
		switch r.Kind() {
		case irsyntax.With, irsyntax.For:
			if s, ok := slotsInSplit(r); ok {
				out = append(out, s)
			}
		case irsyntax.Attribute:
			if lastName(r) == "MemRefType" {
				out = append(out, oldSpelling{at: span(r.Start(), r.End()), message: "pl.MemRefType is the old spelling of pl.Ptr",
					edits: []TextEdit{replaceNode(r.Child(1), "Ptr")}})
			}
		case irsyntax.Call:
			if s, ok := numberedMemRef(r); ok {
				out = append(out, s)
			}
		}
	})
	return out
}

// slotsInSplit is `pl.split(MODE, slot_num=K)` (spec 09 §5).
func slotsInSplit(r irsyntax.Ref) (oldSpelling, bool) {
	call := firstOf(r.First())
	if r.Kind() == irsyntax.For {
		call = r.Child(1)
	}
	if call.Kind() != irsyntax.Call {
		return oldSpelling{}, false
	}
	list := keywordArg(call, "optimizations")
	for e := firstOf(list); list.Kind() == irsyntax.List && e.Ok(); e = e.Next() {
		k := keywordArg(e, "slot_num")
		n, ok := nodeInt(k)
		if calleeName(e) != "split" || !ok {
			continue
		}
		s := oldSpelling{message: "pl.split(slot_num=...) is deprecated; use pl.cross_core_slot(slot_num=N)", known: true, edits: scopeSlotEdits(call, n)}
		for a := e.First(); a.Ok(); a = a.Next() {
			if a.Kind() == irsyntax.Keyword && a.First().Text() == "slot_num" {
				s.at = span(a.Start(), a.End())
			}
		}
		return s, true
	}
	return oldSpelling{}, false
}

// attrsInDecorator is `@pl.function(…, attrs={…})` (spec 01 §5.1).
func attrsInDecorator(def irsyntax.Ref) (oldSpelling, bool) {
	if def.Kind() != irsyntax.FuncDef {
		return oldSpelling{}, false
	}
	for c := def.First(); c.Kind() == irsyntax.Decorator; c = c.Next() {
		call := c.First()
		dict := irsyntax.Ref{}
		if calleeName(call) == "function" {
			dict = keywordArg(call, "attrs")
		}
		body := bodyOf(def)
		if dict.Kind() != irsyntax.Dict || !body.Ok() {
			continue
		}
		s := oldSpelling{message: "attrs= of the decorator is deprecated; use pl.func_attr({...}) as the first statement"}
		for a := call.First(); a.Ok(); a = a.Next() {
			if a.Kind() == irsyntax.Keyword && a.First().Text() == "attrs" {
				s.at = span(a.Start(), a.End())
			}
		}
		first := afterDocstring(body)
		indent, ok := lineIndent(first)
		if !ok || strings.Contains(dict.Text(), "external_source") || strings.Contains(dict.Text(), "auto_scope") {
			return s, true // cannot be set in the prologue
		}
		s.edits = []TextEdit{dropArgument(call, "attrs")}
		if dict.First().Ok() {
			s.edits = append(s.edits, insertAt(first.Start(), prefixOf(call)+"func_attr("+dict.Text()+")"+newline(def.T.Text)+indent))
		}
		return s, true
	}
	return oldSpelling{}, false
}

// numberedMemRef is `pl.MemRef(addr, size, id)` or `pl.MemRef(pl.Mem.X, addr,
// size, id)` (spec 01 §6.6).
func numberedMemRef(call irsyntax.Ref) (oldSpelling, bool) {
	if calleeName(call) != "MemRef" || prefixOf(call) == "" {
		return oldSpelling{}, false
	}
	s := oldSpelling{at: span(call.Start(), call.End()), message: "MemRef by number is an old spelling; use pl.MemRef(base, offset, size)"}
	a, b, c, d := positional(call, 0), positional(call, 1), positional(call, 2), positional(call, 3)
	var base, addr, size string
	switch {
	case d.Ok() && strings.Contains(a.Text(), "Mem.") && c.Kind() == irsyntax.Int && d.Kind() == irsyntax.Int:
		base, addr, size = "mem_"+strings.ToLower(lastName(a))+"_"+d.Text(), b.Text(), c.Text()
	case !d.Ok() && c.Kind() == irsyntax.Int && a.Kind() == irsyntax.Int && b.Kind() == irsyntax.Int:
		base, addr, size = "mem_"+c.Text(), a.Text(), b.Text()
	default:
		return oldSpelling{}, false
	}
	s.edits = []TextEdit{replaceNode(call, prefixOf(call)+`MemRef("`+base+`", pl.const(`+addr+`, pl.INT64), `+size+")")}
	return s, true
}

// deprecatedFindings tells of old spellings that reading accepts silently, the
// first of each kind.
func deprecatedFindings(t *irsyntax.Tree, fn string) []Finding {
	if !strings.Contains(t.Text, "attrs=") && !strings.Contains(t.Text, "MemRef") {
		return nil
	}
	var out []Finding
	seen := map[string]bool{}
	for _, s := range oldSpellings(t) {
		if s.known || seen[s.message] {
			continue
		}
		seen[s.message] = true
		out = append(out, Finding{Code: "deprecated", Severity: Hint, Span: s.at, Func: fn, Message: s.message, Deprecated: true})
	}
	return out
}
