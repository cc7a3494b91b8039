package memory

import "pypto-ls/ir"

// normalizeCopies makes a bare copy of a tile live where its source lives, and
// in-place updates of the copy with it (spec 06 §10).
func (w *rewrite) normalizeCopies() {
	if !w.facts().copies {
		return
	}
	// was holds the previous MemRef of every variable re-typed here.
	was := make(map[*ir.Var]*ir.MemRef)
	ir.WalkStmts(w.Fn.Body, func(s ir.Stmt) bool {
		a, ok := s.(*ir.Assign)
		if !ok {
			return true
		}
		left := w.Tile(a.Var)
		if left == nil || left.MemRef == nil {
			return true
		}
		switch x := a.Value.(type) {
		case *ir.Var:
			if src := w.Tile(x); src != nil && src.MemRef != nil && src.MemRef.Base != left.MemRef.Base {
				was[a.Var] = left.MemRef
				w.setType(a.Var, src)
			}
		case *ir.Call:
			if len(was) == 0 || x.Op == nil || x.IsFunc {
				break
			}
			k := x.Op.ReusesInput
			if k < 0 || k >= len(x.Args) {
				break
			}
			v, ok := x.Args[k].(*ir.Var)
			if !ok || v == nil || was[v] == nil {
				break
			}
			now := w.Tile(v)
			if left.MemRef.Base == was[v].Base && now.MemRef.Base != was[v].Base {
				was[a.Var] = left.MemRef
				w.setType(a.Var, w.withMemRef(left, now.MemRef, now.Space))
			}
		}
		return true
	})
}
