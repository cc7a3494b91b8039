package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// pipelined is r{i} = load; s{i} = exp(r{i}); store, for stages of group 0
// (spec 06 §13.3).
func pipelined(size int, stages ...int) *fb {
	b := newFn("k", ir.AIV)
	b.f.Span = ir.Span{Start: 3, End: 9}
	for i, s := range stages {
		tag := fmt.Sprintf("0:%d", s)
		r := b.in910(fmt.Sprint("r", i), platforms.Vec, size, "tile.load", tag)
		b.read(b.in910(fmt.Sprint("s", i), platforms.Vec, size, "tile.exp", tag, r))
	}
	return b
}

// Spec 06 §13.3: four clones, room for three. Residues of the ranks are 0, 1,
// 2, 0, so the fourth clone joins the first.
func TestPipelineDepth(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := pipelined(49152, 0, 1, 2, 5)
	wantLines(t, "buffers", sharing(t, b, cfg, platforms.Vec), []string{"r0+s0+r3+s3", "r1+s1", "r2+s2"})
	_, diags := mustReuse(t, b, cfg)
	wantLines(t, "hint", diagLines(diags), []string{
		"[perf_hint PH-MR-001] MemoryReuse: software pipelining requested depth 4 for pipeline group 0 in Vec, but only 3 of 4 buffers fit " +
			"(49152 B per stage, 188416 B free) — stages 3 apart share storage and serialize. This operand alone needs 196608 B for depth 4; " +
			"shrink the per-stage tile to <= 47104 B, or reduce the pipeline depth (e.g. `pl.pipeline(stage=)`) to 3.",
	})
	if len(diags) == 1 && diags[0].Span != b.f.Span {
		t.Error("the hint does not point at the function")
	}
}

// Spec 10 §10: Left, depth 2, 40000 bytes.
func TestPipelineDepthLeft(t *testing.T) {
	b := newFn("k", ir.AIC)
	for s := range 2 {
		b.read(b.in910("r", platforms.Left, 40000, "tile.move", fmt.Sprint("0:", s)))
	}
	_, diags := mustReuse(t, b, Config{Platform: platform(t, "Ascend910B")})
	wantLines(t, "hint", diagLines(diags), []string{
		"[perf_hint PH-MR-001] MemoryReuse: software pipelining requested depth 2 for pipeline group 0 in Left, but only 1 of 2 buffers fit " +
			"(40000 B per stage, 65536 B free) — stages 1 apart share storage and serialize. This operand alone needs 80000 B for depth 2; " +
			"shrink the per-stage tile to <= 32768 B, or reduce the pipeline depth (e.g. `pl.pipeline(stage=)`) to 1.",
	})
}

// Spec 06 §6.2 and 6.4: a group that fits alone is lowered because another
// tile takes the room. 2 × 65536 + 65536 = 196608 > 188416; F drops from 2 to
// 1, both stages share, footprint 131072. The reserved window is subtracted
// from what is free.
func TestPipelineShed(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := pipelined(65536, 0, 1)
	b.f.Body.Stmts = append([]ir.Stmt{}, b.f.Body.Stmts...)
	big := b.base("m_big")
	bigType := at(tile(platforms.Vec, ir.INT8, 1, 65536), big, int64c(0), 65536)
	v := b.f.NewVar(ir.PlainVar, "big", bigType, ir.Span{})
	b.f.Body.Stmts = append([]ir.Stmt{&ir.Assign{Var: v, Value: call("tile.create", bigType)}}, b.f.Body.Stmts...)
	b.read(v)
	wantLines(t, "buffers", sharing(t, b, cfg, platforms.Vec), []string{"big", "r0+s0+r1+s1"})
	_, diags := mustReuse(t, b, cfg)
	const text = "[perf_hint PH-MR-001] MemoryReuse: software pipelining requested depth 2 for pipeline group 0 in Vec, but only 1 of 2 buffers fit " +
		"(65536 B per stage, %s) — stages 1 apart share storage and serialize. The operand would fit depth 2 on its own, but co-resident " +
		"buffers / other pipeline groups over-subscribe the space; relieve the co-residents (smaller or fewer co-live tiles) or reduce the pipeline depth to 1."
	wantLines(t, "hint", diagLines(diags), []string{fmt.Sprintf(text, "188416 B free")})
	b.reserve("ring", 32768, -1)
	_, diags = mustReuse(t, b, cfg)
	wantLines(t, "hint", diagLines(diags), []string{fmt.Sprintf(text, "155648 B free after 32768 B reserved")})
}

// The group with the largest aligned slot is lowered first, on ties the one
// with the smallest id; groups of depth 1 never are.
func TestRelief(t *testing.T) {
	sp := &packing{groups: []stageGroup{
		{id: 1, aligned: 64, depth: 2}, {id: 2, aligned: 96, depth: 2}, {id: 3, aligned: 96, depth: 3}, {id: 4, aligned: 128, depth: 1},
	}}
	var order []int32
	for g := sp.relief(); g != nil; g = sp.relief() {
		order = append(order, g.id)
		g.depth--
	}
	if got := fmt.Sprint(order); got != "[2 3 3 1]" {
		t.Errorf("order %s, want [2 3 3 1]", got)
	}
}

// Spec 06 §6.2: nothing helps, the legacy packing is taken: stages of loads
// stay apart, computed tiles of different stages share. Five loads of 65536
// bytes, live one after the other, next to a co-live 131072-byte pair.
func TestLegacyFallback(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := newFn("k", ir.AIV)
	p, q := b.own("p", 131072, "tile.create"), b.own("q", 131072, "tile.create")
	for s := range 2 {
		r := b.in910(fmt.Sprint("r", s), platforms.Vec, 64, "tile.load", fmt.Sprint("0:", s))
		b.read(b.in910(fmt.Sprint("s", s), platforms.Vec, 64, "tile.exp", fmt.Sprint("0:", s), r))
	}
	b.read(p, q)
	// Order p, q, r0, s0, r1, s1. r1 must not join r0 (loads of two stages); r0
	// and s0 touch; s1 joins r0's buffer although s0 is of stage 0: neither is a
	// load; but r0 is, of another stage. So s1 joins r1.
	wantLines(t, "buffers", sharing(t, b, cfg, platforms.Vec), []string{"p", "q", "r0+s0", "r1+s1"})
	_, diags := mustReuse(t, b, cfg)
	wantLines(t, "warning", diagLines(diags), []string{
		"[warning] [MemoryReuse] (MemoryReuse) capacity-gated reuse could not fit memory space Vec at any double-buffering depth; " +
			"fell back to the legacy packing (which also overflows — reduce tile size or stage count).",
	})
}

// In legacy mode computed tiles of different stages share; without a known
// capacity the mode is legacy from the start, and silent. L0 spaces do not
// keep stages apart at all then.
func TestLegacyMode(t *testing.T) {
	for _, tt := range []struct {
		space ir.Space
		op    string
		want  string
	}{
		{platforms.Vec, "tile.exp", "a+b"}, {platforms.Vec, "tile.load", "a,b"}, {platforms.Vec, "tile.read", "a,b"},
		{platforms.Mat, "tile.load", "a,b"}, {platforms.Left, "tile.load", "a+b"}, {platforms.Bias, "tile.load", "a+b"},
	} {
		b := newFn("k", ir.InCore)
		b.read(b.in910("a", tt.space, 64, tt.op, "3:0"))
		b.read(b.in910("b", tt.space, 64, tt.op, "7:0;3:1"))
		if got := strings.Join(sharing(t, b, Config{}, tt.space), ","); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.space, tt.op, got, tt.want)
		}
		if _, diags := mustReuse(t, b, Config{}); len(diags) > 0 {
			t.Errorf("diagnostics without a platform: %v", diags)
		}
	}
}

// Spec 06 §13.4: three co-live tiles of 65536 bytes overflow: warning. One
// tile larger than the space: silent.
func TestFallbackWarning(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := newFn("k", ir.InCore)
	x, y, z := b.own("x", 65536, "tile.create"), b.own("y", 65536, "tile.create"), b.own("z", 65536, "tile.create")
	b.read(x, y, z)
	_, diags := mustReuse(t, b, cfg)
	wantLines(t, "warning", diagLines(diags), []string{
		"[warning] [MemoryReuse] (MemoryReuse) capacity-gated reuse could not fit memory space Vec at any double-buffering depth; " +
			"fell back to the legacy packing (which also overflows — reduce tile size or stage count).",
	})
	b = newFn("k", ir.InCore)
	b.read(b.own("x", 262144, "tile.create"))
	if _, diags := mustReuse(t, b, cfg); len(diags) > 0 {
		t.Errorf("one tile too large: %v, want silence", diags)
	}
}

// The texts that need no overflowing legacy packing, or more than 256
// attempts, are reachable only by construction.
func TestFallbackWarningTexts(t *testing.T) {
	b := newFn("k", ir.InCore)
	b.read(b.own("x", 64, "tile.create"))
	p, err := planReuse(NewLayout(b.f), Config{Platform: platform(t, "Ascend910B")})
	if err != nil {
		t.Fatal(err)
	}
	sp := p.spaces[platforms.Vec]
	sp.fellBack, sp.budget = true, true
	wantLines(t, "warning", diagLines(p.diagnostics()), []string{
		"[warning] [MemoryReuse] (MemoryReuse) capacity-gated reuse could not fit memory space Vec within the shed-repack budget; fell back to the legacy packing.",
	})
}

// Warnings of all spaces come before the hints of all spaces.
func TestDiagnosticOrder(t *testing.T) {
	cfg := Config{Platform: platform(t, "Ascend910B")}
	b := newFn("k", ir.AIC)
	for s := range 2 {
		b.read(b.in910("l", platforms.Vec, 188416, "tile.load", fmt.Sprint("9:", s)))
		b.read(b.in910("l", platforms.Vec, 188416, "tile.load", fmt.Sprint("4:", s)))
	}
	x, y := b.in910("x", platforms.Acc, 131072, "tile.matmul", ""), b.in910("y", platforms.Acc, 131072, "tile.matmul", "")
	b.read(x, y)
	_, diags := mustReuse(t, b, cfg)
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d %.60s", d.Severity, d.Text))
	}
	wantLines(t, "order", got, []string{
		"0 capacity-gated reuse could not fit memory space Acc at any d",
		"1 software pipelining requested depth 2 for pipeline group 4 i",
		"1 software pipelining requested depth 2 for pipeline group 9 i",
	})
}
