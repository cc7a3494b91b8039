package memory

import (
	"cmp"
	"slices"

	"pypto-ls/ir"
)

// stageGroup is one software-pipeline group within one space (spec 06 §5.4).
type stageGroup struct {
	id int32
	// slot is the largest interval size in bytes, aligned the same rounded up.
	slot, aligned uint64
	// stages are the distinct stages, ascending; a stage's rank is its index.
	stages []int32
	// depth is the number of stages whose buffers are kept apart (F).
	depth int
	// start is the position of the group's first member in the packing order, -1
	// before it is looked up.
	start int
}

// rank is the position of a stage among the group's stages.
func (g *stageGroup) rank(stage int32) int {
	k, _ := slices.BinarySearch(g.stages, stage)
	return k
}

// groupOf finds the group with the given id.
func (sp *packing) groupOf(id int32) *stageGroup {
	k, _ := slices.BinarySearchFunc(sp.groups, id, func(g stageGroup, id int32) int { return cmp.Compare(g.id, id) })
	return &sp.groups[k]
}

// mark is one membership of an interval, resolved: the group's index and the
// stage's rank in it.
type mark struct{ group, rank int32 }

// findGroups collects the groups of the space with their initial depths, by
// ascending id, and the marks of each interval.
func (sp *packing) findGroups() {
	ivs := sp.plan.lt.Intervals
	var found []int32
	for _, i := range sp.order {
		for _, m := range ivs[i].Membership {
			found = append(found, m.Group)
		}
	}
	if found == nil {
		return
	}
	slices.Sort(found)
	found = slices.Compact(found)
	sp.groups = make([]stageGroup, len(found))
	for _, i := range sp.order {
		for _, m := range ivs[i].Membership {
			k, _ := slices.BinarySearch(found, m.Group)
			g := &sp.groups[k]
			g.slot = max(g.slot, ivs[i].Size)
			g.stages = append(g.stages, m.Stage)
		}
	}
	capacity := sp.plan.cfg.Platform.Capacity(sp.space)
	for k := range sp.groups {
		g := &sp.groups[k]
		g.id, g.start = found[k], -1
		slices.Sort(g.stages)
		g.stages = slices.Compact(g.stages)
		g.aligned = sp.plan.cfg.policy().Align(g.slot, sp.space)
		g.depth = 1
		if capacity > 0 && g.slot > 0 {
			g.depth = max(1, int(min(uint64(len(g.stages)), capacity/g.slot)))
		}
	}
	sp.marks = make([][]mark, len(ivs))
	var room ir.Slices[mark]
	for _, i := range sp.order {
		sp.marks[i] = room.Make(len(ivs[i].Membership))
		for n, m := range ivs[i].Membership {
			k, _ := slices.BinarySearch(found, m.Group)
			sp.marks[i][n] = mark{int32(k), int32(sp.groups[k].rank(m.Stage))}
		}
	}
}

// stageMark is what a buffer holds of one group: the class of its members and
// that of its load tiles, noClass for none, mixed for several.
type stageMark struct{ group, all, loads int32 }

const (
	noClass = -1
	mixed   = -2
)

func join(class, c int32) int32 {
	switch class {
	case noClass, c:
		return c
	}
	return mixed
}

// class is what must be equal for two members of one group to share: the
// stage's residue by the group's depth, or the stage itself in legacy mode.
func (sp *packing) class(m mark) int32 {
	if sp.legacy {
		return m.rank
	}
	return m.rank % int32(sp.groups[m.group].depth)
}

// stagesAllow applies spec 06 §5.4 to an interval and a buffer's members.
func (sp *packing) stagesAllow(b *packBuffer, marks []mark, load bool) bool {
	if len(marks) == 0 || len(b.stages) == 0 || sp.legacy && sp.space.IsL0() {
		return true
	}
	for _, m := range marks {
		for _, s := range b.stages {
			if s.group != m.group {
				continue
			}
			held := s.all
			if sp.legacy && !load {
				held = s.loads
			}
			if held != noClass && held != sp.class(m) {
				return false
			}
		}
	}
	return true
}

// enter adds an interval's marks to a buffer.
func (sp *packing) enter(b *packBuffer, marks []mark, load bool) {
	for _, m := range marks {
		k := slices.IndexFunc(b.stages, func(s stageMark) bool { return s.group == m.group })
		if k < 0 {
			k = len(b.stages)
			b.stages = append(b.stages, stageMark{m.group, noClass, noClass})
		}
		s := &b.stages[k]
		s.all = join(s.all, sp.class(m))
		if load {
			s.loads = join(s.loads, sp.class(m))
		}
	}
}
