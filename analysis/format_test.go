package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// applyEdits applies edits, which must be in order and apart.
func applyEdits(t testing.TB, text string, edits []TextEdit) string {
	t.Helper()
	var b strings.Builder
	last := int32(0)
	for _, e := range edits {
		if e.Span.Start < last || e.Span.End < e.Span.Start || int(e.Span.End) > len(text) {
			t.Fatalf("edit out of place: %v after %d", e, last)
		}
		b.WriteString(text[last:e.Span.Start] + e.Text)
		last = e.Span.End
	}
	return b.String() + text[last:]
}

// TestFormat: each fixture has a text, its formatted form, and the functions
// left alone with the reasons.
func TestFormat(t *testing.T) {
	files, _ := filepath.Glob("testdata/format/*.txtar")
	if len(files) == 0 {
		t.Fatal("no fixtures")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sections := map[string]string{}
			for _, f := range txtar.Parse(data).Files {
				sections[f.Name] = string(f.Data)
			}
			text := sections["in.py"]
			d := docOf(t, "k.py", text)
			edits, left := d.Format(0, len(text))
			got := applyEdits(t, text, edits)
			if diff := cmp.Diff(sections["out.py"], got); diff != "" {
				t.Errorf("text:\n%s", diff)
			}
			var why []string
			for _, u := range left {
				why = append(why, u.Func+": "+u.Reason)
			}
			if diff := cmp.Diff(strings.TrimSpace(sections["left"]), strings.Join(why, "\n")); diff != "" {
				t.Errorf("left alone:\n%s", diff)
			}
			if again, _ := docOf(t, "k.py", got).Format(0, len(got)); len(again) > 0 {
				t.Errorf("formatting again edits: %v", again)
			}
			crlf := strings.ReplaceAll(text, "\n", "\r\n")
			edits, _ = docOf(t, "k.py", crlf).Format(0, len(crlf))
			if got := applyEdits(t, crlf, edits); got != strings.ReplaceAll(sections["out.py"], "\n", "\r\n") {
				t.Errorf("with CRLF: %q", got)
			}
		})
	}
}

// TestFormatRange: only functions that the range touches are formatted.
func TestFormatRange(t *testing.T) {
	const f = "@pl.function(type=pl.FunctionType.AIV)\ndef %s(a: pl.Tensor[[64,64], pl.FP32]):\n    return a\n"
	text := fmt.Sprintf(f, "one") + fmt.Sprintf(f, "two")
	at := strings.Index(text, "two")
	edits, _ := docOf(t, "k.py", text).Format(at, at+1)
	for _, e := range edits {
		if int(e.Span.Start) < len(text)/2 {
			t.Errorf("edit outside the range: %v", e)
		}
	}
	if len(edits) == 0 {
		t.Error("nothing formatted")
	}
}

// Dumps are in canonical form already: formatting changes nothing, whatever
// the pass.
func TestFormatDumps(t *testing.T) {
	files := recordedFiles(t, 0)
	formatted, alone := 0, 0
	for i := 0; i < len(files); i += 1 + len(files)/25 {
		for _, s := range files[i].sections {
			if !strings.HasPrefix(s.Name, "after_") {
				continue
			}
			d := docOf(t, s.Name, string(s.Data))
			edits, left := d.Format(0, d.File.Len)
			if len(edits) > 0 {
				e := edits[0]
				t.Errorf("%s %s: %q becomes %q", files[i].name, s.Name, string(s.Data)[e.Span.Start:e.Span.End], e.Text)
			}
			alone += len(left)
			formatted += len(d.FuncChunks())
		}
	}
	if formatted < 25 || alone*20 > formatted {
		t.Errorf("%d of %d functions of dumps are left alone", alone, formatted)
	}
}

func TestLineEdits(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb\nc\n", "a\nb\nc\n", ""},
		{"a\nb\nc\n", "a\nx\nc\n", "[2,3)x"},
		{"a\nlong line\nc\n", "a\nlong word line\nc\n", "[7,7)word "},
		{"a\nc\n", "a\nb\nc\n", "[2,2)b\n"},
		{"a\nb\nc\n", "a\nc\n", "[2,4)"},
		{"a\nb\nc", "c", "[0,4)"},
		{"", "x", "[0,0)x"},
		{"é\n", "è\n", "[0,2)è"}, // the second bytes differ: whole characters are replaced
	} {
		got := ""
		edits := lineEdits(0, c.before, c.after)
		for _, e := range edits {
			got += fmt.Sprintf("[%d,%d)%s", e.Span.Start, e.Span.End, e.Text)
		}
		if got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.before, c.after, got, c.want)
		}
		if out := applyEdits(t, c.before, edits); out != c.after {
			t.Errorf("%q to %q gives %q", c.before, c.after, out)
		}
	}
}
