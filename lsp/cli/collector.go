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
	mu      sync.Mutex
	off     bool
	percent int // as set

	timer *time.Timer
	last  heap // when last looked
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

// look collects the garbage now, while the user thinks, when the next keystroke
// would begin to otherwise: when as much as was allocated since the last look,
// and a quarter of that again, would be too much. Go begins when seven tenths
// of the way to its goal are done.
func (c *collector) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := heapNow()
	if h.cycle == c.last.cycle && h.used > c.last.used && h.used+(h.used-c.last.used)*5/4 > h.live+(h.goal-h.live)/10*7 {
		runtime.GC()
		h = heapNow()
	}
	c.last = h
}

// heap is the state of the heap: collections so far; bytes in use, alive after
// the last collection, and to be in use at the end of the next.
type heap struct{ cycle, used, live, goal uint64 }

func heapNow() heap {
	s := [...]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/goal:bytes"}}
	metrics.Read(s[:])
	return heap{s[0].Value.Uint64(), s[1].Value.Uint64(), s[2].Value.Uint64(), s[3].Value.Uint64()}
}
