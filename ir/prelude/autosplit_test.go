package prelude_test

import (
	"strings"
	"testing"
)

// region is a kernel whose vector part stands in a pl.split_aiv region.
func region(mode, before, inside string) string {
	return program(`@pl.function
def f(self, a: pl.Tensor[[64, 64], pl.FP16], b: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[` + tensor + `]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="qk"):
` + indented(strings.Trim(operands+before, "\n"), 8) + `
        c = pl.matmul(al, br)
        for lane in pl.split_aiv(2, mode=pl.SplitMode.` + mode + `):
            q = pl.aiv_shard(c)
` + indented(strings.Trim(inside, "\n"), 12))
}

// A region over rows: the cube core pushes the whole tile, each vector core
// pops its half; the ring is sized by the whole tile and set up after the core's
// index (09 §4, steps 4 and 8); no replay; the store's alias is dead code.
func TestSplitRegion(t *testing.T) {
	l := exact(t, region("UP_DOWN", "", "q = pl.mul(q, 2.0)\nout = pl.store(q, [lane * 32, 0], out)"), "Ascend910B")
	l.check(t, "qk_aic", `
pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True, "split": pl.SplitMode.UP_DOWN})
qk_c2v_slot_buffer_import = import_peer_buffer(name='qk_c2v_slot_buffer', peer_func='qk_aiv')
aic_initialize_pipe(qk_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
`+operandsLowered+`c = matmul(al, br)
tpush_to_aiv(c, split=1)`)
	l.check(t, "qk_aiv", `
pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True, "split": pl.SplitMode.UP_DOWN, "dual_aiv_dispatch": True})
lane = get_subblock_idx()
qk_c2v_slot_buffer = reserve_buffer(name='qk_c2v_slot_buffer', size=32768, base=-1)
aiv_initialize_pipe(qk_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
q = tpop_from_aic(split=1)
q = muls(q, 2.0)
tfree_to_aic(q, split=1)
out = store(q, [lane * 32, 0], out)
return out`)
	if !strings.Contains(l.text, "q__ssa_v0: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)") {
		t.Error("each vector core takes half of the rows")
	}
}

// Other forms are marked and not split.
func TestSplitRegionMarked(t *testing.T) {
	for name, src := range map[string]string{
		"columns":        region("LEFT_RIGHT", "", "out = pl.store(q, [0, lane * 32], out)"),
		"vector outside": region("UP_DOWN", "v = pl.load(out, [0, 0], [16, 64])\nw = pl.add(v, v)", "out = pl.store(q, [lane * 32, 0], out)"),
		"moved":          region("UP_DOWN", "", "u = pl.move(c, target_memory=pl.Mem.Vec)\nout = pl.store(q, [lane * 32, 0], out)"),
	} {
		l := lower(t, src, "Ascend910B")
		marked := false
		for _, n := range l.notes {
			marked = marked || n.Pass == "LowerAutoVectorSplit"
		}
		if !marked || strings.Contains(l.text, "qk_aic") {
			t.Errorf("%s: %v\n%s", name, l.notes, l.text)
		}
	}
}
