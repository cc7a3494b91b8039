package prelude_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func loops(body string) string {
	return program(`@pl.function(type=pl.FunctionType.InCore)
def k(self, n: pl.Scalar[pl.INDEX], a: ` + tensor + `, out: pl.Out[` + tensor + `]):
    h = pl.load(a, [0, 0], [16, 64])
    x = pl.load(a, [16, 0], [16, 64])
` + indented(strings.Trim(body, "\n"), 4))
}

const loaded = `h = load(a, [0, 0], [16, 64], [16, 64], Vec)
x = load(a, [16, 0], [16, 64], [16, 64], Vec)
`

// Spec 11b §6.3, the checked example: the rest of the body becomes the other
// side, which yields the carry where the continue was.
func TestContinueWithCarry(t *testing.T) {
	l := exact(t, loops(`
for j, (s,) in pl.range(8, init_values=(h,)):
    u = pl.add(s, x)
    if j > n:
        continue
    v = pl.mul(u, x)
    r = pl.yield_(v)
pl.store(r, [0, 0], out)`), "Ascend950")
	l.check(t, "k", loaded+`for j, (s,) in pl.range(8, init_values=(h,)):
    u = add(s, x)
    if n < j:
        s = pl.yield_(s)
    else:
        v = mul(u, x)
        s = pl.yield_(v)
    r = pl.yield_(s)
store(r, [0, 0], out)
return`)
}

// What the rest of the body does not assign itself is not yielded by it either:
// the carry is, on both sides.
func TestContinueYieldsOuterValue(t *testing.T) {
	l := exact(t, loops(`
for j, (s,) in pl.range(8, init_values=(h,)):
    if j > n:
        continue
    v = pl.mul(s, x)
    pl.store(v, [0, 0], out)
    r = pl.yield_(x)
pl.store(r, [0, 0], out)`), "Ascend950")
	l.check(t, "k", loaded+`for j, (s,) in pl.range(8, init_values=(h,)):
    if n < j:
        s = pl.yield_(s)
    else:
        v = mul(s, x)
        store(v, [0, 0], out)
        s = pl.yield_(s)
    r = pl.yield_(s)
store(r, [0, 0], out)
return`)
}

// Without carries of the author's: what stood before the continue in its
// branch is dropped, a continue in the other branch works the same way, one at
// the top level drops everything after it.
func TestContinueForms(t *testing.T) {
	l := exact(t, loops(`
for j in pl.range(8):
    if j > n:
        pl.store(h, [0, 0], out)
        continue
    pl.store(x, [0, 0], out)
for j in pl.range(8):
    if j > n:
        pl.store(h, [0, 0], out)
    else:
        continue
    pl.store(x, [0, 0], out)
for j in pl.range(8):
    pl.store(x, [0, 0], out)
    continue
    pl.store(h, [0, 0], out)`), "Ascend950")
	l.check(t, "k", loaded+`for j in pl.range(8):
    if n < j:
        pass
    else:
        store(x, [0, 0], out)
for j in pl.range(8):
    if n < j:
        store(h, [0, 0], out)
        store(x, [0, 0], out)
    else:
        pass
for j in pl.range(8):
    store(x, [0, 0], out)
return`)
}

// A continue further inside does not skip what follows its branch.
func TestContinueDeep(t *testing.T) {
	l := exact(t, loops(`
for j in pl.range(8):
    if j > n:
        if j > 4:
            continue
        pl.store(h, [0, 0], out)
        pl.store(h, [1, 0], out)
    pl.store(x, [0, 0], out)`), "Ascend950")
	l.check(t, "k", loaded+`for j in pl.range(8):
    if n < j:
        if 4 < j:
            pass
        else:
            store(h, [0, 0], out)
            store(h, [1, 0], out)
    store(x, [0, 0], out)
return`)
}

// Kernels with break do not compile.
func TestBreak(t *testing.T) {
	l := lower(t, loops("for j in pl.range(8):\n    if j > n:\n        break\n    pl.store(x, [0, 0], out)"), "Ascend950")
	if diff := cmp.Diff([]string{"Simplify: Operator 'eq' does not accept bool dtype"}, l.messages()); diff != "" {
		t.Error(diff)
	}
	l = lower(t, loops("for j, (s,) in pl.range(8, init_values=(h,)):\n    u = pl.add(s, x)\n    if j > n:\n        break\n    r = pl.yield_(u)"), "Ascend950")
	if len(l.problems) != 1 || l.problems[0].Pass != "ConvertToSSA" {
		t.Errorf("%v", l.messages())
	}
}

// A jump that the pass does not reach is marked: one of a loop that it leaves
// alone, and one in the scopes of a host function, which becomes a kernel only
// later.
func TestJumpsOutOfReach(t *testing.T) {
	for _, word := range []string{"break", "continue"} {
		jump := "y = pl.load(a, [0, 0], [16, 64])\nif j > n:\n    " + word + "\nout = pl.store(y, [j, 0], out)"
		for name, text := range map[string]string{
			"pipeline": loops("for j in pl.pipeline(8, stage=2):\n" + indented(jump, 4)),
			"host": program(host("n: pl.Scalar[pl.INDEX], a: "+tensor+", out: pl.Out["+tensor+"]",
				"with pl.at(level=pl.Level.CORE_GROUP):\n    for j in pl.range(8):\n"+indented(jump, 8))),
		} {
			l := lower(t, text, "Ascend950")
			marked := false
			for _, n := range l.notes {
				marked = marked || strings.HasPrefix(n.Reason, "`"+word+"` in")
			}
			if !marked || len(l.problems) > 0 {
				t.Errorf("%s in %s: notes %+v, problems %v", word, name, l.notes, l.messages())
			}
		}
	}
}
