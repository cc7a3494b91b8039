package prelude_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ringKernel hands an [16, 128] BF16 tile (4096 bytes) to the cube core when
// v2c is set and takes an [16, 64] FP32 tile (4096 bytes) back.
func ringKernel(attr string, v2c bool) string {
	head := `@pl.function(type=pl.FunctionType.InCore)
def k(self, a: pl.Tensor[[64, 128], pl.BF16], b: pl.Tensor[[128, 64], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
`
	body := attr
	if v2c {
		body += `
v = pl.load(a, [0, 0], [16, 128])
am = pl.move(v, target_memory=pl.Mem.Mat)`
	} else {
		body += `
am = pl.load(a, [0, 0], [16, 128], target_memory=pl.Mem.Mat)`
	}
	body += `
al = pl.move(am, target_memory=pl.Mem.Left)
bm = pl.load(b, [0, 0], [128, 64], target_memory=pl.Mem.Mat)
br = pl.move(bm, target_memory=pl.Mem.Right)
c = pl.matmul(al, br)
u = pl.move(c, target_memory=pl.Mem.Vec)
pl.store(u, [0, 0], out)`
	return program(head + indented(strings.Trim(body, "\n"), 4))
}

func lines(text, part string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if strings.Contains(l, part) {
			l = strings.TrimSpace(l)
			out = append(out, plain(l))
		}
	}
	return out
}

// Spec 09 §11.1: both directions 4096 bytes a slot, two slots by default; with
// slot_num 16 and only C2V the vector half reserves 65536, the cube half none.
func TestRingSizes(t *testing.T) {
	l := exact(t, ringKernel("", true), "Ascend950")
	want := []string{
		"aic_initialize_pipe(k_c2v_slot_buffer_import, k_v2c_slot_buffer, dir_mask=3, slot_size=4096, slot_num=2)",
		"aiv_initialize_pipe(k_c2v_slot_buffer, k_v2c_slot_buffer_import, dir_mask=3, slot_size=4096, slot_num=2)",
	}
	if diff := cmp.Diff(want, lines(l.text, "initialize_pipe")); diff != "" {
		t.Error(diff)
	}
	want = []string{
		"k_v2c_slot_buffer = reserve_buffer(name='k_v2c_slot_buffer', size=8192, base=-1)",
		"k_c2v_slot_buffer = reserve_buffer(name='k_c2v_slot_buffer', size=8192, base=-1)",
	}
	if diff := cmp.Diff(want, lines(l.text, "reserve_buffer")); diff != "" {
		t.Error(diff)
	}

	l = exact(t, ringKernel(`pl.func_attr({"slot_num": 16})`, false), "Ascend950")
	want = []string{"k_c2v_slot_buffer = reserve_buffer(name='k_c2v_slot_buffer', size=65536, base=-1)"}
	if diff := cmp.Diff(want, lines(l.text, "reserve_buffer")); diff != "" {
		t.Error(diff)
	}
	// All three functions keep the attribute (09 §4, step 9).
	if n := len(lines(l.text, `"slot_num": 16`)); n != 3 {
		t.Errorf("%d functions with slot_num", n)
	}
}

// Spec 09 §4, steps 5 and 6: the count must be positive, a ring smaller than
// 2 GiB. 4096 bytes times 524288 slots are exactly 2^31.
func TestRingLimits(t *testing.T) {
	for attr, want := range map[string]string{
		`pl.func_attr({"slot_num": 0})`:      "ExpandMixedKernel: Cross-core slot_num override must be positive: 0",
		`pl.func_attr({"slot_num": 524288})`: "ExpandMixedKernel: Cross-core reserve_buffer size out of range: 2147483648",
	} {
		l := lower(t, ringKernel(attr, true), "Ascend950")
		if diff := cmp.Diff([]string{want}, l.messages()); diff != "" {
			t.Error(diff)
		}
	}
}

// pair is a hand-written cube and vector function with a group around them.
func pair(aic, aiv string) string {
	const params = "(self, a: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]])"
	return program("@pl.function(type=pl.FunctionType.AIC)\ndef c" + params + ":\n" + indented(strings.Trim(aic, "\n"), 4) +
		"\n\n@pl.function(type=pl.FunctionType.AIV)\ndef v" + params + ":\n" + indented(strings.Trim(aiv, "\n"), 4) +
		"\n\n@pl.function(type=pl.FunctionType.Group)\ndef g" + params + ":\n    self.c(a, out)\n    self.v(a, out)")
}

const (
	cubeEnd = `
buf = pl.reserve_buffer(name="ring", size=16384, base=-1)
pl.aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=8192, slot_num=2)
p: pl.Tile[[64, 64], pl.FP16, pl.MemorySpace.Mat] = pl.tpop_from_aiv(split=0)
x = pl.move(p, target_memory=pl.Mem.Left)
pl.tfree_to_aiv(p)`
	vectorEnd = `
peer = pl.import_peer_buffer(name="ring", peer_func="c")
pl.aiv_initialize_pipe(pl.const(0, pl.INT32), peer, dir_mask=2, slot_size=8192, slot_num=2)
t = pl.load(a, [0, 0], [64, 64])
pl.tpush_to_aic(t, split=0)`
)

// A hand-written pair: the push gets its adapter on Ascend950, both vector
// cores run the kernel on Ascend910B because its transport is unsplit and a
// group runs it with a cube function (09 §10), every free gets the split mode.
func TestHandWrittenPair(t *testing.T) {
	l := exact(t, pair(cubeEnd, vectorEnd), "Ascend950")
	l.check(t, "v", `
peer = import_peer_buffer(name='ring', peer_func='c')
aiv_initialize_pipe(pl.const(0, pl.INT32), peer, dir_mask=2, slot_size=8192, slot_num=2)
t = load(a, [0, 0], [64, 64], [64, 64], Vec)
t_nz = move(t, Vec, blayout=col_major, slayout=row_major)
tpush_to_aic(t_nz, split=0)`)
	l.check(t, "c", `
buf = reserve_buffer(name='ring', size=16384, base=-1)
aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=8192, slot_num=2)
p = tpop_from_aiv(split=0)
x = move(p, Left)
tfree_to_aiv(p, split=0)`)

	l = exact(t, pair(cubeEnd, vectorEnd), "Ascend910B")
	l.check(t, "v", `
pl.func_attr({"dual_aiv_dispatch": True})
subblock_idx = get_subblock_idx()
peer = import_peer_buffer(name='ring', peer_func='c')
aiv_initialize_pipe(pl.const(0, pl.INT32), peer, dir_mask=2, slot_size=8192, slot_num=2)
if subblock_idx == 0:
    t = load(a, [0, 0], [64, 64], [64, 64], Vec)
    tpush_to_aic(t, split=0)
else:
    t_1 = create([64, 64], dtype=pl.FP16, Vec)
    tpush_to_aic(t_1, split=0)`)
	l.check(t, "g", `
self.c(a, out, __gm_pipe_buffer)
self.v(a, out, __gm_pipe_buffer)`)
}

// The set-up rules of spec 09 §6.
func TestSetUpRules(t *testing.T) {
	edit := func(from, to string) string { return pair(strings.Replace(cubeEnd, from, to, 1), vectorEnd) }
	for _, c := range []struct{ src, want string }{
		{edit(", dir_mask=2", ", dir_mask=4"), "Function 'c': 'system.aic_initialize_pipe' requires valid 'dir_mask' attribute"},
		{edit("slot_size=8192", "slot_size=0"), "Function 'c': 'system.aic_initialize_pipe' requires positive 'slot_size' attribute"},
		{edit("slot_num=2", "slot_num=0"), "Function 'c': 'system.aic_initialize_pipe' 'slot_num' attribute must be positive when set"},
		{edit("slot_num=2", "slot_num=2, local_slot_num=0"), "Function 'c': 'system.aic_initialize_pipe' 'local_slot_num' attribute must be positive when set"},
		{edit("slot_num=2", "slot_num=2, local_slot_num=3"), "Function 'c': 'system.aic_initialize_pipe' 'local_slot_num' (3) must be <= effective slot_num (2)"},
		// Without slot_num one direction counts 8.
		{edit(", slot_num=2", ", local_slot_num=9"), "Function 'c': 'system.aic_initialize_pipe' 'local_slot_num' (9) must be <= effective slot_num (8)"},
		{edit(`pl.aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=8192, slot_num=2)`, ""),
			"AIC function 'c' uses cross-core tile ops but has no 'system.aic_initialize_pipe' call"},
		{edit("buf = pl.reserve", "other = pl.reserve_buffer(name=\"o\", size=64, base=-1)\nbuf = pl.reserve"),
			"Function 'c' has more 'system.reserve_buffer' calls than initialized pipe directions require"},
		{edit("buf, dir_mask=2", "buf, dir_mask=3"), "Function 'c' has fewer 'system.import_peer_buffer' calls than initialized pipe directions require"},
	} {
		l := lower(t, c.src, "Ascend950")
		found := false
		for _, m := range l.messages() {
			found = found || m == "MixedKernelExpanded: "+c.want
		}
		if !found {
			t.Errorf("want %q\ngot %q", c.want, l.messages())
		}
	}
	exact(t, edit("slot_num=2", "slot_num=2, local_slot_num=2"), "Ascend950")
}
