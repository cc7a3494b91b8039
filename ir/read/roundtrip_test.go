package read_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// sharedDir is the folder with the recorded runs, "" when it is not there.
func sharedDir(t testing.TB) string {
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "corpus")); err != nil {
		return ""
	}
	return dir
}

// sections yields every recorded IR section of the cases in the given folder.
func sections(t testing.TB, dir string, f func(name, text string)) int {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.txtar"))
	n := 0
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if strings.HasPrefix(file.Name, "after_") {
				n++
				f(filepath.Base(p)+":"+file.Name, string(file.Data))
			}
		}
	}
	return n
}

func printFile(text string) (string, []read.Problem) { return printPolicy(text, read.Dump) }

func printPolicy(text string, policy read.Policy) (string, []read.Problem) {
	var out []string
	var problems []read.Problem
	for _, p := range read.File(irsyntax.Parse(text), read.Options{Policy: policy}) {
		for _, fn := range p.Functions {
			problems = append(problems, fn.Problems...)
		}
		out = append(out, printer.Program(p.IR, printer.Options{}))
	}
	return strings.Join(out, "\n") + "\n", problems
}

// firstDiff is the first line in which two texts differ.
func firstDiff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) {
			return "missing: " + w[i]
		}
		if w[i] != g[i] {
			return "\nwant " + w[i] + "\ngot  " + g[i]
		}
	}
	return "extra lines"
}

// TestRoundTrip reads every recorded section by the Dump policy and prints it
// canonically: the bytes must be the same.
func TestRoundTrip(t *testing.T) {
	dirs := []string{filepath.Join("..", "..", "test", "testdata", "corpus")}
	if s := sharedDir(t); s != "" {
		dirs = append(dirs, filepath.Join(s, "corpus"), filepath.Join(s, "real"))
	} else {
		t.Log("shared recordings not found: only the repository's own selection is read")
	}
	total, bad := 0, 0
	for _, dir := range dirs {
		total += sections(t, dir, func(name, text string) {
			got, problems := printFile(text)
			if got != text {
				if bad++; bad <= 12 {
					t.Errorf("%s: %s", name, firstDiff(text, got))
				}
			}
			for _, p := range problems {
				if !p.Warning {
					if bad++; bad <= 12 {
						t.Errorf("%s: unexpected problem: %s", name, p.Message)
					}
				}
			}
		})
	}
	t.Logf("%d of %d sections equal", total-bad, total)
}

// emptyElse is what the reference's reader drops.
var emptyElse = regexp.MustCompile(`\n( +)else:\n +pass\b`)

// TestReferenceRead reads the IR before InitMemRef as the reference's reader
// does: but for empty else branches its print is the text again, so inference
// agrees with every type the compiler printed. Texts of whole models are left
// to TestReferenceFixpoint: their loop results lose what spec 01b §11 lists.
func TestReferenceRead(t *testing.T) {
	s := sharedDir(t)
	if s == "" {
		t.Skip("shared recordings not found")
	}
	total, bad := 0, 0
	sections(t, filepath.Join(s, "corpus"), func(name, text string) {
		if !strings.HasSuffix(name, "after_MaterializeTensorStrides.py") {
			return
		}
		total++
		got, problems := printPolicy(text, read.Reference)
		if want := emptyElse.ReplaceAllString(text, ""); got != want {
			if bad++; bad <= 12 {
				t.Errorf("%s: %s", name, firstDiff(want, got))
			}
		}
		for _, p := range problems {
			if !p.Warning {
				t.Errorf("%s: unexpected problem: %s", name, p.Message)
			}
		}
	})
	t.Logf("%d of %d sections equal", total-bad, total)
}

// TestReferenceFixpoint: what was read and printed reads and prints the same.
func TestReferenceFixpoint(t *testing.T) {
	s := sharedDir(t)
	if s == "" {
		t.Skip("shared recordings not found")
	}
	for _, dir := range []string{"corpus", "real"} {
		frontends(t, filepath.Join(s, dir), func(name, text, result string) {
			once, _ := printPolicy(text, read.Reference)
			twice, problems := printPolicy(once, read.Reference)
			if once != twice {
				t.Errorf("%s: %s", name, firstDiff(once, twice))
			}
			for _, p := range problems {
				if !p.Warning {
					t.Errorf("%s: unexpected problem: %s", name, p.Message)
				}
			}
		})
	}
}
