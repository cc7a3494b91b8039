package prelude_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const tensor = "pl.Tensor[[64, 64], pl.FP32]"

// host is an Opaque function with scopes.
func host(params, body string) string {
	return "@pl.function\ndef f(self, " + params + "):\n" + indented(strings.Trim(body, "\n"), 4)
}

// names lists the functions of the text with their parameters, without types.
func (l lowered) functions() []string {
	var out []string
	for _, line := range strings.Split(l.text, "\n") {
		if !strings.HasPrefix(line, "    def ") {
			continue
		}
		name, rest, _ := strings.Cut(strings.TrimPrefix(line, "    def "), "(")
		var ps []string
		for _, p := range strings.Split(rest, ", ") {
			if v, typ, ok := strings.Cut(p, ": "); ok {
				dir := ""
				if strings.HasPrefix(typ, "pl.Out[") {
					dir = "out "
				} else if strings.HasPrefix(typ, "pl.InOut[") {
					dir = "inout "
				}
				ps = append(ps, dir+plain(v))
			}
		}
		out = append(out, name+"("+strings.Join(ps, ", ")+")")
	}
	return out
}

// Spec 11b §5.4: an output carried through a loop of the scope comes first,
// then the bound, then the loads in the order they are read; the directions
// come from the stores. A second scope of the same name gets `_0`.
func TestOutlineExample(t *testing.T) {
	body := `
with pl.at(level=pl.Level.CORE_GROUP, name_hint="kern", optimizations=[pl.cross_core_slot(slot_num=3)]):
    for i in pl.range(n):
        x = pl.load(b, [i * 16, 0], [16, 64])
        y = pl.load(a, [i * 16, 0], [16, 64])
        z = pl.add(x, y)
        out = pl.store(z, [i * 16, 0], out)
        out2 = pl.store(x, [i * 16, 0], out2)
`
	params := "n: pl.Scalar[pl.INDEX], a: " + tensor + ", b: " + tensor + ", out: pl.Out[" + tensor + "], out2: pl.Out[" + tensor + "]"
	l := exact(t, program(host(params, body+body)), "Ascend950")
	want := []string{
		"kern(out out, out out2, n, b, a)",
		"kern_0(out out, out out2, n, b, a)",
		"f(self, n, a, b, out out, out out2)",
	}
	if diff := cmp.Diff(want, withSelf(l)); diff != "" {
		t.Error(diff)
	}
	if n := len(lines(l.text, `pl.func_attr({"slot_num": 3})`)); n != 2 {
		t.Errorf("slot_num on %d functions:\n%s", n, l.text)
	}
	l.check(t, "kern", `
pl.func_attr({"slot_num": 3})
for i, (out, out2) in pl.range(n, init_values=(out, out2)):
    x = load(b, [i * 16, 0], [16, 64], [16, 64], Vec)
    y = load(a, [i * 16, 0], [16, 64], [16, 64], Vec)
    z = add(x, y)
    out = store(z, [i * 16, 0], out)
    out2 = store(x, [i * 16, 0], out2)
    out, out2 = pl.yield_(out, out2)
return out, out2`)
}

// withSelf is functions with `self` kept where it is printed.
func withSelf(l lowered) []string {
	var out []string
	for _, f := range l.functions() {
		name, rest, _ := strings.Cut(f, "(")
		if strings.Contains(l.signature(name), "(self") {
			rest = "self, " + rest
		}
		out = append(out, name+"("+rest)
	}
	return out
}

// Unnamed scopes are numbered together with the named ones; a direct store
// gets an alias, its target is an output, or an input as well when the body
// reads it; the host's later uses go on from the call's result. A scope inside
// a host loop takes the loop's index and carry, without an alias.
func TestOutlineNamesAndTargets(t *testing.T) {
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "]"
	l := exact(t, program(host(params, `
with pl.at(level=pl.Level.CORE_GROUP):
    x = pl.load(a, [0, 0], [16, 64])
    out = pl.store(x, [0, 0], out)
with pl.at(level=pl.Level.CORE_GROUP, name_hint="named"):
    y = pl.load(out, [0, 0], [16, 64])
    out = pl.store(y, [16, 0], out)
for i in pl.range(2):
    with pl.at(level=pl.Level.CORE_GROUP):
        z = pl.load(a, [i * 16, 0], [16, 64])
        out = pl.store(z, [32, 0], out)
`)), "Ascend950")
	want := []string{
		"f_incore_0(a, out out)",
		"f_incore_2(a, i, out out)",
		"named(inout out)",
		"f(self, a, out out)",
	}
	if diff := cmp.Diff(want, withSelf(l)); diff != "" {
		t.Error(diff)
	}
	l.check(t, "named", `
y = load(out, [0, 0], [16, 64], [16, 64], Vec)
out = store(y, [16, 0], out)
out__store = out
return out`)
	l.check(t, "f_incore_2", `
z = load(a, [i * 16, 0], [16, 64], [16, 64], Vec)
out = store(z, [32, 0], out)
return out`)
	if !strings.Contains(l.text, "type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator") {
		t.Errorf("the host is no orchestration:\n%s", l.text)
	}
	// Versions: out v0 is the parameter, v1 and v2 the stores, v3 to v5 the loop's;
	// the results of the calls come after them.
	wantHost := []string{
		"out__ssa_v6: pl.Tensor[[64, 64], pl.FP32] = self.f_incore_0(a__ssa_v0, out__ssa_v0)",
		"out__ssa_v7: pl.Tensor[[64, 64], pl.FP32] = self.named(out__ssa_v6)",
		"for i__idx_v0, (out__iter_v3,) in pl.range(2, init_values=(out__ssa_v7,)):",
		"out__ssa_v5: pl.Tensor[[64, 64], pl.FP32] = self.f_incore_2(a__ssa_v0, i__idx_v0, out__iter_v3)",
		"out__rv_v4: pl.Tensor[[64, 64], pl.FP32] = pl.yield_(out__ssa_v5)",
	}
	var got []string
	_, tail, _ := strings.Cut(l.text, "    def f(")
	for _, line := range strings.Split(tail, "\n")[1:] {
		if line = strings.TrimSpace(line); line != "" {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(wantHost, got); diff != "" {
		t.Error(diff)
	}
}

// A name that a variable of the function bears is numbered; one that another
// function of the program bears is put behind the host's name.
func TestOutlineTakenNames(t *testing.T) {
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "]"
	scope := func(name string) string {
		return "with pl.at(level=pl.Level.CORE_GROUP, name_hint=\"" + name + "\"):\n    x = pl.load(a, [0, 0], [16, 64])\n    out = pl.store(x, [0, 0], out)\n"
	}
	l := exact(t, program(host(params, scope("other")+scope("a__ssa_v0"))+`

@pl.function(type=pl.FunctionType.InCore)
def other(self, a: `+tensor+`):
    x = pl.load(a, [0, 0], [16, 64])`), "Ascend950")
	want := []string{"a__ssa_v0_0(a, out out)", "f_other(a, out out)", "f(self, a, out out)", "other(a)"}
	if diff := cmp.Diff(want, withSelf(l)); diff != "" {
		t.Error(diff)
	}
}

// Tensors that a store reaches become outputs, through carries and results
// too, and inputs as well when they are read; declared directions stay; bodies
// end with a return (spec 11b §5.2).
func TestWrittenParameters(t *testing.T) {
	l := exact(t, program(`@pl.function(type=pl.FunctionType.InCore)
def k(self, n: pl.Scalar[pl.INDEX], a: `+tensor+`, b: `+tensor+`, c: `+tensor+`, d: pl.InOut[`+tensor+`]):
    x = pl.load(a, [0, 0], [16, 64])
    for i, (o,) in pl.range(n, init_values=(b,)):
        o1 = pl.store(x, [i, 0], o)
        r = pl.yield_(o1)
    y = pl.load(c, [0, 0], [16, 64])
    pl.store(y, [0, 0], c)
    pl.store(y, [0, 0], d)`), "Ascend950")
	if diff := cmp.Diff([]string{"k(n, a, out b, inout c, inout d)"}, l.functions()); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(l.body("k"), "\nreturn") {
		t.Error(l.body("k"))
	}
}

// The body of a `pl.spmd` loop is a core scope too; its variable is the index
// of the block, not a parameter. Its options belong to the kernel.
func TestOutlineSpmd(t *testing.T) {
	l := exact(t, program(host("a: "+tensor+", out: pl.Out["+tensor+"]", `
for i in pl.spmd(4, name_hint="rows", optimizations=[pl.cross_core_slot(slot_num=3)]):
    x = pl.load(a, [i * 16, 0], [16, 64])
    out = pl.store(x, [i * 16, 0], out)
`)), "Ascend950")
	if diff := cmp.Diff([]string{"rows(a, out out)", "f(self, a, out out)"}, withSelf(l)); diff != "" {
		t.Error(diff)
	}
	l.check(t, "rows", `
pl.func_attr({"slot_num": 3})
i = get_block_idx()
x = load(a, [i * 16, 0], [16, 64], [16, 64], Vec)
out = store(x, [i * 16, 0], out)
out__store = out
return out`)
}

// Tile code of a function that is neither in-core nor has scopes stays where it
// is: nothing about it is approximate. Scopes whose outlining is not modelled
// are marked.
func TestTilesWithoutScope(t *testing.T) {
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "]"
	l := exact(t, program(host(params, "x = pl.load(a, [0, 0], [16, 64])\nx = pl.exp(x)\nout = pl.store(x, [0, 0], out)")), "Ascend910B")
	if len(l.notes) > 0 {
		t.Errorf("marked: %v", l.notes)
	}
	l = lower(t, program(host(params, "with pl.cluster():\n    x = pl.load(a, [0, 0], [16, 64])\n    out = pl.store(x, [0, 0], out)")), "Ascend910B")
	if len(l.notes) == 0 {
		t.Error("tile code in a cluster is not marked")
	}
}

// Kernels are tile operators, scalars, loops and branches (spec 11b §5): a
// scope in a kernel, written there or spliced in, is marked.
func TestScopesInKernels(t *testing.T) {
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "]"
	kernel := "@pl.function(type=pl.FunctionType.InCore)\ndef k(self, " + params + "):\n"
	scope := "with pl.at(level=pl.Level.CORE_GROUP):\n    x = pl.load(a, [0, 0], [16, 64])\n    pl.store(x, [0, 0], out)"
	for name, text := range map[string]string{
		"written": kernel + indented(scope, 4),
		"nested":  host(params, "with pl.at(level=pl.Level.CORE_GROUP):\n    y = pl.load(a, [0, 0], [16, 64])\n    pl.store(y, [0, 0], out)\n"+indented(scope, 4)),
		"helper":  "@pl.function(type=pl.FunctionType.Inline)\ndef g(self, " + params + "):\n" + indented(scope, 4) + "\n\n" + kernel + "    self.g(a, out)",
	} {
		l := lower(t, program(text), "Ascend910B")
		marked := false
		for _, n := range l.notes {
			marked = marked || n.Reason == "a scope inside a kernel"
		}
		if !marked {
			t.Errorf("%s: notes %+v, problems %v\n%s", name, l.notes, l.messages(), l.text)
		}
	}
}

// The condition of a while loop reads the loop's carries: only what they start
// from is captured, and what the condition reads besides.
func TestOutlineWhile(t *testing.T) {
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "], m: pl.Scalar[pl.INDEX], n: pl.Scalar[pl.INDEX]"
	l := exact(t, program(host(params, `
with pl.at(level=pl.Level.CORE_GROUP):
    x = pl.load(a, [0, 0], [16, 64])
    while n > m:
        x = pl.add(x, x)
        n = n - 1
    pl.store(x, [0, 0], out)`)), "Ascend910B")
	want := []string{"f_incore_0(a, n, m, out out)", "f(self, a, out out, m, n)"}
	if diff := cmp.Diff(want, withSelf(l)); diff != "" {
		t.Error(diff)
	}
}

// What a call in one branch produces is not read in the other one, and what a
// call in a loop produces not after it.
func TestOutlineResultsStayInside(t *testing.T) {
	scope := func(indent int, tile, row, store string) string {
		return indented("with pl.at(level=pl.Level.CORE_GROUP):\n    "+tile+" = pl.load(a, ["+row+", 0], [16, 64])\n    "+store, indent) + "\n"
	}
	params := "n: pl.Scalar[pl.INDEX], a: " + tensor + ", out: pl.Out[" + tensor + "]"
	for body, want := range map[string]string{
		"if n > 3:\n" + scope(4, "x", "n", "out = pl.store(x, [0, 0], out)") + "else:\n" + scope(4, "y", "0", "out = pl.store(y, [0, 0], out)") + "return out": `
if 3 < n__ssa_v0:
    out__ssa_v4 = self.f_incore_0(a__ssa_v0, n__ssa_v0, out__ssa_v0)
    out__phi_v3 = pl.yield_(out__ssa_v4)
else:
    out__ssa_v5 = self.f_incore_1(a__ssa_v0, out__ssa_v0)
    out__phi_v3 = pl.yield_(out__ssa_v5)
return out__phi_v3`,
		"for i in pl.range(n):\n" + scope(4, "x", "i", "pl.store(x, [i, 0], out)") + "return out": `
for i__idx_v0 in pl.range(n__ssa_v0):
    out__ssa_v1 = self.f_incore_0(a__ssa_v0, i__idx_v0, out__ssa_v0)
return out__ssa_v0`,
	} {
		l := exact(t, program(host(params, body)), "Ascend950")
		_, got, _ := strings.Cut(l.text, "    def f(")
		_, got, _ = strings.Cut(got, ":\n")
		got = strings.ReplaceAll(strings.ReplaceAll("\n"+got, "\n        ", "\n"), ": "+tensor, "")
		if diff := cmp.Diff(want, strings.TrimRight(got, "\n")); diff != "" {
			t.Error(diff)
		}
	}
}
