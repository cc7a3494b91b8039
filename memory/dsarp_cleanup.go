package memory

import (
	"slices"

	"pypto-ls/ir"
)

// cleanUp makes the clean-ups that only DSA_RP does (spec 07 §8 step 4): calls
// lose their pipeline membership, and top-level allocations that no variable
// of the body lives in any more are dropped. A body of a single statement is
// left alone. l is not published yet and changes in place.
func cleanUp(l *Layout) *Layout {
	body := l.Fn.Body
	if body == nil || len(body.Stmts) == 1 {
		return l
	}
	body = mapBlock(body, dropMembership)
	used := make([]bool, l.Fn.NumVars)
	for _, v := range mentions(l.Fn) {
		if b := l.BaseOf(v); b != nil && b.ID >= 0 && int(b.ID) < len(used) {
			used[b.ID] = true
		}
	}
	unused := func(s ir.Stmt) bool {
		a, _ := allocCall(s)
		return a != nil && a.Var.ID >= 0 && int(a.Var.ID) < len(used) && !used[a.Var.ID]
	}
	if slices.ContainsFunc(body.Stmts, unused) {
		body = &ir.Block{Stmts: slices.DeleteFunc(slices.Clone(body.Stmts), unused)}
	}
	if body != l.Fn.Body {
		l.Fn = cloneFn(l.Fn, body)
	}
	return l
}

func dropMembership(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Assign:
		if e := withoutMembership(s.Value); e != s.Value {
			c := *s
			c.Value = e
			return &c
		}
	case *ir.Eval:
		if e := withoutMembership(s.X); e != s.X {
			c := *s
			c.X = e
			return &c
		}
	}
	return s
}

func withoutMembership(e ir.Expr) ir.Expr {
	c, ok := e.(*ir.Call)
	if !ok {
		return e
	}
	if _, found := c.Attr(membershipAttr); !found {
		return e
	}
	n := *c
	n.Attrs = slices.DeleteFunc(slices.Clone(c.Attrs), func(a ir.Attr) bool { return a.Key == membershipAttr })
	return &n
}
