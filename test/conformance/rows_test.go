package conformance

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// TestShortRows compares the hint PH001 of every frontend with that of the
// recorded program after the last memory pass: the hint is about the final
// program, so both have to say the same, figure by figure. A frontend says
// once what a replicated loop does several times and gives the number; the
// dump shows each on its own.
func TestShortRows(t *testing.T) {
	dirs := []string{filepath.Join("..", "testdata", "corpus")}
	if s := shared(); s != "" {
		dirs = []string{filepath.Join(s, "corpus"), filepath.Join(s, "real")}
	} else {
		t.Log("shared recordings not found: only the repository's own selection is compared")
	}
	equal, approximate, hints := 0, 0, 0
	for _, path := range casePaths(t, dirs...) {
		c, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		front, ok1 := c.text("frontend.py")
		final, ok2 := c.after(memory.StageAllocate)
		if !ok1 || !ok2 {
			continue
		}
		got, exact := shortRows(c, "00_frontend.py", front)
		if !exact {
			approximate++
			continue
		}
		// Taken for what it is without the passes after it, which change no transfer.
		want, _ := shortRows(c, "49_after_MaterializeValidShapeSymbols.py", final)
		if !maps.Equal(got, want) {
			t.Errorf("%s: of the frontend\n%s\nof the final program\n%s", c.name, rowLines(got), rowLines(want))
			continue
		}
		equal++
		for _, n := range got {
			hints += n
		}
	}
	t.Logf("PH001 equal in %d cases with %d hints; %d more are approximate", equal, hints, approximate)
	if equal == 0 || hints == 0 {
		t.Error("nothing was compared")
	}
}

var occurrences = regexp.MustCompile(` \((\d+) occurrences at this source location\)$`)

// shortRows counts the texts of PH001; exact is false when the text's lowering
// is not modelled.
func shortRows(c *recorded, name, text string) (rows map[string]int, exact bool) {
	s := analysis.Settings{Target: analysis.Target{Platform: c.cfg.Platform, Name: c.cfg.Platform.NameOf(), Planner: c.cfg.Planner}}
	d := analysis.NewEngine(16<<20).NewDocument(name, irsyntax.Parse(text), s, analysis.Options{}, nil)
	rows = map[string]int{}
	for _, f := range d.Findings() {
		if f.Code != "PH001" {
			continue
		}
		n := 1
		if m := occurrences.FindStringSubmatch(f.Message); m != nil {
			n, _ = strconv.Atoi(m[1])
			f.Message = strings.TrimSuffix(f.Message, m[0])
		}
		rows[f.Message] += n
	}
	exact = true
	for _, i := range d.FuncChunks() {
		exact = exact && len(d.Func(i).Approximate) == 0
	}
	return rows, exact
}

func rowLines(rows map[string]int) string {
	var sb strings.Builder
	for _, k := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&sb, "  %d × %s\n", rows[k], k)
	}
	return sb.String()
}
