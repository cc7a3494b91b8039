package analysis

import (
	"strings"

	"pypto-ls/ir"
)

const nestedResult = "a nested result"

// namer tells what explanations call the values of a function with this text.
type namer struct {
	text      string
	versioned bool // the text may hold names that lowering makes
}

func newNamer(text string) namer { return namer{text, strings.Contains(text, "__")} }

// shown is a value's name: the author's where lowering has put a version behind
// it, and what it is where lowering has made it.
func (n namer) shown(v *ir.Var) string {
	base, rest, ok := strings.Cut(v.Name, "__")
	if (n.versioned || !ok) && n.has(v, v.Name) {
		return "'" + v.Name + "'"
	}
	for _, role := range [...]string{"ssa_v", "iter_v", "rv_v", "phi_v"} {
		if ok && strings.HasPrefix(rest, role) && n.has(v, base) {
			return "'" + base + "'"
		}
	}
	if strings.Contains(v.Name, "__tmp_v") {
		return nestedResult
	}
	return "'" + v.Name + "'"
}

// has reports whether the text has the word, which mostly stands where v is
// defined: the text is searched for it only when it does not.
func (n namer) has(v *ir.Var, word string) bool {
	s := v.Span
	if s.Start >= 0 && s.Start < s.End && int(s.End) <= len(n.text) && n.text[s.Start:s.End] == word && hasWord(n.text[max(s.Start-1, 0):min(int(s.End)+1, len(n.text))], word) {
		return true
	}
	return hasWord(n.text, word)
}
