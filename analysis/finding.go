package analysis

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
)

// Severity of a Finding.
type Severity uint8

// The severities, most severe first.
const (
	Error Severity = iota
	Warning
	Information
	Hint
)

var severityNames = [...]string{"error", "warning", "information", "hint"}

func (s Severity) String() string { return severityNames[s&3] }

// Finding is one diagnostic. In the memo Span counts from the start of the
// function's text; Document.Findings returns document offsets.
type Finding struct {
	// Code is PH-MR-001, PH-DSA-001, PH001 or one of our kebab-case names.
	Code     string
	Severity Severity
	Span     ir.Span
	// Message is the reference's text alone, or ours for findings of our own.
	Message string
	// Explain is our own explanation, "" when there is nothing to add.
	Explain string
	// Help is the reference's hint for parser errors.
	Help string
	// Func is the function the finding is about, "" for none.
	Func string
	// Space, Used and Limit (bytes) are set for capacity findings.
	Space       string
	Used, Limit uint64
	Related     []Related
	// Unnecessary and Deprecated ask the editor for faded or struck text.
	Unnecessary, Deprecated bool
	// ref says which finding of the document this is; see fix.go.
	ref findingRef
}

// Related points to another place that has to do with a finding.
type Related struct {
	Span    ir.Span
	Message string
}

// Line numbers in memoised texts are written as marks, because they depend on
// where the function stands; render replaces them.
const (
	markOpen  = '\x01'
	markClose = '\x02'
)

// lineMark stands for the line number of an offset in the function's text.
func lineMark(off int32) string {
	return string(markOpen) + strconv.Itoa(int(off)) + string(markClose)
}

// where names the position of a statement for memory's explanations.
func where(s ir.Span) string { return "line " + lineMark(s.Start) }

// render puts line numbers in; line gives the 1-based line of an offset in
// the function's text.
func render(s string, line func(off int32) int) string {
	if strings.IndexByte(s, markOpen) < 0 {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, string(markOpen))
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		num, after, _ := strings.Cut(rest, string(markClose))
		off, _ := strconv.Atoi(num)
		b.WriteString(strconv.Itoa(line(int32(off))))
		s = after
	}
}

func (f *Finding) render(line func(off int32) int) {
	f.Message = render(f.Message, line)
	f.Explain = render(f.Explain, line)
	if len(f.Related) > 0 {
		rel := make([]Related, len(f.Related))
		for i, r := range f.Related {
			rel[i] = Related{r.Span, render(r.Message, line)}
		}
		f.Related = rel
	}
}
