package memory

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

const passAliases = "MaterializeSemanticAliases"

// MaterializeSemanticAliases makes the producers of loop-carried values write
// straight into the carried buffer where that is safe (spec part 04).
// Orchestration functions are returned unchanged. Under DSA_RP and PTOAS it
// also reconciles loop and branch results, which MemoryReuse does under PYPTO.
func MaterializeSemanticAliases(l *Layout, cfg Config) (*Layout, *Error) {
	if l.Fn.Kind == ir.Orchestration || l.Fn.Body == nil {
		return l, nil
	}
	r := newRetargeter(l, cfg)
	r.carries(l.Fn.Body)
	out, err := r.apply()
	if err != nil || cfg.Planner == PYPTO {
		return out, err
	}
	w := goOn(out, l, cfg, passAliases)
	if cfg.Planner == DSARP {
		if err := w.coalescePhis(); err != nil {
			return nil, err
		}
	}
	if err := w.fixYields(cfg.Planner == PTOAS); err != nil {
		return nil, err
	}
	if cfg.Planner == DSARP {
		w.normalizeCopies()
	}
	return w.result(), nil
}

// target is the buffer a producer is to be moved onto.
type target struct {
	mem   *ir.MemRef
	space ir.Space
}

// retargeter plans new types for producers (spec 04 §3–4). It looks at the
// input layout's types; what it decides goes to plan.
type retargeter struct {
	*aliasTables
	cfg Config
	// plan holds the new type of each planned variable, nil for none, by the index
	// of its definition; planned lists the variables that have one.
	plan    []*ir.TileType
	planned []*ir.Var

	visiting []bool // by definition, too
	// failed memoises failures within one attempt: failed[k] == attempt. A
	// failure that hangs on the path it was met on (tainted) is not memoised.
	failed  []int32
	attempt int32
	tainted bool
}

func newRetargeter(l *Layout, cfg Config) *retargeter {
	return &retargeter{aliasTables: &aliasTables{l: l}, cfg: cfg}
}

// carries walks b in pre-order and, at each for loop, tries to move the
// yielded values onto the carried buffers.
func (r *retargeter) carries(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.For:
			r.carry(s)
			r.carries(s.Body)
		case *ir.If:
			r.carries(s.Then)
			r.carries(s.Else)
		case *ir.Scope:
			r.carries(s.Body)
		}
	}
}

func (r *retargeter) carry(s *ir.For) {
	y := yieldOf(s.Body)
	if y == nil {
		return
	}
	for i := range min(len(s.IterArgs), len(y.Values)) {
		t := r.current(s.IterArgs[i])
		v, ok := y.Values[i].(*ir.Var)
		if t == nil || t.MemRef == nil || !ok || v == nil {
			continue
		}
		r.attempt++
		r.retarget(v, target{t.MemRef, t.Space})
	}
}

// current is the planned type of v, its own without a plan; nil for
// everything but tiles.
func (r *retargeter) current(v *ir.Var) *ir.TileType {
	if t := r.planOf(v); t != nil {
		return t
	}
	return r.l.Tile(v)
}

// planOf is the new type of v, nil when none is planned.
func (r *retargeter) planOf(v *ir.Var) *ir.TileType {
	if k := r.defOf(v); k >= 0 && r.plan != nil {
		return r.plan[k]
	}
	return nil
}

func (r *retargeter) setPlan(v *ir.Var, t target) {
	k := r.defOf(v)
	if k < 0 {
		return
	}
	if r.plan[k] == nil {
		r.planned = append(r.planned, v)
	}
	r.plan[k] = withMemRef(r.l.Tile(v), t.mem, t.space).(*ir.TileType)
}

// retarget is spec 04 §4.1: it plans v, and what v's value is made from, onto
// t.
func (r *retargeter) retarget(v *ir.Var, t target) bool {
	if c := r.current(v); c != nil && c.MemRef != nil && c.MemRef.Base == t.mem.Base {
		return true
	}
	d := r.def(v)
	if d == nil {
		return false
	}
	r.grow()
	k := r.defOf(v)
	if r.visiting[k] {
		r.tainted = true
		return false
	}
	if r.failed[k] == r.attempt {
		return false
	}
	outer := r.tainted
	r.tainted = false
	r.visiting[k] = true
	ok := r.retargetDef(v, d, t)
	r.visiting[k] = false
	if !ok && !r.tainted {
		r.failed[k] = r.attempt
	}
	r.tainted = r.tainted || outer
	return ok
}

func (r *retargeter) grow() {
	if r.plan == nil {
		n := len(r.defs)
		r.plan, r.visiting, r.failed = make([]*ir.TileType, n), make([]bool, n), make([]int32, n)
	}
}

func (r *retargeter) retargetDef(v *ir.Var, d *aliasDef, t target) bool {
	i := int(d.index)
	switch s := d.stmt.(type) {
	case *ir.Assign:
		return r.retargetAssign(d, t, true)
	case *ir.If:
		// Both branches are tried before the verdict.
		then := r.retargetExpr(yieldValue(s.Then, i), t)
		els := s.Else == nil || r.retargetExpr(yieldValue(s.Else, i), t)
		if !then || !els {
			return false
		}
	case *ir.For:
		if d.iterArg {
			if _, ok := v.Init.(*ir.Var); !ok {
				// A later step of this attempt may plan v without asking.
				r.tainted = true
			}
			if !r.retargetExpr(v.Init, t) {
				return false
			}
			break
		}
		if !r.retargetExpr(yieldValue(s.Body, i), t) {
			return false
		}
		if i < len(s.IterArgs) {
			a := s.IterArgs[i]
			if init, ok := a.Init.(*ir.Var); ok && init != nil && !r.retarget(init, t) {
				return false
			}
			r.setPlan(a, t)
		}
	}
	r.setPlan(v, t)
	return true
}

// retargetExpr retargets a var-like expression; anything else fails.
func (r *retargeter) retargetExpr(e ir.Expr, t target) bool {
	v, ok := e.(*ir.Var)
	return ok && v != nil && r.retarget(v, t)
}

// retargetAssign is spec 04 §4.2. checkLive false leaves out step 7.
func (r *retargeter) retargetAssign(d *aliasDef, t target, checkLive bool) bool {
	a := d.stmt.(*ir.Assign)
	c, ok := a.Value.(*ir.Call)
	if !ok || c.IsFunc || c.Op == nil {
		return false
	}
	if k := c.Op.ReusesInput; k >= 0 {
		if k >= len(c.Args) || !r.retargetExpr(c.Args[k], t) {
			return false
		}
		r.setPlan(a.Var, t)
		return true
	}
	if c.Op.InheritsInput {
		if c.Name != "tile.set_validshape" || len(c.Args) == 0 || !r.sameBuffer(a.Var, c.Args[0]) ||
			!r.retargetExpr(c.Args[0], t) {
			return false
		}
		r.setPlan(a.Var, t)
		return true
	}
	if !fitsSpace(c, t.space) || r.clobbersInput(c, t.mem.Base) || checkLive && !r.deadAfter(d, t.mem.Base, nil) {
		return false
	}
	r.setPlan(a.Var, t)
	return true
}

// sameBuffer reports whether v and e are tiles with MemRefs of one base.
func (r *retargeter) sameBuffer(v *ir.Var, e ir.Expr) bool {
	x, ok := e.(*ir.Var)
	if !ok || x == nil {
		return false
	}
	a, b := r.l.Tile(v), r.l.Tile(x)
	return a != nil && b != nil && a.MemRef != nil && b.MemRef != nil && a.MemRef.Base == b.MemRef.Base
}

// fitsSpace is steps 4 and 5 of spec 04 §4.2: the call may produce into space.
func fitsSpace(c *ir.Call, space ir.Space) bool {
	if v, ok := c.Kwarg("target_memory"); ok {
		if s, ok := v.(ir.Space); !ok || s != space || space == platforms.NoSpace {
			return false
		}
	}
	out := outputSpace(c)
	return out == platforms.NoSpace || space == platforms.NoSpace || out == space
}

// outputSpace is the fixed or keyword-given result space of c, NoSpace when
// the operator declares none for this call (Table A of spec 03).
func outputSpace(c *ir.Call) ir.Space {
	switch c.Op.SpaceMode {
	case ops.SpaceFixed:
		return c.Op.Space
	case ops.SpaceKwarg:
		if v, ok := c.Kwarg(c.Op.SpaceKwarg); ok {
			if s, ok := v.(ir.Space); ok {
				return s
			}
		}
		return c.Op.Space
	}
	return platforms.NoSpace
}

// clobbersInput is step 6: an operator that is not in-place safe reads a tile
// of base.
func (r *retargeter) clobbersInput(c *ir.Call, base *ir.Var) bool {
	if !c.Op.NotInplaceSafe {
		return false
	}
	for i, arg := range c.Args {
		if forbidsAlias(c, i, r.cfg) && r.mentionsBase(arg, base) {
			return true
		}
	}
	return false
}
