package infer

import (
	"math/bits"

	"pypto-ls/ir"
)

// tileReinterpret views the same bytes with another element type (spec 02
// §4.7, §5.12).
func tileReinterpret(c *call) ir.Type {
	if !c.arityIn(1, 2, "{op} requires 1 or 2 arguments (data[, shape]), but got {count}") {
		return nil
	}
	t := c.tile(0, "{op} requires data to be a TileType, but got {type}")
	if t == nil {
		return nil
	}
	d, ok := c.requiredDType("dtype")
	if !ok {
		return nil
	}
	l := t.LayoutView()
	switch {
	case len(t.Shape) == 0:
		return c.fail(0, "{op} requires a tile rank >= 1, but got {n}", 0)
	case l.SLayout != ir.NoneBox:
		return c.fail(0, "{op} only supports flat tiles with slayout=none_box; boxed/fractal tiles are unsupported")
	case l.BLayout != ir.RowMajor && l.BLayout != ir.ColMajor:
		return c.fail(0, "{op} requires row_major or col_major blayout")
	case l.BLayout == ir.ColMajor && len(t.Shape) < 2:
		return c.fail(0, "{op} requires rank >= 2 for col_major layout")
	case len(l.Stride) > 0:
		return c.fail(0, "{op} only supports packed tiles without explicit strides")
	}
	if l.StartOffset != nil {
		v, isConst := ir.ConstValue(l.StartOffset)
		switch {
		case !isConst:
			return c.fail(0, "{op} only supports tiles without a dynamic start_offset")
		case v != 0:
			return c.fail(0, "{op} only supports tiles with zero start_offset, got {value}", v)
		}
	}
	var explicit []ir.Expr
	if len(c.args) == 2 {
		if explicit, ok = c.elems(1); !ok {
			return nil
		}
		if l.BLayout == ir.ColMajor && len(explicit) < 2 {
			return c.fail(1, "{op} requires target rank >= 2 for col_major layout")
		}
	}
	axis := len(t.Shape) - 1
	if l.BLayout == ir.ColMajor {
		axis--
	}
	shape, valid, ok := c.reinterpreted(t, t.Shape, t.DType, d, axis, explicit)
	if !ok {
		return nil
	}
	v := effective(t, valid)
	v.Stride, v.StartOffset = nil, nil
	if v.Pad != ir.PadZero {
		v.Pad = ir.PadNull
	}
	return c.tileIn(shape, d, v, t.Space)
}

var reinterpretable = [...]ir.DType{ir.INT8, ir.INT16, ir.INT32, ir.INT64, ir.UINT8, ir.UINT16, ir.UINT32, ir.UINT64, ir.FP16, ir.BF16, ir.FP32}

// reinterpreted is the shape and valid shape of t seen with element type d.
// axis is the contiguous axis; explicit may be nil.
func (c *call) reinterpreted(t ir.Type, shape []ir.Expr, from, d ir.DType, axis int, explicit []ir.Expr) (newShape, newValid []ir.Expr, ok bool) {
	switch {
	case !oneOf(from, reinterpretable[:]...):
		c.fail(-1, "{op} does not support source dtype {dtype}; supported dtypes are byte-addressable int/uint8/16/32/64, FP16, BF16, and FP32", from)
		return nil, nil, false
	case !oneOf(d, reinterpretable[:]...):
		c.fail(-1, "{op} does not support target dtype {dtype}; supported dtypes are byte-addressable int/uint8/16/32/64, FP16, BF16, and FP32", d)
		return nil, nil, false
	case from == d:
		c.fail(-1, "{op} requires source and target dtypes to differ; use reshape/view for shape-only changes")
		return nil, nil, false
	}
	valid := ir.ValidShape(t)
	if !c.positiveDims("source shape", shape) || !c.reinterpretValid(shape, valid) {
		return nil, nil, false
	}
	auto, okAuto := c.scaleAxis("shape", shape, axis, from, d, explicit == nil)
	if !okAuto && c.problem != nil {
		return nil, nil, false
	}
	newShape = auto
	automatic := explicit == nil || okAuto && allEqualByValue(explicit, auto)
	if explicit != nil {
		if !c.positiveDims("target shape", explicit) {
			return nil, nil, false
		}
		newShape = explicit
		if !automatic && !c.sameBytes(shape, explicit, from, d) {
			return nil, nil, false
		}
	}
	if allEqualByValue(valid, shape) {
		return newShape, newShape, true
	}
	if !automatic {
		c.fail(-1, "{op} cannot preserve a partial valid_shape through an arbitrary explicit reshape; omit shape or use the layout-aware auto-detected shape")
		return nil, nil, false
	}
	newValid, ok = c.scaleAxis("valid_shape", valid, axis, from, d, true)
	return newShape, newValid, ok
}

func (c *call) positiveDims(name string, shape []ir.Expr) bool {
	if len(shape) == 0 {
		c.fail(-1, "{op} {shape_name} must have rank >= 1", name)
		return false
	}
	for i, e := range shape {
		if v, ok := ir.ConstValue(e); ok && v <= 0 {
			c.fail(-1, "{op} {shape_name} dimension {i} must be positive, got {value}", name, i, v)
			return false
		}
	}
	return true
}

func (c *call) reinterpretValid(shape, valid []ir.Expr) bool {
	if len(valid) != len(shape) {
		c.fail(-1, "{op} source valid_shape rank {n} does not match source rank {n}", len(valid), len(shape))
		return false
	}
	for i, e := range valid {
		v, ok := ir.ConstValue(e)
		if !ok {
			continue
		}
		if v < 0 {
			c.fail(-1, "{op} source valid_shape dimension {i} must be non-negative, got {value}", i, v)
			return false
		}
		if dim, ok := ir.ConstValue(shape[i]); ok && v > dim {
			c.fail(-1, "{op} source valid_shape dimension {i} ({value}) exceeds physical dimension {value}", i, v, dim)
			return false
		}
	}
	return true
}

// scaleAxis scales the contiguous axis by the ratio of the element sizes. With
// report unset a failure records nothing.
func (c *call) scaleAxis(name string, shape []ir.Expr, axis int, from, to ir.DType, report bool) ([]ir.Expr, bool) {
	a, b := int64(from.Bytes()), int64(to.Bytes())
	e := shape[axis]
	if a == b {
		return shape, true
	}
	if a > b { // narrower elements: more of them
		k := a / b
		if v, ok := ir.ConstValue(e); ok {
			hi, lo := bits.Mul64(uint64(v), uint64(k))
			if hi != 0 || lo>>63 != 0 {
				if report {
					c.fail(-1, "{op} {extent_name} dimension {axis} overflows int64", name, axis)
				}
				return nil, false
			}
			return replaced(shape, axis, ir.Index(v*k)), true
		}
		return replaced(shape, axis, scaled(ir.Mul, e, k)), true
	}
	k := b / a
	if v, ok := ir.ConstValue(e); ok {
		if v%k != 0 {
			if report {
				c.fail(-1, "{op} {extent_name} dimension {axis} ({value}) is not divisible by {value} for the wider target dtype", name, axis, v, k)
			}
			return nil, false
		}
		return replaced(shape, axis, ir.Index(v/k)), true
	}
	if m, ok := e.(*ir.Binary); ok && m.Op == ir.Mul {
		if v, isConst := ir.ConstValue(m.Y); isConst && v == k {
			return replaced(shape, axis, m.X), true
		}
	}
	if report {
		c.fail(-1, "{op} cannot prove that dynamic {extent_name} dimension {axis} is divisible by {value} for the wider target dtype; provide a static divisible extent", name, axis, k)
	}
	return nil, false
}

// sameBytes checks an explicit shape that is not the automatic one.
func (c *call) sameBytes(shape, explicit []ir.Expr, from, to ir.DType) bool {
	for _, l := range [2][]ir.Expr{shape, explicit} {
		for _, e := range l {
			if _, ok := ir.ConstValue(e); !ok {
				c.fail(-1, "{op} cannot prove byte-size equality for an explicit shape with dynamic dimensions; omit shape to use layout-aware auto detection, or provide fully static shapes")
				return false
			}
		}
	}
	a, okA := totalBytes(shape, from)
	b, okB := totalBytes(explicit, to)
	switch {
	case !okA:
		c.fail(-1, "{op} source byte size overflows int64")
	case !okB:
		c.fail(-1, "{op} target byte size overflows int64")
	case a != b:
		c.fail(-1, "{op} requires equal source and target byte sizes, but source has {value} bytes and target has {value} bytes", a, b)
	default:
		return true
	}
	return false
}

func totalBytes(shape []ir.Expr, d ir.DType) (int64, bool) {
	n, ok := product(shape)
	if !ok {
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(n), uint64(d.Bytes()))
	return int64(lo), hi == 0 && lo>>63 == 0
}
