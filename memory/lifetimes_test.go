package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

func less(x, y ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Lt, X: x, Y: y, DType: ir.BOOL} }

func index() ir.Type { return &ir.ScalarType{DType: ir.INDEX} }

func mustLifetimes(t *testing.T, l *Layout) *Lifetimes {
	t.Helper()
	lt, err := AnalyzeLifetimes(l, LifetimeOptions{})
	if err != nil {
		t.Fatalf("lifetimes: %s", err)
	}
	return lt
}

// lives lists "name [def, last]" of the given variables, "name -" for those
// that are not tracked.
func lives(lt *Lifetimes, vs ...*ir.Var) []string {
	var out []string
	for _, v := range vs {
		if l, ok := lt.LiveOf(v); ok {
			out = append(out, fmt.Sprintf("%s [%d, %d]", v.Name, l.Def, l.Last))
		} else {
			out = append(out, v.Name+" -")
		}
	}
	return out
}

// intervals lists "rep space size [def, last] members".
func intervals(lt *Lifetimes) []string {
	var out []string
	for i := range lt.Intervals {
		iv := &lt.Intervals[i]
		var names []string
		for _, m := range iv.Members {
			names = append(names, m.Name)
		}
		out = append(out, fmt.Sprintf("%s %s %d [%d, %d] %s", iv.Base.Name, iv.Space, iv.Size, iv.Def, iv.Last, strings.Join(names, ",")))
	}
	return out
}

// phiKernel is the kernel of spec 05 §10.1.
type phiKernel struct {
	*fb
	a, bb, c, d, e, ff, r *ir.Var
}

func newPhiKernel(kind ir.FuncKind) *phiKernel {
	k := &phiKernel{fb: newFn("k", kind)}
	x := k.param("x", tensor(64, 64))
	out := k.param("out", tensor(64, 64))
	n := k.param("n", index())
	k.a = k.load("a", vec(64, 64), x)
	k.r = k.branch("r", vec(64, 64), less(n, ir.Index(2)),
		func() { k.bb = k.op("b", vec(64, 64), "tile.add", k.a, k.a); k.yield(k.bb) },
		func() {
			k.c = k.op("c", vec(64, 64), "tile.mul", k.a, k.a)
			k.d = k.op("d", vec(64, 64), "tile.exp", k.c)
			k.yield(k.d)
		})
	k.e = k.op("e", vec(64, 64), "tile.add", k.a, k.a)
	k.ff = k.op("f", vec(64, 64), "tile.add", k.r, k.e)
	res := k.op("res", tensor(64, 64), "tile.store", k.ff, tup(0, 0), out)
	k.add(&ir.Return{Values: []ir.Expr{res}})
	return k
}

// Spec 05 §10.1, the table of lives; families make b and d one value.
func TestLifetimesPhi(t *testing.T) {
	k := newPhiKernel(ir.InCore)
	lt := mustLifetimes(t, mustInit(t, k.fb, Config{}))
	wantLines(t, "lives", lives(lt, k.a, k.bb, k.c, k.d, k.e, k.ff, k.r), []string{
		"a [6, 12]", "b [7, 13]", "c [9, 10]", "d [10, 13]", "e [12, 13]", "f [13, 14]", "r -",
	})
	if len(lt.Intervals) != 6 || len(lt.Stmts) != 16 {
		t.Errorf("%d intervals and %d numbers, want 6 and 16", len(lt.Intervals), len(lt.Stmts))
	}
	for _, tt := range []struct {
		x, y *ir.Var
		want bool
	}{{k.bb, k.d, true}, {k.bb, k.r, true}, {k.bb, k.c, false}, {k.a, k.d, false}} {
		if got := lt.Related(tt.x, tt.y); got != tt.want {
			t.Errorf("related(%s, %s) = %v", tt.x.Name, tt.y.Name, got)
		}
	}
}

// Spec 05 §10.2: a loop over the result of a loop. Uses of o2 are dropped.
func TestLifetimesLoops(t *testing.T) {
	b := newFn("k", ir.InCore)
	x, out := b.param("x", tensor(64, 64)), b.param("out", tensor(64, 64))
	x0 := b.load("x0", vec(64, 64), x)
	var a1, b1 *ir.Var
	o1 := b.loop("a", "o1", vec(64, 64), x0, func(_, a *ir.Var) {
		a1 = b.op("a1", vec(64, 64), "tile.exp", a)
		b.yield(a1)
	})
	o2 := b.loop("b", "o2", vec(64, 64), o1, func(_, c *ir.Var) {
		b1 = b.op("b1", vec(64, 64), "tile.neg", c)
		b.yield(b1)
	})
	tt := b.load("t", vec(64, 64), x)
	u := b.op("u", vec(64, 64), "tile.add", tt, o2)
	res := b.op("res", tensor(64, 64), "tile.store", u, tup(0, 0), out)
	b.add(&ir.Return{Values: []ir.Expr{res}})
	l, err := MaterializeSemanticAliases(mustInit(t, b, Config{}), Config{})
	if err != nil {
		t.Fatal(err)
	}
	lt := mustLifetimes(t, l)
	// a1 and b1 are only read by their yields, 7 and 9.
	wantLines(t, "lives", lives(lt, x0, a1, b1, tt, u, o1, o2), []string{
		"x0 [5, 9]", "a1 [6, 7]", "b1 [8, 9]", "t [10, 11]", "u [11, 12]", "o1 -", "o2 -",
	})
	wantLines(t, "intervals", intervals(lt), []string{
		"mem_vec_2 Vec 16384 [5, 9] x0,a1,b1", "mem_vec_7 Vec 16384 [10, 11] t", "mem_vec_8 Vec 16384 [11, 12] u",
	})
}

// Spec 05 §10.3: an accumulator through two nested loops.
func TestLifetimesNestedLoop(t *testing.T) {
	k := newNestedAcc()
	lt := mustLifetimes(t, NewLayout(k.f))
	// Five allocations take 0…4, d0 5 and the operands 6, 7; c0 is 8 here, q1 9,
	// the yields 10 and 11, the store of po 12.
	wantLines(t, "lives", lives(lt, k.c0, k.q1), []string{"c0 [8, 12]", "q1 [9, 10]"})
	if got, want := fmt.Sprint(lt.Loops()), "[{9 11} {9 10}]"; got != want {
		t.Errorf("loops %s, want %s", got, want)
	}
	if i := lt.IntervalOf(k.q1); i != lt.IntervalOf(k.c0) || lt.Intervals[i].Live != (Live{8, 12}) {
		t.Errorf("group %v, want [8, 12]", lt.Intervals[i].Live)
	}
}

// nestedAcc is the kernel of spec 05 §10.3 and 06 §13.5: an accumulator c0
// through two loops, after a dead accumulator d0 of the same size.
type nestedAcc struct {
	*fb
	d0, c0, q1, p, q, qo, po *ir.Var
}

func newNestedAcc() *nestedAcc {
	k := &nestedAcc{fb: newFn("k", ir.AIC)}
	acc := tile(platforms.Acc, ir.FP32, 64, 64)
	left, right := k.alloc("mem_left_6", platforms.Left, 8192, false), k.alloc("mem_right_7", platforms.Right, 8192, false)
	m8, m9 := k.alloc("mem_acc_8", platforms.Acc, 16384, false), k.alloc("mem_acc_9", platforms.Acc, 16384, false)
	k.alloc("mem_unused", platforms.Acc, 16384, false)
	k.d0 = k.op("d0", at(acc, m8, int64c(0), 16384), "tile.create")
	a := k.op("al", at(tile(platforms.Left, ir.FP16, 64, 64), left, int64c(0), 8192), "tile.create")
	b := k.op("br", at(tile(platforms.Right, ir.FP16, 64, 64), right, int64c(0), 8192), "tile.create")
	on9 := at(acc, m9, int64c(0), 16384)
	k.c0 = k.op("c0", on9, "tile.matmul", a, b)
	k.po = k.loop("p", "po", on9, k.c0, func(_, p *ir.Var) {
		k.p = p
		k.qo = k.loop("q", "qo", on9, p, func(_, q *ir.Var) {
			k.q = q
			k.q1 = k.op("q1", on9, "tile.matmul_acc", q, a, b)
			k.yield(k.q1)
		})
		k.yield(k.qo)
	})
	k.op("res", tensor(64, 64), "tile.store", k.po, tup(0, 0), k.param("out", tensor(64, 64)))
	return k
}

// Spec 05 §4.3: the condition of an if, the initial values of a loop and
// nested uses count where the spec says, loop bounds not at all.
func TestLifetimesUses(t *testing.T) {
	b := newFn("k", ir.InCore)
	m := func(name string) *ir.TileType { return at(vec(8, 8), b.base(name), int64c(0), 256) }
	cond := b.op("cond", m("m0"), "tile.create")   // 0
	init := b.op("init", m("m1"), "tile.create")   // 1
	bound := b.op("bound", m("m2"), "tile.create") // 2
	attr := b.op("attr", m("m3"), "tile.create")   // 3
	dead := b.op("dead", m("m4"), "tile.create")   // 4
	b.branch("r", index(), &ir.TupleGet{Tuple: &ir.MakeTuple{Elems: []ir.Expr{cond}}},
		func() { b.yield(ir.Index(1)) }, // 5
		func() { b.yield(ir.Index(2)) }) // 6
	s := &ir.While{Cond: bound, Body: b.in(func() { b.op("w", m("m5"), "tile.create") })} // 7
	a := b.f.NewVar(ir.IterArg, "a", m("m1"), ir.Span{})
	a.Init = init
	s.IterArgs = []*ir.Var{a}
	b.add(s)
	c := call("tile.create", m("m6")) // 8
	c.Attrs = []ir.Attr{{Key: "x", Value: ir.Expr(attr)}}
	b.add(&ir.Eval{X: c})
	lt := mustLifetimes(t, NewLayout(b.f))
	wantLines(t, "lives", lives(lt, cond, init, bound, attr, dead), []string{
		"cond [0, 5]",  // the number of the next numbered statement
		"init [1, 7]",  // the loop's first number; its range is [7, 7]
		"bound [2, 2]", // a while condition is no use
		"attr [3, 8]", "dead [4, 4]",
	})
}

// Spec 05 §4.5: an outer value read anywhere in a loop lives to the loop's
// end, of the outermost loop that starts after its definition.
func TestLifetimesLoopExtension(t *testing.T) {
	b := newFn("k", ir.InCore)
	m := func(name string) *ir.TileType { return at(vec(8, 8), b.base(name), int64c(0), 256) }
	outer := b.op("outer", m("m0"), "tile.create") // 0
	var mid, in *ir.Var
	n := ir.Expr(ir.Index(0))
	b.loop("i", "ri", index(), n, func(_, _ *ir.Var) { // loop [1, 7]
		mid = b.op("mid", m("m1"), "tile.create")          // 1
		b.loop("j", "rj", index(), n, func(_, _ *ir.Var) { // loop [2, 5]
			in = b.op("in", m("m2"), "tile.create")    // 2
			b.op("x", m("m3"), "tile.add", outer, mid) // 3
			b.op("y", m("m4"), "tile.add", in, in)     // 4
			b.yield(n)                                 // 5
		})
		b.op("z", m("m5"), "tile.create") // 6
		b.yield(n)                        // 7
	})
	lt := mustLifetimes(t, NewLayout(b.f))
	wantLines(t, "lives", lives(lt, outer, mid, in), []string{"outer [0, 7]", "mid [1, 5]", "in [2, 4]"})
}

// Spec 05 §4.6: tile parameters count only on request, from number 0.
func TestLifetimesParams(t *testing.T) {
	b := newFn("k", ir.InCore)
	base := b.base("mem_vec_0")
	p := b.param("p", at(vec(8, 8), base, int64c(0), 256))
	b.op("a", at(vec(8, 8), b.base("mem_vec_1"), int64c(0), 256), "tile.create")
	v := b.op("v", at(vec(4, 8), base, int64c(128), 128), "tile.slice", p, tup(4, 8), tup(4, 0))
	b.op("w", at(vec(4, 8), b.base("mem_vec_2"), int64c(0), 128), "tile.exp", v)
	wantLines(t, "without", intervals(mustLifetimes(t, NewLayout(b.f))), []string{
		"mem_vec_1 Vec 256 [0, 0] a", "mem_vec_0 Vec 128 [1, 2] v", "mem_vec_2 Vec 128 [2, 2] w",
	})
	lt, err := AnalyzeLifetimes(NewLayout(b.f), LifetimeOptions{Params: true})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, "with", intervals(lt), []string{
		"mem_vec_0 Vec 256 [0, 2] p,v", "mem_vec_1 Vec 256 [0, 0] a", "mem_vec_2 Vec 128 [2, 2] w",
	})
}

// Spec 05 §5: a phi of a phi has the inner one's sources; values from before
// the if are not local; a phi without local sources drops its later uses.
func TestLifetimesNestedPhi(t *testing.T) {
	b := newFn("k", ir.InCore)
	n := b.param("n", index())
	m := func(name string) *ir.TileType { return at(vec(8, 8), b.base(name), int64c(0), 256) }
	old := b.op("old", m("m0"), "tile.create") // 0
	var x, y *ir.Var
	outer := b.branch("outer", m("m1"), n,
		func() {
			inner := b.branch("inner", m("m1"), n,
				func() { x = b.op("x", m("m1"), "tile.create"); b.yield(x) }, // 1, 2
				func() { y = b.op("y", m("m2"), "tile.create"); b.yield(y) }) // 3, 4
			b.yield(inner) // 5
		},
		func() { b.yield(old) }) // 6
	none := b.branch("none", m("m0"), n, func() { b.yield(old) }, func() { b.yield(old) }) // 7, 8
	b.op("u", m("m3"), "tile.add", outer, none)                                            // 9
	lt := mustLifetimes(t, NewLayout(b.f))
	wantLines(t, "lives", lives(lt, old, x, y), []string{"old [0, 8]", "x [1, 9]", "y [3, 9]"})
	if !lt.Related(x, y) || !lt.Related(outer, y) || lt.Related(old, x) {
		t.Error("families: x, y and outer are one value, old is not")
	}
}

// Spec 05 §7.1: tolerant parsing.
func TestParseMembership(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"0:1", "[{0 1}]"}, {"0:1;3:0", "[{0 1} {3 0}]"}, {"", "[]"}, {"0:1;", "[{0 1}]"},
		{"x;1:2:3;4:;:5;6: 7; 8:-9", "[{6 7} {8 -9}]"}, {"1_0:2;+1:+2", "[{1 2}]"}, {"4294967297:1", "[{1 1}]"},
	} {
		if got := fmt.Sprint(ParseMembership(tt.in)); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.in, got, tt.want)
		}
	}
}

// Spec 05 §7.2: the membership of a group is that of its first member with a
// non-empty attribute.
func TestMembershipOfGroup(t *testing.T) {
	b := newFn("k", ir.InCore)
	base := b.base("m")
	ty := at(vec(8, 8), base, int64c(0), 256)
	tagged := func(name, op, tag string, args ...ir.Expr) *ir.Var {
		c := call(op, ty, args...)
		if tag != "-" {
			c.Attrs = []ir.Attr{{Key: "pipeline_membership", Value: tag}}
		}
		return b.let(name, ty, c)
	}
	a := tagged("a", "tile.create", "-")
	v := tagged("v", "tile.reshape", "", a)
	l := tagged("l", "tile.load", "2:1", v)
	tagged("z", "tile.add", "2:0", l)
	lt := mustLifetimes(t, NewLayout(b.f))
	if iv := lt.Intervals[0]; fmt.Sprint(iv.Membership) != "[{2 1}]" || !iv.LoadTile {
		t.Errorf("membership %v load %v, want [{2 1}] from the load", iv.Membership, iv.LoadTile)
	}
}

// A parameter is defined at number 0 as the first statement is, but not by it.
func TestDefOf(t *testing.T) {
	b := newFn("k", ir.AIV)
	m := b.base("m")
	p := b.param("p", at(vec(8, 8), m, int64c(0), 256))
	v := b.placed("v", b.base("n"), int64c(0), 256, platforms.Vec)
	w := b.let("w", at(vec(8, 8), m, int64c(0), 256), call("tile.exp", vec(8, 8), v))
	lt, err := AnalyzeLifetimes(NewLayout(b.f), LifetimeOptions{Params: true})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, "lives", lives(lt, p, v, w), []string{"p [0, 0]", "v [0, 1]", "w [1, 1]"})
	if lt.DefOf(p) != nil || lt.DefOf(v) != b.f.Body.Stmts[0] || lt.DefOf(w) != b.f.Body.Stmts[1] {
		t.Errorf("definitions %v %v %v", lt.DefOf(p), lt.DefOf(v), lt.DefOf(w))
	}
}
