package read_test

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// Lists that name others twice double at every assignment: 2^60 elements are
// no shape, and the names stay opaque instead of being evaluated.
func TestDoublingLists(t *testing.T) {
	for _, form := range []string{"[A%d, A%d]", "A%d + A%d", "foo(A%d, A%d)"} {
		var m strings.Builder
		m.WriteString("A0 = [1, 1]\n")
		for i := 1; i < 60; i++ {
			fmt.Fprintf(&m, "A%d = "+form+"\n", i, i-1, i-1)
		}
		text, _ := kernel(t, m.String(), "t = pl.load(a, [0, 0], A59)\nu = pl.load(a, [0, 0], A0)")
		if !strings.Contains(text, "[1, 1]") {
			t.Errorf("%s: %s", form, text)
		}
	}
}

// Names unpacked from a list depend on what the list is made of.
func TestUnpackedNamesFollowTheirList(t *testing.T) {
	env := func(rows int) *read.Env {
		f := irsyntax.Parse(fmt.Sprintf("SHAPE = [%d, 64]\nR, C = SHAPE\nX, = [SHAPE]\n\nclass P:\n    pass\n", rows))
		return read.NewEnv(f)
	}
	a, b := env(16), env(32)
	for _, name := range []string{"R", "C", "X"} {
		if a.Fingerprint(name) == b.Fingerprint(name) || a.Fingerprint(name) != env(16).Fingerprint(name) {
			t.Errorf("%s: %q and %q", name, a.Fingerprint(name), b.Fingerprint(name))
		}
	}
}

// Show spells values for people; fingerprints are not for them.
func TestShow(t *testing.T) {
	e := read.NewEnv(irsyntax.Parse(`import pypto.language as pl
N = 64
E = 1e-6
F = not True
S = [N, 64, [1.5]]
M = pl.dynamic("m")
D = pl.FP16
T = "a" + "b"
W = "it's"
rot = pl.MemRef(slots=N // 32)
buf = pl.MemRef("b")
G = foo(N)
`))
	for name, want := range map[string]string{
		"N": "64", "E": "1e-06", "F": "False", "S": "[64, 64, [1.5]]", "M": `pl.dynamic("m")`, "D": "pl.FP16",
		"W": `"it's"`, "rot": "pl.MemRef(slots=2)", "buf": `pl.MemRef("b")`, "G": "", "pl": "", "nothing": "",
	} {
		if got, ok := e.Show(name); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", name, got, ok, want)
		}
	}
	if s, _ := read.NewEnv(irsyntax.Parse("L = [" + strings.Repeat("123456789, ", 8000) + "]")).Show("L"); len(s) > 300 {
		t.Errorf("%d bytes", len(s))
	}
}
