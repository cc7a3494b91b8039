package report

import (
	"bytes"
	"strings"
	"testing"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// kernel overflows Vec in `over`, as often as it is repeated.
const kernel = `import pypto.language as pl

@pl.program
class K:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def over(x: pl.Tensor[[128, 256], pl.FP32], out: pl.Out[pl.Tensor[[128, 256], pl.FP32]]) -> pl.Tensor[[128, 256], pl.FP32]:
        a: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [128, 256], [128, 256], target_memory=pl.Mem.Vec)
        b: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [128, 256], [128, 256], target_memory=pl.Mem.Vec)
        c: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.add(a, b)
        s: pl.Tensor[[128, 256], pl.FP32] = pl.tile.store(c, [0, 0], out)
        return s
`

func itemsOf(t *testing.T, file, text string) []Item {
	t.Helper()
	s := analysis.Resolve(platforms.Builtin())
	d := analysis.NewEngine(1<<20).NewDocument(file, irsyntax.Parse(text), s, analysis.Options{}, nil)
	items := Items(file, d, true)
	if len(items) == 0 {
		t.Fatal("no findings")
	}
	return items
}

// nasty are findings with everything that a format may trip over.
func nasty(t *testing.T) []Item {
	out := itemsOf(t, "kernels/over.py", kernel)
	p := func(l, c int) Position { return Position{l, c} }
	return append(out,
		Item{File: "./a b/ü,100%:x.py", Function: "f", Code: "operation", Severity: Error, Message: "100% of\r\n::error file=x::this, that: <b>&amp;</b> ]]> \"quoted\" 'q' \x1b[31mred\x01",
			Explanation: "line one\nline two", Range: Range{p(3, 5), p(3, 9)}, line: "\tx = 漢字", Related: []Related{{Range{p(1, 1), p(2, 3)}, "here|there"}}, Fixes: []Fix{{Title: "do it", Preferred: true, Edits: []Edit{{Range{p(3, 5), p(3, 9)}, "new"}}}}},
		Item{File: "a b/ü,100%:x.py", Function: "f", Code: "operation", Severity: Warning, Message: "over two lines", Range: Range{p(3, 5), p(4, 1)}, line: "x = ("},
		Item{File: "/elsewhere/k.py", Code: "no-page-of-this", Severity: Hint, Message: "m", Range: Range{p(1, 1), p(1, 1)}},
		Item{File: "/root/of/it/k.py", Function: "g", Code: "capacity", Severity: Information, Message: "m", Range: Range{p(7, 2), p(7, 3)}, Platform: "Ascend950", Planner: "DSA_RP", Space: "Vec", Used: 1, Limit: 2},
		Problem("none.py", "unreadable-file", "no such file or directory"),
		Problem("none.py", "unreadable-file", "no such file or directory"),
	)
}

var nastyOptions = Options{Version: "1.2.3", Root: "/root/of/it", Files: []string{"clean.py", "kernels/over.py", "./a b/ü,100%:x.py", "/root/of/it/k.py"}}

func write(t *testing.T, format string, items []Item, opt Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Formats[format](&b, items, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPlace: names for repositories.
func TestPlace(t *testing.T) {
	o := Options{Root: "/r"}
	for file, want := range map[string]string{
		"a.py": "a.py", "./a.py": "a.py", "a/../b.py": "b.py", "../a.py": "../a.py", "/r/a/b.py": "a/b.py", "/r2/a.py": "/r2/a.py", "/..a.py": "/..a.py", "/r/..a.py": "..a.py",
	} {
		if got := o.Place(file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}

// TestFingerprint: it stays when lines move, numbers change or the file is named
// otherwise; it tells findings apart that differ in anything else.
func TestFingerprint(t *testing.T) {
	opt := Options{Root: "/r"}
	before := fingerprints(itemsOf(t, "k.py", kernel), opt)
	seen := map[string]bool{}
	for _, p := range before {
		if seen[p] {
			t.Errorf("%s twice", p)
		}
		seen[p] = true
	}
	same := func(what, file, text string) {
		t.Helper()
		if got := fingerprints(itemsOf(t, file, text), opt); strings.Join(got, " ") != strings.Join(before, " ") {
			t.Errorf("%s: got %v, want %v", what, got, before)
		}
	}
	same("moved down", "k.py", "# a\n\n# b\n"+kernel)
	same("an edit in another statement", "k.py", strings.Replace(kernel, "pl.tile.add(a, b)", "pl.tile.mul(a, b)", 1))
	same("other line ends", "k.py", strings.ReplaceAll(kernel, "\n", "\r\n"))
	same("tabs for blanks", "k.py", strings.ReplaceAll(kernel, "        ", "\t\t"))
	same("another spelling", "./k.py", kernel)
	same("the absolute name", "/r/k.py", kernel)
	same("another function before it", "k.py", strings.Replace(kernel, "    @pl.function", `    @pl.function(type=pl.FunctionType.AIV)
    def fine(x: pl.Tensor[[128, 256], pl.FP32]) -> pl.Tensor[[128, 256], pl.FP32]:
        return x

    @pl.function`, 1))
	for what, text := range map[string]string{
		"another function": strings.ReplaceAll(kernel, "over", "other"),
		"another line":     strings.ReplaceAll(kernel, "out: ", "result: "),
	} {
		if got := fingerprints(itemsOf(t, "k.py", text), opt); got[0] == before[0] {
			t.Errorf("%s has the same fingerprint", what)
		}
	}
	it := itemsOf(t, "k.py", kernel)[0]
	grown := it
	grown.Message = strings.ReplaceAll(it.Message, "262144", "300000")
	if grown.Message == it.Message || grown.Fingerprint(opt) != it.Fingerprint(opt) {
		t.Error("a finding that only grew is another one")
	}
	for what, change := range map[string]func(*Item){
		"code": func(i *Item) { i.Code = "x" }, "file": func(i *Item) { i.File = "x.py" }, "message": func(i *Item) { i.Message += "!" },
		"platform": func(i *Item) { i.Platform = "P" }, "planner": func(i *Item) { i.Planner = "P" }, "line": func(i *Item) { i.line += "x" },
	} {
		o := it
		if change(&o); o.Fingerprint(opt) == it.Fingerprint(opt) {
			t.Errorf("another %s has the same fingerprint", what)
		}
	}
}

// TestWithoutNumbers: runs of digits are one mark.
func TestWithoutNumbers(t *testing.T) {
	if got := WithoutNumbers("12 of 3,456 B in x_1"); got != "# of #,# B in x_#" {
		t.Errorf("got %q", got)
	}
}

// TestCount: singular and plural.
func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"1 file": Count(1, "file"), "0 files": Count(0, "file"), "1 space in use": Count(1, "space in use"), "2 spaces in use": Count(2, "space in use"), "3 more places": Count(3, "more place"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
