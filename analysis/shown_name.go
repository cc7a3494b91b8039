package analysis

import (
	"strings"

	"pypto-ls/ir"
)

const nestedResult = "a nested result"

// shownName is what an explanation calls a value of a function with this text:
// by the author's name where lowering has put a version behind it, and by what
// it is where lowering has made it.
func shownName(v *ir.Var, text string) string {
	if hasWord(text, v.Name) {
		return "'" + v.Name + "'"
	}
	base, rest, ok := strings.Cut(v.Name, "__")
	for _, role := range [...]string{"ssa_v", "iter_v", "rv_v", "phi_v"} {
		if ok && strings.HasPrefix(rest, role) && hasWord(text, base) {
			return "'" + base + "'"
		}
	}
	if strings.Contains(v.Name, "__tmp_v") {
		return nestedResult
	}
	return "'" + v.Name + "'"
}
