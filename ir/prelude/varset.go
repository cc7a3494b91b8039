package prelude

import "pypto-ls/ir"

// varSet is a set of variables; nil is empty.
type varSet = *varTable[struct{}]

func newVarSet(n int) varSet { return newVarTable[struct{}](n) }

// add puts v in with the zero value when it is not there.
func (t *varTable[T]) add(v *ir.Var) { t.at(v) }

// addDefs adds everything a statement defines, nested definitions included.
func (t *varTable[T]) addDefs(st ir.Stmt) { nestedDefs(st, t.add) }

// addUses adds everything a statement reads, nested statements included.
func (t *varTable[T]) addUses(st ir.Stmt) { nestedUses(st, t.add) }

// nestedDefs visits everything a statement defines, nested definitions
// included.
func nestedDefs(st ir.Stmt, visit func(v *ir.Var)) {
	ir.EachDef(st, visit)
	ir.EachNested(st, func(n ir.Stmt) { ir.EachDef(n, visit) })
}

// nestedUses visits everything a statement reads, nested statements included.
func nestedUses(st ir.Stmt, visit func(v *ir.Var)) {
	stmtUses(st, visit)
	ir.EachNested(st, func(n ir.Stmt) { stmtUses(n, visit) })
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
