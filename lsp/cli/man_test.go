package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMan: docs/pypto-ls.1 is what the program prints, with every command and flag.
func TestMan(t *testing.T) {
	code, page, errs := run("", "man")
	if code != 0 || errs != "" {
		t.Fatalf("exit code %d, errors %q", code, errs)
	}
	path := filepath.Join("..", "..", "docs", "pypto-ls.1")
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(kept), page); d != "" {
		t.Errorf("docs/pypto-ls.1 is not up to date (go test ./lsp/cli -update writes it):\n%s", d)
	}
	for _, n := range commandNames() {
		if !strings.Contains(page, "\n.SS "+n+"\n") {
			t.Errorf("nothing of %s", n)
		}
		for _, f := range flagsOf(commands()[n]) {
			if !strings.Contains(page, `\fB`+roff(dashed(f.Name))+`\fR`) {
				t.Errorf("nothing of %s %s", n, dashed(f.Name))
			}
		}
	}
	for i, line := range strings.Split(page, "\n") {
		known := false
		for _, r := range []string{".TH ", ".SH ", ".SS ", ".B ", ".I ", ".TP", ".PP", ".nh", `.\" `} {
			known = known || strings.HasPrefix(line, r)
		}
		if strings.HasPrefix(line, ".") && !known || strings.HasPrefix(line, "'") {
			t.Errorf("line %d is a request that is not meant: %q", i+1, line)
		}
	}
}

// TestManFormats: the formatter has nothing to warn of.
func TestManFormats(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("there is no groff to format it with")
	}
	_, page, _ := run("", "man")
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-K", "utf8")
	cmd.Stdin = strings.NewReader(page)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Errorf("%v: %s", err, errs.String())
	}
	plain := regexp.MustCompile(`.\x08|\x1b\[[0-9;]*m`).ReplaceAllString(strings.ReplaceAll(string(out), "‐", "-"), "")
	for _, want := range []string{"EXIT STATUS", "fail-level", "SPACE=LIMIT"} {
		if !strings.Contains(plain, want) {
			t.Errorf("no %q in the formatted page", want)
		}
	}
}

// TestRoff: nothing of a text is a request or an escape.
func TestRoff(t *testing.T) {
	for in, want := range map[string]string{
		"a-b": `a\-b`, ".TH x": `\&.TH x`, "'x'": `\(aqx\(aq`, `a\fB`: `a\efB`, "`x`": `\(gax\(ga`,
	} {
		if got := roff(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
