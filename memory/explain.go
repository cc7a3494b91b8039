package memory

import (
	"cmp"
	"slices"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Plan is a planned function that explains itself: where every tile lies, how
// full each space is and where it is fullest, and why two tiles do not share.
// Everything beyond Buffers and Spaces is computed on first use. A Plan must
// not be copied; it is safe for concurrent use.
type Plan struct {
	Result *Result
	Config Config
	// Layout is the last layout reached. When sequential placement failed for
	// want of space only, it is the placement that would have been, so that
	// every tile has an address to show.
	Layout *Layout
	// Placed tells that the offsets of Layout are absolute addresses.
	Placed bool
	// Lifetimes are those of Layout, tile parameters included.
	Lifetimes *Lifetimes
	// Buffers in the order of their first definition, DDR left out.
	Buffers []Buffer
	// Spaces that hold a buffer or a reserved window, ascending.
	Spaces []SpaceUse

	bufferOf []int32 // by interval of Lifetimes: index in Buffers, -1 for none

	choiceOnce sync.Once
	choices    *choice
	unsafeOnce sync.Once
	unsafe     []UnsafeReuse
}

// Buffer is one allocation. Under DSA_RP different buffers may overlap in
// address; under PYPTO they never do.
type Buffer struct {
	Base *ir.Var
	// Addr is the byte address in Space, valid when the plan is Placed.
	Addr uint64
	// Size in bytes: the largest member's extent, the declared bytes if more.
	Size     uint64
	Space    ir.Space
	Declared bool
	// Live is the hull of the members' lives.
	Live
	// Members are the tile variables that assignments (and parameters) define in
	// the buffer, in definition order. Carried are the other variables that lie
	// in it: iter_args and results of loops and branches, in order of first
	// mention.
	Members []Member
	Carried []*ir.Var
}

// Member is a tile of a buffer.
type Member struct {
	Var *ir.Var
	Live
	// MemRef is the member's own part of the buffer.
	MemRef *ir.MemRef
}

// NewPlan explains the result of planning under cfg; nil when there is
// nothing to explain (no layout was reached).
func NewPlan(r *Result, cfg Config) *Plan {
	l := r.Last()
	if l == nil {
		return nil
	}
	p := &Plan{Result: r, Config: cfg, Layout: l, Placed: r.Layouts[StageAllocate] != nil && r.Fn.Kind.IsInCore()}
	if r.tooFull != nil {
		p.Layout, p.Placed = r.tooFull.place(), true
	}
	if p.Lifetimes = r.placing.placed(p.Layout); p.Lifetimes == nil {
		var err *Error
		if p.Lifetimes, err = AnalyzeLifetimes(p.Layout, LifetimeOptions{Params: true}); err != nil {
			return p
		}
	}
	p.findBuffers()
	p.findSpaces()
	return p
}

func (p *Plan) findBuffers() {
	lt := p.Lifetimes
	declared := p.Layout.facts().declared
	// A tile parameter that the body does not mention gets no place (spec 07 §6).
	mentioned := p.Layout.mentions()
	inUse := make([]bool, len(lt.Intervals))
	for _, v := range mentioned {
		if i := lt.IntervalOf(v); i >= 0 {
			inUse[i] = true
		}
	}
	p.bufferOf = make([]int32, len(lt.Intervals))
	members := 0
	for i := range lt.Intervals {
		members += len(lt.Intervals[i].Members)
	}
	p.Buffers = make([]Buffer, 0, len(lt.Intervals))
	room := make([]Member, members)
	for i := range lt.Intervals {
		iv := &lt.Intervals[i]
		p.bufferOf[i] = -1
		if iv.Space == platforms.DDR || !inUse[i] {
			continue
		}
		bytes, pinned := declared[iv.Base]
		b := Buffer{Base: iv.Base, Space: iv.Space, Live: iv.Live, Declared: pinned, Size: bytes}
		n := len(iv.Members)
		b.Members, room = room[:n:n], room[n:]
		lowest, found := int64(0), false
		for k, v := range iv.Members {
			m := p.Layout.MemRefOf(v)
			live, _ := lt.LiveOf(v)
			b.Members[k] = Member{v, live, m}
			b.Size = max(b.Size, m.Size)
			if o, ok := ir.ConstValue(m.Offset); ok && (!found || o < lowest) {
				lowest, found = o, true
			}
		}
		if p.Placed {
			b.Addr = p.addressOf(iv, uint64(max(lowest, 0)))
		}
		p.bufferOf[i] = int32(len(p.Buffers))
		p.Buffers = append(p.Buffers, b)
	}
	for _, v := range mentioned {
		if p.Layout.Tile(v) == nil || lt.IntervalOf(v) >= 0 {
			continue
		}
		if b := p.BufferOf(v); b != nil {
			b.Carried = append(b.Carried, v)
		}
	}
}

// addressOf is where the buffer of iv starts: the lowest address of a member,
// unless only views of it are left or its slots are dynamic.
func (p *Plan) addressOf(iv *Interval, lowest uint64) uint64 {
	before := p.Result.Layouts[StageMemoryReuse]
	if p.Config.Planner != PYPTO {
		before = p.Result.Layouts[StageSemanticAliases]
	}
	for _, v := range iv.Members {
		m := p.Layout.MemRefOf(v)
		now, ok := ir.ConstValue(m.Offset)
		if b, isSum := m.Offset.(*ir.Binary); isSum && b.Op == ir.Add {
			// A dynamic slot: `addr + offset`.
			if start, ok := ir.ConstValue(b.X); ok {
				return uint64(max(start, 0))
			}
		}
		if !ok {
			continue
		}
		if k, ok := ir.ConstValue(m.Slot); ok && before == nil && uint64(k) <= uint64(now)/max(m.Size, 1) {
			return uint64(now) - uint64(k)*m.Size
		}
		if before == nil {
			continue
		}
		if m := before.MemRefOf(v); m != nil && m.Base == iv.Base {
			if was, ok := ir.ConstValue(m.Offset); ok && now >= was {
				return uint64(now - was)
			}
		}
	}
	return lowest
}

// BufferOf is the buffer that v lies in, nil when in none. It points into
// p.Buffers.
func (p *Plan) BufferOf(v *ir.Var) *Buffer {
	if p.Lifetimes == nil {
		return nil
	}
	if i := p.Lifetimes.IntervalOfBase(p.Layout.BaseOf(v)); i >= 0 && p.bufferOf[i] >= 0 {
		return &p.Buffers[p.bufferOf[i]]
	}
	return nil
}

// Sharers are the tiles other than v whose bytes overlap v's buffer, in
// definition order: the other members, and under DSA_RP those of buffers that
// overlap in address.
func (p *Plan) Sharers(v *ir.Var) []*ir.Var {
	b := p.BufferOf(v)
	if b == nil {
		return nil
	}
	type sharer struct {
		v   *ir.Var
		def int32
	}
	var found []sharer
	for i := range p.Buffers {
		o := &p.Buffers[i]
		if o != b && !p.overlap(o, b) {
			continue
		}
		for _, m := range o.Members {
			if m.Var != v {
				found = append(found, sharer{m.Var, m.Def})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b sharer) int { return cmp.Compare(a.def, b.def) })
	out := make([]*ir.Var, len(found))
	for i := range found {
		out[i] = found[i].v
	}
	return out
}

// overlap reports whether two buffers have bytes in common.
func (p *Plan) overlap(a, b *Buffer) bool {
	return p.Placed && a.Space == b.Space && a.Addr < addSat(b.Addr, b.Size) && b.Addr < addSat(a.Addr, a.Size)
}

// Stmt is the statement with the given number in p.Lifetimes; nil when there
// is none.
func (p *Plan) Stmt(n int32) ir.Stmt { return p.Lifetimes.Stmt(n) }

// Stmt is the statement with the given number; nil when there is none.
func (lt *Lifetimes) Stmt(n int32) ir.Stmt {
	if lt == nil || n < 0 || int(n) >= len(lt.Stmts) {
		return nil
	}
	return lt.Stmts[n]
}
