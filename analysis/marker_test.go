package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// fixture is a txtar of documents with markers. `«name:` … `»` marks a range,
// `⟦name⟧` an offset; they are taken out of the text.
type fixture struct {
	comment string
	docs    []*Document
	files   map[string]*Document
	golden  map[string]string // sections of which the name begins with "="
	ranges  map[string]markRange
	points  map[string]markPoint
}

type markRange struct {
	doc        *Document
	start, end int
}

type markPoint struct {
	doc *Document
	off int
}

func loadFixture(t *testing.T, path string) *fixture {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := txtar.Parse(data)
	f := &fixture{comment: string(a.Comment), files: map[string]*Document{}, golden: map[string]string{}, ranges: map[string]markRange{}, points: map[string]markPoint{}}
	for _, file := range a.Files {
		if strings.HasPrefix(file.Name, "=") {
			f.golden[strings.TrimSpace(file.Name[1:])] = string(file.Data)
			continue
		}
		text, ranges, points := takeMarkers(t, string(file.Data))
		d := docOf(t, file.Name, text)
		f.docs = append(f.docs, d)
		f.files[file.Name] = d
		for k, v := range ranges {
			f.ranges[k] = markRange{d, v[0], v[1]}
		}
		for k, v := range points {
			f.points[k] = markPoint{d, v}
		}
	}
	return f
}

func takeMarkers(t testing.TB, text string) (string, map[string][2]int, map[string]int) {
	t.Helper()
	ranges, points := map[string][2]int{}, map[string]int{}
	var open []string
	var starts []int
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "«"):
			name, _, ok := strings.Cut(rest[len("«"):], ":")
			if !ok {
				t.Fatal("marker without a name")
			}
			open, starts = append(open, name), append(starts, b.Len())
			i += len("«") + len(name) + 1
		case strings.HasPrefix(rest, "»"):
			k := len(open) - 1
			ranges[open[k]] = [2]int{starts[k], b.Len()}
			open, starts = open[:k], starts[:k]
			i += len("»")
		case strings.HasPrefix(rest, "⟦"):
			name, _, _ := strings.Cut(rest[len("⟦"):], "⟧")
			points[name] = b.Len()
			i += len("⟦") + len(name) + len("⟧")
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String(), ranges, points
}

// nameOf is the marker of a place, or its file, line and text.
func (f *fixture) nameOf(p Place) string {
	for name, r := range f.ranges {
		if r.doc == p.Doc && r.start == int(p.Span.Start) && r.end == int(p.Span.End) {
			return name
		}
	}
	text := p.Doc.File.Text()
	line, _ := p.Doc.LineText(int(p.Span.Start))
	return fmt.Sprintf("%s:%d:%q", p.Doc.Name, line, text[p.Span.Start:p.Span.End])
}

func (f *fixture) names(ps []Place) string {
	var out []string
	for _, p := range ps {
		out = append(out, f.nameOf(p))
	}
	return strings.Join(out, " ")
}

// at is where a query `name` or `name+2` points.
func (f *fixture) at(t *testing.T, arg string) (*Document, int) {
	t.Helper()
	if p, ok := f.points[arg]; ok {
		return p.doc, p.off
	}
	r, ok := f.ranges[arg]
	if !ok {
		t.Fatalf("no marker %q", arg)
	}
	return r.doc, r.start
}

// TestFixtures runs the queries of every fixture in testdata/names: each line
// of the comment that has an `->` is `query marker -> markers`.
func TestFixtures(t *testing.T) {
	files, _ := filepath.Glob("testdata/names/*.txtar")
	if len(files) == 0 {
		t.Fatal("no fixtures")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f := loadFixture(t, file)
			n := 0
			for _, line := range strings.Split(f.comment, "\n") {
				query, want, ok := strings.Cut(line, "->")
				if !ok {
					continue
				}
				n++
				words := strings.Fields(query)
				d, off := f.at(t, words[1])
				if got, want := f.run(d, off, words), strings.TrimSpace(want); got != want {
					t.Errorf("%s\n got %s\nwant %s", strings.TrimSpace(query), got, want)
				}
			}
			if n == 0 {
				t.Error("the fixture asks nothing")
			}
		})
	}
}

func (f *fixture) run(d *Document, off int, words []string) string {
	switch words[0] {
	case "definition":
		return f.names(d.Definition(off, f.docs))
	case "type":
		return f.names(d.TypeDefinition(off, f.docs))
	case "references":
		return f.names(d.References(off, true, f.docs))
	case "uses":
		return f.names(d.References(off, false, f.docs))
	case "highlight":
		var out []string
		for _, h := range d.Highlights(off) {
			out = append(out, f.nameOf(Place{d, h.Span})+[]string{":r", ":w", ":s"}[h.Kind])
		}
		return strings.Join(out, " ")
	case "prepare":
		sp, text, err := d.PrepareRename(off, f.docs)
		if err != nil {
			return err.Error()
		}
		return f.nameOf(Place{d, sp}) + " " + text
	case "rename":
		edits, err := d.Rename(off, words[2], f.docs)
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, e := range edits {
			for _, x := range e.Edits {
				out = append(out, f.nameOf(Place{e.Doc, x.Span}))
			}
		}
		return strings.Join(out, " ")
	}
	return "unknown query"
}
