package analysis

import (
	"fmt"

	"pypto-ls/irsyntax"
)

// with is the document as it would be with edits made: read and planned like
// any other. nil when the edits do not fit the document.
func (d *Document) with(edits []TextEdit) *Document {
	list := make([]irsyntax.Edit, 0, len(edits))
	for i := len(edits) - 1; i >= 0; i-- { // from the end, so that offsets stay true
		e := edits[i]
		list = append(list, irsyntax.Edit{Start: int(e.Span.Start), End: int(e.Span.End), Text: e.Text})
	}
	f, ok := irsyntax.Reparse(d.File, list)
	if !ok {
		return nil
	}
	opt := Options{}
	if d.fixed {
		s := d.start
		opt.Start = &s
	}
	return d.engine.NewDocument(d.Name, f, d.Settings, opt, d)
}

// tried is a document with edits made, held against the one before.
type tried struct {
	d, after *Document
	chunks   []int // of the functions that the edits are about
}

// try makes the edits; ok is false when the result is not the same functions
// any more.
func (d *Document) try(edits []TextEdit, chunks ...int) (*tried, bool) {
	after := d.with(edits)
	if after == nil || len(after.File.Chunks) != len(d.File.Chunks) || !after.IsKernel() {
		return nil, false
	}
	for _, i := range chunks {
		a, b := &d.File.Chunks[i], &after.File.Chunks[i]
		if a.Name != b.Name || a.Kind != b.Kind || after.unitOf[i] < 0 {
			return nil, false
		}
	}
	return &tried{d, after, chunks}, true
}

// clean reports whether the edits brought no new error and removed the
// findings that gone picks.
func (t *tried) clean(gone func(*Finding) bool) bool {
	for _, i := range t.chunks {
		before, now := t.d.Func(i), t.after.Func(i)
		if before == nil || now == nil {
			return false
		}
		had := map[string]int{}
		for k := range before.Findings {
			if f := &before.Findings[k]; f.Severity == Error {
				had[errorKey(f)]++
			}
		}
		for k := range now.Findings {
			f := &now.Findings[k]
			if gone != nil && gone(f) {
				return false
			}
			if f.Severity == Error {
				if had[errorKey(f)]--; had[errorKey(f)] < 0 {
					return false
				}
			}
		}
	}
	return true
}

// clears reports whether the edits brought no new error and left fewer findings
// like the one asked about.
func (q *fixQuery) clears(t *tried) bool {
	like := func(f *Func) (n int) {
		for i := range f.Findings {
			if g := &f.Findings[i]; g.Code == q.f.Code && g.Message == q.f.Message && g.Func == q.f.Func {
				n++
			}
		}
		return n
	}
	return t.clean(nil) && like(t.after.Func(q.chunk)) < like(q.fn)
}

func errorKey(f *Finding) string {
	return f.Code + "\x00" + f.Func + "\x00" + f.Space + "\x00" + f.Message
}

// space is how full a space of a planned function is after the edits; nil when
// nothing lies in it.
func (t *tried) space(fn, space string) *Space {
	for _, i := range t.chunks {
		if s := t.after.Func(i).spaceOf(fn, space); s != nil {
			return s
		}
	}
	return nil
}

func (f *Func) spaceOf(fn, space string) *Space {
	for i := range f.Planned {
		p := &f.Planned[i]
		if p.Name != fn {
			continue
		}
		for k := range p.Spaces {
			if p.Spaces[k].Space.String() == space {
				return &p.Spaces[k]
			}
		}
	}
	return nil
}

// usageText is `Mat 500,736 / 524,288 B`.
func usageText(space string, used, limit uint64) string {
	if limit == 0 {
		return fmt.Sprintf("%s %s B", space, Thousands(used))
	}
	return fmt.Sprintf("%s %s / %s B", space, Thousands(used), Thousands(limit))
}

// overflow picks the findings that say that something does not fit.
func overflow(f *Finding) bool {
	switch f.Code {
	case "capacity", "capacity-here", "dsa-no-fit", "ring-too-large":
		return true
	}
	return false
}
