package memory

import (
	"cmp"
	"slices"

	"pypto-ls/dsa"
)

// separations lists the pairs of intervals that never share bytes, each with
// all its reasons, ascending (spec 08 §3.2).
func (p *DSAProblem) separations() []separation {
	var list []separation
	add := func(a, b int, reason dsa.Reasons) {
		if a != b && a >= 0 && b >= 0 {
			list = append(list, separation{int32(min(a, b)), int32(max(a, b)), reason})
		}
	}
	p.separateDeclared(add)
	p.separateStages(add)
	p.separateHazards(add)
	for i, forbidden := range p.Constraints.Forbid {
		for _, f := range forbidden {
			add(i, p.Lifetimes.IntervalOfBase(p.Layout.BaseOf(f.Input)), dsa.SemanticNoAlias)
		}
	}
	list = sortSeparations(list, len(p.sizes))
	merged := list[:0]
	for _, s := range list {
		if n := len(merged); n > 0 && merged[n-1].a == s.a && merged[n-1].b == s.b {
			merged[n-1].reasons |= s.reasons
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

type addSeparation func(a, b int, reason dsa.Reasons)

// separateDeclared keeps an author's allocation apart from every other one of
// its space.
func (p *DSAProblem) separateDeclared(add addSeparation) {
	ivs := p.Lifetimes.Intervals
	for i := range ivs {
		if _, ok := p.Constraints.DeclaredOf(ivs[i].Base); !ok {
			continue
		}
		for k := range ivs {
			if ivs[k].Space == ivs[i].Space {
				add(i, k, dsa.DeclaredAllocation)
			}
		}
	}
}

// separateStages keeps the stages of a software pipeline apart.
func (p *DSAProblem) separateStages(add addSeparation) {
	type member struct {
		space           int
		group, stage    int32
		interval, order int
	}
	var all []member
	ivs := p.Lifetimes.Intervals
	for i := range ivs {
		for _, m := range ivs[i].Membership {
			all = append(all, member{int(ivs[i].Space), m.Group, m.Stage, i, len(all)})
		}
	}
	slices.SortFunc(all, func(x, y member) int {
		return cmp.Or(cmp.Compare(x.space, y.space), cmp.Compare(x.group, y.group), cmp.Compare(x.order, y.order))
	})
	for i := range all {
		for k := i + 1; k < len(all) && all[k].space == all[i].space && all[k].group == all[i].group; k++ {
			if all[k].stage != all[i].stage {
				add(all[i].interval, all[k].interval, dsa.PipelineStage)
			}
		}
	}
}

// separateHazards keeps a tile that is written from a popped value apart from
// loaded tiles last read by the writing statement.
func (p *DSAProblem) separateHazards(add addSeparation) {
	if !p.Constraints.Hazard {
		return
	}
	ivs := p.Lifetimes.Intervals
	for i := range ivs {
		if !p.Constraints.ReadsPop(ivs[i].Rep) {
			continue
		}
		for k := range ivs {
			if p.Constraints.LoadDerived(ivs[k].Rep) && ivs[k].Last == ivs[i].Def {
				add(i, k, dsa.TargetHazard)
			}
		}
	}
}
