package prelude

import "pypto-ls/ir"

// keptCalls are the calls whose assignments are never removed as dead (spec
// 11b §4.4, step D).
var keptCalls = map[string]bool{
	"tile.tpush_to_aiv": true, "tile.tpush_to_aic": true, "tile.tpop_from_aic": true, "tile.tpop_from_aiv": true,
	"tile.store": true, "tile.assemble": true, "system.tfree_to_aic": true, "system.tfree_to_aiv": true,
	"system.reserve_buffer": true, "system.import_peer_buffer": true,
	"system.aic_initialize_pipe": true, "system.aiv_initialize_pipe": true,
}

// deadCode removes assignments that nothing needs. Loops and branches stay,
// also with empty bodies, and so do carries and branch results. Its tables are
// used again.
type deadCode struct {
	live varSet
	// first is the first assignment of a variable.
	first *varTable[*ir.Assign]
	work  []*ir.Var
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
	return a, !call || !keptCalls[c.Name]
}

func (d *deadCode) findLive(b *ir.Block) {
	live, first, work := d.live, d.first, d.work[:0]
	live.reset()
	first.reset()
	mark := func(v *ir.Var) {
		if !live.has(v) {
			live.add(v)
			work = append(work, v)
		}
	}
	more := map[*ir.Var][]*ir.Assign{} // assignments after the first
	ir.EachStmt(b, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok {
			if p := first.at(a.Var); *p == nil {
				*p = a
			} else {
				more[a.Var] = append(more[a.Var], a)
			}
		}
		if _, ok := removable(st); ok {
			return
		}
		stmtUses(st, mark)
		ir.EachDef(st, func(v *ir.Var) { typeVars(v.Type, mark) })
	})
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if a := first.get(v); a != nil {
			exprVars(a.Value, mark)
			typeVars(a.Var.Type, mark)
		}
		for _, a := range more[v] {
			exprVars(a.Value, mark)
			typeVars(a.Var.Type, mark)
		}
	}
	d.work = work
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
