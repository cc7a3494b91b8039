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

// The prover knows the bounds of a scalar from its definition: with h below 32,
// 32 - h is at least 1 and 160 - h more than 100 (recorded).
func TestRangeOfDefinition(t *testing.T) {
	exact(t, guarded(`
h = n % 32
pl.store(t, [pl.max(32 - h, 0), pl.min(160 - h, 48)], out)
j = pl.cast(pl.tile.read(t, [0, 0]), pl.INDEX) % 16
pl.store(t, [pl.min(j, 16), h // 32], out)
d = n - m
pl.store(t, [pl.max(d, 0), 0], out)`), "Ascend910B").check(t, "k", `
t = load(x, [0, 0], [16, 64], [16, 64], Vec)
h: pl.Scalar[pl.INDEX] = n % 32
store(t, [32 - h, 48], out)
t__tmp_v0 = read(t, [0, 0])
j = pl.cast(t__tmp_v0, pl.INDEX) % 16
store(t, [j, 0], out)
d: pl.Scalar[pl.INDEX] = n - m
store(t, [d, 0], out)
store(t, [0, 0], out)
return`)
}

// Whether it knows that a scalar is one number where constants are not
// propagated is in doubt, and so is a loop over so many.
func TestDoubtfulConstant(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		marked bool
	}{
		"trips":    {"for j in pl.range(c // 8):\n    pl.store(t, [j, 0], out)", true},
		"one trip": {"for j in pl.range(c - 7):\n    pl.store(t, [j, 0], out)", true},
		"no trip":  {"for j in pl.range(c - 8, 1 - 1):\n    pl.store(t, [j, 0], out)", true},
		"branch":   {"if c == 8:\n    pl.store(t, [0, 0], out)", true},
		"minimum":  {"pl.store(t, [pl.min(c, 16), 0], out)", true},
		"sum":      {"pl.store(t, [c + 4, 0], out)", false},
	} {
		body := "for i in pl.range(4):\n    c = 8\n" + indented(c.body, 4)
		if l := lower(t, guarded(body), "Ascend910B"); len(l.notes) > 0 != c.marked {
			t.Errorf("%s: notes %v\n%s", name, l.notes, l.text)
		}
	}
}

// A scalar that is computed from a call is simplified around it (recorded): a
// product with 0 takes the call away.
func TestFoldAroundCalls(t *testing.T) {
	exact(t, guarded(`
k = pl.cast(pl.tile.read(t, [0, 1]), pl.INDEX) * 0
pl.store(t, [k, pl.min(8, pl.cast(pl.tile.read(t, [0 + 0, n * 1]), pl.INDEX) + 4 + 2)], out)
j = pl.cast(pl.tile.read(t, [0, 3]), pl.INDEX) + (n - n)
if pl.cast(pl.tile.read(t, [0, 4]), pl.INDEX) > 0:
    pl.store(t, [j, 0], out)`), "Ascend910B").check(t, "k", `
t = load(x, [0, 0], [16, 64], [16, 64], Vec)
store(t, [0, pl.min(pl.cast(read(t, [0, n]), pl.INDEX) + 6, 8)], out)
t__tmp_v0 = read(t, [0, 3])
j = pl.cast(t__tmp_v0, pl.INDEX)
t__tmp_v1 = read(t, [0, 4])
if 0 < pl.cast(t__tmp_v1, pl.INDEX):
    store(t, [j, 0], out)
store(t, [0, 0], out)
return`)
	// Whether two equal calls are one value is not known.
	if l := lower(t, guarded(`
pl.store(t, [pl.cast(pl.tile.read(t, [0, 1]), pl.INDEX) - pl.cast(pl.tile.read(t, [0, 1]), pl.INDEX), 0], out)`), "Ascend910B"); len(l.notes) != 1 {
		t.Errorf("twins: notes %v", l.notes)
	}
}
