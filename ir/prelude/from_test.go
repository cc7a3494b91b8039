package prelude_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
	"pypto-ls/ir/prelude"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

func readProgram(t testing.TB, text string, policy read.Policy, p *platforms.Platform) *ir.Program {
	t.Helper()
	progs := read.File(irsyntax.Parse(text), read.Options{Policy: policy, Platform: p})
	if len(progs) != 1 {
		t.Fatalf("%d programs in\n%s", len(progs), text)
	}
	return progs[0].IR
}

// lowerFrom lowers a program that stands after a pass.
func lowerFrom(prog *ir.Program, p *platforms.Platform, from string, observe func(string, []*ir.Function)) string {
	byName := map[string]*ir.Function{}
	for _, f := range prog.Funcs {
		byName[f.Name] = f
	}
	callers := prelude.Callers(prog.Funcs)
	out := &ir.Program{Name: prog.Name, Dims: prog.Dims}
	for _, f := range prog.Funcs {
		c := &prelude.Ctx{Platform: p, Planner: "PYPTO", Function: func(n string) *ir.Function { return byName[n] },
			Used: func(n string) bool { return byName[n] != nil }, Callers: callers}
		out.Funcs = append(out.Funcs, prelude.Lower(c, f, from, observe).Funcs...)
	}
	return printer.Program(out, printer.Options{})
}

var disambiguated = regexp.MustCompile(`(__\w+?_v\d+)(_\d+)+\b`)

// A dump after any pass gives what the hand-written text gives, up to the
// numbers that the printer puts behind equal names.
func TestLowerFromAnyPass(t *testing.T) {
	p, _ := platforms.Lookup("Ascend910B")
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "]"
	for name, src := range map[string]string{
		"pipelined": pipelined("4", "2", ""),
		"pair":      pair(cubeEnd, vectorEnd),
		"rings":     ringKernel("", true),
		"inlined":   caller(twice, "out = self.twice(a, out)\nreturn out"),
		"continues": loops("for j in pl.range(8):\n    if j > n:\n        continue\n    h = pl.add(h, x)\npl.store(h, [0, 0], out)"),
		"outlined":  program(host(params, "with pl.at(level=pl.Level.CORE_GROUP):\n    x = pl.load(a, [0, 0], [16, 64])\n    out = pl.store(pl.exp(x), [0, 0], out)")),
	} {
		t.Run(name, func(t *testing.T) {
			prog := readProgram(t, src, read.Reference, p)
			after := map[string][]*ir.Function{}
			var passes []string
			want := lowerFrom(prog, p, "frontend", func(pass string, fs []*ir.Function) {
				if after[pass] == nil {
					passes = append(passes, pass)
				}
				after[pass] = append(after[pass], fs...)
			})
			want = disambiguated.ReplaceAllString(want, "$1")
			for _, pass := range passes {
				dump := printer.Program(&ir.Program{Name: prog.Name, Dims: prog.Dims, Funcs: after[pass]}, printer.Options{})
				got := lowerFrom(readProgram(t, dump, read.Dump, p), p, pass, nil)
				if diff := cmp.Diff(want, disambiguated.ReplaceAllString(got, "$1")); diff != "" {
					t.Errorf("from %s:\n%s", pass, diff)
				}
			}
		})
	}
	// Passes that the prelude does not run have their place too.
	prog := readProgram(t, ringKernel("", true), read.Reference, p)
	var first string
	lowerFrom(prog, p, "LowerAutoVectorSplit", func(pass string, _ []*ir.Function) {
		if first == "" {
			first = pass
		}
	})
	if first != "ExpandMixedKernel" {
		t.Errorf("after LowerAutoVectorSplit comes %q", first)
	}
	for _, from := range []string{"InitMemRef", "AllocateMemoryAddr", "MaterializeValidShapeSymbols", "no such pass"} {
		lowerFrom(prog, p, from, func(pass string, _ []*ir.Function) { t.Errorf("%s runs after %s", pass, from) })
	}
}
