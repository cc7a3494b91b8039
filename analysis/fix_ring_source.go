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
	call  irsyntax.Ref // `pl.at(…)` or `pl.spmd(…)` of a scope site
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
// its hint, or by its number (spec 11b §5.1).
func scopeOf(def irsyntax.Ref, fn, kernel string) irsyntax.Ref {
	used := map[string]bool{}
	n := 0
	found := irsyntax.Ref{}
	eachNode(def, func(r irsyntax.Ref) {
		c, ok := coreScope(r)
		if !ok {
			return
		}
		name := fn + "_incore_" + strconv.Itoa(n)
		n++
		if h, ok := literal(keywordArg(c, "name_hint")); ok && h != "" {
			name = h
			if calleeName(c) == "spmd" {
				name = strings.TrimSuffix(h, "_spmd") // as printed, the hint is that of the launch
			}
		}
		base := name
		for k := 0; used[name]; k++ {
			name = base + "_" + strconv.Itoa(k)
		}
		used[name] = true
		if !found.Ok() && (name == kernel || fn+"_"+name == kernel) {
			found = c
		}
	})
	return found
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
	if s.call.Ok() {
		edits = scopeSlotEdits(s.call, depth)
	} else {
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
