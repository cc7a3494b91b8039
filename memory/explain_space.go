package memory

import (
	"cmp"
	"math"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// SpaceUse is how full one memory space is. All sizes in bytes.
type SpaceUse struct {
	Space ir.Space
	// Used is the end of the highest buffer (at least Reserved), Limit the
	// capacity; Limit is 0 when unknown, Used 0 when nothing is placed.
	Used, Limit, Reserved uint64
	// Peak is the largest sum, over all moments, of what is live: each tile
	// group rounded up to the alignment. PeakAt is the statement at which it is
	// first reached and PeakLive what is live there, largest first.
	Peak     uint64
	PeakAt   ir.Stmt
	PeakLive []LiveTile
	// Bound is what no placement of these tiles can go below: Peak, and the
	// reserved window and the declared allocations, which nothing may share.
	Bound uint64
	// FirstOver is the first statement that defines a tile of a buffer that ends
	// beyond Limit, OverTile that tile; nil when there is none.
	FirstOver ir.Stmt
	OverTile  *ir.Var
}

// Over reports whether the space is too full.
func (s *SpaceUse) Over() bool { return s.Limit != 0 && s.Used > s.Limit }

// Impossible reports that no planner can fit the space: even perfect packing
// needs more than the capacity.
func (s *SpaceUse) Impossible() bool { return s.Limit != 0 && s.Bound > s.Limit }

// LiveTile is a tile, with all that shares its storage by construction, that
// is live at a space's peak.
type LiveTile struct {
	Var *ir.Var
	// Size is the group's size in bytes, not rounded.
	Size uint64
	Live
}

// findSpaces fills p.Spaces.
func (p *Plan) findSpaces() {
	var use [numSpaces]SpaceUse
	var present [numSpaces]bool
	if r, err := resolveReserves(p.Layout, passAllocate); err == nil && r.space >= 0 {
		use[r.space].Reserved = r.floorOf(r.space)
		use[r.space].Used = use[r.space].Reserved
		present[r.space] = true
	}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		present[b.Space] = true
		u := &use[b.Space]
		if p.Placed {
			u.Used = max(u.Used, p.Config.policy().Align(addSat(b.Addr, b.Size), b.Space))
		}
	}
	bounds := p.bounds()
	for s := range use {
		u := &use[s]
		if !present[s] || !p.Config.policy().ShouldAllocate(ir.Space(s)) {
			continue
		}
		u.Space = ir.Space(s)
		u.Limit = p.Config.Platform.Capacity(u.Space)
		bounds[s].fill(u)
		p.findFirstOver(u)
		p.Spaces = append(p.Spaces, *u)
	}
}

// Space is the use of one space, nil when nothing lies in it.
func (p *Plan) Space(s ir.Space) *SpaceUse {
	for i := range p.Spaces {
		if p.Spaces[i].Space == s {
			return &p.Spaces[i]
		}
	}
	return nil
}

func (p *Plan) findFirstOver(u *SpaceUse) {
	if u.Limit == 0 || !p.Placed {
		return
	}
	first := int32(len(p.Lifetimes.Stmts))
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Space == u.Space && addSat(b.Addr, b.Size) > u.Limit && b.Members[0].Def < first {
			first, u.OverTile = b.Members[0].Def, b.Members[0].Var
		}
	}
	u.FirstOver = p.Stmt(first)
}

// liveGroup is a group of tiles that lie in one place by construction.
type liveGroup struct {
	rep  *ir.Var
	size uint64
	Live
	// slot identifies the place: groups of one slot never add up.
	slot int32
}

// spaceBound collects the groups of one space.
type spaceBound struct {
	lt       *Lifetimes
	policy   platforms.Policy
	space    ir.Space
	declared uint64 // bytes of declared allocations, rounded up
	groups   []liveGroup
	largest  []uint64 // scratch by slot; nil before it is needed
	// same joins the slots that phi families connect, which may share: by slot,
	// another slot of the same class, itself at the end; nil when there are none.
	// family is a slot of each family.
	same   []int32
	family map[int32]int32
}

// bounds collects, by space, what has to be live at the same time. It looks at
// the layout before any sharing was decided when there is one; otherwise
// groups cannot be told from sharers, and each variable counts alone.
func (p *Plan) bounds() [numSpaces]spaceBound {
	var out [numSpaces]spaceBound
	for s := range out {
		out[s].policy, out[s].space = p.Config.policy(), ir.Space(s)
	}
	lt, grouped := p.Lifetimes, false
	if p.Result.reuse != nil {
		lt, grouped = p.Result.reuse.lt, true
	} else if before := p.Result.Layouts[StageSemanticAliases]; before != nil && p.Result.placing != nil && p.Result.placing.Layout == before {
		lt, grouped = p.Result.placing, true
	} else if before != nil {
		if x, err := AnalyzeLifetimes(before, LifetimeOptions{Params: p.Config.Planner == DSARP}); err == nil {
			lt, grouped = x, true
		}
	}
	declared := lt.Layout.facts().declared
	for i := range lt.Intervals {
		iv := &lt.Intervals[i]
		b := &out[iv.Space]
		if b.lt == nil {
			b.init(lt, len(lt.Intervals)-i)
		}
		if bytes, ok := declared[iv.Base]; ok {
			b.declared = addSat(b.declared, b.align(max(bytes, iv.Size)))
		} else if grouped {
			b.add(int32(i), iv.Live, iv.Members)
		} else {
			for k, v := range iv.Members {
				live, _ := lt.LiveOf(v)
				b.add(int32(i), live, iv.Members[k:k+1])
			}
		}
	}
	return out
}

func (b *spaceBound) align(n uint64) uint64 { return b.policy.Align(n, b.space) }

// init makes room for the given number of groups.
func (b *spaceBound) init(lt *Lifetimes, groups int) {
	b.lt, b.groups = lt, make([]liveGroup, 0, groups)
}

// join connects two slots.
func (b *spaceBound) join(x, y int32) {
	if b.same == nil {
		b.same = make([]int32, len(b.lt.Intervals))
		for i := range b.same {
			b.same[i] = int32(i)
		}
	}
	b.same[b.class(x)] = b.class(y)
}

// class is the slot that stands for all slots that slot is connected to.
func (b *spaceBound) class(slot int32) int32 {
	for b.same != nil && b.same[slot] != slot {
		b.same[slot] = b.same[b.same[slot]]
		slot = b.same[slot]
	}
	return slot
}

// add adds the members of a slot as one group.
func (b *spaceBound) add(slot int32, live Live, members []*ir.Var) {
	g := liveGroup{rep: members[0], Live: live, slot: slot}
	for _, v := range members {
		g.size = max(g.size, b.lt.Layout.MemRefOf(v).Size)
		for _, f := range b.lt.familiesOf(b.lt.life(v)) {
			if other, ok := b.family[f]; ok {
				b.join(slot, other)
			} else {
				if b.family == nil {
					b.family = make(map[int32]int32)
				}
				b.family[f] = slot
			}
		}
	}
	b.groups = append(b.groups, g)
}

// fill finds the peak of the space and what follows from it.
func (b *spaceBound) fill(u *SpaceUse) {
	u.Bound = addSat(u.Reserved, b.declared)
	if b.lt == nil {
		return
	}
	if byDef := func(x, y liveGroup) int { return cmp.Compare(x.Def, y.Def) }; !slices.IsSortedFunc(b.groups, byDef) {
		slices.SortStableFunc(b.groups, byDef)
	}
	// Sums only grow where something is defined: look at each definition. What
	// may share counts in full for most, which is quickly kept up to date: only
	// where that is more than the peak so far the sum proper is asked.
	at, peak, most := int32(-1), uint64(0), uint64(0)
	var live, fullest []int
	for i := range b.groups {
		g := &b.groups[i]
		kept := live[:0]
		for _, k := range live {
			if b.groups[k].Last > g.Def {
				kept = append(kept, k)
			} else if most < math.MaxUint64 {
				most -= b.align(b.groups[k].size)
			}
		}
		live = append(kept, i)
		if most = addSat(most, b.align(g.size)); most <= peak {
			continue
		}
		if n := b.sum(live); n > peak {
			at, peak = g.Def, n
			fullest = append(fullest[:0], live...)
		}
	}
	u.Peak, u.PeakAt, u.PeakLive = peak, b.lt.Stmt(at), b.tiles(fullest)
	u.Bound = addSat(u.Bound, peak)
}

// sum is the size of the groups given by index. Groups of one slot or of
// connected phi families may share, so that only the largest of them counts.
func (b *spaceBound) sum(live []int) uint64 {
	if b.largest == nil {
		b.largest = make([]uint64, len(b.lt.Intervals))
	}
	var total uint64
	for _, k := range live {
		g := &b.groups[k]
		c := b.class(g.slot)
		if was := b.largest[c]; g.size > was {
			total = addSat(total-b.align(was), b.align(g.size))
			b.largest[c] = g.size
		}
	}
	for _, k := range live {
		b.largest[b.class(b.groups[k].slot)] = 0
	}
	return total
}

func (b *spaceBound) tiles(live []int) []LiveTile {
	out := make([]LiveTile, len(live))
	for i, k := range live {
		g := &b.groups[k]
		out[i] = LiveTile{g.rep, g.size, g.Live}
	}
	slices.SortStableFunc(out, func(x, y LiveTile) int { return cmp.Compare(y.Size, x.Size) })
	return out
}
