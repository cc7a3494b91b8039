package analysis

import (
	"cmp"
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// declareCodes are the findings that other sharing may clear.
var declareCodes = []string{"capacity"}

const (
	maxDeclareTiles  = 24 // the largest tiles that are paired
	maxDeclareTrials = 96
	maxDeclareFixes  = 2
)

// declareFixes offers to declare that two tiles share storage, where they
// could but the greedy planner puts them elsewhere and the space overflows.
func declareFixes(q *fixQuery) []Fix {
	h := q.beforeMemRefs()
	if h == nil || q.d.Settings.Planner != memory.PYPTO {
		return nil
	}
	var out []Fix
	trials := 0
	for _, p := range pairs(h, q.f.Space) {
		if len(out) == maxDeclareFixes || trials == maxDeclareTrials {
			break
		}
		if q.target(p[0]).r.Ok() && q.target(p[1]).r.Ok() {
			trials++
			if bound := plan(declared(h.plan.Fn, p), q.d.Settings.config(), memory.StageInput); !fitsSpace(bound, q.f.Space) {
				continue
			}
			if f, ok := q.declareFix(p); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// beforeMemRefs is the finding's function when its text stands before
// InitMemRef, where declarations are understood; nil otherwise.
func (q *fixQuery) beforeMemRefs() *ringHalf {
	h := q.d.half(q.chunk, q.f.Func)
	if h == nil || h.stage != memory.StageInput || q.f.Space == "" {
		return nil
	}
	return h
}

// fitsSpace reports that planning went through but for other spaces.
func fitsSpace(t trial, space string) bool {
	for _, u := range t.res.Usage {
		if u.Space.String() == space {
			return !u.Over()
		}
	}
	return t.fits()
}

// pairs lists the tiles of a space that could share storage and do not, the
// pairs that would save most first.
func pairs(h *ringHalf, space string) [][2]*ir.Var {
	p := h.plan.Plan
	var tiles []memory.Member
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Space.String() == space && !b.Declared {
			tiles = append(tiles, b.Members...)
		}
	}
	slices.SortStableFunc(tiles, func(a, b memory.Member) int { return cmp.Compare(b.MemRef.Size, a.MemRef.Size) })
	tiles = tiles[:min(len(tiles), maxDeclareTiles)]
	var out [][2]*ir.Var
	for i := range tiles {
		for k := i + 1; k < len(tiles); k++ {
			switch p.WhyNotShare(tiles[i].Var, tiles[k].Var).Kind {
			case memory.ByMember, memory.OlderBuffer, memory.Placement:
				out = append(out, [2]*ir.Var{tiles[i].Var, tiles[k].Var})
			}
		}
	}
	saved := func(x [2]*ir.Var) uint64 { return min(p.Layout.MemRefOf(x[0]).Size, p.Layout.MemRefOf(x[1]).Size) }
	slices.SortStableFunc(out, func(a, b [2]*ir.Var) int { return cmp.Compare(saved(b), saved(a)) })
	return out
}

// declared is the function with both variables bound to one declaration.
func declared(fn *ir.Function, p [2]*ir.Var) *ir.Function {
	m := &ir.MemRef{Base: &ir.Var{ID: -1, Kind: ir.BaseVar, Name: "shared", Type: &ir.PtrType{}}, Offset: &ir.ConstInt{DType: ir.INT64}, Pinned: true, Slots: 1}
	w := &whatIf{typeOf: func(v *ir.Var) ir.Type {
		t, ok := v.Type.(*ir.TileType)
		if !ok || v.ID != p[0].ID && v.ID != p[1].ID {
			return nil
		}
		return pinnedTo(t, m)
	}}
	return w.function(fn)
}

// pinnedTo is t with another MemRef.
func pinnedTo(t *ir.TileType, m *ir.MemRef) *ir.TileType {
	c := *t
	c.MemRef = m
	return &c
}

// definition is where the text defines a variable.
type definition struct {
	r    irsyntax.Ref // the assignment
	name irsyntax.Ref
}

// target finds the assignment that defines v in the text.
func (q *fixQuery) target(v *ir.Var) definition {
	out := definition{}
	if !v.Span.Valid() || v.Kind != ir.PlainVar {
		return out
	}
	path := q.tree().Path(v.Span.Start)
	for i := len(path) - 1; i > 0; i-- {
		s := path[i]
		if s.Kind() != irsyntax.Assign && s.Kind() != irsyntax.AnnAssign {
			continue
		}
		if n := s.First(); n.Kind() == irsyntax.Name && n.Start() == v.Span.Start && s.NumChildren() == 2+b2i(s.Kind() == irsyntax.AnnAssign) {
			return definition{s, n}
		}
		return out
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (q *fixQuery) declareFix(p [2]*ir.Var) (Fix, bool) {
	a, b := q.target(p[0]), q.target(p[1])
	if a.r.I == b.r.I {
		return Fix{}, false
	}
	name := freshName(q.text(), "shared_"+a.name.Text())
	var edits []TextEdit
	for i, d := range []definition{a, b} {
		e, ok := q.annotate(d, p[i], name)
		if !ok {
			return Fix{}, false
		}
		edits = append(edits, e)
	}
	return q.sharingFix("declare"+fixSeparatorID+a.name.Text()+fixSeparatorID+b.name.Text(),
		"Let '"+a.name.Text()+"' and '"+b.name.Text()+"' share storage, pl.MemRef(\""+name+"\")", edits)
}

// sharingFix checks that a change of declarations clears the overflow.
func (q *fixQuery) sharingFix(id, title string, edits []TextEdit) (Fix, bool) {
	all := q.d.inDocument(q.chunk, edits)
	t, ok := q.d.try(all, q.chunk)
	gone := func(f *Finding) bool { return f.Code == q.f.Code && f.Func == q.f.Func && f.Space == q.f.Space }
	if !ok || !t.clean(gone) || moreUnsafe(q.fn, t.after.Func(q.chunk)) {
		return Fix{}, false
	}
	if s := t.space(q.f.Func, q.f.Space); s != nil {
		title += ": " + usageText(q.f.Space, s.Used, s.Limit)
	}
	return Fix{ID: id, Title: title, Kind: QuickFix, Edits: all}, true
}

// moreUnsafe reports that more values are overwritten than before.
func moreUnsafe(before, now *Func) bool {
	count := func(f *Func) (n int) {
		for i := range f.Findings {
			if f.Findings[i].Code == "unsafe-reuse" {
				n++
			}
		}
		return n
	}
	return count(now) > count(before)
}

// annotate is the edit that binds a definition to a declaration.
func (q *fixQuery) annotate(d definition, v *ir.Var, name string) (TextEdit, bool) {
	t, ok := v.Type.(*ir.TileType)
	if !ok || t.Space < 0 {
		return TextEdit{}, false
	}
	decl := `pl.MemRef("` + name + `")`
	if d.r.Kind() == irsyntax.Assign {
		m := &ir.MemRef{Base: &ir.Var{ID: -1, Kind: ir.BaseVar, Name: name, Type: &ir.PtrType{}}, Offset: &ir.ConstInt{DType: ir.INT64}, Pinned: true, Slots: 1}
		return insertAt(d.name.End(), ": "+printer.Type(nil, pinnedTo(t, m), printer.Options{})), true
	}
	parts := annotationParts(d.r.Child(1))
	if len(parts) < 2 || refPart(parts).Ok() {
		return TextEdit{}, false
	}
	for _, x := range parts[2:] {
		if strings.HasPrefix(x.Text(), "pl.Mem.") || strings.Contains(x.Text(), "MemorySpace.") {
			return insertAt(x.Start(), decl+", "), true
		}
	}
	return insertAt(closing(parts[len(parts)-1]), ", "+decl+", pl.Mem."+t.Space.String()), true
}

// annotationParts are the parts between the brackets of a tile's annotation.
func annotationParts(ann irsyntax.Ref) []irsyntax.Ref {
	if ann.Kind() != irsyntax.Subscript || lastName(ann.First()) != "Tile" {
		return nil
	}
	index := ann.Child(1)
	if index.Kind() != irsyntax.Tuple {
		return []irsyntax.Ref{index}
	}
	var out []irsyntax.Ref
	for c := index.First(); c.Ok(); c = c.Next() {
		out = append(out, c)
	}
	return out
}

// refPart is the part of an annotation that binds the tile to a MemRef.
func refPart(parts []irsyntax.Ref) irsyntax.Ref {
	for _, x := range parts[min(2, len(parts)):] {
		r := x
		if r.Kind() == irsyntax.Subscript {
			r = r.First()
		}
		if calleeName(r) == "MemRef" || r.Kind() == irsyntax.Name {
			return x
		}
	}
	return irsyntax.Ref{}
}

// undeclareFixes offers to drop a declaration that costs the overflow.
func undeclareFixes(q *fixQuery) []Fix {
	h := q.beforeMemRefs()
	if h == nil {
		return nil
	}
	var order []*ir.Var
	bound := map[*ir.Var][]*ir.Var{}
	ir.EachStmt(h.plan.Fn.Body, func(s ir.Stmt) {
		a, ok := s.(*ir.Assign)
		if !ok {
			return
		}
		t, ok := a.Var.Type.(*ir.TileType)
		if !ok || t.MemRef == nil || !t.MemRef.Pinned || t.Space.String() != q.f.Space {
			return
		}
		b := t.MemRef.Base
		if bound[b] == nil {
			order = append(order, b)
		}
		bound[b] = append(bound[b], a.Var)
	})
	var out []Fix
	for _, b := range order {
		if f, ok := q.undeclareFix(h, b, bound[b]); ok && len(out) < maxDeclareFixes {
			out = append(out, f)
		}
	}
	return out
}

func (q *fixQuery) undeclareFix(h *ringHalf, base *ir.Var, vars []*ir.Var) (Fix, bool) {
	free := func(v *ir.Var) ir.Type {
		t, ok := v.Type.(*ir.TileType)
		if !ok || t.MemRef == nil || t.MemRef.Base != base {
			return nil
		}
		return withoutMemRef(t)
	}
	if !fitsSpace(plan((&whatIf{typeOf: free}).function(h.plan.Fn), q.d.Settings.config(), memory.StageInput), q.f.Space) {
		return Fix{}, false
	}
	var edits []TextEdit
	done := map[int32]bool{}
	for _, v := range vars {
		d := q.target(v)
		if !d.r.Ok() || d.r.Kind() != irsyntax.AnnAssign {
			return Fix{}, false
		}
		if done[d.r.I] {
			continue // unrolled copies share their text
		}
		done[d.r.I] = true
		parts := annotationParts(d.r.Child(1))
		i := slices.IndexFunc(parts, func(x irsyntax.Ref) bool { return x.I == refPart(parts).I })
		if i < 1 {
			return Fix{}, false
		}
		edits = append(edits, TextEdit{span(closing(parts[i-1]), closing(parts[i])), ""})
	}
	return q.sharingFix("undeclare"+fixSeparatorID+base.Name, "Drop the declaration '"+base.Name+"' and let the planner place its tiles", ordered(edits))
}
