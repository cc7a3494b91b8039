package dsa

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The example of the format's publication: five buffers in 12 bytes.
const miniExample = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n"

func TestReadMiniMalloc(t *testing.T) {
	p, err := ReadMiniMalloc(miniExample, 12)
	if err != nil {
		t.Fatal(err)
	}
	want := []Buffer{{0, 0, 4, 1, 0, 3}, {1, 0, 4, 1, 3, 9}, {2, 0, 4, 1, 0, 9}, {3, 0, 4, 1, 9, 21}, {4, 0, 4, 1, 0, 21}}
	if d := cmp.Diff(want, p.Buffers); d != "" {
		t.Error(d)
	}
	// Three 4-byte buffers live together at 0..3: 12 bytes are just enough.
	if b := LowerBounds(p)[0]; b.Bytes != 12 || !slices.Equal(b.Live, []int{0, 2, 4}) {
		t.Errorf("bound %+v", b)
	}
	if a := Decide(p, SearchOptions{}); a.Verdict != Exists || a.Peaks[0] != 12 {
		t.Errorf("Decide: %+v", a)
	}
	// The older form: inclusive ends, other names, an alignment.
	old, err := ReadMiniMalloc("buffer,start,end,size,alignment\r\nb1,0,2,4,8\r\n", 12)
	if err != nil || !slices.Equal(old.Buffers, []Buffer{{0, 0, 4, 8, 0, 3}}) {
		t.Errorf("%+v, %v", old, err)
	}
	for _, bad := range []string{"", "id,lower,size\n", "id,lower,upper,size\n1,2,3\n", "id,lower,upper,size\n1,2,x,4\n",
		"id,lower,upper,size,gaps\n1,2,3,4,2-3\n"} {
		if p, err := ReadMiniMalloc(bad, 12); err == nil {
			t.Errorf("%q was read as %+v", bad, p)
		}
	}
}

func TestWriteMiniMalloc(t *testing.T) {
	p := GenerateMiniMalloc(60, 3)
	q, err := ReadMiniMalloc(WriteMiniMalloc(p, nil), MiniMallocCapacity)
	if err != nil || cmp.Diff(p, q) != "" {
		t.Errorf("%v\n%s", err, cmp.Diff(p, q))
	}
	if got := WriteMiniMalloc(one(64, [][3]int64{{4, 1, 2}}), []uint64{32}); got != "id,lower,upper,size,alignment,offset\n0,1,2,4,32,32\n" {
		t.Errorf("%q", got)
	}
}

type instance struct {
	name string
	p    *Problem
}

// instances are generated ones, and the public ones when the environment
// variable MINIMALLOC_DIR names a folder of them.
func instances(t testing.TB) []instance {
	var list []instance
	for _, n := range []int{50, 100, 150, 200, 300} {
		list = append(list, instance{fmt.Sprintf("generated-%d", n), GenerateMiniMalloc(n, 1)})
	}
	dir := os.Getenv("MINIMALLOC_DIR")
	if dir == "" {
		t.Log("MINIMALLOC_DIR is not set: the public instances are left out")
		return list
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.csv"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(filepath.Base(f), ".")
		capacity, err := strconv.ParseUint(parts[len(parts)-2], 10, 64)
		if err != nil {
			t.Fatalf("%s: the name does not tell the capacity", f)
		}
		p, err := ReadMiniMalloc(string(text), capacity)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		list = append(list, instance{parts[0], p})
	}
	return list
}

// TestMiniMallocTable prints how both searches do on instances of the public
// benchmark's shape: peak and time of the canonical search, the lower bound,
// whether Decide places everything within the capacity, and the smallest peak
// MinPeak finds. The rows are facts that must agree with each other.
func TestMiniMallocTable(t *testing.T) {
	t.Logf("%-14s %8s %10s %10s %10s %9s %9s %10s %9s %9s %9s", "instance", "buffers", "capacity", "bound", "canonical", "ms", "decide", "nodes", "ms", "peak", "ms")
	for _, in := range instances(t) {
		p := in.p
		bound := LowerBounds(p)[0].Bytes
		wide := *p
		wide.Pools = []Pool{{Capacity: 1 << 40}}
		start := time.Now()
		canonical := Solve(&wide, Options{})
		tCanonical := time.Since(start)
		start = time.Now()
		a := Decide(p, SearchOptions{})
		tDecide := time.Since(start)
		start = time.Now()
		known := canonical.Objective.Max
		if a.Verdict == Exists {
			known = a.Peaks[0]
		}
		peak := MinPeak(p, 0, known, SearchOptions{Nodes: 20_000})
		tPeak := time.Since(start)
		if peak.Best == 0 {
			peak.Best = known // nothing better was found
		}
		t.Logf("%-14s %8d %10d %10d %10d %9.2f %9s %10d %9.2f %9d %9.2f", in.name, len(p.Buffers), p.Pools[0].Capacity, bound,
			canonical.Objective.Max, ms(tCanonical), a.Verdict, a.Nodes, ms(tDecide), peak.Best, ms(tPeak))
		if canonical.Objective.Max < bound || a.Verdict == Exists && a.Peaks[0] < bound || peak.Best < peak.Lower || peak.Best > known {
			t.Errorf("%s: a peak below what is proved", in.name)
		}
		if a.Verdict == Impossible {
			t.Errorf("%s: called impossible, but it is built to fit", in.name)
		}
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
