package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// collector decides when the server's garbage is collected. A GOGC of the
// environment stands: then it does nothing.
type collector struct {
	off   bool
	timer *time.Timer

	mu      sync.Mutex
	percent int // as set; guarded by mu

	looking sync.Mutex // held while garbage is collected, which nothing else waits for
	last    heap       // when last looked; guarded by looking
}

// pause is how long after diagnostics the garbage is looked at: requests that
// follow them come first.
const pause = 6 * time.Millisecond

func newCollector() *collector {
	c := &collector{off: os.Getenv("GOGC") != "", percent: 100}
	c.timer = time.AfterFunc(time.Hour, c.look)
	c.timer.Stop()
	return c
}

// tune sets how much garbage may lie, as a percentage of what is alive, by the
// bytes of text that are open. While they are few not much is alive either, and
// a keystroke leaves a good part of that again: collecting less often then costs
// a few megabytes and saves a good part of the work.
func (c *collector) tune(text int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := percentFor(text); !c.off && c.percent != p {
		c.percent = p
		debug.SetGCPercent(p)
	}
}

// percentFor is the percentage for so much text that the memory resident stays
// below 12 times the text and 25 MB.
func percentFor(text int) int {
	switch {
	case text < 256<<10:
		return 200
	case text < 4<<20:
		return 150
	}
	return 100
}

// told is called when diagnostics are on their way.
func (c *collector) told() {
	if !c.off {
		c.timer.Reset(pause)
	}
}

// While no more than small is alive, a collection takes a millisecond or two,
// and is worth it as soon as there is litter, bytes.
const (
	small  = 8 << 20
	litter = 512 << 10
)

// look collects the garbage now, while the user thinks, if that is quickly done
// or the next keystroke would begin to otherwise: when as much as was allocated
// since the last look, and a quarter of that again, would be too much. Go begins
// when seven tenths of the way to its goal are done.
//
// That also keeps what is in use at each collection nearly the same. Where it
// varies, Go gives memory back to the system after each small one, and the next
// keystrokes take it again, with a page fault for every 4 KB.
func (c *collector) look() {
	c.looking.Lock()
	defer c.looking.Unlock()
	h := heapNow()
	quick := h.live <= small && h.objects > h.live+litter
	due := h.cycle == c.last.cycle && h.used > c.last.used && h.used+(h.used-c.last.used)*5/4 > h.live+(h.goal-h.live)/10*7
	if quick || due {
		runtime.GC()
		h = heapNow()
	}
	c.last = h
}

// heap is the state of the heap: collections so far; bytes of objects, of what
// Go counts as used, of what was alive after the last collection, and of what is
// to be used at the end of the next.
type heap struct{ cycle, objects, used, live, goal uint64 }

// cached is how much may lie free in the spans that allocators hold, bytes: 1.2
// MB were measured for each of the two or three processors that a keystroke
// runs on.
const cached = 4 << 20

// heapNow reads the state. Go counts a span as used, all of it, when an allocator
// takes it, but has no figure for that: it is what objects take and, as far as
// allocators hold it, what lies free between them.
func heapNow() heap {
	s := [...]metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/gc/heap/live:bytes"},
		{Name: "/gc/heap/goal:bytes"},
	}
	metrics.Read(s[:])
	h := heap{cycle: s[0].Value.Uint64(), objects: s[1].Value.Uint64(), live: s[3].Value.Uint64(), goal: s[4].Value.Uint64()}
	h.used = h.objects + min(s[2].Value.Uint64(), cached)
	return h
}
