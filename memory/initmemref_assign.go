package memory

import "pypto-ls/ir"

// assign rewrites one assignment: right side, then the first matching rule of
// spec 03 §7.4 decides where the left variable lives.
func (p *initPass) assign(s *ir.Assign) {
	p.expr(s.Value)
	v := s.Var
	if v == nil || !p.first(v) {
		return
	}
	tile, _ := v.Type.(*ir.TileType)
	call, _ := s.Value.(*ir.Call)
	if call != nil && (call.IsFunc || call.Op == nil) {
		call = nil
	}
	switch {
	case tile != nil && p.bufferless(s.Value, call):
		if e := p.staticShape(v, tile); e != nil {
			p.fail(e)
			return
		}
		p.setType(v, p.withMemRef(tile, nil, tile.Space))
	case call != nil && call.Op.LandsInSource() && tile != nil && pinned(tile.MemRef):
		p.fail(p.errorf(UserError, passInitMemRef,
			"Tile '%s' is produced by '%s', which lands in its source tile's allocation, so it cannot be given one of its own. Bind the source tile instead.", v.Name, call.Name).atVar(v))
	default:
		if src := p.sharedSource(s.Value, call, tile != nil); src != nil {
			p.share(v, src, call)
			return
		}
		p.fresh(v)
	}
}

func pinned(m *ir.MemRef) bool { return m != nil && m.Pinned }

// bufferless is rule 1: cross-core pop results, and views and aliases of
// variables that have no MemRef.
func (p *initPass) bufferless(value ir.Expr, call *ir.Call) bool {
	if v, ok := value.(*ir.Var); ok {
		return p.MemRefOf(v) == nil
	}
	if call == nil {
		return false
	}
	if call.Name == "tile.tpop_from_aic" || call.Name == "tile.tpop_from_aiv" {
		return true
	}
	if call.Op.IsView() && len(call.Args) > 0 {
		v, ok := call.Args[0].(*ir.Var)
		return ok && p.MemRefOf(v) == nil
	}
	return false
}

// sharedSource is the expression whose buffer the result shares: argument 0
// of a view, the reused argument of an in-place operator, or the right side
// of a tile alias. nil: the result gets a buffer of its own.
func (p *initPass) sharedSource(value ir.Expr, call *ir.Call, tile bool) ir.Expr {
	if v := plainVar(value); v != nil && tile && p.MemRefOf(v) != nil {
		return v
	}
	if call == nil {
		return nil
	}
	if call.Op.IsView() && len(call.Args) > 0 && p.memRef(call.Args[0]) != nil {
		return call.Args[0]
	}
	if k := call.Op.ReusesInput; k >= 0 && k < len(call.Args) && p.memRef(call.Args[k]) != nil {
		return call.Args[k]
	}
	return nil
}

func (p *initPass) memRef(e ir.Expr) *ir.MemRef { return memRefOfType(p.exprType(e)) }

// share gives v the MemRef of src, moved and resized when call is a slice
// (spec 03 §7.4.1).
func (p *initPass) share(v *ir.Var, src ir.Expr, call *ir.Call) {
	srcType := p.exprType(src)
	m := memRefOfType(srcType)
	size, add := m.Size, ir.Expr(indexZero)
	if call != nil && (call.Name == "tile.slice" || call.Name == "tensor.slice") {
		var e *Error
		if add, e = p.sliceOffset(call); e != nil {
			p.fail(e)
			return
		}
		if n, ok := p.sliceSpan(call, v); ok {
			size = n
		}
	}
	if c, ok := ir.ConstValue(add); !ok || c != 0 || size != m.Size {
		m = &ir.MemRef{Base: m.Base, Offset: addIndex(m.Offset, add), Size: size, Slots: 1}
	}
	p.setType(v, p.withMemRef(v.Type, m, spaceOfType(srcType)))
}

// sliceSpan is the byte span of a static slice (spec 03 §5.3).
func (p *initPass) sliceSpan(call *ir.Call, v *ir.Var) (uint64, bool) {
	if len(call.Args) < 2 {
		return 0, false
	}
	requested, ok := call.Args[1].(*ir.MakeTuple)
	if !ok {
		return 0, false
	}
	parent, _ := shapeOf(p.exprType(call.Args[0]))
	_, dtype := shapeOf(v.Type)
	return ir.SliceSpan(parent, requested.Elems, dtype)
}

// shapeOf is the shape and element type of a tile or tensor type.
func shapeOf(t ir.Type) ([]ir.Expr, ir.DType) {
	switch t := t.(type) {
	case *ir.TileType:
		return t.Shape, t.DType
	case *ir.TensorType:
		return t.Shape, t.DType
	}
	return nil, ir.NoDType
}

// sliceOffset is the byte offset of a slice within its parent, in the
// parent's own packed row-major layout, also when the parent is itself a
// slice (spec 03 §7.4.2).
func (p *initPass) sliceOffset(call *ir.Call) (ir.Expr, *Error) {
	if len(call.Args) < 3 {
		return indexZero, nil
	}
	offsets := []ir.Expr{call.Args[2]}
	if t, ok := call.Args[2].(*ir.MakeTuple); ok {
		offsets = t.Elems
	}
	shape, dtype := shapeOf(p.exprType(call.Args[0]))
	if len(offsets) != len(shape) {
		return nil, p.errorf(InternalError, passInitMemRef,
			"Internal error: slice offset rank (%d) must match parent shape rank (%d)", len(offsets), len(shape)).at(call.Span)
	}
	e := ir.Expr(indexZero)
	for i, o := range offsets {
		stride := ir.Expr(indexOne)
		for _, d := range shape[i+1:] {
			stride = mulIndex(stride, d)
		}
		e = addIndex(e, mulIndex(o, stride))
	}
	if bits := dtype.StorageBits(); bits%8 == 0 {
		return mulIndex(e, ir.Index(int64(bits/8))), nil
	}
	return p.nibbleOffset(e, call)
}

// nibbleOffset turns the linear element offset of a packed 4-bit slice into
// bytes.
func (p *initPass) nibbleOffset(e ir.Expr, call *ir.Call) (ir.Expr, *Error) {
	n, ok := ir.ConstValue(e)
	switch {
	case !ok:
		return nil, p.errorf(UserError, passInitMemRef,
			"Packed 4-bit slice offsets must be compile-time constants because MemRef cannot represent a dynamic nibble offset").at(call.Span)
	case n < 0:
		return nil, p.errorf(UserError, passInitMemRef,
			"Packed 4-bit slice offsets must be non-negative, but got logical offset %d", n).at(call.Span)
	case n%2 != 0:
		return nil, p.errorf(UserError, passInitMemRef,
			"Packed 4-bit slice origins must be byte-aligned; logical linear offset %d selects the second nibble of a byte", n).at(call.Span)
	}
	return ir.Index(n / 2), nil
}

var (
	indexZero = ir.Index(0)
	indexOne  = ir.Index(1)
)

// addIndex is the (+) of spec 03 §7.4.1: an INDEX sum, folded only when both
// sides are constant or one is the constant 0.
func addIndex(a, b ir.Expr) ir.Expr {
	x, xc := ir.ConstValue(a)
	y, yc := ir.ConstValue(b)
	switch {
	case xc && yc:
		return ir.Index(x + y)
	case yc && y == 0:
		return a
	case xc && x == 0:
		return b
	}
	return &ir.Binary{Op: ir.Add, X: a, Y: b, DType: ir.INDEX}
}

// mulIndex is the (*) of spec 03 §7.4.1: an INDEX product, folded only when
// both sides are constant or one is the constant 1.
func mulIndex(a, b ir.Expr) ir.Expr {
	x, xc := ir.ConstValue(a)
	y, yc := ir.ConstValue(b)
	switch {
	case xc && yc:
		return ir.Index(x * y)
	case yc && y == 1:
		return a
	case xc && x == 1:
		return b
	}
	return &ir.Binary{Op: ir.Mul, X: a, Y: b, DType: ir.INDEX}
}
