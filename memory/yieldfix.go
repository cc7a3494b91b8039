package memory

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// yieldFixer reconciles the buffers of loop and branch results with those of
// the values yielded for them (spec 06 §9), inner constructs first.
type yieldFixer struct {
	*rewrite
	forsOnly bool
	err      *Error
	// moves are those inserted so far; strange tells that one of them is not at
	// the end of a body with results.
	moves   []newMove
	strange bool
}

// fixYields inserts the moves that loop and branch results need and aligns
// the results' MemRefs. forsOnly leaves branches alone (PTOAS).
func (w *rewrite) fixYields(forsOnly bool) *Error {
	f := yieldFixer{rewrite: w, forsOnly: forsOnly}
	facts, known := w.known, w.knownOf == w.Fn
	b := f.block(w.Fn.Body)
	if f.err != nil {
		return f.err
	}
	if b == w.Fn.Body {
		return nil
	}
	w.setBody(b)
	if known && !f.strange {
		if facts, ok := facts.moved(f.moves); ok {
			w.remember(facts)
		}
	}
	return nil
}

func (f *yieldFixer) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	var out []ir.Stmt
	for i, s := range b.Stmts {
		n := f.stmt(s)
		if n != s && out == nil {
			out = append(make([]ir.Stmt, 0, len(b.Stmts)), b.Stmts[:i]...)
		}
		if out != nil {
			out = append(out, n)
		}
	}
	if out == nil {
		return b
	}
	return &ir.Block{Stmts: out}
}

func (f *yieldFixer) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.For:
		if b := f.forBody(s, f.block(s.Body)); b != s.Body {
			c := *s
			c.Body = b
			return &c
		}
	case *ir.If:
		then, els := f.block(s.Then), f.block(s.Else)
		if !f.forsOnly {
			els = f.branches(s, then, els)
		}
		if then != s.Then || els != s.Else {
			c := *s
			c.Then, c.Else = then, els
			return &c
		}
	case *ir.While:
		if b := f.block(s.Body); b != s.Body {
			c := *s
			c.Body = b
			return &c
		}
	case *ir.Scope:
		if b := f.block(s.Body); b != s.Body {
			c := *s
			c.Body = b
			return &c
		}
	}
	return s
}

// plainTile is e when it is a plain variable and a tile with MemRef, together
// with its type.
func (f *yieldFixer) plainTile(e ir.Expr) (*ir.Var, *ir.TileType) {
	v := plainVar(e)
	if v == nil {
		return nil, nil
	}
	if t := f.Tile(v); t != nil && t.MemRef != nil {
		return v, t
	}
	return nil, nil
}

// forBody reconciles a for loop whose body is b and returns its new body.
func (f *yieldFixer) forBody(s *ir.For, b *ir.Block) *ir.Block {
	y := yieldOf(b)
	if y == nil || len(s.IterArgs) == 0 {
		return b
	}
	var moves moveList
	for i := range min(len(s.IterArgs), len(y.Values)) {
		_, init := f.plainTile(s.IterArgs[i].Init)
		v, t := f.plainTile(y.Values[i])
		if init != nil && t != nil && t.MemRef.Base != init.MemRef.Base {
			moves.add(y, i, f.move(v, t, init, y))
		}
	}
	for i, a := range s.IterArgs {
		_, init := f.plainTile(a.Init)
		if init == nil {
			continue
		}
		f.take(a, init)
		if i >= len(s.Results) || i >= len(y.Values) {
			continue
		}
		if _, t := f.plainTile(moves.value(y, i)); t != nil {
			f.take(s.Results[i], t)
		}
	}
	return f.insert(&moves, b, y, s.Results)
}

// branches reconciles an if with the given branches and returns its new
// else-branch: the then-branch never gets a move.
func (f *yieldFixer) branches(s *ir.If, then, els *ir.Block) *ir.Block {
	ty, ey := yieldOf(then), yieldOf(els)
	var moves moveList
	for i, r := range s.Results {
		_, t := f.plainTile(yieldValue(then, i))
		v, e := f.plainTile(yieldValue(els, i))
		target := t
		switch {
		case t == nil && e == nil:
			continue
		case t == nil:
			target = e
		case e != nil && t.MemRef.Base != e.MemRef.Base:
			moves.add(ey, i, f.move(v, e, t, ey))
		}
		f.take(r, target)
	}
	if ty == nil && ey == nil {
		return els
	}
	return f.insert(&moves, els, ey, s.Results)
}

// insert puts the moves before y, a statement of b, the body of a statement with
// the given results.
func (f *yieldFixer) insert(moves *moveList, b *ir.Block, y *ir.Yield, results []*ir.Var) *ir.Block {
	if moves.moves == nil {
		return b
	}
	if len(results) == 0 || b.Stmts[len(b.Stmts)-1] != ir.Stmt(y) {
		f.strange = true
	} else {
		for _, m := range moves.moves {
			f.moves = append(f.moves, newMove{m.(*ir.Assign).Var, results[0]})
		}
	}
	return moves.insert(b, y)
}

// move makes `{src}_mv = tile.move(src)` onto the buffer of to (spec 06 §9.3).
func (f *yieldFixer) move(src *ir.Var, from, to *ir.TileType, at *ir.Yield) *ir.Assign {
	if from.Space == platforms.Acc && to.Space == platforms.Acc && f.err == nil {
		f.err = f.errorf(InternalError, f.pass,
			"Internal error: MemoryReuse cannot reconcile divergent L0C accumulator buffers with tile.move; "+
				"accumulator control-flow values must be coalesced before YieldFixup.").atVar(src)
	}
	t := f.withMemRef(from, to.MemRef, to.Space)
	n := &moveNodes{arg: [1]ir.Expr{src}, kwarg: [1]ir.Kwarg{{Key: "target_memory", Value: to.Space}}}
	n.call = ir.Call{
		Name:   "tile.move",
		Op:     ops.Lookup("tile.move"),
		Args:   n.arg[:],
		Kwargs: n.kwarg[:],
		Type:   f.withMemRef(t, nil, platforms.NoSpace),
		Span:   at.Span,
	}
	n.assign = ir.Assign{Var: f.newVar(src.Name+"_mv", t, src.Span), Value: &n.call}
	n.assign.Span = at.Span
	return &n.assign
}

// moveNodes are the nodes of a move, together in memory.
type moveNodes struct {
	assign ir.Assign
	call   ir.Call
	arg    [1]ir.Expr
	kwarg  [1]ir.Kwarg
}

// moveList are the moves that go in front of one yield, and its new values.
type moveList struct {
	moves  []ir.Stmt
	values []ir.Expr
}

func (m *moveList) add(y *ir.Yield, i int, move *ir.Assign) {
	if m.values == nil {
		m.values = append([]ir.Expr(nil), y.Values...)
	}
	m.moves = append(m.moves, move)
	m.values[i] = move.Var
}

// value is what y yields at i once the moves are in place.
func (m *moveList) value(y *ir.Yield, i int) ir.Expr {
	if m.values != nil {
		return m.values[i]
	}
	return y.Values[i]
}

// insert puts the moves directly before y, a statement of b.
func (m *moveList) insert(b *ir.Block, y *ir.Yield) *ir.Block {
	if m.moves == nil {
		return b
	}
	out := make([]ir.Stmt, 0, len(b.Stmts)+len(m.moves))
	for _, s := range b.Stmts {
		if s == y {
			out = append(out, m.moves...)
			c := *y
			c.Values = m.values
			out = append(out, &c)
			continue
		}
		out = append(out, s)
	}
	return &ir.Block{Stmts: out}
}
