package read

import (
	"slices"

	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/irsyntax"
)

// typed gives a call its type. x is nil for calls read without a wrapper.
func (r *reader) typed(n irsyntax.Ref, c *ir.Call, ann ir.Type, x *build) ir.Expr {
	if ann != nil && r.opt.Policy == Dump {
		c.Type = ann
		return c
	}
	if x != nil {
		t, msg := x.popType()
		if msg != "" {
			x.fail(n, nil, msg)
		}
		if t != nil {
			c.Type = t
			return c
		}
	}
	t, text := r.infer(c)
	switch {
	case x == nil || len(r.doubts) == 0 || !x.unknownArgument():
	case text != "":
		// What the unknown value makes of the call is not known.
		text, r.untyped = "", true
	case unknownKeyword(c):
		t, r.untyped = ir.Unknown, true
	}
	if text != "" {
		count := len(r.out.Problems)
		r.operandProblem(n, c, x, text)
		if ann != nil && !r.handwritten() && len(r.out.Problems) > count {
			// A pass may print what the reference's reader refuses; the
			// annotation says what the compiler made of it.
			r.out.Problems[count].Warning = true
		}
	}
	if isUnknown(t) && ann != nil {
		t = ann
	}
	c.Type = t
	return c
}

// unknownArgument reports an argument whose value is not known.
func (x *build) unknownArgument() bool {
	unknown := func(v any) bool {
		e, ok := v.(*ir.Raw)
		return ok && e.Text != ""
	}
	return slices.ContainsFunc(x.b.val[:], unknown) || slices.ContainsFunc(x.b.rest, unknown) ||
		slices.ContainsFunc(x.b.named, func(k ir.Kwarg) bool { return unknown(k.Value) })
}

// unknownKeyword reports a keyword, which results depend on, whose value is not
// known.
func unknownKeyword(c *ir.Call) bool {
	return slices.ContainsFunc(c.Kwargs, func(k ir.Kwarg) bool {
		_, unknown := k.Value.(*ir.Raw)
		return unknown
	})
}

// operandProblem reports a call that the operator's own checks reject.
func (r *reader) operandProblem(n irsyntax.Ref, c *ir.Call, x *build, text string) {
	if x == nil {
		r.funcProblem(r.span(n), text)
		return
	}
	help := ""
	for _, a := range c.Args {
		if isScalar(a) {
			help = scalarHint
			break
		}
	}
	r.problem(Operation, r.span(n), x.wrap(text), help)
}

// infer is the result type of a call, ir.Unknown when there is none; a
// non-empty text is the reference's error.
func (r *reader) infer(c *ir.Call) (ir.Type, string) {
	if c.Op == nil {
		return ir.Unknown, ""
	}
	if c.Name == "pld.tensor.alloc_window_buffer" {
		return &ir.PtrType{}, ""
	}
	t, p := r.inference.Infer(c.Op, c.Args, c.Kwargs, infer.Env{})
	if p == nil {
		return t, ""
	}
	if p.Kind == infer.Degraded {
		r.untyped = true
		return ir.Unknown, ""
	}
	return ir.Unknown, p.Text
}
