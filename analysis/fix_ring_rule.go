package analysis

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// ringCodes are the findings that a shallower ring may clear.
var ringCodes = []string{"capacity", "capacity-here", "dsa-no-fit", "ring-too-large"}

// ringFixes offers depths of the automatic cross-core ring that pays for an
// overflow: the largest at which both halves fit, then smaller ones.
func ringFixes(q *fixQuery) []Fix {
	r := q.d.payingRing(q.chunk, q.f)
	if r == nil {
		return nil
	}
	var out []Fix
	for _, n := range r.offered(q.d.Settings.config()) {
		f, ok := q.depthFix(r, n)
		if !ok {
			continue
		}
		f.Preferred = len(out) == 0
		out = append(out, f)
	}
	return out
}

// payingRing is the automatic ring whose bytes count in the space that the
// finding says is too full; nil when there is none.
func (d *Document) payingRing(chunk int, f *Finding) *ring {
	r := d.ringOf(chunk, f.Func)
	if r == nil {
		return nil
	}
	h := r.halves[0]
	if use := h.plan.Plan.Space(h.space); use == nil || use.Reserved == 0 {
		return nil
	}
	if f.Space != "" && f.Space != h.space.String() {
		return nil
	}
	return r
}

// depthFix is the fix that gives the ring a depth, made in this document; ok
// is false when the changed text does not bear it out.
func (q *fixQuery) depthFix(r *ring, depth int64) (Fix, bool) {
	edits, ok := q.d.ringEdits(r, depth)
	if !ok || len(edits) == 0 {
		return Fix{}, false
	}
	t, ok := q.d.try(edits, r.chunks()...)
	if !ok || !t.clean(r.overflows) {
		return Fix{}, false
	}
	h := r.halves[0]
	s := t.space(h.plan.Fn.Name, h.space.String())
	if s == nil {
		return Fix{}, false
	}
	return Fix{
		ID:    r.fixID(depth),
		Title: "Set cross_core_slot(slot_num=" + decimal(depth) + "): " + usageText(h.space.String(), s.Used, s.Limit) + r.brief(depth),
		Kind:  QuickFix, Note: r.caution(depth), Edits: edits,
	}, true
}

const (
	ringFixID   = "ring" + fixSeparatorID
	loweredMark = fixSeparatorID + "source"
)

// fixID names the fix that gives the ring a depth; the mark tells that it
// changes the kernel's source already.
func (r *ring) fixID(depth int64) string {
	id := ringFixID + r.kernel + fixSeparatorID + decimal(depth)
	if r.lowered {
		id += loweredMark
	}
	return id
}

// ringEdits are the edits by what the text is: an expanded dump, or the
// kernel's own source.
func (d *Document) ringEdits(r *ring, depth int64) ([]TextEdit, bool) {
	if !r.lowered || d.setsUp(r) {
		return d.dumpEdits(r, depth)
	}
	for _, s := range d.kernelSites(r.kernel) {
		if s.chunk == r.halves[0].chunk {
			return d.slotEdits(s, depth), true
		}
	}
	return nil, false
}

// setsUp reports whether the text sets the pipe up itself, so that the
// attribute slot_num means nothing (spec 09 §4, step 2).
func (d *Document) setsUp(r *ring) bool {
	return strings.Contains(d.File.Chunks[r.halves[0].chunk].Text, "reserve_buffer")
}

// chunks are the functions of the text that the ring is about.
func (r *ring) chunks() []int {
	out := []int{r.halves[0].chunk}
	for _, h := range r.halves[1:] {
		if h.chunk != out[0] {
			out = append(out, h.chunk)
		}
	}
	return out
}

// overflows picks the findings that one of the halves does not fit.
func (r *ring) overflows(f *Finding) bool {
	if !overflow(f) {
		return false
	}
	for _, h := range r.halves {
		if f.Func == h.plan.Fn.Name {
			return true
		}
	}
	return false
}

// maxSources bounds in how many files the source of a dump is offered.
const maxSources = 3

// WantsSources reports whether other documents may hold the source of what a
// fix changes here: the fix is one of a dump's ring.
func (d *Document) WantsSources(x *Fix) bool {
	return strings.HasPrefix(x.ID, ringFixID) && !strings.HasSuffix(x.ID, loweredMark)
}

// withSources adds, behind the preferred depth of a ring, the fixes that give
// the kernel's source in another document that depth (spec 09 §8.1).
func (d *Document) withSources(f *Finding, found []Fix, docs []*Document) []Fix {
	for i := range found {
		if !found[i].Preferred || !d.WantsSources(&found[i]) {
			continue
		}
		r := d.payingRing(f.ref.chunk, &d.Func(f.ref.chunk).Findings[f.ref.index-1])
		if r == nil {
			break
		}
		more := d.sourceFixes(r, &found[i], docs)
		return slices.Concat(found[:i+1:i+1], more, found[i+1:])
	}
	return found
}

func (d *Document) sourceFixes(r *ring, preferred *Fix, docs []*Document) []Fix {
	depth, _ := strconv.ParseInt(preferred.ID[strings.LastIndex(preferred.ID, fixSeparatorID)+1:], 10, 64)
	var out []Fix
	for _, o := range docs {
		if o == d || len(out) == maxSources {
			continue
		}
		if _, dump := StartOfName(o.Name); dump || !mentions(o, r.kernel) {
			continue
		}
		for _, s := range o.kernelSites(r.kernel) {
			edits := o.slotEdits(s, depth)
			if len(edits) == 0 || !o.reads(edits, s.chunk) {
				continue
			}
			name := path.Base(strings.ReplaceAll(o.Name, `\`, "/"))
			out = append(out, Fix{
				ID:    "ring-source" + fixSeparatorID + r.kernel + fixSeparatorID + decimal(depth) + fixSeparatorID + o.Name,
				Title: strings.Replace(preferred.Title, "):", ") in "+name+":", 1),
				Kind:  QuickFix, Note: joinNotes(r.caution(depth), "The dump changes when the kernel is compiled again."),
				Others: []FileEdits{{Doc: o, Edits: edits}},
			})
			break
		}
	}
	return out
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

// mentions reports whether a document may define the kernel.
func mentions(o *Document, kernel string) bool {
	stem := kernel
	if i := strings.Index(kernel, "_incore_"); i > 0 {
		stem = kernel[:i]
	}
	for i := range o.File.Chunks {
		if strings.Contains(o.File.Chunks[i].Text, strings.TrimRight(strings.TrimRight(stem, "0123456789"), "_")) {
			return true
		}
	}
	return false
}

// reads reports whether the edits leave a text that reads as well as before.
func (d *Document) reads(edits []TextEdit, chunk int) bool {
	after := d.with(edits)
	if after == nil || len(after.File.Chunks) != len(d.File.Chunks) {
		return false
	}
	before, now := d.File.Chunks[chunk].Tree(), after.File.Chunks[chunk].Tree()
	return len(now.Errors) <= len(before.Errors)
}
