package memory

import (
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// mustAlias runs the pass on what b states.
func mustAlias(t *testing.T, b *fb, cfg Config) *Layout {
	t.Helper()
	l, err := MaterializeSemanticAliases(NewLayout(b.f), cfg)
	if err != nil {
		t.Fatalf("MaterializeSemanticAliases: %s", err)
	}
	return l
}

// baseNames lists "name base" of the given variables.
func baseNames(l *Layout, vs ...*ir.Var) []string {
	var out []string
	for _, v := range vs {
		base := "-"
		if b := l.BaseOf(v); b != nil {
			base = b.Name
		}
		out = append(out, v.Name+" "+base)
	}
	return out
}

// on is a 16 KiB Vec tile on base.
func on(base *ir.Var) *ir.TileType { return at(vec(64, 64), base, int64c(0), 16384) }

// loops2 builds a for loop with two carried values.
func (b *fb) loop2(types [2]ir.Type, inits [2]ir.Expr, body func(x, y *ir.Var)) (rx, ry *ir.Var) {
	s := &ir.For{
		Var:   b.f.NewVar(ir.LoopVar, "i", index(), ir.Span{}),
		Start: ir.Index(0), Stop: ir.Index(4), Step: ir.Index(1),
	}
	for i, name := range []string{"x", "y"} {
		a := b.f.NewVar(ir.IterArg, name, types[i], ir.Span{})
		a.Init = inits[i]
		s.IterArgs = append(s.IterArgs, a)
	}
	s.Body = b.in(func() { body(s.IterArgs[0], s.IterArgs[1]) })
	for i, name := range []string{"rx", "ry"} {
		s.Results = append(s.Results, b.f.NewVar(ir.PlainVar, name, types[i], ir.Span{}))
	}
	b.add(s)
	return s.Results[0], s.Results[1]
}

// carryCase builds a loop that carries a tile on m2; body gets the iter_arg, a
// second tile y on m3 and returns the yielded value.
func carryCase(body func(b *fb, a, y *ir.Var) ir.Expr) (*fb, *ir.Var) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0 := b.op("x0", on(m2), "tile.create")
	y := b.op("y", on(m3), "tile.create")
	b.loop("a", "r", on(m2), x0, func(_, a *ir.Var) { b.yield(body(b, a, y)) })
	return b, x0
}

// Spec 04 §10.1 and §10.2: one producer each, planned onto m2 or declined.
func TestAliasesOneProducer(t *testing.T) {
	var v *ir.Var
	fresh := func(b *fb) *ir.TileType { return on(b.base("m4")) }
	tests := []struct {
		name string
		body func(b *fb, a, y *ir.Var) ir.Expr
		want string
	}{
		{"plain accumulation: nothing reads m2 after it", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.add", a, y)
			return v
		}, "m2"},
		{"a later statement still reads m2", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.add", a, a)
			b.op("u", on(b.base("m5")), "tile.mul", v, a)
			return v
		}, "m4"},
		{"a later statement writes m2", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.add", a, a)
			b.op("u", on(a.Type.(*ir.TileType).MemRef.Base), "tile.create")
			return v
		}, "m4"},
		{"recip is not in-place safe and reads m2", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.recip", a)
			return v
		}, "m4"},
		{"recip of something else", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.recip", y)
			return v
		}, "m2"},
		{"a view other than set_validshape", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", on(b.base("m4")), "tile.reshape", y, tup(64, 64))
			return v
		}, "m4"},
		{"a bare alias is no call", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.let("v", fresh(b), y)
			return v
		}, "m4"},
		{"target_memory is another space", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.load", y)
			last := b.cur.Stmts[len(b.cur.Stmts)-1].(*ir.Assign)
			last.Value.(*ir.Call).Kwargs = []ir.Kwarg{{Key: "target_memory", Value: platforms.Mat}}
			return v
		}, "m4"},
		{"target_memory is the carry's space", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.load", y)
			last := b.cur.Stmts[len(b.cur.Stmts)-1].(*ir.Assign)
			last.Value.(*ir.Call).Kwargs = []ir.Kwarg{{Key: "target_memory", Value: platforms.Vec}}
			return v
		}, "m2"},
		{"the operator's fixed space is another one", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.matmul", y, y) // Acc
			return v
		}, "m4"},
		{"in-place update: the chain goes up to the seed", func(b *fb, a, y *ir.Var) ir.Expr {
			m4 := b.base("m4")
			seed := b.op("seed", on(m4), "tile.create")
			v = b.op("v", on(m4), "tile.fillpad_inplace", seed)
			return v
		}, "m2"},
		{"in-place update of something that cannot move", func(b *fb, a, y *ir.Var) ir.Expr {
			m4 := b.base("m4")
			seed := b.let("seed", on(m4), y)
			v = b.op("v", on(m4), "tile.fillpad_inplace", seed)
			return v
		}, "m4"},
		{"set_validshape moves with its input", func(b *fb, a, y *ir.Var) ir.Expr {
			m4 := b.base("m4")
			seed := b.op("seed", on(m4), "tile.create")
			v = b.op("v", on(m4), "tile.set_validshape", seed, ir.Index(8), ir.Index(8))
			return v
		}, "m2"},
		{"set_validshape of another buffer", func(b *fb, a, y *ir.Var) ir.Expr {
			seed := b.op("seed", on(b.base("m5")), "tile.create")
			v = b.op("v", fresh(b), "tile.set_validshape", seed, ir.Index(8), ir.Index(8))
			return v
		}, "m4"},
		{"the result of a while has no definition", func(b *fb, a, y *ir.Var) ir.Expr {
			m4 := on(b.base("m4"))
			w := &ir.While{Cond: &ir.ConstBool{}, Body: b.in(func() { b.yield(y) })}
			it := b.f.NewVar(ir.IterArg, "it", m4, ir.Span{})
			it.Init = y
			v = b.f.NewVar(ir.PlainVar, "v", m4, ir.Span{})
			w.IterArgs, w.Results = []*ir.Var{it}, []*ir.Var{v}
			b.add(w)
			return v
		}, "m4"},
		{"an unregistered operator", func(b *fb, a, y *ir.Var) ir.Expr {
			v = b.op("v", fresh(b), "tile.no_such_operator", y)
			return v
		}, "m4"},
	}
	for _, tt := range tests {
		b, _ := carryCase(tt.body)
		l := mustAlias(t, b, Config{})
		if got := l.BaseOf(v).Name; got != tt.want {
			t.Errorf("%s: v on %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A mention of an iter_arg stands for its initial value, not for its own type
// (spec 04 §4.2 step 6): q says m2 but starts on m3, so recip may write m2; p
// says m3 but starts on m2, so it may not.
func TestAliasesIterArgStandsForInit(t *testing.T) {
	for _, tt := range []struct{ init, claim, want string }{{"m3", "m2", "m2"}, {"m2", "m3", "m4"}} {
		b := newFn("k", ir.InCore)
		bases := map[string]*ir.Var{"m2": b.base("m2"), "m3": b.base("m3"), "m4": b.base("m4")}
		x0, y := b.op("x0", on(bases["m2"]), "tile.create"), b.op("y", on(bases[tt.init]), "tile.create")
		var v *ir.Var
		b.loop("q", "rq", on(bases[tt.claim]), y, func(_, q *ir.Var) {
			b.loop("a", "r", on(bases["m2"]), x0, func(_, a *ir.Var) {
				v = b.op("v", on(bases["m4"]), "tile.recip", q)
				b.yield(v)
			})
			b.yield(q)
		})
		if got := mustAlias(t, b, Config{}).BaseOf(v).Name; got != tt.want {
			t.Errorf("q starts on %s: v on %s, want %s", tt.init, got, tt.want)
		}
	}
}

// A carry in DDR (a tile parameter without space) is no target for a
// vector operator (spec 04 §10.2).
func TestAliasesOtherSpace(t *testing.T) {
	b := newFn("k", ir.InCore)
	ddr := at(tile(platforms.DDR, ir.FP32, 64, 64), b.base("mem_ddr_0"), int64c(0), 16384)
	p := b.param("p", ddr)
	var v *ir.Var
	b.loop("a", "r", ddr, p, func(_, a *ir.Var) {
		v = b.op("v", on(b.base("m4")), "tile.add", a, a)
		b.yield(v)
	})
	wantLines(t, "bases", baseNames(mustAlias(t, b, Config{}), v), []string{"v m4"})
}

// Spec 04 §10.3 (a): one branch moves, the other declines, the phi stays.
func TestAliasesPartialPlan(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3, m4 := b.base("m2"), b.base("m3"), b.base("m4")
	n := b.param("n", index())
	x0 := b.op("x0", on(m2), "tile.create")
	var tt, e, ph *ir.Var
	b.loop("a", "o", on(m2), x0, func(i, a *ir.Var) {
		ph = b.branch("ph", on(m3), less(i, n),
			func() { tt = b.op("t", on(m3), "tile.exp", a); b.yield(tt) },
			func() { e = b.op("e", on(m4), "tile.recip", a); b.yield(e) })
		b.yield(ph)
	})
	wantLines(t, "bases", baseNames(mustAlias(t, b, Config{}), tt, e, ph), []string{"t m2", "e m4", "ph m3"})
}

// Both branches can move: the phi moves too. Without an else-branch the then
// value alone decides.
func TestAliasesPhi(t *testing.T) {
	for _, hasElse := range []bool{true, false} {
		b := newFn("k", ir.InCore)
		m2, m3, m4 := b.base("m2"), b.base("m3"), b.base("m4")
		n := b.param("n", index())
		x0 := b.op("x0", on(m2), "tile.create")
		var tt, e, ph *ir.Var
		b.loop("a", "o", on(m2), x0, func(i, a *ir.Var) {
			ph = b.branch("ph", on(m3), less(i, n),
				func() { tt = b.op("t", on(m3), "tile.exp", a); b.yield(tt) },
				func() { e = b.op("e", on(m4), "tile.neg", a); b.yield(e) })
			if !hasElse {
				b.cur.Stmts[len(b.cur.Stmts)-1].(*ir.If).Else = nil
			}
			b.yield(ph)
		})
		want := []string{"t m2", "e m2", "ph m2"}
		vs := []*ir.Var{tt, e, ph}
		if !hasElse {
			want, vs = []string{"t m2", "ph m2"}, []*ir.Var{tt, ph}
		}
		wantLines(t, "bases", baseNames(mustAlias(t, b, Config{}), vs...), want)
	}
}

// Spec 04 §10.3 (b): two positions yield the same value, the last plan wins.
func TestAliasesLastPlanWins(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3, m4 := b.base("m2"), b.base("m3"), b.base("m4")
	x0, y0 := b.op("x0", on(m2), "tile.create"), b.op("y0", on(m3), "tile.create")
	var a1 *ir.Var
	b.loop2([2]ir.Type{on(m2), on(m3)}, [2]ir.Expr{x0, y0}, func(x, y *ir.Var) {
		a1 = b.op("a1", on(m4), "tile.add", x, y)
		b.yield(a1, a1)
	})
	wantLines(t, "bases", baseNames(mustAlias(t, b, Config{}), a1), []string{"a1 m3"})
}

// Spec 04 §8: a swap yields iter_args; moving the other initial value onto the
// carried buffer is declined because the loop itself reads that buffer.
func TestAliasesSwap(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0, y0 := b.op("x0", on(m2), "tile.create"), b.op("y0", on(m3), "tile.create")
	rx, ry := b.loop2([2]ir.Type{on(m2), on(m3)}, [2]ir.Expr{x0, y0}, func(x, y *ir.Var) { b.yield(y, x) })
	wantLines(t, "bases", baseNames(mustAlias(t, b, Config{}), x0, y0, rx, ry), []string{"x0 m2", "y0 m3", "rx m2", "ry m3"})
}

// A loop result goes through the inner loop's yield, its initial value and
// the iter_arg (spec 04 §4.1): inner loop over m5 inside a carry on m2.
func TestAliasesLoopResult(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m5, m6 := b.base("m2"), b.base("m5"), b.base("m6")
	x0 := b.op("x0", on(m2), "tile.create")
	var seed, w, q, inner *ir.Var
	b.loop("a", "r", on(m2), x0, func(_, a *ir.Var) {
		seed = b.op("seed", on(m5), "tile.create")
		inner = b.loop("q", "inner", on(m5), seed, func(_, it *ir.Var) {
			q = it
			w = b.op("w", on(m6), "tile.exp", q)
			b.yield(w)
		})
		b.yield(inner)
	})
	wantLines(t, "bases", baseNames(mustAlias(t, b, Config{}), seed, w, q, inner), []string{"seed m2", "w m2", "q m2", "inner m2"})
}

// Loops inside a while are not processed; statements after a while that holds
// the assignment are not examined (spec 04 §4.3 remarks): no chain leads there
// today, so only the first half can be shown.
func TestAliasesWhile(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m4 := b.base("m2"), b.base("m4")
	x0 := b.op("x0", on(m2), "tile.create")
	var v *ir.Var
	b.add(&ir.While{Cond: &ir.ConstBool{}, Body: b.in(func() {
		b.loop("a", "r", on(m2), x0, func(_, a *ir.Var) {
			v = b.op("v", on(m4), "tile.exp", a)
			b.yield(v)
		})
	})})
	wantLines(t, "bases", baseNames(mustAlias(t, b, Config{}), v), []string{"v m4"})
}

// Spec 04 §10.4: views of a moved input follow it, at their offset.
func TestAliasesViewsFollow(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3, m4, m5 := b.base("m2"), b.base("m3"), b.base("m4"), b.base("m5")
	big := func(base *ir.Var) *ir.TileType { return at(vec(16, 16), base, int64c(0), 1024) }
	half := func(base *ir.Var) *ir.TileType { return at(vec(16, 8), base, int64c(0), 512) }
	t0 := b.op("t0", big(m2), "tile.create")
	acc0 := b.op("acc0", half(m3), "tile.create")
	var ti, si, sj, alias, n *ir.Var
	b.loop2([2]ir.Type{big(m2), half(m3)}, [2]ir.Expr{t0, acc0}, func(_, acc *ir.Var) {
		ti = b.op("ti", big(m4), "tile.create")
		si = b.op("si", at(vec(16, 8), m4, ir.Index(32), 992), "tile.slice", ti, tup(16, 8), tup(0, 8))
		sj = b.op("sj", at(vec(8, 8), m4, ir.Index(32), 480), "tile.slice", si, tup(8, 8), tup(0, 0))
		alias = b.let("alias", big(m4), ti) // bare aliases do not follow
		n = b.op("n", half(m5), "tile.add", acc, si)
		b.yield(ti, n)
	})
	l := mustAlias(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{
		ti: "m2 pl.const(0, pl.INT64) 1024", si: "m2 32 992", sj: "m2 32 480",
		alias: "m4 pl.const(0, pl.INT64) 1024", n: "m3 pl.const(0, pl.INT64) 512",
	})
}

// A function whose loops need nothing is returned as it is; Orchestration
// functions always are.
func TestAliasesUnchanged(t *testing.T) {
	b, _ := carryCase(func(b *fb, a, y *ir.Var) ir.Expr { return b.let("v", on(b.base("m4")), y) })
	l := NewLayout(b.f)
	if got, _ := MaterializeSemanticAliases(l, Config{}); got != l {
		t.Error("nothing planned, but the layout is another one")
	}
	b, _ = carryCase(func(b *fb, a, y *ir.Var) ir.Expr { return b.op("v", on(b.base("m4")), "tile.exp", a) })
	b.f.Kind = ir.Orchestration
	l = NewLayout(b.f)
	if got, _ := MaterializeSemanticAliases(l, Config{Planner: DSARP}); got != l {
		t.Error("an Orchestration function was changed")
	}
}

// phiAcc is the kernel of spec 04 §10.5: a peeled accumulation under an if.
type phiAcc struct {
	*fb
	c0, c1, c, c2, cc, c3 *ir.Var
	seed                  *ir.Assign
}

func newPhiAcc(seedOp string) *phiAcc {
	k := &phiAcc{fb: newFn("k", ir.AIC)}
	acc := tile(platforms.Acc, ir.FP32, 64, 64)
	m7, m8 := k.alloc("mem_acc_7", platforms.Acc, 16384, false), k.alloc("mem_acc_8", platforms.Acc, 16384, false)
	on7, on8 := at(acc, m7, int64c(0), 16384), at(acc, m8, int64c(0), 16384)
	al := k.param("al", at(tile(platforms.Left, ir.FP16, 64, 64), k.base("mem_left_3"), int64c(0), 8192))
	br := k.param("br", at(tile(platforms.Right, ir.FP16, 64, 64), k.base("mem_right_4"), int64c(0), 8192))
	n := k.param("n", index())
	k.c0 = k.op("c0", on7, "tile.matmul", al, br)
	k.c = k.branch("c", on8, less(n, ir.Index(1)),
		func() {
			k.c1 = k.op("c1", on8, seedOp, al, br)
			k.seed = k.cur.Stmts[0].(*ir.Assign)
			k.yield(k.c1)
		},
		func() { k.c2 = k.op("c2", on7, "tile.matmul_acc", k.c0, al, br); k.yield(k.c2) })
	k.cc = k.let("cc", on8, k.c)
	k.c3 = k.op("c3", on8, "tile.matmul_acc", k.cc, al, br)
	k.op("res", tensor(64, 64), "tile.store", k.c3, tup(0, 0), k.param("out", tensor(64, 64)))
	return k
}

// Spec 04 §10.5 under DSA_RP: the seed takes the accumulator's buffer, the phi
// and the copy follow, no move. PYPTO leaves all of it to MemoryReuse.
func TestAliasesAccumulatorPhi(t *testing.T) {
	k := newPhiAcc("tile.matmul")
	l := mustAlias(t, k.fb, Config{Planner: DSARP})
	wantLines(t, "bases", baseNames(l, k.c1, k.c2, k.c, k.cc, k.c3), []string{
		"c1 mem_acc_7", "c2 mem_acc_7", "c mem_acc_7", "cc mem_acc_7", "c3 mem_acc_7",
	})
	if l.Fn != k.f {
		t.Error("statements were changed, no move is needed")
	}
	l = mustAlias(t, newPhiAcc("tile.matmul").fb, Config{})
	if got := l.Types; got != nil {
		t.Errorf("PYPTO changed types: %v", got)
	}
}

// The seed refuses the accumulator's space: internal error at the seed.
func TestAliasesAccumulatorPhiRefused(t *testing.T) {
	k := newPhiAcc("tile.create")
	k.seed.Value.(*ir.Call).Kwargs = []ir.Kwarg{{Key: "target_memory", Value: platforms.Vec}}
	_, err := MaterializeSemanticAliases(NewLayout(k.f), Config{Planner: DSARP})
	want := "Internal error: cannot coalesce L0C accumulator across a peeled if-phi — seed producer 'c1' refused retarget " +
		"onto the accumulator buffer, which would force an illegal Acc->Acc tile.move."
	if err == nil || err.Message != want || err.Kind != InternalError || err.SpanVar != k.c1 || err.Pass != passAliases {
		t.Errorf("got %v, want %q", err, want)
	}
}

// The seed's branch still reads the accumulator after the seed (spec 04 §6
// step 6): nothing is coalesced, and the yield fix-up cannot move an
// accumulator to an accumulator.
func TestAliasesAccumulatorPhiLive(t *testing.T) {
	k := newPhiAcc("tile.matmul")
	then := k.f.Body.Stmts[3].(*ir.If).Then
	read := &ir.Assign{Var: k.f.NewVar(ir.PlainVar, "w", vec(64, 64), ir.Span{}), Value: call("tile.move", vec(64, 64), k.c0)}
	then.Stmts = []ir.Stmt{then.Stmts[0], read, then.Stmts[1]}
	_, err := MaterializeSemanticAliases(NewLayout(k.f), Config{Planner: DSARP})
	want := "Internal error: MemoryReuse cannot reconcile divergent L0C accumulator buffers with tile.move; " +
		"accumulator control-flow values must be coalesced before YieldFixup."
	if err == nil || err.Message != want || err.Kind != InternalError || err.SpanVar != k.c2 {
		t.Errorf("got %v, want %q", err, want)
	}
}

// Spec 04 §7: PTOAS fixes yields of for loops only, DSA_RP those of ifs too.
func TestAliasesFixYields(t *testing.T) {
	build := func() (*fb, *ir.Var, *ir.Var) {
		b := newFn("k", ir.InCore)
		m2, m3, m4 := b.base("m2"), b.base("m3"), b.base("m4")
		n := b.param("n", index())
		x0 := b.op("x0", on(m2), "tile.create")
		r := b.loop("a", "r", on(m2), x0, func(_, a *ir.Var) {
			b.yield(b.op("t", on(m3), "tile.recip", a))
		})
		ph := b.branch("ph", on(m3), n,
			func() { b.yield(b.op("u", on(m3), "tile.exp", r)) },
			func() { b.yield(b.op("e", on(m4), "tile.exp", r)) })
		return b, r, ph
	}
	names := func(l *Layout) []string {
		var out []string
		ir.WalkStmts(l.Fn.Body, func(s ir.Stmt) bool {
			if a, ok := s.(*ir.Assign); ok {
				out = append(out, a.Var.Name)
			}
			return true
		})
		return out
	}
	b, _, _ := build()
	wantLines(t, "PYPTO", names(mustAlias(t, b, Config{})), []string{"x0", "t", "u", "e"})
	b, _, _ = build()
	wantLines(t, "PTOAS", names(mustAlias(t, b, Config{Planner: PTOAS})), []string{"x0", "t", "t_mv", "u", "e"})
	b, _, _ = build()
	wantLines(t, "DSA_RP", names(mustAlias(t, b, Config{Planner: DSARP})), []string{"x0", "t", "t_mv", "u", "e", "e_mv"})
}
