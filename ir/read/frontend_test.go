package read_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// frontends yields every distinct frontend.py of a folder with its result.
func frontends(t testing.TB, dir string, f func(name, text, result string)) int {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.txtar"))
	seen := map[string]bool{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		var front, result string
		for _, file := range txtar.Parse(data).Files {
			switch file.Name {
			case "frontend.py":
				front = string(file.Data)
			case "result.txt":
				result = string(file.Data)
			}
		}
		if front != "" && !seen[front] {
			seen[front] = true
			f(filepath.Base(p), front, result)
		}
	}
	return len(seen)
}

// TestFrontends reads every recorded hand-written program: no problem may be
// found, and the real ones, recorded in the reference's own print after
// reading, must print back byte for byte.
func TestFrontends(t *testing.T) {
	s := sharedDir(t)
	if s == "" {
		t.Skip("shared recordings not found")
	}
	total, equal := 0, 0
	for _, d := range []string{"corpus", "real"} {
		frontends(t, filepath.Join(s, d), func(name, text, result string) {
			total++
			var out []string
			for _, p := range read.File(irsyntax.Parse(text), read.Options{Policy: read.Reference}) {
				for _, fn := range p.Functions {
					for _, pr := range fn.Problems {
						if !pr.Warning {
							t.Errorf("%s: %s: %s", name, fn.IR.Name, pr.Message)
						}
					}
				}
				out = append(out, printer.Program(p.IR, printer.Options{}))
			}
			if d == "corpus" {
				return
			}
			got := strings.Join(out, "\n") + "\n"
			if i := strings.Index(text, "# pypto.program"); i > 0 {
				text = text[i:]
			}
			if got == text {
				equal++
			} else {
				t.Errorf("%s: %s", name, firstDiff(text, got))
			}
		})
	}
	t.Logf("%d frontends, %d equal", total, equal)
}
