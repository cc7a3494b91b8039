package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// The search for a smaller shape is bounded: tiles looked at, plans made, and
// statements planned in all.
const (
	maxShrinkTiles  = 6
	maxShrinkTrials = 24
	maxShrinkStmts  = 20000
	maxShrinkFactor = 8
)

// shrinkage is one change of shape: an axis and all that goes with it, divided
// by factor.
type shrinkage struct {
	v      *ir.Var // the tile that is named
	n      int
	axes   []axis
	factor int64
	freed  uint64 // bytes, over all tiles of the space
	// sizes are the bytes of the tiles that shrink, after it, by variable ID.
	sizes map[int32]uint64
}

// axesOf are the axes of v that shrink.
func (s *shrinkage) axesOf(v *ir.Var) []int {
	var out []int
	for _, a := range s.axes {
		if a.v == v {
			out = append(out, a.n)
		}
	}
	return out
}

func (s *shrinkage) tiles() int {
	seen := map[*ir.Var]bool{}
	for _, a := range s.axes {
		seen[a.v] = true
	}
	return len(seen)
}

// verb is the change in words, of a tile called name.
func (s *shrinkage) verb(name string) string {
	which := "columns"
	if t := s.v.Type.(*ir.TileType); s.n < len(t.Shape)-1 {
		which = "rows"
	}
	switch s.factor {
	case 2:
		return "halve the " + which + " of " + name
	case 4:
		return "quarter the " + which + " of " + name
	}
	return fmt.Sprintf("divide the %s of %s by %d", which, name, s.factor)
}

// shapes is `[128, 128] FP32 → [64, 128]`.
func (s *shrinkage) shapes() string {
	t := s.v.Type.(*ir.TileType)
	now := shrunk(t, s.axesOf(s.v), s.factor, func(*ir.TileType) (uint64, bool) { return 0, false })
	to := TypeText(now)
	return TypeText(t) + " → " + to[:strings.LastIndexByte(to, ']')+1]
}

// possible reports whether the smaller tiles can still be handled: whole
// extents, rows of whole 32-byte blocks in Vec, whole fractals of 16 on the
// cube side.
func (s *shrinkage) possible() bool {
	for _, a := range s.axes {
		e, ok := extent(a)
		if !ok || e%s.factor != 0 || e/s.factor < 1 {
			return false
		}
		t := a.v.Type.(*ir.TileType)
		e /= s.factor
		switch {
		case t.Space != platforms.Vec && t.Space != platforms.DDR && t.Space >= 0:
			if e%16 != 0 {
				return false
			}
		case a.n == len(t.Shape)-1:
			if row, ok := ir.PackedBytes(uint64(e), t.DType); ok && row%32 != 0 {
				return false
			}
		}
	}
	return len(s.axes) > 0
}

// types is the type of each variable after the change, on top of inner.
func (s *shrinkage) types(inner func(*ir.Var) ir.Type, p *platforms.Platform) func(*ir.Var) ir.Type {
	axes := map[*ir.Var][]int{}
	for _, a := range s.axes {
		axes[a.v] = append(axes[a.v], a.n)
	}
	size := func(t *ir.TileType) (uint64, bool) { return ir.AllocBytes(t.Shape, t.DType, t.Space, p) }
	return func(v *ir.Var) ir.Type {
		var t ir.Type
		if inner != nil {
			t = inner(v)
		}
		if len(axes[v]) == 0 {
			return t
		}
		if t == nil {
			t = v.Type
		}
		tile, ok := t.(*ir.TileType)
		if !ok {
			return t
		}
		return shrunk(tile, axes[v], s.factor, size)
	}
}

// shrinkText tells the smallest change of one tile's shape with which the
// overflow is gone, found by planning; "" when the search finds none.
func (d *Document) shrinkText(chunk int, f *Finding, stop func() bool) string {
	h := d.half(chunk, f.Func)
	if h == nil {
		return ""
	}
	cfg := d.Settings.config()
	use := d.fullSpace(h, f)
	if use == nil {
		return ""
	}
	left := min(maxShrinkTrials, maxShrinkStmts/max(statements(h.plan.Fn), 1))
	if cfg.Planner == memory.DSARP {
		left /= 3 // its search is dear
	}
	groups := dimsOf(h.plan.Fn)
	var tried []*shrinkage
	for factor := int64(2); factor <= maxShrinkFactor; factor *= 2 {
		var try []*shrinkage
		for _, s := range shrinkages(h, groups, use, factor) {
			// Half the rows and half the columns mostly make one plan: tiles have the
			// same sizes. The others cannot fit: what is live at the peak is too much.
			again := slices.ContainsFunc(tried, func(x *shrinkage) bool { return maps.Equal(x.sizes, s.sizes) })
			if !again && s.leaves(use) <= use.Limit {
				try, tried = append(try, s), append(tried, s)
			}
		}
		n := len(try)
		s, t := h.firstThatFits(try[:min(n, left)], f.Space, cfg, stop)
		if s == nil && n > left {
			return ""
		}
		left -= n
		if s == nil {
			continue
		}
		used, limit := t.use(use.Space)
		with := ""
		if n := s.tiles() - 1; n > 0 {
			with = fmt.Sprintf(" (%d more that go with it)", n)
		}
		return fmt.Sprintf("The smallest single change that fits: %s, %s%s: %s.",
			s.verb("'"+d.nameOf(chunk, s.v)+"'"), s.shapes(), with, usageText(use.Space.String(), used, limit))
	}
	return fmt.Sprintf("None of the %d largest tiles at the peak makes it fit alone, its rows or columns divided by up to %d: several have to shrink, or live less long.",
		min(maxShrinkTiles, len(use.PeakLive)), maxShrinkFactor)
}

// firstThatFits is the first of the changes that makes the named space fit, or
// all of them when space is "", with its plan; nil when there is none before
// stop. Several are planned at the same time.
func (h *ringHalf) firstThatFits(try []*shrinkage, space string, cfg memory.Config, stop func() bool) (*shrinkage, trial) {
	for some := range slices.Chunk(try, max(1, min(runtime.GOMAXPROCS(0), 4))) {
		if stop() {
			break
		}
		trials := make([]trial, len(some))
		inParallel(len(some), func(i int) { trials[i] = h.planWith(some[i].types, cfg) })
		for i, t := range trials {
			if space != "" && fitsSpace(t, space) || space == "" && t.fits() {
				return some[i], t
			}
		}
	}
	return nil, trial{}
}

// planWith plans the half with other types.
func (h *ringHalf) planWith(types func(func(*ir.Var) ir.Type, *platforms.Platform) func(*ir.Var) ir.Type, cfg memory.Config) trial {
	w := &whatIf{}
	if h.stage == memory.StageAllocate {
		w = unplaced(h.plan.Plan, nil)
	}
	w.typeOf = types(w.typeOf, cfg.Platform)
	if h.stage >= memory.StageMemoryReuse {
		w.typeOf = h.resized(w.typeOf)
	}
	return plan(w.function(h.plan.Fn), cfg, beforeAddresses(h.stage, cfg.Planner))
}

// resized fits the buffers of a text whose sharing is decided to the tiles in
// them: there every tile has the size of the buffer.
func (h *ringHalf) resized(types func(*ir.Var) ir.Type) func(*ir.Var) ir.Type {
	p := h.plan.Plan
	now := func(v *ir.Var) *ir.TileType {
		if t, ok := types(v).(*ir.TileType); ok {
			return t
		}
		return p.Layout.Tile(v)
	}
	was, need := map[*ir.Var]uint64{}, map[*ir.Var]uint64{}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		for _, m := range b.Members {
			was[b.Base] = max(was[b.Base], m.MemRef.Size)
			t := now(m.Var)
			if t == nil || isView(p, m.Var) {
				continue
			}
			if own, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, p.Config.Platform); ok {
				need[b.Base] = max(need[b.Base], own)
			}
		}
	}
	refs := map[*ir.MemRef]*ir.MemRef{}
	return func(v *ir.Var) ir.Type {
		t := now(v)
		if t == nil || t.MemRef == nil || need[t.MemRef.Base] == 0 || t.MemRef.Size != was[t.MemRef.Base] {
			if t == nil {
				return nil
			}
			return t
		}
		m, ok := refs[t.MemRef]
		if !ok {
			c := *t.MemRef
			c.Size = min(c.Size, need[c.Base])
			m = &c
			refs[t.MemRef] = m
		}
		return pinnedTo(t, m)
	}
}

// fullSpace is the space that a finding is about: the named one, or the
// fullest of those that cannot be packed.
func (d *Document) fullSpace(h *ringHalf, f *Finding) *memory.SpaceUse {
	var worst *memory.SpaceUse
	for i := range h.plan.Plan.Spaces {
		u := &h.plan.Plan.Spaces[i]
		if u.Space.String() == f.Space {
			return u
		}
		if u.Limit > 0 && (worst == nil || u.Bound*worst.Limit > worst.Bound*u.Limit) {
			worst = u
		}
	}
	if f.Space != "" {
		return nil
	}
	return worst
}

func statements(fn *ir.Function) int {
	n := 0
	ir.EachStmt(fn.Body, func(ir.Stmt) { n++ })
	return n
}

// shrinkages lists the changes to try, those that free least first.
func shrinkages(h *ringHalf, groups *dims, use *memory.SpaceUse, factor int64) []*shrinkage {
	byID := map[int32]*ir.Var{}
	for _, a := range groups.order {
		byID[a.v.ID] = a.v
	}
	var out []*shrinkage
	seen := map[axis]bool{}
	for i, live := range use.PeakLive {
		v := byID[live.Var.ID]
		if i == maxShrinkTiles || v == nil {
			break
		}
		t, ok := v.Type.(*ir.TileType)
		if !ok || len(t.Shape) < 2 {
			continue
		}
		for _, n := range []int{len(t.Shape) - 2, len(t.Shape) - 1} {
			r := groups.root(axis{v, n})
			if seen[r] {
				continue
			}
			seen[r] = true
			s := &shrinkage{v: v, n: n, axes: groups.members(r), factor: factor}
			if s.possible() {
				s.measure(use.Space, h.plan.Plan.Config.Platform)
				out = append(out, s)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *shrinkage) int { return cmp.Compare(a.freed, b.freed) })
	return out
}

// leaves is what is needed at the peak at least, after the change.
func (s *shrinkage) leaves(use *memory.SpaceUse) uint64 {
	align := func(n uint64) uint64 { return (n + 31) &^ 31 }
	need := use.Bound
	for _, l := range use.PeakLive {
		if is, ok := s.sizes[l.Var.ID]; ok && is < l.Size {
			need -= min(need, align(l.Size)-align(is))
		}
	}
	return need
}

// measure finds the sizes of the tiles after the change and how many bytes of
// a space's tiles it saves.
func (s *shrinkage) measure(space ir.Space, p *platforms.Platform) {
	s.sizes = map[int32]uint64{}
	for _, a := range s.axes {
		if _, seen := s.sizes[a.v.ID]; seen {
			continue
		}
		t := a.v.Type.(*ir.TileType)
		now := shrunk(t, s.axesOf(a.v), s.factor, func(*ir.TileType) (uint64, bool) { return 0, false })
		is, ok := ir.AllocBytes(now.Shape, now.DType, now.Space, p)
		if !ok {
			continue
		}
		s.sizes[a.v.ID] = is
		if was, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, p); ok && t.Space == space && was > is {
			s.freed += was - is
		}
	}
}

// nameOf is a variable's name as the text has it.
func (d *Document) nameOf(chunk int, v *ir.Var) string {
	text := d.File.Chunks[chunk].Text
	if s := v.Span; s.Valid() && int(s.End) <= len(text) && isIdentifier(text[s.Start:s.End]) {
		return text[s.Start:s.End]
	}
	return v.Name
}
