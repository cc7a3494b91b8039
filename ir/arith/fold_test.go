package arith

import (
	"testing"

	"pypto-ls/ir"
)

func TestFold(t *testing.T) {
	for _, c := range [...]struct{ in, want string }{
		// Spec 02 §4.3.
		{"min(max(i, 16) - 16, 16)", "min(max(i - 16, 0), 16)"},
		{"min(max(20, i) - i, 16)", "min(max(20 - i, 0), 16)"},
		{"max(100, 96) - 96", "4"},
		{"max(n, i) - i", "max(n - i, 0)"},
		// What the reference prints for expressions of real kernels.
		{"min(16, t - r)", "min(t - r, 16)"},
		{"(t + 8 - 1) // 8", "(t + 7) // 8"},
		{"(t + 16 - 1) // 16 * 16", "(t + 15) // 16 * 16"},
		{"384 + h", "h + 384"},
		{"4 * t", "t * 4"},
		{"g // 1", "g"},
		{"g - k * 1", "g - k"},
		{"k * 8 + q * 8", "(k + q) * 8"},
		{"b * 8 * 64", "b * 512"},
		{"t * 4 * 5 * 16", "t * 320"},
		{"(c - p + 2 - 1) // 2", "(c - p + 1) // 2"},
		{"min(max(128 - i, 0), 128)", "max(128 - i, 0)"},
		{"(m + 8) // 8 * 256 + r", "m // 8 * 256 + r + 256"},
		{"(m + 8) % 8 * 512", "m % 8 * 512"},
		{"(m + 10) // 8 * 256 + r", "(m + 10) // 8 * 256 + r"},
		{"base + b * 16", "base + b * 16"},
		{"m * 1024 + g * 128 + 7 * 16", "m * 1024 + g * 128 + 112"},
		{"(f * 8 + g) * 4096", "(f * 8 + g) * 4096"},
		{"p - m * 8", "p - m * 8"},
		{"0 * local + 0 + r", "r"},
		// Constants.
		{"2 + 3 * 4", "14"}, {"-7 // 2", "-4"}, {"-7 % 2", "1"}, {"7 % -2", "-1"}, {"min(3, 5)", "3"}, {"max(3, 5)", "5"},
		{"n // 0", "n // 0"}, {"5 % 0", "5 % 0"},
		// Sums.
		{"n + 0", "n"}, {"n - 0", "n"}, {"n - n", "0"}, {"n + n", "n * 2"}, {"n - 3 + 5", "n - 3 + 5"}, {"n + 3 - 5", "n - 2"},
		{"5 - n + 2", "7 - n"}, {"n + (m + 3)", "n + m + 3"}, {"n - (m + 3)", "n - m - 3"}, {"n - (m - 3)", "n - m + 3"},
		{"n + 3 - m", "n - m + 3"}, {"n + (4 - m)", "n - m + 4"}, {"n - m + m", "n"}, {"n + (m - n)", "m"}, {"n + m - m", "n"},
		{"n + m - n", "m"}, {"n - (n - m)", "m"}, {"n - (m - k)", "n + k - m"}, {"n * 3 - n", "n * 2"}, {"n + n * 3", "n * 4"},
		{"n // 8 * 8 + n % 8", "n"},
		// Products.
		{"n * 0", "0"}, {"n * 1", "n"}, {"(n + 3) * 4", "n * 4 + 12"}, {"(n - 3) * 4", "(n - 3) * 4"}, {"(n + 10) % 8", "(n + 2) % 8"}, {"n * 4 * m", "n * m * 4"},
		{"n * (m * 4)", "n * m * 4"},
		// Quotients and remainders.
		{"n // 4 // 8", "n // 32"}, {"n * 8 // 4", "n * 2"}, {"n * 4 // 8", "n // 2"}, {"(n * 8 + m) // 4", "n * 2 + m // 4"},
		{"(m + n * 8) // 4", "m // 4 + n * 2"}, {"(n * 4 + m % 4) // 8", "n // 2"}, {"n % 4 // 4", "0"}, {"n % 4 % 8", "n % 4"},
		{"n * 8 % 4", "0"}, {"(n * 8 + m) % 4", "m % 4"}, {"n % 12 % 4", "n % 4"}, {"n % 1", "0"}, {"s // 4", "s // 4"},
		// Order.
		{"min(n, n + 1)", "n"}, {"max(n, n + 1)", "n + 1"}, {"min(n, 0)", "0"}, {"max(n, 0)", "n"}, {"max(s, 0)", "max(s, 0)"},
		{"min(min(n, 16), 8)", "min(n, 8)"}, {"min(max(n, m), m)", "m"}, {"max(min(n, m), m)", "m"}, {"min(n, m) - n", "min(m - n, 0)"},
		{"n - min(n, m)", "max(n - m, 0)"}, {"n - max(n, m)", "min(n - m, 0)"}, {"max(n, i + 4) - (i + 4)", "max(n - i - 4, 0)"},
		// Comparisons.
		{"n > 2", "2 < n"}, {"n >= 0", "true"}, {"n < 0", "false"}, {"n == n + 1", "false"}, {"n != n + 1", "true"}, {"n == m", "n == m"},
		{"n + 1 <= n", "false"},
		// Nothing wraps around.
		{"9223372036854775807 + 1", "9223372036854775807 + 1"},
		{"n * 9223372036854775807 * 2", "n * 9223372036854775807 * 2"},
	} {
		vs := vars{}
		e := vs.parse(t, c.in)
		got := Fold(e)
		if show(got) != c.want {
			t.Errorf("%s folds to %s, want %s", c.in, show(got), c.want)
		}
		if again := Fold(got); show(again) != show(got) {
			t.Errorf("%s: folding twice gives %s, then %s", c.in, show(got), show(again))
		}
	}
}

func TestFoldKeepsNodes(t *testing.T) {
	vs := vars{}
	for _, s := range [...]string{"n", "n + 1", "min(n - m, 16)", "n // 8 * 8"} {
		e := vs.parse(t, s)
		if Fold(e) != e {
			t.Errorf("%s does not change and must stay the same node", s)
		}
	}
	call := &ir.Call{Name: "tensor.dim", Type: &ir.ScalarType{DType: ir.INDEX}}
	if Fold(call) != ir.Expr(call) {
		t.Error("a call is opaque")
	}
	float := &ir.Binary{Op: ir.Add, X: &ir.ConstFloat{Value: 1, DType: ir.FP32}, Y: &ir.ConstFloat{Value: 2, DType: ir.FP32}, DType: ir.FP32}
	if Fold(float) != ir.Expr(float) {
		t.Error("floating point arithmetic is not folded")
	}
}

func TestMinMax(t *testing.T) {
	vs := vars{}
	n, sixteen := vs.get("n"), ir.Index(16)
	if got := Min(n, n); got != ir.Expr(n) {
		t.Errorf("min(n, n) is %s", show(got))
	}
	if got := show(Min(sixteen, n)); got != "min(n, 16)" {
		t.Errorf("min(16, n) is %s", got)
	}
	if got := show(Max(n, ir.Index(0))); got != "n" {
		t.Errorf("max(n, 0) is %s", got)
	}
	if got := show(Sub(Add(n, sixteen), Mul(ir.Index(2), ir.Index(8)))); got != "n" {
		t.Errorf("n + 16 - 2*8 is %s", got)
	}
}

// TestHostile: huge and deeply nested expressions come back quickly.
func TestHostile(t *testing.T) {
	vs := vars{}
	var deep, wide ir.Expr = vs.get("n"), vs.get("n")
	for i := range 100_000 {
		deep = makeBinary(ir.Min, makeBinary(ir.Max, deep, vs.get("m")), ir.Index(int64(i)))
	}
	if Fold(deep) != deep {
		t.Error("an expression beyond the limits must come back as it is")
	}
	if ProveLessEqual(deep, wide) != Unknown || ProveEqual(deep, wide) != Unknown {
		t.Error("nothing is known about an expression beyond the limits")
	}
	for range 60 { // 2^60 nodes as a tree
		wide = makeBinary(ir.Add, wide, wide)
	}
	if Fold(wide) != wide {
		t.Error("an expression beyond the limits must come back as it is")
	}
	var mm ir.Expr = vs.get("n")
	for i := range 40 {
		mm = makeBinary(ir.Add, makeBinary(ir.Min, mm, vs.get(string(rune('A'+i)))), makeBinary(ir.Max, vs.get("k"), vs.get(string(rune('A'+i)))))
	}
	ProveLessEqual(mm, Fold(mm))
}

func BenchmarkFold(b *testing.B) {
	vs := vars{}
	e := vs.parse(&testing.T{}, "min(max(20, i) - i, 16)")
	for b.Loop() {
		Fold(e)
	}
}
