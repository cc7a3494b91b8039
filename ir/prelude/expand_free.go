package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
)

// frees gives every popped tile back after its last use (spec 11b §4.6), each
// sequence on its own, nested ones first.
func (h *half) frees(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	nested := rewrite(b)
	pops := 0
	for _, st := range b.Stmts {
		nested.add(withBlocks(st, h.frees))
		if pop, _ := popAssign(st); pop != nil {
			pops++
		}
	}
	b = nested.block()
	if pops == 0 {
		return b
	}
	stmts := b.Stmts
	after := make([][]ir.Stmt, len(stmts))
	before := make([][]ir.Stmt, len(stmts))
	dropped := map[int]bool{}
	for i, st := range stmts {
		pop, call := popAssign(st)
		if pop == nil {
			continue
		}
		last, kept := h.lastUse(stmts, i, pop.Var, dropped)
		if kept {
			continue
		}
		free := &ir.Eval{StmtMeta: ir.StmtMeta{Span: pop.Span}, X: freeCall(pop.Var, call)}
		switch stmts[last].(type) {
		case *ir.Yield, *ir.Return:
			before[last] = append(before[last], free)
		default:
			after[last] = append(after[last], free)
		}
	}
	out := &ir.Block{Stmts: make([]ir.Stmt, 0, len(stmts)+pops)}
	for i, st := range stmts {
		out.Stmts = append(out.Stmts, before[i]...)
		if !dropped[i] {
			add(out, st)
		}
		out.Stmts = append(out.Stmts, after[i]...)
	}
	return out
}

func popAssign(st ir.Stmt) (*ir.Assign, *ir.Call) {
	a, ok := st.(*ir.Assign)
	if !ok {
		return nil, nil
	}
	c, ok := a.Value.(*ir.Call)
	if !ok || c.Op == nil || c.Op.CrossCore != "TPop" {
		return nil, nil
	}
	return a, c
}

func freeCall(v *ir.Var, pop *ir.Call) *ir.Call {
	name := "system.tfree_to_aic"
	if pop.Name == "tile.tpop_from_aiv" {
		name = "system.tfree_to_aiv"
	}
	c := &ir.Call{Name: name, Op: ops.Lookup(name), Args: []ir.Expr{v}, Type: ir.Unknown, Span: pop.Span}
	if id, ok := pop.Kwarg("id"); ok {
		c.Kwargs = []ir.Kwarg{{Key: "id", Value: id}}
	}
	return c
}

// lastUse finds the last statement of the sequence that mentions the popped
// tile or an alias of it. kept is set when an author's free stands after it;
// earlier ones are entered in dropped.
func (h *half) lastUse(stmts []ir.Stmt, pop int, v *ir.Var, dropped map[int]bool) (last int, kept bool) {
	alias := h.aliasesOf(v)
	last = pop
	var freed []int
	for j := pop + 1; j < len(stmts); j++ {
		if freesAny(stmts[j], alias) {
			freed = append(freed, j)
			continue
		}
		if mentionsAny(stmts[j], alias) {
			last = j
		}
		growAliases(stmts[j], alias)
	}
	for _, j := range freed {
		if j > last && !kept {
			kept = true
			continue
		}
		dropped[j] = true
	}
	return last, kept
}

// aliasesOf starts the aliases of a popped tile: the variables that stand for
// it until references are redirected.
func (h *half) aliasesOf(v *ir.Var) varSet {
	alias := newVarSet(0)
	alias.add(v)
	for _, s := range h.sources.get(v) {
		if s != nil && h.pops.get(s) == v {
			alias.add(s)
		}
	}
	return alias
}

func freesAny(st ir.Stmt, alias varSet) bool {
	e, ok := st.(*ir.Eval)
	if !ok {
		return false
	}
	c, ok := e.X.(*ir.Call)
	if !ok || c.Op == nil || c.Op.CrossCore != "TFree" || len(c.Args) == 0 {
		return false
	}
	a, ok := c.Args[0].(*ir.Var)
	return ok && alias.has(a)
}

func mentionsAny(st ir.Stmt, set varSet) bool {
	found := false
	see := func(v *ir.Var) { found = found || set.has(v) }
	stmtUses(st, see)
	ir.EachNested(st, func(n ir.Stmt) {
		if !found {
			stmtUses(n, see)
		}
	})
	return found
}

// growAliases adds the aliases that a statement defines: copies, views, branch
// results that both sides give the tile to, loop results that yield it.
func growAliases(st ir.Stmt, alias varSet) {
	switch s := st.(type) {
	case *ir.Assign:
		if aliasValue(s.Value, alias) {
			alias.add(s.Var)
		}
	case *ir.If:
		then, els := yieldsAlias(s.Then, alias), yieldsAlias(s.Else, alias)
		for i, r := range s.Results {
			if i < len(then) && i < len(els) && then[i] && els[i] {
				alias.add(r)
			}
		}
	default:
		l, ok := loopOf(st)
		if !ok {
			return
		}
		for i, y := range yieldsAlias(l.body, alias) {
			if y && i < len(l.results) {
				alias.add(l.results[i])
			}
		}
	}
}

func aliasValue(e ir.Expr, alias varSet) bool {
	switch e := e.(type) {
	case *ir.Var:
		return alias.has(e)
	case *ir.Call:
		if e.Op == nil || !e.Op.IsView() || len(e.Args) == 0 {
			return false
		}
		v, ok := e.Args[0].(*ir.Var)
		return ok && alias.has(v)
	}
	return false
}

// yieldsAlias tells for each yielded value of a block whether it is an alias.
func yieldsAlias(b *ir.Block, alias varSet) []bool {
	y := lastYield(b)
	if y == nil {
		return nil
	}
	in := alias.copy()
	for _, st := range b.Stmts {
		growAliases(st, in)
	}
	out := make([]bool, len(y.Values))
	for i, e := range y.Values {
		out[i] = aliasValue(e, in)
	}
	return out
}
