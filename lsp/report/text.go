package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

var colors = map[Level]string{Error: "\x1b[31;1m", Warning: "\x1b[33;1m", Information: "\x1b[36m", Hint: "\x1b[2m"}

const reset = "\x1b[0m"

// Text writes findings for people: one line each, the source line with carets
// when excerpts are wanted, the explanation under it.
func Text(w io.Writer, items []Item, opt Options) error {
	for i := range items {
		if err := writeText(w, &items[i], opt); err != nil {
			return err
		}
	}
	return nil
}

func writeText(w io.Writer, it *Item, opt Options) error {
	sev := it.Severity.String()
	if opt.Color {
		sev = colors[it.Severity] + sev + reset
	}
	fmt.Fprintf(w, "%s:%d:%d: %s: %s [%s]", it.File, it.Range.Start.Line, it.Range.Start.Character, sev, it.Message, it.Code)
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
		fmt.Fprintf(w, "    %s\n", it.Explanation)
	}
	for _, f := range it.Fixes {
		fmt.Fprintf(w, "    fix: %s\n", f.Title)
	}
	if opt.Excerpts {
		for n, r := range it.Related {
			if n == 8 {
				fmt.Fprintf(w, "    … and %d more places\n", len(it.Related)-n)
				break
			}
			fmt.Fprintf(w, "    %s:%d: %s\n", it.File, r.Range.Start.Line, r.Message)
		}
	}
	_, err := fmt.Fprint(w)
	return err
}

// maxExcerpt keeps the 170-character lines of dumps on the screen.
const maxExcerpt = 140

// excerpt shows the source line with carets under the finding.
func excerpt(w io.Writer, it *Item, color bool) {
	runes := []rune(strings.ReplaceAll(it.line, "\t", "    "))
	from := it.Range.Start.Character - 1
	width := 1
	if it.Range.End.Line == it.Range.Start.Line && it.Range.End.Character > it.Range.Start.Character {
		width = it.Range.End.Character - it.Range.Start.Character
	}
	cut := 0
	for cut < len(runes) && runes[cut] == ' ' && cut < from {
		cut++
	}
	text := runes[min(cut, len(runes)):]
	from -= cut
	if len(text) > maxExcerpt {
		text = append(append([]rune(nil), text[:maxExcerpt-1]...), '…')
	}
	if from < 0 || from >= len(text) {
		from, width = 0, 1
	}
	width = max(1, min(width, len(text)-from))
	num := fmt.Sprint(it.Range.Start.Line)
	carets := strings.Repeat("^", width)
	if color {
		carets = colors[it.Severity] + carets + reset
	}
	fmt.Fprintf(w, "    %s | %s\n", num, string(text))
	fmt.Fprintf(w, "    %s | %s%s\n", strings.Repeat(" ", utf8.RuneCountInString(num)), strings.Repeat(" ", from), carets)
}
