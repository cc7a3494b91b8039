package infer

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const (
	lhsRank2    = "The operator {op} requires lhs to have at least 2 dimensions, but got {n} dimensions"
	rhsRank2    = "The operator {op} requires rhs to have at least 2 dimensions, but got {n} dimensions"
	innerMatch  = "The operator {op} requires matching inner dimensions, but got lhs K={value} and rhs K={value}"
	noBroadcast = "Cannot broadcast batch dimensions for {op}"
)

// matrix splits a shape into its batch dimensions and its last two.
func matrix(shape []ir.Expr) (batch []ir.Expr, rows, cols ir.Expr) {
	n := len(shape)
	return shape[:n-2], shape[n-2], shape[n-1]
}

// accTile is a fully valid tile in Acc.
func (c *call) accTile(shape []ir.Expr, d ir.DType) ir.Type {
	return c.tileIn(shape, d, accView(nil, ir.CompactNull), platforms.Acc)
}

// batchMatmul ignores valid shapes: the result is fully valid.
func batchMatmul(c *call) ir.Type {
	lhs, rhs := c.twoTiles()
	switch {
	case rhs == nil:
		return nil
	case len(lhs.Shape) < 2:
		return c.fail(-1, lhsRank2, len(lhs.Shape))
	case len(rhs.Shape) < 2:
		return c.fail(-1, rhsRank2, len(rhs.Shape))
	}
	lb, m, lk := matrix(lhs.Shape)
	rb, rk, n := matrix(rhs.Shape)
	if differ(lk, rk) {
		return c.fail(-1, innerMatch, lk, rk)
	}
	batch, ok := broadcast(lb, rb)
	if !ok {
		return c.fail(-1, noBroadcast)
	}
	if lhs.DType != rhs.DType {
		return c.fail(-1, sameOperands, lhs.DType, rhs.DType)
	}
	return c.accTile(append(append([]ir.Expr(nil), batch...), m, n), Accumulator(lhs.DType))
}

func batchMatmulAcc(c *call) ir.Type {
	if !c.arity(3, exactly3) {
		return nil
	}
	var t [3]*ir.TileType
	for i, text := range [3]string{firstAcc, secondLhs, thirdRhs} {
		if t[i] = c.tile(i, text); t[i] == nil {
			return nil
		}
	}
	acc, lhs, rhs := t[0], t[1], t[2]
	switch {
	case len(acc.Shape) < 2:
		return c.fail(-1, "The operator {op} requires acc to have at least 2 dimensions, but got {n} dimensions", len(acc.Shape))
	case len(lhs.Shape) < 2:
		return c.fail(-1, lhsRank2, len(lhs.Shape))
	case len(rhs.Shape) < 2:
		return c.fail(-1, rhsRank2, len(rhs.Shape))
	}
	ab, am, an := matrix(acc.Shape)
	lb, lm, lk := matrix(lhs.Shape)
	rb, rk, rn := matrix(rhs.Shape)
	switch {
	case differ(am, lm):
		return c.fail(-1, "The operator {op} requires matching M dimensions, but got acc M={value} and lhs M={value}", am, lm)
	case differ(an, rn):
		return c.fail(-1, "The operator {op} requires matching N dimensions, but got acc N={value} and rhs N={value}", an, rn)
	case differ(lk, rk):
		return c.fail(-1, innerMatch, lk, rk)
	}
	batch, ok := broadcast(lb, rb)
	if !ok {
		return c.fail(-1, noBroadcast)
	}
	if len(ab) != len(batch) {
		return c.fail(-1, "The operator {op} requires acc batch rank ({n}) to equal broadcast(lhs, rhs) batch rank ({n})", len(ab), len(batch))
	}
	for i := range ab {
		if differ(ab[i], batch[i]) {
			return c.fail(-1, "The operator {op} requires acc batch dim {i} to equal broadcast(lhs, rhs) batch dim {i}, but got acc={value} and broadcast={value}", i, i, ab[i], batch[i])
		}
	}
	d := Accumulator(lhs.DType)
	switch {
	case lhs.DType != rhs.DType:
		return c.fail(-1, sameOperands, lhs.DType, rhs.DType)
	case acc.DType != d:
		return c.fail(-1, accDType, d, acc.DType)
	}
	return c.accTile(acc.Shape, d)
}
