package platforms

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spec reads a file of the specification, or skips the test.
func spec(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "spec", name))
	if err != nil {
		t.Skipf("no specification to compare with (set PYPTO_LS_SHARED): %v", err)
	}
	return data
}

// TestSpec holds the embedded targets against platforms.json.
func TestSpec(t *testing.T) {
	var f struct {
		Platforms []struct {
			Name  string
			Arch  string `json:"pto_target_arch"`
			Cores struct {
				AIC int `json:"aic_total"`
				AIV int `json:"aiv_total"`
			}
			Memory map[string]struct {
				Core     string
				Capacity uint64 `json:"capacity_bytes"`
				Physical uint64 `json:"physical_bytes"`
				Align    uint64 `json:"soc_alignment_field"`
			}
			Graph    map[string][]string `json:"memory_graph"`
			Transfer map[string]string   `json:"transfer_pipes"`
			AccRows  map[string]int64    `json:"acc_allocation_row_multiple"`
			GM       struct {
				Access    int `json:"access_granularity_bytes"`
				L2        int `json:"l2_line_bytes"`
				Innermost int `json:"recommended_innermost_bytes"`
			}
			L0 struct {
				Fractal int `json:"fractal_alignment"`
				MinTile int `json:"min_tile_dim"`
			}
			DTypes struct {
				AccToGM []string   `json:"acc_to_gm"`
				Bias    []string   `json:"mat_to_bias"`
				Casts   []CastPair `json:"native_cast_pairs"`
			}
			NoCodegen []string `json:"ops_without_codegen"`
			Flags     map[string]bool
		}
	}
	if err := json.Unmarshal(spec(t, "platforms.json"), &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Platforms) != len(Names()) {
		t.Fatalf("%d platforms, want %d", len(Names()), len(f.Platforms))
	}
	for i, want := range f.Platforms {
		p, ok := Lookup(want.Name)
		if !ok || Names()[i] != want.Name {
			t.Fatalf("no platform %s at place %d", want.Name, i)
		}
		check := func(what string, got, want any) {
			t.Helper()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", p.Name, what, diff)
			}
		}
		check("arch", p.Arch, want.Arch)
		check("cores", [2]int{p.CubeCores, p.VectorCores}, [2]int{want.Cores.AIC, want.Cores.AIV})
		for s := range Space(NumSpaces) {
			m, w := p.Memory(s), want.Memory[s.String()]
			check("memory "+s.String(), [4]any{m.Core, m.Capacity, m.Physical, m.SoCAlignment}, [4]any{w.Core, w.Capacity, w.Physical, w.Align})
			for d := range Space(NumSpaces) {
				route := false
				for _, name := range want.Graph[s.String()] {
					route = route || name == d.String()
				}
				check("route "+s.String()+"->"+d.String(), p.HasRoute(s, d), route)
				pipe, ok := want.Transfer[s.String()+"->"+d.String()]
				if !ok {
					pipe = "none"
				}
				check("transfer "+s.String()+"->"+d.String(), p.Transfer(s, d).String(), pipe)
			}
		}
		check("acc rows", [2]int64{p.AccRowMultiple("INT32"), p.AccRowMultiple("FP32")}, [2]int64{want.AccRows["INT32"], want.AccRows["other"]})
		check("gm", [3]int{p.GMAccessBytes, p.L2LineBytes, p.InnermostBytes}, [3]int{want.GM.Access, want.GM.L2, want.GM.Innermost})
		check("l0", [2]int{p.FractalAlignment, p.MinTileDim}, [2]int{want.L0.Fractal, want.L0.MinTile})
		check("acc to gm", p.AccToGM, want.DTypes.AccToGM)
		check("casts", p.NativeCasts, want.DTypes.Casts)
		var bias []string
		for _, b := range p.MatToBias {
			bias = append(bias, b.From+"->"+b.To)
		}
		check("bias", bias, want.DTypes.Bias)
		check("no codegen", append([]string{}, p.NoCodegen...), want.NoCodegen)
		fl := p.Flags
		check("flags", map[string]bool{"RequiresGMPipeBuffer": fl.GMPipeBuffer, "RequiresSplitLoadTpopWorkaround": fl.SplitLoadTpopWorkaround,
			"RequiresVtoCFractalAdapt": fl.VtoCFractalAdapt, "RequiresRuntimeSubblockBridge": fl.RuntimeSubblockBridge,
			"RequiresNoSplitDualAivDispatch": fl.NoSplitDualAivDispatch, "RequiresLowPrecisionMatScratch": fl.LowPrecisionMatScratch,
			"SupportsBf16AtomicAdd": fl.BF16AtomicAdd}, want.Flags)
	}
}

// TestNoBackend: a nil platform knows nothing, and the defaults of spec 03
// §5.2 and 07 §4 hold.
func TestNoBackend(t *testing.T) {
	var p *Platform
	if p.Capacity(Vec) != 0 || p.HasRoute(DDR, Vec) || p.Transfer(DDR, Vec) != NoPipe || p.Policy() != DefaultPolicy ||
		p.NativeCast("FP32", "FP16") || p.Memory(Vec) != (Memory{}) || p.NameOf() == "" {
		t.Error("a nil platform must know nothing")
	}
	if p.AccRowMultiple("INT32") != 32 || p.AccRowMultiple("FP32") != 16 {
		t.Error("row multiples without a backend are 32 for INT32, else 16")
	}
	if _, ok := p.OutputAlias("tile.prelu"); ok {
		t.Error("a nil platform overrides nothing")
	}
}

func TestOutputAlias(t *testing.T) {
	// platforms.json planning_effects: only Ascend950 relaxes prelu.
	for name, want := range map[string][]int{"Ascend910B": nil, "Ascend950": {0, 1}} {
		p, _ := Lookup(name)
		got, ok := p.OutputAlias("tile.prelu")
		if ok != (want != nil) || !cmp.Equal(got, want) {
			t.Errorf("%s: prelu %v %v, want %v", name, got, ok, want)
		}
	}
}

func TestUnknown(t *testing.T) {
	if _, ok := Lookup("Ascend310"); ok {
		t.Error("found a platform that does not exist")
	}
	want := "unknown platform 'Ascend310'; known are Ascend910B, Ascend950"
	if got := Builtin().Unknown("Ascend310"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDefaultPolicy(t *testing.T) {
	for _, c := range []struct{ addr, want uint64 }{{0, 0}, {1, 32}, {31, 32}, {32, 32}, {33, 64}, {188416, 188416}} {
		if got := DefaultPolicy.Align(c.addr, Vec); got != c.want {
			t.Errorf("Align(%d) = %d, want %d", c.addr, got, c.want)
		}
	}
	if got := DefaultPolicy.Align(^uint64(0), Vec); got != ^uint64(0) {
		t.Errorf("an address without a multiple above must stay, got %d", got)
	}
	for s := range Space(NumSpaces) {
		if DefaultPolicy.ShouldAllocate(s) != (s != DDR) {
			t.Errorf("ShouldAllocate(%v) is %v", s, !(s != DDR))
		}
	}
	if DefaultPolicy.ShouldAllocate(NoSpace) {
		t.Error("no space is no place to allocate in")
	}
	// Bytewise: "mem_vec_10" < "mem_vec_2", and "l0c" < "mem_acc_3".
	if !DefaultPolicy.Less("mem_vec_10", "mem_vec_2") || !DefaultPolicy.Less("l0c", "mem_acc_3") || DefaultPolicy.Less("a", "a") {
		t.Error("names must be in bytewise order")
	}
}

func TestNaturalOrder(t *testing.T) {
	sorted := []string{"a", "a1", "a2", "a02b", "a10", "a10b", "b", "b0", "b00"}
	for i := range sorted {
		for j := range sorted {
			if got := naturalLess(sorted[i], sorted[j]); got != (i < j) {
				t.Errorf("naturalLess(%q, %q) = %v", sorted[i], sorted[j], got)
			}
		}
	}
}
