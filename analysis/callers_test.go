package analysis

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// Whether a vector function runs on both vector cores depends on who calls it
// (spec 09 §10): a change of its caller alone must reach its plan, memo or not.
func TestCallersArePartOfTheResult(t *testing.T) {
	a, err := txtar.ParseFile(filepath.Join("..", "test", "testdata", "corpus", "mixedk_0001.Ascend910B.DSA_RP.txtar"))
	if os.IsNotExist(err) {
		t.Fatal("the recorded case of a hand-written group is gone")
	}
	if err != nil {
		t.Fatal(err)
	}
	before := ""
	for _, f := range a.Files {
		if f.Name == "frontend.py" {
			before = string(f.Data)
		}
	}
	after := strings.Replace(before, "pl.FunctionType.Group", "pl.FunctionType.Orchestration", 1)
	if before == after {
		t.Fatal("the case has no group")
	}
	set := Resolve(platforms.Builtin(), Layer{Platform: "Ascend910B", From: "test"})
	table := func(d *Document) []PlanFunction { return d.PlanTable() }
	eng := NewEngine(8 << 20)
	first := eng.NewDocument("k.pypto.py", irsyntax.Parse(before), set, Options{}, nil)
	old := table(first)
	second := eng.NewDocument("k.pypto.py", irsyntax.Parse(after), set, Options{}, first)
	fresh := NewEngine(8<<20).NewDocument("k.pypto.py", irsyntax.Parse(after), set, Options{}, nil)
	if d := cmp.Diff(table(fresh), table(second)); d != "" {
		t.Errorf("after the edit the plan is not that of a fresh document:\n%s", d)
	}
	if cmp.Equal(old, table(second)) {
		t.Error("the caller's kind changes nothing: the case does not test what it should")
	}
	third := eng.NewDocument("k.pypto.py", irsyntax.Parse(before), set, Options{}, second)
	if d := cmp.Diff(old, table(third)); d != "" {
		t.Errorf("undoing the edit does not give the first plan again:\n%s", d)
	}
}
