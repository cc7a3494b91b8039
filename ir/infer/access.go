package infer

import "pypto-ls/ir"

// access are element access and index queries (spec 02 §5.14).
var access = map[string]rule{"tile.read": tileRead, "tile.write": tileWrite,
	"tile.get_block_idx": indexQuery, "tile.get_subblock_idx": indexQuery, "tile.get_block_num": indexQuery,
	"tensor.get_block_idx": tensorIndexQuery, "tensor.get_subblock_idx": tensorIndexQuery, "tensor.get_block_num": tensorIndexQuery}

// elementTexts are the texts about an index tuple, of tiles or tensors.
type elementTexts struct{ notTuple, count, notScalar, notInteger string }

var tileReadTexts = elementTexts{"tile.read requires indices to be TupleType, but got {type}",
	"tile.read indices count ({n}) must match tile rank ({n})", "tile.read index element {i} must be ScalarType, but got {type}",
	"tile.read index element {i} must have integer dtype, but got {dtype}"}

var tileWriteTexts = elementTexts{"tile.write requires indices to be TupleType, but got {type}",
	"tile.write indices count ({n}) must match tile rank ({n})", "tile.write index element {i} must be ScalarType, but got {type}",
	"tile.write index element {i} must have integer dtype, but got {dtype}"}

// element checks operand 1, one integer index per axis.
func (c *call) element(rank int, x *elementTexts) bool {
	n, ok := c.tupleLen(1)
	switch {
	case !ok:
		c.fail(-1, x.notTuple, c.types[1])
		return false
	case n != rank:
		c.fail(-1, x.count, n, rank)
		return false
	}
	return c.integerTuple(1, x.notTuple, x.notScalar, x.notInteger)
}

func tileRead(c *call) ir.Type {
	if !c.arity(2, "tile.read requires exactly 2 arguments (tile, indices), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.read requires first argument to be a TileType, but got {type}")
	if t == nil || !c.element(len(t.Shape), &tileReadTexts) {
		return nil
	}
	return scalarOf(t.DType)
}

func tileWrite(c *call) ir.Type {
	if !c.arity(3, "tile.write requires exactly 3 arguments (tile, indices, value), but got {count}") {
		return nil
	}
	t := c.tile(0, "tile.write requires first argument to be a TileType, but got {type}")
	if t == nil || !c.element(len(t.Shape), &tileWriteTexts) {
		return nil
	}
	s := c.scalar(2, "tile.write requires third argument (value) to be a ScalarType, but got {type}")
	if s == nil {
		return nil
	}
	if s.DType != t.DType {
		return c.fail(-1, "tile.write requires value dtype to match tile dtype, but got value dtype {dtype} and tile dtype {dtype}", s.DType, t.DType)
	}
	return withoutMemRef(t)
}

func indexQuery(c *call) ir.Type {
	if !c.arity(0, "The operator {op} requires no arguments, but got {count}") {
		return nil
	}
	return scalarOf(ir.INDEX)
}

func tensorIndexQuery(c *call) ir.Type {
	if !c.arity(0, "{op} requires no arguments, but got {count}") {
		return nil
	}
	return scalarOf(ir.INDEX)
}
