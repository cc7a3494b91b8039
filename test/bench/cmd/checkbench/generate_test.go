package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pypto-ls/lsp/cli"
)

// TestGenerated: generated dumps are the same every time, have about the lines
// asked for, are read without findings that stop planning, and every kernel of
// them is planned.
func TestGenerated(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, n := range []int{100, 700, 5000} {
		text := dump(uint64(n), n)
		if text != dump(uint64(n), n) {
			t.Error("two texts of one seed")
		}
		if got := strings.Count(text, "\n"); got < n || got > n+40 {
			t.Errorf("%d lines, want %d", got, n)
		}
		name := "31_after_MaterializeTensorStrides.py"
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := cli.Main([]string{"check", name}, nil, &out, &errs); code != 0 {
			t.Errorf("%d lines: exit code %d: %.2000s%s", n, code, out.String(), errs.String())
		}
		out.Reset()
		if code := cli.Main([]string{"plan", "--format", "json", name}, nil, &out, &errs); code != 0 {
			t.Fatalf("plan: %s", errs.String())
		}
		var plan struct {
			Functions []struct {
				Name  string
				Tiles []struct{ Address *int64 }
			}
		}
		if err := json.Unmarshal(out.Bytes(), &plan); err != nil {
			t.Fatal(err)
		}
		if want := strings.Count(text, "@pl.function"); len(plan.Functions) != want {
			t.Errorf("%d of %d kernels are planned", len(plan.Functions), want)
		}
		for _, f := range plan.Functions {
			for _, tile := range f.Tiles {
				if tile.Address == nil {
					t.Errorf("a tile of %s has no address", f.Name)
				}
			}
		}
	}
}

// TestFill: as many files as asked for, and about as many lines.
func TestFill(t *testing.T) {
	dir := t.TempDir()
	f, err := fill(dir, "", 20, 6000)
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "*", "passes_dump", "*.py"))
	if err != nil || len(found) != 20 || f.files != 20 || f.lines < 5800 || f.lines > 7000 {
		t.Errorf("%d files, %+v, %v", len(found), f, err)
	}
}
