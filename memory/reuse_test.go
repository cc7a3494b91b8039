package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

func mustReuse(t *testing.T, b *fb, cfg Config) (*Layout, []Diagnostic) {
	t.Helper()
	l, diags, err := MemoryReuse(NewLayout(b.f), cfg)
	if err != nil {
		t.Fatalf("MemoryReuse: %s", err)
	}
	return l, diags
}

func diagLines(ds []Diagnostic) []string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Line())
	}
	return out
}

// own is a tile of n bytes in a buffer of its own, named after the tile.
func (b *fb) own(name string, n int, op string, args ...ir.Expr) *ir.Var {
	return b.in910(name, platforms.Vec, n, op, "", args...)
}

// in910 is a tile of n bytes of a space in a buffer of its own, tagged with
// pipeline stages unless tag is "".
func (b *fb) in910(name string, space ir.Space, n int, op, tag string, args ...ir.Expr) *ir.Var {
	base := b.base("m_" + name)
	t := at(tile(space, ir.INT8, 1, n), base, int64c(0), uint64(n))
	c := call(op, t, args...)
	if tag != "" {
		c.Attrs = []ir.Attr{{Key: "pipeline_membership", Value: tag}}
	}
	return b.let(name, t, c)
}

func (b *fb) read(vs ...*ir.Var) {
	args := make([]ir.Expr, len(vs))
	for i, v := range vs {
		args[i] = v
	}
	b.add(&ir.Eval{X: call("tile.print", nil, args...)})
}

// Spec 06 §13.1: packing with a phi, through the whole pass.
func TestReusePhi(t *testing.T) {
	k := newPhiKernel(ir.InCore)
	l, diags, err := MemoryReuse(mustInit(t, k.fb, Config{}), Config{Platform: platform(t, "Ascend910B")})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	wantLines(t, "bases", baseNames(l, k.a, k.e, k.ff, k.bb, k.d, k.r, k.c), []string{
		"a mem_vec_2", "e mem_vec_2", "f mem_vec_2", "b mem_vec_3", "d mem_vec_3", "r mem_vec_3", "c mem_vec_4",
	})
	wantLines(t, "allocs", allocs(l), []string{
		"mem_vec_2 tile.alloc 16384", "mem_vec_3 tile.alloc 16384", "mem_vec_4 tile.alloc 16384",
	})
}

// Spec 06 §13.2: a group is rebased, a small tile grows, and a forbidden input
// counts through a view.
func TestReuseRebase(t *testing.T) {
	b := newFn("k", ir.InCore)
	x, y, out := b.param("x", tensor(64, 64)), b.param("y", tensor(16, 64)), b.param("out", tensor(64, 64))
	small := b.load("small", vec(16, 64), y)
	s2 := b.op("s2", vec(8, 64), "tile.slice", small, tup(8, 64), tup(8, 0))
	s3 := b.op("s3", vec(8, 64), "tile.exp", s2)
	b.op("q", tensor(64, 64), "tile.store", s3, tup(0, 0), out)
	big := b.load("big", vec(64, 64), x)
	b1 := b.op("b1", vec(16, 64), "tile.slice", big, tup(16, 64), tup(32, 0))
	b2 := b.op("b2", vec(16, 64), "tile.recip", b1)
	b.op("q2", tensor(64, 64), "tile.store", b2, tup(0, 0), out)
	l, _, err := MemoryReuse(mustInit(t, b, Config{}), Config{})
	if err != nil {
		t.Fatal(err)
	}
	zero := " pl.const(0, pl.INT64) "
	wantRefs(t, l, map[*ir.Var]string{
		small: "mem_vec_5" + zero + "16384", s2: "mem_vec_5 2048 2048", s3: "mem_vec_5" + zero + "16384",
		big: "mem_vec_5" + zero + "16384", b1: "mem_vec_5 8192 4096", b2: "mem_vec_6" + zero + "4096",
	})
	wantLines(t, "allocs", allocs(l), []string{"mem_vec_5 tile.alloc 16384", "mem_vec_6 tile.alloc 4096"})
}

// Spec 06 §7 step 2: what a member's new MemRef is, r being the
// representative's old one and o the owner's.
func TestRebased(t *testing.T) {
	base, other := &ir.Var{Name: "m"}, &ir.Var{Name: "o"}
	ref := func(b *ir.Var, off ir.Expr, size uint64) *ir.MemRef {
		return &ir.MemRef{Base: b, Offset: off, Size: size, Slots: 1}
	}
	n := &ir.Var{Name: "n"}
	o := ref(other, int64c(0), 1024)
	for _, tt := range []struct {
		m, r *ir.MemRef
		want string
	}{
		{ref(base, int64c(0), 1024), ref(base, int64c(0), 512), "o"},           // same offset and size as the owner
		{ref(base, int64c(64), 256), ref(base, int64c(64), 512), "0 256"},      // same offset, own size
		{ref(base, ir.Index(256), 768), ref(base, int64c(0), 1024), "256 768"}, // fits exactly
		{ref(base, n, 256), ref(base, int64c(0), 512), "o"},                    // dynamic
		{ref(base, int64c(64), 256), ref(base, n, 512), "o"},                   // dynamic representative
		{ref(base, ir.Index(256), 769), ref(base, int64c(0), 1024),
			"Internal error: sharing-group member offset 256 rebased to rel=256 size=769 falls outside reuse target (size 1024)"},
		{ref(base, ir.Index(0), 16), ref(base, ir.Index(32), 1024),
			"Internal error: sharing-group member offset 0 rebased to rel=-32 size=16 falls outside reuse target (size 1024)"},
	} {
		m, text := rebased(tt.m, tt.r, o)
		got := text
		switch {
		case m == o:
			got = "o"
		case m != nil:
			off, _ := ir.ConstValue(m.Offset)
			got = fmt.Sprint(off, " ", m.Size)
			if m.Base != other || m.Slots != 1 {
				t.Errorf("%+v: wrong base or slots", m)
			}
		}
		if got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// sharing lists which tiles share, "a+b+c" per buffer in creation order.
func sharing(t *testing.T, b *fb, cfg Config, space ir.Space) []string {
	t.Helper()
	p, err := planReuse(NewLayout(b.f), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, buf := range p.spaces[space].buffers {
		var names []string
		for _, i := range buf.members {
			names = append(names, p.lt.Intervals[i].Rep.Name)
		}
		out = append(out, strings.Join(names, "+"))
	}
	return out
}

// Spec 06 §5.1: touching lives share, overlapping ones do not, and a dead
// value still takes up its moment.
func TestShareLifetime(t *testing.T) {
	b := newFn("k", ir.InCore)
	x := b.own("x", 64, "tile.create") // [0, 2]
	b.own("y", 64, "tile.create")      // [1, 1]: within x
	z := b.own("z", 64, "tile.exp", x) // [2, 3]: touches x
	b.read(z)
	// x buffer 0; y overlaps x: 1; z touches x: 0.
	wantLines(t, "buffers", sharing(t, b, Config{}, platforms.Vec), []string{"x+z", "y"})
}

// A value that dies where another is born, at the same statement, shares; two
// values born dead at different statements share.
func TestShareDead(t *testing.T) {
	b := newFn("k", ir.InCore)
	b.own("x", 64, "tile.create")
	b.own("y", 64, "tile.create")
	wantLines(t, "buffers", sharing(t, b, Config{}, platforms.Vec), []string{"x+y"})
}

// Groups whose members do not overlap pairwise are kept apart all the same
// when their hulls overlap and no phi family is involved (spec 06 §5.1).
func TestShareHull(t *testing.T) {
	b := newFn("k", ir.InCore)
	m := b.base("m")
	ty := at(tile(platforms.Vec, ir.INT8, 1, 64), m, int64c(0), 64)
	g1 := b.op("g1", ty, "tile.create") // 0
	b.read(g1)                          // 1
	y := b.own("y", 64, "tile.create")  // 2: in the gap of the group
	b.read(y)                           // 3
	g2 := b.op("g2", ty, "tile.create") // 4
	b.read(g2)                          // 5
	wantLines(t, "buffers", sharing(t, b, Config{}, platforms.Vec), []string{"g1", "y"})
}

// Spec 06 §5.2: the popped value's reader may not take over the loaded tile's
// buffer where that ends.
func TestShareHazard(t *testing.T) {
	b, _, _, _, w := hazardCase() // ld, view on m1, pop on m2, w on m3 reads both
	b.read(w)
	// Without the guard w touches m1's group and joins it. With it, w opens no
	// buffer either: it touches pop, too, and joins that.
	wantLines(t, "Ascend950", sharing(t, b, Config{Platform: platform(t, "Ascend950")}, platforms.Vec), []string{"ld+w", "pop"})
	wantLines(t, "Ascend910B", sharing(t, b, Config{Platform: platform(t, "Ascend910B")}, platforms.Vec), []string{"ld", "pop+w"})
}

// Spec 06 §5.3: recip never takes its input's buffer, add does.
func TestShareForbidden(t *testing.T) {
	for _, tt := range []struct{ op, want string }{{"tile.recip", "x,y"}, {"tile.exp", "x+y"}} {
		b := newFn("k", ir.InCore)
		x := b.own("x", 64, "tile.create")
		b.read(b.own("y", 64, tt.op, x))
		if got := strings.Join(sharing(t, b, Config{}, platforms.Vec), ","); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.op, got, tt.want)
		}
	}
	b := newFn("k", ir.InCore)
	mask, p, q, tmp := b.own("mask", 64, "tile.create"), b.own("p", 64, "tile.create"), b.own("q", 64, "tile.create"), b.own("tmp", 64, "tile.create")
	b.read(b.own("s", 64, "tile.sel", mask, p, q, tmp))
	wantLines(t, "sel", sharing(t, b, Config{}, platforms.Vec), []string{"mask", "p+s", "q", "tmp"})
}

// Spec 06 §6.1: largest first, then by definition; declared allocations are
// joined by nobody and join nobody.
func TestFirstFitOrder(t *testing.T) {
	b := newFn("k", ir.InCore)
	d := b.alloc("d", platforms.Vec, 64, true)
	small := b.own("small", 32, "tile.create")
	b.read(small)
	b.read(b.op("pin", at(tile(platforms.Vec, ir.INT8, 1, 64), d, int64c(0), 64), "tile.create"))
	big := b.own("big", 128, "tile.create")
	b.read(big)
	mid := b.own("mid", 64, "tile.create")
	b.read(mid)
	wantLines(t, "buffers", sharing(t, b, Config{}, platforms.Vec), []string{"big+mid+small", "pin"})
}

// The oldest buffer that fits is taken, not the tightest.
func TestFirstFitOldest(t *testing.T) {
	b := newFn("k", ir.InCore)
	x, y := b.own("x", 256, "tile.create"), b.own("y", 64, "tile.create")
	b.read(x, y)
	b.read(b.own("z", 32, "tile.create"))
	wantLines(t, "buffers", sharing(t, b, Config{}, platforms.Vec), []string{"x+z", "y"})
}

// Spec 06 §13.5: the carries follow the initial value, outer loop first.
func TestReuseCarries(t *testing.T) {
	k := newNestedAcc()
	l, _ := mustReuse(t, k.fb, Config{Platform: platform(t, "Ascend910B")})
	var got []string
	got = append(got, baseNames(l, k.d0, k.c0, k.q1, k.p, k.q, k.qo, k.po)...)
	wantLines(t, "bases", got, []string{
		"d0 mem_acc_8", "c0 mem_acc_8", "q1 mem_acc_8", "p mem_acc_8", "q mem_acc_8", "qo mem_acc_8", "po mem_acc_8",
	})
	wantLines(t, "allocs", allocs(l), []string{
		"mem_left_6 tile.alloc 8192", "mem_right_7 tile.alloc 8192", "mem_acc_8 tile.alloc 16384",
	})
}

// Carries of a while loop are not re-aligned (spec 06 §8).
func TestReuseWhileCarries(t *testing.T) {
	b := newFn("k", ir.InCore)
	d := b.own("d", 64, "tile.create") // dead; x joins its buffer
	x := b.own("x", 64, "tile.create")
	it := b.f.NewVar(ir.IterArg, "it", x.Type, ir.Span{})
	it.Init = x
	r := b.f.NewVar(ir.PlainVar, "r", x.Type, ir.Span{})
	b.add(&ir.While{Cond: &ir.ConstBool{}, IterArgs: []*ir.Var{it}, Results: []*ir.Var{r}, Body: b.in(func() { b.yield(it) })})
	l, _ := mustReuse(t, b, Config{})
	wantLines(t, "bases", baseNames(l, d, x, it, r), []string{"d m_d", "x m_d", "it m_x", "r m_x"})
}

// Orchestration functions and functions without tiles are returned as they
// are, with their unused allocations and attributes (spec 06 step 1).
func TestReuseUnchanged(t *testing.T) {
	b := newFn("k", ir.Orchestration)
	b.read(b.own("x", 64, "tile.create"))
	l := NewLayout(b.f)
	if got, _, _ := MemoryReuse(l, Config{}); got != l {
		t.Error("an Orchestration function was changed")
	}
	b = newFn("k", ir.InCore)
	b.alloc("unused", platforms.Vec, 64, false)
	c := call("system.sync", nil)
	c.Attrs = []ir.Attr{{Key: "pipeline_membership", Value: "0:1"}}
	b.add(&ir.Eval{X: c})
	l = NewLayout(b.f)
	if got, _, _ := MemoryReuse(l, Config{}); got != l {
		t.Error("a function without tiles was changed")
	}
	// Other kinds of functions are planned like in-core ones.
	for _, kind := range []ir.FuncKind{ir.Opaque, ir.Group, ir.Spmd, ir.Graph} {
		k := newPhiKernel(kind)
		l, _, err := MemoryReuse(mustInit(t, k.fb, Config{}), Config{})
		if err != nil || l.BaseOf(k.e).Name != "mem_vec_2" {
			t.Errorf("%s: %v, e on %s", kind, err, l.BaseOf(k.e).Name)
		}
	}
}

// DDR tiles are packed too, without capacity (spec 06 §6).
func TestReuseDDR(t *testing.T) {
	b := newFn("k", ir.InCore)
	b.read(b.in910("x", platforms.DDR, 1<<40, "tile.create", ""))
	b.read(b.in910("y", platforms.DDR, 1<<40, "tile.create", ""))
	wantLines(t, "buffers", sharing(t, b, Config{Platform: platform(t, "Ascend910B")}, platforms.DDR), []string{"x+y"})
}

// Reserve buffers that cannot be resolved are an error only with a backend.
func TestReuseReserveError(t *testing.T) {
	b := newFn("k", ir.Opaque)
	b.reserve("r", 64, -1)
	b.read(b.own("x", 64, "tile.create"))
	if _, _, err := MemoryReuse(NewLayout(b.f), Config{}); err != nil {
		t.Errorf("without a backend: %v", err)
	}
	_, _, err := MemoryReuse(NewLayout(b.f), Config{Platform: platform(t, "Ascend910B")})
	if want := "cannot resolve reserve_buffer memory space for function 'k' with type Opaque"; err == nil || err.Message != want || err.Pass != passReuse {
		t.Errorf("got %v, want %q", err, want)
	}
}
