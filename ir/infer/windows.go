package infer

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// windows are the operators that read or write a part of a tile (spec 02
// §5.12).
var windows = map[string]rule{"tile.slice": tileSlice, "tile.assemble": tileAssemble, "tile.extract": tileExtract}

const (
	sliceRemedy    = "An on-chip window has no clamping mechanism, so it must fit: keep offset + shape inside the source tile, or clamp the read at the tensor boundary with pl.load(..., clamp=True) and slice the resulting tile in bounds"
	extractRemedy  = "ISA TEXTRACT bounds are hard, so the window must fit inside the source tile"
	assembleRemedy = "tile.assemble lowers to pto.tinsert, which copies the whole source subview rather than only its valid region, so the source allocation itself has to fit -- unlike tensor.assemble, which transfers only the valid extent"
)

func tileSlice(c *call) ir.Type {
	if !c.arityIn(3, 5, "tile.slice requires 3-5 arguments (input, shape, offset[, valid_shape[, drop_dims]]), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.slice requires first argument to be a TileType, but got {type}")
	if t == nil || !c.indexTuple(1, "shape", "tile.slice requires shape to be TupleType, but got {type}") {
		return nil
	}
	dims, ok := c.literal(1)
	if !ok {
		return c.fail(-1, "tile.slice shape must be a MakeTuple with static compile-time dimensions")
	}
	if !c.indexTuple(2, "offset", "tile.slice requires offset to be TupleType, but got {type}") {
		return nil
	}
	offsets, ok := c.elems(2)
	if !ok {
		return nil
	}
	if len(offsets) != len(dims.Elems) {
		return c.fail(-1, "tile.slice requires offset and shape to have the same rank, but got offset rank {n} and shape rank {n}", len(offsets), len(dims.Elems))
	}
	for i, e := range dims.Elems {
		v, isConst := ir.ConstValue(e)
		switch {
		case !isConst:
			return c.fail(-1, "tile.slice shape element {i} must be a compile-time constant so InitMemRef can allocate storage", i)
		case v <= 0:
			return c.fail(-1, "tile.slice shape element {i} must be positive, got {value}", i, v)
		}
	}
	var request []ir.Expr
	if len(c.args) > 3 {
		if !c.indexTuple(3, "valid_shape", "tile.slice requires valid_shape to be TupleType, but got {type}") {
			return nil
		}
		if request, ok = c.elems(3); !ok {
			return nil
		}
	}
	valid, ok := c.read(window{shape: t.Shape, valid: ir.ValidShape(t), offsets: offsets, dims: dims.Elems, request: request, remedy: sliceRemedy})
	if !ok {
		return nil
	}
	shape := dims.Elems
	if len(c.args) == 5 {
		if shape, valid, ok = c.dropDims(4, shape, valid); !ok {
			return nil
		}
		shape, valid = atLeast2D(shape), atLeast2D(valid)
	}
	return c.sliceResult(t, shape, valid)
}

// sliceResult inherits an explicit source view only; otherwise the layout
// follows the new shape.
func (c *call) sliceResult(t *ir.TileType, shape, valid []ir.Expr) ir.Type {
	view := ir.TileView{ValidShape: valid, BLayout: ir.ShapeBLayout(shape), SLayout: ir.NoneBox, Fractal: 512}
	if s := t.View; s != nil {
		view = ir.TileView{ValidShape: valid, BLayout: s.BLayout, SLayout: s.SLayout, Fractal: s.Fractal, Pad: s.Pad, Compact: s.Compact}
	}
	if v, ok := c.kwarg("pad_value"); ok {
		switch p := v.(type) {
		case ir.Pad:
			view.Pad = p
		case int64:
			if p < int64(ir.PadNull) || p > int64(ir.PadMin) {
				return c.fail(-1, "tile.slice pad_value has invalid enum value: {value}", p)
			}
			view.Pad = ir.Pad(p)
		case ir.Verbatim, ir.Enum:
		default:
			return c.fail(-1, "tile.slice pad_value must be a PadValue enum, got {value}", v)
		}
	}
	return c.newTile(shape, t.DType, view)
}

// dropDims erases the unit axes that operand i names (spec 02 §4.6). An empty
// tuple erases nothing.
func (c *call) dropDims(i int, shape, valid []ir.Expr) (newShape, newValid []ir.Expr, ok bool) {
	t, isLiteral := c.literal(i)
	if !isLiteral {
		c.fail(-1, "{op} drop_dims must be a MakeTuple of compile-time int constants")
		return nil, nil, false
	}
	drop := make([]bool, len(shape))
	for k, e := range t.Elems {
		a, isConst := ir.ConstValue(e)
		switch {
		case !isConst:
			c.fail(-1, "{op} drop_dims element {i} must be a compile-time int constant", k)
		case a < 0 || a >= int64(len(shape)):
			c.fail(-1, "{op} drop_dims index {axis} out of range for rank {n}", a, len(shape))
		case drop[a]:
			c.fail(-1, "{op} drop_dims index {axis} is repeated", a)
		case !isOne(shape[a]):
			var is any = "dynamic"
			if v, isConst := ir.ConstValue(shape[a]); isConst {
				is = v
			}
			c.fail(-1, "{op} drop_dims index {axis} must select a static unit dimension (rank reduction only erases size-1 dims), but dim {axis} is {value}", a, a, is)
		default:
			drop[a] = true
			continue
		}
		return nil, nil, false
	}
	for a := range shape {
		if !drop[a] {
			newShape, newValid = append(newShape, shape[a]), append(newValid, valid[a])
			continue
		}
		if !equalByValue(valid[a], ir.Index(1)) {
			c.fail(-1, "{op} cannot drop dimension {axis}: its valid extent is {extent}, which is not provably 1. Rank reduction erases an axis, so the axis must be fully valid; keep the dimension instead of dropping it", a, valid[a])
			return nil, nil, false
		}
	}
	return newShape, newValid, true
}

// atLeast2D puts unit axes in front.
func atLeast2D(l []ir.Expr) []ir.Expr {
	for len(l) < 2 {
		l = append([]ir.Expr{ir.Index(1)}, l...)
	}
	return l
}

func tileAssemble(c *call) ir.Type {
	if !c.arity(3, "tile.assemble requires exactly 3 arguments (target, source, offset), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.assemble requires first argument (target) to be a TileType, but got {type}")
	if t == nil {
		return nil
	}
	s := c.tile(1, "tile.assemble requires second argument (source) to be a TileType, but got {type}")
	if s == nil {
		return nil
	}
	if _, ok := c.types[2].(*ir.TupleType); !ok {
		return c.fail(-1, "tile.assemble requires offset to be TupleType, but got {type}", c.types[2])
	}
	offsets, ok := c.literal(2)
	if !ok {
		return c.fail(-1, "tile.assemble offset must be a literal tuple (e.g., (row, col)), not a variable or computed expression")
	}
	if !c.indexTuple(2, "offset", "tile.assemble requires offset to be TupleType, but got {type}") {
		return nil
	}
	if downcast := s.DType == ir.FP32 && oneOf(t.DType, ir.BF16, ir.FP16); t.DType != s.DType && !downcast {
		return c.fail(-1, "tile.assemble requires target and source to have the same dtype (or an Acc->Mat FIXPIPE downcast to bf16/f16), but got {dtype} and {dtype}", t.DType, s.DType)
	}
	valid := t.Shape
	if len(s.Shape) == len(t.Shape) && len(offsets.Elems) == len(t.Shape) {
		if valid, _, ok = c.write(union{target: t.Shape, targetValid: ir.ValidShape(t), source: s.Shape, sourceValid: ir.ValidShape(s),
			offsets: offsets.Elems, remedy: assembleRemedy}); !ok {
			return nil
		}
	}
	return c.tileIn(t.Shape, t.DType, effective(t, valid), t.Space)
}

func tileExtract(c *call) ir.Type {
	if !c.arity(4, "tile.extract requires exactly 4 arguments (src, index_row, index_col, shape), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.extract requires src to be a TileType, but got {type}")
	if t == nil {
		return nil
	}
	if len(t.Shape) != 2 {
		return c.fail(-1, "tile.extract requires a 2D source tile, but got rank {n}", len(t.Shape))
	}
	for i, name := range [2]string{"index_row", "index_col"} {
		s, isScalar := c.types[i+1].(*ir.ScalarType)
		switch {
		case !isScalar:
			return c.fail(-1, "tile.extract {name} must be ScalarType, but got {type}", name, c.types[i+1])
		case !s.DType.IsIndexLike():
			return c.fail(-1, "tile.extract {name} must have INT64/UINT64/INDEX dtype, but got {dtype}", name, s.DType)
		}
	}
	if !c.indexTuple(3, "shape", "tile.extract shape must be TupleType, but got {type}") {
		return nil
	}
	dims, ok := c.literal(3)
	if !ok {
		return c.fail(-1, "tile.extract shape must be a literal MakeTuple of ConstInt")
	}
	if len(dims.Elems) != 2 {
		return c.fail(-1, "tile.extract shape must be 2D, got rank {n}", len(dims.Elems))
	}
	for i, e := range dims.Elems {
		v, isConst := ir.ConstValue(e)
		switch {
		case !isConst:
			return c.fail(-1, "tile.extract shape[{i}] must be a compile-time ConstInt", i)
		case v <= 0:
			return c.fail(-1, "tile.extract shape[{i}] must be positive, got {value}", i, v)
		}
	}
	if !c.extractBounds(t, dims.Elems) {
		return nil
	}
	valid, ok := c.read(window{shape: t.Shape, valid: ir.ValidShape(t), offsets: c.args[1:3], dims: dims.Elems, remedy: extractRemedy})
	if !ok {
		return nil
	}
	target := c.spaceKwarg("target_memory", platforms.Vec)
	view := *ir.ImplicitView(dims.Elems, target)
	view.ValidShape = valid
	switch target {
	case platforms.Left:
		view.BLayout, view.SLayout = ir.RowMajor, ir.RowMajor
	case platforms.Right:
		view.BLayout, view.SLayout = ir.RowMajor, ir.ColMajor
	}
	if (target == platforms.Left || target == platforms.Right) && !ir.ExprsEqual(valid, dims.Elems) {
		view.Compact = ir.CompactNormal
	}
	return c.tileIn(dims.Elems, t.DType, view, target)
}

// extractBounds checks what is constant about the window.
func (c *call) extractBounds(t *ir.TileType, dims []ir.Expr) bool {
	for i, axis := range [2]string{"row", "col"} {
		size, _ := ir.ConstValue(dims[i])
		src, isConst := ir.ConstValue(t.Shape[i])
		if isConst && size > src {
			c.fail(-1, "tile.extract shape[{axis}]={value} exceeds src {axis_name} {value}", i, size, axis, src)
			return false
		}
		at, constAt := ir.ConstValue(c.args[i+1])
		switch {
		case constAt && at < 0:
			c.fail(-1, "tile.extract index_{axis_name} must be >= 0, got {value}", axis, at)
			return false
		case constAt && isConst && at > src-size:
			c.fail(-1, "tile.extract index_{axis_name}={value} + shape[{axis}]={value} exceeds src {axis_name} {value}", axis, at, i, size, axis, src)
			return false
		}
	}
	return true
}
