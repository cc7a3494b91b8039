package analysis

import (
	"runtime/debug"
	"sync"
)

// inParallel calls f with 0 … n-1: here with the first, which need not wait for
// another thread to wake, and at the same time with the others, one after the
// other. A panic of one is passed on, as a relayed, when all have ended. To wake
// a thread may take 0.1 ms: smaller pieces are quicker one after the other.
func inParallel(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	panics := make([]any, n)
	run := func(i int) {
		defer func() {
			if v := recover(); v != nil {
				panics[i] = relayed{v, debug.Stack()}
			}
		}()
		f(i)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 1; i < n; i++ {
			run(i)
		}
	})
	if n > 0 {
		run(0)
	}
	wg.Wait()
	for _, v := range panics {
		if v != nil {
			panic(v)
		}
	}
}

// relayed is a panic of another goroutine with where it was.
type relayed struct {
	value any
	stack []byte
}
