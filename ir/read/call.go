package read

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/irsyntax"
)

func lookupOp(name string) *ops.Op { return ops.Lookup(name) }

const (
	functionCallHelp  = "Use pl.* operations, pl.yield_(), self.method() for cross-function calls, or call an external @pl.function / @pl.inline by name"
	operationCallHelp = "Use pl.*, pl.tensor.*, pl.tile.*, or pl.system.* operations"
)

// call reads a call in expression position by the forms of spec 01 §9.1. ann
// is the annotation of the assignment the call is the value of, nil elsewhere.
func (r *reader) call(n irsyntax.Ref, ann ir.Type) ir.Expr {
	fn := n.First()
	full := dotted(fn)
	if full == "" {
		return r.unsupportedCall(n)
	}
	dot := strings.IndexByte(full, '.')
	if dot < 0 {
		return r.bareCall(n, full, ann)
	}
	head, rest := full[:dot], full[dot+1:]
	switch head {
	case "self":
		return r.funcCall(n, rest, ann)
	case "pld":
		return r.operator(n, full, full, ann)
	case "pl":
		return r.plCall(n, full, rest, ann)
	case "tile", "tensor", "system", "array":
		if r.scope[head] == nil {
			r.out.Shorthand = true
			return r.operator(n, "pl."+full, full, ann)
		}
	}
	return r.unsupportedCall(n)
}

func (r *reader) unsupportedCall(n irsyntax.Ref) ir.Expr {
	if n.First().Kind() == irsyntax.Attribute {
		r.problem(Syntax, r.span(n), "Unsupported operation call: "+unparse(n), operationCallHelp)
	} else {
		r.problem(Syntax, r.span(n), "Unsupported function call: "+unparse(n), functionCallHelp)
	}
	return unknownExpr(n)
}

func (r *reader) plCall(n irsyntax.Ref, full, rest string, ann ir.Type) ir.Expr {
	if dot := strings.IndexByte(rest, '.'); dot >= 0 {
		switch rest[:dot] {
		case "tile", "tensor", "system", "array", "prefetch":
			name := rest
			if d := strings.IndexByte(rest[dot+1:], '.'); d >= 0 {
				name = rest[:dot+1+d] // components after the third are ignored
			}
			if op := name[dot+1:]; op == "aiv_shard" || op == "aic_gather" {
				return r.splitTransfer(n, op)
			}
			if len(full) == len("pl.")+len(name) {
				return r.operator(n, full, name, ann)
			}
			return r.operator(n, "pl."+name, name, ann)
		}
		if d, ok := strings.CutSuffix(rest, ".get_byte"); ok {
			return r.getByte(n, d)
		}
		return r.unsupportedCall(n)
	}
	switch rest {
	case "aiv_shard", "aic_gather":
		return r.splitTransfer(n, rest)
	case "const":
		return r.constExpr(n)
	case "submit", "spmd_submit":
		return r.generic(n, full, ann)
	case "no_dep":
		if a := n.First().Next(); a.Ok() && !a.Next().Ok() {
			return r.generic(n, full, exprTypeOrNil(r.peek(a)))
		}
	case "yield_":
		r.problem(Own, r.span(n), "pl.yield_() is a statement, not a value", "Assign its result: x = pl.yield_(value)")
		return unknownExpr(n)
	}
	if r.opt.Policy == Dump && ops.WrapperOf(full) == nil && ops.Lookup(rest) != nil {
		return r.operator(n, full, rest, ann)
	}
	return r.wrapped(n, full, ann)
}

// constExpr is `pl.const(v, pl.DT)`.
func (r *reader) constExpr(n irsyntax.Ref) ir.Expr {
	if e, ok := r.constCall(n); ok {
		return e
	}
	if n.NumChildren() != 3 || n.Child(1).Kind() == irsyntax.Keyword || n.Child(2).Kind() == irsyntax.Keyword {
		r.problem(Syntax, r.span(n), "pl.const() requires exactly 2 arguments: value and dtype", "Use pl.const(42, pl.INT32) or pl.const(1.0, pl.FP16)")
		return unknownExpr(n)
	}
	if v := n.Child(1); !numberLiteral(v) {
		r.problem(Syntax, r.span(n), "pl.const() first argument must be a numeric literal", "Use an int or float literal: pl.const(42, pl.INT32)")
	}
	return unknownExpr(n)
}

func numberLiteral(v irsyntax.Ref) bool {
	if v.Kind() == irsyntax.UnaryOp && v.Op() == irsyntax.OpSub {
		v = v.First()
	}
	switch v.Kind() {
	case irsyntax.Int, irsyntax.Float, irsyntax.True, irsyntax.False:
		return true
	}
	return false
}

// getByte folds `pl.<DTYPE>.get_byte()`.
func (r *reader) getByte(n irsyntax.Ref, name string) ir.Expr {
	if d, ok := ir.ParseDType(name); ok {
		return index(int64(d.Bytes()))
	}
	names := append([]string(nil), dtypeNames...)
	sort.Strings(names)
	r.problem(TypeErr, r.span(n), "Unknown DataType '"+name+"' in pl."+name+".get_byte()", "Valid DataType names: "+strings.Join(names, ", "))
	return unknownExpr(n)
}

func exprTypeOrNil(e ir.Expr) ir.Type {
	if e == nil {
		return nil
	}
	return exprType(e)
}

// peek is the variable a plain name denotes, nil for anything else.
func (r *reader) peek(n irsyntax.Ref) ir.Expr {
	if n.Kind() == irsyntax.Name {
		if v := r.scope[n.Text()]; v != nil {
			return v
		}
	}
	return nil
}

// bareCall is `f(...)`: a function of the file, `abs`, or shorthand.
func (r *reader) bareCall(n irsyntax.Ref, name string, ann ir.Type) ir.Expr {
	r.callee(name) // that there is no such function counts too
	if c := r.env.Function(name); c != nil && IsKernelFunc(c, false) {
		if r.method && r.sigs.Has(name) {
			r.problem(Syntax, r.span(n), "External function '"+name+"' conflicts with program function '"+name+"'", "Rename either the external or program function to avoid the name conflict")
		}
		if isInline(c) {
			return r.inlineCall(n, name, c)
		}
		return r.funcCall(n, name, ann)
	}
	if !r.method && r.sigs.Has(name) {
		return r.funcCall(n, name, ann)
	}
	if name == "abs" {
		if a := n.First().Next(); a.Ok() && !a.Next().Ok() {
			x := r.expr(a)
			if d, ok := r.scalarDType(x, r.span(n)); ok {
				return &ir.Unary{Op: ir.Abs, X: x, DType: d}
			}
		}
		return unknownExpr(n)
	}
	if v, ok := r.global(name); ok {
		if _, op := v.(opaque); op {
			return r.generic(n, name, ann)
		}
	}
	if r.out.Shorthand && ops.Lookup("tile."+name) != nil && ops.WrapperOf("pl."+name) != nil {
		return r.wrapped(n, "pl."+name, ann)
	}
	return r.unsupportedCall(n)
}
