package dsa

import "math/bits"

// unitTable is what the greedy keeps per pool when offsets are few enough
// multiples of a unit: marks and sums by unit replace sorting. Between two
// calls of place all tables are zero.
type unitTable struct {
	units int
	unit  uint64
	// candidate marks candidate offsets; hardBegin and softBegin mark begins of
	// placed partners.
	candidate, hardBegin, softBegin []uint64
	hardEnd                         []int32  // by begin: the furthest end
	beginWeight, endWeight          []uint64 // by begin; by rounded-up end
	// words is the number of words of the mark tables in use so far, atLeast
	// what the reserved ranges use.
	words, atLeast int
}

// unitRange is the place of a buffer in units of its pool; begin is -1 while
// it has none.
type unitRange struct{ begin, end int32 }

func newUnitTable(pool *mpool) unitTable {
	t := unitTable{units: pool.units, unit: pool.unit}
	words := (t.units + 63) / 64
	marks := make([]uint64, 3*words)
	t.candidate, t.hardBegin, t.softBegin = marks[:words], marks[words:2*words], marks[2*words:]
	t.atLeast = 1
	for _, r := range pool.reserved {
		t.atLeast = max(t.atLeast, int((r.End-1)/t.unit+1)>>6+1)
	}
	t.hardEnd = make([]int32, t.units)
	sums := make([]uint64, 2*t.units)
	t.beginWeight, t.endWeight = sums[:t.units], sums[t.units:]
	return t
}

// up rounds an end to a multiple of the alignment, in units.
func up(end, align int32) int32 {
	if align == 1 {
		return end
	}
	return (end + align - 1) / align * align
}

func mark(marks []uint64, i int32) { marks[i>>6] |= 1 << (i & 63) }

// place is greedy.place with tables.
func (t *unitTable) place(g *greedy, a int32) (uint64, bool) {
	b := &g.m.bufs[a]
	pool := &g.m.pools[b.pool]
	// An alignment finer than the unit is met by every multiple of the unit.
	align := int32(max(1, b.align/t.unit))
	// Whether the bytes fit is decided in bytes: the last unit may be partial.
	size, last := int32(t.units), int32(-1)
	if b.size <= pool.capacity {
		size = int32((b.size-1)/t.unit + 1)
		last = int32((pool.capacity - b.size) / t.unit)
	}
	mark(t.candidate, 0)
	for _, r := range pool.reserved {
		t.block(unitRange{int32(r.Begin / t.unit), int32((r.End-1)/t.unit + 1)}, align)
	}
	for _, q := range g.m.hard.row(a) {
		if w := g.where[q]; w.begin >= 0 {
			t.block(w, align)
		}
	}
	lo, hi := g.m.soft.start[a], g.m.soft.start[a+1]
	weights := g.m.softWeight[lo:hi]
	for k, q := range g.m.soft.list[lo:hi] {
		w := g.where[q]
		if w.begin < 0 {
			continue
		}
		mark(t.softBegin, w.begin)
		t.beginWeight[w.begin] += weights[k]
		e := t.end(w.end, align)
		mark(t.candidate, e)
		t.endWeight[e] += weights[k]
	}
	for _, w := range t.candidate[:t.words] {
		g.candidates += uint64(bits.OnesCount64(w))
	}
	x := t.cheapest(size, last)
	t.clear()
	if x < 0 {
		return 0, false
	}
	g.where[a] = unitRange{x, x + size}
	t.words = max(t.words, int(x+size)>>6+1)
	return uint64(x) * t.unit, true
}

// end is the candidate offset above a range.
func (t *unitTable) end(end, align int32) int32 {
	if align == 1 {
		return end
	}
	e := up(end, align)
	t.words = max(t.words, int(e)>>6+1)
	return e
}

func (t *unitTable) block(w unitRange, align int32) {
	mark(t.hardBegin, w.begin)
	t.hardEnd[w.begin] = max(t.hardEnd[w.begin], w.end)
	mark(t.candidate, t.end(w.end, align))
}

// cheapest is greedy.cheapest; -1 means none. It stops at the first free
// candidate, since no later one can be cheaper, or above last.
func (t *unitTable) cheapest(size, last int32) int32 {
	best := int32(-1)
	var bestCost, begun, ended uint64
	var top int32
	hard, soft := marks{list: t.hardBegin[:t.words]}, marks{list: t.softBegin[:t.words]}
	hard.rest, soft.rest = hard.list[0], soft.list[0]
	for i, word := range t.candidate[:t.words] {
		for ; word != 0; word &= word - 1 {
			x := int32(i<<6 + bits.TrailingZeros64(word))
			if x > last {
				return best
			}
			for p := hard.below(x + size); p >= 0; p = hard.below(x + size) {
				top = max(top, t.hardEnd[p])
			}
			for p := soft.below(x + size); p >= 0; p = soft.below(x + size) {
				begun += t.beginWeight[p]
			}
			ended += t.endWeight[x]
			if cost := begun - ended; top <= x && (best < 0 || cost < bestCost) {
				best, bestCost = x, cost
				if cost == 0 {
					return best
				}
			}
		}
	}
	return best
}

// marks walks the marks of a table upwards.
type marks struct {
	list []uint64
	word int
	rest uint64
}

// below takes the next mark if it is below limit, else it returns -1.
func (m *marks) below(limit int32) int32 {
	for m.rest == 0 {
		if m.word+1 >= len(m.list) {
			return -1
		}
		m.word++
		m.rest = m.list[m.word]
	}
	p := int32(m.word<<6 + bits.TrailingZeros64(m.rest))
	if p >= limit {
		return -1
	}
	m.rest &= m.rest - 1
	return p
}

// clear zeroes everything that is marked.
func (t *unitTable) clear() {
	for i := range t.words {
		for w := t.hardBegin[i]; w != 0; w &= w - 1 {
			t.hardEnd[i<<6+bits.TrailingZeros64(w)] = 0
		}
		for w := t.softBegin[i]; w != 0; w &= w - 1 {
			t.beginWeight[i<<6+bits.TrailingZeros64(w)] = 0
		}
		for w := t.candidate[i]; w != 0; w &= w - 1 {
			t.endWeight[i<<6+bits.TrailingZeros64(w)] = 0
		}
		t.hardBegin[i], t.softBegin[i], t.candidate[i] = 0, 0, 0
	}
}
