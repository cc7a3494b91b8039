package prelude_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
	"pypto-ls/ir/prelude"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/platforms"
)

var (
	slotOf   = regexp.MustCompile(`(\w+): pl\.Tile\[.*?pl\.MemRef\("(pipe_\w+)", slots=(\d+)\)\[([^\]]+)\]`)
	clonesOf = regexp.MustCompile(`pipeline_membership`)
)

// slotsOf lowers the body of a kernel from just before LowerPipelineToSlots
// under a planner: the bindings made, as "variable base slots index", and
// whether any loop was replicated.
func slotsOf(t *testing.T, planner string, target *platforms.Platform, body ...string) (bound []string, replicated bool) {
	t.Helper()
	src := "import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.AIV)\n" +
		"    def k(x: pl.Tensor[[1024, 1024], pl.FP32], out: pl.Out[pl.Tensor[[1024, 1024], pl.FP32]], n: pl.Scalar[pl.INDEX]):\n        " + strings.Join(body, "\n        ") + "\n"
	prog := readProgram(t, src, read.Reference, target)
	c := &prelude.Ctx{Platform: target, Planner: planner}
	r := prelude.Lower(c, prog.Funcs[0], "SkewCrossCorePipeline", nil)
	for _, p := range c.Problems {
		t.Fatalf("%s: %s", p.Pass, p.Message)
	}
	text := printer.Program(&ir.Program{Name: "P", Funcs: r.Funcs}, printer.Options{})
	for _, m := range slotOf.FindAllStringSubmatch(text, -1) {
		bound = append(bound, strings.Join(m[1:], " "))
	}
	return bound, clonesOf.MatchString(text)
}

// One case a rule of spec 05 §7.3. A tile [16, 64] of FP32 takes 4096 B, one of
// [16, 1024] 65536 B; Vec of Ascend910B holds 188416 B.
func TestLowerPipelineToSlots(t *testing.T) {
	const (
		t16   = "t = pl.tile.load(x, [i * 16, 0], [16, 64])"
		wide  = "t = pl.tile.load(x, [i * 16, 0], [16, 1024])"
		use   = "u = pl.tile.add(t, t)"
		store = "pl.tile.store(u, [i * 16, 0], out)"
		t2    = "t pipe_t 2 i % 2"
	)
	loop := func(head string, body ...string) []string {
		out := []string{"for i in pl.pipeline(" + head + "):"}
		for _, l := range body {
			out = append(out, "    "+l)
		}
		return out
	}
	inner := []string{"for j in pl.pipeline(0, 4, 1, stage=2):", "    s = pl.tile.load(x, [j * 16, 0], [16, 64])", "    v = pl.tile.exp(s)", "    pl.tile.store(v, [j * 16, 0], out)"}
	for _, c := range []struct {
		name string
		body []string
		want []string
	}{
		{"accepted", loop("0, 4, 1, stage=2", t16, use, store), []string{t2}},
		{"every load", loop("0, 6, 1, stage=3", t16, "s = pl.tile.load(x, [i * 16, 0], [16, 64])", "u = pl.tile.add(t, s)", store), []string{"t pipe_t 3 i % 3", "s pipe_s 3 i % 3"}},
		{"1: one stage", loop("0, 4, 1, stage=1", t16, use, store), nil},
		{"1: below one stage", loop("0, 4, 1, stage=1", inner...), []string{"s pipe_s 2 j % 2"}},
		{"1: below a declined loop", loop("0, 4, 2, stage=2", inner...), nil},
		{"2: 16 stages", loop("0, 32, 1, stage=16", t16, use, store), []string{"t pipe_t 16 i % 16"}},
		{"2: 17 stages", loop("0, 34, 1, stage=17", t16, use, store), nil},
		{"2: step 2", loop("0, 8, 2, stage=2", t16, use, store), nil},
		{"2: start not divisible", loop("1, 5, 1, stage=2", t16, use, store), nil},
		{"2: start divisible", loop("2, 6, 1, stage=2", t16, use, store), []string{t2}},
		{"2: start not a literal", loop("n, n + 4, 1, stage=2", t16, use, store), nil},
		{"2: stop not a literal", loop("0, n, 1, stage=2", t16, use, store), []string{t2}},
		{"2: body of one statement", loop("0, 4, 1, stage=2", t16), nil},
		{"3: no load", loop("0, 4, 1, stage=2", "u = pl.tile.full([16, 64], dtype=pl.FP32, value=0.0)", store), nil},
		{"3: load not at the top level", loop("0, 4, 1, stage=2", "if i < n:", "    "+t16, "    "+use, "    "+store, "w = pl.tile.full([16, 64], dtype=pl.FP32, value=0.0)"), nil},
		{"3: load with a MemRef", loop("0, 4, 1, stage=2", `t: pl.Tile[[16, 64], pl.FP32, pl.MemRef("d", slots=2)[0], pl.Mem.Vec] = pl.tile.load(x, [i * 16, 0], [16, 64])`, use, store), nil},
		{"4: valid shape not a literal", loop("0, 4, 1, stage=2", "t = pl.tile.load(x, [i * 16, 0], [16, 64], [n, 64])", use, store), nil},
		{"4: carried by an inner loop", loop("0, 4, 1, stage=2", t16, "for j, (c,) in pl.range(0, 2, 1, init_values=(t,)):", "    d = pl.tile.exp(c)", "    r = pl.yield_(d)", "pl.tile.store(r, [0, 0], out)"), nil},
		{"4: yielded by an inner branch", loop("0, 4, 1, stage=2", t16, "if i < n:", "    r = pl.yield_(t)", "else:", "    e = pl.tile.exp(t)", "    r = pl.yield_(e)", "pl.tile.store(r, [0, 0], out)"), nil},
		{"4: an alias is yielded", loop("0, 4, 1, stage=2", t16, "b = t", "if i < n:", "    r = pl.yield_(b)", "else:", "    e = pl.tile.exp(t)", "    r = pl.yield_(e)", "pl.tile.store(r, [0, 0], out)"), nil},
		{"4: stored directly", loop("0, 4, 1, stage=2", t16, "pl.tile.store(t, [i * 16, 0], out)"), nil},
		{"4: viewed", loop("0, 4, 1, stage=2", t16, "u = pl.tile.slice(t, [8, 64], [0, 0])", "v = pl.tile.exp(u)", "pl.tile.store(v, [0, 0], out)"), nil},
		{"4: an alias is stored", loop("0, 4, 1, stage=2", t16, "b = t", "pl.tile.store(b, [i * 16, 0], out)"), nil},
		{"4: one of two rules out both", loop("0, 4, 1, stage=2", t16, "s = pl.tile.load(x, [i * 16, 0], [16, 64])", use, store, "pl.tile.store(s, [i * 16, 0], out)"), nil},
		// 2 * 65536 = 131072 B fit, 3 * 65536 = 196608 B do not.
		{"5: two fit", loop("0, 6, 1, stage=2", wide, use, store), []string{t2}},
		{"5: three do not", loop("0, 6, 1, stage=3", wide, use, store), nil},
		// 188416 - 131072 = 57344 B are left for a second loop's 2 * 65536 B, while
		// 2 * 4096 B fit.
		{"5: the second loop does not fit", append(loop("0, 4, 1, stage=2", wide, use, store), loop("0, 4, 1, stage=2", strings.ReplaceAll(wide, "t =", "s ="), "v = pl.tile.exp(s)", "pl.tile.store(v, [0, 0], out)")...), []string{t2}},
		{"5: the second loop fits", append(loop("0, 4, 1, stage=2", wide, use, store), loop("0, 4, 1, stage=2", strings.ReplaceAll(t16, "t =", "s ="), "v = pl.tile.exp(s)", "pl.tile.store(v, [0, 0], out)")...), []string{t2, "s pipe_s 2 i_1 % 2"}}, // the printer numbers the second i
		// The author's declaration commits 16384 B a slot: with 3 slots 188416 - 49152
		// = 139264 B are left, with 4 slots 122880 B.
		{"5: declared, fits", append([]string{`d: pl.Tile[[64, 64], pl.FP32, pl.MemRef("d", slots=3)[0], pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64])`}, loop("0, 4, 1, stage=2", wide, use, store)...), []string{t2}},
		{"5: declared, does not fit", append([]string{`d: pl.Tile[[64, 64], pl.FP32, pl.MemRef("d", slots=4)[0], pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64])`}, loop("0, 4, 1, stage=2", wide, use, store)...), nil},
		{"6: the accepted body is visited", loop("0, 4, 1, stage=2", append([]string{t16, use, store}, inner...)...), []string{t2, "s pipe_s 2 j % 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _ := platforms.Lookup("Ascend910B")
			got, replicated := slotsOf(t, "PTOAS", p, c.body...)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("bindings (-want +got):\n%s", d)
			}
			// A declined loop is replicated as under the other planners.
			if staged := !strings.Contains(strings.Join(c.body, "\n"), "stage=1)"); len(c.want) == 0 && staged && !replicated {
				t.Error("neither slots nor clones")
			}
			// The other planners never make slots.
			if other, _ := slotsOf(t, "PYPTO", p, c.body...); other != nil {
				t.Errorf("under PYPTO: %q", other)
			}
		})
	}
	// Without a backend no capacity is known: three wide tiles are taken.
	if got, _ := slotsOf(t, "PTOAS", nil, loop("0, 6, 1, stage=3", wide, use, store)...); len(got) != 1 {
		t.Errorf("without a backend: %q", got)
	}
}
