package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// Two host functions whose scopes ask for one name do not both get it (spec 11b
// §5.1, 1): both are marked, also when the scope is that of a helper, and the
// marks come and go with edits of the other function.
func TestScopeNamesOfOtherHosts(t *testing.T) {
	const params = "self, a: pl.Tensor[[64, 64], pl.FP32], out: pl.Tensor[[64, 64], pl.FP32]"
	scope := func(header string) string {
		return "        with " + header + ":\n            x = pl.load(a, [0, 0], [64, 64])\n            out = pl.store(x, [0, 0], out)\n"
	}
	program := func(first, second string) string {
		return "import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.Inline)\n    def helper(" + params + ") -> pl.Tensor[[64, 64], pl.FP32]:\n" +
			scope(`pl.at(level=pl.Level.CORE_GROUP, name_hint="shared")`) + "        return out\n\n    @pl.function\n    def first(" + params + ") -> pl.Tensor[[64, 64], pl.FP32]:\n" + first +
			"        return out\n\n    @pl.function\n    def second(" + params + ") -> pl.Tensor[[64, 64], pl.FP32]:\n" + second + "        return out\n"
	}
	call := "        out = self.helper(a, out)\n"
	named := func(name string) string {
		return scope(`pl.at(level=pl.Level.CORE_GROUP, name_hint="` + name + `")`)
	}
	set := Resolve(platforms.Builtin(), Layer{Platform: "Ascend910B", From: "test"})
	eng := NewEngine(8 << 20)
	var last *Document
	for _, c := range []struct {
		name, first, second string
		marked              bool
	}{
		{"their own", named("kern"), named("kern"), true},
		{"different ones", named("kern"), named("other"), false},
		{"one unnamed", named("kern"), scope("pl.at(level=pl.Level.CORE_GROUP)"), false},
		{"helper and own", call, named("shared"), true},
		{"helper once", call, named("kern"), false},
		{"helper twice", call, call, true},
	} {
		text := program(c.first, c.second)
		for _, d := range []*Document{
			NewEngine(8<<20).NewDocument("k.pypto.py", irsyntax.Parse(text), set, Options{}, nil),
			eng.NewDocument("k.pypto.py", irsyntax.Parse(text), set, Options{}, last),
		} {
			last = d
			got := map[string]bool{}
			for i := range d.File.Chunks {
				f := d.Func(i)
				if f == nil || f.Name == "helper" {
					continue
				}
				got[f.Name] = false
				for _, a := range f.Approximate {
					got[f.Name] = got[f.Name] || strings.HasPrefix(a.Reason, "another function may have a scope named")
				}
			}
			if diff := cmp.Diff(map[string]bool{"first": c.marked, "second": c.marked}, got); diff != "" {
				t.Errorf("%s:\n%s", c.name, diff)
			}
		}
	}
}
