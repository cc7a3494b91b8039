package analysis

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestFormatKeepsPlan: a formatted kernel has the plan that it had.
func TestFormatKeepsPlan(t *testing.T) {
	files, _ := filepath.Glob("../test/testdata/corpus/*.txtar")
	shared := os.Getenv("PYPTO_LS_SHARED")
	if shared == "" {
		shared = "../../shared"
	}
	more, _ := filepath.Glob(filepath.Join(shared, "*", "*.txtar"))
	if sort.Strings(more); len(more) == 0 {
		t.Log("without the recorded runs: ../../shared or PYPTO_LS_SHARED is not there")
	}
	for i := 0; i < len(more); i += 1 + len(more)/20 {
		files = append(files, more[i])
	}
	if len(files) == 0 {
		t.Skip("no corpus in test/testdata")
	}
	formatted := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range txtar.Parse(data).Files {
			if s.Name != "frontend.py" || len(s.Data) > 60<<10 {
				continue
			}
			text := string(s.Data)
			d := docOf(t, "kernel.py", text)
			edits, _ := d.Format(0, len(text))
			if len(edits) == 0 {
				continue
			}
			formatted++
			after := docOf(t, "kernel.py", applyEdits(t, text, edits))
			if diff := cmp.Diff(planShape(d), planShape(after)); diff != "" {
				t.Errorf("%s: the plan of the formatted kernel differs:\n%.600s", filepath.Base(file), diff)
			}
		}
	}
	if formatted < 10 {
		t.Errorf("only %d kernels were formatted", formatted)
	}
}

// planShape is the plan without lines.
func planShape(d *Document) []PlanFunction {
	fs := d.PlanTable()
	for i := range fs {
		f := &fs[i]
		for k, a := range f.Approximate {
			f.Approximate[k], _, _ = strings.Cut(a, ":")
		}
		for k := range f.Tiles {
			f.Tiles[k].Line, f.Tiles[k].Live = 0, [2]int{}
		}
		for k := range f.Spaces {
			f.Spaces[k].PeakLine = 0
		}
	}
	return fs
}
