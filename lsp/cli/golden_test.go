package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files and the manual page")

// unpack writes the files of an archive below a new folder and makes it the
// working folder.
func unpack(t *testing.T, archive string) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, f := range a.Files {
		put(t, f.Name, string(f.Data))
	}
}

// put writes a file below the working folder.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs the command line.
func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errw bytes.Buffer
	code = Main(args, strings.NewReader(stdin), &out, &errw)
	return code, out.String(), errw.String()
}

// golden compares with testdata/golden/NAME; dir is the folder of the tests.
func golden(t *testing.T, dir, name, got string) {
	t.Helper()
	path := filepath.Join(dir, "testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (go test ./lsp/cli -update writes it):\n%s", name, d)
	}
}

// here is the folder of the tests, also after a change of the working folder.
func here(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestGolden holds one file for every format and kind of run. What they must be
// by rule is tested in package report; here nothing changes unseen, and nothing
// depends on the number of jobs.
func TestGolden(t *testing.T) {
	dir := here(t)
	unpack(t, filepath.Join("testdata", "kernels.txtar"))
	_, known, _ := run("", "check", "--format", "json", "kernels/over.pypto.py", "kernels/text.pypto.py")
	put(t, "known.json", strings.ReplaceAll(known, `"function": "wide"`, `"function": "other"`))
	for _, c := range []struct {
		file string
		code int
		args string
	}{
		{"text.txt", 1, "check kernels"},
		{"excerpts.txt", 1, "check --color always kernels"},
		{"check.json", 1, "check --format json kernels"},
		{"check.jsonl", 1, "check --format jsonl kernels"},
		{"check.sarif", 1, "check --format sarif kernels"},
		{"github.txt", 1, "check --format github kernels"},
		{"gitlab.json", 1, "check --format gitlab kernels"},
		{"junit.xml", 1, "check --format junit kernels"},
		{"matrix.txt", 1, "check --platform Ascend910B --platform Ascend950 --planner PYPTO,DSA_RP kernels/over.pypto.py kernels/passes_dump"},
		{"matrix-passes.txt", 0, "check --platform Ascend910B,Ascend950 kernels/passes_dump"},
		{"matrix.sarif", 1, "check --platform Ascend910B,Ascend950 --format sarif kernels/over.pypto.py"},
		// Everything of over.pypto.py is known; of text.pypto.py one finding is new.
		{"baseline.txt", 1, "check --baseline known.json kernels"},
		{"max-usage.txt", 1, "check --max-usage Vec=30% --max-usage Left=65535,Acc=1_000 --fail-level warning kernels/over.pypto.py kernels/passes_dump kernels/pipeline.pypto.py"},
		{"against.txt", 1, "check --against saved kernels"},
		{"report.html", 1, "report kernels"},
		{"report.md", 1, "report --format markdown --title Kernels kernels"},
		{"explain.txt", 0, "explain capacity PH-MR-001"},
		{"explain-all.txt", 0, "explain"},
	} {
		t.Run(c.file, func(t *testing.T) {
			first := ""
			for _, jobs := range []string{"1", "2", "8"} {
				args := strings.Fields(c.args)
				if args[0] != "explain" {
					args = append(args, "--jobs", jobs)
				}
				code, out, errs := run("", args...)
				if code != c.code || errs != "" {
					t.Errorf("exit code %d, want %d; errors: %s", code, c.code, errs)
				}
				if jobs == "1" {
					first = out
					golden(t, dir, c.file, out)
				} else if out != first {
					t.Errorf("--jobs %s: %s", jobs, cmp.Diff(first, out))
				}
			}
		})
	}
}

// TestStats: the line for people on the error stream, whose time differs.
func TestStats(t *testing.T) {
	unpack(t, filepath.Join("testdata", "kernels.txtar"))
	_, _, errs := run("", "check", "--stats", "kernels")
	want := `^4 files, 7 functions, 72 lines in \d+\.\d\d s \(\d+ lines/s\): \d errors?, 1 warning, \d notes?\n$`
	if !regexp.MustCompile(want).MatchString(errs) {
		t.Errorf("got %q, want %s", errs, want)
	}
}
