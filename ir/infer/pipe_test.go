package infer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

func target(t *testing.T, name string) *platforms.Platform {
	t.Helper()
	p, ok := platforms.Lookup(name)
	if !ok {
		t.Fatalf("no platform %s", name)
	}
	return p
}

func tileAt(s platforms.Space) ir.Type { return ir.NewTileType(dims(16, 16), ir.FP16, nil, s) }

// TestPipe follows spec 02 §10.1 and §10.3.
func TestPipe(t *testing.T) {
	b, a5 := target(t, "Ascend910B"), target(t, "Ascend950")
	ddr := ir.Type(ir.NewTensorType(dims(64, 64), ir.FP16, nil, false))
	vec, mat, left, right, acc, bias := tileAt(platforms.Vec), tileAt(platforms.Mat), tileAt(platforms.Left), tileAt(platforms.Right), tileAt(platforms.Acc), tileAt(platforms.Bias)
	for _, c := range []struct {
		op       string
		result   ir.Type
		args     []ir.Type
		onB, on5 platforms.Pipe
	}{
		{"tile.load", vec, []ir.Type{ddr}, platforms.MTE2, platforms.MTE2},
		{"tile.load", mat, []ir.Type{ddr}, platforms.MTE2, platforms.MTE2},
		{"tile.store", ddr, []ir.Type{vec, nil, ddr}, platforms.MTE3, platforms.MTE3},
		{"tile.store", ddr, []ir.Type{acc, nil, ddr}, platforms.PipeFI, platforms.PipeFI},
		{"tile.store", ddr, []ir.Type{mat, nil, ddr}, platforms.NoPipe, platforms.NoPipe},
		{"tile.add", vec, []ir.Type{vec, vec}, platforms.PipeV, platforms.PipeV},
		{"tile.matmul", acc, []ir.Type{left, right}, platforms.PipeM, platforms.PipeM},
		// Two sources, Left and Right: step 5b finds none, 5d gives M.
		{"tile.matmul_acc", acc, []ir.Type{acc, left, right}, platforms.PipeM, platforms.PipeM},
		{"tile.matmul_bias", acc, []ir.Type{left, right, bias}, platforms.PipeM, platforms.PipeM},
		{"tile.full", vec, nil, platforms.PipeV, platforms.PipeV},
		{"tile.read", scalarOf(ir.FP16), []ir.Type{vec}, platforms.NoPipe, platforms.NoPipe},
		{"tile.tpush_to_aic", ir.Unknown, []ir.Type{vec}, platforms.NoPipe, platforms.NoPipe},
		{"tile.extract", left, []ir.Type{mat}, platforms.MTE1, platforms.MTE1},
		{"tile.move", vec, []ir.Type{acc}, platforms.NoPipe, platforms.PipeFI},
		{"tile.move", mat, []ir.Type{vec}, platforms.NoPipe, platforms.MTE3},
		{"tile.move", vec, []ir.Type{vec}, platforms.PipeV, platforms.PipeV},
		{"tile.move", left, []ir.Type{mat}, platforms.MTE1, platforms.MTE1},
		{"tile.move", vec, nil, platforms.NoPipe, platforms.NoPipe},
		{"tile.move", vec, []ir.Type{vec, vec}, platforms.NoPipe, platforms.NoPipe},
		{"tile.slice", vec, []ir.Type{vec}, platforms.NoPipe, platforms.NoPipe}, // no execution access
		{"tile.assemble", vec, []ir.Type{vec, acc}, platforms.NoPipe, platforms.PipeFI},
		{"tile.assemble", mat, []ir.Type{mat, acc}, platforms.PipeFI, platforms.PipeFI},
		{"array.update_element", &ir.ArrayType{Extent: 4, DType: ir.INT32}, []ir.Type{&ir.ArrayType{Extent: 4, DType: ir.INT32}}, platforms.PipeS, platforms.PipeS},
		{"tile.gather_compare", &ir.TupleType{Elems: []ir.Type{vec, vec}}, []ir.Type{vec, nil, vec}, platforms.PipeV, platforms.PipeV},
		{"tile.gather_compare", &ir.TupleType{Elems: []ir.Type{vec, mat}}, []ir.Type{vec}, platforms.NoPipe, platforms.NoPipe},
		{"tile.gather_row", mat, []ir.Type{mat, ddr}, platforms.MTE2, platforms.MTE2},
	} {
		for _, p := range [2]struct {
			p    *platforms.Platform
			want platforms.Pipe
		}{{b, c.onB}, {a5, c.on5}} {
			if got := Pipe(ops.Lookup(c.op), c.result, c.args, p.p); got != p.want {
				t.Errorf("%s: %s in %v -> %v is %v, want %v", p.p.Name, c.op, spacesOf(c.args), SpaceOf(c.result), got, p.want)
			}
		}
	}
	if got := Pipe(ops.Lookup("tile.load"), vec, []ir.Type{ddr}, nil); got != platforms.NoPipe {
		t.Errorf("without a target a load has pipe %v", got)
	}
	if got := Pipe(nil, vec, []ir.Type{vec}, nil); got != platforms.PipeV {
		t.Errorf("an unregistered call within Vec has pipe %v", got)
	}
}

func spacesOf(args []ir.Type) (l []platforms.Space) {
	for _, t := range args {
		l = append(l, SpaceOf(t))
	}
	return l
}

// TestPipeData compares with what ops.json says about operators whose pipe
// does not depend on spaces.
func TestPipeData(t *testing.T) {
	for _, o := range specOps(t) {
		pipe, ok := o.Pipe["Ascend910B"].(string)
		op := ops.Lookup(o.Name)
		if !ok || o.Pipe["rule"] != "fixed" || op == nil || op.SpaceMode == ops.SpaceNone {
			continue
		}
		var args []ir.Type
		for i, a := range op.Args {
			s := platforms.Vec
			if i < len(op.InputSpaces) && len(op.InputSpaces[i]) > 0 {
				s = op.InputSpaces[i][0]
			}
			switch a.Kind {
			case "tile":
				args = append(args, tileAt(s))
			case "array":
				args = append(args, &ir.ArrayType{Extent: 4, DType: ir.INT32})
			default:
				args = append(args, nil)
			}
		}
		if got := Pipe(op, tileAt(op.Space), args, target(t, "Ascend910B")).String(); got != pipe {
			t.Errorf("%s has pipe %s, want %s", o.Name, got, pipe)
		}
	}
}

// specOp is an operator of ops.json, as far as the tests of this package read
// it.
type specOp struct {
	Name     string
	Pipe     map[string]any
	Messages []struct{ Text string }
}

type specFile struct {
	Ops    []specOp
	Shared map[string][]struct{ Text string } `json:"shared_messages"`
}

func specData(t *testing.T) (f specFile) {
	t.Helper()
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "spec", "ops.json"))
	if err != nil {
		t.Skipf("no specification to compare with (set PYPTO_LS_SHARED): %v", err)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func specOps(t *testing.T) []specOp { return specData(t).Ops }

func TestAffinity(t *testing.T) {
	kw := func(key string, v any) []ir.Kwarg { return []ir.Kwarg{{Key: key, Value: v}} }
	for _, c := range []struct {
		op   string
		args []ir.Type
		kw   []ir.Kwarg
		want Core
	}{
		{"tile.add", []ir.Type{tileAt(platforms.Vec)}, nil, Vector},
		{"tile.matmul", []ir.Type{tileAt(platforms.Left)}, nil, Cube},
		{"tile.create", nil, nil, Shared},
		{"tile.tpop_from_aiv", nil, nil, Cube},
		{"tile.load", nil, kw("target_memory", platforms.Mat), Cube},
		{"tile.load", nil, kw("target_memory", platforms.Vec), Vector},
		{"tile.move", []ir.Type{tileAt(platforms.Mat)}, kw("target_memory", platforms.Left), Cube},
		{"tile.move", []ir.Type{tileAt(platforms.Acc)}, kw("target_memory", platforms.Vec), Mixed},
		{"tile.move", []ir.Type{tileAt(platforms.Vec)}, kw("target_memory", platforms.Mat), Mixed},
		{"tile.move", []ir.Type{tileAt(platforms.NoSpace)}, kw("target_memory", platforms.Mat), Vector},
		{"tile.store", []ir.Type{tileAt(platforms.Acc)}, nil, Cube},
		{"tile.store", []ir.Type{tileAt(platforms.Vec)}, nil, Vector},
		{"tile.slice", []ir.Type{tileAt(platforms.NoSpace), tileAt(platforms.Vec)}, nil, Shared},
		{"tile.aiv_shard", []ir.Type{tileAt(platforms.Acc)}, nil, Mixed},
		{"system.syncall", nil, kw("core_type", "aic_only"), Cube},
		{"system.syncall", nil, kw("core_type", "mix"), Shared},
		{"system.sync_set", nil, kw("core_type", "aiv"), Vector},
		{"tensor.read", []ir.Type{ir.NewTensorType(dims(4), ir.FP32, nil, false)}, nil, Shared},
	} {
		if got := Affinity(ops.Lookup(c.op), c.args, c.kw); got != c.want {
			t.Errorf("%s %v: %v, want %v", c.op, spacesOf(c.args), got, c.want)
		}
	}
	if got := Affinity(nil, []ir.Type{tileAt(platforms.Vec)}, nil); got != Shared {
		t.Errorf("an unregistered call is %v", got)
	}
}

func dims(v ...int64) []ir.Expr {
	l := make([]ir.Expr, len(v))
	for i := range v {
		l[i] = ir.Index(v[i])
	}
	return l
}
