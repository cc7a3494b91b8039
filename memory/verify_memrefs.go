package memory

import "pypto-ls/ir"

// VerifyMemRefs is the verifier HasMemRefs, the post-condition of InitMemRef
// (spec 03 §9): every assigned tile variable has a MemRef, or is a slot of a
// cross-core ring: a popped tile, a view or an alias of one. Loop-carried
// values and results are not checked. What InitMemRef makes holds it; texts
// past InitMemRef that were edited by hand may not. Findings are in the order
// of the text and point at the variable.
func VerifyMemRefs(l *Layout) []*Error {
	var out []*Error
	var ring map[*ir.Var]bool // variables that need no MemRef
	inRing := func(e ir.Expr) bool {
		v, ok := e.(*ir.Var)
		return ok && (ring[v] || v.Kind == ir.IterArg && l.MemRefOf(v) == nil)
	}
	ir.WalkStmts(l.Fn.Body, func(s ir.Stmt) bool {
		a, ok := s.(*ir.Assign)
		if !ok {
			return true
		}
		if t := l.Tile(a.Var); t == nil || t.MemRef != nil {
			return true
		}
		popped := inRing(a.Value)
		if c, ok := a.Value.(*ir.Call); ok && !c.IsFunc {
			switch {
			case c.Name == "tile.tpop_from_aic", c.Name == "tile.tpop_from_aiv":
				popped = true
			case c.Op != nil && c.Op.IsView() && len(c.Args) > 0:
				popped = inRing(c.Args[0])
			}
		}
		if popped {
			if ring == nil {
				ring = make(map[*ir.Var]bool)
			}
			ring[a.Var] = true
			return true
		}
		out = append(out, l.errorf(VerifyError, passInitMemRef, "TileType variable '%s' has no MemRef initialized", a.Var.Name).atVar(a.Var))
		return true
	})
	return out
}
