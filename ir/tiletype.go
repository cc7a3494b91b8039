package ir

import (
	"fmt"

	"pypto-ls/platforms"
)

// The implicit views by memory space (spec 01 §6.5, 02 §3.3), shared by all
// types: index 0 for a row-major, 1 for a column-major shape.
var implicitViews = func() (t [2][platforms.NumSpaces]*TileView) {
	for i, shaped := range [2]TileLayout{RowMajor, ColMajor} {
		flat := &TileView{BLayout: shaped, SLayout: NoneBox, Fractal: 512}
		nz := &TileView{BLayout: ColMajor, SLayout: RowMajor, Fractal: 512}
		for s := range platforms.Space(platforms.NumSpaces) {
			t[i][s] = flat
		}
		t[i][platforms.Mat], t[i][platforms.Left] = nz, nz
		t[i][platforms.Right] = &TileView{BLayout: shaped, SLayout: ColMajor, Fractal: 512}
		t[i][platforms.Acc] = &TileView{BLayout: ColMajor, SLayout: RowMajor, Fractal: 1024}
		t[i][platforms.LeftScale] = &TileView{BLayout: RowMajor, SLayout: RowMajor, Fractal: 32}
		t[i][platforms.RightScale] = &TileView{BLayout: ColMajor, SLayout: ColMajor, Fractal: 32}
	}
	return t
}()

// ShapeBLayout is the block layout implied by a shape alone: col_major for a
// constant [N, 1] with N > 1, else row_major.
func ShapeBLayout(shape []Expr) TileLayout {
	if len(shape) != 2 {
		return RowMajor
	}
	rows, okRows := ConstValue(shape[0])
	cols, okCols := ConstValue(shape[1])
	if okRows && okCols && cols == 1 && rows > 1 {
		return ColMajor
	}
	return RowMajor
}

// ImplicitView is the view that a tile of this shape has in this space when
// its type names none; its ValidShape is empty. The value is shared and must
// not be changed.
func ImplicitView(shape []Expr, space Space) *TileView {
	i := 0
	if ShapeBLayout(shape) == ColMajor {
		i = 1
	}
	if space < 0 || space >= platforms.NumSpaces {
		space = platforms.DDR // same row of the table as "no space"
	}
	return implicitViews[i][space]
}

// NewTileType builds a tile type in canonical form (spec 02 §3.4): a valid
// shape equal to the shape is cleared, a view that says nothing beyond the
// implicit one of (shape, space) is dropped. view may be nil and is not
// changed. CheckShaped tells whether the type is legal at all.
func NewTileType(shape []Expr, dtype DType, view *TileView, space Space) *TileType {
	return &TileType{Shape: shape, DType: dtype, View: canonicalTileView(shape, view, space), Space: space}
}

// NewTileTypeOf is NewTileType for a view that is the caller's own: it takes
// memory only where the type keeps it.
func NewTileTypeOf(shape []Expr, dtype DType, view TileView, space Space) *TileType {
	t := &TileType{Shape: shape, DType: dtype, Space: space}
	if keepsView(&view, shape, space) {
		kept := view
		t.View = &kept
	}
	return t
}

// TileSlab is where the tile types that a pass makes of one function are
// allocated; see Slab.
type TileSlab struct {
	types Slab[TileType]
	views Slab[TileView]
}

// NewTileTypeOf is the function of that name.
func (s *TileSlab) NewTileTypeOf(shape []Expr, dtype DType, view TileView, space Space) *TileType {
	t := s.types.New()
	*t = TileType{Shape: shape, DType: dtype, Space: space}
	if keepsView(&view, shape, space) {
		t.View = s.views.New()
		*t.View = view
	}
	return t
}

// keepsView brings a view into canonical form and reports whether it says
// anything.
func keepsView(view *TileView, shape []Expr, space Space) bool {
	if len(view.ValidShape) > 0 {
		if !ExprsEqual(view.ValidShape, shape) {
			return true
		}
		view.ValidShape = nil
	}
	return !saysNothing(view, shape, space)
}

// saysNothing reports whether a view without valid shape is the implicit one.
func saysNothing(view *TileView, shape []Expr, space Space) bool {
	return len(view.Stride) == 0 && view.StartOffset == nil && view.Pad == PadNull && view.Compact == CompactNull &&
		sameTileLayout(view, ImplicitView(shape, space))
}

func canonicalTileView(shape []Expr, view *TileView, space Space) *TileView {
	if view == nil {
		return nil
	}
	if len(view.ValidShape) > 0 {
		if !ExprsEqual(view.ValidShape, shape) {
			return view
		}
		v := *view
		v.ValidShape = nil
		view = &v
	}
	if saysNothing(view, shape, space) {
		return nil
	}
	return view
}

// WithSpace is t in another memory space, canonicalised again with it: an
// absent view takes the implicit layout of the new space (spec 02 §3.4, the
// second step). The MemRef is kept.
func WithSpace(t *TileType, space Space) *TileType {
	if t.Space == space {
		return t
	}
	c := NewTileType(t.Shape, t.DType, t.View, space)
	c.MemRef = t.MemRef
	return c
}

// Place is WithSpace for a type that nobody else has seen yet.
func (t *TileType) Place(space Space) {
	t.View, t.Space = canonicalTileView(t.Shape, t.View, space), space
}

// EffectiveView is the explicit view of t with an empty valid shape replaced
// by the shape, or the implicit view of (shape, space) with the valid shape
// filled in likewise.
func EffectiveView(t *TileType) *TileView {
	view := t.View
	if view == nil {
		view = ImplicitView(t.Shape, t.Space)
	}
	if len(view.ValidShape) > 0 || len(t.Shape) == 0 {
		return view
	}
	v := *view
	v.ValidShape = t.Shape
	return &v
}

// LayoutView is EffectiveView without the valid shape filled in; it allocates
// nothing.
func (t *TileType) LayoutView() *TileView {
	if t.View != nil {
		return t.View
	}
	return ImplicitView(t.Shape, t.Space)
}

// ValidShape is the valid shape of a tile or tensor type: the explicit one,
// or the whole shape; nil for other types.
func ValidShape(t Type) []Expr {
	switch t := t.(type) {
	case *TileType:
		if t.View != nil && len(t.View.ValidShape) > 0 {
			return t.View.ValidShape
		}
		return t.Shape
	case *TensorType:
		if t.View != nil && len(t.View.ValidShape) > 0 {
			return t.View.ValidShape
		}
		return t.Shape
	}
	return nil
}

// IsFullyValid reports whether the valid shape of t equals its shape
// structurally (spec 08 §4.4); false for types without a shape.
func IsFullyValid(t Type) bool {
	switch t := t.(type) {
	case *TileType:
		return t.View == nil || len(t.View.ValidShape) == 0 || ExprsEqual(t.View.ValidShape, t.Shape)
	case *TensorType:
		return t.View == nil || len(t.View.ValidShape) == 0 || ExprsEqual(t.View.ValidShape, t.Shape)
	}
	return false
}

// NewTensorType builds a tensor type in canonical form (spec 01 §6.5): a valid
// shape equal to the shape is cleared; a view without stride, valid shape and
// pad in layout ND is dropped. view may be nil and is not changed.
func NewTensorType(shape []Expr, dtype DType, view *TensorView, distributed bool) *TensorType {
	if view != nil && len(view.ValidShape) > 0 && ExprsEqual(view.ValidShape, shape) {
		v := *view
		v.ValidShape = nil
		view = &v
	}
	if view != nil && len(view.ValidShape) == 0 && len(view.Stride) == 0 && view.Layout == LayoutND && view.Pad == PadNull {
		view = nil
	}
	return &TensorType{Shape: shape, DType: dtype, View: view, Distributed: distributed}
}

// CheckShaped returns the reference's message when a shaped type cannot be
// built with this element type and shape, "" when it can: packed FP4 needs an
// even last dimension (spec 01 §6.1, 02 §3.4).
func CheckShaped(shape []Expr, dtype DType) string {
	if dtype != FP4 {
		return ""
	}
	if len(shape) == 0 {
		return "Packed FP4 shaped types must have rank >= 1"
	}
	if n, ok := ConstValue(shape[len(shape)-1]); ok && (n <= 0 || n%2 != 0) {
		return fmt.Sprintf("Packed FP4 shaped types require a positive even logical last dimension, but got %d", n)
	}
	return ""
}

// BoxAlignment is the granularity, in elements, of the boxes that a boxed
// layout stores (spec 01 §6.5, 02 §3.3). ok is false for flat layouts and for
// fractal sizes that define none.
func BoxAlignment(v *TileView, dtype DType) (rows, cols int, ok bool) {
	if v.SLayout == NoneBox {
		return 0, 0, false
	}
	switch v.Fractal {
	case 1024:
		return 16, 16, true
	case 32:
		rows, cols = 16, 2
	case 512:
		bits := dtype.StorageBits()
		if bits == 0 || 256%bits != 0 {
			return 0, 0, false
		}
		rows, cols = 16, 256/bits
	default:
		return 0, 0, false
	}
	if v.SLayout == ColMajor {
		rows, cols = cols, rows
	}
	return rows, cols, true
}
