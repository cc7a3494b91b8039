package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// window reads `t[i:j, k]` of a tensor or tile (spec 01 §8.4).
func (r *reader) window(n irsyntax.Ref, x ir.Expr, idx irsyntax.Ref) ir.Expr {
	return unknownExpr(n)
}

// subscriptAssign reads `t[i:j, k] = src` (spec 01 §7.2).
func (r *reader) subscriptAssign(s, target, value irsyntax.Ref, out *[]ir.Stmt) {
	r.problem(Syntax, r.span(s), "Unsupported assignment: "+unparseStmt(s), "")
}
