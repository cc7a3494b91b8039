package analysis

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// The kinds of fixes, by their LSP names.
const (
	QuickFix       = "quickfix"
	RewriteFix     = "refactor.rewrite"
	FixAllOfPypto  = "source.fixAll.pypto-ls"
	fixSeparatorID = ":"
)

// Fix is an offered change that is known to work: the changed text was read
// and planned by the same code as every text before it is offered.
type Fix struct {
	// ID names the fix among those of its finding: rule, subject, variant. It is
	// the same for the same text.
	ID string
	// Title is what the user chooses, with the resulting numbers.
	Title string
	// Kind is one of the kinds above.
	Kind string
	// Preferred: the one to take without reading on.
	Preferred bool
	// Safe fixes change nothing but the text's form, or only what is useless;
	// they may be applied all at once.
	Safe bool
	// Note is what to mind about the fix, "" for nothing.
	Note string
	// Edits are those of the document itself, in text order, disjoint.
	Edits []TextEdit
	// Others are edits of other documents.
	Others []FileEdits
}

// fixRule finds the fixes of the findings it knows. One rule, one file.
type fixRule struct {
	codes []string
	find  func(q *fixQuery) []Fix
}

// fixRules in the order in which their fixes are offered.
func fixRules() []fixRule {
	return []fixRule{
		{ringCodes, ringFixes},
		{stageCodes, stageFixes},
		{declareCodes, declareFixes},
		{declareCodes, undeclareFixes},
		{replanCodes, replanFixes},
		{yieldCodes, yieldFixes},
		{moveCodes, moveFixes},
		{deprecatedCodes, deprecatedFixes},
		{unusedAllocCodes, unusedAllocFixes},
	}
}

// fixable tells, at the price of a look-up, whether a finding may have fixes.
var fixable = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, r := range fixRules() {
		for _, c := range r.codes {
			m[c] = true
		}
	}
	return m
})

// Fixable reports whether the finding is of a kind that may have fixes; it
// costs a look-up. Which ones there are takes planning.
func (f *Finding) Fixable() bool { return f.ref.index > 0 && fixable()[f.Code] }

// findingRef says where a finding of a document comes from.
type findingRef struct {
	chunk int
	index int // in Func.Findings, counted from 1; 0 for none
}

// fixQuery asks for the fixes of one finding.
type fixQuery struct {
	d     *Document
	chunk int
	fn    *Func
	f     *Finding // of the memo: its spans count from the start of the chunk
}

// text is the function's text, tree its syntax.
func (q *fixQuery) text() string         { return q.d.File.Chunks[q.chunk].Text }
func (q *fixQuery) tree() *irsyntax.Tree { return q.d.File.Chunks[q.chunk].Tree() }

// fixCache keeps the fixes of a document's findings, apart from those in other
// documents.
type fixCache struct {
	mu    sync.Mutex
	found map[findingRef][]Fix    // guarded by mu
	plans map[replanKey]replanned // guarded by mu
}

// Fixes are the fixes of one finding of this document, as returned by
// Findings or FuncFindings, the preferred one first. docs are the other
// documents of the workspace, where the source of a dump may be.
func (d *Document) Fixes(f *Finding, docs []*Document) []Fix {
	if !f.Fixable() {
		return nil
	}
	d.fixes.mu.Lock()
	found, ok := d.fixes.found[f.ref]
	d.fixes.mu.Unlock()
	if !ok {
		found = d.findFixes(f.ref)
		d.fixes.mu.Lock()
		if d.fixes.found == nil {
			d.fixes.found = map[findingRef][]Fix{}
		}
		d.fixes.found[f.ref] = found
		d.fixes.mu.Unlock()
	}
	if len(docs) > 0 {
		found = d.withSources(f, found, docs)
	}
	return found
}

func (d *Document) findFixes(ref findingRef) []Fix {
	fn := d.Func(ref.chunk)
	if fn == nil || ref.index > len(fn.Findings) {
		return nil
	}
	q := &fixQuery{d: d, chunk: ref.chunk, fn: fn, f: &fn.Findings[ref.index-1]}
	var out []Fix
	for _, r := range fixRules() {
		if slices.Contains(r.codes, q.f.Code) {
			out = append(out, r.find(q)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Fix) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	seen := false
	for i := range out {
		out[i].Preferred = out[i].Preferred && !seen
		seen = seen || out[i].Preferred
	}
	return out
}

func rankOf(f Fix) int {
	if f.Preferred {
		return 0
	}
	return 1
}

// FoundFixes are the fixes of one finding.
type FoundFixes struct {
	Finding Finding
	Fixes   []Fix
}

// FixesAt lists the findings that touch the bytes [start, end] and have fixes.
func (d *Document) FixesAt(start, end int, docs []*Document) []FoundFixes {
	if !d.IsKernel() {
		return nil
	}
	var out []FoundFixes
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if d.unitOf[i] < 0 || e.End() < start || int(e.Start) > end {
			continue
		}
		for _, f := range d.FuncFindings(i) {
			if !f.Fixable() || int(f.Span.End) < start || int(f.Span.Start) > end {
				continue
			}
			if fixes := d.Fixes(&f, docs); len(fixes) > 0 {
				out = append(out, FoundFixes{f, fixes})
			}
		}
	}
	return out
}

// inDocument moves edits of a chunk to where the chunk stands, in text order.
func (d *Document) inDocument(chunk int, edits []TextEdit) []TextEdit {
	out := make([]TextEdit, len(edits))
	for i, e := range edits {
		out[i] = TextEdit{d.Abs(chunk, e.Span), e.Text}
	}
	return ordered(out)
}

// ordered sorts edits by place; of several insertions at one place the first
// given stays first.
func ordered(edits []TextEdit) []TextEdit {
	slices.SortStableFunc(edits, func(a, b TextEdit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	return edits
}

// ApplyEdits is the text with edits made, which are in order and disjoint.
func ApplyEdits(text string, edits []TextEdit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		start, end := int(e.Span.Start), int(e.Span.End)
		if start < at || end < start || end > len(text) {
			continue
		}
		b.WriteString(text[at:start])
		b.WriteString(e.Text)
		at = end
	}
	b.WriteString(text[at:])
	return b.String()
}

// replaceNode is the edit that puts text in the place of a node.
func replaceNode(r irsyntax.Ref, text string) TextEdit {
	return TextEdit{ir.Span{Start: r.Start(), End: r.End()}, text}
}

func insertAt(off int32, text string) TextEdit { return TextEdit{ir.Span{Start: off, End: off}, text} }
