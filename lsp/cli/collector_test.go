package cli

import (
	"runtime/debug"
	"testing"
)

// TestCollectorTune: the percentage follows the text, 200 below 256 KiB, 150
// below 4 MiB, 100 from there on.
func TestCollectorTune(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	c := newCollector()
	for _, x := range []struct{ text, want int }{{0, 200}, {256<<10 - 1, 200}, {256 << 10, 150}, {4<<20 - 1, 150}, {4 << 20, 100}, {1 << 30, 100}, {10, 200}} {
		c.tune(x.text)
		if got := debug.SetGCPercent(100); got != x.want {
			t.Errorf("%d bytes: %d %%, want %d", x.text, got, x.want)
		}
		debug.SetGCPercent(x.want)
	}
}

// TestCollectorOff: what the environment says stands.
func TestCollectorOff(t *testing.T) {
	t.Setenv("GOGC", "70")
	before := debug.SetGCPercent(70)
	defer debug.SetGCPercent(before)
	c := newCollector()
	c.tune(10)
	c.told()
	if got := debug.SetGCPercent(70); got != 70 || c.timer.Stop() {
		t.Errorf("%d %%, want the 70 of the environment, and no look at the heap", got)
	}
}

// TestCollectorLook: garbage of which as much again would reach the point where
// Go collects by itself is collected at once, and while little is alive, any but
// a little.
func TestCollectorLook(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(200)
	defer debug.SetGCPercent(before)
	c := newCollector()
	half := func(h heap) uint64 { return (h.goal - h.live) / 2 }
	nothing := func(h heap) heap { return heap{cycle: h.cycle, used: h.used - 1} }
	all := func(h heap) heap { return heap{cycle: h.cycle, used: h.used - min(h.used, h.goal)} }
	meanwhile := func(h heap) heap { return heap{cycle: h.cycle - 1, used: h.used - min(h.used, h.goal)} }
	for _, x := range []struct {
		name    string
		alive   int
		garbage func(h heap) uint64
		last    func(h heap) heap
		collect bool
	}{
		{"a little", 0, func(heap) uint64 { return 64 << 10 }, nothing, false},
		{"litter", 0, func(heap) uint64 { return 2 * litter }, nothing, true},
		{"litter beside much", 2 * small, func(heap) uint64 { return 2 * litter }, nothing, false},
		{"half the way at once", 2 * small, half, all, true},
		{"half the way over time", 2 * small, half, nothing, false},
		{"half the way, collected meanwhile", 2 * small, half, meanwhile, false},
	} {
		alive, waste = make([]byte, x.alive), nil
		debug.FreeOSMemory() // a whole collection
		waste = make([]byte, x.garbage(heapNow()))
		h := heapNow()
		c.last = x.last(h)
		c.look()
		if got := c.last.cycle > h.cycle; got != x.collect {
			t.Errorf("%s: collected %v, want %v (%+v)", x.name, got, x.collect, h)
		}
	}
	alive, waste = nil, nil
}

var alive, waste []byte
