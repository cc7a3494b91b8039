package prelude

import (
	"slices"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
)

// withFrees is a sequence in which every popped tile is given back after its
// last use (spec 11b §4.6). Nested sequences are left alone.
func (h *half) withFrees(stmts []ir.Stmt) []ir.Stmt {
	pops := 0
	for _, st := range stmts {
		if pop, _ := popAssign(st); pop != nil {
			pops++
		}
	}
	if pops == 0 {
		return stmts
	}
	frees := make([]freeAt, 0, pops)
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
		at := 2*last + 1
		switch stmts[last].(type) {
		case *ir.Yield, *ir.Return:
			at--
		}
		frees = append(frees, freeAt{at, h.m.made.eval(ir.StmtMeta{Span: pop.Span}, h.m.freeCall(pop.Var, call))})
	}
	slices.SortStableFunc(frees, func(a, b freeAt) int { return a.at - b.at })
	out := make([]ir.Stmt, 0, len(stmts)+pops)
	free := func(at int) {
		for ; len(frees) > 0 && frees[0].at == at; frees = frees[1:] {
			out = append(out, frees[0].st)
		}
	}
	for i, st := range stmts {
		free(2 * i)
		if !dropped[i] {
			out = append(out, st)
		}
		free(2*i + 1)
	}
	return out
}

// freeAt is a free and where it goes: before statement i for 2i, after it for
// 2i+1.
type freeAt struct {
	at int
	st ir.Stmt
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

func (m *mixedKernel) freeCall(v *ir.Var, pop *ir.Call) *ir.Call {
	name := "system.tfree_to_aic"
	if pop.Name == "tile.tpop_from_aiv" {
		name = "system.tfree_to_aiv"
	}
	c := m.made.call(&ir.Call{Name: name, Op: ops.Lookup(name), Args: m.made.single(v), Type: ir.Unknown, Span: pop.Span})
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
	var freed []int
	for j := pop + 1; j < len(stmts); j++ {
		if freesAny(stmts[j], alias) {
			freed = append(freed, j)
			continue
		}
		growAliases(stmts[j], alias)
	}
	// What makes a variable an alias mentions another one: no mention after all
	// of these is too early to count.
	last = len(stmts) - 1
	for last > pop && (slices.Contains(freed, last) || !mentionsAny(stmts[last], alias)) {
		last--
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
	h.alias.reset()
	h.alias.add(v)
	for _, s := range h.sources.get(v) {
		if s != nil && h.pops.get(s) == v {
			h.alias.add(s)
		}
	}
	return h.alias
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
