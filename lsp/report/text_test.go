package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// caretsUnder is the excerpt of a finding from one character to another, both
// counted from 1, the second not included; 0 is on the next line.
func caretsUnder(line string, from, to int) string {
	it := Item{line: line, Range: Range{Position{7, from}, Position{7, to}}}
	if to == 0 {
		it.Range.End = Position{8, 1}
	}
	var b strings.Builder
	excerpt(&b, &it, false)
	return b.String()
}

// TestExcerpt: carets stand under what they mean, whatever the characters
// before them take. Every line begins with `    7 | `.
func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		name, line string
		from, to   int
		shown      string
		carets     string
	}{
		{"plain", "abc def", 5, 8, "abc def", "    ^^^"},
		{"indent is left out", "        abc def", 13, 16, "abc def", "    ^^^"},
		{"in the indent", "    abc", 2, 4, "   abc", "^^"},
		{"empty range", "abc", 2, 2, "abc", " ^"},
		{"at the end", "abc", 4, 4, "abc", "   ^"},
		{"beyond the end", "abc", 9, 12, "abc", "   ^"},
		{"over the end of the line", "x = (1,", 5, 0, "x = (1,", "    ^^^"},
		// A tab reaches the next multiple of four columns of the source line.
		{"tabs before", "\tx:\ty", 5, 6, "x:  y", "    ^"},
		{"a tab within", "a\tb", 1, 4, "a   b", "^^^^^"},
		{"a tab alone", "ab\tc", 3, 4, "ab  c", "  ^^"},
		// Two columns each.
		{"wide before", "漢字 = x", 6, 7, "漢字 = x", "       ^"},
		{"wide under", "x = 漢字", 5, 7, "x = 漢字", "    ^^^^"},
		{"fullwidth", "ＡＢ x", 4, 5, "ＡＢ x", "     ^"},
		{"emoji", "😀 x", 3, 4, "😀 x", "   ^"},
		{"halfwidth kana", "ｱｲ x", 4, 5, "ｱｲ x", "   ^"},
		// e and U+0301 are one column, and one is not without the other.
		{"combining before", "e\u0301 x", 4, 5, "e\u0301 x", "  ^"},
		{"combining under", "e\u0301x", 1, 3, "e\u0301x", "^"},
		{"ends before the mark", "ae\u0301x", 2, 3, "ae\u0301x", " ^"},
		{"begins with the mark", "ae\u0301x", 3, 4, "ae\u0301x", " ^"},
		{"a mark at the beginning", "\u0301x", 2, 3, "\u0301x", "^"},
		{"joined emoji", "a\u200db", 3, 4, "a\u200db", " ^"},
		{"control characters", "a\x1bb\x07c", 5, 6, "a�b�c", "    ^"},
	} {
		want := "    7 | " + c.shown + "\n      | " + c.carets + "\n"
		if d := cmp.Diff(want, caretsUnder(c.line, c.from, c.to)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestExcerptOfLongLine: 140 columns at most, with the finding among them.
func TestExcerptOfLongLine(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 400), strings.Repeat("漢", 400), strings.Repeat("\t", 400), "    " + strings.Repeat("ab ", 200)} {
		n := len([]rune(text))
		for from := 1; from <= n+1; from += 7 {
			for _, to := range []int{from, from + 3, n + 1, 0} {
				lines := strings.Split(caretsUnder(text, from, to), "\n")
				shown, carets := strings.TrimPrefix(lines[0], "    7 | "), strings.TrimPrefix(lines[1], "      | ")
				cells, _ := cellsOf(shown)
				width := columnsIn(cells)
				if width > maxExcerpt+2 { // and an ellipsis on both sides
					t.Fatalf("from %d: %d columns", from, width)
				}
				if len(carets) > width+1 || !strings.Contains(carets, "^") {
					t.Fatalf("from %d to %d: carets to column %d of %d", from, to, len(carets), width)
				}
				mark := strings.Index(carets, "^")
				at := 0
				for _, c := range cells {
					if at == mark {
						mark = -1
					}
					at += c.columns
				}
				if mark >= 0 && mark != at {
					t.Fatalf("from %d: the caret is within a character", from)
				}
			}
		}
	}
	got := caretsUnder("        "+strings.Repeat("x", 300)+"!"+strings.Repeat("y", 300), 309, 310)
	// A quarter of the columns stands before the finding, the rest after it.
	want := "    7 | …" + strings.Repeat("x", 35) + "!" + strings.Repeat("y", 104) + "…\n      | " + strings.Repeat(" ", 36) + "^\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestText: nothing that a terminal obeys comes from a checked file, and every
// finding stays on its lines.
func TestText(t *testing.T) {
	items := nasty(t)
	for _, opt := range []Options{{}, {Excerpts: true}, {Excerpts: true, Color: true}} {
		out := write(t, "text", items, opt)
		left := strings.NewReplacer("\x1b[31;1m", "", "\x1b[33;1m", "", "\x1b[36m", "", "\x1b[2m", "", "\x1b[0m", "").Replace(out)
		if opt.Color == (left == out) || strings.ContainsAny(left, "\x1b\x01\r") {
			t.Errorf("colour %v: %q", opt.Color, left)
		}
		if n := strings.Count("\n"+left, "\n./a b/ü,100%:x.py:3:5: error: 100% of  ::error"); n != 1 {
			t.Errorf("the message is not on its line: %q", left)
		}
		if strings.Contains(left, "漢字") != opt.Excerpts || strings.Contains(left, "here|there") != opt.Excerpts {
			t.Errorf("excerpts %v: %q", opt.Excerpts, left)
		}
	}
	many := Item{File: "f", Code: "c", line: "x", Range: Range{Position{1, 1}, Position{1, 2}}}
	for i := range maxRelated + 2 {
		many.Related = append(many.Related, Related{Message: fmt.Sprint("m", i)})
	}
	if out := write(t, "text", []Item{many}, Options{Excerpts: true}); !strings.Contains(out, "m7\n    … and 2 more places\n") {
		t.Errorf("got %q", out)
	}
}
