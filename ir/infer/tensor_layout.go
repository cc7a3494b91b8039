package infer

import "pypto-ls/ir"

// canonicalStrides are the strides of a packed tensor in elements: row-major
// for ND, with the last two axes exchanged for DN.
func canonicalStrides(shape []ir.Expr, layout ir.TensorLayout) []ir.Expr {
	n := len(shape)
	if layout == ir.LayoutDN && n >= 2 {
		return swapped(canonicalStrides(swapped(shape, n-2, n-1), ir.LayoutND), n-2, n-1)
	}
	out := make([]ir.Expr, n)
	pitch := ir.Expr(ir.Index(1))
	for i := n - 1; i >= 0; i-- {
		out[i] = pitch
		if i > 0 {
			pitch = foldMul(shape[i], pitch)
		}
	}
	return out
}

// layoutOf is the layout of a tensor.
func layoutOf(t *ir.TensorType) ir.TensorLayout {
	if t.View == nil {
		return ir.LayoutND
	}
	return t.View.Layout
}

// stridesOf are the explicit strides, else the canonical ones.
func stridesOf(t *ir.TensorType) []ir.Expr {
	if t.View != nil && len(t.View.Stride) == len(t.Shape) {
		return t.View.Stride
	}
	return canonicalStrides(t.Shape, layoutOf(t))
}

// isCanonical reports that explicit strides, if any, are the canonical ones.
func isCanonical(t *ir.TensorType) bool {
	return t.View == nil || len(t.View.Stride) == 0 || allEqualByValue(t.View.Stride, canonicalStrides(t.Shape, layoutOf(t)))
}

// tensorView looks at the same memory with another shape or layout; the result
// has the canonical strides of its layout.
func tensorView(c *call) ir.Type {
	if !c.arityIn(1, 3, "tensor.view requires 1 to 3 positional args (src[, shape[, valid_shape]]), but got {count}") {
		return nil
	}
	t := c.tensor(0, "tensor.view: src must be TensorType or DistributedTensorType, got {type}")
	if t == nil {
		return nil
	}
	from, to := layoutOf(t), layoutOf(t)
	if v, ok := c.kwarg("layout"); ok {
		if to, ok = v.(ir.TensorLayout); !ok {
			c.degrade("the value of keyword layout is not known")
			return nil
		}
	} else if len(c.args) == 1 {
		return c.fail(-1, "tensor.view requires at least one of shape or layout")
	}
	switch {
	case isMX(t) || to == ir.LayoutMXAZZ || to == ir.LayoutMXBNN:
		return c.fail(0, "tensor.view does not support MX layouts")
	case to == ir.LayoutNZ:
		return c.fail(-1, "tensor.view: NZ layout is not allowed on TensorType (NZ is tile-only)")
	case from == ir.LayoutNZ:
		return c.fail(-1, "tensor.view: src has NZ layout (NZ is tile-only and not allowed on TensorType)")
	}
	if len(c.args) == 1 {
		return c.relayout(t, from, to)
	}
	if !isCanonical(t) {
		return c.fail(-1, "tensor.view: shape reinterpret requires a packed source when the source has explicit stride")
	}
	shape, ok := c.viewShape(t)
	if !ok {
		return nil
	}
	if to == ir.LayoutDN && len(shape) < 2 {
		return c.fail(-1, "tensor.view: DN layout requires rank >= 2, got {n}", len(shape))
	}
	partial := !allEqualByValue(ir.ValidShape(t), t.Shape)
	if len(c.args) == 3 {
		return c.viewValid(shape, partial, to)
	}
	if partial {
		return c.fail(-1, "tensor.view: shape reinterpret does not support a source with a partial valid_shape")
	}
	return ir.NewTensorType(shape, t.DType, &ir.TensorView{Stride: canonicalStrides(shape, to), Layout: to}, t.Distributed)
}

// relayout changes the layout alone; a change exchanges the last two axes.
func (c *call) relayout(t *ir.TensorType, from, to ir.TensorLayout) ir.Type {
	if !isCanonical(t) {
		c.degrade("the layout change of a tensor with strides of its own is not modelled")
		return nil
	}
	shape, valid := t.Shape, ir.ValidShape(t)
	if from != to {
		n := len(shape)
		if n < 2 {
			return c.fail(-1, "tensor.view: cross-layout reinterpret requires rank >= 2, got {n}", n)
		}
		if len(valid) != n {
			c.degrade("the valid shape of the source has another rank")
			return nil
		}
		shape, valid = swapped(shape, n-2, n-1), swapped(valid, n-2, n-1)
	}
	return ir.NewTensorType(shape, t.DType, &ir.TensorView{ValidShape: valid, Stride: canonicalStrides(shape, to), Layout: to}, t.Distributed)
}

// viewShape is the checked shape operand.
func (c *call) viewShape(t *ir.TensorType) ([]ir.Expr, bool) {
	if !c.integerTuple(1, "tensor.view: shape must be TupleType, got {type}", "tensor.view shape tuple element {i} must be ScalarType, but got {type}",
		"tensor.view shape tuple element {i} must have integer dtype, got {dtype}") {
		return nil, false
	}
	shape, ok := c.elems(1)
	if !ok {
		return nil, false
	}
	for i, e := range shape {
		if v, ok := ir.ConstValue(e); ok && v <= 0 {
			c.fail(-1, "tensor.view shape dimension {i} must be positive, got {value}", i, v)
			return nil, false
		}
	}
	a, okA := product(t.Shape)
	b, okB := product(shape)
	if okA && okB && a != b {
		c.fail(-1, "tensor.view: cannot reinterpret tensor of size {value} as shape with size {value}", a, b)
		return nil, false
	}
	if len(shape) == 0 {
		c.fail(-1, "tensor.view: target shape must have rank >= 1")
		return nil, false
	}
	return shape, true
}

// viewValid checks an explicit valid shape; which collapses of a partial
// source it may describe is not modelled.
func (c *call) viewValid(shape []ir.Expr, partial bool, to ir.TensorLayout) ir.Type {
	v, ok := c.literal(2)
	switch {
	case !ok:
		return c.fail(-1, "tensor.view valid_shape (3rd argument) must be a MakeTuple")
	case len(v.Elems) == 0 && partial:
		return c.fail(-1, "tensor.view: a partial source valid_shape requires a non-empty target valid_shape")
	case len(v.Elems) != len(shape):
		return c.fail(-1, "tensor.view: valid_shape rank ({n}) must match target shape rank ({n})", len(v.Elems), len(shape))
	}
	for i, e := range v.Elems {
		if s, isScalar := c.env.TypeOf(e).(*ir.ScalarType); !isScalar || !s.DType.IsInt() {
			return c.fail(-1, "tensor.view valid_shape dimension {i} must have integer dtype", i)
		}
		n, isConst := ir.ConstValue(e)
		if isConst && n <= 0 {
			return c.fail(-1, "tensor.view valid_shape dimension {i} must be positive, got {value}", i, n)
		}
		if d, ok := ir.ConstValue(shape[i]); ok && isConst && n > d {
			return c.fail(-1, "tensor.view valid_shape dimension {i} ({value}) exceeds target shape dimension {value}", i, n, d)
		}
	}
	switch {
	case !partial:
		return c.fail(-1, "tensor.view: an explicit target valid_shape requires a source valid_shape")
	case to != ir.LayoutND:
		return c.fail(-1, "tensor.view: explicit valid_shape shape reinterpretation only supports ND layout")
	}
	c.degrade("tensor.view with an explicit valid shape is not modelled")
	return nil
}

// tensorTranspose exchanges two axes with their strides; a trailing exchange
// turns ND into DN and back.
func tensorTranspose(c *call) ir.Type {
	if !c.arityIn(3, 4, "tensor.transpose requires 3 or 4 arguments (input, axis1, axis2[, valid_shape]), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, barePlain)
	if t == nil {
		return nil
	}
	n := len(t.Shape)
	switch {
	case isMX(t):
		return c.fail(0, noMX)
	case n < 2:
		return c.fail(-1, "tensor.transpose requires at least 2 dimensions, but got {value}", n)
	}
	const outOfRange = "Axis {axis} is out of range for {value}D tensor"
	a, ok := c.constAxis(1, n, "tensor.transpose requires second argument (axis1) to be a ConstInt", outOfRange)
	if !ok {
		return nil
	}
	b, ok := c.constAxis(2, n, "tensor.transpose requires third argument (axis2) to be a ConstInt", outOfRange)
	if !ok {
		return nil
	}
	if a == b {
		return c.fail(-1, "tensor.transpose: axis1 and axis2 must be different, but got axis1={axis1}, axis2={axis2}", a, b)
	}
	valid, ok := c.valid(t)
	if !ok {
		return nil
	}
	valid = swapped(valid, a, b)
	if len(c.args) == 4 {
		v, ok := c.literal(3)
		switch {
		case !ok:
			return c.fail(-1, "tensor.transpose valid_shape (4th argument) must be a MakeTuple")
		case len(v.Elems) != n:
			return c.fail(-1, "tensor.transpose: valid_shape rank ({n}) must match tensor rank ({value})", len(v.Elems), n)
		}
		valid = v.Elems
	}
	layout := layoutOf(t)
	if min(a, b) == n-2 && max(a, b) == n-1 {
		switch layout {
		case ir.LayoutND:
			layout = ir.LayoutDN
		case ir.LayoutDN:
			layout = ir.LayoutND
		}
	}
	view := &ir.TensorView{ValidShape: valid, Stride: swapped(stridesOf(t), a, b), Layout: layout}
	if t.View != nil {
		view.Pad = t.View.Pad
	}
	return ir.NewTensorType(swapped(t.Shape, a, b), t.DType, view, false)
}
