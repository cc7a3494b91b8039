package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// resolveSpace is the output memory space of the call: the resolver's, else
// that of the first tile operand that has one (spec 02 §2.2, step 5). ok is
// false when the operator has no resolver or no space is found.
func (c *call) resolveSpace() (ir.Space, bool) {
	space := platforms.NoSpace
	switch c.op.SpaceMode {
	case ops.SpaceNone:
		return space, false
	case ops.SpaceFixed:
		space = c.op.Space
	case ops.SpaceKwarg:
		space = c.spaceKwarg(c.op.SpaceKwarg, c.op.Space)
	}
	if space == platforms.NoSpace {
		space = firstTileSpace(c.types)
	}
	return space, space != platforms.NoSpace
}

// firstTileSpace is the space of the first tile that has one.
func firstTileSpace(types []ir.Type) ir.Space {
	for _, t := range types {
		if t, ok := t.(*ir.TileType); ok && t.Space != platforms.NoSpace {
			return t.Space
		}
	}
	return platforms.NoSpace
}
