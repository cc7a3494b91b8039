package dsa

import (
	"cmp"
	"slices"
)

// PipelinePairs lists the separations whose only reason is PipelineStage and
// whose lifetimes do not overlap: those that may be given up (spec 08 §3.5).
func PipelinePairs(p *Problem) []Pair {
	find := p.positions()
	var pairs []Pair
	for _, s := range p.Separations {
		if s.Reasons != PipelineStage {
			continue
		}
		i, known1 := find(s.A)
		k, known2 := find(s.B)
		if !known1 || !known2 {
			continue
		}
		if a, b := &p.Buffers[i], &p.Buffers[k]; a.End <= b.Begin || b.End <= a.Begin {
			pairs = append(pairs, Pair{s.A, s.B})
		}
	}
	return pairs
}

// SolveRelaxing solves p strictly and, when nothing fits and there are pairs to
// give up, without their separations (spec 08 §8, steps 2 and 3). It returns
// the problem that the result belongs to: p itself or the relaxed one.
func SolveRelaxing(p *Problem, pairs []Pair, opt Options) (Result, *Problem) {
	r := Solve(p, opt)
	if r.Status != NoFit || len(pairs) == 0 {
		return r, p
	}
	relaxed := Relax(p, pairs)
	return Solve(relaxed, opt), relaxed
}

// Relax turns the given separations, as PipelinePairs lists them, into
// penalties of weight 1, added to an existing weight of the pair. Penalties of
// the result are in ascending order with the smaller ID first (spec 08 §8).
func Relax(p *Problem, pairs []Pair) *Problem {
	dropped := make([]Pair, len(pairs))
	for i, q := range pairs {
		dropped[i] = ordered(q.A, q.B)
	}
	slices.SortFunc(dropped, comparePair)
	relaxed := &Problem{Pools: p.Pools, Buffers: p.Buffers}
	for _, s := range p.Separations {
		if _, found := slices.BinarySearchFunc(dropped, ordered(s.A, s.B), comparePair); !found {
			relaxed.Separations = append(relaxed.Separations, s)
		}
	}
	all := make([]Penalty, 0, len(p.Penalties)+len(pairs))
	all = append(all, p.Penalties...)
	for _, q := range pairs {
		all = append(all, Penalty{q.A, q.B, 1})
	}
	relaxed.Penalties = mergePenalties(all)
	return relaxed
}

func comparePair(x, y Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) }

func ordered(a, b int) Pair { return Pair{min(a, b), max(a, b)} }

// mergePenalties sorts penalties and sums those of one pair. It reuses list.
func mergePenalties(list []Penalty) []Penalty {
	for i, q := range list {
		list[i].A, list[i].B = min(q.A, q.B), max(q.A, q.B)
	}
	slices.SortFunc(list, func(x, y Penalty) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	merged := list[:0]
	for _, q := range list {
		if n := len(merged); n > 0 && merged[n-1].A == q.A && merged[n-1].B == q.B {
			merged[n-1].Weight = saturate(merged[n-1].Weight, q.Weight)
			continue
		}
		merged = append(merged, q)
	}
	return merged
}
