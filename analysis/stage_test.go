package analysis

import (
	"strings"
	"testing"

	"pypto-ls/irsyntax"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// Where a function stands, by its text alone. Functions that the author typed
// AIC or AIV, and hosts with tile scopes, go through the prelude like any other
// hand-written one: without it transposes had no scratch tile, casts no hops,
// pipes no workspace, and scopes no functions.
func TestStartOfText(t *testing.T) {
	const params = "x: pl.Tensor[[256, 64], pl.FP32], out: pl.Out[pl.Tensor[[256, 64], pl.FP32]]"
	versioned := strings.NewReplacer("x:", "x__ssa_v0:", "out:", "out__ssa_v0:").Replace(params)
	lower, dump := Start{Lower: true}, Start{Stage: memory.StageInput}
	for name, c := range map[string]struct {
		kind, params, body string
		want               Start
	}{
		"InCore":             {"InCore", params, "t = pl.load(x, [0, 0], [16, 64])", lower},
		"AIV by hand":        {"AIV", params, "t = pl.load(x, [0, 0], [16, 64])\ntt = pl.transpose(t, 0, 1)", lower},
		"spaces given":       {"AIV", params, "t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)", lower},
		"a host with scopes": {"Opaque", params, "with pl.at(level=pl.Level.CORE_GROUP):\n    t = pl.load(x, [0, 0], [16, 64])\n    out = pl.store(t, [0, 0], out)", lower},
		"a dump":             {"AIV", versioned, "t__ssa_v0: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)", dump},
		// A captured carry keeps the author's name; so do carries and results.
		"a dump with an author's names": {"AIV", params + ", k__idx_v0: pl.Scalar[pl.INDEX]",
			"for i__idx_v0, (s,) in pl.range(4, init_values=(x,)):\n    r = pl.yield_(s)", dump},
		"a dump with the workspace only": {"AIC", "__gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32]]", "pass", dump},
		// No dump after the prelude holds a pipeline loop.
		"a dump with a pipeline": {"AIV", versioned, "for i__idx_v0 in pl.pipeline(4, stage=2):\n    t__ssa_v0 = pl.load(x__ssa_v0, [0, 0], [16, 64])", lower},
	} {
		t.Run(name, func(t *testing.T) {
			text := "import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType." + c.kind + ")\n    def k(self, " +
				c.params + "):\n        " + strings.ReplaceAll(c.body, "\n", "\n        ") + "\n"
			p, _ := platforms.Lookup("Ascend910B")
			s := Settings{Target: Target{Platform: p, Name: "Ascend910B", Planner: memory.PYPTO}}
			d := NewEngine(1<<20).NewDocument("k.py", irsyntax.Parse(text), s, Options{}, nil)
			for _, i := range d.FuncChunks() {
				if got := d.Func(i).Start; got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			}
		})
	}
	for name, known := range map[string]bool{"frontend.py": true, "00_frontend.py": true, "12_after_Simplify.py": true, "kernel.py": false} {
		if _, ok := StartOfName(name); ok != known {
			t.Errorf("%s tells its stage: %v", name, ok)
		}
	}
}

// A function whose tiles are unknown is in the table with its reasons: an empty
// table would say that it has none.
func TestPlanTableOfTensorCode(t *testing.T) {
	const text = `import pypto.language as pl

@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[16, 8], pl.FP32], out: pl.Out[pl.Tensor[[16, 8], pl.FP32]]) -> pl.Tensor[[16, 8], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            b = pl.tensor.adds(a, 1.0)
            out = pl.tensor.assemble(out, b, [0, 0])
        return out
`
	p, _ := platforms.Lookup("Ascend910B")
	s := Settings{Target: Target{Platform: p, Name: "Ascend910B", Planner: memory.PYPTO}}
	var got []string
	for _, f := range NewEngine(1<<20).NewDocument("k.py", irsyntax.Parse(text), s, Options{}, nil).PlanTable() {
		if len(f.Approximate) > 0 {
			got = append(got, f.Name)
		}
	}
	if strings.Join(got, " ") != "main_incore_0 main" {
		t.Errorf("marked in the table: %v", got)
	}
}
