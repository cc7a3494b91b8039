package prelude_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir/prelude"
)

// kernel is a mixed kernel with the usual parameters; its body is given.
func kernel(body string) string {
	return program(`@pl.function(type=pl.FunctionType.InCore)
def k(self, n: pl.Scalar[pl.INDEX], a: pl.Tensor[[64, 64], pl.FP16], b: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]], out2: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
` + indented(strings.Trim(body, "\n"), 4))
}

// operands load both factors of a product straight into the cube core.
const operands = `
am = pl.load(a, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
al = pl.move(am, target_memory=pl.Mem.Left)
bm = pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
br = pl.move(bm, target_memory=pl.Mem.Right)
`

const operandsLowered = `am = load(a, [0, 0], [64, 64], [64, 64], Mat)
al = move(am, Left)
bm = load(b, [0, 0], [64, 64], [64, 64], Mat)
br = move(bm, Right)
`

// rowMajor keeps the layout pass out of the way.
const rowMajor = ", target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"

// c2v is the ring of a kernel that only hands [64, 64] FP32 tiles to the
// vector core: 64 * 64 * 4 bytes a slot, two slots.
const (
	c2vCube = `k_c2v_slot_buffer_import = import_peer_buffer(name='k_c2v_slot_buffer', peer_func='k_aiv')
aic_initialize_pipe(k_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
`
	c2vVector = `k_c2v_slot_buffer = reserve_buffer(name='k_c2v_slot_buffer', size=32768, base=-1)
aiv_initialize_pipe(k_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
`
)

// Spec 11b §4.8, example 1: a vector tile moved straight to Left pops into Mat
// and moves on; the slot is free after that move. The row maximum needs no
// layout repair. V2C [64,64] FP16 is 8192 bytes, C2V FP32 16384: the larger one
// sizes both rings (09 §4).
func TestExpandStraightLine(t *testing.T) {
	src := kernel(`
av = pl.load(a, [0, 0], [64, 64])
av2 = pl.add(av, av)
al = pl.move(av2, target_memory=pl.Mem.Left)
bm = pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
br = pl.move(bm, target_memory=pl.Mem.Right)
c = pl.matmul(al, br)
u = pl.move(c, target_memory=pl.Mem.Vec)
tmp = pl.tile.create([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
m = pl.row_max(u, tmp)
w = pl.row_expand_sub(u, m)
out = pl.store(w, [0, 0], out)
return out
`)
	l := exact(t, src, "Ascend950")
	l.check(t, "k_aic", `
k_v2c_slot_buffer = reserve_buffer(name='k_v2c_slot_buffer', size=32768, base=-1)
k_c2v_slot_buffer_import = import_peer_buffer(name='k_c2v_slot_buffer', peer_func='k_aiv')
aic_initialize_pipe(k_c2v_slot_buffer_import, k_v2c_slot_buffer, dir_mask=3, slot_size=16384, slot_num=2)
al_mat = tpop_from_aiv(split=0)
al = move(al_mat, Left, blayout=col_major, slayout=row_major)
tfree_to_aiv(al_mat, split=0)
bm = load(b, [0, 0], [64, 64], [64, 64], Mat)
br = move(bm, Right)
c = matmul(al, br)
tpush_to_aiv(c, split=0)`)
	l.check(t, "k_aiv", `
k_v2c_slot_buffer_import = import_peer_buffer(name='k_v2c_slot_buffer', peer_func='k_aic')
k_c2v_slot_buffer = reserve_buffer(name='k_c2v_slot_buffer', size=32768, base=-1)
aiv_initialize_pipe(k_c2v_slot_buffer, k_v2c_slot_buffer_import, dir_mask=3, slot_size=16384, slot_num=2)
av = load(a, [0, 0], [64, 64], [64, 64], Vec)
av2 = add(av, av)
av2_nz = move(av2, Vec, blayout=col_major, slayout=row_major)
tpush_to_aic(av2_nz, split=0)
u = tpop_from_aic(split=0)
tmp = create([64, 64], dtype=pl.FP32, Vec)
m = row_max(u, tmp)
w = row_expand_sub(u, m)
tfree_to_aic(u, split=0)
out = store(w, [0, 0], out)
return out`)
	l.check(t, "k", `
self.k_aic(n, a, b, out, out2)
self.k_aiv(n, a, b, out, out2)
return out`)

	// Ascend910B: no adapter, a workspace for the pipes in all three.
	l = exact(t, src, "Ascend910B")
	if strings.Contains(l.text, "_nz") {
		t.Error("an adapter on a target without fractal transfers")
	}
	for _, f := range []string{"k_aic", "k_aiv", "k"} {
		if !strings.Contains(l.signature(f), "__gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32]])") {
			t.Errorf("%s has no workspace: %s", f, l.signature(f))
		}
	}
	if strings.Contains(l.signature("k_aic"), "->") || !strings.Contains(l.signature("k_aiv"), "-> pl.Tensor[[64, 64], pl.FP32]") {
		t.Errorf("results: %s / %s", l.signature("k_aic"), l.signature("k_aiv"))
	}
}

// Spec 11b §4.8, example 2: in the cube half the carry o disappears, s stays
// because a branch yields it, the other branch yields s as well, and the load
// of its initial value is copied there.
func TestExpandCarry(t *testing.T) {
	l := exact(t, kernel(`
z = pl.load(out2, [0, 0], [64, 64])`+operands+`
for i, (s, o) in pl.range(n, init_values=(z, out)):
    c = pl.matmul(al, br)
    if i < 2:
        u = pl.move(c`+rowMajor+`)
        w = pl.add(u, s)
        ph = pl.yield_(w)
    else:
        ph = pl.yield_(s)
    o1 = pl.store(ph, [0, 0], o)
    r1, r2 = pl.yield_(ph, o1)
return r2
`), "Ascend950")
	l.check(t, "k_aic", c2vCube+operandsLowered+`z = load(out2, [0, 0], [64, 64], [64, 64], Vec)
for i, (s,) in pl.range(n, init_values=(z,)):
    c = matmul(al, br)
    if i < 2:
        tpush_to_aiv(c, split=0)
        ph = pl.yield_(s)
    else:
        ph = pl.yield_(s)
    r1 = pl.yield_(ph)`)
	l.check(t, "k_aiv", c2vVector+`z = load(out2, [0, 0], [64, 64], [64, 64], Vec)
for i, (s, o) in pl.range(n, init_values=(z, out)):
    if i < 2:
        u = tpop_from_aic(split=0)
        w = add(u, s)
        tfree_to_aic(u, split=0)
        ph = pl.yield_(w)
    else:
        ph = pl.yield_(s)
    o1 = store(ph, [0, 0], o)
    r1, r2 = pl.yield_(ph, o1)
return out`)
}

// Spec 11b §4.8, example 3: a loop that yields the popped tile itself yields
// its carry instead in the vector half.
func TestExpandYieldsPopped(t *testing.T) {
	l := exact(t, kernel(`
z = pl.load(out2, [0, 0], [64, 64])`+operands+`
for i, (s,) in pl.range(n, init_values=(z,)):
    c = pl.matmul(al, br)
    u = pl.move(c`+rowMajor+`)
    w = pl.add(u, s)
    pl.store(w, [0, 0], out)
    r = pl.yield_(u)
return out
`), "Ascend950")
	l.check(t, "k_aiv", c2vVector+`z = load(out2, [0, 0], [64, 64], [64, 64], Vec)
for i, (s,) in pl.range(n, init_values=(z,)):
    u = tpop_from_aic(split=0)
    w = add(u, s)
    tfree_to_aic(u, split=0)
    store(w, [0, 0], out)
    r = pl.yield_(s)
return out`)
	l.check(t, "k_aic", c2vCube+operandsLowered+`for i in pl.range(n):
    c = matmul(al, br)
    tpush_to_aiv(c, split=0)`)
}

// Spec 11b §4.8, example 4: a cube store read back by the vector core is
// fenced; the load reads the parameter.
func TestExpandFence(t *testing.T) {
	l := exact(t, kernel(operands+`
cc = pl.matmul(al, br)
o1 = pl.store(cc, [0, 0], out)
for i in pl.range(n):
    t = pl.load(o1, [i, 0], [16, 64])
    t2 = pl.add(t, t)
    q = pl.store(t2, [i, 0], out2)
return out2
`), "Ascend950")
	l.check(t, "k_aic", c2vCube+operandsLowered+`cc = matmul(al, br)
o1 = store(cc, [0, 0], out)
tpush_to_aiv(cc, split=0)`)
	l.check(t, "k_aiv", c2vVector+`out_gm_sync = tpop_from_aic(split=0)
tfree_to_aic(out_gm_sync, split=0)
for i in pl.range(n):
    t = load(out, [i, 0], [16, 64], [16, 64], Vec)
    t2 = add(t, t)
    q = store(t2, [i, 0], out2)
return out2`)
}

// Spec 11b §4.8, example 5: nested in another loop, the producers of a carry's
// initial value are copied again, operands in reverse order.
func TestExpandNestedCarry(t *testing.T) {
	l := exact(t, kernel(operands+`
z0 = pl.load(out2, [0, 0], [64, 64])
z1 = pl.load(out2, [0, 0], [64, 64])
z = pl.add(z0, z1)
z = pl.mul(z, z)
for k in pl.range(n):
    for i, (s,) in pl.range(n, init_values=(z,)):
        c = pl.matmul(al, br)
        u = pl.move(c`+rowMajor+`)
        w = pl.add(u, s)
        pl.store(w, [0, 0], out)
        r = pl.yield_(w)
return out
`), "Ascend950")
	want := []string{"z0 = load", "z1 = load", "z = add", "z = mul", "for k", "    z1_1 = load", "    z0_1 = load", "    z_1 = add", "    z_1 = mul", "    for i"}
	var got []string
	for _, line := range strings.Split(l.body("k_aiv"), "\n") {
		for _, w := range want {
			if strings.HasPrefix(line, w) {
				got = append(got, w)
				break
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, l.body("k_aiv"))
	}
}

// A carry that starts from a moved tile itself fails in StampTfreeSplit at the
// top level and is marked in any case (spec 11b §4.4, consequence c).
func TestExpandPoppedInit(t *testing.T) {
	src := operands + `
c0 = pl.matmul(al, br)
u0 = pl.move(c0` + rowMajor + `)
for i, (s,) in pl.range(n, init_values=(u0,)):
    w = pl.add(s, s)
    r = pl.yield_(w)
pl.store(r, [0, 0], out)
return out
`
	l := lower(t, kernel(src), "Ascend950")
	want := []string{"StampTfreeSplit: system.tfree_to_aic requires its tile argument to come from a matching tile.tpop_from_ai{c,v}, but no originating tpop was found"}
	if diff := cmp.Diff(want, l.messages()); diff != "" {
		t.Error(diff)
	}
	if len(l.notes) != 1 || l.notes[0].Pass != "ExpandMixedKernel" {
		t.Errorf("notes %v", l.notes)
	}
	// With an operation in between the carry is fine.
	exact(t, kernel(strings.Replace(strings.Replace(src, "(u0,)", "(u1,)", 1), "for i", "u1 = pl.add(u0, u0)\nfor i", 1)), "Ascend950")
}

// Pure kernels are only typed; without anything to classify they go to the
// vector core (spec 11 §5).
func TestExpandPure(t *testing.T) {
	for name, c := range map[string]struct{ body, kind string }{
		"cube":   {operands + "c = pl.matmul(al, br)\npl.store(c, [0, 0], out)\nreturn out", "AIC"},
		"vector": {"t = pl.load(a, [0, 0], [64, 64])\nt = pl.add(t, t)\nreturn out", "AIV"},
		"none":   {"return out", "AIV"},
	} {
		l := exact(t, kernel(c.body), "Ascend910B")
		if !strings.Contains(l.text, "type=pl.FunctionType."+c.kind+", level=pl.Level."+c.kind+",") || strings.Contains(l.text, "_aiv") {
			t.Errorf("%s: %s", name, l.text)
		}
	}
}

// Split kernels are outside the rules: marked, not split.
func TestExpandSplitIsMarked(t *testing.T) {
	l := lower(t, kernel("pl.func_attr({\"split\": pl.SplitMode.UP_DOWN})\n"+operands+`
c = pl.matmul(al, br)
u = pl.move(c, target_memory=pl.Mem.Vec)
pl.store(u, [0, 0], out)
return out`), "Ascend950")
	found := false
	for _, n := range l.notes {
		found = found || n.Pass == "ExpandMixedKernel"
	}
	if !found || strings.Contains(l.text, "k_aic") {
		t.Errorf("%v\n%s", l.notes, l.text)
	}
}

// A value computed on one core and read on the other one without a move is
// marked: `x` is a scalar read from a vector tile.
func TestExpandMissingTransfer(t *testing.T) {
	l := lower(t, kernel(operands+`
v = pl.load(out2, [0, 0], [64, 64])
x = pl.tile.read(v, [0, 0])
c = pl.matmul(al, br)
u = pl.move(c`+rowMajor+`)
u = pl.add(u, v)
pl.store(u, [0, 0], out)
if x > 0.0:
    pl.store(c, [0, 0], out)
return out`), "Ascend950")
	found := false
	for _, n := range l.notes {
		found = found || n.Pass == "ExpandMixedKernel" && strings.Contains(n.Reason, "`x` is used on the aic side")
	}
	if !found {
		t.Errorf("%v\n%s", l.notes, l.text)
	}
}

// A mixed while loop is rebuilt in both halves; its condition reads the scalar
// carry, which both keep (spec 11b §4.1, §4.2 step 5).
func TestExpandWhile(t *testing.T) {
	l := exact(t, kernel(operands+`
k = 0
while k < n:
    c = pl.matmul(al, br)
    u = pl.move(c`+rowMajor+`)
    pl.store(u, [0, 0], out)
    k = k + 1
`), "Ascend950")
	l.check(t, "k_aic", c2vCube+operandsLowered+`for (k,) in pl.while_(init_values=(0,)):
    pl.cond(k < n)
    c = matmul(al, br)
    tpush_to_aiv(c, split=0)
    k: pl.Scalar[pl.INDEX] = k + 1
    k = pl.yield_(k)`)
	l.check(t, "k_aiv", c2vVector+`for (k,) in pl.while_(init_values=(0,)):
    pl.cond(k < n)
    u = tpop_from_aic(split=0)
    store(u, [0, 0], out)
    tfree_to_aic(u, split=0)
    k: pl.Scalar[pl.INDEX] = k + 1
    k = pl.yield_(k)
return`)
}

// A push that the author wrote gets its adapter on Ascend950 in a kernel that is
// split too (spec 11b §4.3).
func TestExpandAdaptsAuthorsPush(t *testing.T) {
	l := exact(t, kernel(`
v = pl.load(a, [0, 0], [64, 64])
w = pl.add(v, v)
pl.tpush_to_aic(w, split=0)
m: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat] = pl.tpop_from_aiv(split=0)
al = pl.move(m, target_memory=pl.Mem.Left)
pl.tfree_to_aiv(m)
bm = pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
br = pl.move(bm, target_memory=pl.Mem.Right)
c = pl.matmul(al, br)
u = pl.move(c`+rowMajor+`)
pl.store(pl.mul(u, u), [0, 0], out)
return out`), "Ascend950")
	if body := l.body("k_aiv"); !strings.Contains(body, "tpush_to_aic(w_nz, split=0)") {
		t.Error(body)
	}
}

// A pop that the author wrote is never copied before a loop (spec 11b §4.4, R2).
func TestExpandKeepsAuthorsPop(t *testing.T) {
	l := lower(t, kernel(operands+`
c = pl.matmul(al, br)
pl.tpush_to_aiv(c, split=0)
u: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tpop_from_aic(split=0)
w = pl.add(u, u)
pl.tfree_to_aic(u)
for k in pl.range(n):
    for i, (s,) in pl.range(n, init_values=(w,)):
        c2 = pl.matmul(al, br)
        v = pl.move(c2`+rowMajor+`)
        r = pl.yield_(pl.add(s, v))
    pl.store(r, [0, 0], out)
return out`), "Ascend950")
	if body := l.body("k_aiv"); strings.Count(body, "tpop_from_aic") != 2 || strings.Count(body, "tfree_to_aic") != 2 {
		t.Error(body)
	}
}

// How many iterations a stepped pipeline leaves over is counted from its start:
// recorded, `(n - 0 + 7) // 8 - (n - 0 + 7) // 8 // 2 * 2`.
func TestPipelineStepRemainder(t *testing.T) {
	l := exact(t, kernel(`
for i in pl.pipeline(0, n, 8, stage=2):
    x = pl.load(out2, [i, 0], [8, 64])
    pl.store(pl.add(x, x), [i, 0], out)
return out`), "Ascend910B")
	if !strings.Contains(l.text, "unroll_rem: pl.Scalar[pl.INDEX] = (n__ssa_v0 - 0 + 7) // 8 - (n__ssa_v0 - 0 + 7) // 8 // 2 * 2") {
		t.Error(l.text)
	}
}

// An escaping store result may start from several output parameters, and a
// cluster scope becomes a group: neither is decided silently.
func TestNotDecided(t *testing.T) {
	outs := lower(t, kernel(`
for i in pl.range(n):
    v = pl.load(out2, [0, 0], [64, 64])
    o = pl.store(v, [0, 0], out)
return o`), "Ascend910B")
	cluster := lower(t, program(`
@pl.function(type=pl.FunctionType.AIC)
def k_aic(self, a: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]) -> pl.Tensor[[64, 64], pl.FP16]:
    buf = pl.reserve_buffer(name="to_cube", size=32768, base=-1)
    pl.aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=8192, slot_num=4)
    p: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat] = pl.tpop_from_aiv(split=0)
    x = pl.move(p, target_memory=pl.Mem.Left)
    pl.tfree_to_aiv(p)
    return out

@pl.function(type=pl.FunctionType.AIV)
def k_aiv(self, a: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]) -> pl.Tensor[[64, 64], pl.FP16]:
    peer = pl.import_peer_buffer(name="to_cube", peer_func="k_aic")
    pl.aiv_initialize_pipe(pl.const(0, pl.INT32), peer, dir_mask=2, slot_size=8192, slot_num=4)
    t = pl.load(a, [0, 0], [64, 64])
    pl.tpush_to_aic(pl.add(t, t), split=0)
    return out

@pl.function(type=pl.FunctionType.Orchestration)
def main(self, a: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]) -> pl.Tensor[[64, 64], pl.FP16]:
    with pl.cluster():
        out = self.k_aic(a, out)
        out2 = self.k_aiv(a, out)
    return out`), "Ascend910B")
	for _, c := range []struct {
		l      lowered
		reason string
	}{{outs, "`o` is first assigned inside a loop and used after it; which of several output parameters of its type it starts from is not specified"},
		{cluster, "a `pl.cluster` scope that becomes a group runs this function"}} {
		if !slices.ContainsFunc(c.l.notes, func(n prelude.Note) bool { return n.Reason == c.reason }) {
			t.Errorf("notes %v, want %q", c.l.notes, c.reason)
		}
	}
}
