package ir

import (
	"testing"

	"pypto-ls/platforms"
)

func dims(v ...int64) []Expr {
	l := make([]Expr, len(v))
	for i := range v {
		l[i] = Index(v[i])
	}
	return l
}

// TestImplicitView holds the table of spec 02 §3.3 against shapes whose block
// layout is row-major ([16, 64]) and column-major ([16, 1]).
func TestImplicitView(t *testing.T) {
	type row struct {
		b, s    TileLayout
		fractal int
	}
	flat := func(b TileLayout) row { return row{b, NoneBox, 512} }
	for _, c := range []struct {
		space    Space
		row, col row
	}{
		{platforms.NoSpace, flat(RowMajor), flat(ColMajor)},
		{platforms.DDR, flat(RowMajor), flat(ColMajor)},
		{platforms.Vec, flat(RowMajor), flat(ColMajor)},
		{platforms.Bias, flat(RowMajor), flat(ColMajor)},
		{platforms.ScalarLocal, flat(RowMajor), flat(ColMajor)},
		{platforms.Mat, row{ColMajor, RowMajor, 512}, row{ColMajor, RowMajor, 512}},
		{platforms.Left, row{ColMajor, RowMajor, 512}, row{ColMajor, RowMajor, 512}},
		{platforms.Right, row{RowMajor, ColMajor, 512}, row{ColMajor, ColMajor, 512}},
		{platforms.Acc, row{ColMajor, RowMajor, 1024}, row{ColMajor, RowMajor, 1024}},
		{platforms.LeftScale, row{RowMajor, RowMajor, 32}, row{RowMajor, RowMajor, 32}},
		{platforms.RightScale, row{ColMajor, ColMajor, 32}, row{ColMajor, ColMajor, 32}},
	} {
		for _, v := range []struct {
			shape []Expr
			want  row
		}{{dims(16, 64), c.row}, {dims(16, 1), c.col}} {
			got := ImplicitView(v.shape, c.space)
			if (row{got.BLayout, got.SLayout, got.Fractal}) != v.want || len(got.ValidShape) > 0 {
				t.Errorf("%v: %+v, want %+v", c.space, got, v.want)
			}
		}
	}
}

func TestShapeBLayout(t *testing.T) {
	n := &Var{Name: "n", Type: &ScalarType{INDEX}}
	for _, c := range []struct {
		shape []Expr
		want  TileLayout
	}{
		{dims(16, 1), ColMajor}, {dims(1, 1), RowMajor}, {dims(16, 2), RowMajor}, {dims(2, 16, 1), RowMajor},
		{dims(16), RowMajor}, {[]Expr{n, Index(1)}, RowMajor}, {[]Expr{Index(16), n}, RowMajor}, {nil, RowMajor},
	} {
		if got := ShapeBLayout(c.shape); got != c.want {
			t.Errorf("shape of rank %d: %v, want %v", len(c.shape), got, c.want)
		}
	}
}

// TestCanonical follows spec 02 §3.4.
func TestCanonical(t *testing.T) {
	shape := dims(64, 64)
	flat := &TileView{BLayout: RowMajor, SLayout: NoneBox, Fractal: 512}
	full := *flat
	full.ValidShape = dims(64, 64)
	partial := *flat
	partial.ValidShape = dims(4, 64)
	padded := *flat
	padded.Pad = PadZero

	if v := NewTileType(shape, FP32, &full, platforms.Vec).View; v != nil {
		t.Errorf("a flat, fully valid view in Vec says nothing, got %+v", v)
	}
	if v := NewTileType(shape, FP32, &full, platforms.Mat).View; v == nil || v.ValidShape != nil || v.BLayout != RowMajor {
		t.Errorf("a flat view in Mat differs from NZ and must stay, without the valid shape: %+v", v)
	}
	if full.ValidShape == nil {
		t.Error("the view passed in was changed")
	}
	if v := NewTileType(shape, FP32, &partial, platforms.Vec).View; v == nil || len(v.ValidShape) != 2 {
		t.Errorf("a partial valid shape must stay: %+v", v)
	}
	if v := NewTileType(shape, FP32, &padded, platforms.Vec).View; v == nil {
		t.Error("a pad must stay")
	}
	// Two steps: a flat view vanishes without a space, and the type then takes
	// the implicit layout of Mat.
	two := WithSpace(NewTileType(shape, BF16, &full, platforms.NoSpace), platforms.Mat)
	if e := EffectiveView(two); two.View != nil || e.BLayout != ColMajor || e.SLayout != RowMajor || len(e.ValidShape) != 2 {
		t.Errorf("second step: view %+v, effective %+v", two.View, e)
	}
	// A row-major view on [16, 1] differs from the space-less implicit one, so it
	// survives the first step and, in Vec, the second.
	col := NewTileType(dims(16, 1), FP32, flat, platforms.NoSpace)
	if col.View == nil || WithSpace(col, platforms.Vec).View == nil {
		t.Error("row_major on [16, 1] must stay explicit")
	}
}

func TestWithSpaceKeepsMemRef(t *testing.T) {
	a := NewTileType(dims(16, 16), FP32, nil, platforms.NoSpace)
	a.MemRef = &MemRef{Size: 1024}
	b := WithSpace(a, platforms.Acc)
	if b.MemRef != a.MemRef || a.Space != platforms.NoSpace || WithSpace(b, platforms.Acc) != b {
		t.Errorf("got %+v", b)
	}
}

func TestValidShape(t *testing.T) {
	n := &Var{Name: "n", Type: &ScalarType{INDEX}}
	part := NewTileType(dims(16, 64), FP32, &TileView{ValidShape: []Expr{n, Index(64)}, BLayout: RowMajor, SLayout: NoneBox, Fractal: 512}, platforms.Vec)
	if v := ValidShape(part); len(v) != 2 || v[0] != n || IsFullyValid(part) {
		t.Errorf("partial tile: %v", v)
	}
	full := NewTileType(dims(16, 64), FP32, nil, platforms.Vec)
	if !ExprsEqual(ValidShape(full), full.Shape) || !IsFullyValid(full) {
		t.Error("a tile without view is fully valid")
	}
	if ValidShape(&ScalarType{FP32}) != nil || IsFullyValid(&ScalarType{FP32}) {
		t.Error("a scalar has no valid shape")
	}
}

func TestNewTensorType(t *testing.T) {
	if v := NewTensorType(dims(8), FP32, &TensorView{ValidShape: dims(8)}, false).View; v != nil {
		t.Errorf("a trivial tensor view must vanish: %+v", v)
	}
	for _, v := range []*TensorView{{Layout: LayoutDN}, {Stride: dims(1)}, {Pad: PadMin}, {ValidShape: dims(4)}} {
		if NewTensorType(dims(8), FP32, v, false).View == nil {
			t.Errorf("view %+v must stay", v)
		}
	}
}

func TestExprEqual(t *testing.T) {
	n, m := &Var{Name: "n"}, &Var{Name: "n"}
	add := func(a, b Expr) Expr { return &Binary{Op: Add, X: a, Y: b, DType: INDEX} }
	call := func(name string, args ...Expr) Expr { return &Call{Name: name, Args: args} }
	cast := &Unary{Op: Cast, X: n, DType: INT32}
	for _, c := range []struct {
		a, b Expr
		want bool
	}{
		{Index(4), &ConstInt{4, INT64}, true},
		{Index(4), Index(5), false},
		{n, n, true},
		{n, m, false}, // same name, different variables
		{add(n, Index(1)), add(n, Index(1)), true},
		{add(n, Index(1)), add(Index(1), n), false},
		{add(n, Index(1)), &Binary{Op: Sub, X: n, Y: Index(1)}, false},
		{call("tensor.dim", n, Index(0)), call("tensor.dim", n, Index(0)), true},
		{call("tensor.dim", n, Index(0)), call("tensor.dim", n, Index(1)), false},
		{cast, cast, true},
		{cast, &Unary{Op: Cast, X: n, DType: INT32}, false},
		{&ConstFloat{1, FP32}, &ConstFloat{1, FP32}, false},
		{Index(4), &ConstFloat{4, FP32}, false},
	} {
		if got := ExprEqual(c.a, c.b); got != c.want {
			t.Errorf("ExprEqual(%#v, %#v) = %v", c.a, c.b, got)
		}
	}
}

func TestTypeEqual(t *testing.T) {
	a := NewTileType(dims(16, 64), FP32, nil, platforms.Vec)
	b := NewTileType(dims(16, 64), FP32, nil, platforms.Vec)
	b.MemRef = &MemRef{Size: 4096}
	if !TypeEqual(a, b) {
		t.Error("MemRefs do not count")
	}
	differ := []Type{
		NewTileType(dims(16, 64), FP32, nil, platforms.Mat), NewTileType(dims(16, 64), FP16, nil, platforms.Vec),
		NewTileType(dims(64, 16), FP32, nil, platforms.Vec), NewTileType(dims(16, 64), FP32, &TileView{ValidShape: dims(4, 64), BLayout: RowMajor, Fractal: 512}, platforms.Vec),
		NewTensorType(dims(16, 64), FP32, nil, false), &ScalarType{FP32}, &ArrayType{4, INT32}, &TupleType{[]Type{a}}, &PtrType{}, &MarkerType{"x"}, Unknown, nil,
	}
	for i, x := range differ {
		for j, y := range differ {
			if TypeEqual(x, y) != (i == j) {
				t.Errorf("TypeEqual(%#v, %#v) = %v", x, y, i != j)
			}
		}
		if TypeEqual(a, x) {
			t.Errorf("TypeEqual(a, %#v)", x)
		}
	}
}

func TestBoxAlignment(t *testing.T) {
	// Spec 02 §3.3: FP16 has 16 storage bits, 256/16 = 16; FP32 8; INT8 32; FP4 64.
	for _, c := range []struct {
		v          TileView
		d          DType
		rows, cols int
	}{
		{TileView{SLayout: RowMajor, Fractal: 512}, FP16, 16, 16},
		{TileView{SLayout: RowMajor, Fractal: 512}, FP32, 16, 8},
		{TileView{SLayout: ColMajor, Fractal: 512}, INT8, 32, 16},
		{TileView{SLayout: RowMajor, Fractal: 512}, FP4, 16, 64},
		{TileView{SLayout: RowMajor, Fractal: 1024}, FP32, 16, 16},
		{TileView{SLayout: RowMajor, Fractal: 32}, FP8E8M0, 16, 2},
		{TileView{SLayout: ColMajor, Fractal: 32}, FP8E8M0, 2, 16},
		{TileView{SLayout: NoneBox, Fractal: 512}, FP16, 0, 0},
		{TileView{SLayout: RowMajor, Fractal: 256}, FP16, 0, 0},
		{TileView{SLayout: RowMajor, Fractal: 512}, NoDType, 0, 0},
	} {
		rows, cols, ok := BoxAlignment(&c.v, c.d)
		if rows != c.rows || cols != c.cols || ok != (c.rows > 0) {
			t.Errorf("%+v %v: %d x %d %v, want %d x %d", c.v, c.d, rows, cols, ok, c.rows, c.cols)
		}
	}
}

func TestCheckShaped(t *testing.T) {
	for _, c := range []struct {
		shape []Expr
		d     DType
		want  string
	}{
		{dims(8, 15), FP32, ""},
		{dims(8, 16), FP4, ""},
		{dims(8, 15), FP4, "Packed FP4 shaped types require a positive even logical last dimension, but got 15"},
		{nil, FP4, "Packed FP4 shaped types must have rank >= 1"},
		{[]Expr{&Var{Name: "n"}}, FP4, ""},
	} {
		if got := CheckShaped(c.shape, c.d); got != c.want {
			t.Errorf("CheckShaped = %q, want %q", got, c.want)
		}
	}
}
