package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// unified reads `pl.op(...)`, which picks the operator by operand kinds
// (spec 01 §9.1, 02 §7).
func (r *reader) unified(n irsyntax.Ref, spelling, name string, ann ir.Type) ir.Expr {
	return r.wrapped(n, "pl."+name, ann)
}

// window reads `t[i:j, k]` of a tensor or tile (spec 01 §8.4).
func (r *reader) window(n irsyntax.Ref, x ir.Expr, idx irsyntax.Ref) ir.Expr {
	return unknownExpr(n)
}

// subscriptAssign reads `t[i:j, k] = src` (spec 01 §7.2).
func (r *reader) subscriptAssign(s, target, value irsyntax.Ref, out *[]ir.Stmt) {
	r.problem(Syntax, span(s), "Unsupported assignment: "+unparseStmt(s), "")
}

// infer gives a call its result type; an annotation supplies what the
// operator's rule does not know.
func (r *reader) infer(n irsyntax.Ref, c *ir.Call, ann ir.Type) ir.Type {
	if ann != nil {
		return ann
	}
	return ir.Unknown
}
