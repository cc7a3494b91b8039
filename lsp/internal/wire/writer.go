package wire

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrBlocked is why a connection ends whose client stopped reading.
var ErrBlocked = errors.New("the client does not read: too many bytes wait for it")

var errClosed = errors.New("connection closed")

// writer sends messages in order from a goroutine of its own, so that handing
// it one never blocks. The bytes that wait are bounded.
type writer struct {
	out  io.Writer
	lim  Limits
	fail func(error) // called once, without the lock, when nothing more will be sent

	mu      sync.Mutex
	wake    *sync.Cond
	queue   [][]byte // guarded by mu
	waiting int      // bytes queued or being written; guarded by mu
	closing bool     // guarded by mu
	err     error    // guarded by mu
	done    chan struct{}
}

func newWriter(out io.Writer, lim Limits, fail func(error)) *writer {
	w := &writer{out: out, lim: lim, fail: fail, done: make(chan struct{})}
	w.wake = sync.NewCond(&w.mu)
	go w.run()
	return w
}

// enqueue hands over one encoded message.
func (w *writer) enqueue(body []byte) error {
	w.mu.Lock()
	err, blocked := w.err, false
	switch {
	case err != nil:
	case w.closing:
		err = errClosed
	case w.waiting > 0 && w.waiting+len(body) > w.lim.Queue:
		err, blocked = ErrBlocked, true
		w.err = err
		w.queue = nil
	default:
		w.queue = append(w.queue, body)
		w.waiting += len(body)
	}
	w.wake.Signal()
	w.mu.Unlock()
	if blocked {
		w.fail(err)
	}
	return err
}

func (w *writer) backlog() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waiting
}

func (w *writer) run() {
	defer close(w.done)
	for {
		w.mu.Lock()
		for len(w.queue) == 0 && !w.closing && w.err == nil {
			w.wake.Wait()
		}
		batch := w.queue
		w.queue = nil
		stop := w.err != nil || len(batch) == 0
		w.mu.Unlock()
		if stop {
			return
		}
		for _, body := range batch {
			if err := w.write(frame(body)); err != nil {
				w.mu.Lock()
				first := w.err == nil
				if first {
					w.err = err
				}
				w.mu.Unlock()
				if first {
					w.fail(err)
				}
				return
			}
			w.mu.Lock()
			w.waiting -= len(body)
			w.mu.Unlock()
		}
	}
}

// write sends all of b or says why not; a writer that takes less than it was
// given without an error is at fault too.
func (w *writer) write(b []byte) error {
	n, err := w.out.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// close lets what is queued go out, for at most the given time, and reports
// whether all of it went.
func (w *writer) close(drain time.Duration) bool {
	w.mu.Lock()
	w.closing = true
	w.wake.Signal()
	w.mu.Unlock()
	t := time.NewTimer(drain)
	defer t.Stop()
	select {
	case <-w.done:
		return true
	case <-t.C:
		return false
	}
}
