package sched

import (
	"slices"
	"time"
)

// Debounce chooses the delay before a background pass from how long the last
// passes took: none while they are quick, so that results follow the keystroke;
// about as long as a pass takes when they are not, so that at most half the time
// goes into passes that the next keystroke makes obsolete. One or two slow passes
// tell nothing yet. The zero value is ready to use.
type Debounce struct {
	last [8]time.Duration
	n    int
}

// Bounds of the delay.
const (
	quick    = 15 * time.Millisecond
	maxDelay = 500 * time.Millisecond
)

// Took records the length of a pass.
func (d *Debounce) Took(t time.Duration) {
	d.last[d.n%len(d.last)] = t
	d.n++
}

// Delay is the time to wait before the next pass.
func (d *Debounce) Delay() time.Duration {
	seen := slices.Clone(d.last[:min(d.n, len(d.last))])
	if len(seen) < 3 {
		return 0
	}
	slices.Sort(seen)
	median := seen[len(seen)/2]
	if median < quick {
		return 0
	}
	return min(median, maxDelay)
}
