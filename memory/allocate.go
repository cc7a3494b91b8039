package memory

import "pypto-ls/ir"

const passAllocate = "AllocateMemoryAddr"

// AllocateMemoryAddr gives every on-chip MemRef of an in-core function its
// physical address by bumping through each space in name order, resolves
// reserve buffers and refuses functions that do not fit (spec part 07, planner
// PYPTO). Functions of other kinds are returned unchanged.
func AllocateMemoryAddr(l *Layout, cfg Config) (*Layout, *Error) {
	out, _, err := allocateSequential(l, cfg)
	return out, err
}

// allocateSequential is AllocateMemoryAddr with the usage of every space,
// also of those the reference does not come to check after the first failure.
func allocateSequential(l *Layout, cfg Config) (*Layout, []Usage, *Error) {
	if !l.Fn.Kind.IsInCore() {
		return l, nil, nil
	}
	res, err := resolveReserves(l, passAllocate)
	if err != nil {
		return nil, nil, err
	}
	members, err := collectMembers(l, passAllocate)
	if err != nil {
		return nil, nil, err
	}
	declared := l.facts().declared
	addrs := make(map[baseIn]uint64)
	var usage []Usage
	var first *Error
	spaces := partition(members, cfg)
	for i := len(spaces) - 1; i >= 0; i-- { // 07 §6: the reverse of first seen
		u, e := spaces[i].bump(l, res, cfg, declared, addrs)
		if e == nil && u.Over() {
			e = u.error(l)
		}
		if first == nil {
			first = e
		}
		usage = append(usage, u)
	}
	if first != nil {
		return nil, usage, first
	}
	place := func(m member) (uint64, bool) {
		a, ok := addrs[baseIn{m.space, m.m.Base}]
		return a, ok
	}
	return assignAddresses(l, res, members, declared, place), usage, nil
}

// member is one on-chip variable whose MemRef gets an address.
type member struct {
	v     *ir.Var
	m     *ir.MemRef
	space ir.Space
}

// collectMembers lists the tile variables of the body that carry a MemRef, in
// order of first mention (spec 07 §6 step 2). Tile parameters the body does
// not mention are not placed; neither are tiles without MemRef, whose bytes
// belong to a cross-core ring.
func collectMembers(l *Layout, pass string) ([]member, *Error) {
	vars := l.mentions()
	out := make([]member, 0, len(vars))
	refs := newMemRefTable(l)
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
		out = append(out, member{v, t.MemRef, t.Space})
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
