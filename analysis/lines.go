package analysis

import (
	"context"
	"slices"
	"strings"

	"pypto-ls/ir"
)

// liner gives 1-based document lines for offsets in one chunk's text.
type liner struct {
	text   string
	base   int     // 1-based line of the chunk's first line
	starts []int32 // where the second and further lines begin; nil while not needed
	asked  int
}

func (d *Document) liner(chunk int) *liner {
	e := &d.File.Chunks[chunk]
	return &liner{text: e.Text, base: int(e.Line) + 1}
}

func (l *liner) line(off int32) int {
	if l.starts == nil {
		// Counting is much quicker than a table that is asked only a few times.
		if l.asked++; l.asked < 8 && strings.IndexByte(l.text, '\r') < 0 {
			return l.base + strings.Count(l.text[:min(max(int(off), 0), len(l.text))], "\n")
		}
		l.starts = lineStarts(l.text)
	}
	n, exact := slices.BinarySearch(l.starts, off)
	if exact {
		n++
	}
	return l.base + n
}

// lineStarts are the offsets after the line ends of a text: LF, CRLF or a lone
// CR.
func lineStarts(text string) []int32 {
	starts := make([]int32, 0, strings.Count(text, "\n")+1)
	if strings.IndexByte(text, '\r') < 0 {
		for i := strings.IndexByte(text, '\n') + 1; i > 0; {
			starts = append(starts, int32(i))
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
		}
		return starts
	}
	for i := 0; i < len(text); {
		n := strings.IndexAny(text[i:], "\r\n")
		if n < 0 {
			break
		}
		i += n + 1
		if text[i-1] == '\r' && i < len(text) && text[i] == '\n' {
			i++
		}
		starts = append(starts, int32(i))
	}
	return starts
}

// Line is the 1-based document line of an offset in the chunk's text.
func (d *Document) Line(chunk int, off int32) int {
	t := d.lines.Load()
	if t == nil || t.chunk != chunk {
		e := &d.File.Chunks[chunk]
		if len(e.Text) < largeChunk {
			return d.liner(chunk).line(off)
		}
		t = &chunkLines{chunk, lineStarts(e.Text)}
		d.lines.Store(t)
	}
	return (&liner{base: int(d.File.Chunks[chunk].Line) + 1, starts: t.starts}).line(off)
}

// largeChunk is the length of a chunk's text, in bytes, from which on its lines
// are kept between questions: a report asks for those of every finding.
const largeChunk = 1 << 14

// chunkLines are the line starts of one chunk of a document.
type chunkLines struct {
	chunk  int
	starts []int32
}

// Abs turns a span of a chunk into a span of the document.
func (d *Document) Abs(chunk int, s ir.Span) ir.Span {
	b := int32(d.File.Chunks[chunk].Start)
	return ir.Span{Start: s.Start + b, End: s.End + b}
}

// FuncFindings are the findings of the function at a chunk, with document
// offsets and line numbers put in.
func (d *Document) FuncFindings(chunk int) []Finding {
	return d.addFindings(nil, chunk, d.Advice)
}

// addFindings appends the findings of the function at a chunk to out; advice
// about overflows is taken from advice.
func (d *Document) addFindings(out []Finding, chunk int, advice func(*Finding) string) []Finding {
	f := d.Func(chunk)
	if f == nil || len(f.Findings) == 0 {
		return out
	}
	l := d.liner(chunk)
	out = slices.Grow(out, len(f.Findings))
	for i, fd := range f.Findings {
		f.explainBeyond(&fd)
		fd.render(l.line)
		fd.Span = d.Abs(chunk, fd.Span)
		fd.ref = findingRef{chunk, i + 1}
		if a := advice(&fd); a != "" {
			fd.Explain = strings.TrimLeft(fd.Explain+" "+a, " ")
		}
		for j := range fd.Related {
			if &fd.Related[j] == &f.Findings[i].Related[j] {
				fd.Related = append([]Related(nil), fd.Related...)
			}
			fd.Related[j].Span = d.Abs(chunk, fd.Related[j].Span)
		}
		out = append(out, fd)
	}
	return out
}

// Findings are all findings of the document in text order.
func (d *Document) Findings() []Finding { return d.findings(d.Advice) }

// FindingsUntil are Findings, or nil when ctx ends before they are complete.
func (d *Document) FindingsUntil(ctx context.Context) []Finding {
	stop := func() bool { return ctx.Err() != nil }
	found := d.findings(func(f *Finding) string { return d.adviceUntil(f, stop) })
	if stop() {
		return nil
	}
	return found
}

// PromptFindings are Findings without waiting for advice about overflows, for
// which variants have to be planned; whole is false when some is missing.
func (d *Document) PromptFindings() (found []Finding, whole bool) {
	whole = true
	found = d.findings(func(f *Finding) string {
		text, _, known := d.knownAdvice(f)
		whole = whole && known
		return text
	})
	return found, whole
}

func (d *Document) findings(advice func(*Finding) string) []Finding {
	var out []Finding
	if !d.IsKernel() {
		return nil
	}
	if p := d.Settings.Problem; p != "" {
		out = append(out, Finding{Code: "configuration", Severity: Warning, Message: p})
	}
	for i := range d.File.Chunks {
		if d.unitOf[i] >= 0 {
			out = d.addFindings(out, i, advice)
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
