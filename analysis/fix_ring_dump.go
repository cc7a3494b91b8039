package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// dumpEdits make the ring of an expanded dump have a depth: sizes, slot
// counts, attributes of both halves and the Group, and where addresses are
// assigned those of all tiles (spec 09 §8.3). The edits are in the document.
func (d *Document) dumpEdits(r *ring, depth int64) ([]TextEdit, bool) {
	var out []TextEdit
	for _, h := range r.halves {
		edits, ok := d.halfEdits(r, h, depth)
		if !ok {
			return nil, false
		}
		out = append(out, d.inDocument(h.chunk, edits)...)
	}
	if g := d.groupOf(r); g >= 0 {
		t := d.File.Chunks[g].Tree()
		if v := slotAttr(t.Root()); v.Ok() {
			out = append(out, d.inDocument(g, []TextEdit{replaceNode(v, decimal(depth))})...)
		}
	}
	return changed(d.File, ordered(out)), true
}

// changed leaves out edits that change nothing, or the same as the one before.
func changed(f *irsyntax.File, edits []TextEdit) []TextEdit {
	out := edits[:0]
	for _, e := range edits {
		if n := len(out); n > 0 && out[n-1] == e {
			continue
		}
		i := f.ChunkAt(int(e.Span.Start))
		if i >= 0 {
			c := &f.Chunks[i]
			if a, b := e.Span.Start-c.Start, e.Span.End-c.Start; int(b) <= len(c.Text) && c.Text[a:b] == e.Text {
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

func (d *Document) groupOf(r *ring) int {
	u := d.unitOf[r.halves[0].chunk]
	if u < 0 {
		return -1
	}
	for _, i := range d.units[u].funcs {
		if d.File.Chunks[i].Name == r.kernel {
			return i
		}
	}
	return -1
}

func (d *Document) halfEdits(r *ring, h *ringHalf, depth int64) ([]TextEdit, bool) {
	platform := d.Settings.Platform
	t := d.File.Chunks[h.chunk].Tree()
	ours := map[string]bool{}
	for _, b := range h.reserves {
		n, _ := stringKwarg(b, "name")
		ours[n] = true
	}
	var out []TextEdit
	inits, sizes := 0, 0
	init := h.init.Name[strings.LastIndexByte(h.init.Name, '.')+1:]
	eachCallNode(t, func(c irsyntax.Ref) {
		switch calleeName(c) {
		case "reserve_buffer":
			if n, ok := literal(keywordArg(c, "name")); ok && ours[n] {
				sizes++
				out = append(out, setKeyword(c, "size", decimal(r.bytes(h, depth, platform))))
			}
		case init:
			if id, ok := nodeInt(keywordArg(c, "id")); (ok || !keywordArg(c, "id").Ok()) && id == r.id {
				inits++
				out = append(out, setKeyword(c, "slot_num", decimal(depth)))
				if v := keywordArg(c, "local_slot_num"); v.Ok() && h.local > depth {
					out = append(out, replaceNode(v, decimal(depth)))
				}
			}
		}
	})
	if inits != 1 || sizes != len(h.reserves) {
		return nil, false
	}
	if v := slotAttr(t.Root()); v.Ok() {
		out = append(out, replaceNode(v, decimal(depth)))
	}
	if h.stage != memory.StageAllocate {
		return out, true
	}
	cfg := d.Settings.config()
	placed := plan(r.at(h, depth, platform), cfg, beforeAddresses(h.stage, cfg.Planner))
	moves, ok := addressEdits(t, h.plan.Plan, placed)
	return append(out, moves...), ok
}

// nodeInt is the value of an integer literal.
func nodeInt(r irsyntax.Ref) (int64, bool) {
	if r.Kind() != irsyntax.Int {
		return 0, false
	}
	n := int64(0)
	for _, c := range r.Text() {
		if c < '0' || c > '9' || n > 1<<55 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// slotAttr is the value of the function attribute slot_num, in the prologue or
// the decorator; the zero Ref when there is none.
func slotAttr(def irsyntax.Ref) irsyntax.Ref {
	found := irsyntax.Ref{}
	look := func(d irsyntax.Ref) {
		for it := firstOf(d); d.Kind() == irsyntax.Dict && it.Ok(); it = it.Next() {
			if k, ok := literal(it.First()); ok && k == "slot_num" && !found.Ok() {
				found = it.Child(1)
			}
		}
	}
	if def.Kind() != irsyntax.FuncDef {
		return found
	}
	for c := def.First(); c.Kind() == irsyntax.Decorator; c = c.Next() {
		if call := c.First(); call.Kind() == irsyntax.Call {
			look(keywordArg(call, "attrs"))
		}
	}
	for _, dict := range prologueDicts(def) {
		look(dict)
	}
	return found
}

// prologueDicts are the dicts of the `pl.func_attr` statements.
func prologueDicts(def irsyntax.Ref) []irsyntax.Ref {
	var out []irsyntax.Ref
	s := bodyOf(def)
	if !s.Ok() {
		return nil
	}
	for s = afterDocstring(s); s.Kind() == irsyntax.ExprStmt && calleeName(s.First()) == "func_attr"; s = s.Next() {
		if d := positional(s.First(), 0); d.Kind() == irsyntax.Dict {
			out = append(out, d)
		}
	}
	return out
}

// afterDocstring is the first statement of a body that is no docstring.
func afterDocstring(body irsyntax.Ref) irsyntax.Ref {
	s := firstOf(body)
	if s.Kind() == irsyntax.ExprStmt && s.First().Kind() == irsyntax.String && s.Next().Ok() {
		return s.Next()
	}
	return s
}

// addressEdits write the addresses of another placement into a function's
// text. was is the plan that the text states.
func addressEdits(t *irsyntax.Tree, was *memory.Plan, now trial) ([]TextEdit, bool) {
	p := memory.NewPlan(now.res, now.cfg)
	if p == nil || !p.Placed || now.res.Err != nil {
		return nil, false
	}
	moved := map[string]int64{}
	at := map[*ir.Var]uint64{}
	for i := range p.Buffers {
		at[p.Buffers[i].Base] = p.Buffers[i].Addr
	}
	for i := range was.Buffers {
		b := &was.Buffers[i]
		if a, ok := at[b.Base]; ok && a != b.Addr {
			moved[b.Base.Name] = int64(a) - int64(b.Addr)
		}
	}
	bases := map[string]int64{}
	for _, c := range pipeCallsOf(p.Layout.Fn).reserves {
		n, named := stringKwarg(c, "name")
		if base, ok := intKwarg(c, "base"); ok && named {
			bases[n] = base
		}
	}
	var out []TextEdit
	eachCallNode(t, func(c irsyntax.Ref) {
		switch calleeName(c) {
		case "reserve_buffer":
			n, _ := literal(keywordArg(c, "name"))
			if b, ok := bases[n]; ok {
				out = append(out, setKeyword(c, "base", decimal(b)))
			}
		case "MemRef":
			if by, ok := moved[baseName(positional(c, 0))]; ok {
				if e, ok := movedBy(positional(c, 1), by); ok {
					out = append(out, e)
				}
			}
		}
	})
	return out, true
}

func baseName(r irsyntax.Ref) string {
	if s, ok := literal(r); ok {
		return s
	}
	if r.Kind() == irsyntax.Name {
		return r.Text()
	}
	return ""
}

// movedBy adds to the address that an offset begins with: `pl.const(4096,
// pl.INT64)`, `4096` or `4096 + i % 2 * 64`.
func movedBy(offset irsyntax.Ref, by int64) (TextEdit, bool) {
	r := offset
	for r.Ok() {
		switch r.Kind() {
		case irsyntax.Int:
			n, ok := nodeInt(r)
			return replaceNode(r, decimal(n+by)), ok
		case irsyntax.Call:
			if calleeName(r) != "const" {
				return TextEdit{}, false
			}
			r = positional(r, 0)
		case irsyntax.BinOp:
			if r.Op() != irsyntax.OpAdd {
				return TextEdit{}, false
			}
			r = r.First()
		default:
			return TextEdit{}, false
		}
	}
	return TextEdit{}, false
}
