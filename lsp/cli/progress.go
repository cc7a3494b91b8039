package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progressBar shows on a terminal how far a long run has come.
type progressBar struct {
	w     io.Writer // nil when nobody looks
	total int

	mu   sync.Mutex
	n    int       // guarded by mu
	last time.Time // guarded by mu
}

// manyFiles are worth a progress bar.
const manyFiles = 20

func (e *env) progress(total int) *progressBar {
	p := &progressBar{total: total, last: time.Now()}
	if e.errTerminal() && total > manyFiles {
		p.w = e.err
	}
	return p
}

func (p *progressBar) done() {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	if time.Since(p.last) > 200*time.Millisecond {
		p.last = time.Now()
		fmt.Fprintf(p.w, "\r%d of %d files", p.n, p.total)
	}
}

func (p *progressBar) finish() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
