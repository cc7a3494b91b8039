package read_test

import (
	"strings"
	"testing"
)

// TestClosureArguments: names and attributes of the module as arguments (spec
// 01 §9.2).
func TestClosureArguments(t *testing.T) {
	const vec = ": pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = "
	for _, c := range []struct{ module, in, want string }{
		{"S = float('-inf')", "x = pl.tile.fillpad(t, pad_value=S)", "x: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.min)] = pl.tile.fillpad(t, pad_value=pl.PadValue.min)"},
		{"S = pl.AtomicType.Add", "o = pl.store(t, [0, 0], o, atomic=S)", "o: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [0, 0], o, atomic=pl.AtomicType.Add)"},
		{"S = pl.tile.MaskPattern.P1010", "x = pl.tile.gather_mask(t, mask_pattern=S)", "x: pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec] = pl.tile.gather_mask(t, mask_pattern=2)"},
		{"S = pl.tile.MaskPattern.P1010", "x = pl.tile.gather_mask(t, S)", "x: pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec] = pl.tile.gather_mask(t, mask_pattern=2)"},
		{"S = pl.PipeType.V", "pl.system.sync_wait(n, pipe=S)", "pl.system.sync_wait(n, pipe=pl.PipeType.V)"},
		{"import math\nS = 1.0 / math.sqrt(64)", "x = pl.tile.muls(t, S)", "x" + vec + "pl.tile.muls(t, 0.125)"},
		{"class C:\n    S = 0.5\n    D = pl.FP16\n    N = 3\n", "x = pl.tile.muls(t, C.S)", "x" + vec + "pl.tile.muls(t, 0.5)"},
		{"class C:\n    S = 0.5\n    D = pl.FP16\n    N = 3\n", "x = pl.tile.muls(t, -C.S)", "x" + vec + "pl.tile.muls(t, -0.5)"},
		{"class C:\n    D = pl.FP16\n", "x = pl.tile.cast(t, C.D)", "x: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pl.tile.cast(t, target_type=pl.FP16, mode='round')"},
		{"Z = [0] * 2", "x = pl.tile.load(a, Z, [16, 64])", "x" + vec + "pl.tile.load(a, [0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)"},
	} {
		got, fn := kernel(t, c.module, prepared+c.in)
		if len(fn.Problems) > 0 || len(fn.Doubts) > 0 {
			t.Errorf("%s: %s: %+v %+v", c.module, c.in, fn.Problems, fn.Doubts)
		}
		if !hasLine(got, c.want) {
			t.Errorf("%s: %s:\n%s\nwant %s", c.module, c.in, got, c.want)
		}
	}
}

func hasLine(text, line string) bool {
	for _, l := range strings.Split(text, "\n") {
		if l == line {
			return true
		}
	}
	return false
}
