package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

var colors = map[Level]string{Error: "\x1b[31;1m", Warning: "\x1b[33;1m", Information: "\x1b[36m", Hint: "\x1b[2m"}

const (
	reset = "\x1b[0m"
	faint = "\x1b[2m"
)

// paint colours a text for people who want that.
func paint(on bool, color, s string) string {
	if !on {
		return s
	}
	return color + s + reset
}

// Text writes findings for people: one line each, the source line with carets
// when excerpts are wanted, the explanation under it.
func Text(w io.Writer, items []Item, opt Options) error {
	b := bufio.NewWriter(w)
	for i := range items {
		writeText(b, &items[i], opt)
	}
	return b.Flush()
}

// maxRelated keeps a finding on the screen.
const maxRelated = 8

func writeText(w io.Writer, it *Item, opt Options) {
	fmt.Fprintf(w, "%s:%d:%d: %s: %s [%s]", plain(it.File), it.Range.Start.Line, it.Range.Start.Character,
		paint(opt.Color, colors[it.Severity], it.Severity.String()), plain(it.Message), it.Code)
	if it.Function != "" {
		fmt.Fprintf(w, " in %s", it.Function)
	}
	if it.Platform != "" {
		fmt.Fprintf(w, " (%s, %s)", it.Platform, it.Planner)
	}
	fmt.Fprintln(w)
	if opt.Excerpts && strings.TrimSpace(it.line) != "" {
		excerpt(w, it, opt.Color)
	}
	if it.Explanation != "" {
		fmt.Fprintf(w, "    %s\n", plain(it.Explanation))
	}
	for _, f := range it.Fixes {
		fmt.Fprintf(w, "    fix: %s\n", f.Title)
	}
	if !opt.Excerpts {
		return
	}
	for n, r := range it.Related {
		if n == maxRelated {
			fmt.Fprintf(w, "    … and %s\n", Count(len(it.Related)-n, "more place"))
			break
		}
		fmt.Fprintf(w, "    %s:%d: %s\n", plain(it.File), r.Range.Start.Line, plain(r.Message))
	}
}

// plain keeps a message on its line, and what a terminal obeys out of it: the
// text of a message may come from the checked file.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return '�'
		}
		return r
	}, s)
}

// maxExcerpt keeps the 170-character lines of dumps on the screen, in columns.
const maxExcerpt = 140

// excerpt shows the source line with carets under the finding.
func excerpt(w io.Writer, it *Item, color bool) {
	cells, index := cellsOf(it.line)
	from := index[min(max(it.Range.Start.Character-1, 0), len(index)-1)]
	to := from + 1
	switch {
	case it.Range.End.Line > it.Range.Start.Line:
		to = len(cells)
	case it.Range.End.Line == it.Range.Start.Line:
		end := min(max(it.Range.End.Character-1, 0), len(index)-1)
		to = max(index[end], to)
		if end > 0 && end < len(index)-1 && index[end] == index[end-1] {
			to = max(to, index[end]+1) // it ends between a character and its marks
		}
	}
	first, last := window(cells, from, maxExcerpt)
	shown := cells[first:last]
	before, after := "", ""
	if first > 0 && strings.TrimSpace(textOf(cells[:first])) != "" {
		before = "…"
	}
	if last < len(cells) {
		after = "…"
	}
	num := fmt.Sprint(it.Range.Start.Line)
	pad := strings.Repeat(" ", len([]rune(before))+columnsIn(shown[:min(from-first, len(shown))]))
	carets := strings.Repeat("^", max(1, columnsIn(cells[min(from, last):min(to, last)])))
	fmt.Fprintf(w, "    %s %s\n", paint(color, faint, num+" |"), before+textOf(shown)+after)
	fmt.Fprintf(w, "    %s %s%s\n", paint(color, faint, strings.Repeat(" ", len(num))+" |"), pad, paint(color, colors[it.Severity], carets))
}
