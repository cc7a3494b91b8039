// Package sched runs work off the server's loop: a pool of workers with
// priorities, and the adaptive delay before background passes.
package sched

import (
	"sync"
)

// Priority orders waiting jobs; within one priority they run in order.
type Priority int

// The priorities: what a user waits for (hover, completion), what an editor asks
// for after an edit (hints, tokens), passes over whole documents, and what
// nobody waits for (the workspace).
const (
	High Priority = iota
	Normal
	Pass
	Low
	priorities
)

// Pool is a fixed number of workers. One is always free of Pass and Low jobs, so
// that an answer never waits for a document to be done; of three or more
// another one is free of Low jobs.
type Pool struct {
	wg sync.WaitGroup

	mu      sync.Mutex
	wake    *sync.Cond
	queues  [priorities][]func() // guarded by mu
	busy    [priorities]int      // workers with a job of each priority; guarded by mu
	workers int
	closed  bool // guarded by mu
}

// NewPool starts max(2, workers) workers.
func NewPool(workers int) *Pool {
	p := &Pool{workers: max(2, workers)}
	p.wake = sync.NewCond(&p.mu)
	p.wg.Add(p.workers)
	for range p.workers {
		go p.work()
	}
	return p
}

// Submit queues a job and never blocks. It reports false once the pool is closed.
// Jobs must not panic.
func (p *Pool) Submit(prio Priority, job func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.queues[prio] = append(p.queues[prio], job)
	p.wake.Signal()
	return true
}

// Waiting counts the jobs that have not begun.
func (p *Pool) Waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, q := range p.queues {
		n += len(q)
	}
	return n
}

// Close drops the jobs that wait and returns when those that run have ended.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.queues = [priorities][]func(){}
	p.wake.Broadcast()
	p.mu.Unlock()
	p.wg.Wait()
}

func (p *Pool) work() {
	defer p.wg.Done()
	for {
		job, prio, ok := p.next()
		if !ok {
			return
		}
		job()
		p.mu.Lock()
		p.busy[prio]--
		if prio >= Pass {
			p.wake.Signal() // a worker may have passed over a job
		}
		p.mu.Unlock()
	}
}

// full reports whether no more jobs of a priority may run; it needs p.mu.
func (p *Pool) full(prio Priority) bool {
	switch prio {
	case Pass:
		return p.busy[Pass]+p.busy[Low] >= p.workers-1
	case Low:
		return p.busy[Pass]+p.busy[Low] >= p.workers-1 || p.busy[Low] >= max(1, p.workers-2)
	}
	return false
}

func (p *Pool) next() (func(), Priority, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed {
		for prio := High; prio < priorities; prio++ {
			q := p.queues[prio]
			if len(q) == 0 || p.full(prio) {
				continue
			}
			job := q[0]
			q[0] = nil
			p.queues[prio] = q[1:]
			p.busy[prio]++
			return job, prio, true
		}
		p.wake.Wait()
	}
	return nil, 0, false
}
