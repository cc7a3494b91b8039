package memory

import "pypto-ls/ir"

// mentionIndex lists for each base the statements that mention a tile of it,
// numbered as aliasTables.block does. What a compound statement mentions
// besides its bodies counts at its own number.
type mentionIndex struct {
	l *Layout
	// numbers has the numbers of base ID b, ascending, from start[b] up to
	// start[b+1].
	start, numbers []int32
	// While it is built: what was found so far, the number of the current
	// statement, and by base ID the last number found, plus one.
	found []foundMention
	at    int32
	last  []int32
	visit func(*ir.Var)
}

type foundMention struct{ base, at int32 }

func (x *mentionIndex) build(l *Layout) {
	n := max(int(l.Fn.NumVars), len(l.Types))
	x.l, x.last, x.found = l, make([]int32, n), make([]foundMention, 0, 2*n)
	x.visit = x.mention
	x.block(l.Fn.Body)
	x.start = make([]int32, n+1)
	for _, f := range x.found {
		x.start[f.base+1]++
	}
	for b := range n {
		x.start[b+1] += x.start[b]
	}
	next := x.last // the place of a base's next number
	copy(next, x.start)
	x.numbers = make([]int32, len(x.found))
	for _, f := range x.found {
		x.numbers[next[f.base]] = f.at
		next[f.base]++
	}
	x.last, x.found = nil, nil
}

// of lists the numbers of base.
func (x *mentionIndex) of(base *ir.Var) []int32 {
	id := int(base.ID)
	if id < 0 || id+1 >= len(x.start) {
		return nil
	}
	return x.numbers[x.start[id]:x.start[id+1]]
}

func (x *mentionIndex) block(b *ir.Block) {
	if b == nil {
		return
	}
	expr := func(e ir.Expr) { exprVars(e, x.visit) }
	for _, s := range b.Stmts {
		if a, ok := s.(*ir.Assign); ok { // most are
			exprVars(a.Value, x.visit)
			x.mention(a.Var)
			x.at++
			continue
		}
		stmtExprs(s, expr)
		switch s := s.(type) {
		case *ir.For:
			x.mentionAll(s.IterArgs)
			x.mentionAll(s.Results)
		case *ir.While:
			x.mentionAll(s.IterArgs)
			x.mentionAll(s.Results)
		case *ir.If:
			x.mentionAll(s.Results)
		}
		x.at++
		switch s := s.(type) {
		case *ir.For:
			x.block(s.Body)
		case *ir.While:
			x.block(s.Body)
		case *ir.Scope:
			x.block(s.Body)
		case *ir.If:
			x.block(s.Then)
			x.block(s.Else)
		}
	}
}

func (x *mentionIndex) mentionAll(vs []*ir.Var) {
	for _, v := range vs {
		x.mention(v)
	}
}

// mention records a mention of v at the current statement; a mention of an
// iter_arg stands for its initial value.
func (x *mentionIndex) mention(v *ir.Var) {
	if v.Kind == ir.IterArg {
		if v.Init != nil {
			exprVars(v.Init, x.visit)
		}
		return
	}
	tile := x.l.Tile(v)
	if tile == nil || tile.MemRef == nil {
		return
	}
	id := int(tile.MemRef.Base.ID)
	if id < 0 || id >= len(x.last) || x.last[id] == x.at+1 {
		return
	}
	x.last[id] = x.at + 1
	x.found = append(x.found, foundMention{int32(id), x.at})
}
