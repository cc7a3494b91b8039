package memory

import (
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// The worked example of spec 03 §10.1: ids, loops, phis, views.
func TestInitMemRefIDs(t *testing.T) {
	b := newFn("k", ir.InCore)
	x := b.param("x", tensor(64, 64))
	n := b.param("n", &ir.ScalarType{DType: ir.INDEX})
	seed := b.param("seed", vec(64, 64))
	out := b.param("out", tensor(64, 64))
	a := b.load("a", vec(64, 64), x)
	var bb, al, c, acc *ir.Var
	r := b.loop("acc", "r", vec(64, 64), a, func(_, carried *ir.Var) {
		acc = carried
		bb = b.op("b", vec(64, 64), "tile.add", acc, seed)
		al = b.let("al", vec(64, 64), acc)
		c = b.op("c", vec(64, 64), "tile.mul", bb, al)
		b.yield(c)
	})
	var d, e *ir.Var
	ph := b.branch("ph", vec(64, 64), &ir.Binary{Op: ir.Lt, X: n, Y: ir.Index(2), DType: ir.BOOL},
		func() { d = b.op("d", vec(64, 64), "tile.exp", r); b.yield(d) },
		func() { e = b.op("e", vec(64, 64), "tile.neg", r); b.yield(e) })
	v := b.op("v", vec(1, 64), "tile.slice", ph, tup(1, 64), tup(n, 0))
	w := b.op("w", vec(1, 32), "tile.slice", v, tup(1, 32), tup(0, 16))
	z := b.op("z", vec(1, 32), "tile.exp", w)
	res := b.op("res", tensor(64, 64), "tile.store", z, tup(0, 0), out)
	b.add(&ir.Return{Values: []ir.Expr{res}})

	l := mustInit(t, b, Config{Platform: platform(t, "Ascend910B")})
	zero := " pl.const(0, pl.INT64) "
	wantRefs(t, l, map[*ir.Var]string{
		x: "mem_ddr_0" + zero + "16384", n: "-", seed: "mem_vec_1" + zero + "16384", out: "mem_ddr_2" + zero + "16384",
		a: "mem_vec_3" + zero + "16384", acc: "mem_vec_3" + zero + "16384", r: "mem_vec_3" + zero + "16384",
		bb: "mem_vec_4" + zero + "16384", al: "mem_vec_5" + zero + "16384", c: "mem_vec_6" + zero + "16384",
		d: "mem_vec_8" + zero + "16384", e: "mem_vec_9" + zero + "16384", ph: "mem_vec_8" + zero + "16384",
		v: "mem_vec_8 n * 64 * 4 256", w: "mem_vec_8 n * 64 * 4 + 64 128",
		z: "mem_vec_11" + zero + "128", res: "mem_ddr_2" + zero + "16384",
	})
	wantLines(t, "allocs", allocs(l), []string{
		"mem_vec_1 tile.alloc 16384", "mem_vec_3 tile.alloc 16384", "mem_vec_4 tile.alloc 16384", "mem_vec_5 tile.alloc 16384",
		"mem_vec_6 tile.alloc 16384", "mem_vec_8 tile.alloc 16384", "mem_vec_9 tile.alloc 16384", "mem_vec_11 tile.alloc 128",
	})
	if b.f.NumVars == l.Fn.NumVars || a.Type.(*ir.TileType).MemRef != nil {
		t.Error("the input function was changed")
	}
}

// The worked example of spec 03 §10.2: declared allocations and slots.
func TestInitMemRefDeclared(t *testing.T) {
	b := newFn("k", ir.InCore)
	ping, rot := b.base("ping"), b.base("rot")
	x := b.param("x", tensor(256, 64))
	out := b.param("out", tensor(256, 64))
	p := b.load("p", bound(vec(64, 64), ping, 1, nil), x)
	q := b.load("q", bound(vec(32, 64), ping, 1, nil), x)
	var tt, u, o, o2 *ir.Var
	oo := b.loop("o", "oo", tensor(256, 64), out, func(i, carried *ir.Var) {
		o = carried
		mod := &ir.Binary{Op: ir.FloorMod, X: i, Y: ir.Index(2), DType: ir.INDEX}
		tt = b.load("t", bound(vec(64, 64), rot, 2, mod), x)
		u = b.op("u", bound(vec(64, 64), rot, 2, ir.Index(1)), "tile.exp", tt)
		o2 = b.op("o2", tensor(256, 64), "tile.store", u, tup(0, 0), o)
		b.yield(o2)
	})
	s := b.op("s", vec(32, 64), "tile.exp", q)
	s2 := b.op("s2", tensor(256, 64), "tile.store", s, tup(0, 0), oo)
	b.add(&ir.Return{Values: []ir.Expr{s2}})

	l := mustInit(t, b, Config{})
	zero := " pl.const(0, pl.INT64) "
	wantRefs(t, l, map[*ir.Var]string{
		p: "ping" + zero + "16384", q: "ping" + zero + "16384",
		tt: "rot i % 2 * 16384 16384 slots=2[i % 2]", u: "rot pl.const(16384, pl.INT64) 16384 slots=2[1]",
		o: "mem_ddr_1" + zero + "65536", o2: "mem_ddr_1" + zero + "65536", oo: "mem_ddr_2" + zero + "65536",
		s: "mem_vec_3" + zero + "8192", s2: "mem_ddr_2" + zero + "65536",
	})
	wantLines(t, "allocs", allocs(l), []string{
		"ping tile.alloc 16384 pinned", "rot tile.alloc 32768 pinned", "mem_vec_3 tile.alloc 8192",
	})
}

// The worked example of spec 03 §10.3.
func TestInitMemRefWithoutSpace(t *testing.T) {
	b := newFn("k", ir.InCore)
	b.param("x", tensor(64, 64))
	s := b.param("s", tile(platforms.NoSpace, ir.FP32, 64, 64))
	b.add(&ir.Return{})
	l := mustInit(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{s: "mem_ddr_1 pl.const(0, pl.INT64) 16384"})
	wantLines(t, "allocs", allocs(l), []string{"mem_ddr_1 tensor.alloc 16384"})
	if l.SpaceOf(s) != platforms.DDR {
		t.Errorf("space %s, want DDR", l.SpaceOf(s))
	}
}

// The worked examples of spec 03 §10.4: packed elements and padded rows.
func TestInitMemRefSizes(t *testing.T) {
	b := newFn("k", ir.InCore)
	x := b.param("x", tensor(64, 64))
	f4 := b.load("f4", tile(platforms.Vec, ir.FP4, 8, 16), x)
	sl := b.op("sl", tile(platforms.Vec, ir.FP4, 1, 16), "tile.slice", f4, tup(1, 16), tup(1, 0))
	acc := b.load("acc", tile(platforms.Acc, ir.INT32, 32, 128), x)
	lower := b.op("lower", tile(platforms.Acc, ir.INT32, 16, 128), "tile.slice", acc, tup(16, 128), tup(16, 0))
	whole := b.op("whole", tile(platforms.Acc, ir.INT32, 32, 128), "tile.slice", acc, tup(32, 128), tup(0, 0))
	l := mustInit(t, b, Config{Platform: platform(t, "Ascend910B")})
	wantRefs(t, l, map[*ir.Var]string{
		f4: "mem_vec_1 pl.const(0, pl.INT64) 64", sl: "mem_vec_1 8 8",
		acc: "mem_acc_2 pl.const(0, pl.INT64) 16384", lower: "mem_acc_2 8192 8192",
		whole: "mem_acc_2 pl.const(0, pl.INT64) 16384",
	})
	// [16, 128] INT32 on its own: rows rounded up to 32 on Ascend910B and without
	// a backend (32*128*4), to 16 on Ascend950 (16*128*4).
	for name, want := range map[string]string{
		"Ascend910B": "mem_acc_0 pl.const(0, pl.INT64) 16384", "": "mem_acc_0 pl.const(0, pl.INT64) 16384",
		"Ascend950": "mem_acc_0 pl.const(0, pl.INT64) 8192",
	} {
		b := newFn("k", ir.InCore)
		v := b.op("v", tile(platforms.Acc, ir.INT32, 16, 128), "tile.create")
		cfg := Config{}
		if name != "" {
			cfg.Platform = platform(t, name)
		}
		wantRefs(t, mustInit(t, b, cfg), map[*ir.Var]string{v: want})
	}
}

// Cross-core pops, their views and aliases have no MemRef; a tile alias of a
// plain variable shares, a call result of another function does not; the
// branch whose then-value is an iter_arg takes the else-value's buffer.
func TestInitMemRefSharingRules(t *testing.T) {
	b := newFn("k", ir.AIV)
	x := b.param("x", tensor(64, 64))
	pop := b.op("pop", vec(64, 64), "tile.tpop_from_aic")
	view := b.op("view", vec(32, 128), "tile.reshape", pop, tup(32, 128))
	alias := b.let("alias", vec(64, 64), pop)
	a := b.load("a", vec(64, 64), x)
	same := b.let("same", vec(64, 64), a)
	fn := b.let("fn", vec(64, 64), &ir.Call{Name: "g", IsFunc: true, Args: []ir.Expr{a}, Type: vec(64, 64)})
	var e, r2 *ir.Var
	b.loop("c", "r", vec(64, 64), a, func(_, c *ir.Var) {
		r2 = b.branch("r2", vec(64, 64), &ir.ConstBool{Value: true},
			func() { b.yield(c) },
			func() { e = b.op("e", vec(64, 64), "tile.exp", c); b.yield(e) })
		b.yield(r2)
	})
	bl := b.branch("bl", vec(64, 64), &ir.ConstBool{Value: true},
		func() { b.yield(pop) },
		func() { b.yield(a) })
	l := mustInit(t, b, Config{})
	zero := " pl.const(0, pl.INT64) 16384"
	// Ids: x 0, a 1, fn 2, e 3, r2 4 (dropped), r 5 (dropped), bl 6.
	wantRefs(t, l, map[*ir.Var]string{
		pop: "-", view: "-", alias: "-", a: "mem_vec_1" + zero, same: "mem_vec_1" + zero, fn: "mem_vec_2" + zero,
		e: "mem_vec_3" + zero, r2: "mem_vec_3" + zero, bl: "mem_vec_6" + zero,
	})
	if l.MemRefOf(same) != l.MemRefOf(a) {
		t.Error("an alias must hold the very MemRef of its source")
	}
}

// A while's results share with nothing; its iter_args are rewritten before
// its condition.
func TestInitMemRefWhile(t *testing.T) {
	b := newFn("k", ir.InCore)
	x := b.param("x", tensor(64, 64))
	a := b.load("a", vec(64, 64), x)
	it := b.f.NewVar(ir.IterArg, "it", vec(64, 64), ir.Span{})
	it.Init = a
	r := b.f.NewVar(ir.PlainVar, "r", vec(64, 64), ir.Span{})
	var c *ir.Var
	body := b.in(func() {
		c = b.op("c", vec(64, 64), "tile.exp", it)
		b.yield(c)
	})
	b.add(&ir.While{Cond: &ir.ConstBool{Value: true}, IterArgs: []*ir.Var{it}, Body: body, Results: []*ir.Var{r}})
	zero := " pl.const(0, pl.INT64) 16384"
	wantRefs(t, mustInit(t, b, Config{}), map[*ir.Var]string{
		it: "mem_vec_1" + zero, c: "mem_vec_2" + zero, r: "mem_vec_3" + zero,
	})
}

func TestInitMemRefComments(t *testing.T) {
	b := newFn("k", ir.InCore)
	v := b.f.NewVar(ir.PlainVar, "v", vec(8, 8), ir.Span{})
	b.add(&ir.Assign{StmtMeta: ir.StmtMeta{Comments: []string{"gone"}}, Var: v, Value: call("tile.create", vec(8, 8))})
	b.add(&ir.Return{StmtMeta: ir.StmtMeta{Comments: []string{"stays"}}})
	l := mustInit(t, b, Config{})
	if n := len(l.Fn.Body.Stmts); n != 3 {
		t.Fatalf("%d statements, want 3", n)
	}
	if c := l.Fn.Body.Stmts[1].Meta().Comments; len(c) != 0 {
		t.Errorf("the assignment keeps %q", c)
	}
	if c := l.Fn.Body.Stmts[2].Meta().Comments; len(c) != 1 {
		t.Errorf("the return lost its comment")
	}
	if len(b.f.Body.Stmts[0].Meta().Comments) != 1 {
		t.Error("the input was changed")
	}
}
