package prelude

import "pypto-ls/ir"

const passStamp = "StampTfreeSplit"

const noOriginatingPop = " requires its tile argument to come from a matching tile.tpop_from_ai{c,v}, but no originating tpop was found"

// stampTfreeSplit copies the split mode of a pop to the call that frees its
// tile (spec 11 §3, pass 25).
func stampTfreeSplit(c *Ctx, f *ir.Function) *ir.Function {
	pops := newVarTable[*ir.Call](0)
	frees := false
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if a, call := popAssign(st); a != nil {
			pops.set(a.Var, call)
		}
		if call := callOf(st); call != nil && call.Op != nil && call.Op.CrossCore == "TFree" {
			frees = true
		}
	})
	if !frees {
		return f
	}
	s := &stamper{c: c, f: copyFunc(f), pops: pops}
	s.f.Body = s.block(f.Body)
	return s.f
}

type stamper struct {
	c    *Ctx
	f    *ir.Function
	pops *varTable[*ir.Call]
}

func (s *stamper) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		st = withBlocks(st, s.block)
		if e, ok := st.(*ir.Eval); ok {
			if call, ok := e.X.(*ir.Call); ok && call.Op != nil && call.Op.CrossCore == "TFree" {
				st = &ir.Eval{StmtMeta: e.StmtMeta, X: s.stamp(call)}
			}
		}
		out.add(st)
	}
	return out.block()
}

func (s *stamper) stamp(call *ir.Call) *ir.Call {
	if len(call.Args) == 0 {
		return call
	}
	v, _ := call.Args[0].(*ir.Var)
	pop := s.pops.get(v)
	if pop == nil || (call.Name == "system.tfree_to_aic") != (pop.Name == "tile.tpop_from_aic") {
		s.c.problem(passStamp, s.f, call.Span, call.Name+noOriginatingPop)
		return call
	}
	split, ok := pop.Kwarg("split")
	if !ok {
		return call
	}
	return withKwarg(call, "split", split)
}
