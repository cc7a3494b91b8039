package cli

import (
	"runtime"
	"runtime/debug"
)

// headroom is what may be allocated between two collections when next to
// nothing is alive, in bytes.
const headroom = 16 << 20

// collect sets how often garbage is collected while files are checked, and
// returns what undoes it. What a large file needs at its peak counts more than
// the few percent of time that collecting earlier takes: half of what is alive
// may be allocated between two collections. Of small files next to nothing is
// alive, and collecting after every few of them would take a third of the time:
// so a block that is never touched, and thus takes address space only, counts as
// alive.
func collect() (undo func()) {
	percent := debug.SetGCPercent(50)
	block := make([]byte, headroom*2)
	return func() {
		debug.SetGCPercent(percent)
		runtime.KeepAlive(block)
	}
}
