package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFormatKeepsPlan: a formatted kernel has the plan that it had.
func TestFormatKeepsPlan(t *testing.T) {
	formatted := 0
	for _, file := range recordedFiles(t, 20) {
		for _, s := range file.sections {
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
				t.Errorf("%s: the plan of the formatted kernel differs:\n%.600s", file.name, diff)
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
