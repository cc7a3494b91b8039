package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/dsa"
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// dsaLayout takes a function through the passes before address assignment.
func dsaLayout(t *testing.T, b *fb, cfg Config) *Layout {
	t.Helper()
	cfg.Planner = DSARP
	r := RunTo(b.f, cfg, StageInput, StageSemanticAliases)
	if r.Err != nil {
		t.Fatalf("%s", r.Err)
	}
	return r.Last()
}

func dsaConfig(t *testing.T, name string) Config {
	return Config{Platform: platform(t, name), Planner: DSARP}
}

func (b *fb) store(x ir.Expr, out *ir.Var) *ir.Var {
	return b.op("st", tensor(64, 64), "tile.store", x, tup(0, 0), out)
}

// member adds a pipeline membership to the call that defines v.
func (b *fb) member(v *ir.Var, value string) {
	for i, s := range b.cur.Stmts {
		if a, ok := s.(*ir.Assign); ok && a.Var == v {
			c := *a.Value.(*ir.Call)
			c.Attrs = []ir.Attr{{Key: membershipAttr, Value: value}}
			b.cur.Stmts[i] = &ir.Assign{Var: v, Value: &c}
		}
	}
}

// address is the constant offset of v's MemRef.
func address(t *testing.T, l *Layout, v *ir.Var) int64 {
	t.Helper()
	n, ok := ir.ConstValue(l.MemRefOf(v).Offset)
	if !ok {
		t.Fatalf("%s has no constant address", v.Name)
	}
	return n
}

func mustPlace(t *testing.T, l *Layout, cfg Config) (*Layout, []Diagnostic) {
	t.Helper()
	out, diags, err := PlaceDSARP(l, cfg)
	if err != nil {
		t.Fatalf("%s", err)
	}
	return out, diags
}

// pairsOf are the recogniser's pairs as "a-b" of the intervals' first tiles.
func pairsOf(t *testing.T, l *Layout, cfg Config) string {
	t.Helper()
	p, err := BuildDSA(l, cfg)
	if err != nil {
		t.Fatalf("%s", err)
	}
	var out []string
	for _, q := range p.Strict.Penalties {
		ivs := p.Lifetimes.Intervals
		out = append(out, ivs[p.IntervalOf[q.A]].Rep.Name+"-"+ivs[p.IntervalOf[q.B]].Rep.Name)
	}
	return strings.Join(out, " ")
}

// Spec 08 §11.1: three tiles whose reuse would make pipes wait.
func TestDSARPKernelToPlacement(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	b := newFn("k", ir.AIV)
	x0, x1, out := b.param("a", tensor(64, 64)), b.param("b", tensor(64, 64)), b.param("out", tensor(64, 64))
	x := b.load("x", vec(64, 64), x0)
	y := b.op("y", vec(64, 64), "tile.add", x, x)
	z := b.load("z", vec(64, 64), x1)
	b.store(z, out)
	l := dsaLayout(t, b, cfg)
	if got := pairsOf(t, l, cfg); got != "x-y x-z y-z" {
		t.Errorf("pairs %q", got)
	}
	s, err := SolveDSA(l, cfg, nil)
	if err != nil {
		t.Fatalf("%s", err)
	}
	// Lifetimes [7,9), [9,10), [11,13): statements 3, 4, 5 after three allocs.
	for i, want := range []dsa.Buffer{{ID: 0, Begin: 7, End: 9}, {ID: 1, Begin: 9, End: 10}, {ID: 2, Begin: 11, End: 13}} {
		want.Pool, want.Size, want.Align = int(platforms.Vec), 16384, 32
		if got := s.Strict.Buffers[i]; got != want {
			t.Errorf("buffer %d: %+v, want %+v", i, got, want)
		}
	}
	if s.Result.Selected != 0 || s.Result.Objective != (dsa.Objective{Total: 49152, Max: 49152}) {
		t.Errorf("order %d, %+v", s.Result.Selected, s.Result.Objective)
	}
	placed, diags := mustPlace(t, l, cfg)
	if a, b, c := address(t, placed, x), address(t, placed, y), address(t, placed, z); a != 0 || b != 16384 || c != 32768 || diags != nil {
		t.Errorf("addresses %d %d %d, findings %v", a, b, c, diags)
	}
}

// Spec 08 §11.5: a hand-over across the back edge exists only in a loop.
func TestDSARPBackEdge(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	for _, inLoop := range []bool{true, false} {
		b := newFn("k", ir.AIV)
		out := b.param("out", tensor(64, 64))
		var f, g *ir.Var
		body := func() {
			f = b.op("f", vec(64, 64), "tile.full", tup(64, 64))
			g = b.op("g", vec(64, 64), "tile.full", tup(64, 64))
			b.store(g, out)
		}
		want := ""
		if inLoop {
			want = "f-g"
			b.add(&ir.For{Var: b.f.NewVar(ir.LoopVar, "i", index(), ir.Span{}), Start: ir.Index(0), Stop: ir.Index(4), Step: ir.Index(1), Body: b.in(body)})
		} else {
			body()
		}
		l := dsaLayout(t, b, cfg)
		if got := pairsOf(t, l, cfg); got != want {
			t.Errorf("in a loop %v: pairs %q, want %q", inLoop, got, want)
		}
		placed, _ := mustPlace(t, l, cfg)
		if same := address(t, placed, f) == address(t, placed, g); same == inLoop {
			t.Errorf("in a loop %v: f at %d, g at %d", inLoop, address(t, placed, f), address(t, placed, g))
		}
	}
}

// Spec 08 §11.6: a partial access, an access of unknown kind and a store with a
// fourth operand each leave the tile without a summary.
func TestDSARPPoison(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	for name, c := range map[string]struct {
		use  func(b *fb, p, out *ir.Var)
		want string
	}{
		"whole": {func(b *fb, p, out *ir.Var) { b.store(p, out) }, "p-n"}, // MTE3 read before an MTE2 write
		"slice": {func(b *fb, p, out *ir.Var) {
			u := b.op("u", vec(32, 64), "tile.slice", p, tup(32, 64), tup(0, 0))
			b.op("c", vec(32, 64), "tile.add", u, u)
		}, "c-n"}, // c itself is whole: V before MTE2
		"read": {func(b *fb, p, out *ir.Var) { b.op("s", index(), "tile.read", p, tup(0, 0)) }, ""},
		"fourth operand": {func(b *fb, p, out *ir.Var) {
			b.op("st", tensor(64, 64), "tile.store", p, tup(0, 0), out, tup(64, 64))
		}, ""},
		"partly valid": {func(b *fb, p, out *ir.Var) {
			v := *vec(64, 64)
			v.View = &ir.TileView{ValidShape: dims(32, 64), BLayout: ir.RowMajor, Fractal: 512}
			w := b.op("w", &v, "tile.set_validshape", p, ir.Index(32), ir.Index(64))
			b.store(w, out)
		}, ""},
	} {
		b := newFn("k", ir.AIV)
		in, out := b.param("in", tensor(64, 64)), b.param("out", tensor(64, 64))
		p := b.load("p", vec(64, 64), in)
		c.use(b, p, out)
		b.load("n", vec(64, 64), in)
		if got := pairsOf(t, dsaLayout(t, b, cfg), cfg); got != c.want {
			t.Errorf("%s: pairs %q, want %q", name, got, c.want)
		}
	}
}

// twoStages is a kernel of three 65536-byte tiles in 188416 bytes: c lives
// throughout, a and b one after the other as two stages of one pipeline.
func twoStages() (b *fb, a, bb, c *ir.Var) {
	b = newFn("main", ir.AIV)
	b.f.Span = ir.Span{Start: 7, End: 9}
	in, out := b.param("in", tensor(128, 128)), b.param("out", tensor(128, 128))
	c = b.load("c", vec(128, 128), in)
	a = b.load("a", vec(128, 128), in)
	b.member(a, "0:0")
	b.store(a, out)
	bb = b.load("b", vec(128, 128), in)
	b.member(bb, "0:1")
	b.store(bb, out)
	b.store(c, out)
	return b, a, bb, c
}

// Spec 08 §8: strictly a and b must not share, which does not fit; relaxed
// they do, and the hint counts the pair.
func TestDSARPRelaxed(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	b, a, bb, c := twoStages()
	l := dsaLayout(t, b, cfg)
	s, err := SolveDSA(l, cfg, nil)
	if err != nil {
		t.Fatalf("%s", err)
	}
	if want := (dsa.Separation{A: 1, B: 2, Reasons: dsa.PipelineStage}); len(s.Strict.Separations) != 1 || s.Strict.Separations[0] != want || !s.Relaxed {
		t.Errorf("separations %v, relaxed %v", s.Strict.Separations, s.Relaxed)
	}
	placed, diags := mustPlace(t, l, cfg)
	if x, y, z := address(t, placed, a), address(t, placed, bb), address(t, placed, c); x != y || x == z {
		t.Errorf("a at %d, b at %d, c at %d", x, y, z)
	}
	const want = "[perf_hint PH-DSA-001] AllocateMemoryAddr: DSA-RP's bounded strict search did not retain all software-pipeline buffer separations for 'main'; 1 of 1 relaxed pair(s) reuse physical storage. Pipeline overlap may be reduced."
	if len(diags) != 1 || diags[0].Line() != want || diags[0].Span != b.f.Span {
		t.Errorf("findings %v", diags)
	}
	// 245760 bytes hold all three.
	cfg = dsaConfig(t, "Ascend950")
	b, a, bb, _ = twoStages()
	placed, diags = mustPlace(t, dsaLayout(t, b, cfg), cfg)
	if diags != nil || address(t, placed, a) == address(t, placed, bb) {
		t.Errorf("on Ascend950: %v", diags)
	}
}

// Write-back drops the membership and the allocations nobody lives in, views
// keep their offset (07 §8, 08 §9).
func TestDSARPWriteBack(t *testing.T) {
	cfg := dsaConfig(t, "Ascend950")
	b, a, _, _ := twoStages()
	out := b.f.Params[1].Var
	v := b.op("v", vec(64, 128), "tile.slice", a, tup(64, 128), tup(64, 0)) // offset 64*128*4 = 32768
	b.store(v, out)
	l := dsaLayout(t, b, cfg)
	// An allocation that semantic aliasing has emptied.
	fn := cloneFn(l.Fn, nil)
	stale := fn.NewVar(ir.PlainVar, "mem_vec_99", &ir.PtrType{}, ir.Span{})
	first := &ir.Assign{Var: stale, Value: call("tile.alloc", &ir.PtrType{}, ir.Index(1), ir.Index(4096))}
	fn.Body = &ir.Block{Stmts: append([]ir.Stmt{first}, l.Fn.Body.Stmts...)}
	l = l.Clone(fn)
	placed, _ := mustPlace(t, l, cfg)
	if got := address(t, placed, v) - address(t, placed, a); got != 32768 {
		t.Errorf("the view lies %d bytes into its buffer", got)
	}
	for _, line := range allocs(placed) {
		if strings.Contains(line, "99") {
			t.Errorf("unused allocation kept: %s", line)
		}
	}
	if n := len(allocs(placed)); n != 3 {
		t.Errorf("%d allocations left", n)
	}
	ir.WalkStmts(placed.Fn.Body, func(s ir.Stmt) bool {
		if as, ok := s.(*ir.Assign); ok {
			if c, ok := as.Value.(*ir.Call); ok && len(c.Attrs) > 0 {
				t.Errorf("%s keeps attributes %v", as.Var.Name, c.Attrs)
			}
		}
		return true
	})
	if l.Tile(a).MemRef == placed.Tile(a).MemRef || len(allocs(l)) != 4 {
		t.Error("the layout before was changed")
	}
}

// Three tiles of 65536 bytes live together in 188416.
func TestDSARPNoFit(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	b := newFn("main", ir.AIV)
	b.f.Span = ir.Span{Start: 7, End: 9}
	in, out := b.param("in", tensor(128, 128)), b.param("out", tensor(128, 128))
	x, y := b.load("x", vec(128, 128), in), b.load("y", vec(128, 128), in)
	b.load("z", vec(128, 128), in)
	b.store(x, out)
	b.store(y, out)
	l := dsaLayout(t, b, cfg)
	s, err := SolveDSA(l, cfg, nil)
	const want = "DSA-RP could not find a placement for 'main' within the on-chip memory capacities: canonical greedy found no capacity-fitting placement"
	if err == nil || err.Kind != UserError || err.Message != want || err.Span != b.f.Span {
		t.Fatalf("error %v", err)
	}
	be := s.Beyond(dsa.SearchOptions{})
	if be.Verdict != dsa.Impossible || be.Space != platforms.Vec || be.Need != 3*65536 || be.Limit != 188416 || len(be.Live) != 3 {
		t.Errorf("%+v", be)
	}
	if a, ok := be.At.(*ir.Assign); !ok || a.Var.Name != "z" {
		t.Errorf("not at the definition of z: %v", be.At)
	}
	if got := be.Explain(); !strings.HasPrefix(got, "No placement exists: Vec needs at least 196608 bytes, 8192 more than its 188416, for 3 buffers that live at one time") {
		t.Errorf("%s", got)
	}
}

// A pipelined pair plus reserved window: a window above the capacity is an
// internal error of the reference; so is a base that no tracked tile has.
func TestDSARPInternalErrors(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	b := newFn("k_aiv", ir.AIV)
	in, out := b.param("in", tensor(64, 64)), b.param("out", tensor(64, 64))
	b.add(&ir.Eval{X: &ir.Call{Name: "system.reserve_buffer", Kwargs: []ir.Kwarg{{Key: "name", Value: "r"}, {Key: "size", Value: int64(188448)}}}})
	b.store(b.load("x", vec(64, 64), in), out)
	l := dsaLayout(t, b, cfg)
	const beyond = "DSA-RP constructed or produced invalid state for 'k_aiv': pool 1 has a reserved range beyond capacity"
	if _, _, err := PlaceDSARP(l, cfg); err == nil || err.Kind != InternalError || err.Message != beyond {
		t.Errorf("window: %v", err)
	}
	b = newFn("k", ir.AIV)
	x := b.op("x", at(vec(64, 64), b.base("mem_vec_0"), ir.Index(0), 16384), "tile.full", tup(64, 64))
	w := b.f.NewVar(ir.PlainVar, "w", at(vec(64, 64), b.base("mem_vec_1"), ir.Index(0), 16384), ir.Span{})
	b.add(&ir.While{Cond: &ir.ConstBool{}, Body: &ir.Block{}, Results: []*ir.Var{w}})
	b.op("y", index(), "tile.read", x, tup(0, 0))
	const base = "DSA-RP writeback could not find allocation base 'mem_vec_1'"
	if _, _, err := PlaceDSARP(NewLayout(b.f), cfg); err == nil || err.Kind != InternalError || err.Message != base || err.Span.Valid() {
		t.Errorf("base: %v", err)
	}
	b = newFn("k", ir.AIV)
	b.op("x", at(vec(64, 64), b.base("mem_vec_0"), ir.Index(-64), 16384), "tile.full", tup(64, 64))
	if _, _, err := PlaceDSARP(NewLayout(b.f), cfg); err == nil || err.Message != "DSA-RP writeback encountered a negative relative MemRef offset" {
		t.Errorf("negative: %v", err)
	}
	b = newFn("k", ir.AIV)
	b.op("x", at(vec(64, 64), b.base("mem_vec_0"), ir.Index(0), 0), "tile.full", tup(64, 64))
	if _, _, err := PlaceDSARP(NewLayout(b.f), cfg); err == nil || err.Message != "DSA-RP constructed or produced invalid state for 'k': buffer 0 has zero size" {
		t.Errorf("zero size: %v", err)
	}
}

// A tile parameter and the target of the first statement both exist from 0 on
// and do not share (NOTE of 08 §3.3); later tiles may share with the
// parameter.
func TestDSARPTileParameter(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	b := newFn("k", ir.AIV)
	out := b.param("out", tensor(64, 64))
	p := b.param("p", at(vec(64, 64), b.base("mem_vec_0"), ir.Index(0), 16384))
	x := b.op("x", at(vec(64, 64), b.base("mem_vec_1"), ir.Index(0), 16384), "tile.exp", p)
	y := b.op("y", at(vec(64, 64), b.base("mem_vec_2"), ir.Index(0), 16384), "tile.exp", x)
	b.store(y, out)
	placed, _ := mustPlace(t, NewLayout(b.f), cfg)
	if px, ax, ay := address(t, placed, p), address(t, placed, x), address(t, placed, y); px == ax || px != ay {
		t.Errorf("p at %d, x at %d, y at %d", px, ax, ay)
	}
}

// A declared allocation shares with nothing; a dynamic slot keeps its
// expression behind the address (08 §9).
func TestDSARPDeclared(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	b := newFn("k", ir.AIV)
	in, out := b.param("in", tensor(64, 64)), b.param("out", tensor(64, 64))
	i := b.param("i", index())
	slot := &ir.Binary{Op: ir.FloorMod, X: i, Y: ir.Index(2), DType: ir.INDEX}
	b.store(b.load("before", vec(64, 64), in), out)
	x := b.load("x", bound(vec(64, 64), b.base("buf"), 2, slot), in)
	b.store(x, out)
	after := b.load("after", vec(64, 64), in)
	b.store(after, out)
	l := dsaLayout(t, b, cfg)
	s, err := SolveDSA(l, cfg, nil)
	if err != nil {
		t.Fatalf("%s", err)
	}
	declared := -1
	for i, iv := range s.IntervalOf {
		if s.Lifetimes.Intervals[iv].Rep == x {
			declared = i
		}
	}
	if s.Strict.Buffers[declared].Size != 32768 {
		t.Errorf("declared buffer of %d bytes", s.Strict.Buffers[declared].Size)
	}
	for _, q := range s.Strict.Separations {
		if q.Reasons != dsa.DeclaredAllocation || q.A != declared && q.B != declared {
			t.Errorf("separation %+v", q)
		}
	}
	if len(s.Strict.Separations) != 2 {
		t.Errorf("separations %v", s.Strict.Separations)
	}
	placed, _ := mustPlace(t, l, cfg)
	addr, _ := s.AddressOf(l.BaseOf(x))
	if got, want := ref(placed, x), fmt.Sprintf("buf %d + i %% 2 * 16384 16384 slots=2[i %% 2]", addr); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The load+pop hazard of 08 §3.2: what a statement computes from a popped
// value must not land on a loaded tile that it reads last. Only on Ascend910B,
// and only on text in which a pop result has a MemRef.
func TestDSARPTargetHazard(t *testing.T) {
	b := newFn("k", ir.AIV)
	b.f.Attrs = []ir.Attr{{Key: "split_aiv", Value: true}}
	in, out := b.param("in", tensor(64, 64)), b.param("out", tensor(64, 64))
	tileAt := func(i int) *ir.TileType {
		return at(vec(64, 64), b.base(fmt.Sprint("mem_vec_", i)), ir.Index(0), 16384)
	}
	pop := b.op("pop", tileAt(0), "tile.tpop_from_aic")
	ld := b.load("ld", tileAt(1), in)
	other := b.load("other", tileAt(2), in)
	w := b.op("w", tileAt(3), "tile.add", ld, pop)
	b.store(w, out)
	b.store(other, out)
	for name, want := range map[string]int{"Ascend910B": 1, "Ascend950": 0} {
		cfg := dsaConfig(t, name)
		p, err := BuildDSA(NewLayout(b.f), cfg)
		if err != nil {
			t.Fatalf("%s", err)
		}
		if len(p.Strict.Separations) != want {
			t.Fatalf("%s: separations %v", name, p.Strict.Separations)
		}
		placed, _ := mustPlace(t, NewLayout(b.f), cfg)
		if same := address(t, placed, ld) == address(t, placed, w); same && want == 1 {
			t.Errorf("%s: ld and w share %d", name, address(t, placed, w))
		}
		if want == 1 {
			// Buffers in order of definition: pop 0, ld 1, other 2, w 3.
			if s := p.Strict.Separations[0]; s != (dsa.Separation{A: 1, B: 3, Reasons: dsa.TargetHazard}) {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

// Without a backend there are no capacities and no penalties: tiles that do
// not live together all start at 0 (08 §3.4, §3.5).
func TestDSARPNoBackend(t *testing.T) {
	cfg := Config{Planner: DSARP}
	b := newFn("k", ir.AIV)
	in, out := b.param("in", tensor(64, 64)), b.param("out", tensor(64, 64))
	var all []*ir.Var
	for i := range 3 {
		v := b.load(fmt.Sprint("t", i), vec(512, 512), in) // 1 MiB each
		b.store(v, out)
		all = append(all, v)
	}
	l := dsaLayout(t, b, cfg)
	s, err := SolveDSA(l, cfg, nil)
	if err != nil || s.Strict.Pools[0].Capacity != 3<<20 || len(s.Strict.Penalties) != 0 {
		t.Fatalf("%v, %+v", err, s.Strict)
	}
	placed, _ := mustPlace(t, l, cfg)
	for _, v := range all {
		if address(t, placed, v) != 0 {
			t.Errorf("%s at %d", v.Name, address(t, placed, v))
		}
	}
}

// Functions without in-core code, and without tiles, are returned as they are.
func TestDSARPNothingToPlace(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	for _, kind := range []ir.FuncKind{ir.AIV, ir.Orchestration} {
		b := newFn("k", kind)
		b.add(&ir.Return{})
		l := NewLayout(b.f)
		if out, diags, err := PlaceDSARP(l, cfg); out != l || diags != nil || err != nil {
			t.Errorf("%s: %v %v %v", kind, out, diags, err)
		}
	}
}
