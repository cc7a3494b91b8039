package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/analysis/rules"
	"pypto-ls/ir/lint"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// linted are the findings of the given codes as "line code: message", in the
// order of the document.
func linted(t *testing.T, name, text, platform string, codes ...string) []string {
	t.Helper()
	s := Resolve(platforms.Builtin(), Layer{Platform: platform, From: "test"})
	d := NewEngine(1<<20).NewDocument(name, irsyntax.Parse(text), s, Options{}, nil)
	var out []string
	for _, f := range d.Findings() {
		for _, c := range codes {
			if f.Code == c {
				line := 1 + strings.Count(text[:f.Span.Start], "\n")
				out = append(out, fmt.Sprintf("%d %s: %s", line, f.Code, f.Message))
			}
		}
	}
	return out
}

const lintKernel = `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, x: pl.Tensor[[256, 64], pl.FP16], out: pl.Out[pl.Tensor[[256, 64], pl.FP16]]) -> pl.Tensor[[256, 64], pl.FP16]:
        dead = pl.load(x, [0, 0], [32, 64])
        for i in pl.pipeline(0, 4, 1, stage=2):
            b = pl.load(x, [i * 32, 0], [32, 64])
            out = pl.store(b, [i * 32, 0], out)
        return out
`

// A kernel as written goes through the whole pipeline. The loop's body is
// replicated once for each of its two stages: two loads and two stores at one
// place each. 64 FP16 elements are 128 B.
func TestLintOfWrittenKernel(t *testing.T) {
	row := func(op, times string) string {
		return "PH001: " + op + " has innermost dim = 128B (tile fp16[64], target_memory=Vec); moves 4096B as 32 x 128B rows; recommended >= 512B for backend a2a3 (L2 cache line = 512B). Consider increasing tile shape on the innermost axis." + times
	}
	const twice = " (2 occurrences at this source location)"
	want := []string{
		"8 unused-variable: Unused variable 'dead' in function 'main'",
		"8 " + row("tile.load", ""),
		"10 " + row("tile.load", twice),
		"11 " + row("tile.store", twice),
	}
	if d := cmp.Diff(want, linted(t, "k.py", lintKernel, "Ascend910B", "PH001", "unused-variable")); d != "" {
		t.Error(d)
	}
	// 128 B are enough on Ascend950.
	if d := cmp.Diff(want[:1], linted(t, "k.py", lintKernel, "Ascend950", "PH001", "unused-variable")); d != "" {
		t.Error(d)
	}
	for _, f := range documentOf(t, "k.py", lintKernel).Findings() {
		switch f.Code {
		case "unused-variable":
			if f.Severity != Warning || !f.Unnecessary {
				t.Errorf("%s: severity %s, unnecessary %v", f.Code, f.Severity, f.Unnecessary)
			}
		case "PH001":
			if f.Severity != Information || f.Unnecessary || f.Explain != "512 B are 256 elements of fp16." {
				t.Errorf("%s: severity %s, unnecessary %v, %q", f.Code, f.Severity, f.Unnecessary, f.Explain)
			}
		}
	}
}

func documentOf(t *testing.T, name, text string) *Document {
	t.Helper()
	return NewEngine(1<<20).NewDocument(name, irsyntax.Parse(text), Resolve(platforms.Builtin()), Options{}, nil)
}

const lintDump = `# pypto.program: P
import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV)
    def main(x__ssa_v0: pl.Tensor[[32, 64], pl.FP16], out__ssa_v0: pl.Out[pl.Tensor[[32, 64], pl.FP16]]):
        dead__ssa_v0: pl.Tile[[32, 64], pl.FP16, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        b__ssa_v0: pl.Tile[[32, 64], pl.FP16, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        o__ssa_v0: pl.Tensor[[32, 64], pl.FP16] = pl.tile.store(b__ssa_v0, [0, 0], out__ssa_v0)
        return o__ssa_v0
`

// A dump in the middle of the pipeline is neither what the warnings look at
// nor the final program; one behind the last memory pass is the latter. The
// same statements under an author's names are a kernel.
func TestLintOfDumps(t *testing.T) {
	codes := []string{"PH001", "unused-variable"}
	if got := linted(t, "31_after_MaterializeTensorStrides.py", lintDump, "Ascend910B", codes...); got != nil {
		t.Errorf("dump before InitMemRef: %q", got)
	}
	if got := linted(t, "k.py", lintDump, "Ascend910B", codes...); got != nil {
		t.Errorf("the same without a name that tells: %q", got)
	}
	if got := linted(t, "35_after_AllocateMemoryAddr.py", lintDump, "Ascend910B", codes...); got != nil {
		t.Errorf("dump of a pass before the last: %q", got)
	}
	if got := linted(t, "49_after_MaterializeValidShapeSymbols.py", lintDump, "Ascend910B", codes...); len(got) != 3 {
		t.Errorf("final program: %q", got)
	}
	if got := linted(t, "k.py", strings.ReplaceAll(lintDump, "__ssa_v0", ""), "Ascend910B", codes...); len(got) != 4 {
		t.Errorf("written for the vector core: %q", got)
	}
}

// After an error there is no final program, and a name that a faulty statement
// mentions is not unused.
func TestLintAfterErrors(t *testing.T) {
	broken := strings.Replace(lintKernel, "        return out", "        pl.store(dead, [0, 0], nothing)\n        return out", 1)
	if got := linted(t, "k.py", broken, "Ascend910B", "PH001", "unused-variable"); got != nil {
		t.Errorf("with an undefined name: %q", got)
	}
	// Two tiles of 1024 * 64 * 2 = 131072 B live together exceed Vec's 188416 B.
	full := strings.NewReplacer("256, 64", "2048, 64", "i * 32", "i * 1024", "32, 64", "1024, 64",
		"        return out", "        pl.store(dead, [0, 0], out)\n        return out").Replace(lintKernel)
	if got := linted(t, "k.py", full, "Ascend910B", "PH001", "capacity"); len(got) != 1 || !strings.Contains(got[0], "capacity") {
		t.Errorf("overflow: %q", got)
	}
}

func TestLintOfMissingMemRef(t *testing.T) {
	const text = `import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV)
    def main(x: pl.Tensor[[32, 64], pl.FP16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4096)]):
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4096)
        a: pl.Tile[[32, 64], pl.FP16, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        b: pl.Tile[[32, 64], pl.FP16, pl.Mem.Vec] = pl.tile.add(a, a)
        p: pl.Tile[[32, 64], pl.FP16, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
        v: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pl.tile.slice(p, [16, 64], [0, 0])
        w: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = v
`
	want := []string{"9 memref-missing: TileType variable 'b' has no MemRef initialized"}
	if d := cmp.Diff(want, linted(t, "32_after_InitMemRef.py", text, "Ascend910B", "memref-missing")); d != "" {
		t.Error(d)
	}
}

func TestLintOfStores(t *testing.T) {
	const text = `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, x: pl.Tensor[[32, 32], pl.INT8], out: pl.Out[pl.Tensor[[32, 32], pl.INT8]]):
        m = pl.load(x, [0, 0], [32, 32], target_memory=pl.Mem.Mat)
        l = pl.move(m, target_memory=pl.Mem.Left)
        r = pl.move(m, target_memory=pl.Mem.Right)
        c = pl.matmul(l, r)
        pl.store(c, [0, 0], out)
`
	got := linted(t, "k.py", text, "Ascend910B", "acc-store")
	if len(got) != 1 || !strings.HasPrefix(got[0], "12 acc-store: cube accumulator cannot be stored directly into a 'int8' global tensor on the 'a2a3' backend (function 'main').") {
		t.Errorf("%q", got)
	}
}

// Every code that a check reports is explained, in the manual and on hover.
func TestLintRulesAreExplained(t *testing.T) {
	for _, r := range []*lint.Rule{lint.UnusedVariable, lint.OutParam, lint.ShortRows, lint.AccStore, lint.AtomicAdd, lint.ValidShape, lint.YieldPosition} {
		if _, ok := rules.Find(r.Code); !ok || CodeSummary(r.Code) == "" {
			t.Errorf("%s (%s) is not explained", r.Code, r.Name)
		}
	}
}
