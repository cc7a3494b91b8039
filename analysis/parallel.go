package analysis

import (
	"runtime/debug"
	"sync"
)

// inParallel calls f with 0 … n-1: here with the longest, which need not wait
// for another thread to wake, and at the same time with the others, one after
// the other. A panic of one is passed on, as a relayed, when all have ended.
func inParallel(n, longest int, f func(i int)) {
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
		for i := range n {
			if i != longest {
				run(i)
			}
		}
	})
	if n > 0 {
		run(longest)
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
