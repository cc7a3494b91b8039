package conformance

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// frontRow counts what became of the frontends of one family.
type frontRow struct{ bytes, exact, marked, wrong, total int }

// strict are the families in which at least 97 % have to be exact.
var strict = []string{"vec", "loop", "branch", "cube", "pipe", "declared", "tight"}

// TestFrontends plans every recorded frontend as it was typed. A case is exact
// when all functions have the recorded placements and outcome, marked when it
// differs but a function says that it is approximate, else wrong.
func TestFrontends(t *testing.T) {
	dirs := []string{filepath.Join("..", "testdata", "corpus")}
	if s := shared(); s != "" {
		dirs = []string{s + "/corpus"}
	} else {
		t.Log("shared recordings not found: only the repository's own selection is planned")
	}
	rows := map[string]*frontRow{}
	total := &frontRow{}
	var details []string
	for _, path := range casePaths(t, dirs...) {
		c, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		front, ok := c.text("frontend.py")
		if !ok {
			continue
		}
		family, _, _ := strings.Cut(c.name, "_")
		r := rows[family]
		if r == nil {
			r = &frontRow{}
			rows[family] = r
		}
		verdict, detail, bytes := judgeFrontend(c, front)
		for _, x := range []*frontRow{r, total} {
			x.total++
			switch verdict {
			case "exact":
				x.exact++
			case "marked":
				x.marked++
			default:
				x.wrong++
			}
			if bytes {
				x.bytes++
			}
		}
		if verdict == "wrong" {
			details = append(details, c.name+": "+detail)
		}
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "\n%-12s %8s %8s %8s %8s %18s\n", "frontends", "exact", "marked", "wrong", "of", "bytes before 32")
	for _, f := range slices.Sorted(mapKeys(rows)) {
		r := rows[f]
		fmt.Fprintf(&sb, "%-12s %8d %8d %8d %8d %18d\n", f, r.exact, r.marked, r.wrong, r.total, r.bytes)
	}
	fmt.Fprintf(&sb, "%-12s %8d %8d %8d %8d %18d\n", "all", total.exact, total.marked, total.wrong, total.total, total.bytes)
	for i, d := range details {
		if i < 5 {
			sb.WriteString(d + "\n")
		}
	}
	t.Log(sb.String())
	if total.wrong > 0 {
		t.Errorf("%d frontends have a wrong placement that is not marked approximate", total.wrong)
	}
	if share(total.exact, total.total) < 90 {
		t.Errorf("%.1f %% of the frontends are exact, at least 90 are wanted", share(total.exact, total.total))
	}
	if share(total.bytes, total.total) < 90 {
		t.Errorf("%.1f %% of the frontends lower to the recorded bytes, at least 90 are wanted", share(total.bytes, total.total))
	}
	for _, f := range strict {
		if r := rows[f]; r != nil && share(r.exact, r.total) < 97 {
			t.Errorf("%s: %.1f %% exact, at least 97 are wanted", f, share(r.exact, r.total))
		}
	}
}

func mapKeys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// judgeFrontend plans a frontend and compares it with the recording.
func judgeFrontend(c *recorded, front string) (verdict, detail string, bytes bool) {
	// Nothing but the text tells that it is hand-written.
	d := unnamed(c, front)
	marked, failed := false, ""
	for _, i := range d.FuncChunks() {
		if len(d.Func(i).Approximate) > 0 {
			marked = true
		}
	}
	for _, f := range d.Findings() {
		if f.Severity == analysis.Error && failed == "" {
			failed = f.Message
		}
	}
	sections, err := d.IRAfter()
	if want, ok := c.after(memory.StageInput); ok && len(sections) > 0 {
		bytes = sections[0].Text == want
	}
	got := "failed: " + failed
	switch {
	case err != nil:
		got = "failed: " + err.Message
	case len(sections) > 0:
		// The recording is text, which leaves some types out: ours is compared as
		// text too.
		m := &measurement{c: c}
		got = recordedPlacements(m.program(sections[len(sections)-1].Text, memory.StageAllocate))
	}
	want := recordedOutcome(c)
	if got == want {
		return "exact", "", bytes
	}
	if marked {
		return "marked", "", bytes
	}
	return "wrong", firstDifference(got, want), bytes
}

// unnamed is a document whose name does not tell after which pass it stands.
func unnamed(c *recorded, text string) *analysis.Document {
	s := analysis.Settings{Target: analysis.Target{Platform: c.cfg.Platform, Name: c.cfg.Platform.NameOf(), Planner: c.cfg.Planner}}
	return analysis.NewEngine(16<<20).NewDocument("kernel.py", irsyntax.Parse(text), s, analysis.Options{}, nil)
}

// TestStageOfTexts checks that a dump from before InitMemRef is taken for one,
// and a frontend for hand-written, by the text alone.
func TestStageOfTexts(t *testing.T) {
	dirs := []string{filepath.Join("..", "testdata", "corpus")}
	if s := shared(); s != "" {
		dirs = append(dirs, s+"/corpus", s+"/real")
	} else {
		t.Log("shared recordings not found: only the repository's own selection is looked at")
	}
	for _, path := range casePaths(t, dirs...) {
		c, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what, text string, lower bool) {
			d := unnamed(c, text)
			for _, i := range d.FuncChunks() {
				if f := d.Func(i); f.Start.Lower != lower || f.Start.Stage != memory.StageInput {
					t.Errorf("%s: function %s of the %s is taken for %+v", c.name, f.Name, what, f.Start)
				}
			}
		}
		if front, ok := c.text("frontend.py"); ok {
			check("frontend", front, true)
		}
		if dump, ok := c.after(memory.StageInput); ok {
			check("dump", dump, false)
		}
	}
}

// recordedOutcome is the same of the recording.
func recordedOutcome(c *recorded) string {
	res, _ := c.text("result.txt")
	res = strings.TrimSpace(res)
	if res != "ok" {
		_, msg, _ := strings.Cut(res, ": ")
		_, msg, _ = strings.Cut(msg, ": ")
		return "failed: " + stripLocation(msg)
	}
	text, _ := c.after(memory.StageAllocate)
	m := &measurement{c: c}
	return recordedPlacements(m.program(text, memory.StageAllocate))
}

// stripLocation drops the location and trailer of a recorded message.
func stripLocation(msg string) string {
	msg, _, _ = strings.Cut(msg, "\nCheck failed: ")
	if i := strings.LastIndex(msg, " ["); i >= 0 && strings.HasSuffix(msg, "]") && strings.Contains(msg[i:], ":") {
		msg = msg[:i]
	}
	return strings.TrimSpace(msg)
}
