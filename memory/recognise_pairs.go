package memory

import (
	"cmp"
	"slices"

	"pypto-ls/platforms"
)

// bucket holds the intervals of one path that ended before the sweep's
// current one, by the pipe of their initial write and by the pipes of their
// terminal accesses.
type bucket struct {
	initial, terminal [platforms.NumPipes][]int32
	size              int // entries of all lists
}

// pairs enumerates the costly pairs (spec 08 §4.6). ok is false when there are
// too many, or too many that come near being one.
func (r *recogniser) pairs(summaries []accessSummary, separated func(a, b int32) bool) (out [][2]int32, ok bool) {
	bySpace := make([][]int32, platforms.NumSpaces)
	for i := range r.lt.Intervals {
		if s := r.lt.Intervals[i].Space; s >= 0 && int(s) < len(bySpace) {
			bySpace[s] = append(bySpace[s], int32(i))
		}
	}
	left := meeting{visits: 16 * maxDSAPairs, emits: maxDSAPairs}
	emit := func(q, c int32) {
		if !separated(q, c) && left.emits > 0 {
			left.emits--
			out = append(out, [2]int32{min(q, c), max(q, c)})
		}
	}
	for _, intervals := range bySpace {
		r.sweep(intervals, summaries, &left, emit)
	}
	slices.SortFunc(out, func(x, y [2]int32) int { return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1])) })
	return slices.Compact(out), left.visits > 0 && left.emits > 0
}

// meeting is how many pairs may still be looked at and emitted.
type meeting struct{ visits, emits int }

// sweep visits the intervals of one space by definition; intervals enter the
// buckets by last use.
func (r *recogniser) sweep(intervals []int32, summaries []accessSummary, left *meeting, emit func(q, c int32)) {
	iv := r.lt.Intervals
	byDef, byLast := slices.Clone(intervals), slices.Clone(intervals)
	slices.SortStableFunc(byDef, func(x, y int32) int { return cmp.Compare(iv[x].Def, iv[y].Def) })
	slices.SortStableFunc(byLast, func(x, y int32) int { return cmp.Compare(iv[x].Last, iv[y].Last) })
	buckets := make([]*bucket, len(r.inLoop))
	entered := 0
	for _, c := range byDef {
		for ; entered < len(byLast) && iv[byLast[entered]].Last <= iv[c].Def; entered++ {
			if q := byLast[entered]; summaries[q].ok {
				at := &buckets[summaries[q].path]
				if *at == nil {
					*at = new(bucket)
				}
				(*at).add(q, &summaries[q])
			}
		}
		s := &summaries[c]
		if !s.ok || buckets[s.path] == nil {
			continue
		}
		if left.visits -= buckets[s.path].size; left.visits <= 0 || left.emits <= 0 {
			return
		}
		buckets[s.path].meet(c, summaries, r.inLoop[s.path], emit)
	}
}

func (b *bucket) add(q int32, s *accessSummary) {
	b.initial[s.initial.pipe] = append(b.initial[s.initial.pipe], q)
	b.size++
	for p, order := range s.terminal {
		if order >= 0 {
			b.terminal[p] = append(b.terminal[p], q)
			b.size++
		}
	}
}

// meet emits the pairs of interval c with the earlier ones of its path: those
// whose last access another pipe makes before c is filled, and in a loop
// those that are filled, in the next iteration, by another pipe than one that
// still accesses c.
func (b *bucket) meet(c int32, summaries []accessSummary, inLoop bool, emit func(q, c int32)) {
	s := &summaries[c]
	for p := range platforms.Pipe(platforms.NumPipes) {
		if p == s.initial.pipe {
			continue
		}
		for _, q := range b.terminal[p] {
			if q != c && summaries[q].terminal[p] <= s.initial.order {
				emit(q, c)
			}
		}
	}
	if !inLoop {
		return
	}
	for p, last := range s.terminal {
		if last < 0 {
			continue
		}
		for r := range b.initial {
			if r == p {
				continue
			}
			for _, q := range b.initial[r] {
				if q != c && last > summaries[q].initial.order {
					emit(q, c)
				}
			}
		}
	}
}
