package lsp

import (
	"context"
	"time"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/sched"
)

// furtherTime bounds what is done about one function after its pass.
const furtherTime = 5 * time.Second

// refused are the functions of a document of which it is not yet known whether
// they have a placement after all.
func (p *publisher) refused(snap *Snapshot, doc *Document) (*analysis.Document, []int) {
	a := snap.analysed(doc)
	if a == nil || p.s.opts.NoSearch {
		return nil, nil
	}
	return a, a.NoFits()
}

// lookFurther does what takes too long to be waited for after every edit: it
// finds out whether functions that were refused have a placement after all.
// then is called on the loop when more is known. It ends with ctx.
func (p *publisher) lookFurther(ctx context.Context, cancel context.CancelFunc, snap *Snapshot, doc *Document, then func()) {
	a, chunks := p.refused(snap, doc)
	if len(chunks) == 0 {
		cancel()
		return
	}
	p.s.pool.Submit(sched.Low, func() {
		defer cancel()
		defer func() {
			if r := recover(); r != nil {
				_ = p.s.panicked("search", r)
			}
		}()
		more := false
		for _, c := range chunks {
			if ctx.Err() != nil {
				break
			}
			limited, done := context.WithTimeout(ctx, furtherTime)
			more = a.LookBeyond(limited, c) || more
			done()
		}
		if more {
			p.s.post(then)
		}
	})
}
