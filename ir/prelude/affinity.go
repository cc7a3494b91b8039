package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// lane is the side of the chip a statement runs on (spec 11b §4.1).
type lane uint8

const (
	shared lane = iota
	cube
	vector
	mixed
)

// combine: SHARED is neutral, equal lanes stay, everything else is MIXED.
func (l lane) combine(o lane) lane {
	switch {
	case l == shared || l == o:
		return o
	case o == shared:
		return l
	}
	return mixed
}

// cubeSide reports whether a space belongs to the cube core.
func cubeSide(s ir.Space) bool { return s >= 0 && s != platforms.DDR && s != platforms.Vec }

func sideOf(s ir.Space) lane {
	if cubeSide(s) {
		return cube
	}
	return vector
}

// lanes classifies statements; popped are the results of cross-core pops,
// whose moves are no boundaries.
type lanes struct{ popped varSet }

func newLanes(f *ir.Function) *lanes {
	l := &lanes{popped: newVarSet(0)}
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok {
			if c, ok := a.Value.(*ir.Call); ok && c.Op != nil && c.Op.CrossCore == "TPop" {
				l.popped.add(a.Var)
			}
		}
	})
	return l
}

func (l *lanes) block(b *ir.Block) lane {
	out := shared
	if b != nil {
		for _, st := range b.Stmts {
			out = out.combine(l.stmt(st))
		}
	}
	return out
}

func (l *lanes) stmt(st ir.Stmt) lane {
	if c := callOf(st); c != nil {
		return l.call(c)
	}
	out := shared
	ir.EachBody(st, func(b *ir.Block) { out = out.combine(l.block(b)) })
	return out
}

func (l *lanes) call(c *ir.Call) lane {
	if c.IsFunc || c.Op == nil {
		return shared
	}
	switch c.Op.CoreAffinity {
	case "CUBE":
		return cube
	case "VECTOR":
		return vector
	case "SHARED":
		return shared
	}
	switch c.Name {
	case "tile.create", "system.reserve_buffer", "system.import_peer_buffer":
		return shared
	case "tile.move":
		return l.move(c)
	case "tile.aiv_shard", "tile.aic_gather":
		return mixed
	case "system.syncall", "system.sync_set", "system.sync_wait":
		return syncLane(c)
	}
	if s, ok := outSpace(c); ok {
		return sideOf(s)
	}
	for _, a := range c.Args {
		if t := tileOf(a); t != nil {
			if t.Space < 0 {
				return shared
			}
			return sideOf(t.Space)
		}
	}
	return shared
}

func (l *lanes) move(c *ir.Call) lane {
	var src *ir.Var
	for _, a := range c.Args {
		if v, ok := a.(*ir.Var); ok && tileOf(v) != nil {
			src = v
			break
		}
	}
	from := ir.Space(-1)
	if src != nil {
		from = tileOf(src).Space
	}
	to, _ := outSpace(c)
	if cubeSide(from) != cubeSide(to) {
		if src != nil && l.popped.has(src) {
			return sideOf(to)
		}
		return mixed
	}
	return sideOf(from)
}

func syncLane(c *ir.Call) lane {
	v, _ := c.Kwarg("core_type")
	switch v {
	case "aic_only", "aic":
		return cube
	case "aiv_only", "aiv":
		return vector
	}
	return shared
}
