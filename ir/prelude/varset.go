package prelude

import "pypto-ls/ir"

// varSet is a set of variables.
type varSet map[*ir.Var]bool

func (s varSet) add(v *ir.Var) { s[v] = true }

func (s varSet) addKeys(m map[*ir.Var]*ir.Var) varSet {
	for v := range m {
		s[v] = true
	}
	return s
}

func (s varSet) copy() varSet {
	out := make(varSet, len(s))
	for v := range s {
		out[v] = true
	}
	return out
}

// addDefs adds everything a statement defines, nested definitions included.
func (s varSet) addDefs(st ir.Stmt) {
	stmtDefs(st, s.add)
	for _, b := range ir.Bodies(st) {
		ir.EachStmt(b, func(n ir.Stmt) { stmtDefs(n, s.add) })
	}
}

// addUses adds everything a statement reads, nested statements included.
func (s varSet) addUses(st ir.Stmt) {
	stmtUses(st, s.add)
	for _, b := range ir.Bodies(st) {
		ir.EachStmt(b, func(n ir.Stmt) { stmtUses(n, s.add) })
	}
}

// loop is what for and while loops have in common.
type loop struct {
	iters, results []*ir.Var
	body           *ir.Block
	index          *ir.Var // nil for a while loop
	cond           ir.Expr // nil for a for loop
}

func loopOf(st ir.Stmt) (loop, bool) {
	switch st := st.(type) {
	case *ir.For:
		return loop{iters: st.IterArgs, results: st.Results, body: st.Body, index: st.Var}, true
	case *ir.While:
		return loop{iters: st.IterArgs, results: st.Results, body: st.Body, cond: st.Cond}, true
	}
	return loop{}, false
}

// withLoop is st with other carries, results and body.
func withLoop(st ir.Stmt, iters, results []*ir.Var, body *ir.Block) ir.Stmt {
	switch st := st.(type) {
	case *ir.For:
		n := *st
		n.IterArgs, n.Results, n.Body = iters, results, body
		return &n
	case *ir.While:
		n := *st
		n.IterArgs, n.Results, n.Body = iters, results, body
		return &n
	}
	return st
}

// keepVars are the variables at the given positions.
func keepVars(vs []*ir.Var, keep []int) []*ir.Var {
	var out []*ir.Var
	for _, i := range keep {
		if i < len(vs) {
			out = append(out, vs[i])
		}
	}
	return out
}
