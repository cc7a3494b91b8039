package printer

import (
	"math"
	"strconv"
	"strings"

	"pypto-ls/ir"
)

func (p *printer) varName(v *ir.Var) {
	if v.ID >= 0 && !p.rawNames && int(v.ID) < len(p.names) && p.names[v.ID] != "" {
		p.s(p.names[v.ID])
		return
	}
	p.s(v.Name)
}

// Binding strength, low to high (spec 01b §6).
const (
	levelOr = iota + 1
	levelXor
	levelAnd
	levelNot
	levelCompare
	levelBitOr
	levelBitXor
	levelBitAnd
	levelShift
	levelAdd
	levelMul
	levelUnary
	levelPow
	levelCall
	levelAtom
)

type binInfo struct {
	text  string
	level int
	fn    string
}

var binInfos = [...]binInfo{
	ir.Add: {" + ", levelAdd, ""}, ir.Sub: {" - ", levelAdd, ""}, ir.Mul: {" * ", levelMul, ""},
	ir.FloatDiv: {" / ", levelMul, ""}, ir.FloorDiv: {" // ", levelMul, ""}, ir.FloorMod: {" % ", levelMul, ""},
	ir.Pow: {" ** ", levelPow, ""}, ir.Min: {"", levelCall, "pl.min"}, ir.Max: {"", levelCall, "pl.max"},
	ir.Eq: {" == ", levelCompare, ""}, ir.Ne: {" != ", levelCompare, ""}, ir.Lt: {" < ", levelCompare, ""},
	ir.Le: {" <= ", levelCompare, ""}, ir.Gt: {" > ", levelCompare, ""}, ir.Ge: {" >= ", levelCompare, ""},
	ir.And: {" and ", levelAnd, ""}, ir.Or: {" or ", levelOr, ""}, ir.Xor: {" xor ", levelXor, ""},
	ir.BitAnd: {" & ", levelBitAnd, ""}, ir.BitOr: {" | ", levelBitOr, ""}, ir.BitXor: {" ^ ", levelBitXor, ""},
	ir.Shl: {" << ", levelShift, ""}, ir.Shr: {" >> ", levelShift, ""},
}

func exprLevel(e ir.Expr) int {
	switch e := e.(type) {
	case *ir.Binary:
		return binInfos[e.Op].level
	case *ir.Unary:
		switch e.Op {
		case ir.Neg, ir.BitNot:
			return levelUnary
		case ir.Not:
			return levelNot
		}
		return levelCall
	case *ir.Call, *ir.TupleGet:
		return levelCall
	}
	return levelAtom
}

// expr prints e; spell makes every integer constant `pl.const(v, pl.DT)`.
func (p *printer) expr(e ir.Expr, spell bool) {
	switch e := e.(type) {
	case *ir.Var:
		p.varName(e)
	case *ir.ConstInt:
		p.constInt(e, spell)
	case *ir.ConstFloat:
		p.constFloat(e)
	case *ir.ConstBool:
		p.bool(e.Value)
	case *ir.Binary:
		p.binary(e, spell)
	case *ir.Unary:
		p.unary(e, spell)
	case *ir.Call:
		p.call(e)
	case *ir.MakeTuple:
		p.s("[")
		p.exprList(e.Elems)
		p.s("]")
	case *ir.TupleGet:
		p.paren(e.Tuple, exprLevel(e.Tuple) < levelCall, spell)
		p.s("[")
		p.int(int64(e.Index))
		p.s("]")
	case *ir.FuncRef:
		if p.f == nil || p.f.Method {
			p.s("self.")
		}
		p.s(e.Name)
	case *ir.Raw:
		p.s(e.Text)
	}
}

func (p *printer) exprList(es []ir.Expr) {
	for i, e := range es {
		if i > 0 {
			p.s(", ")
		}
		p.expr(e, false)
	}
}

func (p *printer) bool(v bool) {
	if v {
		p.s("True")
	} else {
		p.s("False")
	}
}

func (p *printer) constInt(c *ir.ConstInt, spell bool) {
	if c.DType == ir.INDEX && !spell {
		p.int(c.Value)
		return
	}
	p.s("pl.const(")
	p.int(c.Value)
	p.s(", pl.")
	p.s(c.DType.String())
	p.s(")")
}

func (p *printer) constFloat(c *ir.ConstFloat) {
	if c.DType == ir.FP32 {
		p.s(FloatText(c.Value))
		return
	}
	p.s("pl.const(" + FloatText(c.Value) + ", pl." + c.DType.String() + ")")
}

func (p *printer) paren(e ir.Expr, need, spell bool) {
	if need {
		p.s("(")
	}
	p.expr(e, spell)
	if need {
		p.s(")")
	}
}

func (p *printer) binary(e *ir.Binary, spell bool) {
	if !spell && constLeaves(e) {
		spell = true
	}
	info := binInfos[e.Op]
	if info.fn != "" {
		p.s(info.fn + "(")
		p.expr(e.X, spell)
		p.s(", ")
		p.expr(e.Y, spell)
		p.s(")")
		return
	}
	left, right := exprLevel(e.X), exprLevel(e.Y)
	pow := e.Op == ir.Pow
	p.paren(e.X, left < info.level || pow && left == info.level, spell)
	p.s(info.text)
	p.paren(e.Y, right < info.level || !pow && right == info.level, spell)
}

// constLeaves reports whether all leaves are integer constants: bare, such an
// expression would fold when it is read again.
func constLeaves(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.ConstInt:
		return true
	case *ir.Binary:
		return constLeaves(e.X) && constLeaves(e.Y)
	}
	return false
}

func (p *printer) unary(e *ir.Unary, spell bool) {
	switch e.Op {
	case ir.Neg:
		p.s("-")
		p.paren(e.X, exprLevel(e.X) < levelUnary, spell)
	case ir.BitNot:
		p.s("~")
		p.paren(e.X, exprLevel(e.X) < levelUnary, spell)
	case ir.Not:
		p.s("not ")
		p.paren(e.X, exprLevel(e.X) < levelNot, spell)
	case ir.Abs:
		p.s("abs(")
		p.expr(e.X, spell)
		p.s(")")
	case ir.Cast:
		p.s("pl.cast(")
		p.expr(e.X, spell)
		p.s(", pl." + e.DType.String() + ")")
	}
}

// FloatText is the reference's spelling of a float: 17 significant digits,
// trailing zeros removed (spec 01b §6).
func FloatText(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	s := strconv.FormatFloat(v, 'e', 16, 64)
	mant, expText, _ := strings.Cut(s, "e")
	exp, _ := strconv.Atoi(expText)
	sign := ""
	if strings.HasPrefix(mant, "-") {
		sign, mant = "-", mant[1:]
	}
	digits := strings.TrimRight(strings.Replace(mant, ".", "", 1), "0")
	if digits == "" {
		digits = "0"
	}
	if exp < -4 || exp >= 17 {
		out := sign + digits[:1]
		if len(digits) > 1 {
			out += "." + digits[1:]
		}
		esign := "+"
		if exp < 0 {
			esign, exp = "-", -exp
		}
		if exp < 10 {
			esign += "0"
		}
		return out + "e" + esign + strconv.Itoa(exp)
	}
	switch {
	case exp < 0:
		return sign + "0." + strings.Repeat("0", -exp-1) + digits
	case len(digits) <= exp+1:
		return sign + digits + strings.Repeat("0", exp+1-len(digits)) + ".0"
	}
	return sign + digits[:exp+1] + "." + digits[exp+1:]
}

func escape(s string) string {
	if !strings.ContainsAny(s, `"\`) {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}
