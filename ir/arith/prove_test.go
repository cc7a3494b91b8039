package arith

import (
	"testing"

	"pypto-ls/ir"
)

func TestProve(t *testing.T) {
	for _, c := range [...]struct {
		a, b      string
		equal, le Truth
	}{
		{"4", "4", True, True}, {"4", "5", False, True}, {"5", "4", False, False},
		// Spec 02 §3.5: an INDEX variable is at least 0, others are unbounded.
		{"0", "i", Unknown, True}, {"0", "s", Unknown, Unknown}, {"min(n, 16)", "16", Unknown, True}, {"n", "16", Unknown, Unknown},
		{"i + 1", "0", False, False}, {"i", "-1", False, False},
		{"n + 1", "n", False, False}, {"n", "n + 1", False, True}, {"n + m", "m + n", True, True},
		{"(n + 1) * 4", "n * 4 + 4", True, True}, {"n * 8 // 4", "n * 2", True, True},
		{"min(n, m)", "n", Unknown, True}, {"n", "max(n, m)", Unknown, True}, {"max(n, m)", "n + m", Unknown, True},
		{"min(n, m)", "max(n, m)", Unknown, True}, {"min(n, m)", "min(m, n)", True, True},
		{"n % 16", "15", Unknown, True}, {"16", "n % 16", False, False},
		{"i + 16", "16", Unknown, Unknown}, {"16", "i + 16", Unknown, True}, {"112", "i + 16", Unknown, Unknown},
		{"96 + 16", "100", False, False},
		// The same signedness is asked for, even of constants.
		{"4u", "4", Unknown, Unknown}, {"u", "u", True, True}, {"u", "n", Unknown, Unknown}, {"s", "i + s", Unknown, True},
		{"9223372036854775807 + n", "n - 1", Unknown, Unknown},
	} {
		vs := vars{}
		a, b := vs.parse(t, c.a), vs.parse(t, c.b)
		if got := ProveEqual(a, b); got != c.equal {
			t.Errorf("%s = %s is %v, want %v", c.a, c.b, got, c.equal)
		}
		if got := ProveLessEqual(a, b); got != c.le {
			t.Errorf("%s <= %s is %v, want %v", c.a, c.b, got, c.le)
		}
	}
}

func TestDimensionsEqual(t *testing.T) {
	vs := vars{}
	n := vs.get("n")
	for _, c := range [...]struct {
		a, b ir.Expr
		want bool
	}{
		{n, n, true}, {n, vs.get("m"), false}, {ir.Index(4), vs.parse(t, "4u"), true}, {ir.Index(4), ir.Index(5), false},
		{vs.parse(t, "n + 1 - 1"), n, true}, {n, ir.Index(4), false},
		{&ir.ConstFloat{Value: 4}, ir.Index(4), false},
	} {
		if got := DimensionsEqual(c.a, c.b); got != c.want {
			t.Errorf("DimensionsEqual(%s, %s) = %v", show(c.a), show(c.b), got)
		}
	}
}

func TestProvablyZero(t *testing.T) {
	vs := vars{}
	for s, want := range map[string]bool{"0": true, "0u": true, "n - n": true, "n": false, "min(n, 0)": true, "n * 0": true, "u - u": true} {
		if got := ProvablyZero(vs.parse(t, s)); got != want {
			t.Errorf("%s is provably 0: %v", s, got)
		}
	}
	if got := ProveEqualByValue(vs.parse(t, "4u"), ir.Index(4)); got != True {
		t.Errorf("constants compare by value: %v", got)
	}
	if got := ProveEqualByValue(vs.parse(t, "4u"), ir.Index(5)); got != False {
		t.Errorf("constants compare by value: %v", got)
	}
}

func TestBounds(t *testing.T) {
	const lo, hi = negInf, posInf
	for _, c := range [...]struct {
		e    string
		want Interval
	}{
		{"n", Interval{0, hi}}, {"s", Everything}, {"n + 4", Interval{4, hi}}, {"4 - n", Interval{lo, 4}}, {"n * 3", Interval{0, hi}},
		{"(n - 4) * -2", Interval{lo, 8}}, {"min(n, 16)", Interval{0, 16}}, {"max(s, 3)", Interval{3, hi}}, {"n % 8", Interval{0, 7}},
		{"min(n, 3) % 8", Interval{0, 3}}, {"min(n, 100) // 16", Interval{0, 6}}, {"(min(n, 100) - 50) // 16", Interval{-4, 3}},
		{"100 // (min(n, 3) + 1)", Interval{25, 100}}, {"n // s", Everything}, {"s % 4", Interval{0, 3}}, {"n % s", Everything},
		{"n < 4", Everything}, {"s // (n + 1)", Everything}, {"9223372036854775807 + 1", Everything},
	} {
		vs := vars{}
		var g Engine
		if got := g.Bounds(vs.parse(t, c.e)); got != c.want {
			t.Errorf("%s in %v, want %v", c.e, got, c.want)
		}
	}
}

func TestCastBounds(t *testing.T) {
	var g Engine
	vs := vars{}
	cast := func(e ir.Expr, d ir.DType) ir.Expr { return &ir.Unary{Op: ir.Cast, X: e, DType: d} }
	for _, c := range [...]struct {
		e    ir.Expr
		want Interval
	}{
		{cast(vs.parse(t, "min(n, 100)"), ir.INT8), Interval{0, 100}},
		{cast(vs.parse(t, "min(n, 200)"), ir.INT8), Everything}, // 200 wraps around
		{cast(vs.get("w"), ir.INDEX), Interval{-1 << 31, 1<<31 - 1}},
		{cast(vs.get("u"), ir.INDEX), Interval{0, posInf}},
		{&ir.Unary{Op: ir.Neg, X: vs.get("n"), DType: ir.INDEX}, Interval{negInf, 0}},
		{&ir.Unary{Op: ir.Abs, X: vs.parse(t, "min(n, 9) - 4"), DType: ir.INDEX}, Interval{0, 5}},
	} {
		if got := g.Bounds(c.e); got != c.want {
			t.Errorf("bounds %v, want %v", got, c.want)
		}
	}
}

// TestRange: an Engine may know more about a variable.
func TestRange(t *testing.T) {
	vs := vars{}
	i := vs.get("i")
	g := Engine{Range: func(v *ir.Var) (Interval, bool) { return Interval{0, 15}, v == i }}
	if got := g.ProveLessEqual(i, ir.Index(15)); got != True {
		t.Errorf("i <= 15 is %v", got)
	}
	if got := show(g.Fold(vs.parse(t, "i // 16"))); got != "0" {
		t.Errorf("i // 16 is %s", got)
	}
	if got := g.ProveLessEqual(vs.get("n"), ir.Index(15)); got != Unknown {
		t.Errorf("n <= 15 is %v", got)
	}
}

// FuzzFold: folding keeps the value under any assignment of small numbers.
func FuzzFold(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, int64(3), int64(-5))
	f.Fuzz(func(t *testing.T, program []byte, a, b int64) {
		vs := vars{}
		i, s := vs.get("i"), vs.get("s")
		a, b = (a%64+64)%64, b%64
		e := build(program, i, s)
		want, okWant := eval(e, i, a, b)
		got, okGot := eval(Fold(e), i, a, b)
		if okWant && okGot && want != got {
			t.Fatalf("%s folds to %s; with i=%d, s=%d that is %d, want %d", show(e), show(Fold(e)), a, b, got, want)
		}
		var g Engine
		if r := g.Bounds(e); okWant && (want < r.Lo || want > r.Hi) {
			t.Fatalf("%s is %d with i=%d, s=%d, outside of %v", show(e), want, a, b, r)
		}
		zero := ir.Index(0)
		if p := ProveLessEqual(e, zero); okWant && (p == True && want > 0 || p == False && want <= 0) {
			t.Fatalf("%s <= 0 is %v, but the value is %d", show(e), p, want)
		}
		if p := ProveEqual(e, zero); okWant && (p == True && want != 0 || p == False && want == 0) {
			t.Fatalf("%s = 0 is %v, but the value is %d", show(e), p, want)
		}
	})
}

// build makes an expression from a stack program.
func build(program []byte, i, s ir.Expr) ir.Expr {
	stack := []ir.Expr{i, s, i}
	for _, op := range program[:min(len(program), 40)] {
		n := len(stack)
		switch {
		case op < 40:
			stack = append(stack, i)
		case op < 60:
			stack = append(stack, s)
		case op < 110 || n < 2:
			stack = append(stack, ir.Index(int64(op)-80))
		default:
			ops := [...]ir.BinOp{ir.Add, ir.Sub, ir.Mul, ir.FloorDiv, ir.FloorMod, ir.Min, ir.Max}
			stack = append(stack[:n-2], makeBinary(ops[int(op)%len(ops)], stack[n-2], stack[n-1]))
		}
	}
	e := stack[0]
	for _, x := range stack[1:] {
		e = makeBinary(ir.Add, e, x)
	}
	return e
}

// eval computes e; ok is false on division by zero or overflow.
func eval(e ir.Expr, i ir.Expr, a, b int64) (int64, bool) {
	switch e := e.(type) {
	case *ir.ConstInt:
		return e.Value, true
	case *ir.Var:
		if ir.Expr(e) == i {
			return a, true
		}
		return b, true
	case *ir.Binary:
		x, okX := eval(e.X, i, a, b)
		y, okY := eval(e.Y, i, a, b)
		if !okX || !okY {
			return 0, false
		}
		switch e.Op {
		case ir.Add:
			return addInt(x, y)
		case ir.Sub:
			return subInt(x, y)
		case ir.Mul:
			return mulInt(x, y)
		case ir.FloorDiv, ir.FloorMod:
			if y == 0 || x == negInf {
				return 0, false
			}
			if e.Op == ir.FloorDiv {
				return floorDiv(x, y), true
			}
			return floorMod(x, y), true
		case ir.Min:
			return min(x, y), true
		case ir.Max:
			return max(x, y), true
		}
	}
	return 0, false
}
