package read

import (
	"math"
	"strconv"

	"pypto-ls/ir"
)

// literalRule says how a wrapper adjusts the literal scalars of an operator
// (spec 02 §6).
type literalRule struct {
	kind  literalKind
	first int // first operand concerned
	last  int // last one
}

// element is the operand whose element type literals take.
func (l literalRule) element() int {
	if l.kind == selsLiteral {
		return 1
	}
	return 0
}

type literalKind uint8

const (
	keepLiterals   literalKind = iota
	elementLiteral             // to the element type of operand 0
	expandsLiteral             // likewise, FP32 when that is unknown
	selsLiteral                // all constants, unsigned ones to signed carriers
	floatLiteral               // placeholders to FP32
	int32Literal               // constants to INT32
	resultLiteral              // constants to keyword dtype
)

var literalRules = func() map[string]literalRule {
	m := map[string]literalRule{
		"tile.expands": {expandsLiteral, 1, 1}, "tensor.expands": {expandsLiteral, 1, 1},
		"tile.sels": {selsLiteral, 3, 3}, "tile.lrelu": {floatLiteral, 1, 1},
		"tile.random": {int32Literal, 0, 5}, "tensor.random": {int32Literal, 0, 5},
		"tile.tri": {int32Literal, 0, 0}, "tile.ci": {resultLiteral, 0, 0}, "tensor.ci": {resultLiteral, 0, 0},
		"tile.mrgsort_format1": {int32Literal, 1, 1}, "tensor.mrgsort_format1": {int32Literal, 1, 1},
		"system.aic_initialize_pipe": {int32Literal, 0, 1}, "system.aiv_initialize_pipe": {int32Literal, 0, 1},
		"tile.addsc": {elementLiteral, 1, 1}, "tile.subsc": {elementLiteral, 1, 1}, "tile.rems": {elementLiteral, 1, 1},
		"tensor.maximum": {elementLiteral, 1, 1}, "tensor.minimum": {elementLiteral, 1, 1}, "tensor.cmp": {elementLiteral, 1, 1},
		"tile.maximums": {elementLiteral, 1, 1}, "tile.minimums": {elementLiteral, 1, 1}, "tile.cmps": {elementLiteral, 1, 1},
	}
	for _, op := range [...]string{"adds", "subs", "muls", "divs", "fmods", "ands", "ors", "xors", "shls", "shrs"} {
		m["tile."+op] = literalRule{elementLiteral, 1, 1}
		m["tensor."+op] = literalRule{elementLiteral, 1, 1}
	}
	return m
}()

// scalarLiteral applies the rule to operand v; e is the element type it is
// paired with, result that of the result. A non-empty text is the reference's value error.
func (l literalRule) scalarLiteral(v any, e, result ir.DType) (ir.Expr, string) {
	switch l.kind {
	case elementLiteral, expandsLiteral:
		return elementScalar(v, e, l.kind == expandsLiteral)
	case selsLiteral:
		return selsScalar(v, e)
	case floatLiteral:
		if n, ok := placeholder(v); ok {
			return &ir.ConstFloat{Value: float64(n), DType: ir.FP32}, ""
		}
	case int32Literal:
		return constTo(v, ir.INT32)
	case resultLiteral:
		return constTo(v, result)
	}
	x, _ := argExpr(v)
	return x, ""
}

// placeholder reports an integer that has no element type of its own yet: a
// Python int or an INDEX constant, which every bare int literal is.
func placeholder(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case *ir.ConstInt:
		return v.Value, v.DType == ir.INDEX
	}
	return 0, false
}

func constTo(v any, d ir.DType) (ir.Expr, string) {
	if n, ok := argInt(v); ok && d != ir.NoDType {
		return typedInt(n, d), ""
	}
	if f, ok := v.(float64); ok && d.IsFloat() {
		return &ir.ConstFloat{Value: f, DType: d}, ""
	}
	x, _ := argExpr(v)
	return x, ""
}

// typedInt is an integer as constant of element type d.
func typedInt(n int64, d ir.DType) ir.Expr {
	if d.IsFloat() {
		return &ir.ConstFloat{Value: float64(n), DType: d}
	}
	return &ir.ConstInt{Value: n, DType: d}
}

func elementScalar(v any, e ir.DType, expands bool) (ir.Expr, string) {
	if n, ok := placeholder(v); ok {
		switch {
		case e.IsFloat() || e.IsInt():
			return typedInt(n, e), ""
		case e != ir.NoDType:
			return &ir.ConstInt{Value: n, DType: ir.INT32}, ""
		case expands:
			return &ir.ConstFloat{Value: float64(n), DType: ir.FP32}, ""
		}
	}
	if f, ok := v.(float64); ok { // a Python float, not a float literal of the source
		if !e.IsFloat() {
			e = ir.FP32
		}
		return &ir.ConstFloat{Value: f, DType: e}, ""
	}
	x, _ := argExpr(v)
	if _, isConst := x.(*ir.ConstInt); !isConst {
		if s, ok := exprType(x).(*ir.ScalarType); ok && s.DType == ir.INDEX {
			want := "INT32"
			if e.IsInt() {
				want = e.String()
			}
			return x, "Scalar operand has dtype `index`, which tile/tensor scalar instructions do not accept. Convert it explicitly, e.g. pl.cast(<value>, pl." + want + ")."
		}
	}
	return x, ""
}

// selsScalar re-types every constant to the element type; unsigned carriers
// become signed ones of equal width.
func selsScalar(v any, e ir.DType) (ir.Expr, string) {
	x, _ := argExpr(v)
	var f float64
	switch c := x.(type) {
	case *ir.ConstInt:
		if e.IsFloat() {
			return &ir.ConstFloat{Value: float64(c.Value), DType: e}, ""
		}
		if e.IsInt() {
			return signedCarrier(c.Value, e), ""
		}
		return x, ""
	case *ir.ConstFloat:
		f = c.Value
	default:
		return x, ""
	}
	switch {
	case e.IsFloat():
		return &ir.ConstFloat{Value: f, DType: e}, ""
	case !e.IsInt():
		return x, ""
	case f != float64(int64(f)):
		return x, "Cannot retype non-integral floating-point constant " + pyFloat(f) + " to integer dtype " + e.Lower() + "; use an integral value or an explicit cast"
	}
	return signedCarrier(int64(f), e), ""
}

func signedCarrier(v int64, e ir.DType) ir.Expr {
	switch e {
	case ir.UINT8:
		return &ir.ConstInt{Value: int64(int8(v)), DType: ir.INT8}
	case ir.UINT16:
		return &ir.ConstInt{Value: int64(int16(v)), DType: ir.INT16}
	case ir.UINT32:
		return &ir.ConstInt{Value: int64(int32(v)), DType: ir.INT32}
	}
	return &ir.ConstInt{Value: v, DType: e}
}

// pyFloat spells a float as Python's repr does: the shortest form that reads
// back, with an exponent below 1e-4 and from 1e16 on.
func pyFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if f == float64(int64(f)) && f < 1e16 && f > -1e16 {
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	if a := max(f, -f); a >= 1e-4 && a < 1e16 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
