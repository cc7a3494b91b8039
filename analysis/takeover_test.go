package analysis

import (
	"fmt"
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

// TestTakeOverRebound: names of the module are bound several times, and edits
// change what stands between which functions.
func TestTakeOverRebound(t *testing.T) {
	kernel := func(name, body string) string {
		return "@pl.function(type=pl.FunctionType.InCore)\ndef " + name + "(x: pl.Tensor[[T, 64], pl.FP32]) -> pl.Tensor[[T, 64], pl.FP32]:\n    a = pl.tile.load(x, [0, 0], [T, 64])\n" + body + "    return x\n\n\n"
	}
	const head = "import pypto.language as pl\n\n\n"
	f, g, h := kernel("f", ""), kernel("g", "    x = f(x)\n"), kernel("h", "    x = f(x)\n    x = g(x)\n")
	texts := []string{
		head + "T = 16\n\n\n" + f + "T = 32\n\n\n" + g + h,
		head + "T = 16\n\n\n" + f + "T = 64\n\n\n" + g + h,
		head + "T = 16\n\n\n" + f + g + "T = 64\n\n\n" + h,
		head + "T = 16\n\n\n" + g + "T = 64\n\n\n" + f + h,
		head + f + "T = 16\n\n\n" + g + "T = 64\n\n\n" + h,
		head + "class C:\n    A = 16\n\n    def z(self):\n        pass\n\n    B = 8\n\n\nT = C.A\n\n\n" + f + "T = C.B\n\n\n" + g + h,
		head + "class C:\n    A = 16\n\n    def z(self):\n        pass\n\n    B = 4\n\n\nT = C.A\n\n\n" + f + "T = C.B\n\n\n" + g + h,
		head + "T = 16\n\n\n" + f + "T += 16\n\n\n" + g + h,
		head + "T = 16\n\n\n" + f + "if T:\n    T = 32\n\n\n" + g + h,
		head + "T = 16\n\n\n" + f + "if U:\n    T = 32\n\n\n" + g + h,
	}
	show := func(d *Document) (out []string) {
		for _, i := range d.FuncChunks() {
			fn := d.Func(i)
			out = append(out, fmt.Sprintf("%+v", fn.Findings), fmt.Sprintf("%+v", fn.Planned))
		}
		return out
	}
	e := NewEngine(1 << 20)
	for i, from := range texts {
		for j, to := range texts {
			file := irsyntax.Parse(from)
			before := e.NewDocument("k.py", file, Settings{}, Options{}, nil)
			show(before)
			at, end := 0, 0
			for at < min(len(from), len(to)) && from[at] == to[at] {
				at++
			}
			for end < min(len(from), len(to))-at && from[len(from)-1-end] == to[len(to)-1-end] {
				end++
			}
			next, ok := irsyntax.Reparse(file, []irsyntax.Edit{{Start: at, End: len(from) - end, Text: to[at : len(to)-end]}})
			if !ok {
				t.Fatal("no edit")
			}
			got := show(e.NewDocument("k.py", next, Settings{}, Options{}, before))
			want := show(NewEngine(1<<20).NewDocument("k.py", irsyntax.Parse(to), Settings{}, Options{}, nil))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d to %d (-new +incremental)\n%s", i, j, diff)
			}
		}
	}
}
