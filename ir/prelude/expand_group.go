package prelude

import (
	"slices"

	"pypto-ls/ir"
)

// handWrittenVector is what ExpandMixedKernel does to a function that the
// author typed AIV: adapters for its pushes, and the dispatch to both vector
// cores where a group runs it together with a cube function and it only has
// unsplit transport (spec 09 §10).
func handWrittenVector(c *Ctx, f *ir.Function) *ir.Function {
	f = adaptPushes(c, f)
	if c.Platform == nil || !c.Platform.Flags.NoSplitDualAivDispatch || splitsVectors(f) {
		return f
	}
	n, _ := transports(f.Body)
	if n == 0 {
		return f
	}
	if c.Callers == nil {
		c.note(passExpand, f, f.NameSpan, "whether both vector cores run this function depends on the groups that call it")
		return f
	}
	groups, others := 0, 0
	for _, g := range c.Callers(f.Name) {
		if inCluster(g, f.Name) {
			c.note(passExpand, f, f.NameSpan, "a `pl.cluster` scope that becomes a group runs this function")
		}
		if g.Kind == ir.Group && callsCube(c, g) {
			groups++
		} else {
			others++
		}
	}
	switch {
	case groups == 0:
		return f
	case groups > 1 || others > 0:
		c.note(passExpand, f, f.NameSpan, "the vector function of a group has other callers as well")
	}
	return withDualDispatch(f)
}

// inCluster reports whether g calls a function inside a cluster scope, which
// OutlineClusterScopes makes a group of.
func inCluster(g *ir.Function, name string) bool {
	found := false
	ir.EachStmt(g.Body, func(st ir.Stmt) {
		if s, ok := st.(*ir.Scope); ok && s.Kind == ir.ScopeCluster && !found {
			found = slices.Contains(callees(&ir.Function{Body: s.Body}), name)
		}
	})
	return found
}

func withDualDispatch(f *ir.Function) *ir.Function {
	g := copyFunc(f)
	g.Attrs = append(withoutAttrs(f.Attrs, "dual_aiv_dispatch"), ir.Attr{Key: "dual_aiv_dispatch", Value: true})
	return g
}

// callsCube reports whether a group calls a function of the cube core.
func callsCube(c *Ctx, g *ir.Function) bool {
	if c.Function == nil {
		return false
	}
	for _, name := range callees(g) {
		if f := c.Function(name); f != nil && f.Kind == ir.AIC {
			return true
		}
	}
	return false
}

// callHalves makes a group call the two halves of a mixed kernel that gets no
// group of its own (spec 11b §4.6).
func callHalves(c *Ctx, f *ir.Function) *ir.Function {
	if c.Function == nil || c.Callers == nil {
		return f
	}
	halves := map[string]bool{}
	for _, name := range callees(f) {
		if g := c.Function(name); g != nil && g.Kind == ir.InCore && mayUseCube(g) {
			halves[name] = len(c.expanded(g)) == 2
		}
	}
	out := &ir.Block{}
	changed := false
	for _, st := range f.Body.Stmts {
		if call := callOf(st); call != nil && call.IsFunc && halves[call.Name] {
			aic, aiv := *call, *call
			aic.Name, aiv.Name = call.Name+"_aic", call.Name+"_aiv"
			aic.Type = ir.Unknown
			add(out, &ir.Eval{StmtMeta: *st.Meta(), X: &aic})
			st, changed = withCall(st, &aiv), true
		}
		add(out, st)
	}
	if !changed {
		return f
	}
	g := copyFunc(f)
	g.Body = out
	return g
}
