package memory

import (
	"slices"

	"pypto-ls/ir"
)

// aliasTables are the definition table of spec 04 §3 and an index of who
// mentions which buffer. Statements are numbered in pre-order, so that a
// statement with everything nested in it is a range of numbers. They are built
// when they are first asked, which many functions never do.
type aliasTables struct {
	l *Layout
	// number is, by ir.Var.ID, one more than the index in defs, 0 for variables
	// without a definition; nil before the tables are built.
	number []int32
	defs   []aliasDef
	// blocks are all statement lists of the body, blocks[0] the body itself.
	blocks []aliasBlock
	next   int32
	index  mentionIndex
}

// aliasDef is one entry of the definition table.
type aliasDef struct {
	stmt ir.Stmt
	// index is the position of a loop or branch result, or of an iter_arg.
	index   int32
	iterArg bool
	// block and end place an assignment: its statement list, and the number
	// after its own.
	block, end int32
}

// aliasBlock is a statement list.
type aliasBlock struct {
	// end is the number after the list's last statement.
	end int32
	// owner is the statement the list is a body of, nil for the function's;
	// parent the index of the list with owner, ownerEnd the number after it.
	owner            ir.Stmt
	parent, ownerEnd int32
}

// def finds the table's entry of v, nil when it has none.
func (t *aliasTables) def(v *ir.Var) *aliasDef {
	if t.number == nil {
		t.number = make([]int32, max(int(t.l.Fn.NumVars), len(t.l.Types)))
		t.defs = make([]aliasDef, 0, t.l.countTiles(t.l.mentions()))
		t.block(t.l.Fn.Body, nil, -1)
	}
	if k := t.defOf(v); k >= 0 {
		return &t.defs[k]
	}
	return nil
}

// defOf is the index of v's entry, -1 when it has none.
func (t *aliasTables) defOf(v *ir.Var) int {
	if id := int(v.ID); id >= 0 && id < len(t.number) {
		return int(t.number[id]) - 1
	}
	return -1
}

func (t *aliasTables) define(v *ir.Var, d aliasDef) {
	id := int(v.ID)
	switch {
	case id < 0 || id >= len(t.number) || t.l.Tile(v) == nil:
	case t.number[id] > 0:
		t.defs[t.number[id]-1] = d
	default:
		t.defs = append(t.defs, d)
		t.number[id] = int32(len(t.defs))
	}
}

// block enters a statement list in the tables and returns its index.
func (t *aliasTables) block(b *ir.Block, owner ir.Stmt, parent int32) int32 {
	if b == nil {
		return -1
	}
	k := int32(len(t.blocks))
	t.blocks = append(t.blocks, aliasBlock{owner: owner, parent: parent})
	for _, s := range b.Stmts {
		t.next++
		body, els := int32(-1), int32(-1)
		switch s := s.(type) {
		case *ir.Assign:
			t.define(s.Var, aliasDef{stmt: s, block: k, end: t.next})
		case *ir.For:
			t.defineAll(s.IterArgs, s, true)
			body = t.block(s.Body, s, k)
			t.defineAll(s.Results, s, false)
		case *ir.If:
			body, els = t.block(s.Then, s, k), t.block(s.Else, s, k)
			t.defineAll(s.Results, s, false)
		case *ir.While:
			body = t.block(s.Body, s, k)
		case *ir.Scope:
			body = t.block(s.Body, s, k)
		}
		for _, i := range [...]int32{body, els} {
			if i >= 0 {
				t.blocks[i].ownerEnd = t.next
			}
		}
	}
	t.blocks[k].end = t.next
	return k
}

func (t *aliasTables) defineAll(vs []*ir.Var, s ir.Stmt, iterArg bool) {
	for i, v := range vs {
		t.define(v, aliasDef{stmt: s, index: int32(i), iterArg: iterArg})
	}
}

// inChain reports whether s may appear in the ancestor chain of an
// assignment; the statement lists in between always do.
func inChain(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.If, *ir.For:
		return true
	case *ir.Scope:
		switch s.Kind {
		case ir.ScopeInCore, ir.ScopeCluster, ir.ScopeHierarchy, ir.ScopeSpmd:
			return true
		}
	}
	return false
}

// deadAfter reports whether nothing needs the contents of base after the
// assignment d (spec 04 §4.3). The search ends at stop, or at a for loop.
func (t *aliasTables) deadAfter(d *aliasDef, base *ir.Var, stop ir.Stmt) bool {
	k, from, contains := d.block, d.end, true
	for {
		b := &t.blocks[k]
		if contains && t.touches(base, from, b.end) {
			return false
		}
		if b.owner == nil || stop != nil && b.owner == stop {
			return true
		}
		if _, loop := b.owner.(*ir.For); loop {
			return true
		}
		// A list whose owner is left out of the chain is not found in the list
		// around the owner: that level is skipped.
		contains = inChain(b.owner)
		k, from = b.parent, b.ownerEnd
	}
}

// within reports whether s is in the ancestor chain of the assignment d.
func (t *aliasTables) within(d *aliasDef, s ir.Stmt) bool {
	for k := d.block; k >= 0; k = t.blocks[k].parent {
		if t.blocks[k].owner == s {
			return inChain(s)
		}
	}
	return false
}

// touches reports whether a statement numbered from…end-1 mentions a tile of
// base.
func (t *aliasTables) touches(base *ir.Var, from, end int32) bool {
	if from >= end {
		return false
	}
	if t.index.start == nil {
		t.index.build(t.l)
	}
	at := t.index.of(base)
	i, _ := slices.BinarySearch(at, from)
	return i < len(at) && at[i] < end
}

// mentionsBase reports whether e mentions a tile of base, iter_args standing
// for their initial values.
func (t *aliasTables) mentionsBase(e ir.Expr, base *ir.Var) bool {
	found := false
	var visit func(*ir.Var)
	visit = func(v *ir.Var) {
		if v.Kind == ir.IterArg {
			if v.Init != nil {
				exprVars(v.Init, visit)
			}
			return
		}
		tile := t.l.Tile(v)
		found = found || tile != nil && tile.MemRef != nil && tile.MemRef.Base == base
	}
	exprVars(e, visit)
	return found
}
