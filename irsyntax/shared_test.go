package irsyntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// shared is the folder of recorded runs, "" when it is not there.
func shared() string {
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = "../../shared"
	}
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// needShared skips a test that only recorded runs can drive.
func needShared(t testing.TB) string {
	dir := shared()
	if dir == "" {
		t.Skip("the folder of recorded runs (../../shared or PYPTO_LS_SHARED) is not there")
	}
	return dir
}

// TestSharedLossless reads every text of the recorded runs: nothing is lost
// and nothing is an error.
func TestSharedLossless(t *testing.T) {
	dir := needShared(t)
	files, texts := 0, 0
	for _, pattern := range []string{"corpus/*.txtar", "real/*.txtar", "real/large/*.py"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files++
			if strings.HasSuffix(name, ".py") {
				checkClean(t, name, string(data))
				texts++
				continue
			}
			for _, f := range txtar.Parse(data).Files {
				if strings.HasSuffix(f.Name, ".py") {
					checkClean(t, filepath.Base(name)+":"+f.Name, string(f.Data))
					texts++
				}
			}
		}
	}
	t.Logf("%d files, %d texts", files, texts)
}

func checkClean(t *testing.T, name, src string) {
	t.Helper()
	f := Parse(src)
	var b strings.Builder
	for _, e := range f.Chunks {
		b.WriteString(e.Text)
		if err := checkTree(e.Tree()); err != nil {
			t.Fatalf("%s: %s: %v", name, e.Name, err)
		}
		for _, err := range e.Tree().Errors {
			t.Errorf("%s: %s: %s at %q", name, e.Name, err.Msg, e.Text[err.Start:min(int(err.Start)+60, len(e.Text))])
		}
	}
	if b.String() != src {
		t.Errorf("%s: text lost", name)
	}
}
