package prelude

import "pypto-ls/ir"

// isKept reports whether a call's assignments are never removed as dead (spec
// 11b §4.4, step D).
func isKept(c *ir.Call) bool {
	switch c.Name {
	case "tile.tpush_to_aiv", "tile.tpush_to_aic", "tile.tpop_from_aic", "tile.tpop_from_aiv",
		"tile.store", "tile.assemble", "system.tfree_to_aic", "system.tfree_to_aiv":
		return true
	}
	return isSetUp(c)
}

// deadCode removes assignments that nothing needs. Loops and branches stay,
// also with empty bodies, and so do carries and branch results. Its tables are
// used again.
type deadCode struct {
	live varSet
	// passed are the assignments that nothing after them needs.
	passed []*ir.Assign
}

func (d *deadCode) drop(b *ir.Block) *ir.Block {
	d.findLive(b)
	return withoutDead(b, d.live)
}

func removable(st ir.Stmt) (*ir.Assign, bool) {
	a, ok := st.(*ir.Assign)
	if !ok {
		return nil, false
	}
	c, call := a.Value.(*ir.Call)
	return a, !call || !isKept(c)
}

// findLive finds the variables that are needed, last statements first. Where
// something is used before its assignment, the assignments that were passed
// are looked at again.
func (d *deadCode) findLive(b *ir.Block) {
	d.live.reset()
	d.passed = d.passed[:0]
	mark := d.live.add
	d.block(b, mark)
	for again := true; again; {
		again = false
		passed := d.passed
		d.passed = d.passed[:0]
		for _, a := range passed {
			again = d.assign(a, mark) || again
		}
	}
}

func (d *deadCode) block(b *ir.Block, mark func(*ir.Var)) {
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		st := b.Stmts[i]
		if a, ok := removable(st); ok {
			d.assign(a, mark)
			continue
		}
		ir.EachBody(st, func(c *ir.Block) { d.block(c, mark) })
		stmtUses(st, mark)
		ir.EachDef(st, func(v *ir.Var) { typeVars(v.Type, mark) })
	}
}

// assign marks what an assignment that is needed reads.
func (d *deadCode) assign(a *ir.Assign, mark func(*ir.Var)) bool {
	if !d.live.has(a.Var) {
		d.passed = append(d.passed, a)
		return false
	}
	exprVars(a.Value, mark)
	typeVars(a.Var.Type, mark)
	return true
}

func withoutDead(b *ir.Block, live varSet) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		if a, ok := removable(st); ok && !live.has(a.Var) {
			continue
		}
		out.add(withBlocks(st, func(c *ir.Block) *ir.Block { return withoutDead(c, live) }))
	}
	return out.block()
}
