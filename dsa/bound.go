package dsa

import (
	"cmp"
	"slices"
)

// Bound says how many bytes of one pool any placement needs, and because of
// which buffers: none of Live and Apart may share bytes with another.
type Bound struct {
	// Pool is the pool's ID, Bytes the end of the highest buffer of any placement
	// at least.
	Pool  int
	Bytes uint64
	// Time is when the buffers Live (IDs, ascending) live together, Apart those
	// that live at other times but are separated from all of them and from each
	// other.
	Time        int64
	Live, Apart []int
}

// LowerBounds bounds the peak of each pool from below, in the order of the
// pools of a problem without findings: reserved ranges at the bottom plus the
// largest sum, rounded up to the alignment, of buffers that live together or
// are kept apart from those that do.
func LowerBounds(p *Problem) []Bound {
	m := newModel(p)
	bounds := make([]Bound, len(m.pools))
	for i := range m.pools {
		bounds[i] = m.bound(int32(i))
		bounds[i].Pool = p.Pools[i].ID
	}
	return bounds
}

// moment is a time at which a maximal set of buffers lives.
type moment struct {
	time int64
	sum  uint64 // of their rounded sizes
}

// grain is a size that all starts of buffers are a multiple of, so that each
// buffer but the topmost takes a multiple of it.
func (m *model) grain(pool int32) uint64 {
	var g uint64
	for i := range m.bufs {
		if m.bufs[i].pool == pool {
			g = gcd(g, m.bufs[i].align)
		}
	}
	return max(g, 1)
}

// maxMoments is the number of densest moments that are extended by separated
// buffers.
const maxMoments = 64

func (m *model) bound(pool int32) Bound {
	grain := m.grain(pool)
	var best Bound
	var floor uint64
	for _, r := range m.pools[pool].reserved {
		best.Bytes = max(best.Bytes, r.End)
		if r.Begin <= floor {
			floor = max(floor, r.End)
		}
	}
	floor, _ = alignUp(floor, grain)
	moments := m.moments(pool, grain)
	slices.SortStableFunc(moments, func(x, y moment) int { return cmp.Compare(y.sum, x.sum) })
	if len(moments) > maxMoments {
		moments = moments[:maxMoments]
	}
	for _, at := range moments {
		live, apart := m.clique(pool, at.time)
		var slack uint64 // the most that the topmost one's rounding can give back
		sum := floor
		for _, i := range append(slices.Clone(live), apart...) {
			size := m.bufs[i].size
			up, _ := alignUp(size, grain)
			sum = saturate(sum, up)
			slack = max(slack, up-size)
		}
		if sum-slack > best.Bytes && len(live) > 0 {
			best = Bound{Bytes: sum - slack, Time: at.time, Live: m.ids(live), Apart: m.ids(apart)}
		}
	}
	return best
}

// moments lists the begins after which some buffer ends before the next one
// begins: every set of buffers that live together is part of one of these.
func (m *model) moments(pool int32, grain uint64) []moment {
	type event struct {
		time int64
		// begins come after the ends of their time
		begins bool
		size   uint64
	}
	var events []event
	for i := range m.bufs {
		if b := &m.bufs[i]; b.pool == pool {
			size, _ := alignUp(b.size, grain)
			events = append(events, event{b.begin, true, size}, event{b.end, false, size})
		}
	}
	slices.SortFunc(events, func(x, y event) int {
		if x.time != y.time || x.begins == y.begins {
			return cmp.Compare(x.time, y.time)
		}
		if y.begins {
			return -1
		}
		return 1
	})
	var list []moment
	var sum uint64
	rising := false
	for i, e := range events {
		if e.begins {
			sum = saturate(sum, e.size)
			rising = true
			continue
		}
		if rising {
			list = append(list, moment{events[i-1].time, sum})
			rising = false
		}
		sum -= min(sum, e.size)
	}
	return list
}

// clique lists the buffers that live at a time, and further ones, larger ones
// first, that are hard partners of all of those and of each other.
func (m *model) clique(pool int32, time int64) (live, apart []int32) {
	// met counts for each buffer how many of the chosen ones it must not meet.
	met := make([]int32, len(m.bufs))
	count := int32(0)
	seen := make([]int32, len(m.bufs)) // a pair may occur twice in a row
	choose := func(i int32) {
		count++
		for _, q := range m.hard.row(i) {
			if seen[q] != count {
				seen[q] = count
				met[q]++
			}
		}
	}
	chosen := make([]bool, len(m.bufs))
	for i := range m.bufs {
		if b := &m.bufs[i]; b.pool == pool && b.begin <= time && time < b.end {
			live = append(live, int32(i))
			chosen[i] = true
			choose(int32(i))
		}
	}
	for {
		best := int32(-1)
		for i := range m.bufs {
			if !chosen[i] && m.bufs[i].pool == pool && met[i] == count && (best < 0 || m.bufs[i].size > m.bufs[best].size) {
				best = int32(i)
			}
		}
		if best < 0 {
			return live, apart
		}
		chosen[best] = true
		apart = append(apart, best)
		choose(best)
	}
}

func (m *model) ids(positions []int32) []int {
	if len(positions) == 0 {
		return nil
	}
	ids := make([]int, len(positions))
	for i, q := range positions {
		ids[i] = m.bufs[q].id
	}
	slices.Sort(ids)
	return ids
}
