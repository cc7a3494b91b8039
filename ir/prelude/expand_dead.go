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

// dropDeadCode removes assignments that nothing needs. Loops and branches
// stay, also with empty bodies, and so do carries and branch results.
func dropDeadCode(b *ir.Block) *ir.Block {
	live := liveVars(b)
	return withoutDead(b, live)
}

func removable(st ir.Stmt) (*ir.Assign, bool) {
	a, ok := st.(*ir.Assign)
	if !ok {
		return nil, false
	}
	c, call := a.Value.(*ir.Call)
	return a, !call || !keptCalls[c.Name]
}

func liveVars(b *ir.Block) varSet {
	n := stmtCount(b)
	live := make(varSet, n)
	var work []*ir.Var
	mark := func(v *ir.Var) {
		if !live[v] {
			live[v] = true
			work = append(work, v)
		}
	}
	// Most variables have one definition.
	defs, more := make(map[*ir.Var]*ir.Assign, n), map[*ir.Var][]*ir.Assign{}
	ir.EachStmt(b, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok {
			if defs[a.Var] == nil {
				defs[a.Var] = a
			} else {
				more[a.Var] = append(more[a.Var], a)
			}
		}
		if _, ok := removable(st); ok {
			return
		}
		stmtUses(st, mark)
		stmtDefs(st, func(v *ir.Var) { typeVars(v.Type, mark) })
	})
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if a := defs[v]; a != nil {
			exprVars(a.Value, mark)
			typeVars(a.Var.Type, mark)
		}
		for _, a := range more[v] {
			exprVars(a.Value, mark)
			typeVars(a.Var.Type, mark)
		}
	}
	return live
}

func withoutDead(b *ir.Block, live varSet) *ir.Block {
	if b == nil {
		return nil
	}
	out := roomFor(b)
	for _, st := range b.Stmts {
		if a, ok := removable(st); ok && !live[a.Var] {
			continue
		}
		add(out, withBlocks(st, func(c *ir.Block) *ir.Block { return withoutDead(c, live) }))
	}
	return out
}
