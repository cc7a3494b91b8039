package dsa

import (
	"math"
	"math/bits"
)

// ender tells when a search may end: when the best placement so far has no
// active penalty and the least total that is possible without one. Then every
// pool has its least peak, so that a placement as good in both is no better in
// the largest peak either.
type ender struct {
	m     *model
	on    bool
	asked bool
	least uint64
}

func (e *ender) now(r *Result) bool {
	if !e.on || r.Status != Feasible || r.Objective.Reuse != 0 {
		return false
	}
	if !e.asked {
		e.asked, e.least = true, e.m.least()
	}
	return r.Objective.Total <= e.least && e.least < math.MaxUint64
}

// least is a peak total that no placement without active penalties goes below:
// for each pool what is reserved at its bottom and a set of buffers that are
// all kept apart from each other, by conflicts or by penalties. It looks for
// large sets among few buffers only; 0 says nothing.
func (m *model) least() uint64 {
	n := len(m.bufs)
	if n > 64 {
		return 0
	}
	var apart [64]uint64
	for i := range int32(n) {
		for _, q := range m.hard.row(i) {
			apart[i] |= 1 << q
		}
		for _, q := range m.soft.row(i) {
			apart[i] |= 1 << q
		}
		apart[i] &^= 1 << i
	}
	var total uint64
	for p := range m.pools {
		var here uint64
		for i := range m.bufs {
			if int(m.bufs[i].pool) == p {
				here |= 1 << i
			}
		}
		var floor uint64
		for _, r := range m.pools[p].reserved {
			if r.Begin == 0 {
				floor = max(floor, r.End)
			}
		}
		total = saturate(total, saturate(floor, m.heaviest(here, &apart)))
	}
	return total
}

// heaviest is the size of a large set of buffers among those given that are
// apart from each other, grown from each of the three with the most partners.
func (m *model) heaviest(among uint64, apart *[64]uint64) uint64 {
	var best uint64
	starts := among
	for range 3 {
		first, most := -1, -1
		for rest := starts; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			if d := bits.OnesCount64(apart[i] & among); d > most {
				first, most = i, d
			}
		}
		if first < 0 {
			break
		}
		starts &^= 1 << first
		sum := m.bufs[first].size
		for open := apart[first] & among; open != 0; {
			next, most := 0, -1
			for rest := open; rest != 0; rest &= rest - 1 {
				i := bits.TrailingZeros64(rest)
				if d := bits.OnesCount64(apart[i] & open); d > most {
					next, most = i, d
				}
			}
			sum = saturate(sum, m.bufs[next].size)
			open &= apart[next]
		}
		best = max(best, sum)
	}
	return best
}
