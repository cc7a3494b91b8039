package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/memory"
)

// LensKind says what a lens shows.
type LensKind uint8

// The kinds of lenses.
const (
	// LensUsage: how full the function's spaces are, fullest first.
	LensUsage LensKind = iota
	// LensCompare: the peaks under each planner.
	LensCompare
)

// Lens is a line above a function. Its text is found by LensText.
type Lens struct {
	Kind  LensKind
	Chunk int
	Span  ir.Span // the function's name in the document
}

// Lenses are the lenses of the document in text order. Nothing is computed for
// them; functions known to have nothing to show have none.
func (d *Document) Lenses() []Lens {
	if !d.IsKernel() {
		return nil
	}
	var out []Lens
	for i, u := range d.unitOf {
		if u < 0 {
			continue
		}
		d.mu.Lock()
		f := d.funcs[i]
		d.mu.Unlock()
		var span ir.Span
		compare := true
		if f != nil {
			if f.UsageText() == "" {
				continue
			}
			span = f.NameSpan
			compare = f.Start.Stage <= memory.StageInitMemRef
		} else {
			span = nameSpan(d.File.Chunks[i].Chunk)
		}
		span = d.Abs(i, span)
		out = append(out, Lens{LensUsage, i, span})
		if compare {
			out = append(out, Lens{LensCompare, i, span})
		}
	}
	return out
}

// LensText is what a lens shows; "" when the function is not there any more.
func (d *Document) LensText(l Lens) string {
	f := d.Func(l.Chunk)
	if f == nil {
		return ""
	}
	if l.Kind == LensUsage {
		text := f.UsageText()
		if text == "" {
			return "no on-chip tiles"
		}
		if len(f.Approximate) > 0 {
			text = "≈ " + text
		}
		return text
	}
	var parts []string
	for _, c := range d.Compare(l.Chunk) {
		parts = append(parts, c.lens())
	}
	if text := strings.Join(parts, " · "); text != "" {
		return text
	}
	return "no on-chip tiles"
}

// lens is `PYPTO / DSA_RP: Vec 143,872 / 131,072 B, Acc …`.
func (c *Comparison) lens() string {
	if c.Reason != "" {
		return c.Reason
	}
	var names, spaces []string
	for _, p := range compared {
		names = append(names, p.String())
	}
	for _, s := range c.Spaces {
		var peaks []string
		for _, p := range s.Peaks {
			peaks = append(peaks, p.text(s.Limit))
		}
		spaces = append(spaces, s.Space+" "+strings.Join(peaks, " / ")+" B")
	}
	return strings.Join(names, " / ") + ": " + strings.Join(spaces, ", ")
}
