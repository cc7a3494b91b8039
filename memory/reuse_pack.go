package memory

import (
	"slices"

	"pypto-ls/ir"
)

// packing is the sharing decided for one space (spec 06 §6).
type packing struct {
	plan  *reusePlan
	space ir.Space
	// order are the space's intervals, largest first.
	order  []int32
	groups []stageGroup
	// marks are the pipeline memberships by interval.
	marks map[int32][]mark
	// gated: pipeline depths are gated by the capacity. legacy: the last packing
	// used the legacy stage rule. fellBack: it did so because nothing fitted;
	// budget: because too many packings had been tried.
	gated, legacy, fellBack, budget bool

	apart   [][]int32 // see findApart
	buffers []*packBuffer
	// bufferOf is the index of the buffer of each interval of the function, -1
	// before it is placed.
	bufferOf []int32
	barred   []int32 // by buffer: the interval it was last closed to
	// footprint is the end of the last buffer in bytes.
	footprint uint64
}

// packBuffer is one buffer: its members in the order they joined, the owner
// first.
type packBuffer struct {
	members []int32
	pinned  bool
	// size is the largest member's, which is the owner's.
	size   uint64
	lives  []memberLife
	stages []stageMark
}

// memberLife is a member's life; lists of them are sorted by Def. maxLast is
// the largest Last of the list up to here.
type memberLife struct {
	Live
	maxLast  int32
	interval int32
}

// maxRepacks bounds the attempts to make a packing fit (spec 06 §6.2).
const maxRepacks = 256

func (p *reusePlan) pack(space ir.Space, ids []int32, apart [][]int32) *packing {
	sp := &packing{plan: p, space: space, order: ids, apart: apart, bufferOf: make([]int32, len(p.lt.Intervals))}
	slices.SortFunc(sp.order, func(a, b int32) int {
		x, y := &p.lt.Intervals[a], &p.lt.Intervals[b]
		switch {
		case x.Size != y.Size:
			return sign(x.Size > y.Size)
		case x.Def != y.Def:
			return int(x.Def) - int(y.Def)
		}
		return int(a) - int(b)
	})
	sp.groups, sp.marks = p.findGroups(space, sp.order)
	sp.gated = p.gated(space, sp.groups)
	sp.legacy = !sp.gated
	sp.firstFit()
	sp.fit()
	return sp
}

// fit lowers pipeline depths until the packing fits the capacity, or falls
// back to the legacy packing (spec 06 §6.2).
func (sp *packing) fit() {
	capacity := sp.plan.cfg.Platform.Capacity(sp.space)
	if capacity == 0 {
		return
	}
	for attempts := 1; sp.footprint > capacity; attempts++ {
		g := sp.relief()
		if attempts > maxRepacks || g == nil {
			sp.fellBack, sp.budget = true, attempts > maxRepacks
			if !sp.legacy {
				sp.legacy = true
				sp.firstFit()
			}
			return
		}
		g.depth--
		sp.firstFit()
	}
}

// relief is the group whose depth is lowered next: the largest aligned slot,
// on ties the smallest id; nil when none has more than one buffer.
func (sp *packing) relief() *stageGroup {
	if !sp.gated {
		return nil
	}
	var best *stageGroup
	for k := range sp.groups {
		g := &sp.groups[k]
		if g.depth > 1 && (best == nil || g.aligned > best.aligned) {
			best = g
		}
	}
	return best
}

// firstFit packs from scratch: each interval joins the oldest buffer that
// takes it (spec 06 §6.1).
func (sp *packing) firstFit() {
	sp.buffers, sp.barred = nil, nil
	for i := range sp.bufferOf {
		sp.bufferOf[i] = -1
	}
	for _, i := range sp.order {
		sp.place(i)
	}
	policy := sp.plan.cfg.policy()
	sp.footprint = sp.plan.reserve.floorOf(sp.space)
	for _, b := range sp.buffers {
		sp.footprint = policy.Align(addSat(sp.footprint, b.size), sp.space)
	}
}

func addSat(a, b uint64) uint64 {
	if a > ^b {
		return ^uint64(0)
	}
	return a + b
}

func (sp *packing) place(i int32) {
	iv := &sp.plan.lt.Intervals[i]
	marks := sp.marks[i]
	k := len(sp.buffers)
	_, pinned := sp.plan.c.DeclaredOf(iv.Base)
	if !pinned {
		for _, o := range sp.apart[i] {
			if b := sp.bufferOf[o]; b >= 0 {
				sp.barred[b] = i + 1
			}
		}
		k = sp.firstThatTakes(i, iv, marks)
	}
	if k == len(sp.buffers) {
		sp.buffers = append(sp.buffers, &packBuffer{pinned: pinned, size: iv.Size})
		sp.barred = append(sp.barred, 0)
	}
	b := sp.buffers[k]
	b.members = append(b.members, i)
	sp.bufferOf[i] = int32(k)
	sp.enter(b, marks, iv.LoadTile)
	b.insert(iv.Live, i)
}

func (sp *packing) firstThatTakes(i int32, iv *Interval, marks []mark) int {
	for k, b := range sp.buffers {
		if !b.pinned && sp.barred[k] != i+1 && sp.livesAllow(b, i, iv.Live) && sp.stagesAllow(b, marks, iv.LoadTile) {
			return k
		}
	}
	return len(sp.buffers)
}

// livesAllow applies spec 06 §5.1 to an interval and a buffer's members.
func (sp *packing) livesAllow(b *packBuffer, i int32, x Live) bool {
	lives := b.lives
	lo, hi := 0, len(lives)
	for lo < hi { // first with maxLast > x.Def
		if mid := int(uint(lo+hi) >> 1); lives[mid].maxLast > x.Def {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	for ; lo < len(lives) && lives[lo].Def < x.Last; lo++ {
		if lives[lo].Last > x.Def && !sp.plan.lt.exclusive(i, lives[lo].interval) {
			return false
		}
	}
	return true
}

// insert adds a member's life to the sorted list.
func (b *packBuffer) insert(x Live, interval int32) {
	lives := append(b.lives, memberLife{})
	k := len(lives) - 1
	for k > 0 && lives[k-1].Def > x.Def {
		lives[k] = lives[k-1]
		k--
	}
	lives[k] = memberLife{Live: x, interval: interval}
	for ; k < len(lives); k++ {
		lives[k].maxLast = lives[k].Last
		if k > 0 {
			lives[k].maxLast = max(lives[k].maxLast, lives[k-1].maxLast)
		}
	}
	b.lives = lives
}

// exclusive reports whether two intervals whose lives overlap may share all
// the same: some pair of members is one value on exclusive paths, and every
// other pair of members does not overlap (spec 06 §5.1).
func (lt *Lifetimes) exclusive(a, b int32) bool {
	family := false
	for _, x := range lt.Intervals[a].Members {
		rx := lt.life(x)
		for _, y := range lt.Intervals[b].Members {
			ry := lt.life(y)
			if len(rx.families) > 0 && sortedIntersect(rx.families, ry.families) {
				family = true
			} else if (Live{rx.def, rx.last}).Overlaps(Live{ry.def, ry.last}) {
				return false
			}
		}
	}
	return family
}

// findApart lists for each interval the intervals it must not share with
// whatever their lives: forbidden inputs and the load+pop hazard (spec 06 §5.2,
// §5.3). The lists are symmetric.
func findApart(lt *Lifetimes, c *Constraints) [][]int32 {
	apart := make([][]int32, len(lt.Intervals))
	add := func(a, b int) {
		if a != b && lt.Intervals[a].Space == lt.Intervals[b].Space {
			apart[a] = append(apart[a], int32(b))
			apart[b] = append(apart[b], int32(a))
		}
	}
	for i, list := range c.Forbid {
		for _, f := range list {
			if k := lt.IntervalOfBase(lt.Layout.BaseOf(f.Input)); k >= 0 {
				add(i, k)
			}
		}
	}
	if c.Hazard {
		for i := range lt.Intervals {
			if !c.ReadsPop(lt.Intervals[i].Rep) {
				continue
			}
			for k := range lt.Intervals {
				if lt.hazard(c, i, k) {
					add(i, k)
				}
			}
		}
	}
	return apart
}

// hazard reports whether interval w, written from a pop, would take over the
// buffer of m, derived from a load, right when m ends.
func (lt *Lifetimes) hazard(c *Constraints, w, m int) bool {
	a, b := &lt.Intervals[w], &lt.Intervals[m]
	return a.Def == b.Last && c.ReadsPop(a.Rep) && c.LoadDerived(b.Rep)
}
