package dsa

import "slices"

// unplaced marks a buffer without an offset. It cannot be the offset of a
// buffer since sizes are positive.
const unplaced = ^uint64(0)

// span is an address range in bytes together with a weight.
type span struct {
	begin, end uint64
	weight     uint64
}

func compareSpan(x, y span) int {
	return compareRange(Range{x.begin, x.end}, Range{y.begin, y.end})
}

// firstFit places the buffers in size order, each at the lowest free address,
// blind to penalties (spec 08 §5). It returns nil and the place of failure
// when a buffer finds no room.
func (m *model) firstFit(order []int32) ([]uint64, *Failure) {
	at := make([]uint64, len(m.bufs))
	for i := range at {
		at[i] = unplaced
	}
	var blocked []span
	for k, a := range order {
		b, pool := &m.bufs[a], &m.pools[m.bufs[a].pool]
		blocked = m.blocked(a, at, blocked[:0])
		candidate, ok := uint64(0), true
		for _, r := range blocked {
			if r.end <= candidate {
				continue
			}
			if r.begin >= candidate+b.size {
				break
			}
			if candidate, ok = alignUp(r.end, b.align); !ok || !fits(candidate, b.size, pool.capacity) {
				ok = false
				break
			}
		}
		if !ok || !fits(candidate, b.size, pool.capacity) {
			return nil, m.failure(Incumbent, k, a, at)
		}
		at[a] = candidate
	}
	return at, nil
}

// blocked appends the ranges buffer a must not meet, ascending: the reserved
// ones of its pool and those of its placed hard partners.
func (m *model) blocked(a int32, at []uint64, list []span) []span {
	for _, r := range m.pools[m.bufs[a].pool].reserved {
		list = append(list, span{begin: r.Begin, end: r.End})
	}
	for _, q := range m.hard.row(a) {
		if at[q] != unplaced {
			list = append(list, span{begin: at[q], end: at[q] + m.bufs[q].size})
		}
	}
	slices.SortFunc(list, compareSpan)
	return list
}

// Failure says where an attempt of the canonical search got stuck.
type Failure struct {
	// Order is the index of the order, Incumbent for first-fit.
	Order int
	// Placed is the number of buffers placed before the failure, in all pools.
	Placed int
	// Buffer is the ID of the buffer that found no room.
	Buffer int
	// LargestGap is the largest free range in bytes that its conflicts left in
	// its pool, GapAt its offset.
	LargestGap, GapAt uint64
	// Blockers are the IDs of the placed buffers it conflicts with, by offset.
	Blockers []int
}

// failure describes buffer a, the k-th of an order, which found no place.
func (m *model) failure(order, k int, a int32, at []uint64) *Failure {
	f := &Failure{Order: order, Placed: k, Buffer: m.bufs[a].id}
	free := uint64(0)
	gap := func(end uint64) {
		if end > free && end-free > f.LargestGap {
			f.LargestGap, f.GapAt = end-free, free
		}
	}
	for _, r := range m.blocked(a, at, nil) {
		gap(r.begin)
		free = max(free, r.end)
	}
	gap(m.pools[m.bufs[a].pool].capacity)
	var partners []int32
	for _, q := range m.hard.row(a) {
		if at[q] != unplaced {
			partners = append(partners, q)
		}
	}
	slices.SortFunc(partners, func(x, y int32) int {
		return compareSpan(span{begin: at[x], end: uint64(x)}, span{begin: at[y], end: uint64(y)})
	})
	for _, q := range slices.Compact(partners) {
		f.Blockers = append(f.Blockers, m.bufs[q].id)
	}
	return f
}
