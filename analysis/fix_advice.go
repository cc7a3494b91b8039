package analysis

import (
	"fmt"
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// adviceKey is a finding of a function.
type adviceKey struct {
	fn    *Func
	index int
}

// advice is what is known of one finding. With a ring it depends on the peer,
// a function of the same program, too.
type advice struct {
	text     string
	peerName string // "" for none
	peer     *Func
}

// adviceMemo keeps advice over the versions of documents. It is bounded: when
// full, it starts anew.
type adviceMemo struct {
	mu    sync.Mutex
	known map[adviceKey]advice // guarded by mu
}

const maxAdvice = 256

// maxAdviceTrials bounds the depths that are planned for advice; the fixes
// themselves look further.
const maxAdviceTrials = 64

// Advice says, in words with numbers, what would clear an overflow: the depth
// of the ring that fits, or which tile has to shrink to what; "" for findings
// that are no overflow and where the bounded search finds nothing. It plans
// variants of the function.
func (d *Document) Advice(f *Finding) string {
	return d.adviceUntil(f, func() bool { return false })
}

// adviceUntil is Advice, given up and not kept once stop says so.
func (d *Document) adviceUntil(f *Finding, stop func() bool) string {
	text, key, known := d.knownAdvice(f)
	if known {
		return text
	}
	a := d.newAdvice(f, stop)
	if stop() {
		return ""
	}
	m := &d.engine.advice
	m.mu.Lock()
	if m.known == nil || len(m.known) >= maxAdvice {
		m.known = map[adviceKey]advice{}
	}
	m.known[key] = a
	m.mu.Unlock()
	return a.text
}

// knownAdvice is Advice where nothing has to be planned for it.
func (d *Document) knownAdvice(f *Finding) (text string, key adviceKey, known bool) {
	if f.ref.index == 0 || f.Code == "capacity-here" || !overflow(f) {
		return "", key, true
	}
	fn := d.Func(f.ref.chunk)
	if fn == nil || f.ref.index > len(fn.Findings) {
		return "", key, true
	}
	key = adviceKey{fn, f.ref.index}
	m := &d.engine.advice
	m.mu.Lock()
	a, ok := m.known[key]
	m.mu.Unlock()
	if ok && (a.peerName == "" || d.Func(d.chunkNamed(f.ref.chunk, a.peerName)) == a.peer) {
		return a.text, key, true
	}
	return "", key, false
}

func (d *Document) newAdvice(f *Finding, stop func() bool) advice {
	r := d.payingRing(f.ref.chunk, f)
	if r == nil {
		return advice{text: d.shrinkText(f.ref.chunk, f, stop)}
	}
	a := advice{text: d.ringText(r, stop)}
	switch {
	case r.lowered:
	case len(r.halves) > 1:
		p := r.halves[1].chunk
		a.peerName, a.peer = d.File.Chunks[p].Name, d.Func(p)
	default: // it may be written yet
		_, a.peerName, _ = kernelOf(f.Func)
		a.peer = d.Func(d.chunkNamed(f.ref.chunk, a.peerName))
	}
	return a
}

// chunkNamed is the function of that name in the program of another one, -1
// when there is none.
func (d *Document) chunkNamed(chunk int, name string) int {
	if u := d.unitOf[chunk]; u >= 0 {
		for _, i := range d.units[u].funcs {
			if d.File.Chunks[i].Name == name && i != chunk {
				return i
			}
		}
	}
	return -1
}

// ringText tells which depth of a ring fits; when none does, what the tile
// that crosses has to become.
func (d *Document) ringText(r *ring, stop func() bool) string {
	cfg := d.Settings.config()
	h := r.halves[0]
	fit, sure := r.depthsFrom(r.depth, cfg, 1, maxAdviceTrials)
	if len(fit) == 0 && !sure {
		return ""
	}
	if len(fit) > 0 {
		used, limit := plan(r.at(h, fit[0], cfg.Platform), cfg, beforeAddresses(h.stage, cfg.Planner)).use(h.space)
		return strings.TrimSpace(fmt.Sprintf("The largest depth of the ring that fits is slot_num=%d (now %d): %s. %s",
			fit[0], r.depth, usageText(h.space.String(), used, limit), r.caution(fit[0])))
	}
	text := r.tooDeep(cfg)
	if more := d.crossingText(r, cfg, stop); more != "" {
		text += " " + more
	}
	return text
}

// crossing are the tiles of a half that go through the ring.
func crossing(fn *ir.Function) []*ir.Var {
	var out []*ir.Var
	ir.EachStmt(fn.Body, func(s ir.Stmt) {
		c, v := callOfStmt(s)
		if c == nil || c.Op == nil {
			return
		}
		switch c.Op.CrossCore {
		case "TPush":
			if len(c.Args) > 0 {
				if a, ok := c.Args[0].(*ir.Var); ok {
					out = append(out, a)
				}
			}
		case "TPop":
			if v != nil {
				out = append(out, v)
			}
		}
	})
	return out
}

func slotBytes(t ir.Type) int64 {
	tile, ok := t.(*ir.TileType)
	if !ok {
		return 0
	}
	n := uint64(1)
	for _, e := range tile.Shape {
		k, ok := ir.ConstValue(e)
		if !ok || k < 0 || k > 0 && n > 1<<40/uint64(k) {
			return 0
		}
		n *= uint64(k)
	}
	b, _ := ir.PackedBytes(n, tile.DType)
	return int64(b)
}

// crossingText finds the smallest change of the largest tile that crosses,
// with which both halves fit at some depth.
func (d *Document) crossingText(r *ring, cfg memory.Config, stop func() bool) string {
	h := r.halves[0]
	var v *ir.Var
	for _, x := range crossing(h.plan.Fn) {
		if slotBytes(x.Type) == r.slotSize && v == nil {
			v = x
		}
	}
	if v == nil {
		return ""
	}
	t := v.Type.(*ir.TileType)
	if len(t.Shape) < 2 {
		return ""
	}
	for factor := int64(2); factor <= maxShrinkFactor; factor *= 2 {
		for _, n := range []int{len(t.Shape) - 2, len(t.Shape) - 1} {
			c := r.narrower(v, n, factor)
			if c == nil {
				continue
			}
			for depth := r.depth; depth >= 1; depth-- {
				if depth > 16 && depth&(depth-1) != 0 {
					continue
				}
				if stop() {
					return ""
				}
				if used, limit, ok := c.fit(depth, cfg); ok {
					s := &shrinkage{v: v, n: n, axes: c.own.axes, factor: factor}
					return fmt.Sprintf("The tile that crosses, '%s' with %s B a slot, has to shrink: %s, %s; with slot_num=%d then %s.",
						d.nameOf(h.chunk, v), Thousands(uint64(r.slotSize)), s.verb("it"), s.shapes(), depth, usageText(h.space.String(), used, limit))
				}
			}
		}
	}
	return fmt.Sprintf("The tile that crosses, '%s' with %s B a slot, cannot shrink enough by halving its rows or columns: other tiles have to shrink with it.",
		d.nameOf(h.chunk, v), Thousands(uint64(r.slotSize)))
}

// narrowRing is a ring whose crossing tiles are smaller.
type narrowRing struct {
	ring
	own   *shrinkage
	types map[*ringHalf]*shrinkage
}

// narrower divides axis n of the tiles that cross and look like v; nil when
// that cannot be.
func (r *ring) narrower(v *ir.Var, n int, factor int64) *narrowRing {
	c := &narrowRing{ring: *r, types: map[*ringHalf]*shrinkage{}}
	c.slotSize = 0
	for i, h := range r.halves {
		groups := dimsOf(h.plan.Fn)
		s := &shrinkage{factor: factor}
		taken := map[axis]bool{}
		tiles := crossing(h.plan.Fn)
		for _, x := range tiles {
			if root := groups.root(axis{x, n}); sameShape(x.Type, v.Type) && !taken[root] {
				taken[root] = true
				s.v, s.n = x, n
				s.axes = append(s.axes, groups.members(root)...)
			}
		}
		if s.v != nil && !s.possible() {
			return nil
		}
		types := s.types(nil, nil)
		for _, x := range tiles {
			t := types(x)
			if t == nil {
				t = x.Type
			}
			c.slotSize = max(c.slotSize, slotBytes(t))
		}
		c.types[h] = s
		if i == 0 {
			c.own = s
		}
	}
	if c.slotSize <= 0 || c.slotSize >= r.slotSize {
		return nil
	}
	return c
}

func sameShape(a, b ir.Type) bool {
	x, ok1 := a.(*ir.TileType)
	y, ok2 := b.(*ir.TileType)
	return ok1 && ok2 && x.DType == y.DType && ir.ExprsEqual(x.Shape, y.Shape)
}

func (c *narrowRing) fit(depth int64, cfg memory.Config) (used, limit uint64, ok bool) {
	for i, h := range c.halves {
		w := &whatIf{}
		if h.stage == memory.StageAllocate {
			w = unplaced(h.plan.Plan, nil)
		}
		s := c.types[h]
		fn := (&whatIf{typeOf: s.types(w.typeOf, cfg.Platform), call: c.calls(h, depth, cfg.Platform, w.call)}).function(h.plan.Fn)
		t := plan(fn, cfg, beforeAddresses(h.stage, cfg.Planner))
		if !t.fits() {
			return 0, 0, false
		}
		if i == 0 {
			used, limit = t.use(h.space)
		}
	}
	return used, limit, true
}

// calls sizes the half's buffers for a depth, after inner.
func (r *ring) calls(h *ringHalf, depth int64, p *platforms.Platform, inner func(*ir.Call) *ir.Call) func(*ir.Call) *ir.Call {
	ours := map[*ir.Call]bool{}
	for _, b := range h.reserves {
		ours[b] = true
	}
	return func(c *ir.Call) *ir.Call {
		mine := ours[c]
		if inner != nil {
			c = inner(c)
		}
		if mine {
			c = withKwarg(c, "size", r.bytes(h, depth, p))
		}
		return c
	}
}
