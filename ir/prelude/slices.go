package prelude

import "pypto-ls/ir"

const passSlice = "CanonicalizeTileSlice"

// canonicalizeTileSlice turns slices that their consumers cannot read in place
// into extracts and removes slices nobody uses (spec 11b §1).
func canonicalizeTileSlice(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() {
		return f
	}
	s := &slicer{c: c, f: copyFunc(f), slices: newVarTable[*window](0), any: newVarTable[*window](0), consts: newVarTable[*ir.ConstInt](0), scalars: newVarTable[ir.Expr](0)}
	s.index(f.Body)
	if s.slices.n == 0 {
		return f
	}
	s.f.Body = s.block(f.Body, newSubst(0))
	s.f.Body = s.dropDeadSlices(s.f.Body)
	return s.f
}

// window is a slice in terms of the tile it ultimately cuts.
type window struct {
	base     ir.Expr
	row, col ir.Expr
}

type slicer struct {
	c *Ctx
	f *ir.Function
	// slices are the canonical slices; any are all with a two-element offset.
	slices, any *varTable[*window]
	consts      *varTable[*ir.ConstInt]
	scalars     *varTable[ir.Expr]
	windows     ir.Slab[window]
}

// index records constants, scalar definitions and slices, and checks the
// accumulators.
func (s *slicer) index(b *ir.Block) {
	ir.EachStmt(b, func(st ir.Stmt) {
		a, ok := st.(*ir.Assign)
		if !ok {
			return
		}
		switch v := a.Value.(type) {
		case *ir.ConstInt:
			s.consts.set(a.Var, v)
		case *ir.Var:
			if k := s.consts.get(v); k != nil {
				s.consts.set(a.Var, k)
			}
		}
		if isScalarType(a.Var.Type) && !s.scalars.has(a.Var) {
			s.scalars.set(a.Var, a.Value)
		}
		call, ok := a.Value.(*ir.Call)
		if !ok {
			return
		}
		if call.Name == "tile.slice" {
			s.record(a.Var, call)
			if len(call.Args) == 3 {
				return
			}
		}
		s.checkAccumulator(call)
	})
}

func (s *slicer) record(v *ir.Var, call *ir.Call) {
	if len(call.Args) < 3 {
		return
	}
	off, ok := call.Args[2].(*ir.MakeTuple)
	src, isVar := call.Args[0].(*ir.Var)
	if !ok || !isVar || len(off.Elems) != 2 {
		return
	}
	s.any.set(v, s.peel(s.any, src, off))
	if len(call.Args) == 3 {
		s.slices.set(v, s.peel(s.slices, src, off))
	}
}

func (s *slicer) peel(known *varTable[*window], src *ir.Var, off *ir.MakeTuple) *window {
	w := s.windows.New()
	*w = window{base: src, row: s.literal(off.Elems[0]), col: s.literal(off.Elems[1])}
	if outer := known.get(src); outer != nil {
		w.base, w.row, w.col = outer.base, sum(outer.row, w.row), sum(outer.col, w.col)
	}
	return w
}

// literal replaces a known-constant variable by its value.
func (s *slicer) literal(e ir.Expr) ir.Expr {
	if v, ok := e.(*ir.Var); ok {
		if k := s.consts.get(v); k != nil {
			return k
		}
	}
	return e
}

// sum adds two offsets: literals are added, a literal 0 leaves the other.
func sum(a, b ir.Expr) ir.Expr {
	x, ok1 := ir.ConstValue(a)
	y, ok2 := ir.ConstValue(b)
	switch {
	case ok1 && ok2:
		return ir.Index(x + y)
	case ok1 && x == 0:
		return b
	case ok2 && y == 0:
		return a
	}
	return bin(ir.Add, a, b)
}

func (s *slicer) windowOf(e ir.Expr) (*ir.Var, *window) {
	v, ok := e.(*ir.Var)
	if !ok {
		return nil, nil
	}
	return v, s.slices.get(v)
}

// extract is `tile.extract(base, row, col, shape)`, what the slice v cuts out.
func (s *slicer) extract(v *ir.Var, w *window, space ir.Space, meta ir.StmtMeta) *ir.Call {
	return newCall("tile.extract", meta.Span, []ir.Expr{w.base, w.row, w.col, &ir.MakeTuple{Elems: tileOf(v).Shape}}, ir.Kwarg{Key: "target_memory", Value: space})
}

// bind makes `<v>_textract = tile.extract(…)`.
func (s *slicer) bind(v *ir.Var, w *window, space ir.Space, meta ir.StmtMeta, out *rewriting) *ir.Var {
	c := s.extract(v, w, space, meta)
	n := s.f.NewVar(ir.PlainVar, v.Name+"_textract", c.Type, v.Span)
	out.add(&ir.Assign{StmtMeta: ir.StmtMeta{Span: meta.Span}, Var: n, Value: c})
	return n
}
