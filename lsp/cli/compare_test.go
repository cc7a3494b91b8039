package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSavedCopy: where the file to compare with is looked for.
func TestSavedCopy(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, f := range []string{"old/a/x.py", "old/x.py", "old/kernels/b/y.py", "old/b/y.py", "one.py", "old/z.py/inner.py"} {
		put(t, f, "")
	}
	for _, c := range []struct {
		against string
		src     source
		want    string
	}{
		{"one.py", source{path: "k/any.py"}, "one.py"},                    // a file is compared with everything
		{"old", source{"kernels/a/x.py", "a/x.py"}, "old/a/x.py"},         // at the same place
		{"old", source{"kernels/b/y.py", "b/y.py"}, "old/b/y.py"},         // rather than by the whole name
		{"old", source{"kernels/c/x.py", "c/x.py"}, ""},                   // old/x.py is another file
		{"old", source{"kernels/b/y.py", "q/y.py"}, "old/kernels/b/y.py"}, // or by the whole name
		{"old", source{path: "kernels/a/x.py"}, "old/a/x.py"},             // the longest end of the name
		{"old", source{path: "/far/away/x.py"}, "old/x.py"},               // of an absolute one, too
		{"old", source{path: "./x.py"}, "old/x.py"},                       // as it is
		{"old", source{path: "new.py"}, ""},                               // new
		{"old", source{path: "z.py"}, ""},                                 // a folder is no copy
	} {
		got, err := savedCopy(c.against, c.src, c.src.path)
		if err != nil || got != c.want {
			t.Errorf("%v against %s: got %q, %v; want %q", c.src, c.against, got, err, c.want)
		}
	}
	if _, err := savedCopy("none", source{path: "x.py"}, "x.py"); err == nil || err.Error() != "none: no such file or directory" {
		t.Errorf("got %v", err)
	}
}

// TestAgainst: what is new, what went and what shrank is no growth.
func TestAgainst(t *testing.T) {
	t.Chdir(t.TempDir())
	small := strings.ReplaceAll(good, "[64, 128]", "[32, 128]") // 16,384 B
	put(t, "was/k/a.pypto.py", small)
	put(t, "now/k/a.pypto.py", good) // 32,768 B
	put(t, "was/k/b.pypto.py", good)
	put(t, "now/k/b.pypto.py", small)
	put(t, "now/k/c.pypto.py", good) // new file
	put(t, "was/k/d.pypto.py", good) // gone
	put(t, "was/k/e.pypto.py", good)
	put(t, "now/k/e.pypto.py", strings.Replace(good, "def good", "def other", 1)) // new function
	put(t, "was/k/f.pypto.py", "x = 1\n")
	put(t, "now/k/f.pypto.py", good) // new kernel
	put(t, "was/k/g.pypto.py", good)
	put(t, "now/k/g.pypto.py", strings.Replace(good, "store(a,", "store(nowhere,", 1)) // the use stays, an error comes
	want := `now/k/a.pypto.py:6:9: information: Vec grew by 16,384 B: 16,384 → 32,768 B of 188,416 B [usage-grew] in good
now/k/g.pypto.py:8:58: error: Undefined variable 'nowhere' [name] in good
    Check if the variable is defined before using it or is available in the enclosing scope
`
	code, out, errs := run("", "check", "--against", "was", "now")
	if d := cmp.Diff(want, out); d != "" || code != 1 || errs != "" {
		t.Errorf("exit code %d, errors %q: %s", code, errs, d)
	}
	// One file against one file, and standard input against a file.
	for _, args := range [][]string{{"--against", "was/k/a.pypto.py", "now/k/a.pypto.py"}, {"--against", "was/k/a.pypto.py", "--stdin-filename", "now/k/a.pypto.py", "-"}} {
		code, out, _ := run(good, append([]string{"check", "--fail-level", "information"}, args...)...)
		if first, _, _ := strings.Cut(want, "\n"); out != first+"\n" || code != 1 {
			t.Errorf("%v: exit code %d, got %q", args, code, out)
		}
	}
	// A copy that cannot be read hides nothing.
	put(t, "was/k/a.pypto.py", "\x00")
	code, out, _ = run("", "check", "--against", "was", "now")
	if !strings.HasPrefix(out, "now/k/a.pypto.py:1:1: error: was/k/a.pypto.py: the file is binary: it has NUL bytes [against]\nnow/k/g.pypto.py:8:58: error: ") || code != 2 {
		t.Errorf("exit code %d, got %q", code, out)
	}
}

// TestBaselineOfFolder: what moved, changed its numbers or has another spelling
// of its name is known; what is there once more is new.
func TestBaselineOfFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	over := strings.Replace(over950, "def good", "def over", 1)
	put(t, "k/a.pypto.py", over)
	put(t, "k/b.pypto.py", bad)
	for _, format := range []string{"json", "jsonl"} {
		_, known, _ := run("", "check", "--format", format, "k")
		put(t, "known", known)
		check := func(what, want string, code int, paths ...string) {
			t.Helper()
			got, out, errs := run("", append([]string{"check", "--baseline", "known"}, paths...)...)
			if !strings.Contains(out, want) || (want == "") != (out == "") || got != code || errs != "" {
				t.Errorf("%s, %s: exit code %d, errors %q, got %q", format, what, got, errs, out)
			}
		}
		check("the same", "", 0, "k")
		check("another spelling", "", 0, "./k/a.pypto.py", "k/../k/b.pypto.py")
		wd := here(t)
		check("absolute", "", 0, wd+"/k")
		put(t, "k/b.pypto.py", "# moved\n\n"+bad)
		check("moved", "", 0, "k")
		put(t, "k/a.pypto.py", strings.ReplaceAll(over, "224", "240"))
		check("grown", "", 0, "k")
		put(t, "k/b.pypto.py", bad+strings.Replace(bad[strings.Index(bad, "    @pl"):], "def good", "def good2", 1))
		check("in another function", "in good2", 1, "k")
		put(t, "k/b.pypto.py", strings.Replace(bad, "        return s", "        z: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(nowhere, [0, 0], out)\n        return s", 1))
		check("once more", "Undefined variable", 1, "k")
		put(t, "k/b.pypto.py", bad)
		put(t, "k/a.pypto.py", over)
	}
	put(t, "known", "")
	if code, _, _ := run("", "check", "--baseline", "known", "k"); code != 1 {
		t.Errorf("against an empty baseline: exit code %d", code)
	}
}

// TestBudget: shares and bytes, and that a full space is no budget's business.
func TestBudget(t *testing.T) {
	b, err := parseBudgets(list{"Vec=90%", " Mat = 400_000", "Acc=0.5%"})
	if err != nil || len(b) != 3 {
		t.Fatalf("%v %v", b, err)
	}
	for i, want := range []uint64{169574, 400000, 655} { // 188,416 x 0.9 = 169,574.4; 131,072 x 0.005 = 655.36
		if got := b[i].limit([]uint64{188416, 524288, 131072}[i]); got != want {
			t.Errorf("%d: got %d, want %d", i, got, want)
		}
	}
	t.Chdir(t.TempDir())
	put(t, "a.pypto.py", good) // 32,768 of 188,416 B: 17.4 %
	for arg, want := range map[string]string{
		"Vec=17%": "Vec usage of 32,768 B is above the budget of 32,030 B", "Vec=18%": "", "Vec=32768": "", "Vec=32767": "above the budget of 32,767 B", "Acc=1": "",
	} {
		if _, out, _ := run("", "check", "--max-usage", arg, "a.pypto.py"); !strings.Contains(out, want) || (out == "") != (want == "") {
			t.Errorf("%s: got %q", arg, out)
		}
	}
	put(t, "a.pypto.py", over950)
	if _, out, _ := run("", "check", "--max-usage", "Vec=1%", "a.pypto.py"); strings.Contains(out, "budget") {
		t.Errorf("over its limit and over its budget: %q", out)
	}
}

// TestMatrixLines: what fails whatever the target is told apart.
func TestMatrixLines(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.pypto.py", over950)
	put(t, "b.pypto.py", "\x00")
	_, out, _ := run("", "check", "--platform", "Ascend950,Ascend910B", ".")
	for _, want := range []string{"\nAscend910B PYPTO: 1 finding at or above the fail level in 1 file\n", "whatever the target: 1 finding at or above the fail level in 1 file\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if strings.Contains(out, "Ascend950 PYPTO:") || strings.Contains(out, "targets pass") {
		t.Errorf("got %s", out)
	}
}
