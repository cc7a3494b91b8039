package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// replanCodes are the findings that say that the addresses of a text are not
// those the compiler would give.
var replanCodes = []string{"stale-address", "address", "capacity", "unsafe-reuse"}

// replanFixes gives all tiles of a function new addresses, in a text that has
// some.
func replanFixes(q *fixQuery) []Fix {
	f, ok := q.d.replan(q.chunk, q.f.Func)
	if !ok {
		return nil
	}
	t, ok := q.d.try(f.Edits, q.chunk)
	same := func(g *Finding) bool {
		return g.Code == q.f.Code && g.Func == q.f.Func && g.Space == q.f.Space && (g.Code != "unsafe-reuse" || g.Message == q.f.Message)
	}
	if !ok || !t.clean(same) {
		return nil
	}
	f.Kind, f.Preferred = QuickFix, q.f.Code == "stale-address" || q.f.Code == "address"
	return []Fix{f}
}

// replanKey is a planned function of a document.
type replanKey struct {
	chunk int
	fn    string
}

type replanned struct {
	fix Fix
	ok  bool
}

// replan plans a function whose text has addresses anew, once; ok is false when
// the text has none, or has the right ones.
func (d *Document) replan(chunk int, fn string) (Fix, bool) {
	k := replanKey{chunk, fn}
	d.fixes.mu.Lock()
	r, known := d.fixes.plans[k]
	d.fixes.mu.Unlock()
	if !known {
		r.fix, r.ok = d.planAnew(chunk, fn)
		d.fixes.mu.Lock()
		if d.fixes.plans == nil {
			d.fixes.plans = map[replanKey]replanned{}
		}
		d.fixes.plans[k] = r
		d.fixes.mu.Unlock()
	}
	return r.fix, r.ok
}

func (d *Document) planAnew(chunk int, fn string) (Fix, bool) {
	h := d.half(chunk, fn)
	if h == nil || h.stage != memory.StageAllocate || !d.Settings.Planner.Places() {
		return Fix{}, false
	}
	cfg := d.Settings.config()
	sizes := outgrown(h.plan.Plan)
	w := unplaced(h.plan.Plan, nil)
	if len(sizes) > 0 {
		w = grown(w, h.plan.Plan, sizes)
	}
	placed := plan(w.function(h.plan.Fn), cfg, beforeAddresses(h.stage, cfg.Planner))
	tree := d.File.Chunks[chunk].Tree()
	edits, ok := addressEdits(tree, h.plan.Plan, placed)
	if !ok {
		return Fix{}, false
	}
	edits = append(edits, sizeEdits(tree, h.plan.Plan, sizes)...)
	edits = changed(d.File, d.inDocument(chunk, edits))
	if len(edits) == 0 {
		return Fix{}, false
	}
	title := "Re-plan the addresses of '" + fn + "'"
	for i, u := range placed.res.Usage {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		title += sep + usageText(u.Space.String(), u.Used, u.Limit)
	}
	return Fix{ID: "replan" + fixSeparatorID + fn, Title: title, Edits: edits}, true
}

// outgrown finds the buffers that are smaller than a tile in them, with the
// bytes they need: the text was changed after it was planned.
func outgrown(p *memory.Plan) map[*ir.Var]uint64 {
	out := map[*ir.Var]uint64{}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		for _, m := range b.Members {
			t := p.Layout.Tile(m.Var)
			if t == nil || isView(p, m.Var) {
				continue
			}
			own, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, p.Config.Platform)
			if ok && own > m.MemRef.Size && own > out[b.Base] {
				out[b.Base] = own
			}
		}
	}
	return out
}

// isView reports whether a tile lies in another one by construction, where its
// own extent says nothing.
func isView(p *memory.Plan, v *ir.Var) bool {
	s, ok := p.Stmt(defOf(p, v)).(*ir.Assign)
	if !ok || s.Var != v {
		return true
	}
	c, ok := s.Value.(*ir.Call)
	return !ok || c.Op == nil || c.Op.IsView() || c.Op.ReusesInput >= 0
}

func defOf(p *memory.Plan, v *ir.Var) int32 {
	if p.Lifetimes == nil {
		return -1
	}
	live, ok := p.Lifetimes.LiveOf(v)
	if !ok {
		return -1
	}
	return live.Def
}

// grown gives the buffers of a what-if the sizes that they need.
func grown(w *whatIf, p *memory.Plan, sizes map[*ir.Var]uint64) *whatIf {
	before := w.typeOf
	refs := map[*ir.MemRef]*ir.MemRef{}
	n := *w
	n.typeOf = func(v *ir.Var) ir.Type {
		t, _ := before(v).(*ir.TileType)
		if t == nil || t.MemRef == nil || sizes[t.MemRef.Base] == 0 || isView(p, v) {
			if t == nil {
				return nil
			}
			return t
		}
		m, ok := refs[t.MemRef]
		if !ok {
			c := *t.MemRef
			c.Size = max(c.Size, sizes[c.Base])
			m = &c
			refs[t.MemRef] = m
		}
		c := *t
		c.MemRef = m
		return &c
	}
	return &n
}

// sizeEdits write the sizes of grown buffers into MemRefs and allocations.
func sizeEdits(t *irsyntax.Tree, p *memory.Plan, sizes map[*ir.Var]uint64) []TextEdit {
	if len(sizes) == 0 {
		return nil
	}
	want := map[string][2]uint64{} // by name: size before, size now
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if n := sizes[b.Base]; n > 0 {
			want[b.Base.Name] = [2]uint64{b.Members[0].MemRef.Size, n}
		}
	}
	var out []TextEdit
	set := func(base string, r irsyntax.Ref) {
		w, ok := want[base]
		if n, isInt := nodeInt(r); ok && isInt && uint64(n) < w[1] && uint64(n) == w[0] {
			out = append(out, replaceNode(r, decimal(int64(w[1]))))
		}
	}
	eachCallNode(t, func(c irsyntax.Ref) {
		if calleeName(c) == "MemRef" {
			set(baseName(positional(c, 0)), positional(c, 2))
		}
	})
	eachNode(t.Root(), func(r irsyntax.Ref) {
		if r.Kind() != irsyntax.Assign && r.Kind() != irsyntax.AnnAssign {
			return
		}
		if c := lastOf(r); calleeName(c) == "alloc" {
			set(r.First().Text(), positional(c, 1))
		}
	})
	return out
}

// editFindings are our own findings about texts that were edited by hand and
// about old spellings: what fixes alone are for.
func editFindings(d *Detail, start Start) []Finding {
	if d.Read.Opaque || d.Read.Chunk == nil {
		return nil
	}
	out := deprecatedFindings(d.Read.Chunk.Tree(), d.Read.IR.Name)
	out = append(out, spaceFindings(d.Read.IR, start)...)
	for _, p := range d.Plans {
		if !start.Lower && start.Stage == memory.StageAllocate {
			out = append(out, staleFindings(p)...)
		}
		if !start.Lower {
			out = append(out, unusedAllocFindings(p, start.Stage)...)
		}
	}
	return out
}

// staleFindings tells of addresses that no planner gives: the text was changed
// by hand after it was planned.
func staleFindings(p *PlannedDetail) []Finding {
	if p.Plan == nil || !p.Plan.Placed || p.Plan.Lifetimes == nil {
		return nil
	}
	var out []Finding
	report := func(b *memory.Buffer, format string, args ...any) {
		v := b.Members[0].Var
		f := Finding{Code: "stale-address", Severity: Warning, Span: v.Span, Func: p.Fn.Name, Space: b.Space.String(),
			Message: fmt.Sprintf(format, args...),
			Explain: "The compiler gives no such addresses; the text was changed after it was planned. Plan this function again, or compile the kernel again."}
		if !f.Span.Valid() {
			f.Span = p.Fn.NameSpan
		}
		out = append(out, f)
	}
	sizes := outgrown(p.Plan)
	order := make([]*memory.Buffer, 0, len(p.Plan.Buffers))
	for i := range p.Plan.Buffers {
		b := &p.Plan.Buffers[i]
		if len(b.Members) > 0 && constantAddress(b) {
			order = append(order, b)
		}
	}
	slices.SortStableFunc(order, func(a, b *memory.Buffer) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), cmp.Compare(a.Addr, b.Addr))
	})
	for i, b := range order {
		name := b.Members[0].Var.Name
		floor := uint64(0)
		if u := p.Plan.Space(b.Space); u != nil {
			floor = u.Reserved
		}
		switch own := sizes[b.Base]; {
		case own > 0:
			report(b, "'%s' needs %s B, but its allocation '%s' has %s B", name, Thousands(own), b.Base.Name, Thousands(b.Size))
		case b.Addr < floor:
			report(b, "'%s' lies at %s, inside the %s B that are reserved in %s", name, AddressText(int64(b.Addr)), Thousands(floor), b.Space)
		case b.Addr%32 != 0 && b.Space != platforms.DDR:
			report(b, "'%s' lies at %s, which is no multiple of 32", name, AddressText(int64(b.Addr)))
		default:
			if o := clash(order[:i], b); o != nil {
				report(b, "'%s' lies in bytes of '%s' in %s while both are live", name, o.Members[0].Var.Name, b.Space)
			}
		}
	}
	return out
}

func constantAddress(b *memory.Buffer) bool {
	for _, m := range b.Members {
		if _, ok := ir.ConstValue(m.MemRef.Offset); !ok {
			return false
		}
	}
	return true
}

// clash is a buffer among those before b, by address, that b overlaps in bytes
// and in time.
func clash(before []*memory.Buffer, b *memory.Buffer) *memory.Buffer {
	for _, o := range before {
		if o.Space == b.Space && o.Addr+o.Size > b.Addr && o.Def < b.Last && b.Def < o.Last {
			return o
		}
	}
	return nil
}
