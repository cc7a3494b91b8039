package conformance

import (
	"slices"
	"testing"
)

// TestRealFrontends plans the frontends of real kernels, most of which work on
// tensors: they may be marked, never silently wrong.
func TestRealFrontends(t *testing.T) {
	s := shared()
	if s == "" {
		t.Skip("shared recordings not found: they hold the only real kernels")
	}
	counts := map[string]int{}
	for _, path := range casePaths(t, s+"/real") {
		c, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		front, ok := c.text("frontend.py")
		if !ok {
			continue
		}
		verdict, detail, _ := judgeFrontend(c, front)
		counts[verdict]++
		if verdict == "wrong" {
			t.Errorf("%s: not marked, but %s", c.name, detail)
		}
	}
	for _, v := range slices.Sorted(mapKeys(counts)) {
		t.Logf("real frontends %s: %d", v, counts[v])
	}
}
