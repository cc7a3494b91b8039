package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// TestPlanJSON: the text is that of the encoder, whatever the plan has.
func TestPlanJSON(t *testing.T) {
	plans := [][]analysis.PlanFunction{{}, {{Name: "<a>", Approximate: []string{}, Tiles: []analysis.PlanTile{}, Spaces: []analysis.PlanSpace{}}}}
	cases, _ := filepath.Glob(filepath.Join("..", "..", "test", "testdata", "corpus", "mix*.txtar"))
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, name := range cases {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, planOf(string(a.Files[0].Data)))
	}
	for _, funcs := range plans {
		var want, got bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetIndent("", "  ")
		if err := enc.Encode(map[string]any{"functions": funcs}); err != nil {
			t.Fatal(err)
		}
		PlanJSON(&got, funcs)
		if d := cmp.Diff(want.String(), got.String()); d != "" {
			t.Error(d)
		}
	}
}

func planOf(text string) []analysis.PlanFunction {
	set := analysis.Resolve(platforms.Builtin(), analysis.Layer{From: "test"})
	return analysis.NewEngine(64<<20).NewDocument("a.py", irsyntax.Parse(text), set, analysis.Options{}, nil).PlanTable()
}

// TestPlanOfManySharers: 1,500 tiles in one place share with 1,499 others each;
// table and JSON are made without keeping the 2 million names, 36 MB of string
// headers.
func TestPlanOfManySharers(t *testing.T) {
	const n = 1500
	var b strings.Builder
	b.WriteString("import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)\n    def f(x: pl.Tensor[[8, 16], pl.FP32]) -> pl.Tensor[[8, 16], pl.FP32]:\n")
	for i := range n {
		fmt.Fprintf(&b, "        t%d: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)\n", i)
	}
	b.WriteString("        return x\n")
	funcs := planOf(b.String())
	if len(funcs) != 1 || len(funcs[0].Tiles) != n {
		t.Fatalf("%d functions", len(funcs))
	}
	if names, more := funcs[0].Tiles[0].Shares.First(2); more != n-3 || len(names) != 2 {
		t.Errorf("%q and %d more", names, more)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	funcs = append(funcs, planOf(b.String())...)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 20<<20 {
		t.Errorf("a plan takes %d MB", kept>>20)
	}
	PlanJSON(io.Discard, funcs[:1])
}
