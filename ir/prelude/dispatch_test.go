package prelude_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Callers that hand their parameters on get the workspace as a parameter,
// others make one for every call, counted per function (spec 11 §3, pass 23).
// The vector kernel needs none.
func TestWorkspaceInCallers(t *testing.T) {
	src := strings.TrimRight(ringKernel("", true), "\n") + "\n\n" + indented(`@pl.function(type=pl.FunctionType.InCore)
def plainv(self, a: pl.Tensor[[64, 128], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    t = pl.load(out, [0, 0], [16, 64])
    pl.store(t, [0, 0], out)

@pl.function(type=pl.FunctionType.Orchestration)
def main(self, n: pl.Scalar[pl.INDEX], a: pl.Tensor[[64, 128], pl.BF16], b: pl.Tensor[[128, 64], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    self.k(a, b, out)
    self.plainv(a, out)
    for i in pl.range(n):
        self.k(a, b, out)`, 4) + "\n"
	l := exact(t, src, "Ascend910B")
	l.check(t, "main", `
gm_pipe_buffer_0 = pl.tensor.create([1], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
self.k(a, b, out, gm_pipe_buffer_0)
self.plainv(a, out)
for i in pl.range(n):
    gm_pipe_buffer_1 = pl.tensor.create([1], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
    self.k(a, b, out, gm_pipe_buffer_1)`)
	if l := exact(t, src, "Ascend950"); strings.Contains(l.text, "gm_pipe_buffer") {
		t.Error("a workspace on a target whose pipes need none")
	}
}

// Every row of the replay table of spec 11b §4.7: loads, slices and transposes
// become tiles of their own, assigned stores pass their target through, bare
// ones vanish, transfers and frees stay; carries follow their initial value.
func TestReplay(t *testing.T) {
	l := exact(t, kernel(`
x = pl.load(out2, [0, 0], [32, 64])`+operands+`
c = pl.matmul(al, br)
u = pl.move(c`+rowMajor+`)
s = pl.tile.slice(u, [32, 64], [0, 0])
y = pl.add(s, x)
v = pl.tile.set_validshape(y, 16, 64)
for i, (q, o) in pl.range(n, init_values=(v, out)):
    z = pl.tile.transpose(q, 0, 1)
    if i < 2:
        o1 = pl.store(z, [0, 0], o)
        ph = pl.yield_(o1)
    else:
        ph = pl.yield_(o)
    w = pl.add(q, x)
    r1, r2 = pl.yield_(w, ph)
pl.store(r1, [0, 0], out2)
return r2
`), "Ascend910B")
	text := l.body("k_aiv")
	then, els, ok := strings.Cut(text, "\nelse:\n")
	if !ok || !strings.Contains(then, "x = load(out2") {
		t.Fatalf("no branches:\n%s", text)
	}
	want := strings.Trim(`
    x_1 = create([32, 64], dtype=pl.FP32, Vec)
    u_1 = tpop_from_aic(split=0)
    s_1 = create([32, 64], dtype=pl.FP32, Vec)
    y_1 = add(s_1, x_1)
    tfree_to_aic(u_1, split=0)
    v_1 = set_validshape(y_1, 0, 0)
    for i_1, (q_1, o_1) in pl.range(n, init_values=(v_1, out)):
        transpose_tmp_1 = create([32, 64], dtype=pl.FP32, Vec)
        z_1 = create([64, 32], dtype=pl.FP32, Vec)
        if i_1 < 2:
            o1_1 = o_1
            ph_1 = pl.yield_(o_1)
        else:
            ph_1 = pl.yield_(o_1)
        w_1 = add(q_1, x_1)
        r1_1, r2_1 = pl.yield_(w_1, ph_1)
    return r2_1`, "\n")
	if diff := cmp.Diff(want, els); diff != "" {
		t.Errorf("%s", diff)
	}
	for _, line := range strings.Split(l.text[strings.Index(l.text, "\n        else:\n"):], "\n") {
		if strings.Contains(line, "pl.Tile[[32, 64]") && !strings.Contains(line, "valid_shape=[0, 0]") && strings.Contains(line, " = pl.tile.") {
			t.Errorf("valid elements on the second core: %s", line)
		}
	}
}

// pipelined is an exchange in both directions in a pipeline loop.
func pipelined(trip, stage, extra string) string {
	body := `
bm = pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
br = pl.move(bm, target_memory=pl.Mem.Right)
for i in pl.pipeline(TRIP, stage=STAGE):
    v = pl.load(a, [i * 4, 0], [64, 64])
    al = pl.move(v, target_memory=pl.Mem.Left)
    c = pl.matmul(al, br)
    u = pl.move(c` + rowMajor + `)
    w = pl.add(u, u)
    EXTRA
    o = pl.store(w, [i * 4, 0], out)
return out
`
	return kernel(strings.NewReplacer("TRIP", trip, "STAGE", stage, "    EXTRA\n", extra).Replace(body))
}

// Spec 09 §9: stage 4 and 12 trips run 3 ahead, stage 3 and 8 trips 2, stage 2
// and 3 trips 1 (2 does not divide 3). The steady loop starts that much later.
func TestSkewDepth(t *testing.T) {
	for _, c := range []struct{ trip, stage, want string }{
		{"12", "4", "for i in pl.range(3, 12, 3):"},
		{"8", "3", "for i in pl.range(2, 8, 2):"},
		{"3", "2", "for i in pl.range(1, 3):"},
		{"4", "2", "for i in pl.range(2, 4, 2):"},
		// One trip, or bounds that are not known: sequential as it stands.
		{"n", "2", "for i in pl.range(n):"},
	} {
		l := exact(t, pipelined(c.trip, c.stage, ""), "Ascend950")
		body := l.body("k_aiv")
		if !strings.Contains(body, c.want) {
			t.Errorf("stage %s, trip %s:\n%s", c.stage, c.trip, body)
		}
		// In the cube half the pop comes first and its tile is used: no skew.
		if !strings.Contains(l.body("k_aic"), "for i in pl.range("+c.trip+"):") {
			t.Errorf("cube half of stage %s, trip %s:\n%s", c.stage, c.trip, l.body("k_aic"))
		}
	}
}

// The whole shape for 4 trips and stage 2: the loads of iterations 0 and 1 go
// first, each steady round loads two and takes two back, the last two come
// after the loop. Tiles carry the clone's number in one group of their own; the
// popped ones none.
func TestSkewShape(t *testing.T) {
	src := pipelined("4", "2", "")
	src = strings.ReplaceAll(src, "o = pl.store(w, [i * 4, 0], out)", "pl.store(w, [i * 4, 0], out)")
	l := exact(t, src, "Ascend950")
	produce := func(i, tag, n string) string {
		return "v" + n + " = load(a, [" + i + " * 4, 0], [64, 64], [64, 64], Vec, attrs={\"pipeline_membership\": \"1048576:" + tag + "\"})\n" +
			"v_nz" + n + " = move(v" + n + ", Vec, blayout=col_major, slayout=row_major, attrs={\"pipeline_membership\": \"1048576:" + tag + "\"})\n" +
			"tpush_to_aic(v_nz" + n + ", split=0)"
	}
	consume := func(i, tag, n string) string {
		return "u" + n + " = tpop_from_aic(split=0)\n" +
			"w" + n + " = add(u" + n + ", u" + n + ", attrs={\"pipeline_membership\": \"1048576:" + tag + "\"})\n" +
			"tfree_to_aic(u" + n + ", split=0)\n" +
			"store(w" + n + ", [" + i + " * 4, 0], out)"
	}
	fixed := func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, "[2 * 4", "[pl.const(2, pl.INDEX) * pl.const(4, pl.INDEX)"), "[3 * 4", "[pl.const(3, pl.INDEX) * pl.const(4, pl.INDEX)")
	}
	want := strings.Join([]string{
		strings.ReplaceAll(produce("0", "0", ""), "[0 * 4", "[pl.const(0, pl.INDEX) * pl.const(4, pl.INDEX)"),
		strings.ReplaceAll(produce("1", "1", "_1"), "[1 * 4", "[pl.const(1, pl.INDEX) * pl.const(4, pl.INDEX)"),
		"for i in pl.range(2, 4, 2):",
		indented(produce("i", "0", "_2"), 4),
		indented(produce("(i + 1)", "1", "_3"), 4),
		indented(consume("(i - 2)", "0", ""), 4),
		indented(consume("(i - 1)", "1", "_1"), 4),
		fixed(consume("2", "0", "_2")),
		fixed(consume("3", "1", "_3")),
		"return out",
	}, "\n")
	_, got, _ := strings.Cut(l.body("k_aiv"), "slot_num=2)\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Carries live on in the consuming part: the steady loop's results are named
// `<r>_swp`, the epilogue goes on from them, the results are bound at the end.
func TestSkewCarries(t *testing.T) {
	src := pipelined("4", "3", "")
	src = strings.ReplaceAll(src, "for i in pl.pipeline(4, stage=3):", "for i, (acc,) in pl.pipeline(4, stage=3, init_values=(out,)):")
	src = strings.ReplaceAll(src, "o = pl.store(w, [i * 4, 0], out)", "o = pl.store(w, [i * 4, 0], acc)\n            res = pl.yield_(o)")
	src = strings.ReplaceAll(src, "return out", "return res")
	l := exact(t, src, "Ascend950")
	body := l.body("k_aiv")
	for _, want := range []string{
		"for i, (acc,) in pl.range(2, 4, 2, init_values=(out,)):",
		"    o = store(w, [(i - 2) * 4, 0], acc)",
		"    o_1 = store(w_1, [(i - 1) * 4, 0], o)",
		"    res_swp = pl.yield_(o_1)",
		"\no_2 = store(w_2, [pl.const(2, pl.INDEX) * pl.const(4, pl.INDEX), 0], res_swp)",
		"\nres = o_3\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}

// A tile of the producing part that is also used elsewhere, or production that
// needs a carried value, keeps the loop whole.
func TestSkewRefused(t *testing.T) {
	l := exact(t, pipelined("8", "2", "    pl.store(v, [i * 4, 0], out2)\n"), "Ascend950")
	if !strings.Contains(l.body("k_aiv"), "for i in pl.range(8):") {
		t.Error(l.body("k_aiv"))
	}
	if strings.Contains(l.text, "pipeline_membership") {
		t.Error("a demoted loop was replicated")
	}
}

// A free of something that is no popped tile is refused (spec 11b §4.4).
func TestStampOrigin(t *testing.T) {
	l := lower(t, pair(strings.Replace(cubeEnd, "pl.tfree_to_aiv(p)", "q = pl.load(a, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\npl.tfree_to_aiv(q)", 1), vectorEnd), "Ascend950")
	want := []string{"StampTfreeSplit: system.tfree_to_aiv requires its tile argument to come from a matching tile.tpop_from_ai{c,v}, but no originating tpop was found"}
	if diff := cmp.Diff(want, l.messages()); diff != "" {
		t.Error(diff)
	}
}

// A mixed kernel that only groups call gets none of its own: they call its
// halves (spec 11b §4.6).
func TestGroupCallsHalves(t *testing.T) {
	src := strings.TrimRight(ringKernel("", true), "\n") + "\n\n" + indented(`@pl.function(type=pl.FunctionType.Group)
def g(self, a: pl.Tensor[[64, 128], pl.BF16], b: pl.Tensor[[128, 64], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    self.k(a, b, out)`, 4) + "\n"
	l := exact(t, src, "Ascend910B")
	l.check(t, "g", `
self.k_aic(a, b, out, __gm_pipe_buffer)
self.k_aiv(a, b, out, __gm_pipe_buffer)`)
	if l.signature("k") != "" {
		t.Errorf("a group of its own: %s", l.signature("k"))
	}
}

// Arithmetic that both parts need stands in both, of its own index: no tile or
// tensor goes over, and nothing about the placement is open.
func TestSkewScalars(t *testing.T) {
	src := strings.ReplaceAll(pipelined("4", "2", ""), "[i * 4, 0]", "[row, 0]")
	i := strings.Index(src, "v = pl.load")
	body := exact(t, src[:i]+"row = i * 4\n            "+src[i:], "Ascend950").body("k_aiv")
	for _, want := range []string{"row_2: pl.Scalar[pl.INDEX] = i * 4\n    v_2 = load(a, [row_2, 0]", ": pl.Scalar[pl.INDEX] = (i - 2) * 4\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}
