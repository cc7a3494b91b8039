package infer

import "pypto-ls/ir"

// pads are the padding operators. Their result is fully valid and lives in the
// space of the operand.
var pads = map[string]rule{"tile.fillpad": tileFillpad, "tile.fillpad_inplace": tileFillpad, "tile.fillpad_expand": fillpadExpand}

const padNotNull = "{op} requires pad_value to be zero/max/min, not null"

// padding is the keyword pad_value.
func (c *call) padding() (ir.Pad, bool) {
	p := c.padKwarg("pad_value", ir.PadZero)
	if p == ir.PadNull {
		c.fail(-1, padNotNull)
		return p, false
	}
	return p, true
}

func (c *call) padded(t *ir.TileType, shape []ir.Expr, p ir.Pad) ir.Type {
	v := inherit(t, nil)
	v.Pad = p
	return c.tileIn(shape, t.DType, v, t.Space)
}

func tileFillpad(c *call) ir.Type {
	if !c.arity(1, exactly1) {
		return nil
	}
	t := c.tile(0, firstTile)
	if t == nil {
		return nil
	}
	p, ok := c.padding()
	if !ok {
		return nil
	}
	return c.padded(t, t.Shape, p)
}

// expandTexts are the texts about the shape operand of a fillpad_expand.
const (
	expandLiteral  = "{op} shape must be a literal tuple of constants, but got {type}"
	expandRank     = "{op} shape rank ({n}) must match source rank ({n})"
	expandConst    = "{op} shape dimension {i} must be a constant integer"
	expandPositive = "{op} shape dimension {i} must be positive, got {value}"
	expandSmaller  = "{op} destination dimension {i} ({value}) must be >= source dimension ({value})"
)

// expandShape is operand 1, a shape that is nowhere smaller than src.
func (c *call) expandShape(src []ir.Expr) ([]ir.Expr, bool) {
	t, ok := c.literal(1)
	if !ok {
		c.fail(-1, expandLiteral, c.types[1])
		return nil, false
	}
	if len(t.Elems) != len(src) {
		c.fail(-1, expandRank, len(t.Elems), len(src))
		return nil, false
	}
	for i, e := range t.Elems {
		v, isConst := ir.ConstValue(e)
		s, constSrc := ir.ConstValue(src[i])
		switch {
		case !isConst:
			c.fail(-1, expandConst, i)
		case v <= 0:
			c.fail(-1, expandPositive, i, v)
		case constSrc && v < s:
			c.fail(-1, expandSmaller, i, v, s)
		default:
			continue
		}
		return nil, false
	}
	return t.Elems, true
}

func fillpadExpand(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires exactly 2 arguments (tile, shape), but got {count}") {
		return nil
	}
	t := c.tile(0, firstTile)
	if t == nil {
		return nil
	}
	shape, ok := c.expandShape(t.Shape)
	if !ok {
		return nil
	}
	p, ok := c.padding()
	if !ok {
		return nil
	}
	return c.padded(t, shape, p)
}
