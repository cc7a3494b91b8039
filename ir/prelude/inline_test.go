package prelude_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// caller is an InCore function with the given body next to Inline functions.
func caller(inlines, body string) string {
	return program(strings.Trim(inlines, "\n") + `

@pl.function(type=pl.FunctionType.InCore)
def k(self, a: ` + tensor + `, out: pl.Out[` + tensor + `]) -> ` + tensor + `:
` + indented(strings.Trim(body, "\n"), 4))
}

const twice = `
@pl.function(type=pl.FunctionType.Inline)
def twice(self, x: ` + tensor + `, o: pl.Out[` + tensor + `]) -> ` + tensor + `:
    t = pl.load(x, [0, 0], [16, 64])
    t = pl.add(t, t)
    o = pl.store(t, [0, 0], o)
    return o
`

// The body takes the call's place with the arguments for the parameters and
// locals of its own for every call; the Inline function itself goes.
func TestInline(t *testing.T) {
	l := exact(t, caller(twice, `
out = self.twice(a, out)
return self.twice(out, out)`), "Ascend950")
	l.check(t, "k", `
t_inline0 = load(a, [0, 0], [16, 64], [16, 64], Vec)
t_inline0 = add(t_inline0, t_inline0)
out = store(t_inline0, [0, 0], out)
t_inline1 = load(out, [0, 0], [16, 64], [16, 64], Vec)
t_inline1 = add(t_inline1, t_inline1)
out = store(t_inline1, [0, 0], out)
return out`)
	if strings.Contains(l.text, "def twice") {
		t.Error("the Inline function is still there")
	}
	if strings.Count(l.text, "t_inline0__ssa_v1") == 0 {
		t.Error("a local assigned twice is not one variable")
	}
}

// A value that is not the target itself stays as an alias; several values are
// handed to the subscripts of the tuple; calls of Inline functions inside
// Inline functions are spliced too.
func TestInlineValues(t *testing.T) {
	l := exact(t, caller(`
@pl.function(type=pl.FunctionType.Inline)
def both(self, x: `+tensor+`) -> tuple[pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec], pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]]:
    p = pl.load(x, [0, 0], [16, 64])
    q = self.one(x)
    return p, q

@pl.function(type=pl.FunctionType.Inline)
def one(self, x: `+tensor+`) -> pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]:
    r = pl.load(x, [16, 0], [16, 64])
    return r
`, `
u, v = self.both(a)
w = pl.add(u, v)
out = pl.store(w, [0, 0], out)
return out`), "Ascend950")
	want := []string{"load(a, [0, 0]", "load(a, [16, 0]", "add(u, v)"}
	body := l.body("k")
	at := 0
	for _, w := range want {
		i := strings.Index(body[at:], w)
		if i < 0 {
			t.Fatalf("no %q in\n%s", w, body)
		}
		at += i
	}
	if strings.Contains(body, "self.") {
		t.Error(body)
	}
}

// Errors of spec 11b §6.1.
func TestInlineErrors(t *testing.T) {
	early := strings.Replace(twice, "    t = pl.add(t, t)\n", "    if True:\n        return o\n", 1)
	l := lower(t, caller(early, "out = self.twice(a, out)\nreturn out"), "Ascend950")
	want := "InlineFunctions: Inline function 'twice' contains a non-trailing ReturnStmt; only a single trailing return is supported (early-return inside an If/For/While branch is rejected)"
	if diff := cmp.Diff([]string{want}, l.messages()); diff != "" {
		t.Error(diff)
	}
	loop := strings.NewReplacer("twice(self", "ping(self", "    t = pl.add(t, t)", "    o = self.pong(x, o)").Replace(twice) + "\n" +
		strings.NewReplacer("twice(self", "pong(self", "    t = pl.add(t, t)", "    o = self.ping(x, o)").Replace(twice)
	l = lower(t, caller(loop, "out = self.ping(a, out)\nreturn out"), "Ascend950")
	want = "InlineFunctions: Cycle detected in FunctionType::Inline call graph: ping -> pong -> ping"
	if diff := cmp.Diff([]string{want}, l.messages()); diff != "" {
		t.Error(diff)
	}
}
