package infer

import "pypto-ls/ir"

// tensorMatmuls are matrix products of tensors.
var tensorMatmuls = map[string]rule{"tensor.matmul": tensorMatmul, "tensor.matmul_acc": tensorMatmulAcc}

// operand is a matrix operand after transposition: its batch dimensions and
// its two last ones; a vector has rows or cols nil.
type matrixOperand struct {
	batch      []ir.Expr
	rows, cols ir.Expr
}

// lhsOperand and rhsOperand read a vector as a row and as a column.
func lhsOperand(shape []ir.Expr, trans bool) matrixOperand {
	if len(shape) == 1 {
		return matrixOperand{cols: shape[0]}
	}
	return transposed(shape, trans)
}

func rhsOperand(shape []ir.Expr, trans bool) matrixOperand {
	if len(shape) == 1 {
		return matrixOperand{rows: shape[0]}
	}
	return transposed(shape, trans)
}

func transposed(shape []ir.Expr, trans bool) matrixOperand {
	b, r, k := matrix(shape)
	if trans {
		r, k = k, r
	}
	return matrixOperand{b, r, k}
}

func tensorMatmul(c *call) ir.Type {
	if !c.arity(2, "tensor.matmul requires exactly 2 arguments (lhs, rhs), but got {count}") {
		return nil
	}
	a := c.plainTensor(0, "tensor.matmul requires first argument to be a TensorType, but got {type}")
	if a == nil {
		return nil
	}
	b := c.plainTensor(1, "tensor.matmul requires second argument to be a TensorType, but got {type}")
	switch {
	case b == nil:
		return nil
	case len(a.Shape) == 0:
		return c.fail(-1, "tensor.matmul requires lhs to have at least 1 dimension")
	case len(b.Shape) == 0:
		return c.fail(-1, "tensor.matmul requires rhs to have at least 1 dimension")
	}
	d := c.dtypeKwarg("out_dtype", promote(a.DType, b.DType))
	aTrans, bTrans := c.boolKwarg("a_trans"), c.boolKwarg("b_trans")
	switch {
	case c.problem != nil:
		return nil
	case aTrans && len(a.Shape) == 1:
		return c.fail(-1, "tensor.matmul: a_trans does not apply to a 1D lhs (a vector has no axes to swap); drop a_trans or pass a 2D lhs")
	case bTrans && len(b.Shape) == 1:
		return c.fail(-1, "tensor.matmul: b_trans does not apply to a 1D rhs (a vector has no axes to swap); drop b_trans or pass a 2D rhs")
	}
	if len(a.Shape) > 2 && len(b.Shape) < 2 || len(b.Shape) > 2 && len(a.Shape) < 2 {
		return c.fail(-1, "tensor.matmul requires both tensors to have at least 2 dimensions for batched matmul, but got lhs shape size {value} and rhs shape size {value}", len(a.Shape), len(b.Shape))
	}
	l, r := lhsOperand(a.Shape, aTrans), rhsOperand(b.Shape, bTrans)
	if differ(l.cols, r.rows) {
		return c.fail(-1, "{value}, but got lhs K={value} and rhs K={value}", "tensor.matmul requires matching inner dimensions", l.cols, r.rows)
	}
	batch, ok := broadcast(l.batch, r.batch)
	if !ok {
		return c.fail(-1, noBroadcast)
	}
	shape := append([]ir.Expr(nil), batch...)
	for _, e := range [2]ir.Expr{l.rows, r.cols} {
		if e != nil {
			shape = append(shape, e)
		}
	}
	if len(shape) == 0 {
		c.degrade("the product of two vectors")
		return nil
	}
	return tensorWith(shape, d, nil, false)
}

func tensorMatmulAcc(c *call) ir.Type {
	if !c.arityIn(3, 4, "tensor.matmul_acc requires 3 arguments (acc, lhs, rhs) or 4 with the optional init_cond predicate, but got {count}") || !c.initCond(3) {
		return nil
	}
	var t [3]*ir.TensorType
	for i, text := range [3]string{
		"tensor.matmul_acc requires first argument (acc) to be a TensorType, but got {type}",
		"tensor.matmul_acc requires second argument (lhs) to be a TensorType, but got {type}",
		"tensor.matmul_acc requires third argument (rhs) to be a TensorType, but got {type}",
	} {
		if t[i] = c.plainTensor(i, text); t[i] == nil {
			return nil
		}
	}
	for i, text := range [3]string{
		"tensor.matmul_acc requires acc to be at least 2D, but got {n}D",
		"tensor.matmul_acc requires lhs to be at least 2D, but got {n}D",
		"tensor.matmul_acc requires rhs to be at least 2D, but got {n}D",
	} {
		if len(t[i].Shape) < 2 {
			return c.fail(-1, text, len(t[i].Shape))
		}
	}
	acc, a, b := t[0], t[1], t[2]
	d := Accumulator(a.DType)
	switch {
	case a.DType != b.DType:
		return c.fail(-1, "tensor.matmul_acc requires identical lhs and rhs dtypes, but got {dtype} and {dtype}", a.DType, b.DType)
	case acc.DType != d:
		return c.fail(-1, "tensor.matmul_acc requires accumulator dtype {dtype}, but got {dtype}", d, acc.DType)
	}
	ab, am, an := matrix(acc.Shape)
	l, r := transposed(a.Shape, c.boolKwarg("a_trans")), transposed(b.Shape, c.boolKwarg("b_trans"))
	switch {
	case differ(l.cols, r.rows):
		return c.fail(-1, "tensor.matmul_acc: lhs K={value} != rhs K={value}", l.cols, r.rows)
	case differ(am, l.rows):
		return c.fail(-1, "tensor.matmul_acc: acc M={value} != matmul M={value}", am, l.rows)
	case differ(an, r.cols):
		return c.fail(-1, "tensor.matmul_acc: acc N={value} != matmul N={value}", an, r.cols)
	}
	batch, ok := broadcast(l.batch, r.batch)
	if !ok {
		return c.fail(-1, noBroadcast)
	}
	if len(ab) != len(batch) {
		return c.fail(-1, "tensor.matmul_acc: acc batch rank ({n}) must equal broadcast(lhs, rhs) batch rank ({n})", len(ab), len(batch))
	}
	for i := range ab {
		if differ(ab[i], batch[i]) {
			return c.fail(-1, "tensor.matmul_acc: acc batch dim {i} ({value}) must equal broadcast(lhs, rhs) batch dim {i} ({value})", i, ab[i], i, batch[i])
		}
	}
	return tensorWith(acc.Shape, d, nil, false)
}
