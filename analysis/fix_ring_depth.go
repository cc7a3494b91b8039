package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// maxDepthTrials bounds how many depths are planned one after the other; from
// there on only powers of two are tried. No ring that is used comes near it.
const maxDepthTrials = 4096

// maxAlternatives bounds how many smaller depths are offered beside the
// largest.
const maxAlternatives = 8

// maxImproving is how far below the largest depth one is looked for that lets
// planning give up less.
const maxImproving = 64

// depths lists the depths below the present one at which neither half
// overflows any space, descending, at most most of them (spec 09 §8.0). Usage
// is not monotone in the depth: each one is planned.
func (r *ring) depths(cfg memory.Config, most int) []int64 {
	out, _ := r.depthsFrom(r.depth, cfg, most, maxDepthTrials)
	return out
}

// depthsFrom is depths from a first one on. After the given number of trials
// only powers of two are tried; sure tells that it did not come to that.
func (r *ring) depthsFrom(first int64, cfg memory.Config, most, trials int) (out []int64, sure bool) {
	if r.consistent(cfg.Platform) {
		first = min(first, r.depth-1) // else the buffers' sizes alone may be wrong
	}
	for _, h := range r.halves {
		first = min(first, r.deepest(h, cfg))
	}
	sure = true
	for n := first; n >= 1 && len(out) < most; n-- {
		if trials--; trials < 0 {
			sure = false
			if n&(n-1) != 0 {
				continue
			}
		}
		if r.fit(n, cfg) {
			out = append(out, n)
		}
	}
	return out, sure
}

// fit plans both halves at a depth.
func (r *ring) fit(depth int64, cfg memory.Config) bool {
	for _, h := range r.halves {
		if !plan(r.at(h, depth, cfg.Platform), cfg, beforeAddresses(h.stage, cfg.Planner)).fits() {
			return false
		}
	}
	return true
}

// beforeAddresses is the stage to plan from.
func beforeAddresses(s memory.Stage, p memory.Planner) memory.Stage {
	if s != memory.StageAllocate {
		return s
	}
	passes := p.Passes()
	if len(passes) < 2 || passes[len(passes)-1] != memory.StageAllocate {
		return s
	}
	return passes[len(passes)-2]
}

// deepest is a bound on the depth: with more slots the half cannot fit, since
// its tiles need a certain number of bytes above the ring whatever the
// placement.
func (r *ring) deepest(h *ringHalf, cfg memory.Config) int64 {
	use := h.plan.Plan.Space(h.space)
	if use == nil || use.Limit == 0 || len(h.reserves) == 0 || h.others > 0 || h.local > 0 || use.Bound <= use.Reserved {
		return r.depth
	}
	tiles := use.Bound - use.Reserved
	if tiles >= use.Limit {
		return 0
	}
	n := int64(use.Limit-tiles) / r.slotSize
	if len(h.reserves) > 1 {
		n /= int64(len(h.reserves))
	}
	return min(r.depth, n)
}

// offered are the depths worth offering, the largest that fits first: all
// smaller ones when there are few; else the first at which planning gives up
// less, and the powers of two.
func (r *ring) offered(cfg memory.Config) []int64 {
	out := r.depths(cfg, 1)
	if len(out) == 0 {
		return nil
	}
	largest := out[0]
	if largest <= maxAlternatives+1 {
		out, _ = r.depthsFrom(largest, cfg, int(largest), maxDepthTrials)
		return out
	}
	if given := r.givenUp(largest, cfg); given > 0 {
		for n := largest - 1; n > max(largest-maxImproving, 1); n-- {
			if r.fit(n, cfg) && r.givenUp(n, cfg) < given {
				out = append(out, n)
				break
			}
		}
	}
	for n := int64(1) << 40; n >= 1; n /= 2 {
		if n < largest && n != out[len(out)-1] && len(out) <= maxAlternatives && r.fit(n, cfg) {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b int64) int { return cmp.Compare(b, a) })
	return out
}

// givenUp counts the findings about separations that planning gave up.
func (r *ring) givenUp(depth int64, cfg memory.Config) int {
	n := 0
	for _, h := range r.halves {
		n += len(plan(r.at(h, depth, cfg.Platform), cfg, beforeAddresses(h.stage, cfg.Planner)).res.Diags)
	}
	return n
}

// unplaced takes the addresses of a text past AllocateMemoryAddr back: tiles
// count from the start of their allocation again, reserve buffers are
// unresolved. What inner changes stays changed.
func unplaced(p *memory.Plan, inner *whatIf) *whatIf {
	refs := map[*ir.MemRef]*ir.MemRef{}
	w := &whatIf{
		typeOf: func(v *ir.Var) ir.Type {
			t := p.Layout.Tile(v)
			if t == nil || t.MemRef == nil || t.Space == platforms.DDR || t.Space < 0 {
				return nil
			}
			m, ok := refs[t.MemRef]
			if !ok {
				m = relative(t.MemRef, p.BufferOf(v))
				refs[t.MemRef] = m
			}
			c := *t
			c.MemRef = m
			return &c
		},
		call: func(c *ir.Call) *ir.Call {
			if inner != nil && inner.call != nil {
				c = inner.call(c)
			}
			if c.Name == "system.reserve_buffer" && !c.IsFunc {
				c = withKwarg(c, "base", -1)
			}
			return c
		},
	}
	return w
}

// relative is m counted from the start of its buffer.
func relative(m *ir.MemRef, b *memory.Buffer) *ir.MemRef {
	if b == nil {
		return m
	}
	c := *m
	switch o := m.Offset.(type) {
	case *ir.ConstInt:
		c.Offset = &ir.ConstInt{Value: max(o.Value-int64(b.Addr), 0), DType: o.DType}
	case *ir.Binary:
		if k, ok := ir.ConstValue(o.X); ok && o.Op == ir.Add && k == int64(b.Addr) {
			c.Offset = o.Y
		}
	}
	return &c
}

// tooDeep tells that no depth fits, and what is too full with one slot: in the
// half of the finding, or else in the other one.
func (r *ring) tooDeep(cfg memory.Config) string {
	const none = "No depth of the ring fits, not even slot_num=1"
	for i, h := range r.halves {
		t := plan(r.at(h, 1, cfg.Platform), cfg, beforeAddresses(h.stage, cfg.Planner))
		where := ""
		if i > 0 {
			where = " in " + t.fn.Name
		}
		if used, limit := t.use(h.space); limit > 0 && used > limit {
			return none + ": " + usageText(h.space.String(), used, limit) + where + "."
		}
		for _, u := range t.res.Usage {
			if u.Over() {
				return none + ": " + usageText(u.Space.String(), u.Used, u.Limit) + where + "."
			}
		}
	}
	return fmt.Sprintf("%s (%s B a slot).", none, Thousands(uint64(r.slotSize)))
}
