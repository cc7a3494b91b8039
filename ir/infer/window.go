package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// window is a read of a region (spec 02 §4.3): source shape S with valid shape
// V, read at offsets O in the given dims W; request Q may be empty.
type window struct {
	shape, valid, offsets, dims, request []ir.Expr
	// transfer kind: with a request, only the requested region is read, so only
	// it has to fit. Otherwise the whole window is.
	transfer bool
	// clamp narrows the read to the source's edge.
	clamp  bool
	remedy string
}

// read is the valid shape of the window.
func (c *call) read(w window) ([]ir.Expr, bool) {
	n := len(w.dims)
	switch {
	case n != len(w.shape):
		c.fail(0, "{op} requires the window and the source to have the same rank, but got window rank {value} {shape} and source rank {n} {shape}", n, w.dims, len(w.shape), w.shape)
	case len(w.offsets) != n:
		c.fail(0, "{op} requires one offset per window dimension, but got {n} offsets for window rank {value}", len(w.offsets), n)
	case len(w.valid) != len(w.shape):
		c.fail(0, "{op} source valid_shape rank {n} does not match its shape rank {value}", len(w.valid), len(w.shape))
	case len(w.request) > 0 && len(w.request) != n:
		c.fail(0, "{op} requires valid_shape to have the same rank as the window, but got valid_shape rank {n} {shape} and window rank {value}", len(w.request), w.request, n)
	default:
		result, copied := w.dims, false // mostly all of it
		for i := range n {
			e, ok := c.readAxis(&w, i)
			if !ok {
				return nil, false
			}
			if e != w.dims[i] && !copied {
				result, copied = append([]ir.Expr(nil), w.dims...), true
			}
			if copied {
				result[i] = e
			}
		}
		return result, true
	}
	return nil, false
}

func (c *call) readAxis(w *window, i int) (ir.Expr, bool) {
	o, dim, s, v := w.offsets[i], w.dims[i], w.shape[i], w.valid[i]
	if provablyNegative(o) {
		c.fail(0, "{op} offset {i} is provably negative ({extent}); a window must start inside its source", i, o)
		return nil, false
	}
	var q ir.Expr
	if len(w.request) > 0 {
		if q = w.request[i]; arith.ProveLessEqual(q, dim) == arith.False {
			c.fail(0, "{op} valid_shape {i} is {extent}, which exceeds the window extent {extent}; a valid region cannot be larger than the shape that holds it", i, q, dim)
			return nil, false
		}
	}
	if !w.clamp {
		reach := dim
		if w.transfer && q != nil {
			reach = q
		}
		if beyond(o, reach, s) {
			c.fail(0, "{op} reads past the end of dimension {i}: offset {extent} + extent {extent} exceeds the source extent {extent}. {value}", i, o, reach, s, w.remedy)
			return nil, false
		}
	}
	available := dim
	if w.clamp || !ir.ExprEqual(v, s) {
		if !arith.IsInteger(o) {
			c.fail(0, "{op} offset {i} must be an integer scalar to narrow dimension {i} against a partial source, but got {type}", i, i, c.env.TypeOf(o))
			return nil, false
		}
		remaining := v
		if !arith.ProvablyZero(o) {
			remaining = arith.Fold(binary(ir.Sub, binary(ir.Max, v, o), o))
		}
		available = minExtent(remaining, dim)
	}
	switch {
	case q == nil:
		return available, true
	case !ir.ExprEqual(available, dim) && arith.ProveLessEqual(available, q) == arith.True:
		return available, true
	}
	return q, true
}

// provablyNegative disproves 0 ≤ e.
func provablyNegative(e ir.Expr) bool {
	if n, ok := e.(*ir.ConstInt); ok && n.Value >= 0 {
		return false
	}
	return arith.ProveLessEqual(arith.Zero(arith.DTypeOf(e)), e) == arith.False
}

// beyond disproves o + extent ≤ limit.
func beyond(o, extent, limit ir.Expr) bool {
	if !arith.IsInteger(o) || !arith.IsInteger(extent) || !arith.IsInteger(limit) {
		return false
	}
	if r, ok := constBeyond(o, extent, limit); ok {
		return r
	}
	return arith.ProveLessEqual(arith.Fold(binary(ir.Add, o, extent)), limit) == arith.False
}

// constBeyond is beyond for three constants of ordinary size and one
// signedness; ok is false for others.
func constBeyond(o, extent, limit ir.Expr) (r, ok bool) {
	a, okA := o.(*ir.ConstInt)
	b, okB := extent.(*ir.ConstInt)
	l, okL := limit.(*ir.ConstInt)
	if !okA || !okB || !okL || a.DType.IsSigned() != l.DType.IsSigned() || b.DType.IsSigned() != l.DType.IsSigned() {
		return false, false
	}
	const ordinary = 1 << 60
	for _, v := range [3]int64{a.Value, b.Value, l.Value} {
		if v < -ordinary || v > ordinary {
			return false, false
		}
	}
	return a.Value+b.Value > l.Value, true
}

// binary is a node over two integer scalars, not folded.
func binary(op ir.BinOp, x, y ir.Expr) ir.Expr {
	return &ir.Binary{Op: op, X: x, Y: y, DType: arith.Promote(arith.DTypeOf(x), arith.DTypeOf(y))}
}

// minExtent is an operand when the order is proved, the first if ≤, else the
// folded min.
func minExtent(a, b ir.Expr) ir.Expr {
	switch {
	case arith.ProveLessEqual(a, b) == arith.True:
		return a
	case arith.ProveLessEqual(b, a) == arith.True:
		return b
	}
	return arith.Fold(binary(ir.Min, a, b))
}

// maxExtent is minExtent's counterpart.
func maxExtent(a, b ir.Expr) ir.Expr {
	switch {
	case arith.ProveLessEqual(a, b) == arith.True:
		return b
	case arith.ProveLessEqual(b, a) == arith.True:
		return a
	}
	return arith.Fold(binary(ir.Max, a, b))
}
