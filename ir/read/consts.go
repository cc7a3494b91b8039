package read

import (
	"math"
	"math/bits"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

func unaryValue(op irsyntax.Op, v Value) (Value, string) {
	switch op {
	case irsyntax.OpSub:
		switch v := v.(type) {
		case int64:
			if v != math.MinInt64 {
				return -v, ""
			}
		case float64:
			return -v, ""
		case bool:
			n, _ := number(v)
			return int64(-n), ""
		}
	case irsyntax.OpAdd:
		switch v := v.(type) {
		case int64, float64:
			return v, ""
		}
	case irsyntax.OpInvert:
		if n, ok := v.(int64); ok {
			return ^n, ""
		}
	case irsyntax.OpNot:
		if b, ok := pythonTruth(v); ok {
			return !b, ""
		}
	}
	return nil, "bad operand type"
}

func asInt(v Value) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func binaryValue(op irsyntax.Op, x, y Value) (Value, string) {
	if a, ok := asInt(x); ok {
		if b, ok := asInt(y); ok {
			return intValue(op, a, b)
		}
	}
	if xs, ok := x.([]Value); ok {
		if n, ok := asInt(y); ok && op == irsyntax.OpMul {
			return repeated(xs, n)
		}
		if ys, ok := y.([]Value); ok && op == irsyntax.OpAdd {
			sum := append(append([]Value(nil), xs...), ys...)
			if tooLong(sum) {
				return nil, "too long"
			}
			return sum, ""
		}
		return nil, "unsupported operand"
	}
	if ys, ok := y.([]Value); ok && op == irsyntax.OpMul {
		if n, ok := asInt(x); ok {
			return repeated(ys, n)
		}
	}
	if v, ok := dimValue(op, x, y); ok {
		return v, ""
	}
	return floatBinary(op, x, y)
}

// repeated is `list * n`.
func repeated(list []Value, n int64) (Value, string) {
	if len(list) == 0 || n <= 0 {
		return []Value(nil), ""
	}
	if n > int64(maxElems/len(list)) {
		return nil, "too long"
	}
	var out []Value
	for range n {
		out = append(out, list...)
	}
	if tooLong(out) {
		return nil, "too long"
	}
	return out, ""
}

func floatBinary(op irsyntax.Op, x, y Value) (Value, string) {
	a, ok1 := number(x)
	b, ok2 := number(y)
	if !ok1 || !ok2 {
		return nil, "unsupported operand"
	}
	switch op {
	case irsyntax.OpAdd:
		return a + b, ""
	case irsyntax.OpSub:
		return a - b, ""
	case irsyntax.OpMul:
		return a * b, ""
	case irsyntax.OpDiv:
		if b != 0 {
			return a / b, ""
		}
	case irsyntax.OpFloorDiv:
		if b != 0 {
			return floatFloorDiv(a, b), ""
		}
	case irsyntax.OpMod:
		if b != 0 {
			return floatMod(a, b), ""
		}
	case irsyntax.OpPow:
		if f, ok := pyPow(a, b); ok {
			return f, ""
		}
		return nil, notKnown
	}
	return nil, "division by zero"
}

// dimValue builds an expression when a dynamic dimension is involved.
func dimValue(op irsyntax.Op, x, y Value) (Value, bool) {
	a, ok1 := dimOperand(x)
	b, ok2 := dimOperand(y)
	if !ok1 || !ok2 {
		return nil, false
	}
	bin, ok := binOps[op]
	if !ok {
		return nil, false
	}
	return ir.Expr(&ir.Binary{Op: bin, X: a, Y: b, DType: ir.INDEX}), true
}

func dimOperand(v Value) (ir.Expr, bool) {
	switch v := v.(type) {
	case *ir.Var:
		return v, true
	case ir.Expr:
		return v, true
	case int64:
		return ir.Index(v), true
	}
	return nil, false
}

func intValue(op irsyntax.Op, a, b int64) (Value, string) {
	switch op {
	case irsyntax.OpAdd:
		if s := a + b; (s > a) == (b > 0) {
			return s, ""
		}
	case irsyntax.OpSub:
		if s := a - b; (s < a) == (b > 0) {
			return s, ""
		}
	case irsyntax.OpMul:
		if p, ok := mulInt(a, b); ok {
			return p, ""
		}
	case irsyntax.OpDiv:
		if b == 0 {
			return nil, "division by zero"
		}
		// Python divides large numbers without rounding them first.
		if absU(a) <= 1<<53 && absU(b) <= 1<<53 {
			return float64(a) / float64(b), ""
		}
		return nil, notKnown
	case irsyntax.OpFloorDiv:
		if b != 0 && (a != math.MinInt64 || b != -1) {
			return floorDiv(a, b), ""
		}
		return nil, "integer division or modulo by zero"
	case irsyntax.OpMod:
		if b == -1 {
			return int64(0), ""
		}
		if b != 0 {
			return a - floorDiv(a, b)*b, ""
		}
		return nil, "integer modulo by zero"
	case irsyntax.OpPow:
		return intPow(a, b)
	case irsyntax.OpShl:
		if b >= 0 && b < 63 {
			if p, ok := mulInt(a, int64(1)<<b); ok {
				return p, ""
			}
		}
	case irsyntax.OpShr:
		if b >= 0 {
			return a >> min(b, 63), ""
		}
	case irsyntax.OpBitAnd:
		return a & b, ""
	case irsyntax.OpBitOr:
		return a | b, ""
	case irsyntax.OpBitXor:
		return a ^ b, ""
	}
	return nil, "integer too large"
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func mulInt(a, b int64) (int64, bool) {
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(absU(a), absU(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if neg {
		return -int64(lo), true
	}
	return int64(lo), true
}

func absU(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

func intPow(a, b int64) (Value, string) {
	if b < 0 {
		if f, ok := pyPow(float64(a), float64(b)); ok && absU(a) <= 1<<53 {
			return f, ""
		}
		return nil, notKnown
	}
	if b > 64 && (a > 1 || a < -1) {
		return nil, "integer too large"
	}
	r := int64(1)
	for range min(b, 65) {
		p, ok := mulInt(r, a)
		if !ok {
			return nil, "integer too large"
		}
		r = p
	}
	return r, ""
}

var binOps = map[irsyntax.Op]ir.BinOp{
	irsyntax.OpAdd: ir.Add, irsyntax.OpSub: ir.Sub, irsyntax.OpMul: ir.Mul, irsyntax.OpDiv: ir.FloatDiv,
	irsyntax.OpFloorDiv: ir.FloorDiv, irsyntax.OpMod: ir.FloorMod, irsyntax.OpShl: ir.Shl, irsyntax.OpShr: ir.Shr,
}

func parseLayout(name string) (ir.TensorLayout, bool) {
	n, ok := ir.ParseEnum("TensorLayout", name)
	return ir.TensorLayout(n), ok
}
