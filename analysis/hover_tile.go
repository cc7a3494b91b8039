package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/memory"
)

// tile tells about the tiles that stand at the name of v: several when
// lowering made copies. It is "" when there is none.
func (h *hoverer) tile(v *ir.Var) string {
	for _, s := range h.f.allSites() {
		if s.span.Start != v.Span.Start {
			continue
		}
		var b strings.Builder
		b.WriteString(h.d.tileText(h.chunk, h.f, s, h.l))
		if p, w := h.planned(s.tiles[0]); p != nil {
			b.WriteString(memberText(p.Plan, w, h.l))
			b.WriteString(apartText(p.Plan, w, h.l))
		}
		b.WriteString(h.approximate())
		b.WriteString(h.refused())
		return b.String()
	}
	return ""
}

// planned is the plan behind a compact tile, with its variable there.
func (h *hoverer) planned(at [2]int) (*PlannedDetail, *ir.Var) {
	if at[0] >= len(h.det.Plans) || h.det.Plans[at[0]].Plan == nil {
		return nil, nil
	}
	p := h.det.Plans[at[0]]
	vars := tileVars(p.Plan)
	if at[1] >= len(vars) {
		return nil, nil
	}
	return p, vars[at[1]]
}

func (h *hoverer) approximate() string {
	var b strings.Builder
	for i := range h.f.Approximate {
		fmt.Fprintf(&b, "\n\n≈ Approximate, because %s", render(h.f.Approximate[i].because(), h.l.line))
	}
	return b.String()
}

// refused repeats why the function has no placement.
func (h *hoverer) refused() string {
	for i := range h.f.Findings {
		f := h.f.Findings[i]
		if f.Code == "dsa-no-fit" {
			h.f.explainBeyond(&f)
			f.render(h.l.line)
			return "\n\n" + f.Message + "\n\n" + f.Explain
		}
	}
	return ""
}

// tileText tells what the compact result knows: type, space, range, life.
func (d *Document) tileText(chunk int, f *Func, s hintSite, l *liner) string {
	p := &f.Planned[s.tiles[0][0]]
	t := &p.Tiles[s.tiles[0][1]]
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · `%s` in **%s**", t.Name, t.Type, t.Space)
	if len(f.Planned) > 1 {
		fmt.Fprintf(&b, " of `%s`", p.Name)
	}
	switch {
	case t.Popped:
		b.WriteString("\n\nA slot of a cross-core ring: it has no buffer of its own.")
	case !p.Placed:
		fmt.Fprintf(&b, "\n\n%s, no address", sizeBoth(t.Size))
		if p.OK {
			b.WriteString(": this planner leaves addresses to PTOAS")
		}
	case t.Dynamic != "":
		fmt.Fprintf(&b, "\n\nAt run time one of the slots of its buffer: address `%s`, %s", t.Dynamic, sizeBoth(t.Size))
	default:
		b.WriteString("\n\n" + RangeText(t.Addr, t.Size))
		b.WriteString(overText(p, t))
	}
	copies := 0
	for _, at := range s.tiles[1:] {
		q := &f.Planned[at[0]].Tiles[at[1]]
		if q.Addr < 0 || q.Addr == t.Addr && at[0] == s.tiles[0][0] {
			continue
		}
		if copies++; copies > 8 {
			b.WriteString(", …")
			break
		}
		sep := ", "
		if copies == 1 {
			sep = "\n\ncopies made by lowering: "
		}
		fmt.Fprintf(&b, "%s`%s` at `%s`", sep, q.Name, AddressText(q.Addr))
	}
	if first, last := lifeLines(t, l); first > 0 {
		b.WriteString("\n\nlive at " + lineRange(first, last))
	}
	return b.String()
}

// overText tells when a tile ends beyond its space.
func overText(p *Planned, t *Tile) string {
	for _, s := range p.Spaces {
		if end := uint64(t.Addr) + t.Size; s.Space == t.Space && s.Limit > 0 && end > s.Limit {
			return fmt.Sprintf("\n\n⚠ ends %s B beyond the %s B of %s", Thousands(end-s.Limit), Thousands(s.Limit), s.Space)
		}
	}
	return ""
}

func lifeLines(t *Tile, l *liner) (first, last int) {
	if t.Live[0].Valid() {
		first = l.line(t.Live[0].Start)
	}
	if t.Live[1].Valid() {
		last = l.line(t.Live[1].Start)
	}
	return first, last
}

// lineRange is `line 12` or `lines 12–18`.
func lineRange(first, last int) string {
	if last <= first {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d–%d", first, last)
}

// RangeText is a byte range in both notations: `bytes 16,384–32,767 ·
// 0x04000–0x07fff · 16 KiB`.
func RangeText(addr int64, size uint64) string {
	if size == 0 || addr < 0 {
		return "no bytes"
	}
	last := uint64(addr) + size - 1
	return fmt.Sprintf("bytes %s–%s · `%s`–`%s` · %s", Thousands(uint64(addr)), Thousands(last), AddressText(addr), AddressText(int64(last)), sizeBoth(size))
}

// sizeBoth is `16 KiB (16,384 B)`, or `640 B`.
func sizeBoth(n uint64) string {
	short, long := SizeText(n), Thousands(n)+" B"
	if short == long {
		return long
	}
	return short + " (" + long + ")"
}

// maxListed bounds how many tiles a hover names.
const maxListed = 8

// memberText lists the buffer of a tile and what else lies in its bytes.
func memberText(p *memory.Plan, v *ir.Var, l *liner) string {
	b := p.BufferOf(v)
	if b == nil {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "\n\nbuffer `%s`, %s", b.Base.Name, sizeBoth(b.Size))
	if b.Declared {
		out.WriteString(", declared by the author")
	}
	others := p.Sharers(v)
	if len(others) == 0 {
		out.WriteString(", of this tile alone")
	}
	for i, o := range others {
		if i == maxListed {
			fmt.Fprintf(&out, "\n- and %d more", len(others)-i)
			break
		}
		if i == 0 {
			out.WriteString("; in the same bytes:")
		}
		fmt.Fprintf(&out, "\n- `%s`%s", o.Name, liveText(p, o, l))
	}
	return out.String()
}

// liveText is `, live at lines 4–9`.
func liveText(p *memory.Plan, v *ir.Var, l *liner) string {
	t := Tile{}
	findLife(p, v, p.BufferOf(v), &t)
	if first, last := lifeLines(&t, l); first > 0 {
		return ", live at " + lineRange(first, last)
	}
	return ""
}

// apartText tells, for one tile of each other buffer of the space, why they do
// not share. The plainest reason, being live together, comes last.
func apartText(p *memory.Plan, v *ir.Var, l *liner) string {
	mine := p.BufferOf(v)
	if mine == nil || !p.Placed {
		return ""
	}
	var reasons []memory.Reason
	const most = 64 // buffers that are looked at
	for i := range p.Buffers {
		o := &p.Buffers[i]
		if o == mine || o.Space != mine.Space || len(o.Members) == 0 || len(reasons) == most {
			continue
		}
		if r := p.WhyNotShare(v, o.Members[0].Var); r.Kind != memory.Shared {
			reasons = append(reasons, r)
		}
	}
	plain := func(r memory.Reason) int {
		if r.Kind == memory.LiveTogether {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(reasons, func(a, b memory.Reason) int { return cmp.Compare(plain(a), plain(b)) })
	var out strings.Builder
	for i, r := range reasons {
		if i == maxListed {
			fmt.Fprintf(&out, "\n- and %d more buffers", len(reasons)-i)
			break
		}
		if i == 0 {
			fmt.Fprintf(&out, "\n\nnot shared with the other buffers of %s:", mine.Space)
		}
		out.WriteString("\n- " + render(r.Words(where), l.line))
	}
	return out.String()
}

// HintTooltip is the Markdown behind an inlay hint; "" when the hint is not of
// this version.
func (d *Document) HintTooltip(hint InlayHint) string {
	f := d.Func(hint.Chunk)
	if f == nil {
		return ""
	}
	if hint.Tile < 0 {
		h := d.hoverer(hint.Chunk, f.NameSpan.Start)
		if h == nil {
			return ""
		}
		defer h.done()
		return h.function()
	}
	if hint.Planned < 0 || hint.Planned >= len(f.Planned) || hint.Tile >= len(f.Planned[hint.Planned].Tiles) {
		return ""
	}
	t := &f.Planned[hint.Planned].Tiles[hint.Tile]
	h := d.hoverer(hint.Chunk, t.Span.Start)
	if h == nil {
		return ""
	}
	defer h.done()
	return strings.TrimSpace(h.tile(&ir.Var{Name: t.Name, Span: t.Span}))
}
