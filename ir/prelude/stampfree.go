package prelude

import "pypto-ls/ir"

const passStamp = "StampTfreeSplit"

const noOriginatingPop = " requires its tile argument to come from a matching tile.tpop_from_ai{c,v}, but no originating tpop was found"

// stampTfreeSplit copies the split mode of a pop to the call that frees its
// tile (spec 11 §3, pass 25).
func stampTfreeSplit(c *Ctx, f *ir.Function) *ir.Function {
	var pops []*ir.Assign
	frees := 0
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		call := callOf(st)
		if call == nil || call.Op == nil {
			return
		}
		switch call.Op.CrossCore {
		case "TPop":
			if a, ok := st.(*ir.Assign); ok {
				pops = append(pops, a)
			}
		case "TFree":
			frees++
		}
	})
	if frees == 0 {
		return f
	}
	s := &stamper{c: c, f: copyFunc(f), pops: newVarTable[*ir.Call](len(pops)), room: make([]stamped, frees)}
	for _, a := range pops {
		s.pops.set(a.Var, a.Value.(*ir.Call))
	}
	s.f.Body = s.block(f.Body)
	return s.f
}

type stamper struct {
	c    *Ctx
	f    *ir.Function
	pops *varTable[*ir.Call]
	room []stamped
}

// stamped is what takes the place of one free.
type stamped struct {
	eval ir.Eval
	call ir.Call
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
				room := &s.room[0]
				s.room = s.room[1:]
				room.eval = ir.Eval{StmtMeta: e.StmtMeta, X: s.stamp(call, &room.call)}
				st = &room.eval
			}
		}
		out.add(st)
	}
	return out.block()
}

// stamp is call with the split mode, in n.
func (s *stamper) stamp(call, n *ir.Call) *ir.Call {
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
	*n = *call
	n.Kwargs = setKwarg(append([]ir.Kwarg(nil), call.Kwargs...), "split", split)
	return n
}
