package memory

import (
	"slices"

	"pypto-ls/ir"
)

// placed are the lifetimes of l, which placing made from lt's layout: every tile
// has kept its allocation and its space, and the statements are the same ones,
// some with other operands, but for allocations that l leaves out. It is nil
// where they have to be found anew, as for nil. The intervals keep their pipeline
// stages.
func (lt *Lifetimes) placed(l *Layout) *Lifetimes {
	if lt == nil {
		return nil
	}
	n := *lt
	n.Layout = l
	if l.Fn == lt.Layout.Fn {
		return &n
	}
	if lt.Layout.facts().inAttrs {
		return nil // a use may have gone
	}
	n.Stmts = numberedStmts(l.Fn.Body, len(lt.Stmts))
	left := n.leadingAllocs()
	gone := lt.leadingAllocs() - left
	switch {
	case len(n.Stmts)+gone != len(lt.Stmts): // others have gone
		return nil
	case gone == 0:
		return &n
	case left == 0:
		return nil
	}
	n.renumber(int32(gone))
	return &n
}

// numberedStmts lists the statements of b that lifetime analysis numbers.
func numberedStmts(b *ir.Block, room int) []ir.Stmt {
	out := make([]ir.Stmt, 0, room)
	ir.WalkStmts(b, func(s ir.Stmt) bool {
		switch s.(type) {
		case *ir.Assign, *ir.Eval, *ir.Yield, *ir.Return:
			out = append(out, s)
		}
		return true
	})
	return out
}

// leadingAllocs is how many of the first statements are allocations, and no tiles
// by their type.
func (lt *Lifetimes) leadingAllocs() int {
	for i, s := range lt.Stmts {
		if a, c := allocCall(s); c == nil || lt.Layout.Tile(a.Var) != nil {
			return i
		}
	}
	return len(lt.Stmts)
}

// renumber counts without the first statements, as many as are gone, which
// neither define nor use a tile: only parameters are defined there, at 0.
func (lt *Lifetimes) renumber(gone int32) {
	lt.vars, lt.Intervals, lt.loops = slices.Clone(lt.vars), slices.Clone(lt.Intervals), slices.Clone(lt.loops)
	for i := range lt.vars {
		if r := &lt.vars[i]; r.def >= 0 {
			r.def, r.last = max(r.def-gone, 0), max(r.last-gone, 0)
		}
	}
	for i := range lt.Intervals {
		live := &lt.Intervals[i].Live
		live.Def, live.Last = max(live.Def-gone, 0), max(live.Last-gone, 0)
	}
	for i := range lt.loops {
		lt.loops[i].start -= gone
		lt.loops[i].end -= gone
	}
}
