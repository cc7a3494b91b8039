package memory

import (
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// The pipelined kernel: PYPTO lets a and b share as well, on Ascend950 too
// unless the pipeline's depth fits, which it does there.
func TestCompare(t *testing.T) {
	var in []CompareInput
	for _, name := range []string{"Ascend910B", "Ascend950"} {
		b, _, _, _ := twoStages()
		in = append(in, CompareInput{platform(t, name), b.f, StageInput})
	}
	c := Compare(in, nil)
	// 910B: two of three 65536-byte buffers at a time; 950: all three.
	want := map[int]uint64{0: 131072, 1: 131072, 2: 196608, 3: 196608}
	for i, peak := range want {
		col := c.Columns[i]
		p, ok := col.Peak(platforms.Vec)
		if !ok || p.Peak != peak || p.Limit != col.Platform.Capacity(platforms.Vec) || col.Err != nil {
			t.Errorf("%s: %+v, %v", col.title(), p, col.Err)
		}
	}
	if c.Columns[1].Planner != DSARP || c.Columns[1].Hints != 1 || c.Columns[3].Hints != 0 {
		t.Errorf("hints: %+v", c.Columns)
	}
	table := c.String()
	for _, want := range []string{"Ascend910B PYPTO", "Ascend950 DSA_RP", "131072/188416", "196608/245760"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

// A function that does not fit is refused by both planners: PYPTO tells what
// it would have taken, DSA_RP places nothing.
func TestCompareRefused(t *testing.T) {
	b := newFn("k", ir.AIV)
	in, out := b.param("in", tensor(128, 128)), b.param("out", tensor(128, 128))
	x, y := b.load("x", vec(128, 128), in), b.load("y", vec(128, 128), in)
	z := b.load("z", vec(128, 128), in)
	for _, v := range []*ir.Var{x, y, z} {
		b.store(v, out)
	}
	table := Compare([]CompareInput{{platform(t, "Ascend910B"), b.f, StageInput}}, nil).String()
	for _, want := range []string{"! 196608/188416", "refused", "Vec buffer usage (196608 bytes) exceeds", "DSA-RP could not find a placement"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

func TestCompareNothing(t *testing.T) {
	b := newFn("host", ir.Orchestration)
	if c := Compare([]CompareInput{{nil, b.f, StageInput}}, nil); c.Reason == "" || c.Columns != nil {
		t.Errorf("%+v", c)
	}
	b = newFn("k", ir.AIV)
	if c := Compare([]CompareInput{{nil, b.f, StageMemoryReuse}}, nil); !strings.Contains(c.String(), "past InitMemRef") {
		t.Errorf("%s", c)
	}
}
