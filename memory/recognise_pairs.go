package memory

import (
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// intervalPair is a pair of interval indexes, the smaller one in the upper
// half: numbers in order are pairs in order.
type intervalPair uint64

func pairOf(a, b int32) intervalPair {
	return intervalPair(uint64(min(a, b))<<32 | uint64(max(a, b)))
}

func (p intervalPair) split() (a, b int32) { return int32(p >> 32), int32(uint32(p)) }

// pathBucket holds the intervals of one path that ended before the sweep's
// current one.
type pathBucket struct {
	// last is one more than the interval that entered last; see meet.
	last int32
	size int // their number
	// initial and terminal are the pipes that fill one of them, and those that
	// access one: a bit each.
	initial, terminal uint16
}

// pairs enumerates the costly pairs (spec 08 §4.6). ok is false when there are
// too many, or too many that come near being one.
func (r *recogniser) pairs(separated []separation) (costly []intervalPair, ok bool) {
	var present spaceSet
	for i := range r.lt.Intervals {
		if s := r.lt.Intervals[i].Space; s >= 0 && s < platforms.NumSpaces {
			present.add(s)
		}
	}
	out := make([]intervalPair, 0, len(r.acc))
	left := 16 * maxDSAPairs // to be looked at
	for s := range ir.Space(platforms.NumSpaces) {
		if present.has(s) {
			out = r.sweep(s, out, &left)
		}
	}
	if left < 0 || len(out) > maxDSAPairs {
		return nil, false
	}
	slices.Sort(out)
	kept := out[:0]
	for _, p := range slices.Compact(out) {
		for len(separated) > 0 && pairOf(separated[0].a, separated[0].b) < p {
			separated = separated[1:]
		}
		if len(separated) == 0 || pairOf(separated[0].a, separated[0].b) != p {
			kept = append(kept, p)
		}
	}
	return kept, true
}

// sweep visits the intervals of one space by definition; intervals enter the
// buckets by last use.
// It ends early when too many pairs are looked at or found.
func (r *recogniser) sweep(space ir.Space, out []intervalPair, left *int) []intervalPair {
	iv := r.lt.Intervals
	// A number and the interval it belongs to, in one word.
	room := make([]uint64, 0, 2*len(iv))
	for i := range iv {
		if iv[i].Space == space {
			room = append(room, uint64(uint32(iv[i].Def))<<32|uint64(i))
		}
	}
	byDef, byLast := room, room[len(room):]
	for i := range iv {
		if iv[i].Space == space {
			byLast = append(byLast, uint64(uint32(iv[i].Last))<<32|uint64(i))
		}
	}
	slices.Sort(byDef)
	slices.Sort(byLast)
	buckets, before := make([]pathBucket, len(r.inLoop)), make([]int32, len(iv))
	entered := 0
	for _, d := range byDef {
		c := int32(uint32(d))
		for ; entered < len(byLast) && int32(byLast[entered]>>32) <= iv[c].Def; entered++ {
			q := int32(uint32(byLast[entered]))
			if s := &r.acc[q]; s.ok() {
				b := &buckets[s.initial.path]
				before[q], b.last = b.last, q+1
				b.size++
				b.initial |= 1 << s.initial.pipe
				b.terminal |= s.pipes
			}
		}
		if s := &r.acc[c]; s.ok() {
			if *left -= buckets[s.initial.path].size; *left < 0 || len(out) > maxDSAPairs {
				return out
			}
			out = r.meet(c, &buckets[s.initial.path], before, out)
		}
	}
	return out
}

// meet adds the pairs of interval c with the earlier ones of its path: those
// whose last access another pipe makes before c is filled, and in a loop
// those that are filled, in the next iteration, by another pipe than one that
// still accesses c. before[q] is one more than the interval that entered the
// bucket before q.
func (r *recogniser) meet(c int32, b *pathBucket, before []int32, out []intervalPair) []intervalPair {
	s := &r.acc[c]
	own := uint16(1) << s.initial.pipe
	ended := b.terminal&^own != 0
	// Unless all are filled by the one pipe that accesses c.
	again := r.inLoop[s.initial.path] && (b.initial&(b.initial-1) != 0 || b.initial != s.pipes)
	if !ended && !again {
		return out
	}
	for q := b.last - 1; q >= 0; q = before[q] - 1 {
		if q != c && (ended && r.endsBefore(q, s) || again && r.filledAgain(q, s)) {
			out = append(out, pairOf(q, c))
		}
	}
	return out
}

// endsBefore reports whether a pipe other than the one that fills s has its
// last access of interval q before that.
func (r *recogniser) endsBefore(q int32, s *accessSummary) bool {
	other := &r.acc[q]
	for p, last := range other.terminal {
		if other.pipes>>p&1 != 0 && p != int(s.initial.pipe) && last <= s.initial.order {
			return true
		}
	}
	return false
}

// filledAgain reports whether another pipe than the one that fills interval q
// accesses s after that.
func (r *recogniser) filledAgain(q int32, s *accessSummary) bool {
	first := &r.acc[q].initial
	for p, last := range s.terminal {
		if s.pipes>>p&1 != 0 && p != int(first.pipe) && last > first.order {
			return true
		}
	}
	return false
}
