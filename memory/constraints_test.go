package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

func findConstraints(b *fb, cfg Config) (*Lifetimes, *Constraints, *Error) {
	lt, err := AnalyzeLifetimes(NewLayout(b.f), LifetimeOptions{})
	if err != nil {
		return nil, nil, err
	}
	c, err := FindConstraints(lt, cfg, StageMemoryReuse, passReuse)
	return lt, c, err
}

// Spec 05 §8.1: producers on a declared allocation of two 16 KiB slots; the
// comments number the statements, the allocation is 0.
func TestDeclaredCoLiveness(t *testing.T) {
	tests := []struct {
		name  string
		build func(b *fb, d *ir.Var)
		want  string
	}{
		{"one ends where the next begins", func(b *fb, d *ir.Var) {
			p := b.op("p", on(d), "tile.create") // 1
			b.op("c", on(d), "tile.exp", p)      // 2
		}, ""},
		{"live together", func(b *fb, d *ir.Var) {
			p := b.op("p", on(d), "tile.create")         // 1
			c := b.op("c", on(d), "tile.create")         // 2
			b.op("u", on(b.base("m")), "tile.add", p, c) // 3
		}, "Tiles 'p' and 'c' are both bound to the same slot of the declared allocation 'd' but are live at the same time " +
			"(p: [1, 3], c: [2, 3]). Sharing one slot would overwrite data that is still needed — put them on different slots, " +
			"declare separate allocations, or bind only tiles whose lifetimes do not overlap."},
		{"other slots are other storage", func(b *fb, d *ir.Var) {
			p := b.op("p", on(d), "tile.create")
			c := b.op("c", at(vec(64, 64), d, int64c(16384), 16384), "tile.create")
			b.op("u", on(b.base("m")), "tile.add", p, c)
		}, ""},
		{"a dynamic slot is not checked", func(b *fb, d *ir.Var) {
			n := b.param("n", index())
			p := b.op("p", at(vec(64, 64), d, n, 16384), "tile.create")
			c := b.op("c", at(vec(64, 64), d, n, 16384), "tile.create")
			b.op("u", on(b.base("m")), "tile.add", p, c)
		}, ""},
		{"views, in-place results and copies are not producers", func(b *fb, d *ir.Var) {
			p := b.op("p", on(d), "tile.create")
			v := b.op("v", on(d), "tile.reshape", p, tup(64, 64))
			r := b.op("r", on(d), "tile.fillpad_inplace", p)
			a := b.let("a", on(d), p)
			b.op("u", on(b.base("m")), "tile.add", v, r)
			b.op("w", on(b.base("n")), "tile.add", a, p)
		}, ""},
		{"only neighbours by definition are compared, in the order of slots", func(b *fb, d *ir.Var) {
			x := b.op("x", at(vec(64, 64), d, int64c(16384), 16384), "tile.create") // 1
			y := b.op("y", at(vec(64, 64), d, int64c(16384), 16384), "tile.create") // 2
			p := b.op("p", on(d), "tile.create")                                    // 3
			c := b.op("c", on(d), "tile.create")                                    // 4
			b.op("u", on(b.base("m")), "tile.add", p, c)                            // 5
			b.op("w", on(b.base("n")), "tile.add", x, y)                            // 6
		}, "Tiles 'p' and 'c' are both bound to the same slot of the declared allocation 'd' but are live at the same time (p: [3, 5], c: [4, 5])."},
	}
	for _, tt := range tests {
		b := newFn("k", ir.InCore)
		d := b.alloc("d", platforms.Vec, 32768, true)
		tt.build(b, d)
		_, _, err := findConstraints(b, Config{})
		if (err == nil) != (tt.want == "") || err != nil && (!strings.HasPrefix(err.Message, tt.want) || err.Kind != UserError) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Two declared allocations are violated: the one allocated first is reported.
func TestDeclaredCoLivenessOrder(t *testing.T) {
	b := newFn("k", ir.InCore)
	d1, d2 := b.alloc("zz", platforms.Vec, 16384, true), b.alloc("aa", platforms.Vec, 16384, true)
	for _, d := range []*ir.Var{d2, d1} {
		p, c := b.op("p", on(d), "tile.create"), b.op("c", on(d), "tile.create")
		b.op("u", on(b.base("m")), "tile.add", p, c)
	}
	if _, _, err := findConstraints(b, Config{}); err == nil || !strings.Contains(err.Message, "'zz'") {
		t.Errorf("got %v, want a message about zz", err)
	}
}

func TestDeclaredExtent(t *testing.T) {
	b := newFn("k", ir.InCore)
	d := b.alloc("d", platforms.Vec, 0, true)
	b.op("p", on(d), "tile.create")
	_, _, err := findConstraints(b, Config{})
	want := "MemoryReuse expected declared allocation 'd' to have a positive constant byte extent after InitMemRef"
	if err == nil || err.Message != want || err.Kind != InternalError {
		t.Errorf("got %v, want %q", err, want)
	}
}

// Spec 05 §8.3: which inputs an output must not share with.
func TestForbiddenInputs(t *testing.T) {
	a5, b9 := Config{Platform: platform(t, "Ascend950")}, Config{Platform: platform(t, "Ascend910B")}
	for _, tt := range []struct {
		op   string
		n    int // operands
		cfg  Config
		want string
	}{
		{"tile.add", 2, b9, "[]"},
		{"tile.recip", 1, b9, "[0]"},      // not in-place safe
		{"tile.gather", 3, b9, "[0 1 2]"}, // not in-place safe: all
		{"tile.row_expand", 2, b9, "[1]"}, // the vector operand
		{"tile.row_expand_add", 3, b9, "[1 2]"},
		{"tile.col_expand_mul", 2, b9, "[1]"},
		{"tile.sel", 4, b9, "[0 3]"}, // mask and scratch
		{"tile.sels", 3, b9, "[0]"},
		{"tile.prelu", 3, b9, "[0 1 2]"},
		{"tile.prelu", 3, a5, "[0 1]"},
		{"tile.prelu", 3, Config{}, "[0 1 2]"},
	} {
		b := newFn("k", ir.InCore)
		var args []ir.Expr
		for i := range tt.n {
			args = append(args, b.op(fmt.Sprint("x", i), on(b.base("m")), "tile.create"))
		}
		args = append(args, tup(1, 2)) // tuples and constants are no inputs
		out := b.op("out", on(b.base("m")), tt.op, args...)
		lt, c, err := findConstraints(b, tt.cfg)
		if err != nil {
			t.Fatal(err)
		}
		got := []int{}
		for _, f := range c.Forbid[lt.IntervalOf(out)] {
			got = append(got, f.Operand)
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %v, want %s", tt.op, got, tt.want)
		}
	}
}

// A widening cast forbids its input, others do not.
func TestForbiddenCast(t *testing.T) {
	for _, tt := range []struct {
		from, to ir.DType
		want     int
	}{{ir.FP16, ir.FP32, 1}, {ir.FP32, ir.FP16, 0}, {ir.FP32, ir.INT32, 0}, {ir.INT8, ir.FP16, 1}, {ir.BOOL, ir.INT4, 1}} {
		b := newFn("k", ir.InCore)
		in := b.op("in", at(tile(platforms.Vec, tt.from, 8, 8), b.base("m"), int64c(0), 64), "tile.create")
		out := b.op("out", at(tile(platforms.Vec, tt.to, 8, 8), b.base("n"), int64c(0), 64), "tile.cast", in)
		lt, c, _ := findConstraints(b, Config{})
		list := c.Forbid[lt.IntervalOf(out)]
		if len(list) != tt.want || len(list) == 1 && !list[0].Widening {
			t.Errorf("%s to %s: %v, want %d", tt.from, tt.to, list, tt.want)
		}
	}
}

// The list of a tuple result is that of each tile taken from it; lists of all
// members of a group gather under it.
func TestForbiddenTuple(t *testing.T) {
	b := newFn("k", ir.InCore)
	x := b.op("x", on(b.base("m")), "tile.create")
	pair := b.let("pair", &ir.TupleType{Elems: []ir.Type{vec(64, 64), vec(64, 64)}}, call("tile.gather_compare", nil, x))
	m := b.base("m1")
	first := b.let("first", on(m), &ir.TupleGet{Tuple: pair})
	b.op("again", on(m), "tile.recip", x)
	lt, c, _ := findConstraints(b, Config{})
	list := c.Forbid[lt.IntervalOf(first)]
	if len(list) != 2 || list[0].Input != x || list[0].Stmt.Var != pair || list[1].Stmt.Var.Name != "again" {
		t.Errorf("got %v", list)
	}
}

// Spec 05 §8.2: when the guard is active.
func TestHazardActive(t *testing.T) {
	b9, a5 := platform(t, "Ascend910B"), platform(t, "Ascend950")
	attr := func(k string, v any) []ir.Attr { return []ir.Attr{{Key: k, Value: v}} }
	for i, tt := range []struct {
		kind  ir.FuncKind
		p     *platforms.Platform
		attrs []ir.Attr
		want  bool
	}{
		{ir.AIV, b9, attr("split_aiv", true), true},
		{ir.AIV, b9, attr("split_aiv", false), false},
		{ir.AIV, b9, attr("split", int64(1)), true},
		{ir.AIV, b9, attr("split", int64(0)), false},
		{ir.AIV, b9, nil, false},
		{ir.AIC, b9, attr("split_aiv", true), false},
		{ir.InCore, b9, attr("split_aiv", true), false},
		{ir.AIV, a5, attr("split_aiv", true), false},
		{ir.AIV, nil, attr("split_aiv", true), false},
	} {
		fn := &ir.Function{Kind: tt.kind, Attrs: tt.attrs}
		if got := hazardActive(fn, Config{Platform: tt.p}); got != tt.want {
			t.Errorf("case %d: %v", i, got)
		}
	}
}

// hazardCase: ld is loaded, view views it, pop is popped into a buffer of its
// own, w reads both pop and the last of view.
func hazardCase() (b *fb, ld, view, pop, w *ir.Var) {
	b = newFn("k", ir.AIV)
	b.f.Attrs = []ir.Attr{{Key: "split_aiv", Value: true}}
	m1, m2, m3 := b.alloc("m1", platforms.Vec, 16384, false), b.alloc("m2", platforms.Vec, 16384, false), b.alloc("m3", platforms.Vec, 16384, false)
	ld = b.op("ld", on(m1), "tile.load")
	view = b.op("view", on(m1), "tile.reshape", ld, tup(64, 64))
	pop = b.op("pop", on(m2), "tile.tpop_from_aic")
	w = b.op("w", on(m3), "tile.add", pop, view)
	return b, ld, view, pop, w
}

func TestHazardFacts(t *testing.T) {
	b, ld, view, pop, w := hazardCase()
	_, c, err := findConstraints(b, Config{Platform: platform(t, "Ascend910B")})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []*ir.Var{ld, view, pop, w} {
		if got, want := c.LoadDerived(v), v == ld || v == view; got != want {
			t.Errorf("load-derived(%s) = %v", v.Name, got)
		}
		if got, want := c.ReadsPop(v), v == w; got != want {
			t.Errorf("reads-pop(%s) = %v", v.Name, got)
		}
	}
}
