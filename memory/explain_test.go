package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// spans gives every statement of b a span of its own: its number in pre-order
// times ten.
func spans(b *fb) {
	n := int32(0)
	ir.WalkStmts(b.f.Body, func(s ir.Stmt) bool {
		n++
		s.Meta().Span = ir.Span{Start: 10 * n, End: 10*n + 5}
		return true
	})
}

func line(s ir.Span) string { return fmt.Sprint("line ", s.Start/10) }

func mustPlan(t *testing.T, fn *ir.Function, cfg Config, from Stage) *Plan {
	t.Helper()
	p := NewPlan(Run(fn, cfg, from), cfg)
	if p == nil || p.Lifetimes == nil {
		t.Fatal("no plan")
	}
	return p
}

// The kernel of spec 05 §10.1 as planned in 06 §13.1: three buffers of 16384
// bytes at 0, 16384, 32768.
func TestPlanBuffers(t *testing.T) {
	k := newPhiKernel(ir.InCore)
	cfg := Config{Platform: platform(t, "Ascend910B")}
	p := mustPlan(t, k.f, cfg, StageInput)
	var got []string
	for _, b := range p.Buffers {
		var ms []string
		for _, m := range b.Members {
			ms = append(ms, fmt.Sprintf("%s[%d,%d]", m.Var.Name, m.Def, m.Last))
		}
		for _, v := range b.Carried {
			ms = append(ms, v.Name)
		}
		got = append(got, fmt.Sprintf("%s %s @%d +%d %s", b.Base.Name, b.Space, b.Addr, b.Size, strings.Join(ms, " ")))
	}
	// Three allocation statements are left, so numbers are three lower than
	// before reuse.
	wantLines(t, "buffers", got, []string{
		"mem_vec_2 Vec @0 +16384 a[3,9] e[9,10] f[10,11]",
		"mem_vec_3 Vec @16384 +16384 b[4,10] d[7,10] r",
		"mem_vec_4 Vec @32768 +16384 c[6,7]",
	})
	u := p.Space(platforms.Vec)
	// Fullest when c is defined: a, b and c, 49152. When d is, c has ended, and b
	// and d are one value: 32768.
	if u.Used != 49152 || u.Limit != 188416 || u.Peak != 49152 || u.Bound != 49152 || u.Over() || u.Impossible() {
		t.Errorf("%+v", *u)
	}
	var live []string
	for _, x := range u.PeakLive {
		live = append(live, x.Var.Name)
	}
	if a, ok := u.PeakAt.(*ir.Assign); !ok || a.Var != k.c || strings.Join(live, " ") != "a b c" {
		t.Errorf("peak at %v with %v, want at c with a b c", u.PeakAt, live)
	}
	if got := fmt.Sprint(varNames(p.Sharers(k.e))); got != "[a f]" {
		t.Errorf("sharers of e: %s", got)
	}
}

func varNames(vs []*ir.Var) []string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Name)
	}
	return out
}

// Reasons in the order of the rules, in words.
func TestWhyNotShare(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := newFn("k", ir.AIV)
	d := b.alloc("d", platforms.Vec, 64, true)                                                                         // line 1
	pin := b.op("pin", at(tile(platforms.Vec, ir.INT8, 1, 64), d, int64c(0), 64), "tile.create")                       // 2
	b.read(pin)                                                                                                        // 3
	x := b.own("x", 256, "tile.create")                                                                                // 4
	y := b.own("y", 256, "tile.create")                                                                                // 5
	z := b.own("z", 256, "tile.recip", x)                                                                              // 6
	b.read(z, y)                                                                                                       // 7
	half := b.op("half", at(tile(platforms.Vec, ir.FP16, 1, 64), b.base("m_half"), int64c(0), 128), "tile.create")     // 8
	wide := b.op("wide", at(tile(platforms.Vec, ir.FP32, 1, 32), b.base("m_wide"), int64c(0), 128), "tile.cast", half) // 9
	b.read(wide)                                                                                                       // 10
	l := b.in910("l", platforms.Left, 64, "tile.create", "")                                                           // 11
	b.read(l)                                                                                                          // 12
	p0 := b.in910("p0", platforms.Mat, 64, "tile.load", "0:0")                                                         // 13
	b.read(p0)                                                                                                         // 14
	p1 := b.in910("p1", platforms.Mat, 64, "tile.load", "0:1")                                                         // 15
	b.read(p1)                                                                                                         // 16
	ring := b.op("ring", vec(8, 8), "tile.tpop_from_aic")                                                              // 17
	spans(b)
	p := mustPlan(t, b.f, cfg, StageSemanticAliases)
	for _, tt := range []struct {
		a, b *ir.Var
		kind ReasonKind
		want string
	}{
		{x, x, Shared, "x and x share storage"},
		{x, half, Shared, "x and half share storage"},
		{x, l, OtherSpace, "x and l are in different memory spaces"},
		{x, ring, NoBuffer, "x or ring has no on-chip buffer"},
		{x, pin, DeclaredApart, "pin is in an allocation declared by the author, which nothing else may join"},
		{x, y, LiveTogether, "x and y are live together at line 5 to line 6"},
		{y, x, LiveTogether, "y and x are live together at line 5 to line 6"},
		{x, z, ReadsWhileWriting, "tile.recip reads x while it writes z at line 6"},
		{z, x, ReadsWhileWriting, "tile.recip reads x while it writes z at line 6"},
		{half, wide, WideningCast, "the cast of half to the wider wide would overwrite elements it has not read yet at line 9"},
		{p0, p1, DepthApart, "p0 and p1 belong to stages 0 and 1 of pipeline group 0, which keeps 2 of 2 buffers apart"},
		// wide joined y's buffer: half has x's, which keeps it out of there.
		{wide, x, ByMember, "nothing keeps wide and x apart, but x shares its buffer with half: the cast of half to the wider wide would overwrite elements it has not read yet at line 9"},
		{y, half, OlderBuffer, "nothing keeps half and y apart: half joined the older buffer of x first"},
	} {
		r := p.WhyNotShare(tt.a, tt.b)
		if got := r.Words(line); r.Kind != tt.kind || got != tt.want {
			t.Errorf("%s, %s: kind %d %q, want %d %q", tt.a.Name, tt.b.Name, r.Kind, got, tt.kind, tt.want)
		}
	}
	if got := p.WhyNotShare(x, y).Words(nil); got != "x and y are live together" {
		t.Errorf("without positions: %q", got)
	}
}

// Under DSA_RP pipeline stages are kept apart whatever the operator, phi
// families do not count, and a value nobody reads overlaps what it dies with.
func TestWhyNotShareDSA(t *testing.T) {
	k := newPhiKernel(ir.InCore)
	p := mustPlan(t, k.f, Config{Platform: platform(t, "Ascend910B"), Planner: DSARP}, StageInput)
	if r := p.WhyNotShare(k.bb, k.d); r.Kind != LiveTogether {
		t.Errorf("b and d: kind %d, want live together", r.Kind)
	}
	b := newFn("k", ir.AIV)
	x := b.in910("x", platforms.Vec, 64, "tile.exp", "0:0")
	b.read(x)
	y := b.in910("y", platforms.Vec, 64, "tile.exp", "0:1")
	b.read(y)
	p = mustPlan(t, b.f, Config{Platform: platform(t, "Ascend910B"), Planner: DSARP}, StageSemanticAliases)
	if r := p.WhyNotShare(x, y); r.Kind != PipelineApart || r.Words(nil) != "x and y belong to stages 0 and 1 of pipeline group 0" {
		t.Errorf("x and y: %+v", r)
	}
}

// A text whose sharing is decided knows lifetimes only; PTOAS decides nothing.
func TestWhyNotShareUndecided(t *testing.T) {
	b := newFn("k", ir.AIV)
	x, y := b.own("x", 64, "tile.create"), b.own("y", 64, "tile.create")
	b.read(x, y)
	z := b.own("z", 64, "tile.create")
	b.read(z)
	p := mustPlan(t, b.f, Config{}, StageMemoryReuse)
	if r := p.WhyNotShare(x, y); r.Kind != LiveTogether {
		t.Errorf("x, y: kind %d", r.Kind)
	}
	if r := p.WhyNotShare(x, z); r.Kind != Placement {
		t.Errorf("x, z: kind %d", r.Kind)
	}
	p = mustPlan(t, b.f, Config{Planner: PTOAS}, StageInitMemRef)
	if r := p.WhyNotShare(x, z); r.Kind != Undecided || p.Placed {
		t.Errorf("PTOAS: kind %d placed %v", r.Kind, p.Placed)
	}
}

// Spec 06 §13.4: three live tiles of 65536 bytes. Even perfect packing needs
// 196608 of 188416 bytes; the third buffer is the first to end beyond. With
// them only pairwise live the bound fits, whatever the packer made of it.
func TestPlanImpossible(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := newFn("k", ir.InCore)
	x, y := b.own("x", 65536, "tile.create"), b.own("y", 65536, "tile.create")
	z := b.own("z", 65536, "tile.create")
	b.read(x, y, z)
	r := Run(b.f, cfg, StageSemanticAliases)
	if r.Err == nil {
		t.Fatal("it fits")
	}
	p := NewPlan(r, cfg)
	u := p.Space(platforms.Vec)
	if !u.Over() || !u.Impossible() || u.Used != 196608 || u.Bound != 196608 || u.OverTile != z || u.FirstOver == nil {
		t.Errorf("%+v", *u)
	}
}

// The bound counts the reserved window and whole declared allocations, each
// tile rounded up to 32, phi families once, and what is live only.
func TestPlanBound(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := newFn("k", ir.AIV)
	b.reserve("ring", 1000, -1)                 // 1024
	d := b.alloc("d", platforms.Vec, 200, true) // 224, two slots of 100
	b.op("pin", at(tile(platforms.Vec, ir.INT8, 1, 100), d, int64c(0), 100), "tile.create")
	n := b.param("n", index())
	x, y := b.own("x", 33, "tile.create"), b.own("y", 1, "tile.create") // 64 + 32
	b.read(x, y)
	m := at(tile(platforms.Vec, ir.INT8, 1, 64), b.base("m_ph"), int64c(0), 64)
	ph := b.branch("ph", m, n, func() { b.yield(b.own("t", 64, "tile.create")) }, func() { b.yield(b.own("e", 60, "tile.create")) })
	b.read(ph) // t and e: 64 once
	u := mustPlan(t, b.f, cfg, StageSemanticAliases).Space(platforms.Vec)
	if u.Reserved != 1024 || u.Peak != 96 || u.Bound != 1024+224+96 {
		t.Errorf("reserved %d peak %d bound %d, want 1024, 96, 1344", u.Reserved, u.Peak, u.Bound)
	}
}

// Starting from a text past MemoryReuse, sharers of a buffer are not taken
// for one group: x and y share 64 bytes in turn, z fills the gap.
func TestPlanBoundAfterReuse(t *testing.T) {
	b := newFn("k", ir.InCore)
	m := at(tile(platforms.Vec, ir.INT8, 1, 64), b.base("m"), int64c(0), 64)
	b.read(b.op("x", m, "tile.create"))
	b.read(b.own("z", 64, "tile.create"))
	b.read(b.op("y", m, "tile.create"))
	u := mustPlan(t, b.f, Config{}, StageMemoryReuse).Space(platforms.Vec)
	if u.Bound != 64 || u.Used != 128 {
		t.Errorf("bound %d used %d, want 64 and 128", u.Bound, u.Used)
	}
}

func unsafes(p *Plan) []string {
	var out []string
	for _, u := range p.Unsafe() {
		out = append(out, fmt.Sprintf("%s overwrites %s read at %s", u.Writer.Var.Name, u.Victim.Name, line(u.Reader.Meta().Span)))
	}
	return out
}

// Spec 05 §10.2: t is packed on the carried buffer although u reads o2 later.
func TestUnsafeLoopOfLoop(t *testing.T) {
	b := newFn("k", ir.InCore)
	x, out := b.param("x", tensor(64, 64)), b.param("out", tensor(64, 64))
	x0 := b.load("x0", vec(64, 64), x)                                                                               // line 1
	o1 := b.loop("a", "o1", vec(64, 64), x0, func(_, a *ir.Var) { b.yield(b.op("a1", vec(64, 64), "tile.exp", a)) }) // 2, 3, 4
	o2 := b.loop("b", "o2", vec(64, 64), o1, func(_, c *ir.Var) { b.yield(b.op("b1", vec(64, 64), "tile.neg", c)) }) // 5, 6, 7
	tt := b.load("t", vec(64, 64), x)                                                                                // 8
	u := b.op("u", vec(64, 64), "tile.add", tt, o2)                                                                  // 9
	b.op("res", tensor(64, 64), "tile.store", u, tup(0, 0), out)
	spans(b)
	p := mustPlan(t, b.f, Config{Platform: platform(t, "Ascend910B")}, StageInput)
	wantLines(t, "unsafe", unsafes(p), []string{"t overwrites o2 read at line 9"})
	if got, want := p.Unsafe()[0].Words(line), "t is written over o2 at line 8, which is still read at line 9"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is safe: views, in-place updates, copies, carries, branches that
// exclude each other, values that die where another is born.
func TestUnsafeNothing(t *testing.T) {
	k := newPhiKernel(ir.InCore)
	wantLines(t, "phi", unsafes(mustPlan(t, k.f, Config{}, StageInput)), nil)
	a := newNestedAcc()
	wantLines(t, "accumulator", unsafes(mustPlan(t, a.f, Config{}, StageSemanticAliases)), nil)
	b := newFn("k", ir.InCore)
	x := b.load("x", vec(64, 64), b.param("t", tensor(64, 64)))
	v := b.op("v", vec(32, 64), "tile.slice", x, tup(32, 64), tup(0, 0))
	w := b.op("w", vec(64, 64), "tile.assemble", x, v, tup(0, 0))
	b.read(v, w, x)
	wantLines(t, "views", unsafes(mustPlan(t, b.f, Config{}, StageInput)), nil)
}

// Two moves in front of one yield: the first overwrites what the second still
// reads. x is on m2, y on m3; the yield swaps n (on m3) and y1 (on m2).
func TestUnsafeParallelMoves(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0, y0 := b.op("x0", on(m2), "tile.create"), b.op("y0", on(m3), "tile.create") // 1, 2
	b.loop2([2]ir.Type{on(m2), on(m3)}, [2]ir.Expr{x0, y0}, func(x, y *ir.Var) {   // 3
		n := b.op("n", on(m3), "tile.create") // 4: y is dead
		k := b.op("k", on(m2), "tile.exp", x) // 5
		b.op("n_mv", on(m2), "tile.move", n)  // 6: destroys k
		b.op("k_mv", on(m3), "tile.move", k)  // 7
		b.yield(n, k)                         // 8
	})
	spans(b)
	// k is overwritten by n_mv and read by k_mv; n by k_mv and read by the yield.
	wantLines(t, "unsafe", unsafes(mustPlan(t, b.f, Config{}, StageMemoryReuse)), []string{
		"n_mv overwrites k read at line 7", "k_mv overwrites n read at line 8",
	})
}

// An initial value read after a loop that has overwritten it, a value from
// outside a loop overwritten after its last use in the body, and a parameter.
func TestUnsafeCarried(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3, m4 := b.base("m2"), b.base("m3"), b.base("m4")
	p := b.param("p", on(m4))
	x0, o := b.op("x0", on(m2), "tile.create"), b.op("o", on(m3), "tile.create") // 1, 2
	b.loop("a", "r", on(m2), x0, func(_, a *ir.Var) {                            // 3
		v := b.op("v", on(m2), "tile.add", a, o) // 4: on x0
		b.op("w", on(m3), "tile.create")         // 5: on o, needed by the next iteration
		b.yield(v)                               // 6
	})
	b.op("q", on(m4), "tile.create") // 7: on the parameter
	b.read(x0, p)                    // 8
	spans(b)
	wantLines(t, "unsafe", unsafes(mustPlan(t, b.f, Config{}, StageMemoryReuse)), []string{
		"v overwrites x0 read at line 8", "w overwrites o read at line 4", "q overwrites p read at line 8",
	})
}

// A branch that leaves the loop or the function does not need what the rest
// of the body needs.
func TestUnsafeJumps(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2 := b.base("m2")
	n := b.param("n", index())
	x := b.op("x", on(m2), "tile.create")
	b.loop("i", "r", index(), n, func(_, _ *ir.Var) {
		b.branch("_", index(), n, func() {
			b.op("y", on(m2), "tile.create")
			b.add(&ir.Return{})
		}, func() { b.yield(n) })
		b.read(x)
		b.yield(n)
	})
	wantLines(t, "unsafe", unsafes(mustPlan(t, b.f, Config{}, StageMemoryReuse)), nil)
}
