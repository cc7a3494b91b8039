package memory

import (
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

func TestInitMemRefErrors(t *testing.T) {
	n := func(b *fb) *ir.Var { return b.param("n", &ir.ScalarType{DType: ir.INDEX}) }
	tests := []struct {
		name  string
		build func(b *fb)
		cfg   Config
		kind  ErrorKind
		want  string
	}{
		{"dynamic", func(b *fb) { b.op("v", vec(4, n(b)), "tile.create") }, Config{}, InternalError,
			"InitMemRef requires static shape for variable 'v', but shape element 1 is dynamic. Fix the upstream op to keep TileType.shape static and put runtime extent in TileView.valid_shape instead."},
		{"dynamic pop", func(b *fb) { b.op("v", vec(n(b), 4), "tile.tpop_from_aic") }, Config{}, InternalError,
			"InitMemRef requires static shape for variable 'v', but shape element 0 is dynamic. Fix the upstream op to keep TileType.shape static and put runtime extent in TileView.valid_shape instead."},
		{"zero", func(b *fb) { b.op("v", vec(4, 0), "tile.create") }, Config{}, InternalError,
			"InitMemRef requires positive shape for variable 'v', but shape element 1 is 0"},
		{"acc of rank 1", func(b *fb) { b.op("v", tile(platforms.Acc, ir.FP32, 64), "tile.create") }, Config{}, InternalError,
			"InitMemRef cannot represent the physical allocation size for static tile variable 'v' without overflowing 64-bit bytes"},
		{"E1", func(b *fb) { b.op("v", bound(vec(4, n(b)), b.base("p"), 1, nil), "tile.create") }, Config{}, UserError,
			"Tile 'v' is bound to the declared allocation 'p' but has a dynamic shape; a declared allocation must be sized at compile time"},
		{"E2", func(b *fb) { b.op("v", bound(vec(4, 4), b.base("p"), 0, nil), "tile.create") }, Config{}, UserError,
			"Declared allocation 'p' must have at least one slot, got 0"},
		{"E3", func(b *fb) {
			p := b.base("p")
			b.op("v", bound(vec(4, 4), p, 2, ir.Index(0)), "tile.create")
			b.op("w", bound(vec(4, 4), p, 3, ir.Index(0)), "tile.create")
		}, Config{}, UserError,
			"References to the declared allocation 'p' disagree on how many slots it has (2 vs 3); one declaration has one slot count"},
		{"E4", func(b *fb) {
			p := b.base("p")
			b.op("v", bound(vec(4, 4), p, 1, nil), "tile.create")
			b.op("w", bound(tile(platforms.Mat, ir.FP32, 4, 4), p, 1, nil), "tile.create")
		}, Config{}, UserError,
			"Tiles bound to the declared allocation 'p' must all live in the same memory space, but 'w' is Mat while the allocation is already Vec"},
		{"lands in source", func(b *fb) {
			v := b.op("v", vec(4, 4), "tile.create")
			b.op("w", bound(vec(2, 8), b.base("p"), 1, nil), "tile.reshape", v, tup(2, 8))
		}, Config{}, UserError,
			"Tile 'w' is produced by 'tile.reshape', which lands in its source tile's allocation, so it cannot be given one of its own. Bind the source tile instead."},
		{"ptoas", func(b *fb) { b.op("v", bound(vec(4, 4), b.base("p"), 1, nil), "tile.create") }, Config{Planner: PTOAS}, UserError,
			`A single-slot declared allocation (pl.MemRef("p")) is not supported under memory_planner=PTOAS: ptoas owns memory planning and would be free to coalesce the allocations you separated. Declare it with pl.MemRef(slots=N) — N slots become one ptoas multi-buffer region whose slots ptoas keeps disjoint — or compile with the default PyPTO memory planner.`},
		{"too large", func(b *fb) { b.op("v", bound(vec(1<<40, 1), b.base("p"), 1<<30, ir.Index(0)), "tile.create") }, Config{}, UserError,
			"Declared allocation is too large: 1073741824 slots of 4398046511104 bytes overflows a 64-bit size"},
		{"odd nibble", func(b *fb) {
			v := b.op("v", tile(platforms.Vec, ir.FP4, 8, 16), "tile.create")
			b.op("w", tile(platforms.Vec, ir.FP4, 1, 14), "tile.slice", v, tup(1, 14), tup(0, 1))
		}, Config{}, UserError,
			"Packed 4-bit slice origins must be byte-aligned; logical linear offset 1 selects the second nibble of a byte"},
		{"negative nibble", func(b *fb) {
			v := b.op("v", tile(platforms.Vec, ir.FP4, 8, 16), "tile.create")
			b.op("w", tile(platforms.Vec, ir.FP4, 1, 14), "tile.slice", v, tup(1, 14), tup(-1, 0))
		}, Config{}, UserError,
			"Packed 4-bit slice offsets must be non-negative, but got logical offset -16"},
		{"dynamic nibble", func(b *fb) {
			v := b.op("v", tile(platforms.Vec, ir.FP4, 8, 16), "tile.create")
			b.op("w", tile(platforms.Vec, ir.FP4, 1, 14), "tile.slice", v, tup(1, 14), tup(n(b), 0))
		}, Config{}, UserError,
			"Packed 4-bit slice offsets must be compile-time constants because MemRef cannot represent a dynamic nibble offset"},
		{"rank", func(b *fb) {
			v := b.op("v", vec(8, 16), "tile.create")
			b.op("w", vec(1, 16), "tile.slice", v, tup(1, 16), tup(0))
		}, Config{}, InternalError,
			"Internal error: slice offset rank (1) must match parent shape rank (2)"},
	}
	for _, tt := range tests {
		b := newFn("k", ir.InCore)
		tt.build(b)
		l, err := InitMemRef(b.f, tt.cfg)
		if err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		if l != nil || err.Pass != "InitMemRef" || err.Func != "k" || err.Kind != tt.kind || err.Message != tt.want {
			t.Errorf("%s: got %s %q\nwant %s %q", tt.name, err.Kind.Class(), err.Message, tt.kind.Class(), tt.want)
		}
	}
}

// A binding that an alias or a cross-core pop cannot have is ignored.
func TestInitMemRefIgnoredBindings(t *testing.T) {
	b := newFn("k", ir.AIV)
	p := b.base("p")
	v := b.op("v", vec(4, 4), "tile.create")
	alias := b.let("alias", bound(vec(4, 4), p, 1, nil), v)
	pop := b.op("pop", bound(vec(4, 4), p, 1, nil), "tile.tpop_from_aic")
	l := mustInit(t, b, Config{})
	wantRefs(t, l, map[*ir.Var]string{alias: "mem_vec_0 pl.const(0, pl.INT64) 64", pop: "-"})
	wantLines(t, "allocs", allocs(l), []string{"mem_vec_0 tile.alloc 64"})
}
