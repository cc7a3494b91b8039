package memory

import (
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

func int64c(n int64) ir.Expr { return &ir.ConstInt{Value: n, DType: ir.INT64} }

// placed adds a tile that already has a MemRef, as a dump past InitMemRef
// states it.
func (b *fb) placed(name string, base *ir.Var, offset ir.Expr, size uint64, space ir.Space) *ir.Var {
	return b.op(name, at(tile(space, ir.INT8, 1, int(size)), base, offset, size), "tile.create")
}

func (b *fb) alloc(name string, space ir.Space, size int64, declared bool) *ir.Var {
	v := b.f.NewVar(ir.PlainVar, name, &ir.PtrType{}, ir.Span{})
	b.add(new(allocRoom).statement(v, space, uint64(size), declared, ir.Span{}))
	return v
}

func (b *fb) reserve(name string, size, base int64) {
	c := call("system.reserve_buffer", &ir.ScalarType{DType: ir.INT32})
	c.Kwargs = []ir.Kwarg{{Key: "name", Value: name}, {Key: "size", Value: size}, {Key: "base", Value: base}}
	b.let(name, c.Type, c)
}

func mustAllocate(t *testing.T, b *fb, cfg Config) (*Layout, []Usage) {
	t.Helper()
	a, err := allocateSequential(NewLayout(b.f), cfg)
	if err != nil {
		t.Fatalf("AllocateMemoryAddr: %s", err)
	}
	return a.place(), a.usage
}

func wantUsed(t *testing.T, us []Usage, space ir.Space, used, reserved uint64) {
	t.Helper()
	for _, u := range us {
		if u.Space == space {
			if u.Used != used || u.Reserved != reserved {
				t.Errorf("%s: used %d reserved %d, want %d and %d", space, u.Used, u.Reserved, used, reserved)
			}
			return
		}
	}
	t.Errorf("no usage of %s", space)
}

// Spec 07 §13.1: names are ordered bytewise, mem_vec_10 before mem_vec_2.
func TestAllocateNameOrder(t *testing.T) {
	b := newFn("k", ir.InCore)
	v2 := b.placed("a", b.alloc("mem_vec_2", platforms.Vec, 96, false), int64c(0), 96, platforms.Vec)
	v10 := b.placed("b", b.alloc("mem_vec_10", platforms.Vec, 40, false), int64c(0), 40, platforms.Vec)
	v9 := b.placed("c", b.alloc("mem_vec_9", platforms.Vec, 32, false), int64c(0), 32, platforms.Vec)
	l, u := mustAllocate(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{
		v10: "mem_vec_10 pl.const(0, pl.INT64) 40", v2: "mem_vec_2 pl.const(64, pl.INT64) 96", v9: "mem_vec_9 pl.const(160, pl.INT64) 32",
	})
	wantUsed(t, u, platforms.Vec, 192, 0)
}

// Spec 07 §13.2: views are relative to their allocation; a dynamic view is
// placed at its start.
func TestAllocateViews(t *testing.T) {
	b := newFn("k", ir.InCore)
	n := b.param("n", &ir.ScalarType{DType: ir.INDEX})
	m3, m1 := b.alloc("mem_vec_3", platforms.Vec, 512, false), b.alloc("mem_vec_1", platforms.Vec, 48, false)
	root := b.placed("root", m3, int64c(0), 512, platforms.Vec)
	view := b.placed("view", m3, ir.Index(64), 64, platforms.Vec)
	dyn := b.placed("dyn", m3, &ir.Binary{Op: ir.Mul, X: n, Y: ir.Index(64), DType: ir.INDEX}, 64, platforms.Vec)
	one := b.placed("one", m1, int64c(0), 48, platforms.Vec)
	l, u := mustAllocate(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{
		one: "mem_vec_1 pl.const(0, pl.INT64) 48", root: "mem_vec_3 pl.const(64, pl.INT64) 512",
		view: "mem_vec_3 pl.const(128, pl.INT64) 64", dyn: "mem_vec_3 pl.const(64, pl.INT64) 64",
	})
	wantUsed(t, u, platforms.Vec, 576, 0)
}

// Spec 07 §13.3: reserved windows and the order of their calls.
func TestReserveWindows(t *testing.T) {
	b := newFn("k", ir.AIV)
	b.reserve("A", 100, -1)
	b.reserve("B", 64, 1024)
	b.reserve("C", 10, -1)
	v := b.placed("v", b.alloc("m", platforms.Vec, 32, false), int64c(0), 32, platforms.Vec)
	l, u := mustAllocate(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{v: "m pl.const(1120, pl.INT64) 32"})
	wantUsed(t, u, platforms.Vec, 1152, 1120)
	var bases []int64
	for _, c := range l.facts().reserves {
		bases = append(bases, intKwarg(c, "base", -1))
	}
	if len(bases) != 3 || bases[0] != 0 || bases[1] != 1024 || bases[2] != 1088 {
		t.Errorf("bases %v, want 0 1024 1088", bases)
	}

	b = newFn("k", ir.AIV)
	b.reserve("B", 64, 1024)
	b.reserve("A", 100, -1)
	r, err := resolveReserves(NewLayout(b.f), "P")
	if err != nil || r.calls[1].base != 1088 || r.floor != 1216 {
		t.Errorf("B first: %+v %v, want A at 1088 and floor 1216", r, err)
	}

	// A window without end does not wrap around to none.
	b = newFn("k", ir.AIV)
	b.reserve("A", 1<<63-1, -1)
	b.placed("v", b.alloc("m", platforms.Vec, 32, false), int64c(0), 32, platforms.Vec)
	cfg := Config{Platform: platform(t, "Ascend910B")}
	if _, err := allocateSequential(NewLayout(b.f), cfg); err == nil || !strings.HasPrefix(err.Message, "Vec buffer usage (9223372036854775808 bytes) exceeds") {
		t.Errorf("endless window: %v", err)
	}
}

func TestReserveErrors(t *testing.T) {
	tests := []struct {
		kind  ir.FuncKind
		build func(b *fb)
		want  string
	}{
		{ir.AIV, func(b *fb) { b.reserve("A", 4096, -1); b.reserve("B", 1024, 2048) },
			"overlapping reserve_buffer ranges in function 'k': [2048, 3072) overlaps with [0, 4096)"},
		// 0..64 and 256..320 are placed; 32..320 overlaps both: the one above is named.
		{ir.AIV, func(b *fb) { b.reserve("A", 64, 0); b.reserve("B", 64, 256); b.reserve("C", 288, 32) },
			"overlapping reserve_buffer ranges in function 'k': [32, 320) overlaps with [256, 320)"},
		{ir.AIC, func(b *fb) { b.reserve("A", 0, -1) }, "reserve_buffer requires size > 0, got 0"},
		{ir.Opaque, func(b *fb) { b.reserve("A", 64, -1) }, "cannot resolve reserve_buffer memory space for function 'k' with type Opaque"},
		{ir.AIC, func(b *fb) { b.reserve("A", 64, 1<<31) }, "resolved reserve_buffer base out of int range in function 'k': 2147483648"},
	}
	for _, tt := range tests {
		b := newFn("k", tt.kind)
		tt.build(b)
		_, err := resolveReserves(NewLayout(b.f), "P")
		if err == nil || err.Message != tt.want || err.Kind != InternalError || err.Pass != "P" {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

// Spec 07 §13.4: a declared allocation keeps its whole extent, a dynamic slot
// its expression.
func TestAllocateSlots(t *testing.T) {
	b := newFn("k", ir.AIC)
	i := b.param("i", &ir.ScalarType{DType: ir.INDEX})
	l0c := b.alloc("l0c", platforms.Acc, 32768, true)
	mod := &ir.Binary{Op: ir.FloorMod, X: i, Y: ir.Index(2), DType: ir.INDEX}
	slot := at(tile(platforms.Acc, ir.FP32, 64, 64), l0c, &ir.Binary{Op: ir.Mul, X: mod, Y: ir.Index(16384), DType: ir.INDEX}, 16384)
	slot.MemRef.Slots, slot.MemRef.Slot = 2, mod
	v := b.op("v", slot, "tile.create")
	w := b.placed("w", b.alloc("mem_acc_7", platforms.Acc, 4096, false), int64c(0), 4096, platforms.Acc)
	l, u := mustAllocate(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{
		v: "l0c 0 + i % 2 * 16384 16384 slots=2[i % 2]", w: "mem_acc_7 pl.const(32768, pl.INT64) 4096",
	})
	wantUsed(t, u, platforms.Acc, 36864, 0)
}

// Spec 07 §13.5: the note names the ring by its exact name only.
func TestCapacityRing(t *testing.T) {
	const reserved = "Mat buffer usage (532480 bytes) exceeds platform limit (524288 bytes). The first 524288 bytes of that space are reserved by system.reserve_buffer, so tiles are allocated above them"
	const ring = " — this is the cross-core pipe ring. Lower its depth with optimizations=[pl.cross_core_slot(slot_num=N)] on the enclosing pl.at(...), or shrink the tile that crosses the cube/vector boundary"
	for _, tt := range []struct{ buffer, want string }{
		{"kernel_v2c_slot_buffer", reserved + ring},
		{"kernel_c2v_slot_buffer", reserved + ring},
		{"scratch_v2c_slot_buffer", reserved},
		{"my_scratch_buffer", reserved},
	} {
		b := newFn("kernel_aic", ir.AIC)
		b.reserve(tt.buffer, 524288, -1)
		b.placed("v", b.alloc("m", platforms.Mat, 8192, false), int64c(0), 8192, platforms.Mat)
		a, err := allocateSequential(NewLayout(b.f), Config{Platform: platform(t, "Ascend910B")})
		if err == nil || !a.full || err.Message != tt.want || err.Kind != UserError {
			t.Errorf("%s: got %v, want %q", tt.buffer, err, tt.want)
		}
		wantUsed(t, a.usage, platforms.Mat, 532480, 524288)
	}
	// Ring in Mat, overflow in Vec: no note. No tile in Mat: no error for the ring.
	b := newFn("kernel_aic", ir.AIC)
	b.reserve("kernel_v2c_slot_buffer", 1048576, -1)
	b.placed("v", b.alloc("m", platforms.Vec, 188417, false), int64c(0), 188417, platforms.Vec)
	_, err := AllocateMemoryAddr(NewLayout(b.f), Config{Platform: platform(t, "Ascend910B")})
	if want := "Vec buffer usage (188448 bytes) exceeds platform limit (188416 bytes)"; err == nil || err.Message != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// Several spaces overflow: the one met last is reported, all are values. Being
// exactly full is fine, and without a platform nothing overflows.
func TestCapacityOrder(t *testing.T) {
	build := func(extra uint64) *fb {
		b := newFn("k", ir.InCore)
		b.placed("v", b.alloc("a", platforms.Vec, 0, false), int64c(0), 188416+extra, platforms.Vec)
		b.placed("w", b.alloc("b", platforms.Left, 0, false), int64c(0), 65536+extra, platforms.Left)
		b.placed("x", b.alloc("c", platforms.Bias, 0, false), int64c(0), 32, platforms.Bias)
		return b
	}
	cfg := Config{Platform: platform(t, "Ascend910B")}
	mustAllocate(t, build(0), cfg)
	mustAllocate(t, build(1), Config{})
	a, err := allocateSequential(NewLayout(build(1).f), cfg)
	if want := "Left buffer usage (65568 bytes) exceeds platform limit (65536 bytes)"; err == nil || err.Message != want {
		t.Errorf("got %v, want %q", err, want)
	}
	var over []string
	for _, u := range a.usage {
		if u.Over() {
			over = append(over, u.Message())
		}
	}
	wantLines(t, "overflows", over, []string{
		"Left buffer usage (65568 bytes) exceeds platform limit (65536 bytes)",
		"Vec buffer usage (188448 bytes) exceeds platform limit (188416 bytes)",
	})
}

func TestAllocateLeavesOtherFunctions(t *testing.T) {
	b := newFn("k", ir.Opaque)
	b.placed("v", b.alloc("m", platforms.Vec, 64, false), int64c(0), 1<<20, platforms.Vec)
	b.placed("w", b.alloc("n", platforms.Vec, 64, false), int64c(0), 1<<19, platforms.Vec)
	in := NewLayout(b.f)
	l, err := AllocateMemoryAddr(in, Config{Platform: platform(t, "Ascend910B")})
	if err != nil || l != in {
		t.Fatalf("an Opaque function was changed: %v", err)
	}
	// The verifier counts each allocation from 0: the largest tile decides.
	got := VerifyAddresses(l, Config{Platform: platform(t, "Ascend910B")})
	if len(got) != 1 || got[0].Message != "Function 'k': Vec buffer usage (1048576 bytes) exceeds platform limit (188416 bytes)" || got[0].Code != 1 {
		t.Errorf("verifier: %v", got)
	}
	want := `Verification failed after 'AllocateMemoryAddr' for properties {AllocatedMemoryAddr}:
IR Verification Report
======================
Total diagnostics: 1 (1 errors, 0 warnings)

[1] ERROR - AllocatedMemoryAddr
  Message: Function 'k': Vec buffer usage (1048576 bytes) exceeds platform limit (188416 bytes)
  Location: f.py:1:2
  Error Code: 1

Status: FAILED (1 error(s) found)`
	if r := VerifyReport(got, func(*Error) string { return "f.py:1:2" }); r != want {
		t.Errorf("report:\n%s", r)
	}
}

func TestVerifyAddresses(t *testing.T) {
	b := newFn("k", ir.InCore)
	m := b.alloc("m", platforms.Vec, 64, false)
	b.placed("neg", m, ir.Index(-1), 64, platforms.Vec)
	b.placed("none", m, nil, 64, platforms.Vec)
	b.placed("ddr", m, ir.Index(-1), 64, platforms.DDR)
	var got []string
	for _, e := range VerifyAddresses(NewLayout(b.f), Config{Platform: platform(t, "Ascend910B")}) {
		got = append(got, e.Message)
	}
	wantLines(t, "findings", got, []string{
		"MemRef for variable 'neg' in Vec has a negative address (-1)",
		"MemRef for variable 'none' in Vec has no address allocated",
	})
}

func TestAllocateZeroSize(t *testing.T) {
	b := newFn("k", ir.InCore)
	b.placed("v", b.alloc("m", platforms.Vec, 64, false), int64c(0), 0, platforms.Vec)
	_, err := AllocateMemoryAddr(NewLayout(b.f), Config{})
	if err == nil || err.Kind != InternalError || err.Message != "AllocateMemoryAddr encountered zero-sized MemRef 'm'. InitMemRef should reject dynamic or invalid allocation shapes before address assignment." {
		t.Errorf("got %v", err)
	}
}

// A call that reads a moved tile loses its attributes, one that does not
// keeps them; a tile parameter that nothing mentions is not placed.
func TestAllocateCallAttributes(t *testing.T) {
	b := newFn("k", ir.InCore)
	x := b.param("x", tensor(8, 8))
	m := b.base("m")
	unused := b.param("unused", at(vec(8, 8), m, int64c(0), 256))
	n := b.alloc("n", platforms.Vec, 256, false)
	mark := []ir.Attr{{Key: "pipeline_membership", Value: "0:1"}}
	c1 := call("tile.load", vec(8, 8), x)
	c1.Attrs = mark
	v := b.let("v", at(vec(8, 8), n, int64c(0), 256), c1)
	c2 := call("tile.exp", vec(8, 8), v)
	c2.Attrs = mark
	b.let("w", at(vec(8, 8), n, int64c(0), 256), c2)
	l, _ := mustAllocate(t, b, Config{})
	var kept []bool
	ir.WalkStmts(l.Fn.Body, func(s ir.Stmt) bool {
		if c := s.(*ir.Assign).Value.(*ir.Call); c.Name != "tile.alloc" {
			kept = append(kept, len(c.Attrs) > 0)
		}
		return true
	})
	if len(kept) != 2 || !kept[0] || kept[1] {
		t.Errorf("attributes kept: %v, want the load's only", kept)
	}
	wantRefs(t, l, map[*ir.Var]string{unused: "m pl.const(0, pl.INT64) 256"})
}

// The pass list of each planner; under PTOAS nothing gets an address.
func TestPTOASHasNoAddresses(t *testing.T) {
	b := newFn("k", ir.InCore)
	v := b.op("v", vec(1024, 1024), "tile.create")
	r := Run(b.f, Config{Platform: platform(t, "Ascend910B"), Planner: PTOAS}, StageInput)
	if r.Err != nil || r.Verify != nil || r.Layouts[StageAllocate] != nil || len(r.Usage) != 0 {
		t.Fatalf("PTOAS: %+v", r)
	}
	wantRefs(t, r.Last(), map[*ir.Var]string{v: "mem_vec_0 pl.const(0, pl.INT64) 4194304"})
}

// Addresses of one program: the earliest pass that fails decides, then the
// name; hints of functions behind the failure are not made.
func TestOutcome(t *testing.T) {
	fn := func(name string) *Result { return &Result{Fn: &ir.Function{Name: name}} }
	a, z, m := fn("a"), fn("z"), fn("m")
	a.Err, a.Failed = &Error{Message: "late"}, StageAllocate
	z.Err, z.Failed = &Error{Message: "early"}, StageMemoryReuse
	m.Diags = []Diagnostic{{Pass: "MemoryReuse", Func: "m"}, {Pass: "AllocateMemoryAddr", Func: "m"}}
	out := Outcome([]*Result{z, m, a})
	if out.Err == nil || out.Err.Message != "early" || len(out.Diags) != 1 {
		t.Errorf("%+v", out)
	}
	z.Err = nil
	out = Outcome([]*Result{z, m, a})
	if out.Err == nil || out.Err.Message != "late" || len(out.Diags) != 1 {
		t.Errorf("%+v", out)
	}
}
