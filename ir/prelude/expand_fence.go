package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// fence orders a vector load after the cube store of the same tensor: the cube
// half pushes the stored tile, the vector half pops it (spec 11b §4.5).
type fence struct {
	origin, tile *ir.Var
	span         ir.Span
}

// fences are the fences by the statement they stand at.
type fences struct{ push, pop map[ir.Stmt][]fence }

// place is where a statement stands: outer is that of the statement around it,
// nil at the top.
type place struct {
	block *ir.Block
	stmt  ir.Stmt
	outer *place
}

// gmAccess is a store or load of global memory on one of the cores.
type gmAccess struct {
	assign *ir.Assign
	call   *ir.Call
	origin *ir.Var
	lane   lane
	at     int // position among all stores and loads
	in     place
}

func (m *mixedKernel) findFences() fences {
	f := fences{push: map[ir.Stmt][]fence{}, pop: map[ir.Stmt][]fence{}}
	g := gmAccesses{m: m, origin: newVarTable[*ir.Var](0)}
	g.walk(m.f.Body, nil)
	counts := newVarTable[int](0)
	for _, s := range g.stores {
		*counts.at(s.origin)++
	}
	for _, s := range g.stores {
		if s.lane != cube || counts.get(s.origin) != 1 {
			continue
		}
		tile, ok := s.call.Args[0].(*ir.Var)
		if !ok {
			continue
		}
		for i := range g.loads {
			l := &g.loads[i]
			if l.origin != s.origin || l.lane != vector || l.at < s.at {
				continue
			}
			at := enclosing(&l.in, s.in.block)
			if at == nil {
				continue
			}
			x := fence{origin: s.origin, tile: tile, span: s.assign.Span}
			f.push[s.assign] = append(f.push[s.assign], x)
			f.pop[at] = append(f.pop[at], x)
			break
		}
	}
	return f
}

// gmAccesses are the assigned stores and loads of the mixed body in program
// order.
type gmAccesses struct {
	m             *mixedKernel
	stores, loads []gmAccess
	n             int
	// origin is the tensor that the result of a store is.
	origin *varTable[*ir.Var]
}

func (g *gmAccesses) root(e ir.Expr) *ir.Var {
	v, _ := e.(*ir.Var)
	if o := g.origin.get(v); o != nil {
		return o
	}
	return v
}

func (g *gmAccesses) walk(b *ir.Block, outer *place) {
	for _, st := range b.Stmts {
		if ir.HasBodies(st) {
			in := &place{b, st, outer}
			ir.EachBody(st, func(c *ir.Block) { g.walk(c, in) })
			continue
		}
		a, ok := st.(*ir.Assign)
		if !ok {
			continue
		}
		c, _ := a.Value.(*ir.Call)
		switch {
		case c == nil:
		case c.Name == "tile.store" && len(c.Args) > 2:
			o := g.root(c.Args[2])
			g.origin.set(a.Var, o)
			g.stores = g.access(g.stores, a, c, o, place{b, st, outer})
		case c.Name == "tile.load" && len(c.Args) > 0:
			g.loads = g.access(g.loads, a, c, g.root(c.Args[0]), place{b, st, outer})
		}
	}
}

// access appends an access of a known tensor on one of the cores to list.
func (g *gmAccesses) access(list []gmAccess, a *ir.Assign, c *ir.Call, origin *ir.Var, in place) []gmAccess {
	g.n++
	if l := g.m.lane(a); origin != nil && (l == cube || l == vector) {
		list = append(list, gmAccess{a, c, origin, l, g.n, in})
	}
	return list
}

// enclosing is the statement of block that stands at p or around it, nil when
// none does.
func enclosing(p *place, block *ir.Block) ir.Stmt {
	for ; p != nil; p = p.outer {
		if p.block == block {
			return p.stmt
		}
	}
	return nil
}

func (h *half) fencePush(st ir.Stmt, out *ir.Block) {
	for _, x := range h.m.fences.push[st] {
		add(out, &ir.Eval{StmtMeta: ir.StmtMeta{Span: x.span}, X: h.pushCall(x.span, splitMode(h.m.f), x.tile)})
	}
}

func (h *half) fencePops(st ir.Stmt, out *ir.Block) {
	for _, x := range h.m.fences.pop[st] {
		t := tileOf(x.tile)
		if t == nil {
			continue
		}
		nt := ir.NewTileType(t.Shape, t.DType, nil, platforms.Vec)
		p := h.m.f.NewVar(ir.PlainVar, x.origin.Name+"_gm_sync", nt, x.span)
		add(out, &ir.Assign{StmtMeta: ir.StmtMeta{Span: x.span}, Var: p, Value: h.popCall(x.span, splitMode(h.m.f), nt)})
	}
}
