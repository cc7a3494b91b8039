package prelude

import "pypto-ls/ir"

// dropDead removes scalar assignments that nobody reads and results of branches
// that nobody reads, and what only they read.
func dropDead(b *ir.Block) *ir.Block {
	n, changed := dropUnused(b, usesInTheEnd(b))
	if changed {
		return n
	}
	return b
}

// usesInTheEnd counts how often variables are still read when all that is dead
// is gone: without a round for each link of a chain of thousands of dead values.
func usesInTheEnd(b *ir.Block) *varTable[int] {
	c := &deadCounter{uses: newVarTable[int](0), assigns: map[*ir.Var][]*ir.Assign{}, results: map[*ir.Var][]branchResult{}, cut: map[*ir.If]bool{}}
	ir.EachStmt(b, c.count)
	for _, v := range c.mayGo {
		c.check(v)
	}
	for len(c.dead) > 0 {
		v := c.dead[len(c.dead)-1]
		c.dead = c.dead[:len(c.dead)-1]
		c.remove(v)
	}
	return c.uses
}

// deadCounter counts uses. What it finds does not depend on the order in which
// dead variables are taken.
type deadCounter struct {
	uses    *varTable[int]
	assigns map[*ir.Var][]*ir.Assign // those that may go
	results map[*ir.Var][]branchResult
	cut     map[*ir.If]bool // branches that lost a result
	mayGo   []*ir.Var       // the keys of assigns and results
	dead    []*ir.Var       // to be removed
}

// branchResult is a result of a branch by its place.
type branchResult struct {
	st *ir.If
	at int
}

func (c *deadCounter) count(st ir.Stmt) {
	add := func(v *ir.Var) { *c.uses.at(v)++ }
	stmtUses(st, add)
	ir.EachDef(st, func(v *ir.Var) { typeVars(v.Type, add) })
	switch st := st.(type) {
	case *ir.Assign:
		if pureScalar(st) {
			c.assigns[st.Var] = append(c.assigns[st.Var], st)
			c.mayGo = append(c.mayGo, st.Var)
		}
	case *ir.If:
		for i, r := range st.Results {
			c.results[r] = append(c.results[r], branchResult{st, i})
			c.mayGo = append(c.mayGo, r)
		}
	}
}

// check notes v if nothing reads it and something that may go defines it.
func (c *deadCounter) check(v *ir.Var) {
	if c.uses.get(v) == 0 && (c.assigns[v] != nil || c.results[v] != nil) {
		c.dead = append(c.dead, v)
	}
}

// drop takes a use away.
func (c *deadCounter) drop(v *ir.Var) {
	*c.uses.at(v)--
	c.check(v)
}

// remove takes away what the definitions of v read.
func (c *deadCounter) remove(v *ir.Var) {
	assigns, results := c.assigns[v], c.results[v]
	delete(c.assigns, v)
	delete(c.results, v)
	for _, a := range assigns {
		stmtUses(a, c.drop)
		typeVars(v.Type, c.drop)
	}
	for _, r := range results {
		typeVars(v.Type, c.drop)
		for _, b := range []*ir.Block{r.st.Then, r.st.Else} {
			c.dropSlot(b, r)
		}
		c.cut[r.st] = true
	}
}

// dropSlot takes away what a branch yields for a result and, with the first one,
// what it yields beyond its results (see keepYields).
func (c *deadCounter) dropSlot(b *ir.Block, r branchResult) {
	y := lastYield(b)
	if y == nil {
		return
	}
	if r.at < len(y.Values) {
		exprVars(y.Values[r.at], c.drop)
	}
	if !c.cut[r.st] {
		for i := len(r.st.Results); i < len(y.Values); i++ {
			exprVars(y.Values[i], c.drop)
		}
	}
}
