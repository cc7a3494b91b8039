package prelude_test

import "testing"

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
