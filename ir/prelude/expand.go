package prelude

import "pypto-ls/ir"

const passExpand = "ExpandMixedKernel"

// expandMixedKernel types pure InCore functions by the core they run on and
// splits mixed ones (spec 11 §5, 11b §4).
func expandMixedKernel(c *Ctx, f *ir.Function) []*ir.Function {
	if f.Kind != ir.InCore {
		return []*ir.Function{f}
	}
	switch newLanes(f).block(f.Body) {
	case cube:
		return []*ir.Function{retyped(f, ir.AIC)}
	case mixed:
		c.note(passExpand, f, f.NameSpan, "the kernel mixes cube and vector statements")
		return []*ir.Function{f}
	}
	return []*ir.Function{retyped(f, ir.AIV)}
}

// retyped is a pure kernel under its core's kind; the attribute `split` goes.
func retyped(f *ir.Function, kind ir.FuncKind) *ir.Function {
	g := copyFunc(f)
	g.Kind = kind
	g.Level, g.Role = kind.String(), "SubWorker"
	g.Attrs = withoutAttrs(f.Attrs, "split")
	return g
}
