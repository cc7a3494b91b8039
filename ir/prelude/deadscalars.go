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
	c := &deadCounter{uses: newVarTable[int](0), defs: newVarTable[int](0), cut: map[*ir.If]bool{}}
	c.mayGo = make([]mayGo, 1, 16)
	ir.EachStmt(b, c.count)
	for i := range c.mayGo {
		c.check(c.mayGo[i].v)
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
	uses *varTable[int]
	// mayGo are definitions that go when nobody reads them; the first is none.
	// defs is where the last one of a variable is.
	mayGo []mayGo
	defs  *varTable[int]
	cut   map[*ir.If]bool // branches that lost a result
	dead  []*ir.Var       // to be removed
}

// mayGo is an assignment of v, or the result of a branch at a place.
type mayGo struct {
	v      *ir.Var
	assign *ir.Assign
	branch *ir.If
	at     int
	before int // the place of another one of v, 0 for none
}

func (c *deadCounter) count(st ir.Stmt) {
	add := func(v *ir.Var) { *c.uses.at(v)++ }
	stmtUses(st, add)
	ir.EachDef(st, func(v *ir.Var) { typeVars(v.Type, add) })
	switch st := st.(type) {
	case *ir.Assign:
		if pureScalar(st) {
			c.note(mayGo{v: st.Var, assign: st})
		}
	case *ir.If:
		for i, r := range st.Results {
			c.note(mayGo{v: r, branch: st, at: i})
		}
	}
}

func (c *deadCounter) note(d mayGo) {
	last := c.defs.at(d.v)
	d.before = *last
	*last = len(c.mayGo)
	c.mayGo = append(c.mayGo, d)
}

// check notes v if nothing reads it and something that may go defines it.
func (c *deadCounter) check(v *ir.Var) {
	if c.uses.get(v) == 0 && c.defs.get(v) != 0 {
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
	at := c.defs.get(v)
	c.defs.set(v, 0)
	for ; at != 0; at = c.mayGo[at].before {
		d := &c.mayGo[at]
		typeVars(v.Type, c.drop)
		if d.assign != nil {
			stmtUses(d.assign, c.drop)
			continue
		}
		c.dropSlot(d.branch.Then, d)
		c.dropSlot(d.branch.Else, d)
		c.cut[d.branch] = true
	}
}

// dropSlot takes away what a branch yields for a result and, with the first one,
// what it yields beyond its results (see keepYields).
func (c *deadCounter) dropSlot(b *ir.Block, r *mayGo) {
	y := lastYield(b)
	if y == nil {
		return
	}
	if r.at < len(y.Values) {
		exprVars(y.Values[r.at], c.drop)
	}
	if !c.cut[r.branch] {
		for i := len(r.branch.Results); i < len(y.Values); i++ {
			exprVars(y.Values[i], c.drop)
		}
	}
}
