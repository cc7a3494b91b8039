package memory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// FuzzPasses plans and explains whatever a text reads as, from every stage and
// under every planner: nothing panics, and the function is not changed.
func FuzzPasses(f *testing.F) {
	paths, _ := filepath.Glob(filepath.Join("..", "test", "testdata", "corpus", "*0000*.txtar"))
	for i, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		for k, section := range strings.Split(string(data), "\n-- ") {
			if strings.HasPrefix(section, "after_") {
				_, text, _ := strings.Cut(section, "\n")
				f.Add(text, byte(i+k))
			}
		}
	}
	f.Add("def k(x: Tile[[64, 64], FP32, MemRef(m, 0, 16384), Mem.Vec]):\n    y = tile.exp(x)\n    return y\n", byte(1))
	f.Fuzz(func(t *testing.T, text string, choice byte) {
		cfg := Config{Planner: Planner(choice % 3)}
		if choice&8 != 0 {
			cfg.Platform = platform(t, []string{"Ascend910B", "Ascend950"}[choice>>4&1])
		}
		from := Stage(choice>>5) % NumStages
		for _, p := range read.File(irsyntax.Parse(text), read.Options{Policy: read.Policy(choice >> 2 & 1), Platform: cfg.Platform}) {
			for _, fn := range p.IR.Funcs {
				explainAll(t, fn, cfg, from)
			}
		}
	})
}

func explainAll(t *testing.T, fn *ir.Function, cfg Config, from Stage) {
	vars, body := fn.NumVars, fn.Body
	p := NewPlan(Run(fn, cfg, from), cfg)
	if fn.NumVars != vars || fn.Body != body {
		t.Error("the function was changed")
	}
	if p == nil || p.Lifetimes == nil {
		return
	}
	p.Unsafe()
	for i := range p.Buffers {
		v := p.Buffers[i].Members[0].Var
		p.WhyNotShare(p.Buffers[0].Members[0].Var, v).Words(line)
		p.Sharers(v)
	}
}
