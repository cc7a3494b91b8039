package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
)

const outlineText = `# pypto.program: P
# second line of a comment
import pypto.language as pl
import math

M = pl.dynamic("M")
N = 64
ping = pl.MemRef()

@pl.program
class P:
    """A docstring
    of two lines."""

    @pl.function(type=pl.FunctionType.AIV)
    def f(
        a: pl.Tensor[[64, 64], pl.FP32],
        c: pl.Tensor[[64, 64], pl.FP32],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        mem_vec_0: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        t: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_0, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        for i in pl.range(4):
            u: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_1, pl.const(16384, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.exp(t)
            if i == 0:
                # in the branch
                r: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(u, [0, 0], c)
            else:
                s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(
                    u,
                    [0, 0], c)
        return c

    # trailing comment
@pl.function(type=pl.FunctionType.Orchestration)
def main(a: pl.Tensor[[64, 64], pl.FP32]):
    return a
`

// lines are the 1-based lines of a span.
func lines(text string, s ir.Span) string {
	return fmt.Sprintf("%d-%d", strings.Count(text[:s.Start], "\n")+1, strings.Count(text[:s.End], "\n")+1)
}

// Lines are counted by hand in outlineText; addresses are those of the text.
func TestSymbols(t *testing.T) {
	d := docOf(t, "35_after_AllocateMemoryAddr.py", outlineText)
	var b strings.Builder
	var show func(list []Symbol, indent string)
	show = func(list []Symbol, indent string) {
		for _, s := range list {
			fmt.Fprintf(&b, "%s%d %s [%s] %s %s\n", indent, s.Kind, s.Name, s.Detail, lines(outlineText, s.Span), outlineText[s.NameSpan.Start:s.NameSpan.End])
			show(s.Children, indent+"  ")
		}
	}
	show(d.Symbols(), "")
	want := `4 M [dynamic dimension] 6-6 M
3 N [] 7-7 N
5 ping [declared allocation] 8-8 ping
0 P [] 10-32 P
  1 f [AIV · Vec 32,768 / 188,416 B (17 %)] 15-32 f
    2 t [Vec 16 KiB @ 0x00000] 22-22 t
    2 u [Vec 16 KiB @ 0x04000] 24-24 u
1 main [Orchestration] 35-37 main
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestFolds(t *testing.T) {
	d := docOf(t, "k.py", outlineText)
	var b strings.Builder
	for _, f := range d.Folds() {
		fmt.Fprintf(&b, "%s %d\n", lines(outlineText, f.Span), f.Kind)
	}
	want := `1-2 2
3-4 1
11-32 0
12-13 2
16-18 0
19-32 0
20-21 3
23-31 0
25-27 0
28-31 0
29-31 0
36-37 0
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	if got := docOf(t, "x.py", "def f():\n    return 1\n\nif True:\n    x = [\n        1]\n").Folds(); got != nil {
		t.Errorf("ordinary Python folds: %v", got)
	}
}

func TestSelections(t *testing.T) {
	d := docOf(t, "k.py", outlineText)
	off := strings.Index(outlineText, "exp(t)") + len("exp(")
	var got []string
	for _, s := range d.Selections(off) {
		text := outlineText[s.Start:s.End]
		if len(text) > 40 {
			text = text[:16] + "…" + text[len(text)-16:]
		}
		got = append(got, text)
	}
	want := []string{"t", "pl.tile.exp(t)",
		"u: pl.Tile[[64, …= pl.tile.exp(t)",
		"u: pl.Tile[[64, …      [0, 0], c)", // the loop's body
		"for i in pl.rang…      [0, 0], c)",
		"mem_vec_0: pl.Pt…        return c", // the function's body
		"@pl.function(typ…        return c",
		"@pl.program\nclas…        return c",
		"# pypto.program:…):\n    return a\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Expected order: exact, prefix of a word, inside, letters in order.
func TestFindSymbols(t *testing.T) {
	text := `import pypto.language as pl
@pl.program
class Kernels:
    @pl.function(type=pl.FunctionType.InCore)
    def matmul_acc(a: pl.Tensor[[64, 64], pl.FP32]):
        return a
    @pl.function(type=pl.FunctionType.InCore)
    def acc(a: pl.Tensor[[64, 64], pl.FP32]):
        return a
    @pl.function(type=pl.FunctionType.InCore)
    def vacc(a: pl.Tensor[[64, 64], pl.FP32]):
        return a
    @pl.function(type=pl.FunctionType.InCore)
    def add_col_c(a: pl.Tensor[[64, 64], pl.FP32]):
        return a
    @pl.function(type=pl.FunctionType.InCore)
    def sub(a: pl.Tensor[[64, 64], pl.FP32]):
        return a
`
	docs := []*Document{docOf(t, "a.py", text), docOf(t, "plain.py", "def acc():\n    pass\n")}
	names := func(q string, limit int) string {
		var out []string
		for _, s := range FindSymbols(docs, q, limit) {
			out = append(out, s.Container+"."+s.Name)
		}
		return strings.Join(out, " ")
	}
	for q, want := range map[string]string{
		"acc": "Kernels.acc Kernels.matmul_acc Kernels.vacc Kernels.add_col_c",
		"ACC": "Kernels.acc Kernels.matmul_acc Kernels.vacc Kernels.add_col_c",
		"krn": ".Kernels", "mac": "Kernels.matmul_acc", "zzz": "", "sub": "Kernels.sub",
	} {
		if got := names(q, 10); got != want {
			t.Errorf("%q: got %s, want %s", q, got, want)
		}
	}
	if got := names("", 3); len(strings.Fields(got)) != 3 {
		t.Errorf("limit: %s", got)
	}
}
