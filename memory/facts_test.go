package memory

import (
	"slices"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// sameFacts compares what a layout knows of its body with a fresh look at it.
// declared, attrs and again may have more.
func sameFacts(t *testing.T, what string, l *Layout) {
	t.Helper()
	if l.knownOf != l.Fn {
		t.Errorf("%s: the facts are not known", what)
		return
	}
	got, want := l.known, factsOf(l.Fn)
	if !slices.Equal(got.mentioned, want.mentioned) {
		t.Errorf("%s: mentions %d variables, want %d", what, len(got.mentioned), len(want.mentioned))
	}
	if !slices.Equal(got.reserves, want.reserves) {
		t.Errorf("%s: reserve buffers %v, want %v", what, got.reserves, want.reserves)
	}
	if got.copies != want.copies || got.tuples != want.tuples || want.inAttrs && !got.inAttrs {
		t.Errorf("%s: copies %v, tuples %v, in attributes %v", what, got.copies, got.tuples, got.inAttrs)
	}
	for base, n := range want.declared {
		if m, ok := got.declared[base]; !ok || m != n {
			t.Errorf("%s: %s declares %d bytes, want %d", what, base.Name, m, n)
		}
	}
	if want.attrs > got.attrs || want.again && !got.again {
		t.Errorf("%s: attrs %v again %v, want %v %v", what, got.attrs, got.again, want.attrs, want.again)
	}
}

// Every layout of every planner knows its facts, and they are those of its body.
func TestFactsOfLayouts(t *testing.T) {
	for _, planner := range []Planner{PYPTO, DSARP, PTOAS} {
		eachGenerated(t, planner, func(t *testing.T, _ uint64, _ Config, r *Result) {
			for s, l := range r.Layouts {
				if l != nil {
					sameFacts(t, planner.String()+" "+Stage(s).String(), l)
				}
			}
		})
	}
}

// A call loses an attribute that is the only mention of a variable, and an
// unused allocation is named by another statement too: the facts that could be
// carried over are found again.
func TestFactsOfStrangeBodies(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	for _, tt := range []struct {
		planner Planner
		last    Stage
	}{{PYPTO, StageAllocate}, {DSARP, StageAllocate}} {
		b := newFn("k_aiv", ir.AIV)
		b.reserve("k_c2v_slot_buffer", 512, -1)
		x, out := b.param("x", tensor(64, 64)), b.param("out", tensor(64, 64))
		n := b.param("n", index())
		a := b.load("a", vec(64, 64), x)
		c := call("tile.exp", vec(64, 64), a)
		c.Attrs = []ir.Attr{{Key: membershipAttr, Value: "0:1"}, {Key: "bound", Value: ir.Expr(n)}}
		v := b.let("v", vec(64, 64), c)
		b.op("res", tensor(64, 64), "tile.store", v, tup(0, 0), out)
		cfg.Planner = tt.planner
		r := Run(b.f, cfg, StageInput)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		for s, l := range r.Layouts {
			if l != nil {
				sameFacts(t, tt.planner.String()+" "+Stage(s).String(), l)
			}
		}
		if !slices.Contains(r.Layouts[StageInitMemRef].mentions(), n) || slices.Contains(r.Layouts[tt.last].mentions(), n) {
			t.Errorf("%s: n is not the variable whose only mention is lost", tt.planner)
		}
	}
	b := newFn("k", ir.InCore)
	x, out := b.param("x", tensor(8, 8)), b.param("out", tensor(8, 8))
	used, unused := b.alloc("mem_vec_0", platforms.Vec, 256, false), b.alloc("mem_vec_1", platforms.Vec, 256, false)
	v := b.load("v", at(vec(8, 8), used, int64c(0), 256), x)
	b.add(&ir.Eval{X: call("tile.exp", vec(8, 8), unused)})
	b.op("res", tensor(8, 8), "tile.store", v, tup(0, 0), out)
	cfg.Planner = PYPTO
	r := Run(b.f, cfg, StageSemanticAliases)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if f := factsOf(b.f); !f.again {
		t.Error("an allocation that is mentioned twice is not noticed")
	}
	sameFacts(t, "mentioned twice", r.Layouts[StageMemoryReuse])
	if l := r.Layouts[StageMemoryReuse]; len(allocs(l)) != 1 || !slices.Contains(l.mentions(), unused) {
		t.Errorf("allocations %v", allocs(l))
	}
}
