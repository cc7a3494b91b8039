package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The pages of docs/diagnostics are these rules, page by page and no other
// page; `go test ./analysis/rules -write-docs` writes them.
func TestPages(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "diagnostics")
	want := map[string]string{"README.md": Index()}
	for _, r := range All() {
		want[r.Code+".md"] = r.Page()
	}
	if *writeDocs {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, page := range want {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(b)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("docs/diagnostics is not what the rules say (run with -write-docs):\n%s", d)
	}
}

// Every rule says everything, and codes are unique whatever their capitals.
func TestComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if r.Title == "" || r.Meaning == "" || r.Cause == "" || len(r.Action) == 0 {
			t.Errorf("%s: a part is missing", r.Code)
		}
		switch r.Severity {
		case "error", "warning", "information", "hint":
		default:
			t.Errorf("%s: severity %q", r.Code, r.Severity)
		}
		if strings.HasSuffix(r.Title, ".") || strings.Count(r.Page(), "`")%2 != 0 {
			t.Errorf("%s: title with a full stop, or code marks that do not pair", r.Code)
		}
		if low := strings.ToLower(r.Code); seen[low] {
			t.Errorf("%s twice", r.Code)
		} else {
			seen[low] = true
		}
	}
}

// Every code that the sources give to a finding has a rule.
func TestEveryCodeHasARule(t *testing.T) {
	codes := map[string]bool{}
	patterns := []*regexp.Regexp{
		regexp.MustCompile(`Code(?:\s*[:=]=?\s*|:\s*)"([A-Za-z0-9-]+)"`),
		regexp.MustCompile(`report\.Problem\([^,]+, "([a-z-]+)"`),
		regexp.MustCompile(`PerfHint, "([A-Z0-9-]+)"`),
	}
	for _, dir := range []string{"analysis", "memory", "lsp", "lsp/cli", "lsp/report", "ir/prelude", "ir/read"} {
		files, _ := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range patterns {
				for _, m := range p.FindAllStringSubmatch(string(b), -1) {
					codes[m[1]] = true
				}
			}
			if strings.HasSuffix(f, filepath.Join("analysis", "findings.go")) {
				for _, m := range regexp.MustCompile(`return "([a-z]+-?[a-z-]*)"\n`).FindAllStringSubmatch(string(b), -1) {
					codes[m[1]] = true
				}
			}
		}
	}
	if len(codes) < 20 {
		t.Fatalf("only %d codes found in the sources: the patterns no longer match", len(codes))
	}
	var names []string
	for c := range codes {
		names = append(names, c)
	}
	sort.Strings(names)
	for _, c := range names {
		if _, ok := Find(c); !ok {
			t.Errorf("code %q has no manual page", c)
		}
	}
}

func TestFindAndNearest(t *testing.T) {
	if r, ok := Find("ph-dsa-001"); !ok || r.Code != "PH-DSA-001" {
		t.Errorf("Find ignores capitals: got %v %v", r.Code, ok)
	}
	if _, ok := Find("capacit"); ok {
		t.Error("a part of a code is not the code")
	}
	if d := cmp.Diff([]string{"capacity", "capacity-here"}, Nearest("capacit")); d != "" {
		t.Error(d)
	}
}
