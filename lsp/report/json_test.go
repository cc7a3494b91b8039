package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestJSON: what is written is read back, as a list and line by line, with the
// names of the command line's documentation.
func TestJSON(t *testing.T) {
	items := nasty(t)
	unwritten := cmpopts.IgnoreFields(Item{}, "line")
	var list []Item
	text := write(t, "json", items, Options{})
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(items, list, cmpopts.EquateEmpty(), unwritten); d != "" {
		t.Error(d)
	}
	lines := strings.Split(strings.TrimSuffix(write(t, "jsonl", items, Options{}), "\n"), "\n")
	if len(lines) != len(items) {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		var it Item
		if err := json.Unmarshal([]byte(line), &it); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(items[i], it, cmpopts.EquateEmpty(), unwritten); d != "" {
			t.Error(d)
		}
	}
	var first []map[string]any
	if err := json.Unmarshal([]byte(text), &first); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "function", "code", "severity", "message", "explanation", "range", "space", "used", "limit", "related", "fixes"} {
		if _, ok := first[0][name]; !ok {
			t.Errorf("no %s", name)
		}
	}
	if got := write(t, "json", nil, Options{}); got != "[]\n" {
		t.Errorf("without findings: %q", got)
	}
	if got := write(t, "jsonl", nil, Options{}); got != "" {
		t.Errorf("without findings: %q", got)
	}
	if strings.Contains(text, `\u003c`) {
		t.Error("messages are escaped as for HTML")
	}
}

// TestLevels: names and back; unknown ones are the worst.
func TestLevels(t *testing.T) {
	for l := Error; l <= Hint; l++ {
		if got, ok := ParseLevel(l.String()); !ok || got != l {
			t.Errorf("%v: %v %v", l, got, ok)
		}
	}
	if _, ok := ParseLevel("fatal"); ok {
		t.Error("fatal is a level")
	}
	l := Hint
	if err := json.Unmarshal([]byte(`"fatal"`), &l); err != nil || l != Error {
		t.Errorf("%v %v", l, err)
	}
	if err := json.Unmarshal([]byte(`3`), &l); err == nil {
		t.Error("a number is a level")
	}
}
