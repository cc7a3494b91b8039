package analysis

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// recordedFile is one recorded run.
type recordedFile struct {
	name     string
	sections []txtar.File
}

// recordedFiles are the runs shipped with the repository, which must be there,
// and about the given number of others where they are at hand.
func recordedFiles(t *testing.T, others int) []recordedFile {
	t.Helper()
	files, _ := filepath.Glob("../test/testdata/corpus/*.txtar")
	if len(files) == 0 {
		t.Fatal("no corpus in test/testdata")
	}
	slices.Sort(files)
	if others > 0 {
		shared := os.Getenv("PYPTO_LS_SHARED")
		if shared == "" {
			shared = "../../shared"
		}
		more, _ := filepath.Glob(filepath.Join(shared, "*", "*.txtar"))
		if slices.Sort(more); len(more) == 0 {
			t.Log("without the other recorded runs: ../../shared or PYPTO_LS_SHARED is not there")
		}
		for i := 0; i < len(more); i += 1 + len(more)/others {
			files = append(files, more[i])
		}
	}
	var out []recordedFile
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, recordedFile{filepath.Base(file), txtar.Parse(data).Files})
	}
	return out
}
