package dsa

import "math/bits"

// unitTable is what the greedy keeps per pool as long as all offsets are few
// enough multiples of a unit: marks and sums by unit replace sorting. Between
// two calls of place all tables are zero.
type unitTable struct {
	on   bool
	unit uint64
	// candidate marks candidate offsets; hardBegin and softBegin mark begins of
	// placed partners.
	candidate, hardBegin, softBegin []uint64
	hardEnd                         []int32  // by begin: the furthest end
	beginWeight, endWeight          []uint32 // by begin; by rounded-up end
	// words is the number of words of the mark tables in use so far.
	words int
	// What one call of place marked: places of hard and soft partners, with the
	// candidate offset in the place of the end, and how many candidates.
	hard, soft []unitRange
	candidates uint64
}

// unitRange is the place of a buffer in units of its pool; begin is -1 while
// it has none.
type unitRange struct{ begin, end int32 }

func (t *unitTable) init(pool *mpool) {
	t.unit = pool.unit
	t.grow(min(pool.capacity/t.unit, 1023))
}

// grow makes room for ends up to the given number of units, by doubling.
func (t *unitTable) grow(end uint64) {
	words := int(end>>6) + 1
	if words <= len(t.candidate) {
		return
	}
	words = max(words, 2*len(t.candidate))
	all := make([]uint64, 3*words)
	t.candidate = append(all[:0:words], t.candidate...)[:words]
	t.hardBegin = append(all[words:words:2*words], t.hardBegin...)[:words]
	t.softBegin = append(all[2*words:2*words], t.softBegin...)[:words]
	t.hardEnd = append(make([]int32, 0, 64*words), t.hardEnd...)[:64*words]
	sums := make([]uint32, 128*words)
	t.beginWeight = append(sums[:0:64*words], t.beginWeight...)[:64*words]
	t.endWeight = append(sums[64*words:64*words], t.endWeight...)[:64*words]
}

// reset begins an order: nothing is placed.
func (t *unitTable) reset(pool *mpool) {
	t.on, t.words = pool.tables, 1
	if !t.on {
		return
	}
	for _, r := range pool.reserved {
		t.use((r.End-1)/t.unit + 1)
	}
}

// use makes the tables cover the given end.
func (t *unitTable) use(end uint64) {
	t.grow(end)
	t.words = max(t.words, int(end>>6)+1)
}

// up rounds an end to a multiple of the alignment, in units.
func up(end, align int32) int32 {
	if align == 1 {
		return end
	}
	return (end + align - 1) / align * align
}

func mark(marks []uint64, i int32) { marks[i>>6] |= 1 << (i & 63) }

// offer marks a candidate and counts it when it is new.
func (t *unitTable) offer(i int32) {
	w := &t.candidate[i>>6]
	t.candidates += ^(*w >> (i & 63)) & 1
	*w |= 1 << (i & 63)
}

// place is greedy.place with tables.
func (t *unitTable) place(g *greedy, a int32) (uint64, bool) {
	b := &g.m.bufs[a]
	pool := &g.m.pools[b.pool]
	// An alignment finer than the unit is met by every multiple of the unit.
	align := int32(max(1, b.align/t.unit))
	size, last := int32((b.size-1)/t.unit+1), int32(-1)
	// Whether the bytes fit is decided in bytes: the last unit may be partial.
	if b.size <= pool.capacity {
		last = int32(min((pool.capacity-b.size)/t.unit, 2*maxUnits))
	}
	t.offer(0)
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
		t.beginWeight[w.begin] += uint32(weights[k])
		e := t.end(w.end, align)
		t.offer(e)
		t.endWeight[e] += uint32(weights[k])
		t.soft = append(t.soft, unitRange{w.begin, e})
	}
	g.candidates += t.candidates
	x, cost := t.cheapest(size, last)
	g.race.so.Reuse += cost
	t.clear()
	if x < 0 {
		return 0, false
	}
	g.where[a] = unitRange{x, x + size}
	if t.on = x+size < maxUnits; t.on {
		t.use(uint64(x + size))
	}
	return uint64(x) * t.unit, true
}

// end is the candidate offset above a range.
func (t *unitTable) end(end, align int32) int32 {
	if align == 1 {
		return end
	}
	e := up(end, align)
	t.use(uint64(e))
	return e
}

func (t *unitTable) block(w unitRange, align int32) {
	mark(t.hardBegin, w.begin)
	t.hardEnd[w.begin] = max(t.hardEnd[w.begin], w.end)
	e := t.end(w.end, align)
	t.offer(e)
	t.hard = append(t.hard, unitRange{w.begin, e})
}

// cheapest is greedy.cheapest with the cost; -1 means none. It stops at the
// first free candidate, since no later one can be cheaper, or above last.
func (t *unitTable) cheapest(size, last int32) (best int32, bestCost uint64) {
	best = -1
	var begun, ended uint64
	var top int32
	hard, soft := marks{list: t.hardBegin[:t.words]}, marks{list: t.softBegin[:t.words]}
	hard.rest, soft.rest = hard.list[0], soft.list[0]
	for i, word := range t.candidate[:t.words] {
		for ; word != 0; word &= word - 1 {
			x := int32(i<<6 + bits.TrailingZeros64(word))
			if x > last {
				return best, bestCost
			}
			for p := hard.below(x + size); p >= 0; p = hard.below(x + size) {
				top = max(top, t.hardEnd[p])
			}
			for p := soft.below(x + size); p >= 0; p = soft.below(x + size) {
				begun += uint64(t.beginWeight[p])
			}
			ended += uint64(t.endWeight[x])
			if cost := begun - ended; top <= x && (best < 0 || cost < bestCost) {
				best, bestCost = x, cost
				if cost == 0 {
					return best, cost
				}
			}
		}
	}
	return best, bestCost
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

// clear zeroes everything that place marked.
func (t *unitTable) clear() {
	t.candidate[0] = 0
	for _, w := range t.hard {
		t.hardEnd[w.begin] = 0
		t.hardBegin[w.begin>>6], t.candidate[w.end>>6] = 0, 0
	}
	for _, w := range t.soft {
		t.beginWeight[w.begin], t.endWeight[w.end] = 0, 0
		t.softBegin[w.begin>>6], t.candidate[w.end>>6] = 0, 0
	}
	t.hard, t.soft, t.candidates = t.hard[:0], t.soft[:0], 0
}
