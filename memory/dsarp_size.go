package memory

import (
	"cmp"
	"slices"
)

// maxDSAPairs bounds the pairs of buffers that a placement problem may talk
// about: those alive together, those kept apart and the costly ones, each about
// 100 bytes and a visit in every attempt. The reference knows no bound; the
// largest function seen has 5,000 pairs, and 4 million are 2,900 tiles that are
// all alive together.
const maxDSAPairs = 1 << 22

// tooLarge is the refusal of a problem with too many pairs. It is ours.
func (p *DSAProblem) tooLarge() *Error {
	fn := p.Layout.Fn
	return p.Layout.errorf(InternalError, passAllocate, "pypto-ls does not place '%s' with DSA-RP: its %d buffers make more than %d pairs that must not, or should not, overlap",
		fn.Name, len(p.Strict.Buffers), maxDSAPairs).at(fn.Span)
}

// manyPairs reports whether there are too many, before any list is made of them.
func (p *DSAProblem) manyPairs() bool {
	n := len(p.Lifetimes.Intervals)
	for i := range p.Lifetimes.Intervals {
		n += len(p.Lifetimes.Intervals[i].Membership)
	}
	if n*n < maxDSAPairs/2 {
		return false // all three together are at most 2*n*n
	}
	return p.countTogether()+p.countDeclared()+p.countStages() > maxDSAPairs
}

// countTogether counts the pairs that are alive at the same time in one space.
func (p *DSAProblem) countTogether() int64 {
	var n int64
	for _, pool := range p.Strict.Pools {
		var begins, ends []int64
		for i := range p.Strict.Buffers {
			if b := &p.Strict.Buffers[i]; b.Pool == pool.ID {
				begins, ends = append(begins, b.Begin), append(ends, b.End)
			}
		}
		slices.Sort(begins)
		slices.Sort(ends)
		ended := 0
		for i, t := range begins {
			for ended < len(ends) && ends[ended] <= t {
				ended++
			}
			n += int64(i - ended)
		}
	}
	return n
}

// countDeclared counts what separateDeclared adds.
func (p *DSAProblem) countDeclared() int64 {
	var all, declared [numSpaces]int64
	for i := range p.Lifetimes.Intervals {
		iv := &p.Lifetimes.Intervals[i]
		if iv.Space < 0 || int(iv.Space) >= numSpaces {
			continue
		}
		all[iv.Space]++
		if _, ok := p.Constraints.DeclaredOf(iv.Base); ok {
			declared[iv.Space]++
		}
	}
	var n int64
	for s := range all {
		n += declared[s] * all[s]
	}
	return n
}

// countStages counts what separateStages looks at.
func (p *DSAProblem) countStages() int64 {
	type group struct {
		space int
		group int32
	}
	size := map[group]int64{}
	var n int64
	for i := range p.Lifetimes.Intervals {
		iv := &p.Lifetimes.Intervals[i]
		for _, m := range iv.Membership {
			g := group{int(iv.Space), m.Group}
			n += size[g]
			size[g]++
		}
	}
	return n
}

// sortSeparations orders separations by a, then b, below n: in two stable passes
// of counting, since there may be millions.
func sortSeparations(list []separation, n int) []separation {
	if len(list) < 4*n {
		slices.SortFunc(list, func(x, y separation) int { return cmp.Compare(pairOf(x.a, x.b), pairOf(y.a, y.b)) })
		return list
	}
	other := make([]separation, len(list))
	start := make([]int32, n+1)
	pass := func(from, to []separation, key func(*separation) int32) {
		clear(start)
		for i := range from {
			start[key(&from[i])+1]++
		}
		for i := range n {
			start[i+1] += start[i]
		}
		for i := range from {
			k := key(&from[i])
			to[start[k]] = from[i]
			start[k]++
		}
	}
	pass(list, other, func(s *separation) int32 { return s.b })
	pass(other, list, func(s *separation) int32 { return s.a })
	return list
}
