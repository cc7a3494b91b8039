package prelude_test

import (
	"strings"
	"testing"
)

// guarded is a kernel with scalars `n`, `m` of type INDEX around the body.
func guarded(body string) string {
	return program(`
@pl.function(type=pl.FunctionType.InCore)
def k(self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    t = pl.load(x, [0, 0], [16, 64])
` + indented(strings.Trim(body, "\n"), 4) + `
    pl.store(t, [0, 0], out)
`)
}

// A flag assigned one constant decides its branch like any other scalar (spec
// 11 §6.2).
func TestConstantFlag(t *testing.T) {
	l := exact(t, guarded(`
flag = False
if flag:
    t = pl.add(t, t)
else:
    t = pl.mul(t, t)
`), "Ascend910B")
	l.check(t, "k", `
t = load(x, [0, 0], [16, 64], [16, 64], Vec)
t = mul(t, t)
store(t, [0, 0], out)
return`)
}

// Guards that follow from the loops and branches around them, or from how a
// scalar is computed, may be decided by the reference's prover: they are kept
// and marked. Those that are open in any case are exact.
func TestGuards(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		open bool
	}{
		"within a symbolic loop's bound": {`
for i in pl.range(n):
    if i < n:
        t = pl.add(t, t)`, false},
		"open inside a symbolic loop": {`
for i in pl.range(n):
    if i < m:
        t = pl.add(t, t)`, true},
		"the last iteration": {`
for i in pl.range(n):
    if i == n - 1:
        t = pl.add(t, t)`, true},
		"computed from the other side": {`
k = n + 1
if k > n:
    t = pl.add(t, t)`, false},
		"computed, open": {`
k = n + 1
if k > m:
    t = pl.add(t, t)`, true},
		"implied by the branch around it": {`
if n > 4:
    if n > 2:
        t = pl.add(t, t)`, false},
		"excluded by the branch around it": {`
if n > 4:
    t = pl.mul(t, t)
else:
    if n > 7:
        t = pl.add(t, t)`, false},
		"open under the branch around it": {`
if n > 4:
    if n > 20000:
        t = pl.add(t, t)`, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := lower(t, guarded(c.body), "Ascend910B")
			if got := len(l.notes) == 0; got != c.open {
				t.Errorf("exact: %v, want %v; notes %v", got, c.open, l.notes)
			}
		})
	}
}

// Uses that no definition reaches, and tiles that escape from a loop with
// another tile of the same type around, are marked (spec 11 §6.1, 01 §10.1).
func TestReach(t *testing.T) {
	for name, c := range map[string]struct{ body, reason string }{
		"a loop's result inside a branch": {`
if n > 4:
    for j, (s,) in pl.range(4, init_values=(t,)):
        s2 = pl.add(s, s)
        t = pl.yield_(s2)`, "`t` is used where its definition does not reach"},
		"one branch only": {`
if n > 4:
    u = pl.add(t, t)
pl.store(u, [0, 0], out)`, "`u` is used where its definition does not reach"},
		"an escaping tile beside another one": {`
for i in pl.range(4):
    u = pl.add(t, t)
pl.store(u, [0, 0], out)`, "`u` is first assigned inside a loop and used after it; which tile it starts from is not specified"},
		// Nothing of its type: it starts undefined, and no record shows what the
		// memory passes make of that.
		"an escaping tile": {`
for i in pl.range(4):
    u = pl.load(x, [0, 0], [32, 64])
pl.store(u, [0, 0], out)`, "`u` is first assigned inside a loop and used after it: after no iteration it has no value"},
		"a call as initial value": {`
for i, (s,) in pl.range(4, init_values=(pl.exp(t),)):
    s2 = pl.add(s, s)
    t = pl.yield_(s2)
pl.store(t, [0, 0], out)`, "the initial value of a carry has a call in it; assign it to a name before the loop"},
		"both branches": {`
if n > 4:
    u = pl.add(t, t)
else:
    u = pl.mul(t, t)
pl.store(u, [0, 0], out)`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, n := range lower(t, guarded(c.body), "Ascend910B").notes {
				got = append(got, n.Reason)
			}
			if strings.Join(got, "; ") != c.reason {
				t.Errorf("got %q, want %q", got, c.reason)
			}
		})
	}
}

// A name that several loops use on their own is none of their carries: a later
// loop or branch that assigns it first does not need it (spec 11 §6.1).
func TestSiblingLoops(t *testing.T) {
	l := exact(t, guarded(`
for i in pl.range(4):
    u = pl.add(t, t)
    v = pl.mul(u, u)
    pl.store(v, [0, 0], out)
for j in pl.range(4):
    u = pl.exp(t)
    pl.store(u, [0, 0], out)
if n > 4:
    v = pl.neg(t)
    pl.store(v, [0, 0], out)
`), "Ascend910B")
	l.check(t, "k", `
t = load(x, [0, 0], [16, 64], [16, 64], Vec)
for i in pl.range(4):
    u = add(t, t)
    v = mul(u, u)
    store(v, [0, 0], out)
for j in pl.range(4):
    u = exp(t)
    store(u, [0, 0], out)
if 4 < n:
    v = neg(t)
    store(v, [0, 0], out)
store(t, [0, 0], out)
return`)
	// A branch that may leave it alone, before the use, needs it.
	l = lower(t, guarded(`
for i in pl.range(4):
    u = pl.load(x, [0, 0], [32, 64])
if n > 4:
    u = pl.load(x, [32, 0], [32, 64])
pl.store(u, [0, 0], out)
`), "Ascend910B")
	l.check(t, "k", `
t = load(x, [0, 0], [16, 64], [16, 64], Vec)
for i, (u,) in pl.range(4, init_values=(u__undef,)):
    u = load(x, [0, 0], [32, 64], [32, 64], Vec)
    u = pl.yield_(u)
if 4 < n:
    u = load(x, [32, 0], [32, 64], [32, 64], Vec)
    u = pl.yield_(u)
else:
    u = pl.yield_(u)
store(u, [0, 0], out)
store(t, [0, 0], out)
return`)
}

// A slot index that is no literal in the end, or whose variables are out of
// reach, leaves the address open.
func TestOpenSlots(t *testing.T) {
	const ring = `t2: pl.Tile[[16, 64], pl.FP32, pl.MemRef("ring", slots=2)[i % 2], pl.Mem.Vec] = pl.load(x, [i * 16, 0], [16, 64])`
	for name, c := range map[string]struct{ body, reason string }{
		"a loop of one trip": {"for i in pl.range(1):\n    " + ring,
			"the slot of `t2` is a constant that is computed"},
		"unrolled": {"for i in pl.unroll(2):\n    " + ring,
			"the slot of `t2` is computed from `i`, whose definition does not reach it"},
		// The variable keeps the type of its first assignment (spec 01 §10.2).
		"assigned in two loops": {"for i in pl.range(4):\n    " + ring + "\nfor i in pl.range(4):\n    " + ring,
			"the slot of `t2` is computed from `i`, whose definition does not reach it"},
		"a loop":    {"for i in pl.range(4):\n    " + ring, ""},
		"a literal": {"i = 3\n" + strings.Replace(ring, "i % 2", "1", 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, n := range lower(t, guarded(c.body), "Ascend910B").notes {
				got = append(got, n.Reason)
			}
			if strings.Join(got, "; ") != c.reason {
				t.Errorf("got %q, want %q", got, c.reason)
			}
		})
	}
}

// Indices of loops with constant bounds have a range: with i in 0 … 3, 64 -
// 16i is at least 16, so that the whole window is valid, and i // 4 is 0 (spec
// 11 §6.2). Planners that look at validity mark what they conclude from it.
func TestFoldOverRange(t *testing.T) {
	src := guarded(`
for i in pl.range(4):
    u = pl.load(x, [i * 16, 0], [16, 64], valid_shape=[pl.min(16, 64 - i * 16), 64])
    pl.store(u, [i // 4, 0], out)`)
	exact(t, src, "Ascend910B").check(t, "k", `
t = load(x, [0, 0], [16, 64], [16, 64], Vec)
for i in pl.range(4):
    u = load(x, [i * 16, 0], [16, 64], [16, 64], Vec)
    store(u, [0, 0], out)
store(t, [0, 0], out)
return`)
	if _, notes, _, _ := lowerText(src, "Ascend910B", "DSA_RP"); len(notes) != 1 {
		t.Errorf("DSA_RP: %v", notes)
	}
}

// n to n + 1 is one trip, which only a prover sees.
func TestSymbolicSingleTrip(t *testing.T) {
	for stop, marked := range map[string]bool{"n + 1": true, "n": true, "n + 2": false, "m": false} {
		l := lower(t, guarded("for i in pl.range(n, "+stop+"):\n    t = pl.add(t, t)"), "Ascend910B")
		if got := len(l.notes) > 0; got != marked {
			t.Errorf("range(n, %s): marked %v", stop, got)
		}
	}
}

// Distributed operations on tensors are marked, bare calls too.
func TestDistributedIsMarked(t *testing.T) {
	l := lower(t, program(`
@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[256, 512], pl.BF16], w: pld.DistributedTensor[[512, 512], pl.BF16], n: pl.Scalar[pl.INDEX]):
    pld.tensor.put(w, n, a, [0, 0], [0, 0], [128, 512], atomic=pl.AtomicType.None_, chunk_rows=8, chunk_cols=512)
`), "Ascend910B")
	if len(l.notes) != 1 {
		t.Errorf("notes: %v", l.notes)
	}
}

// The prover knows an index between the start and the last number before the
// stop, whatever the step: with q below 512 in steps of 8, 512 - q may be less
// than 8 and q + 8 more than 512 (spec 11 §6.2, recorded).
func TestRangeOfStep(t *testing.T) {
	exact(t, guarded(`
for q in pl.range(0, 512, 8):
    u = pl.load(x, [q, 0], [8, 64], valid_shape=[pl.min(8, 512 - q), 64])
    if q + 8 <= 512:
        pl.store(u, [q // 512, 0], out)
    else:
        pl.store(t, [q // 511, 0], out)`), "Ascend910B").check(t, "k", `
t = load(x, [0, 0], [16, 64], [16, 64], Vec)
for q in pl.range(0, 512, 8):
    u = load(x, [q, 0], [8, 64], [pl.min(512 - q, 8), 64], Vec)
    if q + 8 <= 512:
        store(u, [0, 0], out)
    else:
        store(t, [q // 511, 0], out)
store(t, [0, 0], out)
return`)
}

// What is known of the index of a loop that counts down, and of one whose step
// exceeds its only trip, is in doubt.
func TestDoubtfulIndex(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		marked bool
	}{
		"down, a window":        {"for r in pl.range(64, 0, -8):\n    pl.store(t, [pl.min(r, 64), 0], out)", true},
		"down, a quotient":      {"for r in pl.range(64, 0, -8):\n    pl.store(t, [r // 70, 0], out)", true},
		"down, always taken":    {"for r in pl.range(64, 0, -8):\n    if r >= 1:\n        pl.store(t, [0, 0], out)", true},
		"down, by the step":     {"for r in pl.range(64, 0, -8):\n    if r >= 8:\n        pl.store(t, [0, 0], out)", false},
		"down, nothing decided": {"for r in pl.range(64, 0, -8):\n    pl.store(t, [r - 8, 0], out)", false},
		"one trip, computed":    {"for q in pl.parallel(0, 8, 8):\n    pl.store(t, [q * 2, 0], out)", true},
		"one trip, as it is":    {"for q in pl.parallel(0, 8, 8):\n    pl.store(t, [q, 0], out)", false},
		"one trip by one":       {"for q in pl.parallel(1):\n    pl.store(t, [q * 2, 0], out)", false},
	} {
		if l := lower(t, guarded(c.body), "Ascend910B"); len(l.notes) > 0 != c.marked {
			t.Errorf("%s: notes %v", name, l.notes)
		}
	}
}
