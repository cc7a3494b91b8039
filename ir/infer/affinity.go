package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// Core says which core a call belongs to (spec 02 §10.4).
type Core uint8

// The core affinities. Mixed calls need both cores.
const (
	Shared Core = iota
	Cube
	Vector
	Mixed
)

func (c Core) String() string { return [...]string{"shared", "cube", "vector", "mixed"}[c] }

// sideOf is the core that works on a memory space: the vector core on Vec and
// global memory, the cube core on the rest, Bias and ScalarLocal included.
func sideOf(s platforms.Space) Core {
	if s == platforms.Vec || s == platforms.DDR {
		return Vector
	}
	return Cube
}

// Affinity classifies a call by its operator, operand types and keywords for
// the cube/vector split (spec 02 §10.4, 11b §4.1). args are the types of the
// operands that are variables; others may be nil. op is nil for a call that is
// no registered operator.
func Affinity(op *ops.Op, args []ir.Type, kwargs []ir.Kwarg) Core {
	if op == nil {
		return Shared
	}
	switch op.CoreAffinity {
	case "CUBE":
		return Cube
	case "VECTOR":
		return Vector
	case "SHARED":
		return Shared
	}
	c := call{op: op, kwargs: kwargs, types: args}
	switch op.Name {
	case "tile.move":
		return c.moveAffinity()
	case "system.syncall", "system.sync_set", "system.sync_wait":
		return c.syncAffinity()
	case "tile.aiv_shard", "tile.aic_gather":
		return Mixed
	}
	switch op.SpaceMode {
	case ops.SpaceFixed:
		return sideOf(op.Space)
	case ops.SpaceKwarg:
		if s := c.spaceKwarg(op.SpaceKwarg, op.Space); s != platforms.NoSpace {
			return sideOf(s)
		}
	}
	if s := firstOperandSpace(args); s != platforms.NoSpace {
		return sideOf(s)
	}
	return Shared
}

// firstOperandSpace is the space of the first tile, NoSpace when it has none.
func firstOperandSpace(args []ir.Type) platforms.Space {
	for _, t := range args {
		if t, ok := t.(*ir.TileType); ok {
			return t.Space
		}
	}
	return platforms.NoSpace
}

// moveAffinity: a move across the two sides needs both cores, any other
// belongs to the side of its source; an unknown source counts as vector.
func (c *call) moveAffinity() Core {
	from := firstOperandSpace(c.types)
	if from == platforms.NoSpace {
		return Vector
	}
	if sideOf(from) != sideOf(c.spaceKwarg("target_memory", c.op.Space)) {
		return Mixed
	}
	return sideOf(from)
}

// syncAffinity is the keyword core_type.
func (c *call) syncAffinity() Core {
	v, _ := c.kwarg("core_type")
	switch v {
	case "aic", "aic_only":
		return Cube
	case "aiv", "aiv_only":
		return Vector
	}
	return Shared
}
