package analysis

import (
	"strings"

	"pypto-ls/ir"
)

// liner gives 1-based document lines for offsets in one chunk's text; rising
// offsets cost what lies between them.
type liner struct {
	text string
	base int // 1-based line of the chunk's first line
	off  int
	n    int
}

func (d *Document) liner(chunk int) *liner {
	e := &d.File.Chunks[chunk]
	return &liner{text: e.Text, base: int(e.Line) + 1}
}

func (l *liner) line(off int32) int {
	o := min(max(int(off), 0), len(l.text))
	if o < l.off {
		l.off, l.n = 0, 0
	}
	l.n += countLines(l.text[l.off:o], l.text[o:])
	l.off = o
	return l.base + l.n
}

// countLines counts line ends in s; rest tells whether a final CR is half of
// a CRLF.
func countLines(s, rest string) int {
	n := strings.Count(s, "\n")
	if strings.IndexByte(s, '\r') < 0 {
		return n
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\r' {
			continue
		}
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		} else if rest != "" {
			next = rest[0]
		}
		if next != '\n' {
			n++
		}
	}
	return n
}

// Line is the 1-based document line of an offset in the chunk's text.
func (d *Document) Line(chunk int, off int32) int { return d.liner(chunk).line(off) }

// Abs turns a span of a chunk into a span of the document.
func (d *Document) Abs(chunk int, s ir.Span) ir.Span {
	b := int32(d.File.Chunks[chunk].Start)
	return ir.Span{Start: s.Start + b, End: s.End + b}
}

// FuncFindings are the findings of the function at a chunk, with document
// offsets and line numbers put in.
func (d *Document) FuncFindings(chunk int) []Finding {
	f := d.Func(chunk)
	if f == nil || len(f.Findings) == 0 {
		return nil
	}
	l := d.liner(chunk)
	out := make([]Finding, len(f.Findings))
	for i, fd := range f.Findings {
		fd.render(l.line)
		fd.Span = d.Abs(chunk, fd.Span)
		for j := range fd.Related {
			if &fd.Related[j] == &f.Findings[i].Related[j] {
				fd.Related = append([]Related(nil), fd.Related...)
			}
			fd.Related[j].Span = d.Abs(chunk, fd.Related[j].Span)
		}
		out[i] = fd
	}
	return out
}

// Findings are all findings of the document in text order.
func (d *Document) Findings() []Finding {
	var out []Finding
	if !d.IsKernel() {
		return nil
	}
	if p := d.Settings.Problem; p != "" {
		out = append(out, Finding{Code: "configuration", Severity: Warning, Message: p})
	}
	for i := range d.File.Chunks {
		if d.unitOf[i] >= 0 {
			out = append(out, d.FuncFindings(i)...)
		}
	}
	return out
}

// LineText is the 1-based line of a document offset and the line's text up to
// it.
func (d *Document) LineText(off int) (line int, text string) {
	c := d.File.ChunkAt(off)
	if c < 0 {
		return 1, ""
	}
	e := &d.File.Chunks[c]
	rel := min(max(off-int(e.Start), 0), len(e.Text))
	start := strings.LastIndexAny(e.Text[:rel], "\r\n") + 1
	return d.Line(c, int32(rel)), e.Text[start:rel]
}

// WholeLine is the text of the line that a document offset is on.
func (d *Document) WholeLine(off int) string {
	c := d.File.ChunkAt(off)
	if c < 0 {
		return ""
	}
	e := &d.File.Chunks[c]
	rel := min(max(off-int(e.Start), 0), len(e.Text))
	start := strings.LastIndexAny(e.Text[:rel], "\r\n") + 1
	end := len(e.Text)
	if i := strings.IndexAny(e.Text[rel:], "\r\n"); i >= 0 {
		end = rel + i
	}
	return e.Text[start:end]
}
