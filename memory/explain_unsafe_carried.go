package memory

import "pypto-ls/ir"

// carriedWalker lists for each loop the tiles from outside that its body reads,
// with the first statement that does: they are needed until the last iteration
// ends. It visits all assignments, too.
type carriedWalker struct {
	l     *Layout
	out   map[ir.Stmt][]liveValue
	loops []carriedLoop // around the current statement
	// opened is how many loops were entered so far. By ir.Var.ID: the number of
	// loops around the definition, and what opened was at the last use.
	opened        int32
	defined, used []int32
	stmt          ir.Stmt
	use           func(*ir.Var)
	assigned      func(*ir.Assign)
}

// carriedLoop is a loop with what it reads from outside. Uses since it was
// entered are those at number or later.
type carriedLoop struct {
	number int32
	reads  []liveValue
}

func (c *carriedWalker) define(v *ir.Var) {
	if id := int(v.ID); id >= 0 && id < len(c.defined) {
		c.defined[id] = int32(len(c.loops))
	}
}

func (c *carriedWalker) defineAll(vs []*ir.Var) {
	for _, v := range vs {
		c.define(v)
	}
}

func (c *carriedWalker) useVar(v *ir.Var) {
	id := int(v.ID)
	if id < 0 || id >= len(c.defined) {
		return
	}
	last, outer := c.used[id], int(c.defined[id])
	c.used[id] = c.opened
	if outer >= len(c.loops) || c.l.Tile(v) == nil {
		return
	}
	for k := len(c.loops) - 1; k >= outer && last < c.loops[k].number; k-- {
		c.loops[k].reads = append(c.loops[k].reads, liveValue{v, c.stmt})
	}
}

// uses visits what s itself evaluates; outside all loops it does not matter.
func (c *carriedWalker) uses(s ir.Stmt) {
	if len(c.loops) > 0 {
		stmtExprs(s, func(e ir.Expr) { exprVars(e, c.use) })
	}
}

func (c *carriedWalker) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		c.stmt = s
		switch s := s.(type) {
		case *ir.Assign:
			if len(c.loops) > 0 {
				exprVars(s.Value, c.use)
			}
			c.assigned(s)
			c.define(s.Var)
		case *ir.For:
			c.loop(s, s.IterArgs, s.Results, s.Body)
		case *ir.While:
			c.loop(s, s.IterArgs, s.Results, s.Body)
		case *ir.If:
			c.uses(s)
			c.block(s.Then)
			c.block(s.Else)
			c.defineAll(s.Results)
		case *ir.Scope:
			c.uses(s)
			c.block(s.Body)
		default:
			c.uses(s)
		}
	}
}

func (c *carriedWalker) loop(s ir.Stmt, iterArgs, results []*ir.Var, body *ir.Block) {
	for _, a := range iterArgs {
		if a.Init != nil {
			exprVars(a.Init, c.use)
		}
	}
	c.opened++
	c.loops = append(c.loops, carriedLoop{number: c.opened})
	c.defineAll(iterArgs)
	if w, ok := s.(*ir.While); ok {
		c.uses(w)
	}
	c.block(body)
	last := len(c.loops) - 1
	if reads := c.loops[last].reads; reads != nil {
		if c.out == nil {
			c.out = make(map[ir.Stmt][]liveValue)
		}
		c.out[s] = reads
	}
	c.loops = c.loops[:last]
	c.defineAll(results)
}
