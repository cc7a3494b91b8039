package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// TestLarge takes whole-model dumps from before InitMemRef to addresses. They
// name free dimension symbols, so that placements count, not bytes.
func TestLarge(t *testing.T) {
	dir := shared()
	if dir == "" {
		t.Skip("the full corpus is not at hand: set PYPTO_LS_SHARED to its folder")
	}
	const before, after = ".31_after_MaterializeTensorStrides.py", ".35_after_AllocateMemoryAddr.py"
	paths, err := filepath.Glob(filepath.Join(dir, "real", "large", "*"+before))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no whole-model dumps: %v", err)
	}
	for _, path := range paths {
		stem := strings.TrimSuffix(path, before)
		parts := strings.Split(filepath.Base(stem), ".") // NAME.PLATFORM.PLANNER
		m := &measurement{c: &recorded{name: parts[0]}}
		var ok bool
		if m.c.cfg.Planner, ok = memory.ParsePlanner(parts[2]); !ok {
			t.Fatalf("%s: no planner in its name", path)
		}
		if m.c.cfg.Platform, ok = platforms.Lookup(parts[1]); !ok {
			t.Fatalf("%s: no platform in its name", path)
		}
		input, want := readFile(t, path), readFile(t, stem+after)
		results := m.program(input, memory.StageInput).run(m.c.cfg, memory.StageInput, memory.StageAllocate)
		if err := memory.Outcome(results).Err; err != nil {
			t.Errorf("%s: %s", parts[0], err)
			continue
		}
		got := placements(layouts(results, memory.StageAllocate))
		if d := firstDifference(got, recordedPlacements(m.program(want, memory.StageAllocate))); d != "" {
			t.Errorf("%s: %s", parts[0], d)
		}
		t.Logf("%s: %d functions, %d placements", parts[0], len(results), strings.Count(got, "\n")-len(results))
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
