package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
	"pypto-ls/platforms"
)

// matmuls are matrix products (spec 02 §5.7), the MX family apart.
var matmuls = map[string]rule{
	"tile.matmul": tileMatmul, "tile.matmul_acc": tileMatmulAcc, "tile.matmul_bias": tileMatmulBias,
	"tile.gemv": tileGemv, "tile.gemv_acc": tileGemvAcc, "tile.gemv_bias": tileGemvBias,
	"tile.batch_matmul": batchMatmul, "tile.batch_matmul_acc": batchMatmulAcc,
}

const (
	lhs2D        = "The operator {op} requires lhs to be 2D, but got {n} dimensions"
	rhs2D        = "The operator {op} requires rhs to be 2D, but got {n} dimensions"
	acc2D        = "The operator {op} requires acc to be 2D, but got {n} dimensions"
	firstAcc     = "The operator {op} requires first argument (acc) to be a TileType, but got {type}"
	secondLhs    = "The operator {op} requires second argument (lhs) to be a TileType, but got {type}"
	thirdRhs     = "The operator {op} requires third argument (rhs) to be a TileType, but got {type}"
	sameOperands = "The operator {op} requires identical lhs and rhs data types, but got {dtype} and {dtype}"
	accDType     = "The operator {op} requires accumulator dtype {dtype}, but got {dtype}"
)

// Accumulator is the element type of a product of elements of type d (spec 02
// §5.7).
func Accumulator(d ir.DType) ir.DType {
	if d.IsFloat() {
		return ir.FP32
	}
	return ir.INT32
}

// product2D is the contract of a 2-D product: lhs [M, K], rhs [K, N]. It
// returns the valid shapes.
func (c *call) product2D(lhs, rhs *ir.TileType) (lv, rv []ir.Expr, ok bool) {
	switch {
	case len(lhs.Shape) != 2:
		c.fail(-1, lhs2D, len(lhs.Shape))
		return nil, nil, false
	case len(rhs.Shape) != 2:
		c.fail(-1, rhs2D, len(rhs.Shape))
		return nil, nil, false
	case differ(lhs.Shape[1], rhs.Shape[0]):
		c.fail(-1, "The operator {op} requires matching physical inner dimensions (physical K), but got lhs K={value} and rhs K={value}", lhs.Shape[1], rhs.Shape[0])
		return nil, nil, false
	}
	if lv, ok = c.valid(lhs); !ok {
		return nil, nil, false
	}
	if rv, ok = c.valid(rhs); !ok {
		return nil, nil, false
	}
	if arith.ProveLessEqual(lv[1], rv[0]) == arith.False {
		c.fail(-1, "The operator {op} requires rhs valid K to cover lhs valid K, but got lhs K={extent} and rhs K={extent}", lv[1], rv[0])
		return nil, nil, false
	}
	if lhs.DType != rhs.DType {
		c.fail(-1, sameOperands, lhs.DType, rhs.DType)
		return nil, nil, false
	}
	return lv, rv, true
}

// accView is the layout of an accumulator.
func accView(valid []ir.Expr, compact ir.Compact) ir.TileView {
	return ir.TileView{ValidShape: valid, BLayout: ir.ColMajor, SLayout: ir.RowMajor, Fractal: 1024, Compact: compact}
}

// compactFor is normal unless all physical rows are provably valid.
func compactFor(validRows, rows ir.Expr) ir.Compact {
	if equalByValue(validRows, rows) {
		return ir.CompactNull
	}
	return ir.CompactNormal
}

// matmulResult is [M, N] in Acc, valid for (valid M of lhs, valid N of rhs).
func (c *call) matmulResult(lhs, rhs *ir.TileType, lv, rv []ir.Expr, d ir.DType) ir.Type {
	m, n := lhs.Shape[0], rhs.Shape[1]
	return c.tileIn([]ir.Expr{m, n}, d, accView([]ir.Expr{lv[0], rv[1]}, compactFor(lv[0], m)), platforms.Acc)
}

func tileMatmul(c *call) ir.Type {
	lhs, rhs := c.twoTiles()
	if rhs == nil {
		return nil
	}
	lv, rv, ok := c.product2D(lhs, rhs)
	if !ok {
		return nil
	}
	return c.matmulResult(lhs, rhs, lv, rv, Accumulator(lhs.DType))
}

// initCond checks the optional predicate operand i.
func (c *call) initCond(i int) bool {
	if len(c.args) <= i {
		return true
	}
	s := c.scalar(i, "The operator {op} requires init_cond to be a boolean scalar, but got {type}")
	if s == nil {
		return false
	}
	if s.DType != ir.BOOL {
		c.fail(i, "The operator {op} requires init_cond to have dtype BOOL, but got {dtype}. Write a comparison such as `k == 0` rather than passing the index itself.", s.DType)
		return false
	}
	return true
}

func tileMatmulAcc(c *call) ir.Type {
	if !c.arityIn(3, 4, "The operator {op} requires 3 arguments (acc, lhs, rhs) or 4 with the optional init_cond predicate, but got {count}") || !c.initCond(3) {
		return nil
	}
	acc := c.tile(0, firstAcc)
	if acc == nil {
		return nil
	}
	lhs := c.tile(1, secondLhs)
	if lhs == nil {
		return nil
	}
	rhs := c.tile(2, thirdRhs)
	if rhs == nil {
		return nil
	}
	lv, rv, ok := c.product2D(lhs, rhs)
	if !ok {
		return nil
	}
	switch {
	case len(acc.Shape) != 2:
		return c.fail(-1, acc2D, len(acc.Shape))
	case differ(acc.Shape[0], lhs.Shape[0]):
		return c.fail(-1, "The operator {op} requires matching physical M dimensions, but got acc M={value} and product M={value}", acc.Shape[0], lhs.Shape[0])
	case differ(acc.Shape[1], rhs.Shape[1]):
		return c.fail(-1, "The operator {op} requires matching physical N dimensions, but got acc N={value} and product N={value}", acc.Shape[1], rhs.Shape[1])
	}
	av, ok := c.valid(acc)
	d := Accumulator(lhs.DType)
	switch {
	case !ok:
		return nil
	case arith.ProveLessEqual(lv[0], av[0]) == arith.False:
		return c.fail(-1, "The operator {op} requires acc valid M to cover lhs valid M, but got acc M={extent} and lhs M={extent}", av[0], lv[0])
	case arith.ProveLessEqual(rv[1], av[1]) == arith.False:
		return c.fail(-1, "The operator {op} requires acc valid N to cover rhs valid N, but got acc N={extent} and rhs N={extent}", av[1], rv[1])
	case acc.DType != d:
		return c.fail(-1, accDType, d, acc.DType)
	}
	return c.tileIn(acc.Shape, d, accView(av, acc.LayoutView().Compact), platforms.Acc)
}

// biasOperands checks the three operands of a biased product, down to the
// bias contract.
func (c *call) biasOperands() (lhs, rhs, bias *ir.TileType, lv, rv []ir.Expr) {
	if !c.arity(3, exactly3) {
		return
	}
	if lhs = c.tile(0, "The operator {op} requires first argument (lhs) to be a TileType, but got {type}"); lhs == nil {
		return
	}
	if rhs = c.tile(1, "The operator {op} requires second argument (rhs) to be a TileType, but got {type}"); rhs == nil {
		return
	}
	b := c.tile(2, "The operator {op} requires third argument (bias) to be a TileType, but got {type}")
	if b == nil {
		return
	}
	var ok bool
	if lv, rv, ok = c.product2D(lhs, rhs); !ok {
		return
	}
	switch {
	case len(b.Shape) != 2:
		c.fail(-1, "The operator {op} requires bias to be 2D, but got {n} dimensions", len(b.Shape))
		return
	case !isOne(b.Shape[0]):
		c.fail(-1, "The operator {op} requires bias to have shape [1, N], but got {shape}", b.Shape)
		return
	}
	bv, ok := c.valid(b)
	d := Accumulator(lhs.DType)
	switch {
	case !ok:
	case arith.ProveLessEqual(ir.Index(1), bv[0]) == arith.False:
		c.fail(-1, "The operator {op} requires bias valid rows to cover one broadcast row, but got {extent}", bv[0])
	case differ(b.Shape[1], rhs.Shape[1]):
		c.fail(-1, "The operator {op} requires bias N dimension to match output N={value}, but got bias N={value}", rhs.Shape[1], b.Shape[1])
	case arith.ProveLessEqual(rv[1], bv[1]) == arith.False:
		c.fail(-1, "The operator {op} requires bias valid N to cover output valid N={extent}, but got bias valid N={extent}", rv[1], bv[1])
	case b.DType != d:
		c.fail(-1, "The operator {op} requires bias dtype {dtype} to match the accumulator, but got {dtype}", d, b.DType)
	default:
		bias = b
	}
	return
}

func tileMatmulBias(c *call) ir.Type {
	lhs, rhs, bias, lv, rv := c.biasOperands()
	if bias == nil {
		return nil
	}
	return c.matmulResult(lhs, rhs, lv, rv, Accumulator(lhs.DType))
}

// gemvPhase checks the acc_phase keyword.
func (c *call) gemvPhase() bool {
	v, ok := c.kwarg("acc_phase")
	if !ok {
		return true
	}
	switch s, isString := v.(string); {
	case !isString, s == "unspecified", s == "partial", s == "final":
		return true
	default:
		c.fail(-1, "The operator {op} requires acc_phase to be one of {unspecified, partial, final}, but got {value}", s)
		return false
	}
}

// gemvRows checks the element type and that lhs has one row.
func (c *call) gemvRows(lhs *ir.TileType, lv []ir.Expr) bool {
	switch {
	case !oneOf(lhs.DType, ir.INT8, ir.FP16, ir.BF16, ir.FP32):
		c.fail(-1, "The operator {op} supports only INT8 x INT8 -> INT32 and same-type FP16/BF16/FP32 inputs -> FP32, but got {dtype}", lhs.DType)
	case !isOne(lhs.Shape[0]):
		c.fail(-1, "GEMV requires lhs physical row extent to be exactly 1, but got shape {shape}", lhs.Shape)
	case !equalByValue(lv[0], ir.Index(1)):
		c.fail(-1, "GEMV requires lhs logical row extent to be exactly 1, but got valid_shape {shape}", lv)
	default:
		return true
	}
	return false
}

// gemvShape is the box a matrix-vector product fills: 16 physical rows.
func gemvShape(rhs *ir.TileType) []ir.Expr { return []ir.Expr{ir.Index(16), rhs.Shape[1]} }

func (c *call) gemvResult(rhs *ir.TileType, valid []ir.Expr) ir.Type {
	return c.newTile(gemvShape(rhs), Accumulator(rhs.DType), accView(valid, ir.CompactNull))
}

func tileGemv(c *call) ir.Type {
	if !c.gemvPhase() {
		return nil
	}
	lhs, rhs := c.twoTiles()
	if rhs == nil {
		return nil
	}
	lv, rv, ok := c.product2D(lhs, rhs)
	if !ok || !c.gemvRows(lhs, lv) {
		return nil
	}
	return c.gemvResult(rhs, []ir.Expr{lv[0], rv[1]})
}

func tileGemvAcc(c *call) ir.Type {
	if !c.gemvPhase() || !c.arity(3, exactly3) {
		return nil
	}
	acc := c.tile(0, firstAcc)
	if acc == nil {
		return nil
	}
	if len(acc.Shape) != 2 {
		return c.fail(-1, acc2D, len(acc.Shape))
	}
	lhs := c.tile(1, firstTile) // the texts count the operands of the product
	if lhs == nil {
		return nil
	}
	rhs := c.tile(2, secondTile)
	if rhs == nil {
		return nil
	}
	lv, rv, ok := c.product2D(lhs, rhs)
	if !ok || !c.gemvRows(lhs, lv) {
		return nil
	}
	shape, valid, d := gemvShape(rhs), []ir.Expr{lv[0], rv[1]}, Accumulator(lhs.DType)
	if differ(acc.Shape[0], shape[0]) || differ(acc.Shape[1], shape[1]) {
		return c.fail(-1, "The operator {op} requires accumulator physical shape {shape}, but got {shape}", shape, acc.Shape)
	}
	if acc.DType != d {
		return c.fail(-1, accDType, d, acc.DType)
	}
	if av := ir.ValidShape(acc); !allEqualByValue(av, valid) {
		return c.fail(-1, "The operator {op} requires accumulator valid_shape {shape}, but got {shape}", valid, av)
	}
	return c.gemvResult(rhs, valid)
}

func tileGemvBias(c *call) ir.Type {
	if !c.gemvPhase() {
		return nil
	}
	lhs, rhs, bias, lv, rv := c.biasOperands()
	if bias == nil {
		return nil
	}
	if !oneOf(lhs.DType, ir.INT8, ir.FP16, ir.BF16, ir.FP32) {
		c.gemvRows(lhs, lv)
		return nil
	}
	if bv := ir.ValidShape(bias); !equalByValue(bv[0], ir.Index(1)) {
		return c.fail(-1, "The operator {op} requires bias to have exactly one valid row, but got {extent}", bv[0])
	}
	if !c.gemvRows(lhs, lv) {
		return nil
	}
	return c.gemvResult(rhs, []ir.Expr{lv[0], rv[1]})
}
