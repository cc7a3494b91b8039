package conformance

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// TestPTOAS runs the cases worked out by hand for planner PTOAS, of which
// there are no recordings: one a rule, with the derivation at its head. The
// first section is the input, every later dump has to come out byte for byte,
// and result.txt is the outcome. Whatever the case, nobody places tiles under
// this planner: no address and no capacity finding (spec 07 §11).
func TestPTOAS(t *testing.T) {
	paths := casePaths(t, filepath.Join("testdata", "ptoas"))
	if len(paths) == 0 {
		t.Fatal("no cases")
	}
	for _, path := range paths {
		c, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(c.name, func(t *testing.T) {
			if c.cfg.Planner != memory.PTOAS || c.cfg.Platform == nil {
				t.Fatal("the case is not for PTOAS and a platform")
			}
			ptoasCase(t, c)
		})
	}
}

func ptoasCase(t *testing.T, c *recorded) {
	s := analysis.Settings{Target: analysis.Target{Platform: c.cfg.Platform, Name: c.cfg.Platform.NameOf(), Planner: c.cfg.Planner}}
	input := c.sections[0]
	name := "31_" + input.name
	if input.name == "frontend.py" {
		name = "00_" + input.name
	}
	d := analysis.NewEngine(16<<20).NewDocument(name, irsyntax.Parse(input.text), s, analysis.Options{}, nil)
	sections, failed := d.IRAfter()
	got := map[string]string{}
	for _, x := range sections {
		got["after_"+x.Pass+".py"] = x.Text
	}
	outcome := "ok"
	if failed != nil {
		outcome = failed.Pass + ": " + failed.Kind.Class() + ": " + failed.Message
	}
	want, ok := c.text("result.txt")
	if want = strings.TrimSpace(want); !ok || outcome != want {
		t.Errorf("outcome %s\nwant    %s", outcome, want)
	}
	expected := 0
	for _, x := range c.sections[1:] {
		if x.name == "result.txt" {
			continue
		}
		expected++
		if diff := firstDifference(got[x.name], x.text); diff != "" {
			t.Errorf("%s: %s", x.name, diff)
		}
	}
	if want == "ok" && expected == 0 {
		t.Error("no dump to compare with")
	}
	if _, ran := got["after_AllocateMemoryAddr.py"]; ran {
		t.Error("AllocateMemoryAddr ran")
	}
	noPlacement(t, d, want)
}

var placed = regexp.MustCompile(`(?i)capacity|exceeds platform limit|address`)

// noPlacement holds that nothing is said about where tiles lie: an error there
// may be is the recorded one.
func noPlacement(t *testing.T, d *analysis.Document, want string) {
	for _, f := range d.Findings() {
		if f.Severity == analysis.Error && !strings.HasSuffix(want, f.Message) || placed.MatchString(f.Code+f.Message+f.Explain) {
			t.Errorf("finding %s: %s (%s)", f.Code, f.Message, f.Explain)
		}
	}
	for _, i := range d.FuncChunks() {
		for _, p := range d.Func(i).Planned {
			if p.Placed {
				t.Errorf("%s counts as placed", p.Name)
			}
			for _, x := range p.Tiles {
				if x.Addr >= 0 || x.Dynamic != "" {
					t.Errorf("%s: tile %s has an address: %d %s", p.Name, x.Name, x.Addr, x.Dynamic)
				}
			}
			for _, x := range p.Spaces {
				if x.Limit > 0 && x.Used > x.Limit {
					t.Errorf("%s: %s is shown as too full", p.Name, x.Space)
				}
			}
		}
	}
}
