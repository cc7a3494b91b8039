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
	// marks are the pipeline memberships by interval, nil without any.
	marks [][]mark
	// gated: pipeline depths are gated by the capacity. legacy: the last packing
	// used the legacy stage rule. fellBack: it did so because nothing fitted;
	// budget: because too many packings had been tried.
	gated, legacy, fellBack, budget bool

	buffers []*packBuffer
	// hulls are the hulls of the buffers' members' lives.
	hulls []Live
	// bufferOf is the index of the buffer of each interval of the function, -1
	// before it is placed.
	bufferOf []int32
	barred   []int32 // by buffer: the interval it was last closed to, plus one
	// footprint is the end of the last buffer in bytes.
	footprint uint64

	// What buffers and the beginnings of their lists are made of.
	room  ir.Slab[packBuffer]
	ids   ir.Slices[int32]
	lives ir.Slices[memberLife]
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

func (p *reusePlan) pack(space ir.Space, ids []int32) *packing {
	sp := &packing{plan: p, space: space, order: ids, bufferOf: make([]int32, len(p.lt.Intervals))}
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
	sp.findGroups()
	capacity := p.cfg.Platform.Capacity(space)
	sp.gated = capacity > 0 && slices.ContainsFunc(sp.groups, func(g stageGroup) bool { return g.slot > 0 })
	sp.legacy = !sp.gated
	if !sp.gated {
		sp.firstFit(0)
		sp.fellBack = capacity > 0 && sp.footprint > capacity
		return sp
	}
	sp.fit(capacity)
	return sp
}

// firstFit packs from scratch: each interval joins the oldest buffer that
// takes it (spec 06 §6.1). A packing that outgrows a limit other than 0 is
// abandoned; the result is the position in the order at which it did, -1 for
// a complete packing.
func (sp *packing) firstFit(limit uint64) int {
	sp.buffers, sp.hulls, sp.barred = sp.buffers[:0], sp.hulls[:0], sp.barred[:0]
	for i := range sp.bufferOf {
		sp.bufferOf[i] = -1
	}
	policy := sp.plan.cfg.policy()
	sp.footprint = sp.plan.reserve.floorOf(sp.space)
	for pos, i := range sp.order {
		if b := sp.place(i); b != nil {
			sp.footprint = policy.Align(addSat(sp.footprint, b.size), sp.space)
			if limit > 0 && sp.footprint > limit {
				return pos
			}
		}
	}
	return -1
}

func addSat(a, b uint64) uint64 {
	if a > ^b {
		return ^uint64(0)
	}
	return a + b
}

// place finds a buffer for an interval; the result is the buffer when it had
// to be opened.
func (sp *packing) place(i int32) (opened *packBuffer) {
	p := sp.plan
	iv := &p.lt.Intervals[i]
	var marks []mark
	if sp.marks != nil {
		marks = sp.marks[i]
	}
	k := len(sp.buffers)
	if !p.pinned[i] {
		for _, o := range p.apart[i] {
			if b := sp.bufferOf[o]; b >= 0 {
				sp.barred[b] = i + 1
			}
		}
		k = sp.firstThatTakes(i, iv, marks)
	}
	if k == len(sp.buffers) {
		opened = sp.room.New()
		*opened = packBuffer{pinned: p.pinned[i], size: iv.Size, members: sp.ids.Make(4)[:0], lives: sp.lives.Make(4)[:0]}
		sp.buffers, sp.hulls, sp.barred = append(sp.buffers, opened), append(sp.hulls, iv.Live), append(sp.barred, 0)
	}
	b := sp.buffers[k]
	b.members = append(b.members, i)
	sp.bufferOf[i] = int32(k)
	h := &sp.hulls[k]
	h.Def, h.Last = min(h.Def, iv.Def), max(h.Last, iv.Last)
	sp.enter(b, marks, iv.LoadTile)
	b.insert(iv.Live, i)
	return opened
}

func (sp *packing) firstThatTakes(i int32, iv *Interval, marks []mark) int {
	live := iv.Live
	for k, h := range sp.hulls {
		if sp.barred[k] == i+1 {
			continue
		}
		b := sp.buffers[k]
		if h.Overlaps(live) && (len(b.members) == 1 && !sp.plan.lt.exclusive(i, b.members[0]) || !sp.livesAllow(b, i, live)) {
			continue
		}
		if !b.pinned && sp.stagesAllow(b, marks, iv.LoadTile) {
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
	k, _ := slices.BinarySearchFunc(b.lives, x.Def, func(m memberLife, def int32) int {
		if m.Def <= def {
			return -1
		}
		return 1
	})
	most := x.Last
	if k > 0 {
		most = max(most, b.lives[k-1].maxLast)
	}
	b.lives = slices.Insert(b.lives, k, memberLife{Live: x, maxLast: most, interval: interval})
	for k++; k < len(b.lives) && b.lives[k].maxLast < most; k++ {
		b.lives[k].maxLast = most
	}
}

// exclusive reports whether two intervals whose lives overlap may share all
// the same: some pair of members is one value on exclusive paths, and every
// other pair of members does not overlap (spec 06 §5.1).
func (lt *Lifetimes) exclusive(a, b int32) bool {
	if !lt.Intervals[a].inFamily || !lt.Intervals[b].inFamily {
		return false
	}
	family := false
	for _, x := range lt.Intervals[a].Members {
		rx := lt.life(x)
		for _, y := range lt.Intervals[b].Members {
			ry := lt.life(y)
			if rx.phi >= 0 && sortedIntersect(lt.familiesOf(rx), lt.familiesOf(ry)) {
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
	var room ir.Slices[int32]
	addTo := func(a, b int) {
		if apart[a] == nil {
			apart[a] = room.Make(2)[:0]
		}
		apart[a] = append(apart[a], int32(b))
	}
	add := func(a, b int) {
		if a != b && lt.Intervals[a].Space == lt.Intervals[b].Space {
			addTo(a, b)
			addTo(b, a)
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
