package prelude_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir/prelude"
)

// lowered is the outcome of lowering a hand-written text.
type lowered struct {
	text     string
	notes    []prelude.Note
	problems []prelude.Problem
}

// program wraps methods into a `@pl.program` class.
func program(methods string) string {
	return "import pypto.language as pl\n\n@pl.program\nclass P:\n" + indented(strings.Trim(methods, "\n"), 4) + "\n"
}

func indented(text string, n int) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = strings.Repeat(" ", n) + l
		}
	}
	return strings.Join(lines, "\n")
}

// lower takes a text through the whole prelude; reading problems fail the
// test.
func lower(t *testing.T, text, platform string) lowered {
	t.Helper()
	out, notes, problems, reading := lowerText(text, platform, "PYPTO")
	for _, p := range reading {
		t.Errorf("reading: %s", p.Message)
	}
	return lowered{out, notes, problems}
}

// exact is lower for a text that must not be marked or refused.
func exact(t *testing.T, text, platform string) lowered {
	t.Helper()
	l := lower(t, text, platform)
	for _, n := range l.notes {
		t.Errorf("note of %s: %s", n.Pass, n.Reason)
	}
	for _, p := range l.problems {
		t.Errorf("problem of %s: %s", p.Pass, p.Message)
	}
	return l
}

var annotated = regexp.MustCompile(`^(\s*)(\w+): .*? = ((?:pl|self|pld)\.|[-\w\[\]]+(?:\[\d+\])?$)(.*)$`)

// body is the body of one function of the text with plain names: annotations,
// versions of names and `target_memory` are left out, `pl.tile.` and
// `pl.system.` shortened to nothing.
func (l lowered) body(name string) string {
	var out []string
	in := false
	for _, line := range strings.Split(l.text, "\n") {
		switch {
		case strings.HasPrefix(line, "    def "):
			in = strings.HasPrefix(line, "    def "+name+"(")
			continue
		case strings.HasPrefix(line, "    @"):
			in = false
		}
		if in {
			out = append(out, plain(strings.TrimPrefix(line, "        ")))
		}
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

var (
	versions = regexp.MustCompile(`__(?:ssa|idx|rv|iter|phi)_v\d+`)
	target   = regexp.MustCompile(`, target_memory=pl\.Mem\.(\w+)`)
)

func plain(line string) string {
	if m := annotated.FindStringSubmatch(line); m != nil {
		line = m[1] + m[2] + " = " + m[3] + m[4]
	}
	line = versions.ReplaceAllString(line, "")
	line = target.ReplaceAllString(line, ", $1")
	for _, s := range []string{"pl.tile.", "pl.system.", "pl.TileLayout.", "pl.Mem."} {
		line = strings.ReplaceAll(line, s, "")
	}
	return line
}

// check compares the bodies of functions with expected ones.
func (l lowered) check(t *testing.T, name, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.Trim(want, "\n"), l.body(name)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// signature is the `def` line of a function without annotations of tensors.
func (l lowered) signature(name string) string {
	for _, line := range strings.Split(l.text, "\n") {
		if strings.HasPrefix(line, "    def "+name+"(") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// messages are the texts of the problems.
func (l lowered) messages() []string {
	var out []string
	for _, p := range l.problems {
		out = append(out, p.Pass+": "+p.Message)
	}
	return out
}
