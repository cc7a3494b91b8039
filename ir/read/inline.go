package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// inlining is the call of an `@pl.inline` function whose body is being read.
type inlining struct {
	call  ir.Span // all spans of the body
	depth int
	value ir.Expr // of the last return, nil so far
}

// Limits of expansion: a function that calls itself would not end.
const (
	maxInlining   = 32
	maxExpansions = 1000 // in one function
)

func isInline(c *irsyntax.Chunk) bool {
	root := c.Tree().Root()
	for d := root.First(); d.Ok() && d.Kind() == irsyntax.Decorator; d = d.Next() {
		if decoratorOf(d).name == "inline" {
			return true
		}
	}
	return false
}

// inlineCall expands a source-level macro (spec 01 §9.6): the arguments are
// bound to the parameters in a scope of their own, the statements of the body
// are emitted where the call stands, the value of the last return is the
// call's. Comments of the body are not taken over.
func (r *reader) inlineCall(n irsyntax.Ref, name string, c *irsyntax.Chunk) ir.Expr {
	r.callee(name)
	r.bodyOf(name)
	depth := 0
	if r.inlining != nil {
		depth = r.inlining.depth + 1
	}
	sp := r.span(n)
	if r.expansions++; depth >= maxInlining || r.expansions > maxExpansions {
		r.problem(Own, sp, "Inline function '"+name+"' calls itself without end", "An @pl.inline function is expanded at its call; it cannot be recursive")
		return unknownExpr(n)
	}
	p := partsOf(c.Tree().Root())
	names := inlineParams(p.params)
	var args []ir.Expr
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			if i := position(names, a.First().Text()); i == len(args) {
				args = append(args, r.expr(a.Child(1)))
				continue
			}
		}
		args = append(args, r.expr(a))
	}
	if len(args) != len(names) {
		r.problem(TypeErr, sp, "Inline function '"+name+"' expects "+itoa(int64(len(names)))+" argument(s), got "+itoa(int64(len(args))),
			"Check the inline function's parameter list: "+pyList(names))
		return unknownExpr(n)
	}
	whole := n == r.statement
	in := &inlining{call: sp, depth: depth}
	env := r.env
	r.env = env.At(c)
	r.inlineBody(in, names, args, p.body)
	r.env = env
	if in.value == nil {
		if whole {
			return nil
		}
		r.problem(TypeErr, sp, "Inline function '"+name+"' has no return value", "Inline functions used as expressions must return a value")
		return unknownExpr(n)
	}
	return in.value
}

func (r *reader) inlineBody(in *inlining, names []string, args []ir.Expr, body irsyntax.Ref) {
	outer, comments, emit := r.inlining, r.comments, r.emit
	r.inlining, r.comments = in, commentQueue{}
	mark := r.enter()
	for i, name := range names {
		r.bindArgument(name, args[i])
	}
	if body.Ok() {
		var sink []ir.Stmt
		out := emit
		if out == nil {
			out = &sink
		}
		for s := body.First(); s.Ok(); s = s.Next() {
			r.stmt(s, out)
		}
	}
	r.leave(mark, false)
	r.inlining, r.comments, r.emit = outer, comments, emit
}

// bindArgument makes a parameter's name denote the argument itself.
func (r *reader) bindArgument(name string, arg ir.Expr) {
	if v, ok := arg.(*ir.Var); ok {
		r.bind(name, v)
		return
	}
	v := &ir.Var{ID: -1, Name: name, Type: exprType(arg)}
	if r.aliases == nil {
		r.aliases = map[*ir.Var]ir.Expr{}
	}
	r.aliases[v] = arg
	r.bind(name, v)
}

// denoted is what a variable found in scope stands for.
func (r *reader) denoted(v *ir.Var) ir.Expr {
	if r.aliases != nil {
		if e, ok := r.aliases[v]; ok {
			return e
		}
	}
	return v
}

func inlineParams(ps irsyntax.Ref) []string {
	var out []string
	if !ps.Ok() {
		return nil
	}
	for p := ps.First(); p.Ok(); p = p.Next() {
		if p.Kind() == irsyntax.Param && p.Op() == irsyntax.OpNone {
			out = append(out, p.First().Text())
		}
	}
	return out
}

func position(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// bodyOf remembers that a function's body was looked at.
func (r *reader) bodyOf(name string) {
	if r.bodies == nil {
		r.bodies = map[string]bool{}
	}
	r.bodies[name] = true
}
