package lint_test

import (
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/lint"
)

const advice = " Consider increasing tile shape on the innermost axis."

func rows(t *testing.T, s source, platform string) []lint.Finding {
	return lint.InnermostRows([]lint.Body{{Fn: s.fn}}, target(t, platform))
}

// The rows of a [16, 64] FP16 tile are 64 * 16 / 8 = 128 B: short of the 512 B
// of Ascend910B, exactly the 128 B of Ascend950. All 16 rows are valid:
// 16 * 128 = 2048 B.
func TestInnermostRows(t *testing.T) {
	load := "pl.load(x, [0, 0], [16, 64])"
	store := "pl.store(a, [0, 0], out)"
	s := bodyOf(t, "a = "+load, store)
	tail := " has innermost dim = 128B (tile fp16[64], target_memory=Vec); moves 2048B as 16 x 128B rows; recommended >= 512B for backend a2a3 (L2 cache line = 512B)." + advice
	s.want(t, rows(t, s, "Ascend910B"), load+": tile.load"+tail, store+": tile.store"+tail)
	s.want(t, rows(t, s, "Ascend950"))
	if got := rows(t, s, "Ascend910B")[0].Note; got != "512 B are 256 elements of fp16." { // 512 * 8 / 16
		t.Errorf("note %q", got)
	}
	if got := lint.InnermostRows([]lint.Body{{Fn: s.fn}}, nil); got != nil {
		t.Errorf("without a backend: %v", got)
	}
}

// 31 FP16 elements are 62 B on both targets, and 62 < 128.
func TestInnermostRowsOfAscend950(t *testing.T) {
	load := "pl.load(x, [0, 0], [16, 31])"
	s := bodyOf(t, "a = "+load)
	s.want(t, rows(t, s, "Ascend950"), load+": tile.load has innermost dim = 62B (tile fp16[31], target_memory=Vec); moves 992B as 16 x 62B rows; recommended >= 128B for backend a5 (L2 cache line = 512B)."+advice)
}

// The volume is that of the valid shape: 5 rows of 60 FP16 elements, 120 B
// each. A valid extent that is not constant, or 0, leaves the clause out.
func TestVolumeOfValidShape(t *testing.T) {
	tail := "; recommended >= 512B for backend a2a3 (L2 cache line = 512B)." + advice
	for valid, volume := range map[string]string{
		"[5, 60]": "; moves 600B as 5 x 120B rows",
		"[n, 60]": "",
		"[0, 60]": "",
	} {
		load := "pl.load(x, [0, 0], [16, 64], " + valid + ")"
		s := bodyOf(t, "a = "+load)
		s.want(t, rows(t, s, "Ascend910B"), load+": tile.load has innermost dim = 128B (tile fp16[64], target_memory=Vec)"+volume+tail)
	}
}

// Bits are the semantic ones and rounded up: 20 FP32 elements 80 B; an
// accumulator is stored from Acc.
func TestSpacesAndTypes(t *testing.T) {
	s := programOf(t, `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIC)
    def k(l: pl.Tile[[16, 16], pl.FP16, pl.Mem.Left], r: pl.Tile[[16, 20], pl.FP16, pl.Mem.Right], out: pl.Out[pl.Tensor[[16, 20], pl.FP32]]):
        c: pl.Tile[[16, 20], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(l, r)
        o: pl.Tensor[[16, 20], pl.FP32] = pl.tile.store(c, [0, 0], out)
`)
	s.want(t, rows(t, s, "Ascend910B"), "pl.tile.store(c, [0, 0], out): tile.store has innermost dim = 80B (tile fp32[20], target_memory=Acc); moves 1280B as 16 x 80B rows; recommended >= 512B for backend a2a3 (L2 cache line = 512B)."+advice)
}

// Two statements of one source position, as a replicated loop leaves them, are
// one finding; another figure at the same position is another. Order: position,
// then operator. A statement without a position comes first.
func TestMerging(t *testing.T) {
	load := "pl.load(x, [0, 0], [16, 64])"
	s := bodyOf(t, "a = "+load, "b = pl.load(x, [0, 0], [8, 64])")
	first := s.fn.Body.Stmts[0].(*ir.Assign)
	clone := *first
	narrow := *first.Var
	narrow.Type = ir.NewTileType([]ir.Expr{ir.Index(4), ir.Index(64)}, ir.FP16, nil, first.Var.Type.(*ir.TileType).Space)
	other := ir.Assign{Var: &narrow, Value: first.Value}
	nowhere := *first.Value.(*ir.Call)
	nowhere.Span = ir.Span{}
	body := append([]ir.Stmt{}, s.fn.Body.Stmts...)
	body = append(body, &clone, &other, &ir.Assign{Var: first.Var, Value: &nowhere})
	f := *s.fn
	f.Body = &ir.Block{Stmts: body}
	text := func(volume string) string {
		return "tile.load has innermost dim = 128B (tile fp16[64], target_memory=Vec); moves " + volume + "; recommended >= 512B for backend a2a3 (L2 cache line = 512B)." + advice
	}
	s.want(t, lint.InnermostRows([]lint.Body{{Fn: &f}}, target(t, "Ascend910B")),
		": "+text("2048B as 16 x 128B rows"),
		load+": "+text("2048B as 16 x 128B rows")+" (2 occurrences at this source location)",
		load+": "+text("512B as 4 x 128B rows"),
		"pl.load(x, [0, 0], [8, 64]): "+text("1024B as 8 x 128B rows"))
}

// What never runs is gone from the final program: a loop without a turn, the
// branch that i in 0..3 never takes. `i < n` stays open.
func TestDeadTransfers(t *testing.T) {
	s := bodyOf(t,
		"for i in pl.range(0, 0, 1):", "    a = pl.load(x, [0, 0], [16, 64])",
		"for i in pl.range(0, 4, 1):",
		"    if i < 4:", "        b = pl.load(x, [1, 0], [16, 64])", "    else:", "        c = pl.load(x, [2, 0], [16, 64])",
		"    if i < n:", "        d = pl.load(x, [3, 0], [16, 64])", "    else:", "        e = pl.load(x, [4, 0], [16, 64])")
	var at []string
	for _, f := range rows(t, s, "Ascend910B") {
		at = append(at, s.text[f.Span.Start:f.Span.End][len("pl.load(x, ["):][:1])
	}
	if got := len(at); got != 3 || at[0] != "1" || at[1] != "3" || at[2] != "4" {
		t.Errorf("loads of rows %v, want 1, 3, 4", at)
	}
}
