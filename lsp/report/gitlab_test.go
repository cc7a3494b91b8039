package report

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGitLab: the fields that GitLab's code quality report must have, and
// nothing that it would not find in the repository.
func TestGitLab(t *testing.T) {
	type issue struct {
		Description string `json:"description"`
		CheckName   string `json:"check_name"`
		Fingerprint string `json:"fingerprint"`
		Severity    string `json:"severity"`
		Location    struct {
			Path  string `json:"path"`
			Lines struct {
				Begin, End int
			} `json:"lines"`
		} `json:"location"`
	}
	items := nasty(t)
	dec := json.NewDecoder(strings.NewReader(write(t, "gitlab", items, nastyOptions)))
	dec.DisallowUnknownFields()
	var got []issue
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(items) {
		t.Fatalf("%d issues of %d findings", len(got), len(items))
	}
	prints := map[string]bool{}
	want := map[Level]string{Error: "major", Warning: "minor", Information: "info", Hint: "info"}
	for i, g := range got {
		if g.Fingerprint == "" || prints[g.Fingerprint] {
			t.Errorf("fingerprint %q", g.Fingerprint)
		}
		prints[g.Fingerprint] = true
		if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, g.Severity) || g.Severity != want[items[i].Severity] {
			t.Errorf("severity %q of %v", g.Severity, items[i].Severity)
		}
		if g.Description == "" || g.CheckName != items[i].Code || g.Location.Lines.Begin != items[i].Range.Start.Line || g.Location.Lines.End < g.Location.Lines.Begin {
			t.Errorf("%+v of %+v", g, items[i])
		}
		if p := g.Location.Path; strings.HasPrefix(p, "./") || filepath.IsAbs(p) != (items[i].File == "/elsewhere/k.py") {
			t.Errorf("path %q of %q", p, items[i].File)
		}
	}
	if got := write(t, "gitlab", nil, Options{}); got != "[]\n" {
		t.Errorf("without findings: %q", got)
	}
}
