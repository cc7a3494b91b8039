package memory

import (
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// InitMemRef's own result holds the verifier, whatever has no buffer by rule:
// a popped tile, a view of it and an alias of that.
func TestVerifyMemRefs(t *testing.T) {
	b := newFn("f", ir.AIV)
	x := b.param("x", tensor(64, 64))
	b.load("a", vec(64, 64), x)
	p := b.op("p", vec(64, 64), "tile.tpop_from_aic")
	v := b.op("v", vec(32, 64), "tile.slice", p, tup(32, 64), tup(0, 0))
	w := b.let("w", vec(32, 64), v)
	l := mustInit(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{p: "-", v: "-", w: "-"})
	if got := VerifyMemRefs(l); got != nil {
		t.Errorf("%v", got)
	}
}

// As read, none of the tiles has a MemRef: the load's is missing, and so is
// that of the view of it, which is no slot of a ring.
func TestVerifyMemRefsMissing(t *testing.T) {
	b := newFn("f", ir.AIV)
	x := b.param("x", tensor(64, 64))
	a := b.load("a", vec(64, 64), x)
	v := b.op("v", vec(32, 64), "tile.slice", a, tup(32, 64), tup(0, 0))
	b.op("p", vec(64, 64), "tile.tpop_from_aic")
	b.let("s", &ir.ScalarType{DType: ir.INDEX}, ir.Index(1))
	base := b.base("mem_vec_1")
	b.let("ok", at(tile(platforms.Vec, ir.FP32, 64, 64), base, ir.Index(0), 16384), v)
	var got []string
	for _, e := range VerifyMemRefs(NewLayout(b.f)) {
		if e.Span != a.Span || e.Kind != VerifyError {
			t.Errorf("%v: span %v, kind %v", e, e.Span, e.Kind)
		}
		got = append(got, e.Message)
	}
	wantLines(t, "findings", got, []string{
		"TileType variable 'a' has no MemRef initialized",
		"TileType variable 'v' has no MemRef initialized",
	})
}
