package printer

import "pypto-ls/ir"

// scope prints a `with` scope or one of its for-forms (spec 01b §8).
func (p *printer) scope(s *ir.Scope, level int, results []*ir.Var) {
	p.indent(level)
	switch s.Kind {
	case ir.ScopeCommDomain:
		p.s("# pld.comm_domain: ")
		for _, a := range s.Attrs {
			p.value(a.Value)
		}
		p.s("\n")
		p.block(s.Body, level, results, false)
		return
	case ir.ScopeSplitAiv:
		p.s("for ")
		if s.Var != nil {
			p.varName(s.Var)
		} else {
			p.s("aiv_id")
		}
		p.s(" in pl.split_aiv(")
		p.scopeArgs(s)
		p.s("):\n")
		outer := p.splitRegion
		p.splitRegion = true
		p.block(s.Body, level+1, results, false)
		p.splitRegion = outer
		if len(s.Body.Stmts) == 0 {
			p.s("\n")
		}
		return
	case ir.ScopeSpmd:
		if s.Var != nil {
			p.s("for ")
			p.varName(s.Var)
			p.s(" in pl.spmd(")
			p.scopeArgs(s)
			p.s("):\n")
			p.block(s.Body, level+1, results, false)
			if len(s.Body.Stmts) == 0 {
				p.s("\n")
			}
			return
		}
		p.s("with pl.spmd(")
	case ir.ScopeCluster:
		p.s("with pl.cluster(")
	case ir.ScopeRuntime:
		p.s("with pl.scope(")
	default:
		p.s("with pl.at(")
	}
	p.scopeArgs(s)
	p.s(")")
	if s.TaskVar != nil {
		p.s(" as ")
		p.varName(s.TaskVar)
	}
	p.s(":\n")
	p.block(s.Body, level+1, results, false)
}

// scopeArgs prints positional arguments and keywords in stored order;
// `split` and `slot_num` together form `optimizations=[…]`.
func (p *printer) scopeArgs(s *ir.Scope) {
	a := &argList{p: p}
	a.exprs(s.Args)
	opts := false
	for _, at := range s.Attrs {
		switch at.Key {
		case "split", "slot_num":
			if s.Kind == ir.ScopeSplitAiv || opts {
				continue
			}
			opts = true
			p.optimizations(s, a)
			continue
		}
		a.next()
		p.s(at.Key)
		p.s("=")
		p.attrValue(at.Value)
	}
}

func (p *printer) optimizations(s *ir.Scope, a *argList) {
	split, hasSplit := ir.FindAttr(s.Attrs, "split")
	slots, hasSlots := ir.FindAttr(s.Attrs, "slot_num")
	n, _ := split.(int64)
	if !hasSlots && (!hasSplit || n == 0) {
		return
	}
	a.next()
	p.s("optimizations=[")
	b := &argList{p: p}
	if hasSplit && n != 0 {
		b.next()
		p.s("pl.split(pl.SplitMode." + splitMode(n) + ")")
	}
	if hasSlots {
		b.next()
		p.s("pl.cross_core_slot(slot_num=")
		p.attrValue(slots)
		p.s(")")
	}
	p.s("]")
}
