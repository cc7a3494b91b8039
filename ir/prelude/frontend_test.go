package prelude_test

import (
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pypto-ls/ir"
	"pypto-ls/ir/prelude"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// lowerText lowers a frontend text and prints the programs before InitMemRef.
func lowerText(text, platform, planner string) (string, []prelude.Note, []prelude.Problem, []read.Problem) {
	p, _ := platforms.Lookup(platform)
	var out []string
	var notes []prelude.Note
	var problems []prelude.Problem
	var reading []read.Problem
	for _, prog := range read.File(irsyntax.Parse(text), read.Options{Policy: read.Reference, Platform: p}) {
		byName := map[string]*ir.Function{}
		for _, f := range prog.IR.Funcs {
			byName[f.Name] = f
		}
		callers := prelude.Callers(prog.IR.Funcs)
		lowered := &ir.Program{Name: prog.IR.Name, Dims: prog.IR.Dims}
		for _, f := range prog.Functions {
			reading = append(reading, f.Problems...)
			c := &prelude.Ctx{Platform: p, Planner: planner,
				Function: func(n string) *ir.Function { return byName[n] },
				Used:     func(n string) bool { return byName[n] != nil },
				Callers:  callers}
			r := prelude.Lower(c, f.IR, "", nil)
			lowered.Funcs = append(lowered.Funcs, r.Funcs...)
			notes = append(notes, c.Notes...)
			problems = append(problems, c.Problems...)
		}
		out = append(out, printer.Program(lowered, printer.Options{}))
	}
	return strings.Join(out, "\n") + "\n", notes, problems, reading
}

// TestFrontendBytes lowers every recorded frontend and compares with the
// recorded IR before InitMemRef. It reports the shares; the conformance test
// holds the thresholds.
func TestFrontendBytes(t *testing.T) {
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "corpus")
	if _, err := os.Stat(dir); err != nil {
		dir = filepath.Join("..", "..", "test", "testdata", "corpus")
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.txtar"))
	only := os.Getenv("PYPTO_LS_CASE")
	type count struct{ equal, marked, wrong, failed int }
	fam := map[string]*count{}
	shown := map[string]int{}
	for _, path := range paths {
		name := filepath.Base(path)
		if only != "" && !strings.HasPrefix(name, only) {
			continue
		}
		family, _, _ := strings.Cut(name, "_")
		parts := strings.Split(name, ".")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var front, want string
		for _, f := range txtar.Parse(data).Files {
			switch f.Name {
			case "frontend.py":
				front = string(f.Data)
			case "after_MaterializeTensorStrides.py":
				want = string(f.Data)
			}
		}
		if front == "" || want == "" {
			continue
		}
		c := fam[family]
		if c == nil {
			c = &count{}
			fam[family] = c
		}
		got, notes, problems, reading := lowerText(front, parts[1], parts[2])
		got, want = renumberInlined(got), renumberInlined(want)
		switch {
		case got == want:
			c.equal++
		case len(notes) > 0:
			c.marked++
		case len(problems) > 0 || len(reading) > 0:
			c.failed++
			if shown[family]++; shown[family] <= 2 {
				t.Logf("%s: %v %v", name, problems, reading)
			}
		default:
			c.wrong++
			if shown[family]++; shown[family] <= 2 {
				t.Logf("%s: %s", name, firstDiff(want, got))
			}
		}
	}
	var names []string
	for n := range fam {
		names = append(names, n)
	}
	sort.Strings(names)
	total := count{}
	for _, n := range names {
		c := fam[n]
		t.Logf("%-9s equal %3d marked %3d wrong %3d failed %3d", n, c.equal, c.marked, c.wrong, c.failed)
		total.equal += c.equal
		total.marked += c.marked
		total.wrong += c.wrong
		total.failed += c.failed
	}
	t.Logf("%-9s equal %3d marked %3d wrong %3d failed %3d", "all", total.equal, total.marked, total.wrong, total.failed)
}

var inlinedName = regexp.MustCompile(`_inline\d+`)

// renumberInlined numbers the suffixes of inlined locals by first occurrence:
// the reference counts them over a whole process (spec 11b §6.1).
func renumberInlined(text string) string {
	seen := map[string]string{}
	return inlinedName.ReplaceAllStringFunc(text, func(s string) string {
		if seen[s] == "" {
			seen[s] = "_inline" + strconv.Itoa(len(seen))
		}
		return seen[s]
	})
}

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
