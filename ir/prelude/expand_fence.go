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

// place is one step from the body down to a statement.
type place struct {
	block *ir.Block
	stmt  ir.Stmt
}

// gmAccess is a store or load of global memory on one of the cores.
type gmAccess struct {
	assign *ir.Assign
	call   *ir.Call
	origin *ir.Var
	lane   lane
	path   []place
}

func (m *mixedKernel) findFences() fences {
	f := fences{push: map[ir.Stmt][]fence{}, pop: map[ir.Stmt][]fence{}}
	stores, loads, order := m.gmAccesses()
	counts := map[*ir.Var]int{}
	for _, s := range stores {
		counts[s.origin]++
	}
	for _, s := range stores {
		if counts[s.origin] != 1 || s.lane != cube {
			continue
		}
		tile, ok := s.call.Args[0].(*ir.Var)
		if !ok {
			continue
		}
		for _, l := range loads {
			if l.origin != s.origin || l.lane != vector || order[l.assign] < order[s.assign] {
				continue
			}
			at := enclosing(l.path, s.path[len(s.path)-1].block)
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

// gmAccesses lists the assigned stores and loads of the mixed body in program
// order.
func (m *mixedKernel) gmAccesses() (stores, loads []gmAccess, order map[*ir.Assign]int) {
	order = map[*ir.Assign]int{}
	origin := map[*ir.Var]*ir.Var{}
	root := func(e ir.Expr) *ir.Var {
		v, _ := e.(*ir.Var)
		if o := origin[v]; o != nil {
			return o
		}
		return v
	}
	var walk func(b *ir.Block, path []place)
	walk = func(b *ir.Block, path []place) {
		if b == nil {
			return
		}
		for _, st := range b.Stmts {
			here := func() []place { return append(path[:len(path):len(path)], place{b, st}) }
			if a, ok := st.(*ir.Assign); ok {
				c, _ := a.Value.(*ir.Call)
				switch {
				case c == nil:
				case c.Name == "tile.store" && len(c.Args) > 2:
					order[a] = len(order)
					origin[a.Var] = root(c.Args[2])
					if l := m.class[st]; origin[a.Var] != nil && (l == cube || l == vector) {
						stores = append(stores, gmAccess{a, c, origin[a.Var], l, here()})
					}
				case c.Name == "tile.load" && len(c.Args) > 0:
					order[a] = len(order)
					if l, o := m.class[st], root(c.Args[0]); o != nil && (l == cube || l == vector) {
						loads = append(loads, gmAccess{a, c, o, l, here()})
					}
				}
			}
			ir.EachBody(st, func(c *ir.Block) { walk(c, here()) })
		}
	}
	walk(m.f.Body, nil)
	return stores, loads, order
}

// enclosing is the statement of block that path goes through, nil when it does
// not.
func enclosing(path []place, block *ir.Block) ir.Stmt {
	for _, p := range path {
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
