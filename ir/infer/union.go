package infer

import (
	"strconv"

	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// union is a write of a region into a target (spec 02 §4.4).
type union struct {
	target, targetValid, source, sourceValid, offsets []ir.Expr
	// transfer: only the source's valid region is written, so only it has to fit.
	transfer bool
	remedy   string
	operand  int // that errors point at
}

// write is the valid shape of the target after the write; changed is false
// when it stays as it was.
func (c *call) write(w union) (valid []ir.Expr, changed, ok bool) {
	n := len(w.target)
	switch {
	case len(w.source) != n:
		c.fail(w.operand, "{op} requires the source and the target to have the same rank, but got source rank {n} {shape} and target rank {value} {shape}", len(w.source), w.source, n, w.target)
		return nil, false, false
	case len(w.offsets) != n:
		c.fail(w.operand, "{op} requires one offset per target dimension, but got {n} offsets for target rank {value}", len(w.offsets), n)
		return nil, false, false
	case len(w.targetValid) != n:
		c.fail(w.operand, "{op} target valid_shape rank {n} does not match its shape rank {value}", len(w.targetValid), n)
		return nil, false, false
	case len(w.sourceValid) != n:
		c.fail(w.operand, "{op} source valid_shape rank {n} does not match its shape rank {value}", len(w.sourceValid), n)
		return nil, false, false
	}
	reach := w.source
	if w.transfer {
		reach = w.sourceValid
	}
	for i := range n {
		if provablyNegative(w.offsets[i]) {
			c.fail(w.operand, "{op} offset {i} is provably negative ({extent}); a write must start inside its target", i, w.offsets[i])
			return nil, false, false
		}
		if beyond(w.offsets[i], reach[i], w.target[i]) {
			c.fail(w.operand, "{op} writes past the end of dimension {i}: offset {extent} + extent {extent} exceeds the target extent {extent}{|. }{value}", i, w.offsets[i], reach[i], w.target[i], 1, w.remedy)
			return nil, false, false
		}
	}
	for i := range n {
		if arith.ProvablyZero(w.sourceValid[i]) {
			return w.targetValid, false, true
		}
	}
	for i := range n {
		if arith.ProvablyZero(w.targetValid[i]) {
			if !allZero(w.offsets) {
				c.fail(w.operand, "{op} writes at offset {shape} into a target whose valid region is empty (dimension {i} has extent 0), which would leave a region that does not start at the origin. A valid shape names one origin-anchored rectangle, so initialize an empty target at offset 0", w.offsets, i)
				return nil, false, false
			}
			return w.sourceValid, true, true
		}
	}
	if sameExtents(w.targetValid, w.target) {
		return w.targetValid, false, true
	}
	return c.grow(&w)
}

func allZero(l []ir.Expr) bool {
	for _, e := range l {
		if !arith.ProvablyZero(e) {
			return false
		}
	}
	return true
}

// sameExtents is equality on every axis, structural or proved.
func sameExtents(a, b []ir.Expr) bool {
	for i := range a {
		if !ir.ExprEqual(a[i], b[i]) && arith.ProveEqual(a[i], b[i]) != arith.True {
			return false
		}
	}
	return true
}

// grow extends the valid rectangle along the one axis that the write goes
// beyond (steps 6–11).
func (c *call) grow(w *union) (valid []ir.Expr, changed, ok bool) {
	var growing []int
	far := make([]ir.Expr, len(w.target))
	for i := range w.target {
		o, sv := w.offsets[i], w.sourceValid[i]
		if !arith.IsInteger(o) || !arith.IsInteger(sv) {
			c.fail(w.operand, "{op} needs an integer scalar offset and valid extent to place dimension {i} against a partially valid target, but got offset {type} and extent {type}", i, c.env.TypeOf(o), c.env.TypeOf(sv))
			return nil, false, false
		}
		far[i] = sv
		if !arith.ProvablyZero(o) {
			far[i] = arith.Fold(binary(ir.Add, o, sv))
		}
		if arith.ProveLessEqual(far[i], w.targetValid[i]) != arith.True {
			growing = append(growing, i)
		}
	}
	switch {
	case len(growing) == 0:
		return w.targetValid, false, true
	case allZero(w.offsets) && allCovered(w.targetValid, w.sourceValid):
		return w.sourceValid, true, true
	case len(growing) > 1:
		c.fail(w.operand, "{op} grows the valid region along dimensions {value} at once, whose union with the target is an L-shape rather than one origin-anchored rectangle. Target valid {shape}, writing {shape} at offset {shape}", listed(growing), w.targetValid, w.sourceValid, w.offsets)
		return nil, false, false
	}
	a := growing[0]
	if arith.ProveLessEqual(w.offsets[a], w.targetValid[a]) != arith.True {
		c.fail(w.operand, "{op} leaves a gap in dimension {axis}: the write starts at {extent}, which is not provably at or before the target valid extent {extent}. A valid shape names one contiguous origin-anchored rectangle, so a write that grows it must abut the region already there", a, w.offsets[a], w.targetValid[a])
		return nil, false, false
	}
	for i := range w.target {
		switch {
		case i == a:
		case !arith.ProvablyZero(w.offsets[i]):
			c.fail(w.operand, "{op} grows dimension {axis}, so it must span dimension {i} from the origin, but it starts at {extent}. The added region would be narrower than the region it extends, making the union an L-shape", a, i, w.offsets[i])
			return nil, false, false
		case !equalExtent(w.sourceValid[i], w.targetValid[i]):
			c.fail(w.operand, "{op} grows dimension {axis}, so its extent in dimension {i} ({extent}) must provably equal the target valid extent ({extent}). The added region would otherwise not line up with the region it extends, making the union an L-shape", a, i, w.sourceValid[i], w.targetValid[i])
			return nil, false, false
		}
	}
	return replaced(w.targetValid, a, minExtent(maxExtent(w.targetValid[a], far[a]), w.target[a])), true, true
}

func equalExtent(a, b ir.Expr) bool {
	return ir.ExprEqual(a, b) || arith.ProveEqual(a, b) == arith.True
}

func allCovered(a, b []ir.Expr) bool {
	for i := range a {
		if arith.ProveLessEqual(a[i], b[i]) != arith.True {
			return false
		}
	}
	return true
}

// listed is "0, 1 and 2".
func listed(l []int) string {
	s := strconv.Itoa(l[0])
	for i, n := range l[1:] {
		sep := ", "
		if i == len(l)-2 {
			sep = " and "
		}
		s += sep + strconv.Itoa(n)
	}
	return s
}
