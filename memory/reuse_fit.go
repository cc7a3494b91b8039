package memory

import "slices"

// fit lowers pipeline depths until the packing fits the capacity, or falls
// back to the legacy packing (spec 06 §6.2). Only packings that fit are
// completed, and none is made whose outcome is known: the reference's repeated
// packing from scratch would cost a second on a large function.
func (sp *packing) fit(capacity uint64) {
	if sp.hopeless(capacity) {
		lowerings := 0
		for k := range sp.groups {
			lowerings += sp.groups[k].depth - 1
		}
		sp.fallBack(lowerings >= maxRepacks)
		return
	}
	full := sp.firstFit(capacity)
	for attempts := 1; full >= 0; attempts++ {
		g := sp.relief()
		if attempts > maxRepacks || g == nil {
			sp.fallBack(attempts > maxRepacks)
			return
		}
		g.depth--
		// Up to where the last packing became too large, only members of g could
		// have gone elsewhere.
		if sp.groupStart(g) <= full {
			full = sp.firstFit(capacity)
		}
	}
}

func (sp *packing) fallBack(budget bool) {
	sp.fellBack, sp.budget, sp.legacy = true, budget, true
	sp.firstFit(0)
}

// relief is the group whose depth is lowered next: the largest aligned slot,
// on ties the smallest id; nil when none has more than one buffer.
func (sp *packing) relief() *stageGroup {
	var best *stageGroup
	for k := range sp.groups {
		g := &sp.groups[k]
		if g.depth > 1 && (best == nil || g.aligned > best.aligned) {
			best = g
		}
	}
	return best
}

// groupStart is the position in the order of the first member of g.
func (sp *packing) groupStart(g *stageGroup) int {
	if g.start < 0 {
		g.start = slices.IndexFunc(sp.order, func(i int32) bool {
			return slices.ContainsFunc(sp.plan.lt.Intervals[i].Membership, func(m PipelineStage) bool { return m.Group == g.id })
		})
	}
	return g.start
}

// hopeless reports that what is live at one moment is larger than the
// capacity, so that no packing fits. Tiles in phi families, which may share
// although they are live together, are left out.
func (sp *packing) hopeless(capacity uint64) bool {
	policy := sp.plan.cfg.policy()
	ivs := sp.plan.lt.Intervals
	byDef := slices.Clone(sp.order)
	slices.SortFunc(byDef, func(a, b int32) int { return int(ivs[a].Def) - int(ivs[b].Def) })
	byLast := slices.Clone(sp.order)
	slices.SortFunc(byLast, func(a, b int32) int { return int(ivs[a].Last) - int(ivs[b].Last) })
	sum := sp.plan.reserve.floorOf(sp.space)
	for _, i := range byDef {
		// A dead value occupies its moment only with what is live around it; it
		// is not counted.
		for len(byLast) > 0 && ivs[byLast[0]].Last <= ivs[i].Def {
			if x := &ivs[byLast[0]]; counts(x) {
				sum -= policy.Align(x.Size, sp.space)
			}
			byLast = byLast[1:]
		}
		if counts(&ivs[i]) {
			sum = addSat(sum, policy.Align(ivs[i].Size, sp.space))
		}
		if sum > capacity {
			return true
		}
	}
	return false
}

func counts(iv *Interval) bool { return !iv.inFamily && iv.Def < iv.Last }
