package analysis

// SafeFixes are the edits of all safe fixes of the document together: those
// that change nothing but its form, or only what is useless. They are disjoint
// and in order.
func (d *Document) SafeFixes() []TextEdit {
	return d.combine(func(f *Finding, x *Fix) bool { return x.Safe })
}

// SureFixes are the edits of the safe fixes and, for errors, of the preferred
// fixes that there is nothing to mind about: what `check --fix` does.
func (d *Document) SureFixes() []TextEdit {
	return d.combine(func(f *Finding, x *Fix) bool {
		return x.Safe || x.Preferred && f.Severity == Error && x.Note == ""
	})
}

// combine collects the fixes that take picks, one a finding; of fixes that
// touch the same text the first counts.
func (d *Document) combine(take func(*Finding, *Fix) bool) []TextEdit {
	var parts [][]TextEdit
	var out []TextEdit
	seen := map[string]bool{}
	for _, f := range d.Findings() {
		if !f.Fixable() {
			continue
		}
		for _, x := range d.Fixes(&f, nil) {
			if !take(&f, &x) || len(x.Edits) == 0 || seen[x.ID] {
				continue
			}
			seen[x.ID] = true
			if disjoint(out, x.Edits) {
				out = ordered(append(out, x.Edits...))
				parts = append(parts, x.Edits)
			}
			break
		}
	}
	if len(parts) < 2 || d.sound(out) {
		return out
	}
	out = nil
	for _, p := range parts { // they do not go together: as many as do
		if more := ordered(append(append([]TextEdit(nil), out...), p...)); d.sound(more) {
			out = more
		}
	}
	return out
}

// sound reports whether the edits together bring no new error.
func (d *Document) sound(edits []TextEdit) bool {
	after := d.with(edits)
	return after != nil && after.errors() <= d.errors()
}

func (d *Document) errors() int {
	n := 0
	for _, i := range d.FuncChunks() {
		for k := range d.Func(i).Findings {
			if d.Func(i).Findings[k].Severity == Error {
				n++
			}
		}
	}
	return n
}

// disjoint reports whether new edits touch none of the text of others.
func disjoint(have, add []TextEdit) bool {
	for _, a := range add {
		for _, b := range have {
			if a.Span.Start <= b.Span.End && b.Span.Start <= a.Span.End {
				return false
			}
		}
	}
	return true
}
