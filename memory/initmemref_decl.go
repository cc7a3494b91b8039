package memory

import (
	"math/bits"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// decl is one author-declared allocation, `pl.MemRef("name", slots=N)`.
type decl struct {
	name     string
	base     *ir.Var // the base of the result, allocated by the body
	slotSize uint64  // bytes of one slot: the largest tile bound to any slot
	slots    int
	space    ir.Space
}

// declTable finds a declaration by the base variable its mentions carry.
type declTable struct {
	byBase map[*ir.Var]*decl
	order  []*decl // by first mention
}

// collectDecls finds the declarations of fn's body, sizes them and rejects
// inconsistent ones (spec 03 §6.2). Parameters count only where the body
// mentions them.
func collectDecls(fn *ir.Function, mentioned []*ir.Var, cfg Config) (*declTable, *Error) {
	l := NewLayout(fn)
	d := &declTable{}
	for _, v := range mentioned {
		if t := l.Tile(v); t != nil && pinned(t.MemRef) {
			if e := d.mention(l, v, t, cfg); e != nil {
				return nil, e
			}
		}
	}
	if cfg.Planner == PTOAS {
		if e := d.checkPTOAS(l); e != nil {
			return nil, e
		}
	}
	return d, nil
}

// mention checks one mention of a bound tile: E1 to E4 of spec 03 §6.2.
func (d *declTable) mention(l *Layout, v *ir.Var, t *ir.TileType, cfg Config) *Error {
	m := t.MemRef
	space := t.Space
	if space == platforms.NoSpace {
		space = platforms.DDR
	}
	size, ok := ir.AllocBytes(t.Shape, t.DType, space, cfg.Platform)
	if !ok {
		return l.errorf(UserError, passInitMemRef,
			"Tile '%s' is bound to the declared allocation '%s' but has a dynamic shape; a declared allocation must be sized at compile time", v.Name, m.Base.Name).atVar(v)
	}
	if m.Slots < 1 {
		return l.errorf(UserError, passInitMemRef,
			"Declared allocation '%s' must have at least one slot, got %d", m.Base.Name, m.Slots).atVar(v)
	}
	x := d.byBase[m.Base]
	if x == nil {
		x = &decl{name: m.Base.Name, slots: m.Slots, space: platforms.NoSpace}
		if d.byBase == nil {
			d.byBase = make(map[*ir.Var]*decl)
		}
		d.byBase[m.Base] = x
		d.order = append(d.order, x)
	}
	x.slotSize = max(x.slotSize, size)
	if x.slots != m.Slots {
		return l.errorf(UserError, passInitMemRef,
			"References to the declared allocation '%s' disagree on how many slots it has (%d vs %d); one declaration has one slot count", x.name, x.slots, m.Slots).atVar(v)
	}
	switch {
	case t.Space == platforms.NoSpace:
	case x.space == platforms.NoSpace:
		x.space = t.Space
	case x.space != t.Space:
		return l.errorf(UserError, passInitMemRef,
			"Tiles bound to the declared allocation '%s' must all live in the same memory space, but '%s' is %s while the allocation is already %s", x.name, v.Name, t.Space, x.space).atVar(v)
	}
	return nil
}

// bind resolves a declared MemRef: one slot of the allocation, at the offset
// of its slot index (spec 03 §6.3). nil when m is no declaration or one that
// the body does not mention.
func (d *declTable) bind(m *ir.MemRef) *ir.MemRef {
	if !pinned(m) {
		return nil
	}
	x := d.byBase[m.Base]
	if x == nil || x.base == nil {
		return nil
	}
	r := &ir.MemRef{Base: x.base, Offset: m.Offset, Size: x.slotSize, Slots: m.Slots, Slot: m.Slot}
	if m.Slot == nil {
		if r.Offset == nil {
			r.Offset = zeroOffset
		}
		return r
	}
	if k, ok := ir.ConstValue(m.Slot); ok {
		r.Offset = &ir.ConstInt{Value: k * int64(x.slotSize), DType: ir.INT64}
	} else {
		// Always a product, never folded.
		r.Offset = &ir.Binary{Op: ir.Mul, X: m.Slot, Y: ir.Index(int64(x.slotSize)), DType: ir.INDEX}
	}
	return r
}

// allocation is the size of the whole allocation in bytes.
func (x *decl) allocation(l *Layout) (uint64, *Error) {
	hi, lo := bits.Mul64(x.slotSize, uint64(x.slots))
	if hi != 0 {
		return 0, l.errorf(UserError, passInitMemRef,
			"Declared allocation is too large: %d slots of %d bytes overflows a 64-bit size", x.slots, x.slotSize)
	}
	return lo, nil
}
