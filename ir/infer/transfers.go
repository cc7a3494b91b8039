package infer

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// transfers are load, store and move (spec 02 §5.9–5.11).
var transfers = map[string]rule{"tile.load": tileLoad, "tile.store": tileStore, "tile.move": tileMove}

const (
	loadRemedy  = "Pass clamp=True -- pl.load(x, offsets, shapes, clamp=True) -- to narrow the read to the source edge instead"
	storeRemedy = "A store performs no layout conversion (RFC #1300 P7): the offsets and the tile extent must already be in the destination's coordinate system. If the tile was read through a view whose layout differs from the destination's -- a DN view transposes it -- take the matching view of the destination, pl.view(out, layout=...), and store into that"
)

func tileLoad(c *call) ir.Type {
	if !c.arity(4, "The operator {op} requires 4 arguments (tensor, offsets, shapes, valid_shape), but got {count}") {
		return nil
	}
	src := c.tensor(0, "The operator {op} requires first argument to be a TensorType or DistributedTensorType, but got {type}")
	if src == nil {
		return nil
	}
	var tuples [4][]ir.Expr
	for i, text := range [...]string{1: "The operator {op} requires second argument to be a tuple (offsets), but got {type}",
		2: "The operator {op} requires third argument to be a tuple (shapes), but got {type}",
		3: "The operator {op} requires fourth argument to be a tuple (valid shape), but got {type}"} {
		if i == 0 {
			continue
		}
		t, ok := c.literal(i)
		if !ok {
			return c.fail(-1, text, c.types[i])
		}
		tuples[i] = t.Elems
	}
	offsets, dims, request := tuples[1], tuples[2], tuples[3]
	switch {
	case len(offsets) != len(dims):
		return c.fail(-1, "The operator {op} requires offsets and shapes to have same number of dimensions, but got {n} offsets and {n} shapes", len(offsets), len(dims))
	case len(request) != len(dims):
		return c.fail(-1, "The operator {op} requires valid_shape and shapes to have the same number of dimensions, but got {n} valid_shape and {n} shapes", len(request), len(dims))
	case len(dims) == 0:
		return c.fail(-1, "The operator {op} requires at least one dimension, but got empty shapes tuple")
	}
	target := c.spaceKwarg("target_memory", platforms.NoSpace)
	view, ok := c.loadView(src, dims, request, target)
	if !ok {
		return nil
	}
	view.ValidShape = request
	if len(dims) == len(src.Shape) {
		valid := ir.ValidShape(src)
		if view.ValidShape, ok = c.read(window{shape: src.Shape, valid: valid, offsets: offsets, dims: dims, request: request,
			transfer: true, clamp: c.boolKwarg("clamp"), remedy: loadRemedy}); !ok {
			return nil
		}
	}
	return c.tileIn(dims, src.DType, view, target)
}

// loadView is the layout of a loaded tile, by target and source layout.
func (c *call) loadView(src *ir.TensorType, dims, request []ir.Expr, target ir.Space) (ir.TileView, bool) {
	layout := ir.LayoutND
	if src.View != nil {
		layout = src.View.Layout
	}
	if layout == ir.LayoutMXAZZ || layout == ir.LayoutMXBNN {
		return c.loadMX(src, dims, request, target, layout)
	}
	view := flat(nil)
	switch target {
	case platforms.NoSpace: // the space pass builds the type again
	case platforms.Mat:
		view.BLayout, view.SLayout = ir.ColMajor, ir.RowMajor
		row := len(dims) - 2
		if layout == ir.LayoutDN {
			view.BLayout, view.SLayout = ir.RowMajor, ir.ColMajor
			row = len(dims) - 1
		}
		if len(dims) == 2 && isOne(dims[row]) {
			view.BLayout, view.SLayout = ir.RowMajor, ir.NoneBox
		}
	default:
		if isOne(dims[len(dims)-1]) {
			view.BLayout = ir.ColMajor
		}
	}
	return view, true
}

func (c *call) loadMX(src *ir.TensorType, dims, request []ir.Expr, target ir.Space, layout ir.TensorLayout) (v ir.TileView, ok bool) {
	switch {
	case !oneOf(src.DType, ir.FP8E8M0, ir.UINT8):
		c.fail(-1, "The operator {op} of an MX-layout tensor requires FP8E8M0 or UINT8 dtype, but got {dtype}", src.DType)
	case len(src.Shape) != 2:
		c.fail(-1, "The operator {op} of an MX-layout tensor requires a 2D tensor, got rank {n}", len(src.Shape))
	case len(dims) != 2:
		c.fail(-1, "The operator {op} of an MX-layout tensor requires a 2D load window, got rank {n}", len(dims))
	case len(request) != 2:
		c.fail(-1, "The operator {op} of an MX-layout tensor requires 2D valid_shape, got rank {n}", len(request))
	case src.View != nil && len(src.View.Stride) > 0 && !packed(src):
		c.fail(-1, "The operator {op} of an MX-layout tensor only supports packed 2D sources; strided sources are not supported")
	case target != platforms.Mat:
		c.fail(-1, "The operator {op} of an MX-layout tensor requires target_memory=MemorySpace.Mat")
	case layout == ir.LayoutMXAZZ:
		return ir.TileView{BLayout: ir.RowMajor, SLayout: ir.RowMajor, Fractal: 32}, true
	default:
		return ir.TileView{BLayout: ir.ColMajor, SLayout: ir.ColMajor, Fractal: 32}, true
	}
	return v, false
}

// packed reports row-major strides without gaps.
func packed(t *ir.TensorType) bool {
	if t.View == nil || len(t.View.Stride) == 0 {
		return true
	}
	if len(t.View.Stride) != len(t.Shape) {
		return false
	}
	pitch := ir.Expr(ir.Index(1))
	for i := len(t.Shape) - 1; i >= 0; i-- {
		if !equalByValue(t.View.Stride[i], pitch) {
			return false
		}
		pitch = foldMul(pitch, t.Shape[i])
	}
	return true
}

func tileStore(c *call) ir.Type {
	if !c.arityIn(3, 4, "The operator {op} requires 3 or 4 arguments (tile, offsets, output_tensor[, shapes]), but got {count}") {
		return nil
	}
	src := c.tile(0, firstTile)
	if src == nil {
		return nil
	}
	offsets, ok := c.literal(1)
	if !ok {
		return c.fail(-1, "The operator {op} requires second argument to be a tuple (offsets), but got {type}", c.types[1])
	}
	out := c.tensor(2, "The operator {op} requires third argument to be a TensorType or DistributedTensorType, but got {type}")
	if out == nil {
		return nil
	}
	if len(c.args) == 4 {
		shapes, ok := c.literal(3)
		switch {
		case !ok:
			return c.fail(-1, "The operator {op} requires optional 4th argument to be a shapes tuple (MakeTuple)")
		case len(shapes.Elems) == 0:
			return c.fail(-1, "The operator {op} requires non-empty shapes tuple when provided")
		case len(shapes.Elems) != len(offsets.Elems):
			return c.fail(-1, "The operator {op} requires shapes and offsets to have the same number of dimensions, but got {n} shapes and {n} offsets", len(shapes.Elems), len(offsets.Elems))
		}
	}
	switch atomic := c.intKwarg("atomic", 0); {
	case atomic != 0 && atomic != 1:
		return c.fail(-1, "The operator {op} atomic kwarg must be AtomicType.None_ or AtomicType.Add, but got int {value}", atomic)
	case atomic == 1 && !oneOf(src.DType, ir.FP32, ir.BF16, ir.FP16, ir.INT32, ir.INT16, ir.INT8):
		return c.fail(-1, "The operator {op} with atomic=AtomicType.Add requires an fp32/bf16/fp16/int32/int16/int8 tile (hardware atomic-add dtypes), but got {dtype}", src.DType)
	}
	if len(c.args) == 4 || len(src.Shape) != len(out.Shape) || len(offsets.Elems) != len(out.Shape) {
		return c.types[2]
	}
	valid, changed, ok := c.write(union{target: out.Shape, targetValid: ir.ValidShape(out), source: src.Shape, sourceValid: ir.ValidShape(src),
		offsets: offsets.Elems, transfer: true, remedy: storeRemedy, operand: 2})
	if !ok {
		return nil
	}
	if !changed {
		return c.types[2]
	}
	return withTensorValid(out, valid)
}

// withTensorValid is t with another valid shape and the rest of its view.
func withTensorValid(t *ir.TensorType, valid []ir.Expr) ir.Type {
	var v ir.TensorView
	if t.View != nil {
		v = *t.View
	}
	v.ValidShape = valid
	return ir.NewTensorType(t.Shape, t.DType, &v, t.Distributed)
}

func tileMove(c *call) ir.Type {
	if !c.arity(1, "The operator {op} requires 1 argument, but got {count}") {
		return nil
	}
	t := c.tile(0, firstTile)
	if t == nil {
		return nil
	}
	if _, ok := c.kwarg("target_memory"); !ok {
		return c.missing("Missing kwarg: {value}", "target_memory")
	}
	target := c.spaceKwarg("target_memory", platforms.Vec)
	valid, ok := c.valid(t)
	if !ok {
		return nil
	}
	src, implied := t.LayoutView(), ir.ImplicitView(t.Shape, target)
	view := ir.TileView{ValidShape: valid, BLayout: implied.BLayout, SLayout: implied.SLayout, Fractal: implied.Fractal, Pad: src.Pad}
	if flatView := ir.ImplicitView(t.Shape, platforms.NoSpace); implied.BLayout == flatView.BLayout && implied.SLayout == flatView.SLayout && implied.Fractal == flatView.Fractal {
		view.BLayout, view.SLayout = src.BLayout, src.SLayout
	}
	if target == platforms.Right {
		view.BLayout = ir.RowMajor
	}
	scale := target == platforms.LeftScale || target == platforms.RightScale
	for _, o := range [2]struct {
		key string
		to  *ir.TileLayout
	}{{"blayout", &view.BLayout}, {"slayout", &view.SLayout}} {
		v, _ := c.kwarg(o.key)
		l, ok := v.(ir.TileLayout)
		if !ok {
			continue
		}
		if scale && l != *o.to {
			return c.fail(-1, "The operator {op} does not allow blayout/slayout to override the hardware-fixed layout for {space}", target)
		}
		*o.to = l
	}
	d := t.DType
	if scale {
		if !c.scaleMove(t, src, target) {
			return nil
		}
		d = ir.FP8E8M0
	}
	return c.tileIn(t.Shape, d, view, target)
}

// scaleMove checks a move into a scale buffer.
func (c *call) scaleMove(t *ir.TileType, src *ir.TileView, target ir.Space) bool {
	which, want := 0, ir.RowMajor
	if target == platforms.RightScale {
		which, want = 1, ir.ColMajor
	}
	switch {
	case len(t.Shape) != 2:
		c.fail(-1, "The operator {op} into LeftScale/RightScale requires a 2D tile, got rank {n}", len(t.Shape))
	case t.Space != platforms.Mat:
		c.fail(-1, "The operator {op} into LeftScale/RightScale requires the input tile to be in Mat memory")
	case !oneOf(t.DType, ir.UINT8, ir.FP8E8M0):
		c.fail(-1, "The operator {op} into LeftScale/RightScale requires UINT8 or FP8E8M0 dtype, but got {dtype}", t.DType)
	case src.BLayout != want || src.SLayout != want || src.Fractal != 32:
		c.fail(-1, "The operator {op} into {space} requires the source Mat tile to use the matching {row/row/32|col/col/32} layout", target, which)
	default:
		return true
	}
	return false
}
