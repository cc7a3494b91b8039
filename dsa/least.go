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
// all kept apart from each other, by conflicts or by penalties.
func (m *model) least() uint64 {
	c := cliques{m: m, reach: make([]uint64, len(m.bufs)), place: make([]uint8, len(m.bufs))}
	for i := range m.bufs {
		c.reach[i] = m.bufs[i].size
		c.partners(int32(i), func(q int32) { c.reach[i] = saturate(c.reach[i], m.bufs[q].size) })
	}
	var total uint64
	for p := range m.pools {
		var floor uint64
		for _, r := range m.pools[p].reserved {
			if r.Begin == 0 {
				floor = max(floor, r.End)
			}
		}
		total = saturate(total, saturate(floor, c.heaviest(int32(p))))
	}
	return total
}

// cliques looks for large sets of buffers that are apart from each other, among
// the few partners of one buffer at a time.
type cliques struct {
	m *model
	// reach is the size of a buffer with all its partners, 0 once it was looked at.
	reach []uint64
	// near are the partners being looked at; place is where a buffer is in near,
	// plus one; apart has for each a bit for all that are apart from it.
	near  []int32
	place []uint8
	apart [64]uint64
}

// partners visits the buffers apart from i, some of them twice.
func (c *cliques) partners(i int32, visit func(int32)) {
	for _, q := range c.m.hard.row(i) {
		visit(q)
	}
	for _, q := range c.m.soft.row(i) {
		visit(q)
	}
}

// heaviest is the size of a large set in a pool, grown from each of the three
// buffers with the largest reach.
func (c *cliques) heaviest(pool int32) uint64 {
	var best uint64
	for range 3 {
		start := int32(-1)
		for i := range c.reach {
			if c.m.bufs[i].pool == pool && c.reach[i] > 0 && (start < 0 || c.reach[i] > c.reach[start]) {
				start = int32(i)
			}
		}
		if start < 0 || c.reach[start] <= best {
			break
		}
		best = max(best, c.from(start))
		c.reach[start] = 0
	}
	return best
}

// from is the size of a set with buffer start: it takes the partner with the
// most partners among those left, again and again. Of more than 64 partners only
// the first are looked at.
func (c *cliques) from(start int32) uint64 {
	c.near = c.near[:0]
	c.place[start] = 255
	c.partners(start, func(q int32) {
		if c.place[q] == 0 && len(c.near) < len(c.apart) {
			c.near = append(c.near, q)
			c.place[q] = uint8(len(c.near))
		}
	})
	c.place[start] = 0
	open := ^uint64(0) >> (64 - len(c.near))
	for k, q := range c.near {
		c.apart[k] = 0
		c.partners(q, func(o int32) {
			if at := c.place[o]; at > 0 && o != q {
				c.apart[k] |= 1 << (at - 1)
			}
		})
	}
	for _, q := range c.near {
		c.place[q] = 0
	}
	sum := c.m.bufs[start].size
	for open != 0 {
		next, most := 0, -1
		for rest := open; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros64(rest)
			if d := bits.OnesCount64(c.apart[k] & open); d > most {
				next, most = k, d
			}
		}
		sum = saturate(sum, c.m.bufs[c.near[next]].size)
		open &= c.apart[next]
	}
	return sum
}
