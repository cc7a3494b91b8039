package memory

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pypto-ls/dsa"
	"pypto-ls/ir"
)

// loads is a kernel of tiles that live between given statements: begins and
// ends are a sequence of loads and stores.
func loads(r *rand.Rand, n int) *fb {
	b := newFn("k", ir.AIV)
	in, out := b.param("in", tensor(64, 64)), b.param("out", tensor(64, 64))
	var live []*ir.Var
	for k := 0; k < n || len(live) > 0; {
		if k < n && (len(live) < 3 || r.IntN(2) == 0) {
			live = append(live, b.load(fmt.Sprint("t", k), vec(8*(1+r.IntN(12)), 128), in))
			k++
			continue
		}
		i := r.IntN(len(live))
		b.store(live[i], out)
		live = append(live[:i], live[i+1:]...)
	}
	return b
}

// Whatever is placed is valid for the problem solved, no tiles that live
// together overlap, and among the refused kernels some have a placement, which
// Beyond says without giving addresses.
func TestDSARPRandomKernels(t *testing.T) {
	cfg := dsaConfig(t, "Ascend910B")
	r := rand.New(rand.NewPCG(4, 4))
	count := map[dsa.Verdict]int{}
	overfull := 0
	for round := range 400 {
		b := loads(r, 6+r.IntN(20))
		l := dsaLayout(t, b, cfg)
		s, err := SolveDSA(l, cfg, nil)
		if err == nil {
			if f := dsa.Validate(s.Solved, s.Result.Placed(s.Solved)); f != nil {
				t.Fatalf("round %d: %v", round, f)
			}
			placed, _ := mustPlace(t, l, cfg)
			if e := VerifyAddresses(placed, cfg); len(e) > 0 {
				t.Fatalf("round %d: %v", round, e)
			}
			continue
		}
		// What is refused without a search is refused in the same words.
		if p, _ := stateDSA(l, cfg); p.overfull() {
			overfull++
		}
		if _, _, e := PlaceDSARP(l, cfg); e == nil || e.Message != err.Message || e.Span != err.Span || e.Kind != err.Kind {
			t.Fatalf("round %d: %v, want %v", round, e, err)
		}
		be := s.Beyond(dsa.SearchOptions{Nodes: 20_000})
		count[be.Verdict]++
		if be.Verdict == dsa.Exists {
			if be.Peaks[0] > 188416 || be.Blocked == nil || be.Blocked.Gap >= be.Blocked.Buffer.Size {
				t.Fatalf("round %d: %+v", round, be)
			}
			if e := be.Explain(); !strings.Contains(e, "A placement exists") || !strings.Contains(e, "found no room for '"+be.Blocked.Buffer.Tile.Name+"'") {
				t.Fatalf("round %d: %s", round, e)
			}
		}
	}
	if count[dsa.Impossible] == 0 || count[dsa.Exists] == 0 || overfull == 0 || overfull > count[dsa.Impossible] {
		t.Errorf("verdicts on refused kernels: %v, %d overfull", count, overfull)
	}
	t.Logf("verdicts on refused kernels: %v", count)
}

func BenchmarkPlaceDSARP(b *testing.B) {
	for _, n := range []int{100, 1000} {
		cfg := Config{Platform: benchPlatform(b), Planner: DSARP}
		l := RunTo(benchFn(n), cfg, StageInput, StageSemanticAliases).Last()
		s, err := SolveDSA(l, cfg, nil)
		if s == nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				PlaceDSARP(l, cfg)
			}
			b.Logf("%d buffers, %d separations, %d penalties, %s", len(s.Strict.Buffers), len(s.Strict.Separations), len(s.Strict.Penalties), err)
		})
	}
}
