package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConvertShorthand: documentation shorthand becomes what the reference
// reads; what is left open stays as it is.
func TestConvertShorthand(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"prefixes", `def main(a: Tensor[[64, 64], FP32], out: Tensor[[64, 64], FP32]):
    mem_vec_0: Ptr = tile.alloc(Vec, 16384)
    tile_a: Tile[[64, 64], FP32, MemRef(mem_vec_0, -1, 16384)] = tile.load(a, [0, 0], [64, 64])
    r: Tensor[[64, 64], FP32] = tile.store(tile_a, [0, 0], out)
    return r
`, `import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
def main(a: pl.Tensor[[64, 64], pl.FP32], out: pl.Tensor[[64, 64], pl.FP32]):
    mem_vec_0: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    tile_a: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_0, 0, 16384), pl.Mem.Vec] = pl.tile.load(a, [0, 0], [64, 64])
    r: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(tile_a, [0, 0], out)
    return r
`},
		{"allocations by number", `import pypto.language as pl

def main(x: Tensor[[64, 64], FP32, memref=mem_ddr_0], out: Out[Tensor[[64, 64], FP32, memref=mem_ddr_1]]):
    # SeqStmts [
    m0: MemRefType = tile.alloc(Vec, -1, 16384, 2)
    a: Tile[[64, 64], FP32, memref=m0] = tile.load(x, [0, 0], [64, 64])
    r: Tensor[[64, 64], FP32, memref=mem_ddr_1] = tile.store(a, [0, 0], out)
    #   ReturnStmt [r]
    # ]
`, `import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
def main(x: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_0", 0, 16384)], out: pl.Out[pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_1", 0, 16384)]]):
    m0: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    a: pl.Tile[[64, 64], pl.FP32, pl.MemRef(m0, 0, 16384), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64])
    r: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_1", 0, 16384)] = pl.tile.store(a, [0, 0], out)
    return r
`},
		{"left open", "def main(a: Tensor[[64, 64], FP32]):\n    t: Tile[[64, 64], FP32] = tile.load(a, ...)\n", ""},
		{"current", "import pypto.language as pl\n\n@pl.function(type=pl.FunctionType.InCore)\ndef k(a: pl.Tensor[[64, 64], pl.FP32]):\n    t = pl.tile.load(a, [0, 0], [64, 64])\n", ""},
		{"the end of one being written, after another of its name", `@pl.program
        b: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='b', size=458752, base=-1)
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def main(w: pl.Tensor[[64, 64], pl.BF16]):
        pl.func_attr({"slot_num": 7})
    def main(w: pl.Tensor[[64, 64], pl.BF16]):
        pl.func_attr({"slot_num": 7})
        self.k_aic(w)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := recordedDocument(NewEngine(1<<20), "doc.py", c.before, "Ascend910B", "PYPTO")
			found := d.RewritesAt(0, len(c.before))
			after := ""
			if len(found) > 0 {
				after = ApplyEdits(c.before, found[0].Edits)
				if found[0].Kind != RewriteFix || found[0].Title != "Convert 'main' to current syntax" {
					t.Errorf("%+v", found[0])
				}
			}
			if diff := cmp.Diff(c.after, after); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFixAll: safe fixes go together; the sure ones take the preferred fixes
// of errors along that there is nothing to mind about.
func TestFixAll(t *testing.T) {
	const text = `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, attrs={"windowize": True})
    def k(self, x: pl.Tensor[[128, 128], pl.FP32], out: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        a = pl.tile.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        for i, (acc,) in pl.range(4, init_values=(a,)):
            c = pl.tile.exp(acc)
        pl.tile.store(a, [0, 0], out)
        return out
`
	d := recordedDocument(NewEngine(1<<20), "k.py", text, "Ascend910B", "PYPTO")
	safe := strings.Replace(strings.Replace(text, `, attrs={"windowize": True}`, "", 1), "        a = pl", "        pl.func_attr({\"windowize\": True})\n        a = pl", 1)
	if diff := cmp.Diff(safe, ApplyEdits(text, d.SafeFixes())); diff != "" {
		t.Error(diff)
	}
	sure := strings.Replace(safe, "exp(acc)\n", "exp(acc)\n            acc_next = pl.yield_(c)\n", 1)
	if diff := cmp.Diff(sure, ApplyEdits(text, d.SureFixes())); diff != "" {
		t.Error(diff)
	}
	done := recordedDocument(NewEngine(1<<20), "k.py", sure, "Ascend910B", "PYPTO")
	if e := done.SureFixes(); len(e) > 0 {
		t.Errorf("made again: %v", e)
	}
}

// TestRingNotSure: a depth of 1 is something to mind, so it is not taken
// without asking; 7 of 8 is (65536 B a slot, 8192 B beside: spec 09 §11.2).
func TestRingNotSure(t *testing.T) {
	ring := func(depth, slot string) string {
		return strings.NewReplacer("DEPTH", depth, "SLOT", slot).Replace(`import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def k_aic(w: pl.Tensor[[64, 64], pl.BF16]):
        k_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_v2c_slot_buffer', size=524288, base=-1)
        pl.system.aic_initialize_pipe(pl.const(0, pl.INT32), k_v2c_slot_buffer, dir_mask=2, slot_size=SLOT, slot_num=DEPTH)
        b: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        c: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b, target_memory=pl.Mem.Right)
`)
	}
	for _, c := range []struct {
		depth, slot, advice string
		taken               bool
	}{
		{"8", "65536", "The largest depth of the ring that fits is slot_num=7 (now 8): Mat 466,944 / 524,288 B.", true},
		{"2", "262144", "The largest depth of the ring that fits is slot_num=1 (now 2): Mat 270,336 / 524,288 B. With one slot the cores take turns: the producer waits until each tile is taken over.", false},
	} {
		text := ring(c.depth, c.slot)
		d := recordedDocument(NewEngine(1<<20), "k.py", text, "Ascend910B", "PYPTO")
		found := false
		for _, f := range d.Findings() {
			if f.Code == "capacity" {
				found = true
				if !strings.HasSuffix(f.Explain, c.advice) {
					t.Errorf("%s slots: %q, want it to end in %q", c.depth, f.Explain, c.advice)
				}
			}
		}
		if !found {
			t.Fatalf("%s slots of %s: no overflow", c.depth, c.slot)
		}
		if taken := len(d.SureFixes()) > 0; taken != c.taken {
			t.Errorf("%s slots: taken %v, want %v", c.depth, taken, c.taken)
		}
	}
}

// TestAdviceOtherHalf: with one slot a cube half has 32768 + 65536 of 524288
// bytes in Mat and fits; what does not is the vector half, whose slot of 65536
// leaves no room for two tiles of 65536 in 188416. Its space is named.
func TestAdviceOtherHalf(t *testing.T) {
	text := `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[256, 1024], pl.BF16], w: pl.Tensor[[1024, 256], pl.BF16], out: pl.Out[pl.Tensor[[256, 512], pl.FP32]]) -> pl.Tensor[[256, 512], pl.FP32]:
        pl.func_attr({"slot_num": 16})
        a = pl.tile.load(x, [0, 0], [128, 128], target_memory=pl.Mem.Vec)
        b = pl.tile.mul(a, a)
        m = pl.tile.move(b, target_memory=pl.Mem.Mat)
        n = pl.tile.load(w, [0, 0], [128, 128], target_memory=pl.Mem.Mat)
        l = pl.tile.move(m, target_memory=pl.Mem.Left)
        r = pl.tile.move(n, target_memory=pl.Mem.Right)
        c = pl.tile.matmul(l, r)
        u = pl.tile.move(c, target_memory=pl.Mem.Vec)
        v = pl.tile.mul(u, u)
        out = pl.tile.store(v, [0, 0], out)
        return out
`
	d := recordedDocument(NewEngine(1<<20), "k.py", text, "Ascend910B", "PYPTO")
	want := map[string]string{
		"k_aic": "No depth of the ring fits, not even slot_num=1: Vec 196,608 / 188,416 B in k_aiv.",
		"k_aiv": "No depth of the ring fits, not even slot_num=1: Vec 196,608 / 188,416 B.",
	}
	for _, f := range d.Findings() {
		if f.Code == "capacity" {
			if got := d.Advice(&f); !strings.HasPrefix(got, want[f.Func]+" ") {
				t.Errorf("%s: %s\nwant %s", f.Func, got, want[f.Func])
			}
			if !strings.Contains(f.Explain, "They leave no room for tiles: lower the ring's depth") || strings.Contains(f.Explain, "tile that is live there") {
				t.Errorf("%s: shrinking tiles is no help beside 1 MiB of ring: %s", f.Func, f.Explain)
			}
			delete(want, f.Func)
		}
	}
	if len(want) > 0 {
		t.Errorf("no overflow in %v", want)
	}
}

// TestAdvice: what tile has to become how large.
//
// single: a [128, 128] and b [128, 256] FP32 are 65536 + 131072 = 196608, over
// 188416. Halving the rows of a frees least: 32768 + 131072 = 163840.
//
// crossing: a slot of [128, 256] FP32 is 131072, and w takes 65536: even one
// slot is 196608. Halved, [64, 256], a slot is 65536: one fits, 131072.
func TestAdvice(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"single", `    def k_aiv(x: pl.Tensor[[512, 512], pl.FP32], out: pl.Out[pl.Tensor[[512, 512], pl.FP32]]):
        a: pl.Tile[[128, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [128, 128], [128, 128], target_memory=pl.Mem.Vec)
        b: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [128, 256], [128, 256], target_memory=pl.Mem.Vec)
        s: pl.Tensor[[512, 512], pl.FP32] = pl.tile.store(a, [0, 0], out)
        r: pl.Tensor[[512, 512], pl.FP32] = pl.tile.store(b, [0, 0], out)
`, "The smallest single change that fits: halve the rows of 'a', [128, 128] FP32 → [64, 128]: Vec 163,840 / 188,416 B."},
		{"crossing", `    def k_aiv(x: pl.Tensor[[512, 512], pl.FP32], out: pl.Out[pl.Tensor[[512, 512], pl.FP32]]):
        k_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_c2v_slot_buffer', size=262144, base=-1)
        pl.system.aiv_initialize_pipe(k_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=131072, slot_num=2)
        p: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
        s: pl.Tensor[[512, 512], pl.FP32] = pl.tile.store(p, [0, 0], out)
        pl.system.tfree_to_aic(p, split=0)
        w: pl.Tile[[128, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [128, 128], [128, 128], target_memory=pl.Mem.Vec)
        r: pl.Tensor[[512, 512], pl.FP32] = pl.tile.store(w, [0, 0], out)
`, "No depth of the ring fits, not even slot_num=1: Vec 196,608 / 188,416 B. The tile that crosses, 'p' with 131,072 B a slot, has to shrink: halve the rows of it, [128, 256] FP32 → [64, 256]; with slot_num=1 then Vec 131,072 / 188,416 B."},
	} {
		text := "import pypto.language as pl\n\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)\n" + c.body
		d := recordedDocument(NewEngine(1<<20), "k.py", text, "Ascend910B", "PYPTO")
		found := false
		for _, f := range d.Findings() {
			if f.Code != "capacity" {
				continue
			}
			found = true
			if got := d.Advice(&f); got != c.want {
				t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
			}
			if x := d.Fixes(&f, nil); len(x) > 0 {
				t.Errorf("%s: offered %q", c.name, x[0].Title)
			}
		}
		if !found {
			t.Errorf("%s: no overflow", c.name)
		}
	}
}

// TestRecordedTextsAreNotStale: texts of the compiler are not said to be
// edited by hand, whichever planner one looks at them with.
func TestRecordedTextsAreNotStale(t *testing.T) {
	texts := 0
	for _, path := range recordedCases(t) {
		c, err := readCase(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.sections {
			if s.name != "after_AllocateMemoryAddr.py" && s.name != "after_MemoryReuse.py" {
				continue
			}
			for _, planner := range []string{"PYPTO", "DSA_RP"} {
				if planner != c.planner && s.name != "after_AllocateMemoryAddr.py" {
					continue
				}
				texts++
				d := recordedDocument(NewEngine(1<<20), s.name, s.text, c.platform, planner)
				for _, i := range d.FuncChunks() {
					for _, f := range d.Func(i).Findings {
						switch f.Code {
						case "stale-address", "unused-alloc", "memory-space", "deprecated":
							t.Errorf("%s %s as %s: %s: %s", c.name, s.name, planner, f.Code, f.Message)
						}
					}
				}
			}
		}
	}
	t.Logf("%d texts", texts)
}

// TestAdviceFollowsPeer: advice about a ring changes with its other half: k_aiv
// holds 180224 B beside its ring of 4096 B a slot, so 2 slots fit there; without
// it 126 in Mat, (524288 - 8192) / 4096.
func TestAdviceFollowsPeer(t *testing.T) {
	const aic = `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def k_aic(w: pl.Tensor[[64, 64], pl.BF16]):
        k_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_v2c_slot_buffer', size=524288, base=-1)
        i: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='k_c2v_slot_buffer', peer_func='k_aiv')
        pl.system.aic_initialize_pipe(i, k_v2c_slot_buffer, dir_mask=3, slot_size=4096, slot_num=128)
        b: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        c: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b, target_memory=pl.Mem.Right)
`
	const aiv = `    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def k_aiv(x: pl.Tensor[[352, 128], pl.FP32], o: pl.Out[pl.Tensor[[352, 128], pl.FP32]]):
        j: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='k_v2c_slot_buffer', peer_func='k_aic')
        k_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_c2v_slot_buffer', size=524288, base=-1)
        pl.system.aiv_initialize_pipe(k_c2v_slot_buffer, j, dir_mask=3, slot_size=4096, slot_num=128)
        t: pl.Tile[[352, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [352, 128], [352, 128], target_memory=pl.Mem.Vec)
        s: pl.Tensor[[352, 128], pl.FP32] = pl.tile.store(t, [0, 0], o)
`
	e := NewEngine(1 << 20)
	for _, c := range []struct{ text, want string }{
		{aic, "slot_num=126 (now 128)"}, {aic + aiv, "slot_num=2 (now 128)"}, {aic, "slot_num=126 (now 128)"},
		{aic + strings.ReplaceAll(aiv, "352", "344"), "slot_num=3 (now 128)"}, // 4096 B less
	} {
		d := recordedDocument(e, "k.py", c.text, "Ascend910B", "PYPTO")
		found := false
		for _, f := range d.Findings() {
			if f.Code == "capacity" && f.Func == "k_aic" {
				found = true
				if !strings.Contains(f.Explain, c.want) {
					t.Errorf("%q, want %q in it", f.Explain, c.want)
				}
			}
		}
		if !found {
			t.Error("no overflow")
		}
	}
}
