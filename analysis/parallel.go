package analysis

import (
	"runtime/debug"
	"sync"
)

// inParallel calls f with 0 … n-1, at the same time where there are several:
// the halves of a mixed kernel have nothing to do with each other. A panic of
// one is passed on, as a relayed, when all have ended.
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
	for i := 1; i < n; i++ {
		wg.Go(func() { run(i) })
	}
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
