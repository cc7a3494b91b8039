package prelude_test

import (
	"strings"
	"testing"
)

// A constant assigned in an spmd body is not propagated, one in `pl.at` is
// (recorded).
func TestConstantsOfScopes(t *testing.T) {
	body := `
    off = 8
    u = pl.load(a, [off, off + 4], [16, 32])
    out = pl.store(u, [0, 0], out)
`
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "]"
	kept := exact(t, program(host(params, "\nfor i in pl.spmd(4, name_hint=\"rows\"):"+body)), "Ascend910B")
	kept.check(t, "rows", `
i = get_block_idx()
off = 8
u = load(a, [off, off + 4], [16, 32], [16, 32], Vec)
out = store(u, [0, 0], out)
out__store = out
return out`)
	gone := exact(t, program(host(params, "\nwith pl.at(level=pl.Level.CORE_GROUP, name_hint=\"one\"):"+body)), "Ascend910B")
	gone.check(t, "one", `
u = load(a, [8, 12], [16, 32], [16, 32], Vec)
out = store(u, [0, 0], out)
out__store = out
return out`)
	// Of other scopes nothing is recorded.
	if l := lower(t, program(host(params, "\nwith pl.manual_scope():\n    off = 8\n    with pl.at(level=pl.Level.CORE_GROUP):\n        u = pl.load(a, [off, 0], [16, 64])\n        out = pl.store(u, [0, 0], out)\n")), "Ascend910B"); len(l.notes) != 1 {
		t.Errorf("manual scope: notes %v", l.notes)
	}
}

// The result of a branch keeps its type as it is written, and the scalar in it
// stays (recorded for tensors); of tiles it is not known.
func TestTypeOfBranchResult(t *testing.T) {
	l := exact(t, program(host("a: "+tensor+", n: pl.Scalar[pl.INDEX], out: pl.Out["+tensor+"]", `
rows = 64
s = pl.tensor.create([rows, 64], dtype=pl.FP32)
if n > 4:
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="one"):
        u = pl.load(a, [0, 0], [16, 64])
        s = pl.store(u, [0, 0], s)
with pl.at(level=pl.Level.CORE_GROUP, name_hint="two"):
    u = pl.load(s, [0, 0], [16, 64])
    out = pl.store(u, [0, 0], out)`)), "Ascend910B")
	for _, want := range []string{"rows__ssa_v0: pl.Scalar[pl.INDEX] = 64", "s__phi_v2: pl.Tensor[[rows__ssa_v0, 64], pl.FP32]", "s__ssa_v0: pl.Tensor[[64, 64], pl.FP32]"} {
		if !strings.Contains(l.text, want) {
			t.Errorf("missing %q in\n%s", want, l.text)
		}
	}
	if l := lower(t, guarded(`
rows = 8
if n > 4:
    u = pl.load(x, [0, 0], [16, 64], valid_shape=[rows, 64])
else:
    u = pl.load(x, [16, 0], [16, 64], valid_shape=[rows, 64])
pl.store(u, [0, 0], out)`), "Ascend910B"); len(l.notes) != 1 {
		t.Errorf("tile: notes %v", l.notes)
	}
}
