package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
	"pypto-ls/ir/lint"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

const header = `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[256, 256], pl.FP16], out: pl.Out[pl.Tensor[[256, 256], pl.FP16]], n: pl.Scalar[pl.INDEX]):
`

// source is one function with the given body as the reference reads it.
type source struct {
	fn   *ir.Function
	text string
}

func bodyOf(t *testing.T, lines ...string) source {
	t.Helper()
	return programOf(t, header+"        "+strings.Join(lines, "\n        ")+"\n")
}

// programOf is the only function of a text.
func programOf(t *testing.T, text string) source {
	t.Helper()
	progs := read.File(irsyntax.Parse(text), read.Options{Policy: read.Reference})
	if len(progs) != 1 || len(progs[0].Functions) != 1 {
		t.Fatalf("not one function in\n%s", text)
	}
	f := progs[0].Functions[0]
	for _, p := range f.Problems {
		t.Fatalf("%s\n%s", p.Message, text)
	}
	return source{f.IR, f.Chunk.Text}
}

// want compares findings, each as "‹text it points at›: message".
func (s source) want(t *testing.T, got []lint.Finding, want ...string) {
	t.Helper()
	var lines []string
	for _, f := range got {
		lines = append(lines, fmt.Sprintf("%s: %s", s.text[f.Span.Start:f.Span.End], f.Message))
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

func target(t *testing.T, name string) *platforms.Platform {
	t.Helper()
	p, ok := platforms.Lookup(name)
	if !ok {
		t.Fatalf("no platform %s", name)
	}
	return p
}

func TestUnusedVariables(t *testing.T) {
	const load = "pl.load(x, [0, 0], [16, 256])"
	for _, c := range []struct {
		name string
		body []string
		want []string
	}{
		{"never read", []string{"a = " + load, "b = " + load, "pl.store(b, [0, 0], out)"},
			[]string{"a: Unused variable 'a' in function 'k'"}},
		{"all read", []string{"a = " + load, "out = pl.store(a, [0, 0], out)", "return out"}, nil},
		// An output parameter that takes a store's result is the parameter.
		{"output parameter", []string{"a = " + load, "out = pl.store(a, [0, 0], out)"}, nil},
		{"result of a store", []string{"a = " + load, "r = pl.store(a, [0, 0], out)"},
			[]string{"r: Unused variable 'r' in function 'k'"}},
		// One name is one variable, whatever the number of its assignments: read
		// once is read; two assignments and no use are one finding, at the first.
		{"assigned again, read", []string{"a = " + load, "a = pl.add(a, a)"}, nil},
		{"assigned twice", []string{"a = " + load, "a = " + load}, []string{"a: Unused variable 'a' in function 'k'"}},
		{"scalar in a shape", []string{"m = n * 2", "a = pl.load(x, [m, 0], [16, 256])", "pl.store(a, [0, 0], out)"}, nil},
		{"only in an annotation", []string{"m = n * 2", "a: pl.Tile[[16, 256], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[m, 256])] = pl.load(x, [0, 0], [16, 256], [m, 256])", "pl.store(a, [0, 0], out)"}, nil},
		{"loop bound and condition", []string{"m = n + 1", "c = n + 2", "for i in pl.range(0, m, 1):", "    if i < c:", "        a = " + load, "        pl.store(a, [0, 0], out)"}, nil},
		{"nested", []string{"for i in pl.range(0, 4, 1):", "    a = " + load},
			[]string{"a: Unused variable 'a' in function 'k'"}},
		// The loop variable and the loop's result are none of this check.
		{"loop result", []string{"a = " + load, "for i, (s,) in pl.range(0, 4, 1, init_values=(a,)):", "    b = pl.add(s, s)", "    r = pl.yield_(b)"}, nil},
		{"underscore", []string{"_a = " + load}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := bodyOf(t, c.body...)
			s.want(t, lint.UnusedVariables(s.fn), c.want...)
		})
	}
}

func TestUnusedResults(t *testing.T) {
	loop := []string{"a = pl.load(x, [0, 0], [16, 256])", "for i, (s,) in pl.range(0, 4, 1, init_values=(a,)):", "    b = pl.add(s, s)", "    r = pl.yield_(b)"}
	s := bodyOf(t, loop...)
	s.want(t, lint.UnusedResults(s.fn), "r: Unused variable 'r' in function 'k'")
	s = bodyOf(t, append(loop, "pl.store(r, [0, 0], out)")...)
	s.want(t, lint.UnusedResults(s.fn))
}

func TestDroppedOutWrites(t *testing.T) {
	const text = "Output parameter 'out' of function 'k' is bound to another tensor here; what is written through it from here on does not reach the caller"
	store := []string{"a = pl.load(x, [0, 0], [16, 256])", "out = pl.store(a, [0, 0], out)"}
	s := bodyOf(t, store...)
	s.want(t, lint.DroppedOutWrites(s.fn))
	fresh := "out = pl.create_tensor([256, 256], dtype=pl.FP16)"
	s = bodyOf(t, append([]string{fresh}, store...)...)
	s.want(t, lint.DroppedOutWrites(s.fn), fresh+": "+text)
	s = bodyOf(t, append([]string{"out = x"}, store...)...)
	s.want(t, lint.DroppedOutWrites(s.fn), "out = x: "+text)
}

func TestMisplacedYields(t *testing.T) {
	const text = "YieldStmt before the terminating position; YieldStmt must be the trailing statement of its scope"
	head := []string{"a = pl.load(x, [0, 0], [16, 256])", "for i, (s,) in pl.range(0, 4, 1, init_values=(a,)):", "    b = pl.add(s, s)", "    r = pl.yield_(b)"}
	s := bodyOf(t, head...)
	s.want(t, lint.MisplacedYields(s.fn))
	s = bodyOf(t, append(head, "    pl.store(b, [0, 0], out)")...)
	s.want(t, lint.MisplacedYields(s.fn), "r = pl.yield_(b): "+text)
}
