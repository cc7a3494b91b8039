package dsa

import (
	"cmp"
	"math/bits"
	"slices"
)

// search decides whether the buffers of one pool fit into a capacity. It is a
// depth-first search over placements that let every buffer rest as low as the
// ones below it allow ("canonical" ones, after Moffitt's MiniMalloc): buffers
// are placed in the order of their offsets, so each lands at the highest end
// of its placed partners. If there is a placement at all then one with the
// smallest sum of offsets is of this kind, and only branches that this one can
// take need be followed; that is what every rule below appeals to.
//
// Buffers are numbered 0 … n-1 within the pool; offsets and sizes are in units.
type search struct {
	m    *model
	pool int32
	// scale is the unit in bytes; capacity in units.
	scale    int64
	capacity int64
	tooLarge bool
	at       []int32 // position in the model
	size     []int64
	align    []int64 // in units; 1 for most
	reserved []unitSpan

	hard [][]int32
	// row[i] is the set of i's partners.
	row   []bitset
	words int
	// cliques are sets of mutually hard buffers that cover all hard pairs;
	// inCliques lists those of a buffer.
	inCliques [][]int32
	cliques   int
	// twin is a buffer with smaller number that cannot be told apart, or -1:
	// the twin goes below.
	twin []int32

	// low is, for an unplaced buffer, the lowest offset its placed partners
	// allow; for a placed one its offset.
	low    []int64
	placed bitset
	// rank is the branching preference: lower first among equal offsets.
	rank  []int32
	round int32

	// failed remembers states from which nothing follows.
	failed map[stateKey]frontier

	nodes, limit int64
	stop         func() bool
	stopped      bool
	load         []int64  // scratch: by clique
	starts       []uint64 // scratch: offset and number of the unplaced buffers
	levels       []level  // scratch: by depth
}

// unitSpan is a reserved range in units.
type unitSpan struct{ begin, end int64 }

// frontier is how far the placing order has come: the offset placed last and,
// at this offset, the rank of the buffer placed last. Buffers of one offset do
// not disturb each other, so one order of them is enough; round says which
// ranking that was.
type frontier struct {
	offset int64
	last   int32
	round  int32
}

// level is the scratch of one depth of the search.
type level struct {
	order  []int32 // the unplaced buffers of the component
	branch []int32 // those that may come next
	saved  []int64 // lows of the partners of the one being tried
}

type bitset []uint64

func (b bitset) has(i int32) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bitset) set(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) unset(i int32)    { b[i>>6] &^= 1 << (i & 63) }

// each calls f for the members in ascending order until it returns false.
func (b bitset) each(f func(i int32) bool) {
	for w, x := range b {
		for ; x != 0; x &= x - 1 {
			if !f(int32(w<<6 + bits.TrailingZeros64(x))) {
				return
			}
		}
	}
}

// run searches within the budget, many times for a short while with different
// branching preferences: what misleads one often does not mislead the next, a
// lucky one needs few nodes, and what one has proved helps the others. The
// later, longer attempts are for proofs.
func (s *search) run(opt SearchOptions) Verdict {
	if len(s.at) == 0 {
		return Exists
	}
	if s.tooLarge {
		return Unknown
	}
	budget := opt.Nodes
	if budget <= 0 {
		budget = DefaultNodes
	}
	s.stop = opt.Stop
	for slice := int64(4 * len(s.at)); s.nodes < budget; s.round++ {
		s.rankFor(s.round)
		if n := int(s.round); n >= len(preferences) && n%8 == 0 {
			slice += slice / 2
		}
		s.limit = min(budget, s.nodes+slice)
		s.reset()
		switch s.solveParts(s.components(s.all()), frontier{0, -1, s.round}, 0) {
		case found:
			return Exists
		case none:
			return Impossible
		}
		if s.stopped {
			break
		}
	}
	return Unknown
}

// outcome of one node.
type outcome uint8

const (
	none outcome = iota
	found
	aborted
)

// solve decides whether the unplaced buffers of one component can be placed
// on top of the placed ones, from the frontier on. On found, low holds the
// placement; otherwise everything is as before.
func (s *search) solve(component bitset, from frontier, depth int) outcome {
	if s.spent() {
		return aborted
	}
	if len(s.levels) <= depth {
		s.levels = append(s.levels, level{})
	}
	lv := &s.levels[depth]
	lv.order = lv.order[:0]
	component.each(func(i int32) bool { lv.order = append(lv.order, i); return true })
	if len(lv.order) == 0 {
		return found
	}
	key := s.key(component)
	if f, ok := s.failed[key]; ok && !from.before(f) {
		return none
	}
	if s.overflows(lv.order, component, from.offset) {
		s.fail(key, from)
		return none
	}
	lv.branch = s.branches(lv.branch[:0], lv.order, from)
	result := none
	for _, b := range lv.branch {
		switch s.place(b, component, depth) {
		case found:
			return found
		case aborted:
			result = aborted
		}
		if s.spent() {
			return aborted
		}
		lv = &s.levels[depth] // deeper levels may have moved the slice
	}
	if result == none {
		s.fail(key, from)
	}
	return result
}

// before reports whether branches may be open at f that were not at g.
func (f frontier) before(g frontier) bool {
	return f.offset < g.offset || f.offset == g.offset && (f.last < g.last || f.round != g.round && g.last >= 0)
}

// spent counts a node and reports whether the budget is used up.
func (s *search) spent() bool {
	return s.stopped || s.nodes >= s.limit
}

// branches lists the buffers that may come next: those that rest on something
// at or above the frontier, below every place where another buffer would fit
// completely (it would have to rise over this one for nothing), twins in
// order. The preferred ones come first.
func (s *search) branches(list, members []int32, from frontier) []int32 {
	below := s.capacity
	for _, i := range members {
		below = min(below, s.low[i]+s.size[i])
	}
	for _, i := range members {
		x := s.low[i]
		if x >= below || x < from.offset || x == from.offset && s.rank[i] <= from.last {
			continue
		}
		if t := s.twin[i]; t >= 0 && !s.placed.has(t) {
			continue
		}
		list = append(list, i)
	}
	slices.SortFunc(list, func(x, y int32) int {
		return cmp.Or(cmp.Compare(s.low[x], s.low[y]), cmp.Compare(s.rank[x], s.rank[y]))
	})
	return list
}

// place puts b at its low and solves what is left of its component, which may
// fall apart into independent ones.
func (s *search) place(b int32, component bitset, depth int) outcome {
	s.nodes++
	if s.nodes&63 == 0 && s.stop != nil && s.stop() {
		s.stopped = true
		return aborted
	}
	end := s.low[b] + s.size[b]
	saved := s.levels[depth].saved[:0]
	ok := end <= s.capacity
	s.placed.set(b)
	for _, q := range s.hard[b] {
		saved = append(saved, s.low[q])
		if s.placed.has(q) || s.low[q] >= end {
			continue
		}
		s.low[q] = s.lowest(q, end)
		ok = ok && s.low[q]+s.size[q] <= s.capacity
	}
	s.levels[depth].saved = saved
	result := none
	if ok {
		result = s.split(b, component, depth)
	}
	if result == found {
		return found
	}
	s.placed.unset(b)
	for k, q := range s.hard[b] {
		s.low[q] = s.levels[depth].saved[k]
	}
	return result
}

// split solves what is left of a component without b.
func (s *search) split(b int32, component bitset, depth int) outcome {
	rest := slices.Clone(component)
	rest.unset(b)
	return s.solveParts(s.components(rest), frontier{s.low[b], s.rank[b], s.round}, depth+1)
}

// solveParts solves independent components, the smallest first. If one of them
// cannot be placed then nothing can, whatever the others do.
func (s *search) solveParts(parts []part, from frontier, depth int) outcome {
	slices.SortStableFunc(parts, func(x, y part) int { return cmp.Compare(x.count, y.count) })
	for k, p := range parts {
		if r := s.solve(p.set, from, depth); r != found {
			for _, done := range parts[:k] {
				s.undo(done.set)
			}
			return r
		}
	}
	return found
}
