package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

func (r *reader) tileType(n irsyntax.Ref, parts []irsyntax.Ref) (ir.Type, bool) {
	if len(parts) > 0 && parts[0].Kind() == irsyntax.Ellipsis {
		return r.shorthandTile(parts)
	}
	if len(parts) < 2 || len(parts) > 5 {
		r.problem(TypeErr, r.span(n.Child(1)), "Tile subscript requires [shape, dtype], [shape, dtype, tileview_or_memory_space], [shape, dtype, memref, memory_space], or [shape, dtype, memref, memory_space, tileview], got: "+unparse(n),
			"Use pl.Tile[[shape], dtype], pl.Tile[[shape], dtype, pl.Mem.Vec], pl.Tile[[shape], dtype, pl.MemRef(...), pl.Mem.Vec], or pl.Tile[[shape], dtype, pl.MemRef(...), pl.Mem.Vec, pl.TileView(...)]")
		return ir.Unknown, false
	}
	shape, ok := r.shape(parts[0])
	d, ok2 := r.dtype(parts[1])
	x := r.tileExtras(parts[2:])
	var mem *ir.MemRef
	if x.mem.Ok() {
		mem = r.memref(x.mem, shape, d, x.space)
		if x.space < 0 && mem != nil {
			if s := r.spaceOfBase(mem.Base); s >= 0 {
				x.space = s
				r.out.Shorthand = true
			} else {
				r.problem(TypeErr, r.span(x.mem), "Tile annotation with a memref argument must also specify explicit memory space",
					`Use pl.Tile[[shape], dtype, pl.MemRef(base, offset, size), pl.Mem.Vec], pl.Tile[[shape], dtype, pl.MemRef("scratch"), pl.Mem.Vec], or pl.Tile[[shape], dtype, memref_var, pl.Mem.Vec]`)
				mem = nil
			}
		}
	}
	var view *ir.TileView
	if x.view.Ok() {
		view = r.tileView(x.view, shape, x.space)
	}
	if text := ir.CheckShaped(shape, d); text != "" && ok && ok2 {
		r.funcProblem(r.span(n), text)
		return ir.Unknown, false
	}
	t := ir.NewTileType(shape, d, view, x.space)
	if t.View == nil && view != nil && r.opt.Policy == Dump && emptyTensorView(x.view) {
		t.View = view
	}
	t.MemRef = mem
	return t, ok && ok2
}

// shorthandTile is `Tile[..., MemRef(m, 0, S)]`: shape and dtype unknown.
func (r *reader) shorthandTile(parts []irsyntax.Ref) (ir.Type, bool) {
	r.out.Shorthand = true
	x := r.tileExtras(parts[1:])
	t := &ir.TileType{Space: x.space}
	if x.mem.Ok() {
		t.MemRef = r.memref(x.mem, nil, ir.NoDType, x.space)
		if t.Space < 0 && t.MemRef != nil {
			t.Space = r.spaceOfBase(t.MemRef.Base)
		}
	}
	return t, true
}

type tileExtra struct {
	mem, view irsyntax.Ref
	space     ir.Space
}

// tileExtras classifies the arguments after shape and dtype.
func (r *reader) tileExtras(parts []irsyntax.Ref) tileExtra {
	x := tileExtra{space: noSpace}
	for _, p := range parts {
		switch {
		case r.isMemRef(p):
			if x.mem.Ok() {
				r.problem(TypeErr, r.span(p), "Tile annotation can contain at most one memref argument", "Remove the duplicate pl.MemRef(...) / MemRefType argument")
				continue
			}
			x.mem = p
		case p.Kind() == irsyntax.Call && lastComponent(p.First()) == "TileView":
			if x.view.Ok() {
				r.problem(TypeErr, r.span(p), "Tile annotation can contain at most one pl.TileView(...)", "Remove the duplicate pl.TileView(...) argument")
				continue
			}
			x.view = p
		default:
			s, ok := r.memSpace(p)
			if !ok {
				if p.Kind() != irsyntax.Name || !r.env.opaque(p.Text()) {
					r.badTileExtra(p)
				}
				continue
			}
			if x.space >= 0 {
				r.problem(TypeErr, r.span(p), "Tile annotation can contain at most one memory-space argument", "Remove the duplicate pl.Mem.<space> argument")
				continue
			}
			x.space = s
		}
	}
	return x
}

// badTileExtra reports an argument that no tile annotation can have.
func (r *reader) badTileExtra(p irsyntax.Ref) {
	if p.Kind() == irsyntax.Attribute {
		if q := lastComponent(p.First()); q == "Mem" || q == "MemorySpace" {
			r.unknownSpace(p)
			return
		}
	}
	if _, layout := parseLayout(lastComponent(p)); layout || p.Kind() == irsyntax.Call && lastComponent(p.First()) == "TensorView" {
		r.problem(TypeErr, r.span(p), "Tile does not accept layouts like "+unparse(p), "Use pl.TileView(...) for tile views, or use pl.Tensor[...] for layout annotations")
		return
	}
	r.problem(TypeErr, r.span(p), "Unsupported Tile annotation argument: "+unparse(p), "Use pl.TileView(...), pl.Mem.<space>, pl.MemRef(...), and/or a MemRefType variable")
}

// unknownSpace reports a `pl.Mem.X` that is none.
func (r *reader) unknownSpace(n irsyntax.Ref) {
	r.problem(TypeErr, r.span(n), "Unknown memory space: "+n.Child(1).Text(), "Use one of: DDR, Vec, Mat, Left, Right, Acc, Bias, LeftScale, RightScale")
}

// memSpace reads `pl.Mem.X`; the shorthand `Vec` too.
func (r *reader) memSpace(n irsyntax.Ref) (ir.Space, bool) {
	switch n.Kind() {
	case irsyntax.Attribute:
		q := lastComponent(n.First())
		if q == "Mem" || q == "MemorySpace" {
			return platforms.ParseSpace(n.Child(1).Text())
		}
	case irsyntax.Name:
		if v, ok := r.global(n.Text()); ok {
			if e, ok := v.(ir.Enum); ok {
				return platforms.ParseSpace(lastDot(string(e)))
			}
		}
		if s, ok := platforms.ParseSpace(n.Text()); ok {
			r.out.Shorthand = true
			return s, true
		}
	}
	return noSpace, false
}

func (r *reader) tileView(n irsyntax.Ref, shape []ir.Expr, space ir.Space) *ir.TileView {
	imp := *ir.ImplicitView(shape, space)
	v := &imp
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			r.problem(TypeErr, r.span(n), "pl.TileView() does not accept positional arguments, got: "+unparse(n), "Use keyword arguments: pl.TileView(valid_shape=[...], stride=[...], ...)")
			return v
		}
		r.tileViewField(v, a)
	}
	return v
}

func (r *reader) tileViewField(v *ir.TileView, a irsyntax.Ref) {
	val := a.Child(1)
	if r.unknownField(a) {
		return
	}
	switch key := a.First().Text(); key {
	case "valid_shape":
		v.ValidShape = r.tileViewList(val)
	case "stride":
		v.Stride = r.tileViewList(val)
	case "start_offset":
		v.StartOffset = r.viewExpr(val)
	case "blayout":
		v.BLayout = r.tileLayout(val)
	case "slayout":
		v.SLayout = r.tileLayout(val)
	case "fractal":
		f, ok := r.constInt(val)
		if !ok {
			r.problem(TypeErr, r.span(val), "TileView fractal must be an integer, got: "+unparse(val), "")
			return
		}
		v.Fractal = int(f)
	case "pad":
		v.Pad = r.padOf(val)
	case "compact":
		c, ok := r.viewEnum(val, "CompactMode")
		if !ok {
			r.problem(TypeErr, r.span(val), "Unknown CompactMode value: "+unparse(val), "Use pl.CompactMode.null or pl.CompactMode.normal")
			return
		}
		v.Compact = ir.Compact(c)
	default:
		r.problem(TypeErr, r.span(a), "Unknown TileView keyword argument: '"+key+"'", "Supported: valid_shape, stride, start_offset, blayout, slayout, fractal, pad, compact")
	}
}

func (r *reader) tileViewList(val irsyntax.Ref) []ir.Expr {
	if val.Kind() != irsyntax.List && val.Kind() != irsyntax.Tuple && val.Kind() != irsyntax.Name {
		r.problem(TypeErr, r.span(val), "Expected a list, got: "+unparse(val), "Use a list like [64, 32]")
		return nil
	}
	return r.viewExprs(val)
}

func (r *reader) tileLayout(val irsyntax.Ref) ir.TileLayout {
	l, ok := r.viewEnum(val, "TileLayout")
	if !ok {
		r.problem(TypeErr, r.span(val), "Unknown TileLayout value: "+unparse(val), "Use pl.TileLayout.none_box, pl.TileLayout.row_major, or pl.TileLayout.col_major")
	}
	return ir.TileLayout(l)
}

// isMemRef reports whether an annotation argument denotes a MemRef.
func (r *reader) isMemRef(n irsyntax.Ref) bool {
	switch n.Kind() {
	case irsyntax.Call:
		return lastComponent(n.First()) == "MemRef"
	case irsyntax.Keyword:
		return n.First().Text() == "memref"
	case irsyntax.Subscript:
		return r.isMemRef(n.First())
	case irsyntax.Name:
		if v := r.scope[n.Text()]; v != nil {
			_, ptr := v.Type.(*ir.PtrType)
			return ptr
		}
		v, ok := r.global(n.Text())
		if !ok {
			return false
		}
		_, decl := v.(*Decl)
		return decl
	}
	return false
}

// memref reads a MemRef (spec 01 §6.6, shorthand §13) of a value with the
// given shape, dtype and space.
func (r *reader) memref(n irsyntax.Ref, shape []ir.Expr, d ir.DType, space ir.Space) *ir.MemRef {
	switch n.Kind() {
	case irsyntax.Keyword: // memref=m
		r.out.Shorthand = true
		v := n.Child(1)
		if v.Kind() == irsyntax.Name {
			return r.shorthandRef(v.Text(), shape, d)
		}
		if !r.isMemRef(v) {
			return nil
		}
		return r.memref(v, shape, d, space)
	case irsyntax.Subscript:
		m := r.memref(n.First(), shape, d, space)
		if m == nil {
			return nil
		}
		out := *m
		out.Slot = r.viewExpr(n.Child(1))
		if k, ok := ir.ConstValue(out.Slot); ok {
			out.Slot = ir.Index(k)
		}
		r.checkSlot(n, &out)
		return &out
	case irsyntax.Name:
		if v, ok := r.global(n.Text()); ok {
			if decl, ok := v.(*Decl); ok {
				return r.declared(n, n.Text(), decl)
			}
		}
		return r.shorthandRef(n.Text(), shape, d)
	}
	return r.memrefCall(n, shape, d)
}

func (r *reader) checkSlot(n irsyntax.Ref, m *ir.MemRef) {
	verb, hint := "declared with", "Declare it as pl.MemRef(slots=N) to subscript it, or reference '"+m.Base.Name+"' without a subscript"
	single := "'" + m.Base.Name + "' was declared with a single slot, so it cannot be subscripted"
	if !m.Pinned {
		verb, hint = "which holds", "Print/parse a multi-slot MemRef as pl.MemRef(base, offset, size, slots=N)[k]"
		single = "'" + m.Base.Name + "' holds a single slot, so it cannot be subscripted"
	}
	if m.Slots <= 1 {
		r.problem(TypeErr, r.span(n), single, hint)
		return
	}
	if k, ok := ir.ConstValue(m.Slot); ok && (k < 0 || k >= int64(m.Slots)) {
		hint = "Subscript within [0, " + itoa(int64(m.Slots)) + ")"
		if m.Pinned {
			hint = "Subscript within [0, " + itoa(int64(m.Slots)) + "), or declare more slots"
		}
		r.problem(TypeErr, r.span(n), "Slot index "+itoa(k)+" is out of range for '"+m.Base.Name+"', "+verb+" "+itoa(int64(m.Slots))+" slot(s)", hint)
	}
}

// declared is a reference to a module-level declaration.
func (r *reader) declared(n irsyntax.Ref, name string, decl *Decl) *ir.MemRef {
	if decl.Name == "" && decl.Var != "" && decl.Var != name {
		r.problem(TypeErr, r.span(n), "Declared allocation '"+decl.Var+"' is also referenced as '"+name+"'",
			"An unnamed pl.MemRef() is named after its variable, so aliasing it ('"+name+" = "+decl.Var+"') is ambiguous. Reference it as '"+decl.Var+"', declare a separate pl.MemRef(), or name it explicitly with pl.MemRef(\"...\")")
	}
	full := decl.Name
	if full == "" {
		full = name
	}
	if r.declName == nil {
		r.declName = map[string]*Decl{}
	}
	if other := r.declName[full]; other != nil && other != decl {
		r.problem(TypeErr, r.span(n), "Two separate pl.MemRef() declarations both resolve to the name '"+full+"'",
			"Declared allocations are identified by name within a function. Give one of them an explicit name with pl.MemRef(\"...\")")
	}
	r.declName[full] = decl
	if decl.Slots < 1 {
		// The reference fails where Python makes the declaration.
		r.problem(TypeErr, r.span(n), "A declared allocation must have at least one slot, got slots="+itoa(int64(decl.Slots)), "")
	}
	return r.pinnedRef(full, max(decl.Slots, 1))
}

func (r *reader) pinnedRef(name string, slots int) *ir.MemRef {
	if r.pinned == nil {
		r.pinned = map[string]*ir.Var{}
	}
	b := r.pinned[name]
	if b == nil {
		b = r.newVar(ir.BaseVar, name, &ir.PtrType{}, ir.Span{})
		r.pinned[name] = b
	}
	return &ir.MemRef{Base: b, Offset: zeroInt64, Pinned: true, Slots: slots}
}

var zeroInt64 = &ir.ConstInt{DType: ir.INT64}

// base interns a base by name (spec 01 §6.6).
func (r *reader) base(name string) *ir.Var {
	if v := r.scope[name]; v != nil {
		if _, ok := v.Type.(*ir.PtrType); ok {
			return v
		}
	}
	if b := r.bases[name]; b != nil {
		return b
	}
	if r.bases == nil {
		r.bases = map[string]*ir.Var{}
	}
	b := r.newVar(ir.BaseVar, name, &ir.PtrType{}, ir.Span{})
	r.bases[name] = b
	return b
}

// allocBase adopts the interned base for an allocation statement.
func (r *reader) allocBase(name string, t *ir.PtrType, sp ir.Span) *ir.Var {
	b := r.bases[name]
	if b == nil || b.Kind != ir.BaseVar {
		b = r.newVar(ir.PlainVar, name, t, sp)
		if r.bases == nil {
			r.bases = map[string]*ir.Var{}
		}
		r.bases[name] = b
	} else {
		b.Kind, b.Type, b.Span = ir.PlainVar, t, sp
	}
	r.bind(name, b)
	return b
}

// spaceOfBase is the space an allocation statement or its name gives.
func (r *reader) spaceOfBase(b *ir.Var) ir.Space {
	if a, ok := r.allocs[b]; ok && a.space >= 0 {
		return a.space
	}
	return spaceOfName(b.Name)
}

// spaceOfName reads `mem_<space>_<n>`.
func spaceOfName(name string) ir.Space {
	if len(name) > 4 && name[:4] == "mem_" {
		for i := 4; i < len(name); i++ {
			if name[i] == '_' {
				if s, ok := platforms.ParseLowerSpace(name[4:i]); ok {
					return s
				}
				break
			}
		}
	}
	return noSpace
}
