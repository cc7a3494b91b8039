package memory

import "pypto-ls/ir"

// ReasonKind says in which way two tiles are kept apart, or that they are not.
type ReasonKind uint8

// The kinds of reasons.
const (
	// Shared: nothing keeps them apart, they have bytes in common.
	Shared ReasonKind = iota
	// NoBuffer: one of them has no buffer (not an on-chip tile, or a tile popped
	// from a cross-core ring).
	NoBuffer
	// OtherSpace: they lie in different memory spaces.
	OtherSpace
	// DeclaredApart: one of them is in an allocation that the author declared,
	// which nothing else may join.
	DeclaredApart
	// LiveTogether: A and B are live at the same time, From…To.
	LiveTogether
	// GroupsOverlap: no two members of their groups are live together, but the
	// groups as wholes are, From…To.
	GroupsOverlap
	// LoadPop: A is written from a popped value by the statement that last reads
	// B, which is derived from a load.
	LoadPop
	// ReadsWhileWriting: the operator of Stmt, which defines A, reads B while it
	// writes its result.
	ReadsWhileWriting
	// WideningCast: Stmt casts B to A, whose elements are wider.
	WideningCast
	// PipelineApart: they belong to stages StageA and StageB of pipeline group
	// Group.
	PipelineApart
	// DepthApart: the same, and the capacity gate keeps Depth of Asked stages in
	// buffers of their own.
	DepthApart
	// ByMember: they could share, but B's buffer has a member, Via, that A cannot
	// share with for the reason Because.
	ByMember
	// OlderBuffer: they could share, but A found room in an older buffer, that of
	// Via, first.
	OlderBuffer
	// Placement: they could share; the planner chose addresses that do not
	// overlap.
	Placement
	// Undecided: the planner does not place tiles (PTOAS), or planning failed
	// before it came to it.
	Undecided
)

// Reason is why two tiles do not share a buffer. Which fields are set depends
// on Kind.
type Reason struct {
	Kind ReasonKind
	// A and B are the tiles that decide: those asked about, or members of their
	// groups. They may be in the other order than asked.
	A, B *ir.Var
	// From and To are the first and last statement at which both are live.
	From, To ir.Stmt
	// Stmt is the operator that forbids it.
	Stmt                  *ir.Assign
	Group, StageA, StageB int32
	Depth, Asked          int
	Via                   *ir.Var
	Because               *Reason
}

// choice is what the planner knew when it decided.
type choice struct {
	lt *Lifetimes
	c  *Constraints
	// reuse is set under PYPTO, dsa under DSA_RP; neither when the text came with
	// its sharing decided.
	reuse *reusePlan
	dsa   *DSAProblem
}

func (p *Plan) choice() *choice {
	p.choiceOnce.Do(func() {
		p.choices = &choice{lt: p.Lifetimes}
		before := p.Result.Layouts[StageSemanticAliases]
		switch {
		case p.Result.reuse != nil:
			p.choices = &choice{lt: p.Result.reuse.lt, c: p.Result.reuse.c, reuse: p.Result.reuse}
		case before != nil && p.Config.Planner == DSARP:
			if d, err := BuildDSA(before, p.Config); err == nil {
				p.choices = &choice{lt: d.Lifetimes, c: d.Constraints, dsa: d}
			}
		}
	})
	return p.choices
}

// WhyNotShare is the first reason that keeps tiles a and b in different
// places; Kind Shared when they do share bytes.
func (p *Plan) WhyNotShare(a, b *ir.Var) Reason {
	r := Reason{A: a, B: b}
	x, y := p.BufferOf(a), p.BufferOf(b)
	switch {
	case x == nil || y == nil:
		r.Kind = NoBuffer
		return r
	case x.Space != y.Space:
		r.Kind = OtherSpace
		return r
	case x == y || p.overlap(x, y):
		return r
	}
	c := p.choice()
	i, k := c.intervalOf(p, a), c.intervalOf(p, b)
	if i < 0 || k < 0 {
		r.Kind = Undecided
		return r
	}
	if found := c.apart(i, k); found != nil {
		return *found
	}
	switch {
	case c.reuse != nil:
		return c.packerChose(i, k)
	case p.Placed:
		r.Kind = Placement
	default:
		r.Kind = Undecided
	}
	return r
}

// intervalOf is the interval of the planner's view that v belongs to; iter_args
// and results belong to that of their buffer.
func (c *choice) intervalOf(p *Plan, v *ir.Var) int {
	if i := c.lt.IntervalOf(v); i >= 0 {
		return i
	}
	if i := c.lt.IntervalOfBase(c.lt.Layout.BaseOf(v)); i >= 0 {
		return i
	}
	// A move inserted by the planner, or a value re-typed by it: whoever owns
	// its buffer now.
	if b := p.BufferOf(v); b != nil {
		for _, m := range b.Members {
			if i := c.lt.IntervalOf(m.Var); i >= 0 {
				return i
			}
		}
	}
	return -1
}

// apart is the first rule that forbids two intervals of one space to share,
// nil when none does. The order is that of spec 06 §5.
func (c *choice) apart(i, k int) *Reason {
	if i == k {
		return nil
	}
	a, b := &c.lt.Intervals[i], &c.lt.Intervals[k]
	if c.c != nil {
		_, x := c.c.DeclaredOf(a.Base)
		_, y := c.c.DeclaredOf(b.Base)
		if x || y {
			r := &Reason{Kind: DeclaredApart, A: a.Rep, B: b.Rep}
			if !x {
				r.A, r.B = b.Rep, a.Rep
			}
			return r
		}
	}
	if r := c.liveTogether(i, k); r != nil || c.c == nil {
		return r
	}
	for _, o := range [2][2]int{{i, k}, {k, i}} {
		if c.c.Hazard && c.lt.hazard(c.c, o[0], o[1]) {
			w := c.lt.Intervals[o[0]].Rep
			return &Reason{Kind: LoadPop, A: w, B: c.lt.Intervals[o[1]].Rep, Stmt: c.lt.DefOf(w)}
		}
	}
	for _, o := range [2][2]int{{i, k}, {k, i}} {
		if r := c.forbidden(o[0], o[1]); r != nil {
			return r
		}
	}
	return c.stages(i, k)
}

// liveTogether applies the lifetime rule: spec 06 §5.1 under PYPTO, half-open
// lives without phi families under DSA_RP (spec 08 §3).
func (c *choice) liveTogether(i, k int) *Reason {
	a, b := &c.lt.Intervals[i], &c.lt.Intervals[k]
	overlap, families := a.Live.Overlaps(b.Live), true
	if c.dsa != nil {
		overlap, families = halfOpen(a.Live, b.Live), false
	}
	if !overlap {
		return nil
	}
	related := false
	for _, x := range a.Members {
		for _, y := range b.Members {
			lx, _ := c.lt.LiveOf(x)
			ly, _ := c.lt.LiveOf(y)
			if families && c.lt.Related(x, y) {
				related = true
			} else if lx.Overlaps(ly) || !families && halfOpen(lx, ly) {
				return c.overlapReason(LiveTogether, x, y, lx, ly)
			}
		}
	}
	if related {
		return nil
	}
	return c.overlapReason(GroupsOverlap, a.Rep, b.Rep, a.Live, b.Live)
}

// halfOpen reports whether two lives overlap the way the DSA_RP planner
// compares them: a value nobody reads still takes up the moment it is defined.
func halfOpen(a, b Live) bool {
	end := func(l Live) int32 { return max(2*l.Def+2, 2*l.Last+1) }
	return 2*a.Def+1 < end(b) && 2*b.Def+1 < end(a)
}

func (c *choice) overlapReason(kind ReasonKind, x, y *ir.Var, lx, ly Live) *Reason {
	from := max(lx.Def, ly.Def)
	to := max(from, min(lx.Last, ly.Last))
	return &Reason{Kind: kind, A: x, B: y, From: c.lt.Stmt(from), To: c.lt.Stmt(to)}
}

// forbidden finds a forbidden input of interval w that lies in interval o.
func (c *choice) forbidden(w, o int) *Reason {
	for _, f := range c.c.Forbid[w] {
		if c.lt.IntervalOfBase(c.lt.Layout.BaseOf(f.Input)) == o {
			r := &Reason{Kind: ReadsWhileWriting, A: f.Stmt.Var, B: f.Input, Stmt: f.Stmt}
			if f.Widening {
				r.Kind = WideningCast
			}
			return r
		}
	}
	return nil
}

// stages applies the pipeline rule: spec 06 §5.4, or the separation of spec 08
// §3.2, which the planner gives up only when it must.
func (c *choice) stages(i, k int) *Reason {
	a, b := &c.lt.Intervals[i], &c.lt.Intervals[k]
	if c.dsa != nil {
		return stageConflict(a, b, func(x, y PipelineStage) bool { return x.Stage != y.Stage })
	}
	if c.reuse == nil {
		return nil
	}
	sp := c.reuse.spaces[a.Space]
	if sp.legacy {
		if sp.space.IsL0() || !a.LoadTile && !b.LoadTile {
			return nil
		}
		return stageConflict(a, b, func(x, y PipelineStage) bool { return x.Stage != y.Stage })
	}
	r := stageConflict(a, b, func(x, y PipelineStage) bool {
		g := sp.groupOf(x.Group)
		return g.rank(x.Stage)%g.depth != g.rank(y.Stage)%g.depth
	})
	if r != nil {
		g := sp.groupOf(r.Group)
		r.Kind, r.Depth, r.Asked = DepthApart, g.depth, len(g.stages)
	}
	return r
}

// stageConflict finds two memberships of one group that differ.
func stageConflict(a, b *Interval, differ func(x, y PipelineStage) bool) *Reason {
	for _, x := range a.Membership {
		for _, y := range b.Membership {
			if x.Group == y.Group && differ(x, y) {
				return &Reason{Kind: PipelineApart, A: a.Rep, B: b.Rep, Group: x.Group, StageA: x.Stage, StageB: y.Stage}
			}
		}
	}
	return nil
}

// packerChose tells why two intervals that nothing keeps apart are in
// different buffers all the same: the one placed later either could not join
// because of another member, or had found a place before it came to it.
func (c *choice) packerChose(i, k int) Reason {
	ivs := c.lt.Intervals
	sp := c.reuse.spaces[ivs[i].Space]
	placed := make([]bool, len(ivs))
	for _, n := range sp.order {
		placed[n] = true
		if placed[i] && placed[k] {
			break
		}
		if int(n) == i {
			i, k = k, i
		}
	}
	// i is the one placed later, right after everything marked.
	r := Reason{A: ivs[i].Rep, B: ivs[k].Rep, Kind: OlderBuffer}
	for _, m := range sp.buffers[sp.bufferOf[k]].members {
		if !placed[m] {
			continue
		}
		if because := c.apart(i, int(m)); because != nil {
			r.Kind, r.Via, r.Because = ByMember, ivs[m].Rep, because
			return r
		}
	}
	r.Via = ivs[sp.buffers[sp.bufferOf[i]].members[0]].Rep
	return r
}
