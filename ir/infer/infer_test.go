package infer

import (
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

func tileVar(name string, shape []ir.Expr, d ir.DType, s platforms.Space) *ir.Var {
	return &ir.Var{Name: name, Type: ir.NewTileType(shape, d, nil, s)}
}

func TestProblems(t *testing.T) {
	a := tileVar("a", dims(16, 64), ir.FP32, platforms.Vec)
	unknown := &ir.Var{Name: "q", Type: ir.Unknown}
	for _, c := range []struct {
		op     string
		args   []ir.Expr
		kwargs []ir.Kwarg
		want   Problem
	}{
		{"tile.aiv_shard", []ir.Expr{a}, nil, Problem{Operand: -1, Text: "tile.aiv_shard requires a 'split' attr (0 = NONE/no split axis, 1 = UP_DOWN/axis0, 2 = LEFT_RIGHT/axis1)"}},
		{"tile.row_sum", []ir.Expr{a, ir.Index(1)}, nil, Problem{Operand: 1, Text: "The operator tile.row_sum requires tmp_tile to be a TileType, but got ScalarType"}},
		{"tile.create", []ir.Expr{&ir.MakeTuple{Elems: dims(4)}}, nil, Problem{Operand: -1, Text: "Missing kwarg: dtype", Located: true}},
		{"tile.load", nil, []ir.Kwarg{{Key: "target_memory", Value: int64(1)}}, Problem{Kind: TypeError, Operand: -1, Text: "Kwarg 'target_memory' for operator 'tile.load' expects MemorySpace, but got incompatible type"}},
		{"tile.add", []ir.Expr{a, unknown}, nil, Problem{Kind: Degraded, Operand: -1, Text: "the type of an operand is not known"}},
		{"pld.tensor.window", nil, nil, Problem{Kind: Degraded, Operand: -1, Text: "the result type of pld.tensor.window is not modelled"}},
		{"builtin.tensor.barrier", nil, nil, Problem{Operand: -1, Text: "Operator 'builtin.tensor.barrier' is internal-only and cannot be created from user-facing op creation paths"}},
	} {
		got, p := Infer(ops.Lookup(c.op), c.args, c.kwargs, Env{})
		if p == nil || *p != c.want || got != ir.Type(ir.Unknown) {
			t.Errorf("%s: type %v, problem %+v, want %+v", c.op, got, p, c.want)
		}
	}
}

func TestNotFound(t *testing.T) {
	if got := NotFound("tile.nonesuch"); got != "Operator 'tile.nonesuch' not found in registry" {
		t.Errorf("got %q", got)
	}
	if got := NotFound("kernel"); !strings.HasPrefix(got, "Operator 'kernel' not found in registry. This looks like a function name (GlobalVar)") {
		t.Errorf("got %q", got)
	}
}

// TestEnv: the current type of a variable may differ from the one it carries.
func TestEnv(t *testing.T) {
	a := tileVar("a", dims(16, 64), ir.FP32, platforms.Vec)
	env := Env{VarType: func(*ir.Var) ir.Type { return ir.NewTileType(dims(8, 8), ir.FP16, nil, platforms.Vec) }}
	got, p := Infer(ops.Lookup("tile.exp"), []ir.Expr{a}, nil, env)
	if p != nil || !ir.TypeEqual(got, ir.NewTileType(dims(8, 8), ir.FP16, nil, platforms.Vec)) {
		t.Errorf("got %+v, %+v", got, p)
	}
}

// TestModelled lists the operators whose result type is not inferred.
func TestModelled(t *testing.T) {
	for _, op := range ops.All() {
		switch prefix, _, _ := strings.Cut(op.Name, "."); prefix {
		case "tile", "system", "array", "tensor":
			if !Modelled(op) {
				t.Errorf("%s is not modelled", op.Name)
			}
		}
	}
}

func TestExprType(t *testing.T) {
	tuple := &ir.Var{Name: "t", Type: &ir.TupleType{Elems: []ir.Type{scalarOf(ir.INT32), scalarOf(ir.FP32)}}}
	for _, c := range []struct {
		e    ir.Expr
		want ir.Type
	}{
		{ir.Index(4), scalarOf(ir.INDEX)},
		{&ir.ConstFloat{Value: 1, DType: ir.FP16}, scalarOf(ir.FP16)},
		{&ir.ConstBool{}, scalarOf(ir.BOOL)},
		{&ir.Binary{Op: ir.Lt, X: ir.Index(1), Y: ir.Index(2), DType: ir.BOOL}, scalarOf(ir.BOOL)},
		{&ir.Unary{Op: ir.Cast, X: ir.Index(1), DType: ir.INT8}, scalarOf(ir.INT8)},
		{&ir.TupleGet{Tuple: tuple, Index: 1}, scalarOf(ir.FP32)},
		{&ir.TupleGet{Tuple: tuple, Index: 2}, ir.Unknown},
		{&ir.MakeTuple{Elems: []ir.Expr{ir.Index(1)}}, &ir.TupleType{Elems: []ir.Type{scalarOf(ir.INDEX)}}},
		{&ir.Call{Name: "f"}, ir.Unknown},
		{&ir.Var{Name: "x"}, ir.Unknown},
		{nil, ir.Unknown},
	} {
		if got := ExprType(c.e); !ir.TypeEqual(got, c.want) {
			t.Errorf("%#v has type %#v, want %#v", c.e, got, c.want)
		}
	}
}

func TestTypeClass(t *testing.T) {
	for want, typ := range map[string]ir.Type{"ScalarType": scalarOf(ir.FP32), "TileType": &ir.TileType{}, "TensorType": &ir.TensorType{}, "DistributedTensorType": &ir.TensorType{Distributed: true},
		"ArrayType": &ir.ArrayType{}, "TupleType": &ir.TupleType{}, "PtrType": &ir.PtrType{}, "AsyncEventType": &ir.MarkerType{Name: "pl.AsyncEvent"}, "CommCtxType": &ir.MarkerType{Name: "pld.CommCtxType"}, "UnknownType": ir.Unknown} {
		if got := TypeClass(typ); got != want {
			t.Errorf("%#v is a %s, want %s", typ, got, want)
		}
	}
}

// FuzzInfer: whatever the operands, inference gives a type or a problem and
// never panics.
func FuzzInfer(f *testing.F) {
	f.Add(uint16(1), []byte{0, 1, 2, 3}, []byte{1, 2})
	f.Add(uint16(60), []byte{9, 20, 21, 22}, []byte{})
	pool := fuzzPool()
	all := ops.All()
	f.Fuzz(func(t *testing.T, which uint16, args, kwargs []byte) {
		op := all[int(which)%len(all)]
		var list []ir.Expr
		for _, b := range args[:min(len(args), 10)] {
			list = append(list, pool[int(b)%len(pool)])
		}
		var kw []ir.Kwarg
		values := [...]any{int64(0), int64(1), int64(-1), int64(7), true, "x", 1.5, ir.FP16, ir.INT32, ir.FP4, platforms.Mat, platforms.Vec, platforms.Acc,
			platforms.Left, platforms.LeftScale, ir.RowMajor, ir.PadZero, ir.LayoutDN, ir.Enum("pl.X"), ir.Verbatim("None"), ir.Expr(ir.Index(1))}
		for i, b := range kwargs[:min(len(kwargs), len(op.Kwargs))] {
			kw = append(kw, ir.Kwarg{Key: op.Kwargs[i].Name, Value: values[int(b)%len(values)]})
		}
		got, p := Infer(op, list, kw, Env{})
		switch {
		case got == nil:
			t.Fatalf("%s: no type, problem %+v", op.Name, p)
		case p != nil && (p.Text == "" || got != ir.Type(ir.Unknown)):
			t.Fatalf("%s: type %#v with problem %+v", op.Name, got, p)
		case p != nil && strings.Contains(p.Text, "?") && p.Kind != Degraded:
			t.Fatalf("%s: a placeholder without value in %q", op.Name, p.Text)
		}
		types := make([]ir.Type, len(list))
		for i, e := range list {
			types[i] = ExprType(e)
		}
		Pipe(op, got, types, nil)
		Affinity(op, types, kw)
	})
}

// fuzzPool are operands of all kinds.
func fuzzPool() []ir.Expr {
	n := &ir.Var{Name: "n", Type: scalarOf(ir.INDEX)}
	pool := []ir.Expr{n, ir.Index(0), ir.Index(1), ir.Index(-1), ir.Index(64), &ir.ConstInt{Value: 1 << 62, DType: ir.INT64}, &ir.ConstFloat{Value: 1, DType: ir.FP32},
		&ir.ConstBool{}, &ir.MakeTuple{}, &ir.MakeTuple{Elems: dims(16)}, &ir.MakeTuple{Elems: dims(16, 64)}, &ir.MakeTuple{Elems: dims(0, 0)},
		&ir.MakeTuple{Elems: []ir.Expr{n, ir.Index(4)}}, &ir.MakeTuple{Elems: dims(1, 16, 64)}, &ir.MakeTuple{Elems: dims(1<<62, 1<<62)}, nil,
		&ir.Var{Name: "q"}, &ir.Var{Name: "t", Type: &ir.TupleType{Elems: []ir.Type{scalarOf(ir.INDEX), scalarOf(ir.INDEX)}}}, &ir.Var{Name: "p", Type: &ir.PtrType{}},
		&ir.Var{Name: "arr", Type: &ir.ArrayType{Extent: 4, DType: ir.INT32}}, &ir.Var{Name: "k", Type: scalarOf(ir.INT32)}, &ir.Var{Name: "f", Type: scalarOf(ir.FP32)}}
	shapes := [][]ir.Expr{dims(16, 64), dims(16, 1), dims(1, 64), dims(64), dims(2, 16, 64), {n, ir.Index(64)}, nil, dims(0, 4)}
	for _, s := range shapes {
		for i, d := range [...]ir.DType{ir.FP32, ir.FP16, ir.INT32, ir.UINT8, ir.FP4, ir.FP8E8M0, ir.FP8E4M3FN} {
			space := [...]platforms.Space{platforms.NoSpace, platforms.Vec, platforms.Mat, platforms.Left, platforms.Right, platforms.Acc, platforms.LeftScale}[i]
			pool = append(pool, tileVar("a", s, d, space), &ir.Var{Name: "x", Type: ir.NewTensorType(s, d, nil, i == 3)})
			v := *ir.ImplicitView(s, space)
			v.ValidShape = []ir.Expr{n, ir.Index(4)}
			pool = append(pool, &ir.Var{Name: "v", Type: ir.NewTileType(s, d, &v, space)},
				&ir.Var{Name: "y", Type: ir.NewTensorType(s, d, &ir.TensorView{ValidShape: v.ValidShape, Layout: ir.TensorLayout(i % 5)}, false)})
		}
	}
	return pool
}

func BenchmarkAdd(b *testing.B) {
	op, args := ops.Lookup("tile.add"), []ir.Expr{tileVar("a", dims(16, 64), ir.FP32, platforms.Vec), tileVar("b", dims(16, 64), ir.FP32, platforms.Vec)}
	b.ReportAllocs()
	for b.Loop() {
		Infer(op, args, nil, Env{})
	}
}

func BenchmarkLoad(b *testing.B) {
	x := &ir.Var{Name: "x", Type: ir.NewTensorType(dims(1024, 64), ir.FP32, nil, false)}
	i := &ir.Var{Name: "i", Type: scalarOf(ir.INDEX)}
	op := ops.Lookup("tile.load")
	args := []ir.Expr{x, &ir.MakeTuple{Elems: []ir.Expr{i, ir.Index(0)}}, &ir.MakeTuple{Elems: dims(16, 64)}, &ir.MakeTuple{Elems: dims(16, 64)}}
	kw := []ir.Kwarg{{Key: "target_memory", Value: platforms.Vec}}
	b.ReportAllocs()
	for b.Loop() {
		Infer(op, args, kw, Env{})
	}
}
