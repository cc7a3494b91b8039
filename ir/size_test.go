package ir

import (
	"math"
	"testing"

	"pypto-ls/platforms"
)

func TestAllocBytes(t *testing.T) {
	b, _ := platforms.Lookup("Ascend910B")
	a5, _ := platforms.Lookup("Ascend950")
	n := &Var{Name: "n", Type: &ScalarType{INDEX}}
	for _, c := range []struct {
		name  string
		shape []Expr
		d     DType
		space Space
		p     *platforms.Platform
		want  uint64 // 0: undefined
	}{
		// Spec 03 §5.2, examples.
		{"plain", dims(64, 64), FP32, platforms.Vec, b, 16384},
		{"packed FP4", dims(8, 16), FP4, platforms.Vec, b, 64},
		{"BOOL takes a byte", dims(3, 5), BOOL, platforms.Vec, b, 15},
		{"odd number of nibbles", dims(3, 5), INT4, platforms.Vec, b, 8},
		// 16 rows become 32: 32·128·4 = 16384.
		{"Acc INT32 on Ascend910B", dims(16, 128), INT32, platforms.Acc, b, 16384},
		{"Acc INT32 without backend", dims(16, 128), INT32, platforms.Acc, nil, 16384},
		{"Acc INT32 on Ascend950", dims(16, 128), INT32, platforms.Acc, a5, 8192},
		{"Acc FP32", dims(176, 176), FP32, platforms.Acc, b, 123904},
		// Spec 02 §13.6: 20 rows become 32 on both.
		{"Acc 20 rows", dims(20, 16), INT32, platforms.Acc, a5, 2048},
		// 3 batches of 32 (from 17) rows of 8: 3·32·8·4 = 3072.
		{"Acc rank 3", dims(3, 17, 8), FP32, platforms.Acc, b, 3072},
		{"Acc rank 1", dims(16), FP32, platforms.Acc, b, 0},
		{"rank 0 counts as one element", nil, FP32, platforms.Vec, b, 4},
		{"dynamic", []Expr{n, Index(4)}, FP32, platforms.Vec, b, 0},
		{"zero", dims(0, 4), FP32, platforms.Vec, b, 0},
		{"negative", dims(-1, 4), FP32, platforms.Acc, b, 0},
		{"no dtype", dims(4), NoDType, platforms.Vec, b, 0},
		{"overflow of the product", dims(math.MaxInt64, math.MaxInt64), INT8, platforms.Vec, b, 0},
		// 2^61 elements of 8 bits are 2^64 bits.
		{"overflow of the bits", dims(1 << 61), INT8, platforms.Vec, b, 0},
		{"largest", dims(1 << 60), INT8, platforms.Vec, b, 1 << 60},
		{"overflow in Acc", dims(math.MaxInt64, 16), FP32, platforms.Acc, b, 0},
	} {
		got, ok := AllocBytes(c.shape, c.d, c.space, c.p)
		if !ok {
			got = 0
		}
		if got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: %d %v, want %d", c.name, got, ok, c.want)
		}
	}
}

func TestSliceSpan(t *testing.T) {
	n := &Var{Name: "n", Type: &ScalarType{INDEX}}
	for _, c := range []struct {
		name           string
		parent, window []Expr
		d              DType
		want           uint64 // 0: undefined
	}{
		// One whole row of 64: 1 + 63 = 64 elements.
		{"row", dims(64, 64), dims(1, 64), FP32, 256},
		// 1 + 15·128 + 31 = 1952 elements.
		{"block", dims(64, 128), dims(16, 32), FP32, 7808},
		{"whole", dims(64, 64), dims(64, 64), FP32, 16384},
		{"FP4", dims(8, 16), dims(1, 16), FP4, 8},
		{"rank 3", dims(2, 3, 4), dims(2, 1, 1), INT8, 13}, // 1 + 1·12
		{"too large", dims(64, 64), dims(65, 64), FP32, 0},
		{"rank", dims(64, 64), dims(64), FP32, 0},
		{"dynamic", dims(64, 64), []Expr{n, Index(64)}, FP32, 0},
		{"dynamic parent", []Expr{n, Index(64)}, dims(1, 64), FP32, 0},
		{"zero", dims(64, 64), dims(0, 64), FP32, 0},
		{"overflow", dims(4, 1<<62, 1<<62), dims(2, 1, 1), FP32, 0},
	} {
		got, ok := SliceSpan(c.parent, c.window, c.d)
		if !ok {
			got = 0
		}
		if got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: %d %v, want %d", c.name, got, ok, c.want)
		}
	}
}
