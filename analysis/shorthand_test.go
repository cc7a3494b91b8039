package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestShorthandUnassigned: `MemRef(m, -1, S)` of the documentation has no address
// yet (spec 01 §13). The planner gives one, and nothing is wrong with the text.
// b is alive while a and d are: it stands beside them, at 16,384. c begins when
// all of the first buffer has ended, and takes it: address 0 again.
func TestShorthandUnassigned(t *testing.T) {
	d := recordedDocument(NewEngine(1<<20), "doc.py", `def main(x: Tensor[[64, 64], FP32], out: Tensor[[64, 64], FP32]):
    mem_vec_0: Ptr = tile.alloc(Vec, 16384)
    mem_vec_1: Ptr = tile.alloc(Vec, 16384)
    mem_vec_2: Ptr = tile.alloc(Vec, 16384)
    a: Tile[[64, 64], FP32, MemRef(mem_vec_0, -1, 16384)] = tile.load(x, [0, 0], [64, 64])
    b: Tile[[64, 64], FP32, MemRef(mem_vec_1, -1, 16384)] = tile.load(x, [0, 0], [64, 64])
    d: Tile[[64, 64], FP32, MemRef(mem_vec_0, -1, 16384)] = tile.add(a, b)
    c: Tile[[64, 64], FP32, MemRef(mem_vec_2, -1, 16384)] = tile.add(b, b)
    r: Tensor[[64, 64], FP32] = tile.store(c, [0, 0], out)
    return r
`, "Ascend910B", "PYPTO")
	for _, i := range d.FuncChunks() {
		for _, f := range d.Func(i).Findings {
			t.Errorf("%s: %s", f.Code, f.Message)
		}
	}
	var labels []string
	for _, h := range d.InlayHints(0, len(d.File.Text()), HintKinds{Addresses: true}) {
		var label string
		for _, p := range h.Parts {
			label += p.Text
		}
		labels = append(labels, label)
	}
	if diff := cmp.Diff("▸Vec 0x00000\n▸Vec 0x04000\n▸Vec 0x00000\n▸Vec 0x00000", strings.Join(labels, "\n")); diff != "" {
		t.Error(diff)
	}
}
