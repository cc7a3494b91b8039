package printer

import "pypto-ls/ir"

func (p *printer) typ(t ir.Type) {
	switch t := t.(type) {
	case *ir.ScalarType:
		p.s("pl.Scalar[pl.")
		p.s(t.DType.String())
		p.s("]")
	case *ir.TileType:
		p.tile(t)
	case *ir.TensorType:
		p.tensor(t)
	case *ir.ArrayType:
		p.s("pl.Array[")
		p.int(t.Extent)
		p.s(", pl.")
		p.s(t.DType.String())
		p.s("]")
	case *ir.TupleType:
		p.s("pl.Tuple[")
		if len(t.Elems) == 0 {
			p.s("()")
		}
		for i, e := range t.Elems {
			if i > 0 {
				p.s(", ")
			}
			p.typ(e)
		}
		p.s("]")
	case *ir.PtrType:
		if t.Legacy {
			p.s("pl.MemRefType")
		} else {
			p.s("pl.Ptr")
		}
	case *ir.MarkerType:
		p.s(t.Name)
	default:
		p.s("pl.UnknownType")
	}
}

func (p *printer) tile(t *ir.TileType) {
	p.s("pl.Tile[")
	p.dims2(t.Shape)
	p.s(", pl.")
	p.s(t.DType.String())
	if t.MemRef != nil {
		p.s(", ")
		p.memref(t.MemRef)
	}
	if t.Space >= 0 {
		p.s(", pl.Mem.")
		p.s(t.Space.String())
	}
	view := t.View
	if p.opt.Explicit && view == nil {
		view = ir.ImplicitView(t.Shape, t.Space)
	}
	if view != nil {
		p.s(", ")
		p.tileView(t, view)
	}
	p.s("]")
}

// fields prints `pl.X(a=…, b=…)` keyword by keyword.
type fields struct {
	p     *printer
	first bool
}

func (f *fields) key(k string) {
	if !f.first {
		f.p.s(", ")
	}
	f.first = false
	f.p.s(k)
	f.p.s("=")
}

func (p *printer) tileView(t *ir.TileType, v *ir.TileView) {
	p.s("pl.TileView(")
	f := &fields{p, true}
	if len(v.ValidShape) > 0 && !ir.ExprsEqual(v.ValidShape, t.Shape) {
		f.key("valid_shape")
		p.dims2(v.ValidShape)
	}
	if len(v.Stride) > 0 {
		f.key("stride")
		p.dims2(v.Stride)
	}
	if v.StartOffset != nil {
		f.key("start_offset")
		p.dim(v.StartOffset)
	}
	imp := ir.ImplicitView(t.Shape, t.Space)
	if p.opt.Explicit || v.BLayout != imp.BLayout {
		f.key("blayout")
		p.s("pl.TileLayout." + v.BLayout.String())
	}
	if p.opt.Explicit || v.SLayout != imp.SLayout {
		f.key("slayout")
		p.s("pl.TileLayout." + v.SLayout.String())
	}
	if p.opt.Explicit || v.Fractal != imp.Fractal {
		f.key("fractal")
		p.int(int64(v.Fractal))
	}
	if v.Pad != ir.PadNull {
		f.key("pad")
		p.s("pl.PadValue." + v.Pad.String())
	}
	if v.Compact != ir.CompactNull {
		f.key("compact")
		p.s("pl.CompactMode." + v.Compact.String())
	}
	p.s(")")
}

func (p *printer) tensor(t *ir.TensorType) {
	if t.Distributed {
		p.s("pld.DistributedTensor[")
	} else {
		p.s("pl.Tensor[")
	}
	p.dims2(t.Shape)
	p.s(", pl.")
	p.s(t.DType.String())
	if t.View != nil {
		p.s(", ")
		p.tensorView(t)
	}
	if t.MemRef != nil {
		p.s(", ")
		p.memref(t.MemRef)
	}
	p.s("]")
}

func (p *printer) tensorView(t *ir.TensorType) {
	v := t.View
	p.s("pl.TensorView(")
	f := &fields{p, true}
	valid := len(v.ValidShape) > 0 && !ir.ExprsEqual(v.ValidShape, t.Shape)
	if valid {
		f.key("valid_shape")
		p.dims2(v.ValidShape)
	}
	if valid || len(v.Stride) > 0 || v.Layout != ir.LayoutND || v.Pad != ir.PadNull {
		f.key("stride")
		p.dims2(v.Stride)
		f.key("layout")
		p.s("pl.TensorLayout." + v.Layout.String())
	}
	if v.Pad != ir.PadNull {
		f.key("pad")
		p.s("pl.PadValue." + v.Pad.String())
	}
	p.s(")")
}

func (p *printer) dims2(es []ir.Expr) {
	p.s("[")
	for i, e := range es {
		if i > 0 {
			p.s(", ")
		}
		p.dim(e)
	}
	p.s("]")
}

// dim prints a dimension: constants bare, variables by name, anything else
// with every constant spelled out and function-local names unrenamed.
func (p *printer) dim(e ir.Expr) {
	switch e := e.(type) {
	case *ir.ConstInt:
		p.int(e.Value)
	case *ir.Var:
		p.varName(e)
	default:
		old := p.rawNames
		p.rawNames = true
		p.expr(e, true)
		p.rawNames = old
	}
}

func (p *printer) memref(m *ir.MemRef) {
	p.s("pl.MemRef(")
	if m.Pinned {
		p.quoted(m.Base.Name)
	} else {
		if !p.signature && p.isAllocated(m.Base) {
			p.varName(m.Base)
		} else {
			p.quoted(m.Base.Name)
		}
		if m.Offset != nil {
			p.s(", ")
			p.expr(m.Offset, false)
			p.s(", ")
			p.uint(m.Size)
		}
	}
	if m.Slots > 1 {
		p.s(", slots=")
		p.int(int64(m.Slots))
	}
	p.s(")")
	if m.Slot != nil {
		p.s("[")
		p.expr(m.Slot, false)
		p.s("]")
	}
}

func (p *printer) isAllocated(v *ir.Var) bool {
	return v.ID >= 0 && int(v.ID) < len(p.allocated) && p.allocated[v.ID]
}
