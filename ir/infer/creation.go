package infer

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// creation are the operators that make tiles from nothing (spec 02 §5.8).
var creation = map[string]rule{"tile.create": tileCreate, "tile.full": tileFull, "tile.ci": tileCi, "tile.tri": tileTri,
	"tile.random": tileRandom, "tile.alloc": tileAlloc, "tensor.alloc": tensorAlloc}

const (
	elementConst    = "The operator {op} shape element {i} must be a compile-time constant (ConstInt), but got {type}"
	elementPositive = "The operator {op} shape element {i} must be positive, got {value}"
	notEmpty        = "The operator {op} requires non-empty shape"
)

// staticShape is operand i as a literal tuple of positive constants.
func (c *call) staticShape(i int, notTuple string) ([]ir.Expr, bool) {
	t, ok := c.literal(i)
	if !ok {
		c.fail(-1, notTuple, c.types[i])
		return nil, false
	}
	for k, e := range t.Elems {
		v, isConst := ir.ConstValue(e)
		switch {
		case !isConst:
			c.fail(-1, elementConst, k, c.env.TypeOf(e))
			return nil, false
		case v <= 0:
			c.fail(-1, elementPositive, k, v)
			return nil, false
		}
	}
	if len(t.Elems) == 0 {
		c.fail(-1, notEmpty)
		return nil, false
	}
	return t.Elems, true
}

const staticTuple = "The operator {op} requires first argument to be a MakeTuple expression with static shape values, but got {type}"

func tileCreate(c *call) ir.Type {
	if !c.arity(1, exactly1) {
		return nil
	}
	d, ok := c.requiredDType("dtype")
	if !ok {
		return nil
	}
	shape, ok := c.staticShape(0, staticTuple)
	if !ok {
		return nil
	}
	target := c.spaceKwarg("target_memory", platforms.NoSpace)
	transpose, flatLayout := c.boolKwarg("transpose"), c.boolKwarg("flat_layout")
	switch {
	case target == platforms.LeftScale || target == platforms.RightScale:
		return c.fail(-1, "The operator {op} does not support target_memory=LeftScale/RightScale; create the scale tile with tile.load to Mat followed by tile.move")
	case transpose && (len(shape) != 2 || target != platforms.Mat):
		return c.fail(-1, "The operator {op} supports transpose=true only for a 2D tile with target_memory=Mat (L1)")
	case flatLayout && (target != platforms.Mat || transpose):
		return c.fail(-1, "The operator {op} supports flat_layout=true only for target_memory=Mat (L1) without transpose")
	case target == platforms.Acc:
		return c.tileIn(shape, d, accView(nil, ir.CompactNull), platforms.Acc)
	case flatLayout:
		return c.tileIn(shape, d, flat(nil), platforms.Mat)
	case transpose:
		return c.newTile(shape, d, ir.TileView{BLayout: ir.RowMajor, SLayout: ir.ColMajor, Fractal: 512})
	}
	return c.newTile(shape, d, ir.TileView{BLayout: ir.ShapeBLayout(shape), SLayout: ir.NoneBox, Fractal: 512})
}

func tileFull(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	d, ok := c.requiredDType("dtype")
	if !ok {
		return nil
	}
	shape, ok := c.staticShape(0, staticTuple)
	if !ok {
		return nil
	}
	switch c.args[1].(type) {
	case *ir.ConstInt, *ir.ConstFloat:
	default:
		return c.fail(-1, "The operator {op} requires second argument to be a constant value (ConstInt or ConstFloat), but got {type}", c.types[1])
	}
	return c.newTile(shape, d, flat(nil))
}

func tileCi(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires exactly 2 arguments (start, shape), but got {count}") {
		return nil
	}
	d, ok := c.requiredDType("dtype")
	if !ok {
		return nil
	}
	if !oneOf(d, ir.INT16, ir.INT32, ir.UINT16, ir.UINT32) {
		return c.fail(-1, "The operator {op} requires dtype to be one of {INT16, INT32, UINT16, UINT32}, but got {dtype}", d)
	}
	s := c.scalar(0, "The operator {op} requires first argument 'start' to be a scalar, but got {type}")
	if s == nil {
		return nil
	}
	if s.DType != d {
		return c.fail(-1, "The operator {op} requires 'start' dtype ({dtype}) to match destination dtype ({dtype})", s.DType, d)
	}
	shape, ok := c.staticShape(1, "The operator {op} requires second argument 'shape' to be a MakeTuple of compile-time constants, but got {type}")
	if !ok {
		return nil
	}
	if isOne(shape[len(shape)-1]) {
		return c.fail(-1, "The operator {op} requires the innermost dimension (Cols) to be != 1, got {value}", 1)
	}
	for i, e := range shape[:len(shape)-1] {
		if !isOne(e) {
			return c.fail(-1, "The operator {op} only populates the first row because pto.tci ignores valid rows; leading dimensions must be 1, but got {value} at index {i}", e, i)
		}
	}
	return c.newTile(shape, d, flat(nil))
}

func tileTri(c *call) ir.Type {
	if !c.arityIn(2, 3, "The operator {op} requires 2 or 3 arguments (diagonal, shape, [valid_shape]), but got {count}") {
		return nil
	}
	d, ok := c.requiredDType("dtype")
	if !ok {
		return nil
	}
	if !oneOf(d, ir.INT8, ir.UINT8, ir.INT16, ir.INT32, ir.UINT16, ir.UINT32, ir.FP16, ir.BF16, ir.FP32) {
		return c.fail(-1, "The operator {op} requires dtype to be one of {INT8, UINT8, INT16, INT32, UINT16, UINT32, FP16, BF16, FP32}, but got {dtype}", d)
	}
	s := c.scalar(0, "The operator {op} requires diagonal to be a scalar, but got {type}")
	if s == nil {
		return nil
	}
	if s.DType != ir.INT32 {
		return c.fail(-1, "The operator {op} requires diagonal to be an INT32 scalar, but got {dtype}", s.DType)
	}
	t, ok := c.literal(1)
	if !ok {
		return c.fail(-1, "The operator {op} requires shape to be a MakeTuple of compile-time constants, but got {type}", c.types[1])
	}
	if len(t.Elems) != 2 {
		return c.fail(-1, "The operator {op} requires a 2D shape, but got rank {n}", len(t.Elems))
	}
	for i, e := range t.Elems {
		v, isConst := ir.ConstValue(e)
		switch {
		case !isConst:
			return c.fail(-1, "The operator {op} shape element {i} must be a compile-time constant", i)
		case v <= 0:
			return c.fail(-1, elementPositive, i, v)
		}
	}
	if len(c.args) == 2 {
		return c.newTile(t.Elems, d, flat(nil))
	}
	vt, ok := c.literal(2)
	if !ok {
		return c.fail(-1, "The operator {op} requires valid_shape to be a MakeTuple of compile-time constants")
	}
	if len(vt.Elems) != len(t.Elems) {
		return c.fail(-1, "The operator {op} requires valid_shape rank {n}, but got {n}", len(t.Elems), len(vt.Elems))
	}
	for i, e := range vt.Elems {
		v, isConst := ir.ConstValue(e)
		if !isConst {
			return c.fail(-1, "The operator {op} valid_shape element {i} must be a compile-time constant", i)
		}
		if dim, _ := ir.ConstValue(t.Elems[i]); v <= 0 || v > dim {
			return c.fail(-1, "The operator {op} requires 0 < valid_shape[{i}] <= shape[{i}], but got {value} and {value}", i, i, v, dim)
		}
	}
	return c.newTile(t.Elems, d, flat(vt.Elems))
}

func tileRandom(c *call) ir.Type {
	if !c.arityIn(7, 8, "The operator {op} requires 7 or 8 arguments (key0, key1, counter0, counter1, counter2, counter3, shape, [valid_shape]), but got {count}") {
		return nil
	}
	d, ok := c.requiredDType("dtype")
	if !ok {
		return nil
	}
	if !oneOf(d, ir.INT32, ir.UINT32) {
		return c.fail(-1, "The operator {op} requires dtype to be one of {INT32, UINT32}, but got {dtype}", d)
	}
	if r := c.intKwarg("rounds", 10); r != 7 && r != 10 {
		return c.fail(-1, "The operator {op} requires rounds to be 7 or 10, but got {value}", r)
	}
	for i := range 6 {
		s, isScalar := c.types[i].(*ir.ScalarType)
		switch {
		case !isScalar:
			return c.fail(-1, "The operator {op} requires argument {i} (seed scalar) to be a scalar, but got {type}", i, c.types[i])
		case s.DType != ir.INT32:
			return c.fail(-1, "The operator {op} requires seed argument {i} to have INT32 dtype, but got {dtype}", i, s.DType)
		}
	}
	shape, ok := c.staticShape(6, "The operator {op} requires the shape argument to be a MakeTuple of compile-time constants, but got {type}")
	if !ok {
		return nil
	}
	if len(shape) != 2 {
		return c.fail(-1, "The operator {op} requires a 2D shape (rows, cols), but got rank {n}", len(shape))
	}
	if len(c.args) == 7 {
		return c.newTile(shape, d, flat(nil))
	}
	vt, ok := c.literal(7)
	if !ok {
		return c.fail(-1, "The operator {op} requires valid_shape to be a MakeTuple of compile-time constants, but got {type}", c.types[7])
	}
	if len(vt.Elems) != len(shape) {
		return c.fail(-1, "The operator {op} valid_shape rank ({n}) must match shape rank ({n})", len(vt.Elems), len(shape))
	}
	for i, e := range vt.Elems {
		v, isConst := ir.ConstValue(e)
		if !isConst {
			return c.fail(-1, "The operator {op} valid_shape element {i} must be a compile-time constant (ConstInt)", i)
		}
		if dim, _ := ir.ConstValue(shape[i]); v <= 0 || v > dim {
			return c.fail(-1, "The operator {op} valid_shape element {i} ({value}) must be in (0, shape dim {value}]", i, v, dim)
		}
	}
	return c.newTile(shape, d, flat(vt.Elems))
}

func tileAlloc(c *call) ir.Type {
	if !c.arity(2, exactly2) {
		return nil
	}
	return &ir.PtrType{}
}

func tensorAlloc(c *call) ir.Type {
	if !c.arity(2, "tensor.alloc expects 2 args (memory_space, size), got {count}") {
		return nil
	}
	return &ir.PtrType{}
}
