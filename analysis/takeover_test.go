package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/irsyntax"
)

// TestTakeOverMethods: the line of the class goes, and a method becomes a
// function of its own, whose signature makes a dimension of a name that nothing
// declares.
func TestTakeOverMethods(t *testing.T) {
	const class = "@pl.program\nclass P:\n"
	const text = "import pypto.language as pl\n\n\n" + class + "    @pl.function(type=pl.FunctionType.InCore)\n    def f(self, x: pl.Tensor[[M, 64], pl.FP32]):\n        return\n"
	at := len("import pypto.language as pl\n\n\n")
	e := NewEngine(1 << 20)
	file := irsyntax.Parse(text)
	before := e.NewDocument("k.py", file, Settings{}, Options{}, nil)
	messages := func(d *Document) (out []string) {
		for _, f := range d.Findings() {
			out = append(out, f.Message)
		}
		return out
	}
	if got := messages(before); len(got) != 1 || got[0] != "NameError: name 'M' is not defined" {
		t.Fatalf("in the class: %q", got)
	}
	next, ok := irsyntax.Reparse(file, []irsyntax.Edit{{Start: at, End: at + len(class)}})
	if !ok {
		t.Fatal("no edit")
	}
	got := messages(e.NewDocument("k.py", next, Settings{}, Options{}, before))
	want := messages(NewEngine(1<<20).NewDocument("k.py", irsyntax.Parse(next.Text()), Settings{}, Options{}, nil))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-new +incremental)\n%s", diff)
	}
}
