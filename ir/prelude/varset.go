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
	eachNested(st, func(n ir.Stmt) { ir.EachDef(n, visit) })
}

// nestedUses visits everything a statement reads, nested statements included.
func nestedUses(st ir.Stmt, visit func(v *ir.Var)) {
	stmtUses(st, visit)
	eachNested(st, func(n ir.Stmt) { stmtUses(n, visit) })
}

// eachBody visits the blocks nested in st, then before else.
func eachBody(st ir.Stmt, visit func(b *ir.Block)) {
	see := func(b *ir.Block) {
		if b != nil {
			visit(b)
		}
	}
	switch st := st.(type) {
	case *ir.For:
		see(st.Body)
	case *ir.While:
		see(st.Body)
	case *ir.Scope:
		see(st.Body)
	case *ir.If:
		see(st.Then)
		see(st.Else)
	}
}

// eachNested visits the statements in the bodies of st.
func eachNested(st ir.Stmt, visit func(n ir.Stmt)) {
	switch st := st.(type) {
	case *ir.For:
		ir.EachStmt(st.Body, visit)
	case *ir.While:
		ir.EachStmt(st.Body, visit)
	case *ir.Scope:
		ir.EachStmt(st.Body, visit)
	case *ir.If:
		ir.EachStmt(st.Then, visit)
		ir.EachStmt(st.Else, visit)
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
