package sched

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPriorities: with all workers held, what is queued later with a higher
// priority runs first, and within a priority the order is kept.
func TestPriorities(t *testing.T) {
	p := NewPool(2)
	hold, held := make(chan bool), make(chan bool)
	for range 2 {
		p.Submit(High, func() { held <- true; <-hold })
		<-held
	}
	var mu sync.Mutex
	var got []string
	var wg sync.WaitGroup
	note := func(s string) func() {
		wg.Add(1)
		return func() { mu.Lock(); got = append(got, s); mu.Unlock(); wg.Done() }
	}
	p.Submit(Low, note("low 1"))
	p.Submit(Normal, note("normal 1"))
	p.Submit(Normal, note("normal 2"))
	p.Submit(High, note("high 1"))
	if p.Waiting() != 4 {
		t.Errorf("%d wait", p.Waiting())
	}
	hold <- true // one worker runs the four in order
	wg.Wait()
	hold <- true
	if diff := cmp.Diff([]string{"high 1", "normal 1", "normal 2", "low 1"}, got); diff != "" {
		t.Error(diff)
	}
	p.Close()
}

// TestLowLeavesAWorker: however many Low jobs there are, another job runs at once.
func TestLowLeavesAWorker(t *testing.T) {
	p := NewPool(2)
	hold, done := make(chan bool), make(chan bool)
	for range 5 {
		p.Submit(Low, func() { <-hold; done <- true })
	}
	p.Submit(High, func() { done <- true })
	<-done
	close(hold)
	for range 5 {
		<-done
	}
	p.Close()
	if p.Submit(High, func() {}) {
		t.Error("a closed pool took a job")
	}
}

// TestPassesLeaveAWorker: however many passes and Low jobs there are, another job
// runs at once; and a Low job does not keep a pass waiting where there are three
// workers.
func TestPassesLeaveAWorker(t *testing.T) {
	p := NewPool(3)
	hold, began, done := make(chan bool), make(chan string, 9), make(chan bool)
	for range 3 {
		p.Submit(Low, func() { began <- "low"; <-hold })
	}
	if got := <-began; got != "low" {
		t.Errorf("%s began", got)
	}
	for range 3 {
		p.Submit(Pass, func() { began <- "pass"; <-hold })
	}
	if got := <-began; got != "pass" {
		t.Errorf("%s began", got)
	}
	p.Submit(Normal, func() { done <- true })
	<-done
	if len(began) > 0 {
		t.Errorf("%s began on the last worker", <-began)
	}
	close(hold)
	for range 4 {
		<-began
	}
	p.Close()
}

// TestCloseDropsWhatWaits and waits for what runs.
func TestCloseDropsWhatWaits(t *testing.T) {
	p := NewPool(2)
	hold, held := make(chan bool), make(chan bool)
	finished := 0
	var mu sync.Mutex
	for range 2 {
		p.Submit(Normal, func() { held <- true; <-hold; mu.Lock(); finished++; mu.Unlock() })
		<-held
	}
	p.Submit(Normal, func() { t.Error("ran after Close") })
	closed := make(chan bool)
	go func() { p.Close(); close(closed) }()
	for p.Waiting() > 0 {
		time.Sleep(time.Millisecond)
	}
	close(hold)
	<-closed
	if finished != 2 {
		t.Errorf("%d of 2 running jobs ended", finished)
	}
}

func TestDebounce(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, c := range []struct {
		took []int
		want int
	}{
		{nil, 0},
		{[]int{900, 900}, 0}, // too few to tell
		{[]int{14, 14, 14}, 0},
		{[]int{15, 15, 15}, 15},
		{[]int{900, 900, 900}, 500}, // never longer than half a second
		{[]int{900, 2, 3}, 0},       // median 3: one slow pass (the first) does not count
		{[]int{2, 40, 60}, 40},      // median of three
		{[]int{900, 900, 900, 1, 1, 1, 1, 1, 1, 1, 1}, 0}, // only the last eight count
	} {
		var d Debounce
		for _, t := range c.took {
			d.Took(ms(t))
		}
		if got := d.Delay(); got != ms(c.want) {
			t.Errorf("after %v: %v, want %d ms", c.took, got, c.want)
		}
	}
}
