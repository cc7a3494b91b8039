package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// splitTransfer reads `pl.aiv_shard` and `pl.aic_gather` (spec 01 §9.1, 02
// §5.15): inside a split_aiv region they take its mode, in outlined form an
// integer `split=`.
func (r *reader) splitTransfer(n irsyntax.Ref, op string) ir.Expr {
	hint := "Write 'x = pl." + op + "(tile)' inside a 'for aiv_id in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):' loop; the split mode is taken from that scope."
	reject := func(text string) ir.Expr {
		r.problem(Syntax, r.span(n), text, hint)
		return unknownExpr(n)
	}
	var pos, split, stride irsyntax.Ref
	count := 0
	var attrs []ir.Attr
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			if count++; count == 1 {
				pos = a
			}
			continue
		}
		switch key := a.First().Text(); key {
		case "split":
			split = a.Child(1)
		case "lane_stride":
			stride = a.Child(1)
		case "attrs":
			attrs = r.callAttrs(a.Child(1), unparse(n.First()))
		case "mode":
			return reject("pl." + op + "() does not take a mode= argument — pass the lowered integer 'split=' (outlined form) or rely on the enclosing pl.split_aiv(mode=...) scope (high-level form)")
		default:
			return reject("pl." + op + "() does not accept keyword argument '" + key + "'")
		}
	}
	if count != 1 {
		verb := "shard"
		if op == "aic_gather" {
			verb = "gather"
		}
		return reject("pl." + op + "() takes exactly one positional argument (the tile to " + verb + "), got " + itoa(int64(count)))
	}
	x := r.expr(pos)
	cat := "tile."
	if t, ok := exprType(x).(*ir.TensorType); ok {
		cat = "tensor."
		if t.Distributed {
			return reject("pl." + op + " does not support distributed tensors (AIV/AIC split only)")
		}
	}
	if r.opt.Policy == Dump && lastTwo(n.First(), "tensor") {
		cat = "tensor."
	}
	c := &ir.Call{Name: cat + op, Op: lookupOp(cat + op), Args: []ir.Expr{x}, Attrs: attrs, Span: r.span(n)}
	if msg := r.splitKeywords(c, op, split, stride); msg != "" {
		return reject(msg)
	}
	return r.typed(n, c, nil, nil)
}

// splitKeywords checks and adds split= and lane_stride=.
func (r *reader) splitKeywords(c *ir.Call, op string, split, stride irsyntax.Ref) string {
	region := r.splitMode != nil
	switch {
	case split.Ok() && region:
		return "pl." + op + "() does not take a split= argument inside a 'for ... in pl.split_aiv(...)' loop — the split mode is inherited from that scope"
	case split.Ok() && c.Name == "tensor."+op:
		return "pl." + op + "(..., split=N) does not accept a high-level Tensor operand — the outlined split= form is tile-only. Wrap the Tensor in a 'for aiv_id in pl.split_aiv(...)' region instead, which supplies the split mode and lowers to the tile op."
	case stride.Ok() && op == "aic_gather":
		return "pl.aic_gather() does not take a lane_stride= argument: only the Cube -> Vector shard is ever rebalanced onto a ragged boundary's valid region, so the gather always re-joins the lanes on the box partition"
	case split.Ok():
		v, ok := r.constInt(split)
		if !ok {
			return "pl." + op + "(..., split=N) requires an integer split (the lowered SplitMode value), got '" + unparse(split) + "'"
		}
		c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: "split", Value: v})
	case region:
		c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: "split", Value: *r.splitMode})
	default:
		return "pl." + op + "() must be used inside a 'for ... in pl.split_aiv(...)' loop (or pass an explicit integer 'split=' in the outlined form); it otherwise inherits the split mode from that scope"
	}
	if !stride.Ok() {
		return ""
	}
	if region {
		return "pl." + op + "() does not take a lane_stride= argument inside a 'for ... in pl.split_aiv(...)' loop — the partition follows the region's own per-lane offsets"
	}
	v, ok := r.constInt(stride)
	if !ok {
		return "pl." + op + "(..., lane_stride=N) requires an integer partition stride, got '" + unparse(stride) + "'"
	}
	c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: "lane_stride", Value: v})
	return ""
}
