package dsa

// race ends orders that cannot win: each buffer placed only adds to what a
// placement costs, and one that already costs as much as the best so far would
// not replace it.
type race struct {
	// on is set when there is a placement to beat: best is its objective.
	on   bool
	best Objective
	// so is the objective of what the order has placed so far, peaks its peak of
	// each pool. The searches for an offset add to so.Reuse themselves.
	so    Objective
	peaks []uint64
	// lost tells that the last order was ended.
	lost bool
}

// against lets the orders that follow run against a placement.
func (r *race) against(best Objective) { r.on, r.best = true, best }

// start begins an order.
func (r *race) start(m *model) {
	r.so, r.lost = Objective{}, false
	if !r.on {
		return
	}
	if r.peaks == nil {
		r.peaks = make([]uint64, len(m.pools))
	}
	clear(r.peaks)
	for i := range m.pools {
		for _, w := range m.pools[i].reserved {
			r.peaks[i] = max(r.peaks[i], w.End)
		}
		r.raise(r.peaks[i], r.peaks[i])
	}
}

// place adds a buffer at offset x and reports whether the order has lost.
func (r *race) place(b *mbuf, x uint64) bool {
	if !r.on {
		return false
	}
	if end, was := x+b.size, r.peaks[b.pool]; end > was {
		r.peaks[b.pool] = end
		r.raise(end-was, end)
	}
	r.lost = r.so.Compare(r.best) >= 0
	return r.lost
}

// raise adds to the sum of the peaks; peak is the one that rose.
func (r *race) raise(by, peak uint64) {
	r.so.Total = saturate(r.so.Total, by)
	r.so.Max = max(r.so.Max, peak)
}
