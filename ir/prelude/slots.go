package prelude

import (
	"math/bits"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// lowerPipelineToSlots gives the loads of `pl.pipeline` loops rotating slots of
// a declared allocation instead of replicating the loop (spec 05 §7.3). It does
// so under planner PTOAS only; the loops it declines are LowerPipelineLoops'.
func lowerPipelineToSlots(c *Ctx, f *ir.Function) *ir.Function {
	if c.Planner != "PTOAS" || !hasPipeline(f.Body) {
		return f
	}
	s := &slotter{c: c, f: copyFunc(f), committed: map[ir.Space]uint64{}}
	s.commitDeclared(f)
	s.f.Body = s.block(f.Body, true)
	return s.f
}

type slotter struct {
	c *Ctx
	f *ir.Function
	// committed are the bytes of declared allocations by space, those that this
	// pass makes included.
	committed map[ir.Space]uint64
}

// The depths that slots are made for.
const minSlots, maxSlots = 2, 16

// block visits loops, outermost first. free is false below a pipeline loop
// that was declined: none there takes slots.
func (s *slotter) block(b *ir.Block, free bool) *ir.Block {
	if b == nil {
		return nil
	}
	out := &ir.Block{Stmts: make([]ir.Stmt, len(b.Stmts))}
	for i, st := range b.Stmts {
		below := free
		if l, ok := st.(*ir.For); ok && l.Kind == ir.Pipeline {
			stages, known := stagesOf(l)
			if !known || stages != 1 {
				if taken := s.accept(l, stages, free && known); taken != nil {
					st = taken
				} else {
					below = false
				}
			}
		}
		out.Stmts[i] = withBlocks(st, func(c *ir.Block) *ir.Block { return s.block(c, below) })
	}
	return out
}

// accept turns a loop into a sequential one whose loads are bound to slots; nil
// when it is declined.
func (s *slotter) accept(l *ir.For, stages int64, free bool) ir.Stmt {
	step, okStep := ir.ConstValue(l.Step)
	start, okStart := ir.ConstValue(l.Start)
	if !free || stages < minSlots || stages > maxSlots || !okStep || step != 1 || !okStart || start%stages != 0 || l.Body == nil || len(l.Body.Stmts) == 1 {
		return nil
	}
	cands := s.candidates(l.Body)
	if len(cands) == 0 || heldElsewhere(l.Body, cands) || !s.fits(cands, stages) {
		return nil
	}
	sub := newSubst(0)
	for _, a := range cands {
		base := s.f.NewVar(ir.BaseVar, "pipe_"+a.Var.Name, &ir.PtrType{}, ir.Span{})
		t := *tileOf(a.Var)
		t.MemRef = &ir.MemRef{Base: base, Offset: &ir.ConstInt{DType: ir.INT64}, Pinned: true, Slots: int(stages),
			Slot: &ir.Binary{Op: ir.FloorMod, X: l.Var, Y: ir.Index(stages), DType: ir.INDEX}}
		sub.set(a.Var, s.f.NewVar(a.Var.Kind, a.Var.Name, &t, a.Var.Span))
	}
	n := *l
	n.Kind = ir.Sequential
	n.Attrs = withoutAttrs(l.Attrs, "pipeline_stages")
	n.Body = bindIn(l.Body, sub)
	return &n
}

// candidates are the top-level loads of tiles without a MemRef, nil also when
// one of them rules the loop out by itself.
func (s *slotter) candidates(b *ir.Block) []*ir.Assign {
	var out []*ir.Assign
	for _, st := range b.Stmts {
		a, ok := st.(*ir.Assign)
		if !ok {
			continue
		}
		c, ok := a.Value.(*ir.Call)
		t := tileOf(a.Var)
		if !ok || c.Name != "tile.load" || t == nil || t.MemRef != nil {
			continue
		}
		switch t.Space {
		case platforms.Vec, platforms.Mat, platforms.Acc:
		default:
			return nil
		}
		for i, e := range ir.ValidShape(t) {
			if _, constant := ir.ConstValue(e); i < 2 && !constant {
				return nil
			}
		}
		out = append(out, a)
	}
	return out
}

// heldElsewhere reports whether a candidate's buffer is carried by a loop or
// branch of the body, or consumed by an operator whose result lands in it.
// What an alias or a view is made of counts as its source.
func heldElsewhere(b *ir.Block, cands []*ir.Assign) bool {
	loaded := map[*ir.Var]bool{}
	for _, a := range cands {
		loaded[a.Var] = true
	}
	root := map[*ir.Var]*ir.Var{}
	rootOf := func(e ir.Expr) *ir.Var {
		v, _ := e.(*ir.Var)
		if r := root[v]; r != nil {
			return r
		}
		return v
	}
	held := false
	reads := func(e ir.Expr) {
		exprVars(e, func(v *ir.Var) { held = held || loaded[rootOf(v)] })
	}
	inits := func(vs []*ir.Var) {
		for _, v := range vs {
			reads(v.Init)
		}
	}
	ir.EachStmt(b, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Yield:
			for _, e := range st.Values {
				reads(e)
			}
		case *ir.For:
			inits(st.IterArgs)
		case *ir.While:
			inits(st.IterArgs)
		}
		if c := callOf(st); c != nil && c.Op != nil && c.Op.LandsInSource() {
			for _, e := range c.Args {
				if _, direct := e.(*ir.Var); direct {
					reads(e)
				}
			}
		}
		if a, ok := st.(*ir.Assign); ok {
			switch v := a.Value.(type) {
			case *ir.Var:
				root[a.Var] = rootOf(v)
			case *ir.Call:
				if v.Op != nil && v.Op.LandsInSource() && len(v.Args) > 0 {
					root[a.Var] = rootOf(v.Args[0])
				}
			}
		}
	})
	return held
}

// fits reports whether all slots of the candidates fit what is left of their
// spaces; then they are committed. A space without a known capacity holds
// anything.
func (s *slotter) fits(cands []*ir.Assign, stages int64) bool {
	want := map[ir.Space]uint64{}
	for _, a := range cands {
		t := tileOf(a.Var)
		n, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, s.c.Platform)
		if !ok {
			return false
		}
		hi, bytes := bits.Mul64(n, uint64(stages))
		if hi != 0 || want[t.Space]+bytes < bytes {
			return false
		}
		want[t.Space] += bytes
	}
	for space := ir.Space(0); space < platforms.NumSpaces; space++ {
		bytes, used := want[space], s.committed[space]
		if limit := s.c.Platform.Capacity(space); bytes > 0 && limit > 0 && (used >= limit || bytes > limit-used) {
			return false
		}
	}
	for space, bytes := range want {
		s.committed[space] += bytes
	}
	return true
}

// commitDeclared counts the allocations that the author declared: the largest
// tile bound to each, times its slots.
func (s *slotter) commitDeclared(f *ir.Function) {
	largest := map[*ir.Var]uint64{}
	see := func(v *ir.Var) {
		t := tileOf(v)
		if t == nil || t.MemRef == nil || !t.MemRef.Pinned || t.MemRef.Base == nil {
			return
		}
		n, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, s.c.Platform)
		if old := largest[t.MemRef.Base]; ok && n > old {
			largest[t.MemRef.Base] = n
			s.committed[t.Space] += (n - old) * uint64(max(t.MemRef.Slots, 1))
		}
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) { ir.EachDef(st, see) })
}

// bindIn replaces variables in a block, their definitions included.
func bindIn(b *ir.Block, sub subst) *ir.Block {
	out := &ir.Block{Stmts: make([]ir.Stmt, len(b.Stmts))}
	for i, st := range b.Stmts {
		st = substStmt(st, sub)
		if a, ok := st.(*ir.Assign); ok {
			if v, ok := sub.get(a.Var).(*ir.Var); ok {
				st = &ir.Assign{StmtMeta: a.StmtMeta, Var: v, Value: a.Value}
			}
		}
		out.Stmts[i] = withBlocks(st, func(c *ir.Block) *ir.Block { return bindIn(c, sub) })
	}
	return out
}
