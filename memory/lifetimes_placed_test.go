package memory

import (
	"slices"
	"testing"
)

// What a plan takes over from placing is what analysis of its layout finds.
func TestPlacedLifetimes(t *testing.T) {
	cfg := dsaConfig(t, "Ascend950")
	same, anew := 0, 0
	for seed := range uint64(300) {
		r := Run(generate(seed, "v", 3+int(seed%24)), cfg, StageInput)
		l := r.Last()
		got := r.placing.placed(l)
		if got == nil {
			anew++
			continue
		}
		if l.Fn != r.placing.Layout.Fn {
			same++
		}
		want, err := AnalyzeLifetimes(l, LifetimeOptions{Params: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Stmts, want.Stmts) || !slices.Equal(got.vars, want.vars) || !slices.Equal(got.Loops(), want.Loops()) {
			t.Fatalf("seed %d: other numbers or lives", seed)
		}
		wantLines(t, "intervals", intervals(got), intervals(want))
	}
	if same == 0 {
		t.Error("nothing to renumber")
	}
	t.Logf("%d renumbered, %d to be found anew", same, anew)
}
