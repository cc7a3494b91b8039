package dsa

import "slices"

// greedy places one order after the other, keeping its tables between them.
type greedy struct {
	m          *model
	at         []uint64
	candidates uint64 // number of candidate offsets looked at
	tables     []unitTable
	// where is the place of each buffer in units, for pools with tables.
	where []unitRange
	stop  func() bool
	// race is what ends an order that cannot win any more.
	race race
	// Scratch of the path without tables.
	offsets                  []uint64
	hard, byEnd, softByBegin []span
}

func newGreedy(m *model, stop func() bool) *greedy {
	g := &greedy{m: m, at: make([]uint64, len(m.bufs)), stop: stop}
	g.tables = make([]unitTable, len(m.pools))
	g.where = make([]unitRange, len(m.bufs))
	for i := range m.pools {
		if m.pools[i].tables {
			g.tables[i].init(&m.pools[i])
		}
	}
	return g
}

// run places all buffers in the given order. The returned offsets are g's own.
// Both results are nil when stop asked to end, or the order has lost.
func (g *greedy) run(index int, order []int32) ([]uint64, *Failure) {
	for i := range g.at {
		g.at[i] = unplaced
		g.where[i].begin = -1
	}
	for i := range g.tables {
		g.tables[i].reset(&g.m.pools[i])
	}
	g.race.start(g.m)
	for k, a := range order {
		if k%256 == 255 && g.stop != nil && g.stop() {
			return nil, nil
		}
		var x uint64
		var ok bool
		t := &g.tables[g.m.bufs[a].pool]
		if t.on = t.on && (g.m.bufs[a].size-1)/t.unit < maxUnits; t.on {
			x, ok = t.place(g, a)
		} else {
			x, ok = g.place(a)
		}
		if !ok {
			return nil, g.m.failure(index, k, a, g.at)
		}
		g.at[a] = x
		if g.race.place(&g.m.bufs[a], x) {
			return nil, nil
		}
	}
	return g.at, nil
}

// place finds the cheapest, then lowest offset of buffer a among the ends of
// reserved ranges and of placed partners (spec 08 §6). It is the plain form;
// unitTable.place does the same with tables.
func (g *greedy) place(a int32) (uint64, bool) {
	b, pool := &g.m.bufs[a], &g.m.pools[g.m.bufs[a].pool]
	g.hard = g.m.blocked(a, g.at, g.hard[:0])
	g.softByBegin = g.softByBegin[:0]
	for k := g.m.soft.start[a]; k < g.m.soft.start[a+1]; k++ {
		q := g.m.soft.list[k]
		if at := g.at[q]; at != unplaced {
			g.softByBegin = append(g.softByBegin, span{at, at + g.m.bufs[q].size, g.m.softWeight[k]})
		}
	}
	g.byEnd = append(g.byEnd[:0], g.softByBegin...)
	slices.SortFunc(g.softByBegin, compareSpan)
	slices.SortFunc(g.byEnd, func(x, y span) int { return compareSpan(span{begin: x.end}, span{begin: y.end}) })
	g.offsets = append(g.offsets[:0], 0)
	for _, list := range [][]span{g.hard, g.byEnd} {
		for _, s := range list {
			if x, ok := alignUp(s.end, b.align); ok {
				g.offsets = append(g.offsets, x)
			}
		}
	}
	slices.Sort(g.offsets)
	g.offsets = slices.Compact(g.offsets)
	g.candidates += uint64(len(g.offsets))
	return g.cheapest(b.size, pool.capacity)
}

// cheapest walks the candidates upwards. Ranges that begin below a candidate's
// end and do not end at or below its start meet it; both conditions move
// monotonically.
func (g *greedy) cheapest(size, capacity uint64) (best uint64, found bool) {
	var bestCost, begun, ended, top uint64
	h, s, e := 0, 0, 0
	for _, x := range g.offsets {
		if !fits(x, size, capacity) {
			break
		}
		for ; h < len(g.hard) && g.hard[h].begin < x+size; h++ {
			top = max(top, g.hard[h].end)
		}
		for ; s < len(g.softByBegin) && g.softByBegin[s].begin < x+size; s++ {
			begun += g.softByBegin[s].weight
		}
		for ; e < len(g.byEnd) && g.byEnd[e].end <= x; e++ {
			ended += g.byEnd[e].weight
		}
		if cost := begun - ended; top <= x && (!found || cost < bestCost) {
			best, bestCost, found = x, cost, true
		}
	}
	g.race.so.Reuse += bestCost
	return best, found
}
