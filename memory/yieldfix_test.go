package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/platforms"
)

func mustFix(t *testing.T, b *fb, forsOnly bool) *Layout {
	t.Helper()
	w := newRewrite(NewLayout(b.f), Config{}, passReuse)
	if err := w.fixYields(forsOnly); err != nil {
		t.Fatalf("fixYields: %s", err)
	}
	return w.Layout
}

// bodyLines lists the statements of a block and the blocks in it, moves with
// their base, yields with their values.
func bodyLines(l *Layout, b *ir.Block) []string {
	var out []string
	ir.WalkStmts(b, func(s ir.Stmt) bool {
		switch s := s.(type) {
		case *ir.Assign:
			line := s.Var.Name + " = " + printer.Expr(s.Value)
			if base := l.BaseOf(s.Var); base != nil {
				line += " on " + base.Name
			}
			out = append(out, line)
		case *ir.Yield:
			var vs []string
			for _, v := range s.Values {
				vs = append(vs, printer.Expr(v))
			}
			out = append(out, "yield "+strings.Join(vs, ", "))
		}
		return true
	})
	return out
}

// Spec 06 §13.6, kernel 04 §10.3 (a) after that pass: the else value moves to
// the then value's buffer, the phi follows, the loop is consistent.
func TestYieldFixIf(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3, m4 := b.base("m2"), b.base("m3"), b.base("m4")
	n := b.param("n", index())
	x0 := b.op("x0", on(m2), "tile.create")
	var ph *ir.Var
	r := b.loop("a", "r", on(m2), x0, func(i, a *ir.Var) {
		ph = b.branch("ph", on(m3), less(i, n),
			func() { b.yield(b.op("t", on(m2), "tile.exp", a)) },
			func() { b.yield(b.op("e", on(m4), "tile.recip", a)) })
		b.yield(ph)
	})
	l := mustFix(t, b, false)
	wantLines(t, "body", bodyLines(l, l.Fn.Body), []string{
		"x0 = pl.tile.create() on m2",
		"t = pl.tile.exp(a) on m2", "yield t",
		"e = pl.tile.recip(a) on m4", "e_mv = pl.tile.move(e, target_memory=pl.Mem.Vec) on m2", "yield e_mv",
		"yield ph",
	})
	wantLines(t, "results", baseNames(l, ph, r), []string{"ph m2", "r m2"})
	if b.f.NumVars+1 != l.Fn.NumVars || len(bodyLines(NewLayout(b.f), b.f.Body)) != 6 {
		t.Error("the input function was changed")
	}
}

// Spec 06 §13.6 (b): one value for two carries, a1 on m3: position 0 moves.
func TestYieldFixFor(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0, y0 := b.op("x0", on(m2), "tile.create"), b.op("y0", on(m3), "tile.create")
	rx, ry := b.loop2([2]ir.Type{on(m2), on(m3)}, [2]ir.Expr{x0, y0}, func(x, y *ir.Var) {
		a1 := b.op("a1", on(m3), "tile.add", x, y)
		b.yield(a1, a1)
	})
	l := mustFix(t, b, true)
	wantLines(t, "body", bodyLines(l, l.Fn.Body)[2:], []string{
		"a1 = pl.tile.add(x, y) on m3", "a1_mv = pl.tile.move(a1, target_memory=pl.Mem.Vec) on m2", "yield a1_mv, a1",
	})
	wantLines(t, "results", baseNames(l, rx, ry), []string{"rx m2", "ry m3"})
}

// Two positions that need a move get one each, in position order; the
// variables share a name but not an identity.
func TestYieldFixTwoMoves(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3, m4 := b.base("m2"), b.base("m3"), b.base("m4")
	x0, y0 := b.op("x0", on(m2), "tile.create"), b.op("y0", on(m3), "tile.create")
	b.loop2([2]ir.Type{on(m2), on(m3)}, [2]ir.Expr{x0, y0}, func(x, y *ir.Var) {
		a1 := b.op("a1", on(m4), "tile.add", x, y)
		b.yield(a1, a1)
	})
	l := mustFix(t, b, true)
	wantLines(t, "body", bodyLines(l, l.Fn.Body)[2:], []string{
		"a1 = pl.tile.add(x, y) on m4", "a1_mv = pl.tile.move(a1, target_memory=pl.Mem.Vec) on m2",
		"a1_mv = pl.tile.move(a1, target_memory=pl.Mem.Vec) on m3", "yield a1_mv, a1_mv",
	})
	if got, want := l.Fn.NumVars, b.f.NumVars+2; got != want {
		t.Errorf("%d variables, want %d", got, want)
	}
}

// Positions whose initial or yielded value is an iter_arg or no tile with
// MemRef are left alone (spec 06 §9.1, end).
func TestYieldFixForSkips(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0 := b.op("x0", on(m2), "tile.create")
	var inner, outer *ir.Var
	outer = b.loop("p", "outer", on(m2), x0, func(_, p *ir.Var) {
		inner = b.loop("q", "inner", on(m3), p, func(_, q *ir.Var) {
			b.yield(b.op("w", on(m3), "tile.exp", q))
		})
		b.yield(p)
	})
	ring := b.op("ring", vec(64, 64), "tile.tpop_from_aic")
	b.loop("s", "rs", on(m2), x0, func(_, s *ir.Var) { b.yield(ring) })
	before := bodyLines(NewLayout(b.f), b.f.Body)
	l := mustFix(t, b, false)
	wantLines(t, "body", bodyLines(l, l.Fn.Body), before)
	wantLines(t, "results", baseNames(l, inner, outer), []string{"inner m3", "outer m2"})
	if l.Fn != b.f {
		t.Error("nothing changed, but the function is another one")
	}
}

// Step 3 of 9.1: an iter_arg on another buffer than its initial value takes
// the value's, the result the yielded value's.
func TestYieldFixForAligns(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0 := b.op("x0", on(m2), "tile.create")
	var a *ir.Var
	r := b.loop("a", "r", on(m3), x0, func(_, it *ir.Var) {
		a = it
		b.yield(b.op("v", at(vec(8, 8), m2, ir.Index(64), 256), "tile.create"))
	})
	l := mustFix(t, b, false)
	wantRefs(t, l, map[*ir.Var]string{a: "m2 pl.const(0, pl.INT64) 16384", r: "m2 64 256"})
}

// Spec 06 §9.2: which branch gives the target, and who is moved.
func TestYieldFixIfCases(t *testing.T) {
	for _, tt := range []struct {
		name      string
		then, els string // base of the value; "it" yields an iter_arg, "" nothing with a MemRef
		ph        string
		moves     int
	}{
		{"agreeing", "m3", "m3", "m3", 0},
		{"else moves", "m3", "m4", "m3", 1},
		{"only then counts", "m3", "", "m3", 0},
		{"only else counts", "", "m4", "m4", 0},
		{"else yields an iter_arg: no move", "m3", "it", "m3", 0},
		{"then yields an iter_arg", "it", "m4", "m4", 0},
		{"neither", "it", "", "m9", 0},
	} {
		b := newFn("k", ir.InCore)
		bases := map[string]*ir.Var{"m2": b.base("m2"), "m3": b.base("m3"), "m4": b.base("m4"), "m9": b.base("m9")}
		x0 := b.op("x0", on(bases["m2"]), "tile.create")
		var ph *ir.Var
		b.loop("a", "r", on(bases["m2"]), x0, func(i, a *ir.Var) {
			arm := func(base string) func() {
				return func() {
					switch base {
					case "it":
						b.yield(a)
					case "":
						b.yield(b.op("none", vec(64, 64), "tile.tpop_from_aic"))
					default:
						b.yield(b.op("v", on(bases[base]), "tile.create"))
					}
				}
			}
			ph = b.branch("ph", on(bases["m9"]), i, arm(tt.then), arm(tt.els))
			b.yield(a)
		})
		l := mustFix(t, b, false)
		if got := l.BaseOf(ph).Name; got != tt.ph {
			t.Errorf("%s: phi on %s, want %s", tt.name, got, tt.ph)
		}
		if got := int(l.Fn.NumVars - b.f.NumVars); got != tt.moves {
			t.Errorf("%s: %d moves, want %d", tt.name, got, tt.moves)
		}
	}
}

// A move takes the target's space; Acc to Acc is refused at the source.
func TestYieldFixSpaces(t *testing.T) {
	build := func(from, to ir.Space) (*fb, *ir.Var) {
		b := newFn("k", ir.InCore)
		m2, m3 := b.base("m2"), b.base("m3")
		x0 := b.op("x0", at(tile(to, ir.FP32, 16, 16), m2, int64c(0), 1024), "tile.create")
		var v *ir.Var
		b.loop("a", "r", x0.Type, x0, func(_, _ *ir.Var) {
			v = b.op("v", at(tile(from, ir.FP32, 16, 16), m3, int64c(0), 1024), "tile.create")
			b.yield(v)
		})
		return b, v
	}
	b, _ := build(platforms.Acc, platforms.Vec)
	l := mustFix(t, b, false)
	lines := bodyLines(l, l.Fn.Body)
	if want := "v_mv = pl.tile.move(v, target_memory=pl.Mem.Vec) on m2"; lines[2] != want {
		t.Errorf("got %q, want %q", lines[2], want)
	}
	b, v := build(platforms.Acc, platforms.Acc)
	err := newRewrite(NewLayout(b.f), Config{}, passReuse).fixYields(false)
	want := "Internal error: MemoryReuse cannot reconcile divergent L0C accumulator buffers with tile.move; " +
		"accumulator control-flow values must be coalesced before YieldFixup."
	if err == nil || err.Message != want || err.SpanVar != v || err.Kind != InternalError {
		t.Errorf("got %v, want %q", err, want)
	}
}

// The move variable bears the source's span and its type with the new MemRef.
func TestYieldFixMoveVariable(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0 := b.op("x0", on(m2), "tile.create")
	var v *ir.Var
	b.loop("a", "r", on(m2), x0, func(_, _ *ir.Var) {
		v = b.op("v", at(vec(32, 64), m3, int64c(0), 8192), "tile.create")
		b.yield(v)
	})
	l := mustFix(t, b, false)
	body := l.Fn.Body.Stmts[1].(*ir.For).Body
	mv := body.Stmts[1].(*ir.Assign).Var
	if mv.Span != v.Span || mv.ID != b.f.NumVars || ref(l, mv) != "m2 pl.const(0, pl.INT64) 16384" {
		t.Errorf("span %v id %d %s", mv.Span, mv.ID, ref(l, mv))
	}
	if got := fmt.Sprint(len(l.Tile(mv).Shape), " ", printer.Expr(l.Tile(mv).Shape[0])); got != "2 32" {
		t.Errorf("shape %s, want the source's", got)
	}
}

// Spec 06 §10: a copy takes the whole type of its source, in-place updates of
// it follow, other operators do not, and results are not re-typed.
func TestIdentityCopies(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	n := b.param("n", index())
	src := b.op("src", at(vec(32, 64), m2, ir.Index(64), 8192), "tile.create")
	cp := b.let("cp", on(m3), src)
	cp2 := b.let("cp2", on(m3), cp)
	upd := b.op("upd", on(m3), "tile.fillpad_inplace", cp2)
	upd2 := b.op("upd2", on(m3), "tile.fillpad_inplace", upd)
	view := b.op("view", on(m3), "tile.reshape", cp, tup(64, 64))
	same := b.let("same", at(vec(64, 64), m2, int64c(0), 16384), src)
	ph := b.branch("ph", on(m3), n, func() { b.yield(upd) }, func() { b.yield(upd) })
	other := b.op("other", on(b.base("m5")), "tile.fillpad_inplace", cp)
	w := newRewrite(NewLayout(b.f), Config{}, passReuse)
	w.normalizeCopies()
	whole := "m3 pl.const(0, pl.INT64) 16384"
	wantRefs(t, w.Layout, map[*ir.Var]string{
		cp: "m2 64 8192", cp2: "m2 64 8192", upd: "m2 64 8192", upd2: "m2 64 8192",
		view: whole, ph: whole, same: "m2 pl.const(0, pl.INT64) 16384",
		other: "m5 pl.const(0, pl.INT64) 16384",
	})
	if got := printer.Expr(w.Tile(cp).Shape[0]); got != "32" {
		t.Errorf("the copy has %s rows, want the source's whole type", got)
	}
	if got := printer.Expr(w.Tile(upd).Shape[0]); got != "64" {
		t.Errorf("the update has %s rows, want its own shape", got)
	}
}

// An iter_arg as source counts as well.
func TestIdentityCopyOfIterArg(t *testing.T) {
	b := newFn("k", ir.InCore)
	m2, m3 := b.base("m2"), b.base("m3")
	x0 := b.op("x0", on(m2), "tile.create")
	var cp *ir.Var
	b.loop("a", "r", on(m2), x0, func(_, a *ir.Var) {
		cp = b.let("cp", on(m3), a)
		b.yield(a)
	})
	w := newRewrite(NewLayout(b.f), Config{}, passReuse)
	w.normalizeCopies()
	wantLines(t, "base", baseNames(w.Layout, cp), []string{"cp m2"})
}

// Spec 06 §11: what counts as use of an allocation.
func TestDropUnusedAllocs(t *testing.T) {
	b := newFn("k", ir.InCore)
	b.alloc("unused", platforms.Vec, 64, false)
	b.alloc("declared", platforms.Vec, 64, true)
	param, used, it := b.alloc("param", platforms.Vec, 64, false), b.alloc("used", platforms.Vec, 99, false), b.alloc("it", platforms.Vec, 64, false)
	tensorBase := b.alloc("tensor", platforms.DDR, 64, false)
	b.param("p", on(param))
	tt := *tensor(8, 8)
	tt.MemRef = &ir.MemRef{Base: tensorBase, Offset: int64c(0), Size: 64, Slots: 1}
	x := b.op("x", on(used), "tile.create")
	b.op("t", &tt, "tile.store", x, tup(0, 0))
	b.loop("a", "r", on(it), x, func(_, a *ir.Var) { b.yield(x) })
	w := newRewrite(NewLayout(b.f), Config{}, passReuse)
	w.dropUnusedAllocs()
	wantLines(t, "allocs", allocs(w.Layout), []string{"used tile.alloc 99", "it tile.alloc 64", "tensor tensor.alloc 64"})
}

// The attribute goes from every call, other attributes stay, and statements
// without it are shared.
func TestStripMembership(t *testing.T) {
	b := newFn("k", ir.InCore)
	tagged := func(args ...ir.Expr) *ir.Call {
		c := call("tile.exp", vec(8, 8), args...)
		c.Attrs = []ir.Attr{{Key: "a", Value: int64(1)}, {Key: "pipeline_membership", Value: "0:1"}, {Key: "b", Value: int64(2)}}
		return c
	}
	x := b.op("x", vec(8, 8), "tile.create")
	b.let("y", vec(8, 8), tagged(tagged(x)))
	b.add(&ir.Eval{X: tagged(&ir.MakeTuple{Elems: []ir.Expr{tagged(x)}})})
	b.loop("i", "r", index(), ir.Index(0), func(_, _ *ir.Var) { b.yield(tagged(x)) })
	b.add(&ir.Return{Values: []ir.Expr{&ir.TupleGet{Tuple: tagged(x)}}})
	w := newRewrite(NewLayout(b.f), Config{}, passReuse)
	w.stripMembership()
	count := 0
	visit := func(e ir.Expr) {
		ir.EachCall(e, func(c *ir.Call) {
			if _, ok := c.Attr("pipeline_membership"); ok {
				t.Errorf("%s still has it", c.Name)
			}
			if len(c.Attrs) == 2 && c.Attrs[0].Key == "a" && c.Attrs[1].Key == "b" {
				count++
			}
		})
	}
	ir.WalkStmts(w.Fn.Body, func(s ir.Stmt) bool { stmtExprs(s, visit); return true })
	if count != 6 || w.Fn.Body.Stmts[0] != b.f.Body.Stmts[0] {
		t.Errorf("%d calls kept their other attributes, want 6; first statement shared: %v", count, w.Fn.Body.Stmts[0] == b.f.Body.Stmts[0])
	}
}
