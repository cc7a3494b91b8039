package dsa

import (
	"math/bits"
	"slices"
)

// overflows reports whether some clique of unplaced buffers cannot fit any
// more: those of its members that start at or above some offset must all fit
// between it and the capacity, one above the other.
func (s *search) overflows(members []int32, component bitset, from int64) bool {
	clear(s.load)
	s.starts = s.starts[:0]
	for _, i := range members {
		at := max(s.low[i], from)
		if s.low[i] < from {
			// What is offered a place below the frontier must be lifted by a partner
			// that is still to come.
			at = s.capacity
			for _, q := range s.hard[i] {
				if component.has(q) {
					at = min(at, max(s.low[q], from)+s.size[q])
				}
			}
		}
		s.starts = append(s.starts, uint64(at)<<startBits|uint64(i))
	}
	slices.Sort(s.starts)
	for k := len(s.starts) - 1; k >= 0; k-- {
		i := s.starts[k] & (1<<startBits - 1)
		size, room := s.size[i], s.capacity-int64(s.starts[k]>>startBits)
		for _, c := range s.inCliques[i] {
			if s.load[c] += size; s.load[c] > room {
				return true
			}
		}
	}
	return false
}

// startBits is the width of a buffer's number beside its offset in one word.
const startBits = 20

// part is a connected component.
type part struct {
	set   bitset
	count int
}

// components splits a set into its connected components by hard pairs.
func (s *search) components(rest bitset) []part {
	var parts []part
	left := slices.Clone(rest)
	for w := range left {
		for left[w] != 0 {
			first := int32(w<<6 + bits.TrailingZeros64(left[w]))
			p := part{set: make(bitset, s.words)}
			todo := []int32{first}
			left.unset(first)
			for len(todo) > 0 {
				i := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				p.set.set(i)
				p.count++
				for k, x := range s.row[i] {
					x &= left[k]
					left[k] &^= x
					for ; x != 0; x &= x - 1 {
						todo = append(todo, int32(k<<6+bits.TrailingZeros64(x)))
					}
				}
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// undo unplaces the buffers of a component that was solved. Buffers outside
// are not its partners; the lows of its own are found again from the placed
// partners that are left.
func (s *search) undo(set bitset) {
	set.each(func(i int32) bool {
		s.placed.unset(i)
		return true
	})
	set.each(func(i int32) bool {
		top := int64(0)
		for _, q := range s.hard[i] {
			if s.placed.has(q) {
				top = max(top, s.low[q]+s.size[q])
			}
		}
		s.low[i] = s.lowest(i, top)
		return true
	})
}

// stateKey identifies a set of unplaced buffers together with their lows. Two
// 64-bit mixes make an accidental match of different states (which could only
// turn a yes into a no) practically impossible.
type stateKey [2]uint64

// maxFailed bounds the memory for failed states.
const maxFailed = 1 << 20

func (s *search) key(component bitset) stateKey {
	var k stateKey
	component.each(func(i int32) bool {
		x := mix(uint64(i)+0x9e3779b97f4a7c15) + uint64(s.low[i])
		k[0] += mix(x)
		k[1] += mix(mix(x^0xd1b54a32d192ed03) + 0x8cb92ba72f3d8dd7)
		return true
	})
	return k
}

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// fail remembers that nothing follows from the current state of a component at
// this frontier; then nothing follows at a later one either, because the
// branches from there are among those from here.
func (s *search) fail(k stateKey, from frontier) {
	if f, ok := s.failed[k]; ok && !from.before(f) || !ok && len(s.failed) >= maxFailed {
		return
	}
	s.failed[k] = from
}
