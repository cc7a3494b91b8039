package dsa

import (
	"cmp"
	"slices"
)

// Overfull reports that buffers of one pool that live together are larger, in
// sum, than what the pool has beside its largest reserved range: there is no
// placement, so that Solve can only end with NoFit, in a problem without
// findings, whatever its separations and penalties. It looks at no pairs and
// takes a fraction of the time of a search; see LowerBounds for what it misses.
func Overfull(p *Problem) bool {
	byBegin, byEnd := make([]int32, len(p.Buffers)), make([]int32, len(p.Buffers))
	for i := range p.Buffers {
		byBegin[i], byEnd[i] = int32(i), int32(i)
	}
	slices.SortFunc(byBegin, func(i, k int32) int { return cmp.Compare(p.Buffers[i].Begin, p.Buffers[k].Begin) })
	slices.SortFunc(byEnd, func(i, k int32) int { return cmp.Compare(p.Buffers[i].End, p.Buffers[k].End) })
	room := make([]uint64, len(p.Pools))
	for i := range p.Pools {
		room[i] = p.Pools[i].Capacity
		for _, r := range p.Pools[i].Reserved {
			room[i] = min(room[i], p.Pools[i].Capacity-(r.End-r.Begin))
		}
	}
	for _, i := range byBegin {
		b := &p.Buffers[i]
		for p.Buffers[byEnd[0]].End <= b.Begin {
			ended := &p.Buffers[byEnd[0]]
			room[p.poolAt(ended.Pool)] += ended.Size
			byEnd = byEnd[1:]
		}
		left := &room[p.poolAt(b.Pool)]
		if b.Size > *left {
			return true
		}
		*left -= b.Size
	}
	return false
}
