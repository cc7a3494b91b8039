package analysis

import (
	"strconv"
	"strings"

	"pypto-ls/irsyntax"
)

// kernelSite is where the source of a mixed kernel says how deep its ring is:
// a function with attributes, or a scope that is outlined.
type kernelSite struct {
	chunk int
	def   irsyntax.Ref // of a function site
	call  irsyntax.Ref // `pl.at(…)` or `pl.spmd(…)` of a scope site, or the loop of a bare region
}

// kernelSites finds the source of the kernel among a document's functions
// (spec 09 §8.1): the InCore function of that name, or the scope that is
// outlined under it.
func (d *Document) kernelSites(kernel string) []kernelSite {
	var out []kernelSite
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if e.Kind != irsyntax.FuncChunk || !strings.Contains(e.Text, hintStem(kernel, e.Name)) && e.Name != kernel {
			continue
		}
		def := e.Tree().Root()
		if e.Name == kernel && isInCoreDef(def) {
			out = append(out, kernelSite{chunk: i, def: def})
			continue
		}
		if c := scopeOf(def, e.Name, kernel); c.Ok() {
			out = append(out, kernelSite{chunk: i, call: c})
		}
	}
	return out
}

// hintStem is a text that a function has to hold to have a scope that is
// outlined as kernel.
func hintStem(kernel, fn string) string {
	if strings.HasPrefix(kernel, fn+"_incore_") {
		return "pl"
	}
	return strings.TrimRight(strings.TrimRight(strings.TrimPrefix(kernel, fn+"_"), "0123456789"), "_")
}

func isInCoreDef(def irsyntax.Ref) bool {
	for c := def.First(); c.Kind() == irsyntax.Decorator; c = c.Next() {
		if call := c.First(); calleeName(call) == "function" {
			return lastName(keywordArg(call, "type")) == "InCore"
		}
	}
	return false
}

// scopeOf finds the core scope of a function that is outlined as kernel: by
// its hint, or by its number (spec 11b §5.1). It is the header's call, or the
// loop of a bare region.
func scopeOf(def irsyntax.Ref, fn, kernel string) irsyntax.Ref {
	used := map[string]bool{}
	n := 0
	found := irsyntax.Ref{}
	bare := !isInCoreDef(def) // elsewhere the reader puts a scope around bare regions
	var visit func(r irsyntax.Ref, inside bool)
	visit = func(r irsyntax.Ref, inside bool) {
		c, ok := coreScope(r)
		if !ok && bare && !inside && r.Kind() == irsyntax.For && calleeName(r.Child(1)) == "split_aiv" {
			c, ok = r, true
		}
		if ok {
			name := scopeName(c, fn, n)
			n++
			base := name
			for k := 0; used[name]; k++ {
				name = base + "_" + strconv.Itoa(k)
			}
			used[name] = true
			if !found.Ok() && (name == kernel || fn+"_"+name == kernel) {
				found = c
			}
		}
		for x := r.First(); x.Ok(); x = x.Next() {
			visit(x, inside || ok)
		}
	}
	visit(def, false)
	return found
}

// scopeName is the name that a scope is outlined under; n scopes came before.
func scopeName(c irsyntax.Ref, fn string, n int) string {
	h, ok := literal(keywordArg(c, "name_hint"))
	switch {
	case !ok || h == "":
		return fn + "_incore_" + strconv.Itoa(n)
	case calleeName(c) == "spmd":
		return strings.TrimSuffix(h, "_spmd") // as printed, the hint is that of the launch
	}
	return h
}

// coreScope is the header call of a statement that opens a core scope:
// `pl.at` at CORE_GROUP, or `pl.spmd` over statements of its own.
func coreScope(r irsyntax.Ref) (irsyntax.Ref, bool) {
	var call, body irsyntax.Ref
	switch r.Kind() {
	case irsyntax.With:
		call, body = firstOf(r.First()), lastOf(r)
	case irsyntax.For:
		call, body = r.Child(1), r.Child(2)
	default:
		return irsyntax.Ref{}, false
	}
	switch calleeName(call) {
	case "at":
		level := keywordArg(call, "level")
		if !level.Ok() {
			level = positional(call, 0)
		}
		return call, r.Kind() == irsyntax.With && lastName(level) == "CORE_GROUP"
	case "spmd":
		return call, !dispatches(body)
	}
	return irsyntax.Ref{}, false
}

// dispatches reports whether the body of a launch is an explicit inner scope,
// which carries the entry, or only calls of kernels, which have attributes of
// their own.
func dispatches(body irsyntax.Ref) bool {
	only := true
	for s := firstOf(body); s.Ok(); s = s.Next() {
		if s.Kind() == irsyntax.With && calleeName(firstOf(s.First())) == "at" {
			return true
		}
		v := s
		for v.Kind() == irsyntax.Assign || v.Kind() == irsyntax.AnnAssign || v.Kind() == irsyntax.ExprStmt || v.Kind() == irsyntax.Return {
			v = lastOf(v)
		}
		callee := firstOf(v)
		if v.Kind() != irsyntax.Call || callee.Kind() != irsyntax.Attribute || firstOf(callee).Text() != "self" {
			only = false
		}
	}
	return only
}

// slotEdits give a site a depth (spec 09 §8.1, §8.2); none when it has it
// already. The edits are in the document.
func (d *Document) slotEdits(s kernelSite, depth int64) []TextEdit {
	var edits []TextEdit
	switch {
	case s.call.Kind() == irsyntax.For:
		edits = wrapEdits(s.call, depth)
	case s.call.Ok():
		edits = scopeSlotEdits(s.call, depth)
	default:
		edits = attrSlotEdits(s.def, depth)
	}
	return changed(d.File, d.inDocument(s.chunk, edits))
}

// scopeSlotEdits change the list `optimizations=[…]` of a scope.
func scopeSlotEdits(call irsyntax.Ref, depth int64) []TextEdit {
	entry := prefixOf(call) + "cross_core_slot(slot_num=" + decimal(depth) + ")"
	list := keywordArg(call, "optimizations")
	if !list.Ok() {
		return []TextEdit{appendTo(call, "optimizations=["+entry+"]")}
	}
	if list.Kind() != irsyntax.List {
		return nil
	}
	var out []TextEdit
	for e := list.First(); e.Ok(); e = e.Next() {
		v := keywordArg(e, "slot_num")
		switch calleeName(e) {
		case "cross_core_slot":
			if !v.Ok() {
				return nil
			}
			return []TextEdit{replaceNode(v, decimal(depth))}
		case "split":
			if v.Ok() {
				out = append(out, dropArgument(e, "slot_num"))
			}
		}
	}
	return append(out, appendTo(list, entry))
}

// wrapEdits put a bare region under a scope of its own, which can say how deep
// the ring is.
func wrapEdits(loop irsyntax.Ref, depth int64) []TextEdit {
	indent, ok := lineIndent(loop)
	if !ok || strings.Contains(loop.Text(), `"""`) || strings.Contains(loop.Text(), "'''") {
		return nil // lines of a text in quotes must stay
	}
	step := "    "
	if strings.Contains(indent, "\t") {
		step = "\t"
	}
	pl := prefixOf(loop.Child(1))
	head := "with " + pl + "at(level=" + pl + "Level.CORE_GROUP, optimizations=[" + pl + "cross_core_slot(slot_num=" + decimal(depth) + ")]):"
	text := loop.T.Text
	out := []TextEdit{insertAt(loop.Start(), head+newline(text)+indent+step)}
	for i := int(loop.Start()); i < int(loop.End()); i++ {
		if text[i] != '\n' || i+1 == int(loop.End()) {
			continue
		}
		if c := text[i+1]; c != '\n' && c != '\r' {
			out = append(out, insertAt(int32(i+1), step))
		}
	}
	return out
}

// dropArgument removes a keyword argument with the comma before it.
func dropArgument(call irsyntax.Ref, key string) TextEdit {
	prev := call.First()
	for a := prev.Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword && a.First().Text() == key {
			if prev.I == call.First().I { // the first argument takes the comma after it along
				if n := a.Next(); n.Ok() {
					return TextEdit{span(a.Start(), n.Start()), ""}
				}
				return TextEdit{span(a.Start(), closing(a)), ""}
			}
			return TextEdit{span(closing(prev), closing(a)), ""}
		}
		prev = a
	}
	return insertAt(call.End(), "")
}

// attrSlotEdits change the attribute slot_num of a function.
func attrSlotEdits(def irsyntax.Ref, depth int64) []TextEdit {
	if v := slotAttr(def); v.Ok() {
		return []TextEdit{replaceNode(v, decimal(depth))}
	}
	item := `"slot_num": ` + decimal(depth)
	if dicts := prologueDicts(def); len(dicts) > 0 {
		return []TextEdit{appendTo(dicts[len(dicts)-1], item)}
	}
	body := bodyOf(def)
	if !body.Ok() {
		return nil
	}
	first := afterDocstring(body)
	indent, ok := lineIndent(first)
	if !ok {
		return nil
	}
	return []TextEdit{insertAt(first.Start(), "pl.func_attr({"+item+"})"+newline(def.T.Text)+indent)}
}
