package analysis

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestInParallel(t *testing.T) {
	for n := range 5 {
		done := make([]atomic.Int32, n)
		inParallel(n, func(i int) { done[i].Add(1) })
		for i := range done {
			if got := done[i].Load(); got != 1 {
				t.Errorf("%d of %d was called %d times", i, n, got)
			}
		}
	}
}

func failHere() { panic("broken") }

// TestInParallelPanic: one of three fails; the others end first, and the place
// of the failure is passed on with it.
func TestInParallelPanic(t *testing.T) {
	var ended atomic.Int32
	defer func() {
		r, ok := recover().(relayed)
		if !ok || r.value != "broken" || !strings.Contains(string(r.stack), "failHere") {
			t.Errorf("recovered %v", r.value)
		}
		if n := ended.Load(); n != 2 {
			t.Errorf("%d of the others had ended, want 2", n)
		}
	}()
	inParallel(3, func(i int) {
		if i == 1 {
			failHere()
		}
		ended.Add(1)
	})
}
