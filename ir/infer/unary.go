package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// unary are unary operators and casts (spec 02 §5.4).
var unary = map[string]rule{
	"tile.neg": tileUnary, "tile.exp": tileUnary, "tile.sqrt": tileUnary, "tile.abs": tileUnary, "tile.relu": tileUnary,
	"tile.recip": tileUnary, "tile.log": tileUnary, "tile.sin": tileUnary, "tile.cos": tileUnary, "tile.not": tileUnary,
	"tile.rsqrt": tileRsqrt, "tile.cast": tileCast,
}

func tileUnary(c *call) ir.Type {
	if !c.arity(1, exactly1) {
		return nil
	}
	t := c.tile(0, theTile)
	if t == nil {
		return nil
	}
	switch c.op.Name {
	case "tile.log":
		if !oneOf(t.DType, ir.FP16, ir.FP32) {
			return c.fail(-1, "tile.log requires an FP16 or FP32 tile operand, but got {dtype}", t.DType)
		}
	case "tile.sin", "tile.cos":
		if t.DType != ir.FP32 {
			return c.fail(-1, "{op} is FP32-only, but got input with dtype {dtype}. Cast the input to FP32 explicitly via pl.cast(tile, pl.FP32) before applying {op}.", t.DType)
		}
	case "tile.not":
		if !oneOf(t.DType, ir.INT16, ir.UINT16) {
			return c.fail(-1, "The operator {op} requires int16 or uint16 tile dtype, but got {dtype}", t.DType)
		}
	case "tile.recip":
		if c.boolKwarg("high_precision") && !oneOf(t.DType, ir.FP16, ir.FP32) {
			return c.fail(-1, "The operator tile.recip supports high_precision only for FP16 or FP32 because the PTOAS high-precision template does not implement other dtypes")
		}
	}
	return c.like(t, t.DType)
}

func tileRsqrt(c *call) ir.Type {
	if !c.arityIn(1, 2, "The operator {op} requires 1 or 2 arguments, but got {count}") {
		return nil
	}
	t := c.tile(0, firstTile)
	if t == nil {
		return nil
	}
	if len(c.args) == 2 {
		tmp := c.tile(1, "The operator {op} requires tmp argument to be a TileType, but got {type}")
		switch {
		case tmp == nil:
			return nil
		case tmp.DType != t.DType:
			return c.fail(-1, "{op}: tmp tile dtype ({dtype}) must match input dtype ({dtype})", tmp.DType, t.DType)
		case len(tmp.Shape) != len(t.Shape):
			return c.fail(-1, "{op}: tmp tile rank ({n}) must match input rank ({n})", len(tmp.Shape), len(t.Shape))
		}
		for i := range t.Shape {
			if !arith.DimensionsEqual(tmp.Shape[i], t.Shape[i]) {
				return c.fail(-1, "{op}: tmp tile shape mismatch at dimension {i} (tmp: {value}, input: {value})", i, tmp.Shape[i], t.Shape[i])
			}
		}
	}
	return c.like(t, t.DType)
}

func tileCast(c *call) ir.Type {
	if !c.arity(1, exactly1) {
		return nil
	}
	t := c.tile(0, theTile)
	if t == nil {
		return nil
	}
	if _, ok := c.kwarg("target_type"); !ok {
		return c.fail(-1, "tile.cast requires 'target_type' kwarg")
	}
	d := c.dtypeKwarg("target_type", ir.NoDType)
	if c.problem != nil {
		return nil
	}
	if _, ok := c.kwarg("mode"); !ok {
		return c.fail(-1, "{op} requires a 'mode' kwarg (round mode: none(0), rint(1), round(2), floor(3), ceil(4), trunc(5), odd(6)). Pass mode=\"round\" (2) to match the pl.cast / tile_ops.cast default, or mode=\"none\" (0) when the conversion cannot round (e.g. int -> int).")
	}
	if d == t.DType {
		return c.fail(-1, "{op}: target_type {dtype} equals input dtype; same-dtype cast is not a valid operation. Remove the cast or use a different target_type.", d)
	}
	return c.like(t, d)
}
