package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
	"pypto-ls/platforms"
)

// mxMatmuls are the products with scale tiles (Ascend950).
var mxMatmuls = map[string]rule{"tile.matmul_mx": mxPlain, "tile.matmul_mx_acc": mxAcc, "tile.matmul_mx_bias": mxBias,
	"tile.tget_scale_addr": tgetScaleAddr}

const (
	mxLhsDType = "The operator {op} requires lhs dtype FP8E4M3FN, but got {dtype}{; native FP4 matmul is not supported, so cast the FP4 lhs to FP8E4M3FN with pl.cast first|}"
	mxRhsDType = "The operator {op} requires rhs dtype FP8E4M3FN, but got {dtype}{; native FP4 matmul is not supported, so cast the FP4 rhs to FP8E4M3FN with pl.cast first|}"
	scaleIs    = "The operator {op} requires {scale_name} {which} {axis}={value}, but got {value}"
)

// mxOperands are the four operands of an MX product, from operand i on.
type mxOperands struct{ lhs, lhsScale, rhs, rhsScale *ir.TileType }

// mxContract checks operands i to i+3; nil after recording an error.
func (c *call) mxContract(i int) *mxOperands {
	lhs := c.tile(i, "The operator {op} requires lhs to be a TileType, but got {type}")
	if lhs == nil {
		return nil
	}
	rhs := c.tile(i+2, "The operator {op} requires rhs to be a TileType, but got {type}")
	if rhs == nil {
		return nil
	}
	if !c.mxDTypes(lhs, rhs) || !c.mxExtents(lhs, rhs) {
		return nil
	}
	ls := c.tile(i+1, "The operator {op} requires lhs_scale to be a TileType, but got {type}")
	if ls == nil {
		return nil
	}
	if len(ls.Shape) != 2 {
		c.fail(-1, "The operator {op} requires lhs_scale to be 2D, but got {n} dimensions", len(ls.Shape))
		return nil
	}
	rs := c.tile(i+3, "The operator {op} requires rhs_scale to be a TileType, but got {type}")
	if rs == nil {
		return nil
	}
	if len(rs.Shape) != 2 {
		c.fail(-1, "The operator {op} requires rhs_scale to be 2D, but got {n} dimensions", len(rs.Shape))
		return nil
	}
	lv, rv := ir.ValidShape(lhs), ir.ValidShape(rhs)
	ok := c.scaleShape("lhs_scale", ls, [2]ir.Expr{lhs.Shape[0], groups(lhs.Shape[1])}, [2]ir.Expr{lv[0], groups(lv[1])}) &&
		c.scaleShape("rhs_scale", rs, [2]ir.Expr{groups(rhs.Shape[0]), rhs.Shape[1]}, [2]ir.Expr{groups(rv[0]), rv[1]})
	if !ok {
		return nil
	}
	return &mxOperands{lhs, ls, rhs, rs}
}

func (c *call) mxDTypes(lhs, rhs *ir.TileType) bool {
	if len(lhs.Shape) != 2 || len(rhs.Shape) != 2 {
		c.fail(-1, "The operator {op} requires 2D lhs/rhs tiles")
		return false
	}
	for _, o := range [2]struct {
		t    *ir.TileType
		text string
	}{{lhs, mxLhsDType}, {rhs, mxRhsDType}} {
		if o.t.DType != ir.FP8E4M3FN {
			hint := 1
			if o.t.DType == ir.FP4 {
				hint = 0
			}
			c.fail(-1, o.text, o.t.DType, hint)
			return false
		}
	}
	return true
}

// mxExtents checks constant extents against the hardware's granularity.
func (c *call) mxExtents(lhs, rhs *ir.TileType) bool {
	multiple := func(e ir.Expr, n int64) bool {
		v, ok := ir.ConstValue(e)
		return !ok || v > 0 && v%n == 0
	}
	m, lk, rk, n := lhs.Shape[0], lhs.Shape[1], rhs.Shape[0], rhs.Shape[1]
	lv, okL := c.valid(lhs)
	rv, okR := c.valid(rhs)
	switch {
	case !okL || !okR:
		return false
	case !multiple(m, 16):
		c.fail(-1, "The operator {op} requires physical M divisible by 16 (ISA/PTOAS tmatmul_mx), but got M={value}", m)
	case !multiple(n, 32):
		c.fail(-1, "The operator {op} requires physical N divisible by {value} for {dtype} (ISA/PTOAS tmatmul_mx 32-byte row), but got N={value}", 32, rhs.DType, n)
	case differ(lk, rk):
		c.fail(-1, "The operator {op} requires matching physical K, but got lhs K={value} and rhs K={value}", lk, rk)
	case !multiple(lk, 64):
		c.fail(-1, "The operator {op} requires physical K divisible by 64 (ISA/PTOAS tmatmul_mx), but got lhs K={value}", lk)
	case !multiple(rk, 64):
		c.fail(-1, "The operator {op} requires physical K divisible by 64 (ISA/PTOAS tmatmul_mx), but got rhs K={value}", rk)
	case differ(lv[1], rv[0]):
		c.fail(-1, "The operator {op} requires matching valid K, but got lhs valid K={value} and rhs valid K={value}", lv[1], rv[0])
	case !multiple(lv[1], 1):
		c.fail(-1, "The operator {op} requires positive valid K, but got lhs valid K={value}", lv[1])
	case !multiple(rv[0], 1):
		c.fail(-1, "The operator {op} requires positive valid K, but got rhs valid K={value}", rv[0])
	default:
		return c.mxGroups("lhs", lk, lv[1]) && c.mxGroups("rhs", rk, rv[0])
	}
	return false
}

func (c *call) mxGroups(side string, k, valid ir.Expr) bool {
	x, y, ok := bothConst(k, valid)
	if ok && (x+31)/32 != (y+31)/32 {
		c.fail(-1, "The operator {op} requires {side} valid K to round up to the same scale-group count as physical K (ceil(validK/32) == ceil(physicalK/32)); otherwise the PTOAS matmul_mx and tget_scale_addr verifiers conflict. Got physical K={value}, valid K={value}", side, k, valid)
		return false
	}
	return true
}

// groups is ceil(k / 32) for a constant, nil otherwise: then the scale tile's
// own extent stands in.
func groups(k ir.Expr) ir.Expr {
	if v, ok := ir.ConstValue(k); ok {
		return ir.Index((v + 31) / 32)
	}
	return nil
}

// scaleShape checks the dtype and the constant extents of a scale tile.
func (c *call) scaleShape(name string, s *ir.TileType, shape, valid [2]ir.Expr) bool {
	if s.DType != ir.FP8E8M0 {
		c.fail(-1, "The operator {op} requires {scale_name} dtype FP8E8M0, but got {dtype}", name, s.DType)
		return false
	}
	if len(s.Shape) != 2 {
		c.fail(-1, "The operator {op} requires {scale_name} to be 2D, but got {n} dimensions", name, len(s.Shape))
		return false
	}
	sv, ok := c.valid(s)
	return ok && c.scaleExtents(name, "physical", s.Shape, shape) && c.scaleExtents(name, "valid", sv, valid)
}

func (c *call) scaleExtents(name, which string, have []ir.Expr, want [2]ir.Expr) bool {
	for i, axis := range [2]string{"rows", "cols"} {
		if want[i] != nil && differ(have[i], want[i]) {
			c.fail(-1, scaleIs, name, which, axis, want[i], have[i])
			return false
		}
	}
	return true
}

func (c *call) mxResult(o *mxOperands) ir.Type {
	lv, rv := ir.ValidShape(o.lhs), ir.ValidShape(o.rhs)
	return c.newTile([]ir.Expr{o.lhs.Shape[0], o.rhs.Shape[1]}, ir.FP32, accView([]ir.Expr{lv[0], rv[1]}, compactFor(lv[0], o.lhs.Shape[0])))
}

func mxPlain(c *call) ir.Type {
	if !c.arity(4, "The operator {op} requires exactly 4 arguments (lhs, lhs_scale, rhs, rhs_scale), but got {count}") {
		return nil
	}
	o := c.mxContract(0)
	if o == nil {
		return nil
	}
	return c.mxResult(o)
}

func mxAcc(c *call) ir.Type {
	if !c.arity(5, "The operator {op} requires exactly 5 arguments (acc, lhs, lhs_scale, rhs, rhs_scale), but got {count}") {
		return nil
	}
	acc := c.tile(0, "The operator {op} requires acc to be a TileType, but got {type}")
	switch {
	case acc == nil:
		return nil
	case len(acc.Shape) != 2:
		return c.fail(-1, acc2D, len(acc.Shape))
	case acc.DType != ir.FP32:
		return c.fail(-1, "The operator {op} requires acc dtype FP32, but got {dtype}", acc.DType)
	}
	o := c.mxContract(1)
	switch {
	case o == nil:
		return nil
	case !arith.DimensionsEqual(acc.Shape[0], o.lhs.Shape[0]):
		return c.fail(-1, "The operator {op} requires acc rows to match output M")
	case !arith.DimensionsEqual(acc.Shape[1], o.rhs.Shape[1]):
		return c.fail(-1, "The operator {op} requires acc cols to match output N")
	}
	av, ok := c.valid(acc)
	if !ok || !c.scaleExtents("acc", "valid", av, [2]ir.Expr{ir.ValidShape(o.lhs)[0], ir.ValidShape(o.rhs)[1]}) {
		return nil
	}
	return c.mxResult(o)
}

func mxBias(c *call) ir.Type {
	if !c.arity(5, "The operator {op} requires exactly 5 arguments (lhs, lhs_scale, rhs, rhs_scale, bias), but got {count}") {
		return nil
	}
	bias := c.tile(4, "The operator {op} requires bias to be a TileType, but got {type}")
	switch {
	case bias == nil:
		return nil
	case len(bias.Shape) != 2:
		return c.fail(-1, "The operator {op} requires bias to be 2D, but got {n} dimensions", len(bias.Shape))
	case bias.DType != ir.FP32:
		return c.fail(-1, "The operator {op} requires bias dtype FP32, but got {dtype}", bias.DType)
	}
	o := c.mxContract(0)
	switch {
	case o == nil:
		return nil
	case !isOne(bias.Shape[0]):
		return c.fail(-1, "The operator {op} requires bias shape [1, N]")
	case !arith.DimensionsEqual(bias.Shape[1], o.rhs.Shape[1]):
		return c.fail(-1, "The operator {op} requires bias cols to match N")
	}
	bv, ok := c.valid(bias)
	if !ok {
		return nil
	}
	if !equalByValue(bv[0], ir.Index(1)) {
		return c.fail(-1, "The operator {op} requires bias valid rows to be 1, but got {value}", bv[0])
	}
	if !c.scaleExtents("bias", "valid", bv, [2]ir.Expr{nil, ir.ValidShape(o.rhs)[1]}) {
		return nil
	}
	return c.mxResult(o)
}

// tgetScaleAddr binds a scale tile to the operand it scales.
func tgetScaleAddr(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires exactly 2 arguments (dst_scale, src), but got {count}") {
		return nil
	}
	s := c.tile(0, "The operator {op} requires dst_scale to be a TileType")
	if s == nil {
		return nil
	}
	src := c.tile(1, "The operator {op} requires src to be a TileType")
	switch {
	case src == nil:
		return nil
	case s.DType != ir.FP8E8M0:
		return c.fail(-1, "The operator {op} requires dst_scale dtype FP8E8M0, but got {dtype}", s.DType)
	case src.DType != ir.FP8E4M3FN:
		return c.fail(-1, "The operator {op} requires src dtype FP8E4M3FN, but got {dtype}", src.DType)
	case len(s.Shape) != 2 || len(src.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D dst_scale and src tiles")
	case s.Space == platforms.NoSpace || src.Space == platforms.NoSpace:
		return c.fail(-1, "The operator {op} requires resolved dst_scale and src memory spaces")
	}
	sv, ok := c.valid(src)
	if !ok {
		return nil
	}
	left := s.Space == platforms.LeftScale && src.Space == platforms.Left
	switch {
	case left:
		ok = c.scaleShape("dst_scale", s, [2]ir.Expr{src.Shape[0], groups(src.Shape[1])}, [2]ir.Expr{sv[0], groups(sv[1])})
	case s.Space == platforms.RightScale && src.Space == platforms.Right:
		ok = c.scaleShape("dst_scale", s, [2]ir.Expr{groups(src.Shape[0]), src.Shape[1]}, [2]ir.Expr{groups(sv[0]), sv[1]})
	default:
		return c.fail(-1, "The operator {op} requires LeftScale↔Left or RightScale↔Right pairing, but got dst={space} src={space}", s.Space, src.Space)
	}
	if !ok {
		return nil
	}
	t := *s
	t.MemRef = nil
	return &t
}
