package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/ir/ops"
)

// rebuilt is a call with other operands, its type deduced anew; attributes are
// dropped, as the reference does when it re-creates a call. When the rule
// refuses the operands, or is not modelled, the old type stays, and a refusal is
// noted: the reference stops there.
func (x *Ctx) rebuilt(pass string, f *ir.Function, c *ir.Call, args []ir.Expr) *ir.Call {
	n := *c
	n.Args, n.Attrs = args, nil
	x.refusal(pass, f, &n, rededuceIn(nil, &n))
	return &n
}

// refusal notes that a pass made a call that the operator's rule refuses. Behind
// an earlier note it says nothing about the compiler, whose function is another.
func (x *Ctx) refusal(pass string, f *ir.Function, c *ir.Call, p *infer.Problem) {
	if p != nil && p.Kind != infer.Degraded && len(x.Notes) == 0 {
		x.note(pass, f, c.Span, "the compiler stops here, for the operator refuses what this pass makes of the call: "+p.Text)
	}
}

func rededuceIn(room *infer.Scratch, c *ir.Call) *infer.Problem {
	if c.Op == nil {
		return nil
	}
	t, p := room.Infer(c.Op, c.Args, c.Kwargs, infer.Env{})
	if p == nil && t != ir.Unknown {
		c.Type = t
	}
	return p
}

// newCall makes a call of an operator and deduces its type.
func newCall(name string, sp ir.Span, args []ir.Expr, kwargs ...ir.Kwarg) *ir.Call {
	c := &ir.Call{Name: name, Op: ops.Lookup(name), Args: args, Kwargs: kwargs, Span: sp, Type: ir.Unknown}
	rededuceIn(nil, c)
	return c
}

// outSpace is what the operator's resolver says about a call's result space:
// ok is false when there is no resolver value.
func outSpace(c *ir.Call) (ir.Space, bool) {
	if c.Op == nil {
		return -1, false
	}
	switch c.Op.SpaceMode {
	case ops.SpaceFixed:
		return c.Op.Space, true
	case ops.SpaceKwarg:
		if v, ok := c.Kwarg(c.Op.SpaceKwarg); ok {
			if s, ok := v.(ir.Space); ok {
				return s, true
			}
		}
		if c.Op.Space >= 0 {
			return c.Op.Space, true
		}
	}
	return -1, false
}

// allowed are the spaces operand i may be in; nil when unconstrained.
func allowed(c *ir.Call, i int) []ir.Space {
	if c.Op == nil || i >= len(c.Op.InputSpaces) {
		return nil
	}
	return c.Op.InputSpaces[i]
}

// withKwarg is c with a keyword set in place, or appended.
func withKwarg(c *ir.Call, key string, v any) *ir.Call {
	n := *c
	n.Kwargs = setKwarg(append([]ir.Kwarg(nil), c.Kwargs...), key, v)
	return &n
}

// setKwarg sets a keyword of a list that is the caller's own.
func setKwarg(ks []ir.Kwarg, key string, v any) []ir.Kwarg {
	for i := range ks {
		if ks[i].Key == key {
			ks[i].Value = v
			return ks
		}
	}
	return append(ks, ir.Kwarg{Key: key, Value: v})
}

// rewriteCalls offers every assignment of a call to each, which returns
// true when it has put what stands for it into out. Blocks without a change
// stay what they are.
func rewriteCalls(b *ir.Block, each func(a *ir.Assign, call *ir.Call, out *ir.Block) bool) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	made := &ir.Block{}
	for _, st := range b.Stmts {
		if a, ok := st.(*ir.Assign); ok {
			if call, ok := a.Value.(*ir.Call); ok {
				done := each(a, call, made)
				out.addAll(made)
				if done {
					continue
				}
			}
		}
		out.add(withBlocks(st, func(c *ir.Block) *ir.Block { return rewriteCalls(c, each) }))
	}
	return out.block()
}
