package memory

import (
	"fmt"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const passReuse = "MemoryReuse"

// MemoryReuse puts tiles whose lifetimes do not interfere on shared buffers,
// reconciles loop and branch results with copies and removes the allocations
// that are left over (spec part 06). Orchestration functions, and functions
// without an on-chip tile, are returned unchanged. The diagnostics are the
// fallback warnings and PH-MR-001 hints, in the reference's order.
func MemoryReuse(l *Layout, cfg Config) (*Layout, []Diagnostic, *Error) {
	out, _, diags, err := memoryReuse(l, cfg)
	return out, diags, err
}

// memoryReuse is MemoryReuse together with its decision, nil when there was
// none to make.
func memoryReuse(l *Layout, cfg Config) (*Layout, *reusePlan, []Diagnostic, *Error) {
	if l.Fn.Kind == ir.Orchestration || l.Fn.Body == nil {
		return l, nil, nil, nil
	}
	p, err := planReuse(l, cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(p.lt.Intervals) == 0 {
		return l, nil, nil, nil
	}
	diags := p.diagnostics()
	out, err := p.rewrite(l)
	return out, p, diags, err
}

// rewrite carries out the decision: steps 3 to 6 of spec 06 §3.
func (p *reusePlan) rewrite(l *Layout) (*Layout, *Error) {
	w := newRewrite(l, p.cfg, passReuse)
	shared, err := p.apply(w)
	if err != nil {
		return nil, err
	}
	if shared {
		w.alignCarries()
	}
	if err := w.coalescePhis(); err != nil {
		return nil, err
	}
	if err := w.fixYields(false); err != nil {
		return nil, err
	}
	w.normalizeCopies()
	w.dropUnusedAllocs()
	w.stripMembership()
	return w.result(), nil
}

// reusePlan is the decision which interval goes to which buffer, and all it
// was made from.
type reusePlan struct {
	lt      *Lifetimes
	c       *Constraints
	cfg     Config
	reserve *reservation
	// apart lists, by interval, the intervals it must not share with whatever
	// their lives; pinned tells which intervals are declared allocations.
	apart  [][]int32
	pinned []bool
	// spaces are the packings of the spaces that have intervals, by space.
	spaces [numSpaces]*packing
}

// planReuse decides the sharing (spec 06 steps 1 and 2). Without intervals
// there are no constraints and no packings.
func planReuse(l *Layout, cfg Config) (*reusePlan, *Error) {
	lt, err := AnalyzeLifetimes(l, LifetimeOptions{})
	if err != nil {
		return nil, err
	}
	p := &reusePlan{lt: lt, cfg: cfg}
	if len(lt.Intervals) == 0 {
		return p, nil
	}
	if p.c, err = FindConstraints(lt, cfg, StageMemoryReuse, passReuse); err != nil {
		return nil, err
	}
	if cfg.Platform != nil {
		if p.reserve, err = resolveReserves(l, passReuse); err != nil {
			return nil, err
		}
	}
	var ids [numSpaces][]int32
	for i := range lt.Intervals {
		s := lt.Intervals[i].Space
		ids[s] = append(ids[s], int32(i))
	}
	p.apart = findApart(lt, p.c)
	p.pinned = make([]bool, len(lt.Intervals))
	for i := range lt.Intervals {
		_, p.pinned[i] = p.c.DeclaredOf(lt.Intervals[i].Base)
	}
	for s := range ids {
		if len(ids[s]) > 0 {
			p.spaces[s] = p.pack(ir.Space(s), ids[s])
		}
	}
	return p, nil
}

// apply gives the members of every interval that joins a buffer the owner's
// MemRef, or their part of it (spec 06 §7), and reports whether there was any.
func (p *reusePlan) apply(w *rewrite) (shared bool, err *Error) {
	owner := make([]int32, len(p.lt.Intervals))
	for i := range owner {
		owner[i] = int32(i)
	}
	for _, sp := range p.spaces {
		if sp == nil {
			continue
		}
		for _, b := range sp.buffers {
			for _, i := range b.members[1:] {
				owner[i] = b.members[0]
				shared = true
			}
		}
	}
	// In interval order, so that the first violation met is the reference's.
	for i, o := range owner {
		if int(o) != i {
			if err := p.rebase(w, &p.lt.Intervals[i], &p.lt.Intervals[o]); err != nil {
				return shared, err
			}
		}
	}
	return shared, nil
}

// rebase moves interval iv onto the buffer of owner.
func (p *reusePlan) rebase(w *rewrite, iv, owner *Interval) *Error {
	l := p.lt.Layout
	to, from := l.MemRefOf(owner.Rep), l.MemRefOf(iv.Rep)
	for _, v := range iv.Members {
		m := to
		if v != iv.Rep {
			var text string
			if m, text = rebased(l.MemRefOf(v), from, to); text != "" {
				return w.errorf(InternalError, w.pass, "%s", text).atVar(v)
			}
		}
		w.setType(v, w.withMemRef(l.TypeOf(v), m, platforms.NoSpace))
	}
	return nil
}

// rebased is the new MemRef of another member, with MemRef m, of a group whose
// representative moves from r to o, or the text of the error. The
// representative itself takes all of o, so that it may grow.
func rebased(m, r, o *ir.MemRef) (*ir.MemRef, string) {
	at, ok1 := ir.ConstValue(m.Offset)
	first, ok2 := ir.ConstValue(r.Offset)
	if !ok1 || !ok2 {
		return o, ""
	}
	rel := at - first
	if rel == 0 && m.Size == o.Size {
		return o, ""
	}
	if rel < 0 || m.Size > o.Size || uint64(rel) > o.Size-m.Size {
		return nil, fmt.Sprintf("Internal error: sharing-group member offset %d rebased to rel=%d size=%d falls outside reuse target (size %d)",
			at, rel, m.Size, o.Size)
	}
	return &ir.MemRef{Base: o.Base, Offset: shifted(o.Offset, rel), Size: m.Size, Slots: 1}, ""
}

// shifted is addIndex of a constant.
func shifted(offset ir.Expr, rel int64) ir.Expr {
	if first, ok := ir.ConstValue(offset); ok && first+rel == 0 {
		return indexZero
	}
	return addIndex(offset, ir.Index(rel))
}

// alignCarries gives iter_args and results of for loops the buffer that their
// initial value was moved to (spec 06 §8), outer loops first.
func (w *rewrite) alignCarries() {
	ir.WalkStmts(w.Fn.Body, func(s ir.Stmt) bool {
		loop, ok := s.(*ir.For)
		if !ok {
			return true
		}
		for i, a := range loop.IterArgs {
			init, ok := a.Init.(*ir.Var)
			if !ok || init == nil {
				continue
			}
			t := w.Tile(init)
			if t == nil || t.MemRef == nil {
				continue
			}
			w.take(a, t)
			if i < len(loop.Results) {
				w.take(loop.Results[i], t)
			}
		}
		return true
	})
}

// take gives v, if it is a tile with a MemRef of another base, the MemRef and
// space of from.
func (w *rewrite) take(v *ir.Var, from *ir.TileType) {
	if t := w.Tile(v); t != nil && t.MemRef != nil && t.MemRef.Base != from.MemRef.Base {
		w.setType(v, w.withMemRef(t, from.MemRef, from.Space))
	}
}
