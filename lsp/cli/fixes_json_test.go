package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"pypto-ls/lsp/report"
)

// TestFixesInJSON: the edits of a fix, made as the ranges say, clear the
// finding; people see the title where they see the source line.
func TestFixesInJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	// An old spelling, after characters that are several bytes long.
	text := "# 漢字\n" + strings.Replace(good, "role=pl.Role.SubWorker)", `role=pl.Role.SubWorker, attrs={"slot_num": 4})`, 1)
	put(t, "old.pypto.py", text)
	_, out, _ := run("", "check", "--format", "json", "old.pypto.py")
	var items []report.Item
	if err := json.Unmarshal([]byte(out), &items); err != nil {
		t.Fatal(err)
	}
	var fix *report.Fix
	for _, it := range items {
		if it.Code == "deprecated" && len(it.Fixes) > 0 {
			fix = &it.Fixes[0]
		}
	}
	if fix == nil || fix.Title == "" || len(fix.Edits) == 0 {
		t.Fatalf("no fix in %s", out)
	}
	lines := strings.SplitAfter(text, "\n")
	offset := func(p report.Position) int {
		n := 0
		for _, l := range lines[:p.Line-1] {
			n += len(l)
		}
		return n + len(string([]rune(lines[p.Line-1])[:p.Character-1]))
	}
	for i := len(fix.Edits) - 1; i >= 0; i-- {
		e := fix.Edits[i]
		text = text[:offset(e.Range.Start)] + e.NewText + text[offset(e.Range.End):]
	}
	put(t, "new.pypto.py", text)
	if _, out, _ := run("", "check", "new.pypto.py"); strings.Contains(out, "[deprecated]") || strings.Contains(out, "error") {
		t.Errorf("after the fix: %s\n%s", out, text)
	}
	want := "    fix: " + fix.Title + "\n"
	if _, out, _ := run("", "check", "--excerpts", "old.pypto.py"); !strings.Contains(out, want) {
		t.Errorf("no %q in %s", want, out)
	}
	if _, out, _ := run("", "check", "old.pypto.py"); strings.Contains(out, "fix: ") {
		t.Errorf("fixes are looked for where nobody asks: %s", out)
	}
}
