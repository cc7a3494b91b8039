package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// gatherRow's result is the destination's type: the transfer's valid shape
// does not narrow it.
func gatherRow(c *call) ir.Type {
	if !c.arityIn(5, 6, "The operator {op} requires 5-6 arguments (dst, src, dst_offset, src_offset, shapes[, valid_shape]), but got {count}") {
		return nil
	}
	dst := c.tile(0, "The operator {op} requires dst to be a TileType, but got {type}")
	if dst == nil {
		return nil
	}
	src := c.plainTensor(1, "The operator {op} requires src to be a TensorType (GM), but got {type}")
	if src == nil {
		return nil
	}
	if dst.DType != src.DType {
		return c.fail(-1, "The operator {op} requires dst and src to share dtype, but got {dtype} and {dtype}", dst.DType, src.DType)
	}
	if !c.rowTransfer() {
		return nil
	}
	return withoutMemRef(c.types[0])
}

// withoutMemRef is t without its MemRef: a call's own type carries none.
func withoutMemRef(t ir.Type) ir.Type {
	switch t := t.(type) {
	case *ir.TileType:
		if t.MemRef != nil {
			u := *t
			u.MemRef = nil
			return &u
		}
	case *ir.TensorType:
		if t.MemRef != nil {
			u := *t
			u.MemRef = nil
			return &u
		}
	}
	return t
}

// rowTransfer checks the window operands 4 and 5 of a gather_row.
func (c *call) rowTransfer() bool {
	shapes, ok := c.literal(4)
	if !ok {
		c.fail(-1, "The operator {op} requires shapes to be a literal tuple, but got {type}", c.types[4])
		return false
	}
	for i, e := range shapes.Elems {
		if _, isConst := ir.ConstValue(e); !isConst {
			c.fail(-1, "The operator {op} requires shapes[{i}] to be a compile-time constant (it sizes pto.subview, whose sizes is a static attribute), but got a runtime value. Pass a dynamic row count through valid_shape instead — it keeps the window (and so the tile allocation and box alignment) static while varying only the transfer length.", i)
			return false
		}
	}
	if len(c.args) < 6 {
		return true
	}
	valid, ok := c.literal(5)
	switch {
	case !ok:
		c.fail(-1, "The operator {op} requires valid_shape to be a literal tuple, but got {type}", c.types[5])
		return false
	case len(valid.Elems) != len(shapes.Elems):
		c.fail(-1, "The operator {op} requires valid_shape to have the same rank as shapes ({n}), but got rank {n}", len(shapes.Elems), len(valid.Elems))
		return false
	}
	dynamic := false
	for i, e := range valid.Elems {
		t := c.env.TypeOf(e)
		if s, isScalar := t.(*ir.ScalarType); !isScalar || s.DType.IsFloat() {
			c.fail(-1, "The operator {op} requires valid_shape[{i}] to be an integer extent, but got {type}", i, t)
			return false
		}
		_, isConst := ir.ConstValue(e)
		dynamic = dynamic || !isConst
	}
	if dynamic && c.boolKwarg("transpose") {
		c.fail(-1, "The operator {op} does not support a dynamic valid_shape together with transpose=True (the DN2NZ per-row path would need a runtime column extent on a boxed NZ tile). Use a static valid_shape with transpose=True, or gather without transpose and read the operand with matmul(b_trans=True).")
		return false
	}
	return c.validBounds(valid.Elems, shapes.Elems)
}

// validBounds collects every violation of the valid-shape bounds (spec 02
// §12), joined with "; ".
func (c *call) validBounds(valid, shape []ir.Expr) bool {
	text := ""
	add := func(s string, values ...any) {
		if text != "" {
			text += "; "
		}
		text += c.fill(s, values)
	}
	for i := range valid {
		if provablyNegative(valid[i]) {
			add("{op} valid_shape dimension {i} has provably negative extent {extent}; expected 0 <= valid_shape[{i}] <= shape[{i}] ({extent})", i, valid[i], i, i, shape[i])
		} else if arith.ProveLessEqual(valid[i], shape[i]) == arith.False {
			add("{op} valid_shape dimension {i} extent {extent} provably exceeds physical shape extent {extent}", i, valid[i], shape[i])
		}
	}
	if text != "" {
		c.fail(-1, "{value}", text)
		return false
	}
	return true
}
