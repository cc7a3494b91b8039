package read

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
	"pypto-ls/irsyntax"
)

// region is the rectangle that a subscript of a tensor or tile means: one
// offset and extent an axis, and the axes that a scalar index removes.
type region struct {
	offsets, extents []ir.Expr
	// logical are the extents as written; they differ from extents where a
	// tile's storage has to be static.
	logical []ir.Expr
	dropped []int
	scalars int // scalar positions, all of them offsets of extent 1
}

// indexList are the positions of a subscript.
func indexList(idx irsyntax.Ref) []irsyntax.Ref {
	if idx.Kind() != irsyntax.Tuple {
		return []irsyntax.Ref{idx}
	}
	var out []irsyntax.Ref
	for c := idx.First(); c.Ok(); c = c.Next() {
		out = append(out, c)
	}
	return out
}

// positions reads the indices of a subscript; nil after a reported error.
// static asks for constant lower bounds and extents (reading a tile).
func (r *reader) positions(n irsyntax.Ref, shape []ir.Expr, idx []irsyntax.Ref, stepText, stepHelp string, static bool) *region {
	g := &region{}
	for i, c := range idx {
		if c.Kind() != irsyntax.Slice {
			g.add(r.expr(c), index(1), index(1))
			g.dropped = append(g.dropped, i)
			g.scalars++
			continue
		}
		if c.NumChildren() > 2 && !c.Child(2).IsEmpty() {
			r.problem(Syntax, r.span(n), stepText, stepHelp)
			return nil
		}
		var lower, upper ir.Expr = index(0), shape[i]
		if l := c.First(); !l.IsEmpty() {
			lower = r.expr(l)
		}
		if u := c.Child(1); !u.IsEmpty() {
			upper = r.expr(u)
		}
		logical := arith.Sub(upper, lower)
		extent := logical
		if static {
			var ok bool
			if extent, ok = r.staticExtent(n, shape[i], lower, upper); !ok {
				return nil
			}
		}
		g.add(lower, extent, logical)
	}
	for _, d := range shape[len(idx):] {
		g.add(index(0), d, d)
	}
	return g
}

func (g *region) add(offset, extent, logical ir.Expr) {
	g.offsets = append(g.offsets, offset)
	g.extents = append(g.extents, extent)
	g.logical = append(g.logical, logical)
}

// staticExtent is the storage of a window of a tile: what its bounds say, or
// everything up to the end of the axis when the upper bound is not constant.
func (r *reader) staticExtent(n irsyntax.Ref, dim, lower, upper ir.Expr) (ir.Expr, bool) {
	lo, ok := ir.ConstValue(lower)
	if !ok {
		if !isUnknown(exprType(lower)) {
			r.problem(Syntax, r.span(n), "Dynamic lower bounds are not supported in tile subscript", "Use a constant tile slice lower bound or rewrite the logic with explicit tile ops")
		}
		return nil, false
	}
	hi, ok := ir.ConstValue(upper)
	if d, static := ir.ConstValue(dim); static && (!ok || hi > d) {
		hi, ok = d, true
	}
	if !ok || hi <= lo {
		r.problem(Syntax, r.span(n), "Tile subscript must produce a positive static extent", "Keep tile slice bounds within the source static shape and ensure upper > lower")
		return nil, false
	}
	return index(hi - lo), true
}

// window reads `t[i:j, k]` of a tensor or tile (spec 01 §8.4).
func (r *reader) window(n irsyntax.Ref, x ir.Expr, idx irsyntax.Ref) ir.Expr {
	kind, cat := "tensor", "Tensor"
	_, tile := exprType(x).(*ir.TileType)
	if tile {
		kind, cat = "tile", "Tile"
	}
	shape := shapeOf(exprType(x))
	list := indexList(idx)
	if len(list) > len(shape) {
		r.problem(TypeErr, r.span(n), cat+" subscript has "+itoa(int64(len(list)))+" indices but the "+kind+" is "+itoa(int64(len(shape)))+"D",
			"Provide at most "+itoa(int64(len(shape)))+" indices for a "+itoa(int64(len(shape)))+"D "+kind)
		return unknownExpr(n)
	}
	g := r.positions(n, shape, list, "Slice step is not supported in "+kind+" subscript", "Use A[start:stop] without step", tile)
	if g == nil {
		return unknownExpr(n)
	}
	if g.scalars == len(shape) {
		return r.sugar(n, kind+".read", x, &ir.MakeTuple{Elems: g.offsets})
	}
	args := []ir.Expr{x, &ir.MakeTuple{Elems: g.extents}, &ir.MakeTuple{Elems: g.offsets}}
	if !ir.ExprsEqual(g.logical, g.extents) {
		args = append(args, &ir.MakeTuple{Elems: g.logical})
	}
	if len(g.dropped) > 0 {
		if len(args) == 3 {
			args = append(args, &ir.MakeTuple{})
		}
		args = append(args, dims(g.dropped))
		if tile && len(shape)-len(g.dropped) < 2 {
			r.warn(r.span(n), "tile subscript: the result is padded to 2-D, tiles have at least two axes", "Keep the axis with a slice of extent 1, e.g. t[i:i + 1, :]")
		}
	}
	return r.sugar(n, kind+".slice", args...)
}

func dims(axes []int) *ir.MakeTuple {
	t := &ir.MakeTuple{}
	for _, a := range axes {
		t.Elems = append(t.Elems, index(int64(a)))
	}
	return t
}

// sugar builds the operator call that subscript syntax stands for. Its errors
// have no position of their own in the reference.
func (r *reader) sugar(n irsyntax.Ref, name string, args ...ir.Expr) ir.Expr {
	c := &ir.Call{Name: name, Op: lookupOp(name), Args: args, Span: r.span(n)}
	return r.typed(n, c, nil, nil)
}

// subscriptAssign reads `t[i:j, k] = src` (spec 01 §7.2).
func (r *reader) subscriptAssign(s, target, value irsyntax.Ref, out *[]ir.Stmt) {
	if r.strict {
		r.problem(Syntax, r.span(target), "Subscript-write syntax 'dst[...] = src' is only supported before SSA conversion", "Rewrite as an explicit pl.assemble(...) call, or remove strict_ssa=True")
		return
	}
	base := target.First()
	if base.Kind() != irsyntax.Name {
		r.problem(Syntax, r.span(target), "Subscript-write target must be a variable name, got "+unparse(base), "Assign through a named Tensor/Tile, e.g. 'dst[...] = src'")
		return
	}
	m := r.meta(s)
	x := r.name(base)
	var e ir.Expr
	switch t := exprType(x).(type) {
	case *ir.ArrayType:
		e = r.arrayUpdate(s, target, x, t, value)
	case *ir.TensorType, *ir.TileType:
		e = r.windowWrite(s, target, x, value)
	case *ir.UnknownType:
		r.expr(value)
		return
	default:
		r.problem(TypeErr, r.span(target), "Subscript-write requires a Tensor, Tile, or Array target, got "+TypeClass(t), "Subscript-write 'dst[...] = src' is only supported for Tensor, Tile, and Array")
	}
	if e == nil {
		return
	}
	v := r.define(base.Text(), exprType(e), r.span(base))
	*out = append(*out, &ir.Assign{StmtMeta: m, Var: v, Value: e})
}

// arrayUpdate is `a[i] = v`; an int literal takes the element type.
func (r *reader) arrayUpdate(s, target irsyntax.Ref, x ir.Expr, t *ir.ArrayType, value irsyntax.Ref) ir.Expr {
	idx := target.Child(1)
	if idx.Kind() == irsyntax.Tuple || idx.Kind() == irsyntax.Slice {
		r.problem(TypeErr, r.span(target), "Array subscript-write requires a single index (rank-1 in v1)", "Use arr[i] = v, not arr[i, j] = v")
		return nil
	}
	i := r.expr(idx)
	v := r.expr(value)
	if c, ok := v.(*ir.ConstInt); ok && c.DType == ir.INDEX && t.DType.IsInt() {
		v = &ir.ConstInt{Value: c.Value, DType: t.DType}
	}
	return r.sugar(s, "array.update_element", x, i, v)
}

// windowWrite is `dst[...] = src` of a tensor or tile: an assemble at the
// window's offset.
func (r *reader) windowWrite(s, target irsyntax.Ref, x ir.Expr, value irsyntax.Ref) ir.Expr {
	kind, cat := "tensor", "Tensor"
	_, tile := exprType(x).(*ir.TileType)
	if tile {
		kind, cat = "tile", "Tile"
	}
	shape := shapeOf(exprType(x))
	list := indexList(target.Child(1))
	rank := itoa(int64(len(shape)))
	if len(list) > len(shape) {
		r.problem(TypeErr, r.span(target), cat+" subscript-write has "+itoa(int64(len(list)))+" indices but the "+kind+" is "+rank+"D", "Provide at most "+rank+" indices for a "+rank+"D "+kind)
		return nil
	}
	g := r.positions(target, shape, list, "Slice step is not supported in "+kind+" subscript-write", "Use 'dst[start:stop] = src' without step", false)
	if g == nil {
		return nil
	}
	if g.scalars == len(shape) {
		r.problem(Syntax, r.span(target), "Element-write 'dst[i, j] = scalar' is not supported for "+kind+" targets", "Use slice indices (e.g. 'dst[i:i+1, j:j+1] = tile_1x1') or index fewer axes")
		return nil
	}
	src := r.expr(value)
	st := exprType(src)
	if isUnknown(st) {
		return nil
	}
	if _, ok := st.(*ir.TileType); TypeClass(st) != TypeClass(exprType(x)) && (tile || ok || shapeOf(st) == nil) {
		r.problem(TypeErr, r.span(target), "Subscript-write source must also be a "+cat+", got "+TypeClass(st), "The rhs of 'dst[...] = src' must be a "+cat+" of matching shape")
		return nil
	}
	src, ok := r.fitSource(s, target, g, src, kind, tile)
	if !ok {
		return nil
	}
	return r.sugar(s, kind+".assemble", x, src, &ir.MakeTuple{Elems: g.offsets})
}

// fitSource checks the source of a window write and reshapes a rank-reduced
// one to the full-rank window.
func (r *reader) fitSource(s, target irsyntax.Ref, g *region, src ir.Expr, kind string, tile bool) (ir.Expr, bool) {
	st := exprType(src)
	shape, valid := shapeOf(st), ir.ValidShape(st)
	var window []ir.Expr
	for i, e := range g.extents {
		if !containsInt(g.dropped, i) {
			window = append(window, e)
		}
	}
	kept := len(window)
	expected := itoa(int64(kept)) + "D"
	if tile && kept < 2 {
		expected += " or 2D"
	}
	if len(shape) != kept && !(tile && kept < 2 && len(shape) == 2) {
		r.problem(TypeErr, r.span(target), "Subscript-write source must be "+expected+" to match the rank-reduced "+kind+" window, got "+itoa(int64(len(shape)))+"D",
			"A scalar index removes its axis from the lhs window; the rhs rank must match the remaining axes (tiles may also keep leading unit axes to stay 2D)")
		return nil, false
	}
	for len(window) < len(shape) {
		window = append([]ir.Expr{index(1)}, window...)
	}
	for i := range window {
		w, ok1 := ir.ConstValue(window[i])
		have, ok2 := ir.ConstValue(shape[i])
		if !ok1 || !ok2 || w == have {
			continue
		}
		if i < len(valid) {
			if v, static := ir.ConstValue(valid[i]); !static || v == w {
				continue
			}
		}
		r.problem(TypeErr, r.span(target), "Subscript-write shape mismatch on source axis "+itoa(int64(i))+": window expects "+itoa(w)+" elements, source has "+itoa(have),
			"Make the source's static_shape or valid_shape match the rank-reduced lhs window, or adjust the slice bounds")
		return nil, false
	}
	if len(shape) != len(g.extents) {
		src = r.sugar(s, kind+".reshape", src, &ir.MakeTuple{Elems: g.extents})
	}
	return src, true
}

func containsInt(list []int, n int) bool {
	for _, v := range list {
		if v == n {
			return true
		}
	}
	return false
}
