package memory

import "pypto-ls/ir"

// adoptWhileResults completes the layout of a text past InitMemRef. The
// reference does not print the MemRefs of the results of a while loop with
// several values; each has an allocation of its own, which then looks unused.
// The results take those allocations back, in order. from is the stage the
// text is in; once addresses are assigned nothing can be recovered.
func adoptWhileResults(l *Layout, from Stage) *Layout {
	if from != StageInitMemRef && from != StageSemanticAliases && from != StageMemoryReuse {
		return l
	}
	a := adopter{Layout: l, index: make(map[*ir.Var]int), result: make(map[*ir.Var]bool)}
	ir.WalkStmts(l.Fn.Body, func(s ir.Stmt) bool {
		if w, ok := s.(*ir.While); ok && len(w.Results) > 1 {
			for _, r := range w.Results {
				if l.Tile(r) != nil {
					a.result[r] = true
				}
			}
		}
		return true
	})
	if len(a.result) == 0 {
		return l
	}
	a.findAllocs()
	a.Layout = l.Clone(l.Fn)
	// MaterializeSemanticAliases leaves allocations behind that are really
	// unused: there the position counts, behind all that was met so far.
	a.byPosition = from == StageSemanticAliases
	a.visit = func(v *ir.Var) {
		if k, ok := a.index[a.BaseOf(v)]; ok && !a.result[v] {
			a.last = max(a.last, k)
		}
	}
	a.block(l.Fn.Body)
	return a.Layout
}

type adopter struct {
	*Layout
	allocs []*ir.Call
	bases  []*ir.Var
	index  map[*ir.Var]int // of a base in bases
	used   []bool
	result map[*ir.Var]bool // the results to be completed
	// last is the largest index met so far, -1 before any.
	last       int
	byPosition bool
	visit      func(*ir.Var)
}

func (a *adopter) findAllocs() {
	for _, s := range a.Fn.Body.Stmts {
		if as, c := allocCall(s); c != nil {
			a.index[as.Var] = len(a.bases)
			a.bases, a.allocs = append(a.bases, as.Var), append(a.allocs, c)
		}
	}
	a.used = make([]bool, len(a.bases))
	a.last = -1
	for _, v := range mentions(a.Fn) {
		if k, ok := a.index[a.BaseOf(v)]; ok && !a.result[v] {
			a.used[k] = true
		}
	}
}

func (a *adopter) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		stmtExprs(s, func(e ir.Expr) { exprVars(e, a.visit) })
		if as, ok := s.(*ir.Assign); ok {
			a.visit(as.Var)
		}
		for _, body := range ir.Bodies(s) {
			a.block(body)
		}
		if w, ok := s.(*ir.While); ok {
			for _, r := range w.Results {
				if a.result[r] {
					a.adopt(r)
				}
			}
		}
	}
}

// adopt gives r the next allocation that nobody mentions.
func (a *adopter) adopt(r *ir.Var) {
	start := 0
	if a.byPosition {
		start = a.last + 1
	}
	for k := start; k < len(a.bases); k++ {
		if a.used[k] || len(a.allocs[k].Args) < 2 {
			continue
		}
		size, _ := ir.ConstValue(a.allocs[k].Args[1])
		a.used[k] = true
		a.last = max(a.last, k)
		m := &ir.MemRef{Base: a.bases[k], Offset: &ir.ConstInt{DType: ir.INT64}, Size: uint64(max(size, 0)), Slots: 1}
		a.setType(r, withMemRef(a.Tile(r), m, -1))
		return
	}
}
