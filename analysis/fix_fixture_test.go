package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// caretLine marks a finding in the line above it: carets under its text, its
// code, and the titles of its fixes.
var caretLine = regexp.MustCompile(`^( *)(\^+) ([\w-]+):(.*)$`)

type caretMark struct {
	start, end int
	code       string
	titles     []string
}

// takeCarets takes the caret lines out of a text.
func takeCarets(text string) (string, []caretMark) {
	var out strings.Builder
	var marks []caretMark
	last := 0 // where the last line kept begins
	for _, line := range strings.SplitAfter(text, "\n") {
		m := caretLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			last = out.Len()
			out.WriteString(line)
			continue
		}
		k := caretMark{start: last + len(m[1]), end: last + len(m[1]) + len(m[2]), code: m[3]}
		for _, t := range strings.Split(m[4], " | ") {
			if t = strings.TrimSpace(t); t != "" {
				k.titles = append(k.titles, t)
			}
		}
		marks = append(marks, k)
	}
	return out.String(), marks
}

// fixCase is one case of a fixture: sections `name/before.py`, `name/after.py`
// and, for other documents, `name/other/FILE` with `name/other-after/FILE`.
type fixCase struct {
	name              string
	platform, planner string
	file              string
	before, after     string
	hasAfter          bool
	others, othersEnd map[string]string
}

func fixCases(t testing.TB, path string) []*fixCase {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := txtar.Parse(data)
	var out []*fixCase
	byName := map[string]*fixCase{}
	for _, f := range a.Files {
		name, rest, ok := strings.Cut(f.Name, "/")
		if !ok {
			t.Fatalf("%s: section %q", path, f.Name)
		}
		c := byName[name]
		if c == nil {
			c = &fixCase{name: name, platform: "Ascend910B", planner: "PYPTO", others: map[string]string{}, othersEnd: map[string]string{}}
			byName[name] = c
			out = append(out, c)
		}
		switch kind, file, _ := strings.Cut(rest, "/"); kind {
		case "before.py":
			c.file, c.before = "before.py", string(f.Data)
		case "before": // with a file name of its own
			c.file, c.before = file, string(f.Data)
		case "after.py":
			c.after, c.hasAfter = string(f.Data), true
		case "target":
			fields := strings.Fields(string(f.Data))
			c.platform, c.planner = fields[0], fields[1]
		case "other":
			c.others[file] = string(f.Data)
		case "other-after":
			c.othersEnd[file] = string(f.Data)
		default:
			t.Fatalf("%s: section %q", path, f.Name)
		}
	}
	return out
}

// TestFixFixtures: every marked finding has the fixes it must have, and no
// others; the first fix of the first one gives the text after.
func TestFixFixtures(t *testing.T) {
	files, _ := filepath.Glob("testdata/fixes/*.txtar")
	if len(files) == 0 {
		t.Fatal("no fixtures")
	}
	for _, path := range files {
		for _, c := range fixCases(t, path) {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+c.name, func(t *testing.T) { c.run(t) })
		}
	}
}

func (c *fixCase) run(t *testing.T) {
	text, marks := takeCarets(c.before)
	if len(marks) == 0 {
		t.Fatal("no finding is marked")
	}
	e := NewEngine(16 << 20)
	d := recordedDocument(e, c.file, text, c.platform, c.planner)
	var docs []*Document
	for _, name := range sortedKeys(c.others) {
		docs = append(docs, recordedDocument(e, name, c.others[name], c.platform, c.planner))
	}
	seen := map[string]int{}
	first := false
	for _, m := range marks {
		k := fmt.Sprint(m.code, m.start)
		f := c.finding(t, d, m, seen[k])
		seen[k]++
		if f == nil {
			continue
		}
		fixes := d.Fixes(f, docs)
		if diff := cmp.Diff(m.titles, titlesOf(fixes)); diff != "" {
			t.Errorf("fixes of %s (-want +got):\n%s", m.code, diff)
			continue
		}
		for _, x := range fixes {
			c.checkFix(t, e, d, f, x)
		}
		if len(fixes) > 0 && !first {
			first = true
			c.checkAfter(t, text, fixes)
		}
	}
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		i := 0
		for i < len(out) && out[i] < k {
			i++
		}
		out = append(out[:i], append([]string{k}, out[i:]...)...)
	}
	return out
}

func titlesOf(fixes []Fix) []string {
	var out []string
	for _, x := range fixes {
		out = append(out, x.Title)
	}
	return out
}

func (c *fixCase) finding(t *testing.T, d *Document, m caretMark, nth int) *Finding {
	var near []string
	for _, f := range d.Findings() {
		if int(f.Span.Start) == m.start && int(f.Span.End) == m.end && f.Code == m.code {
			if nth == 0 {
				return &f
			}
			nth--
		}
		near = append(near, fmt.Sprintf("%s at %d–%d: %s", f.Code, f.Span.Start, f.Span.End, f.Message))
	}
	t.Errorf("no finding %s at %d–%d; there are\n%s", m.code, m.start, m.end, strings.Join(near, "\n"))
	return nil
}

// checkFix: applied, the text parses, the finding is gone, and there is no new
// error; the same fix is not offered again.
func (c *fixCase) checkFix(t *testing.T, e *Engine, d *Document, f *Finding, x Fix) {
	t.Helper()
	for _, o := range x.Others {
		after := o.Doc.with(o.Edits)
		if after == nil || after.errors() > o.Doc.errors() {
			t.Errorf("%q breaks %s", x.Title, o.Doc.Name)
		}
	}
	if len(x.Edits) == 0 {
		if len(x.Others) == 0 {
			t.Errorf("%q changes nothing", x.Title)
		}
		return
	}
	after := recordedDocument(e, c.file, ApplyEdits(d.File.Text(), x.Edits), c.platform, c.planner)
	if after.errors() > d.errors() {
		t.Errorf("%q brings errors:\n%v", x.Title, after.Findings())
	}
	for _, g := range after.Findings() {
		if g.Code == f.Code && g.Func == f.Func && g.Message == f.Message {
			t.Errorf("%q does not clear its finding", x.Title)
		}
		for _, y := range after.Fixes(&g, nil) {
			if y.ID == x.ID {
				t.Errorf("%q is offered again", x.Title)
			}
		}
	}
}

func (c *fixCase) checkAfter(t *testing.T, text string, fixes []Fix) {
	t.Helper()
	if c.hasAfter {
		if diff := cmp.Diff(c.after, ApplyEdits(text, fixes[0].Edits)); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", fixes[0].Title, diff)
		}
	}
	for name, want := range c.othersEnd {
		found := false
		for _, x := range fixes {
			for _, o := range x.Others {
				if o.Doc.Name == name {
					found = true
					if diff := cmp.Diff(want, ApplyEdits(o.Doc.File.Text(), o.Edits)); diff != "" {
						t.Errorf("%s after %q (-want +got):\n%s", name, x.Title, diff)
					}
				}
			}
		}
		if !found {
			t.Errorf("no fix changes %s", name)
		}
	}
}
