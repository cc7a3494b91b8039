package memory

import "pypto-ls/ir"

const passAllocate = "AllocateMemoryAddr"

// AllocateMemoryAddr gives every on-chip MemRef of an in-core function its
// physical address by bumping through each space in name order, resolves
// reserve buffers and refuses functions that do not fit (spec part 07, planner
// PYPTO). Functions of other kinds are returned unchanged.
func AllocateMemoryAddr(l *Layout, cfg Config) (*Layout, *Error) {
	a, err := allocateSequential(l, cfg)
	if err != nil {
		return nil, err
	}
	return a.place(), nil
}

// sequential is a sequential placement that was decided but not carried out.
type sequential struct {
	l       *Layout
	res     *reservation
	members []member
	buffers []buffer // by first mention
	// usage is that of every space, also of those the reference does not come to
	// check after the first failure.
	usage []Usage
	// full tells that the only thing wrong is that a space is over its limit.
	full bool
}

// allocateSequential decides the addresses. The error is the reference's; with
// it the result, nil unless it came to the addresses, tells how full the spaces
// are.
func allocateSequential(l *Layout, cfg Config) (*sequential, *Error) {
	a := &sequential{l: l}
	if !l.Fn.Kind.IsInCore() {
		return a, nil
	}
	var err *Error
	if a.res, err = resolveReserves(l, passAllocate); err != nil {
		return nil, err
	}
	if a.members, err = collectMembers(l, passAllocate); err != nil {
		return nil, err
	}
	var first *Error
	a.full = true
	spaces := a.partition(cfg)
	for i := len(spaces) - 1; i >= 0; i-- { // 07 §6: the reverse of first seen
		u, e := a.bump(&spaces[i], cfg)
		if e != nil {
			a.full = false
		} else if u.Over() {
			e = u.error(l)
		}
		if first == nil {
			first = e
		}
		a.usage = append(a.usage, u)
	}
	return a, first
}

// place carries the placement out.
func (a *sequential) place() *Layout {
	if a.res == nil {
		return a.l
	}
	place := func(m member) (uint64, bool) {
		if m.buffer < 0 {
			return 0, false
		}
		return a.buffers[m.buffer].addr, true
	}
	return assignAddresses(a.l, a.res, a.members, false, place)
}

// member is one on-chip variable whose MemRef gets an address.
type member struct {
	v     *ir.Var
	m     *ir.MemRef
	space ir.Space
	// first is the index of the first member with this MemRef, buffer that of its
	// buffer in a sequential placement, -1 for none.
	first, buffer int32
}

// collectMembers lists the tile variables of the body that carry a MemRef, in
// order of first mention (spec 07 §6 step 2). Tile parameters the body does
// not mention are not placed; neither are tiles without MemRef, whose bytes
// belong to a cross-core ring.
func collectMembers(l *Layout, pass string) ([]member, *Error) {
	vars := l.mentions()
	out := make([]member, 0, l.countTiles(vars))
	refs := newMemRefTable(l, func(k int) *ir.MemRef { return out[k].m })
	for _, v := range vars {
		t := l.Tile(v)
		if t == nil || t.MemRef == nil {
			continue
		}
		if t.Space < 0 {
			return nil, l.errorf(UserError, pass, "TileType with MemRef must have memory_space before MemRef collection")
		}
		first, known := refs.number(t.MemRef, len(out))
		if known && out[first].space != t.Space {
			return nil, l.errorf(UserError, pass, "Conflicting TileType.memory_space values found for the same MemRef")
		}
		out = append(out, member{v, t.MemRef, t.Space, int32(first), -1})
	}
	return out, nil
}

// allocCall is the alloc call that s binds a base to, nil when s is no alloc
// statement.
func allocCall(s ir.Stmt) (*ir.Assign, *ir.Call) {
	a, ok := s.(*ir.Assign)
	if !ok {
		return nil, nil
	}
	c, ok := a.Value.(*ir.Call)
	if !ok || c.IsFunc || (c.Name != "tile.alloc" && c.Name != "tensor.alloc") {
		return nil, nil
	}
	return a, c
}
