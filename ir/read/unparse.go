package read

import (
	"math"
	"strconv"
	"strings"

	"pypto-ls/irsyntax"
)

func parseFloat(s string) (float64, bool) {
	switch s {
	case "nan", "inf":
	default:
		if s == "" || (s[0] != '.' && (s[0] < '0' || s[0] > '9')) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !strings.Contains(err.Error(), "range") {
		return 0, false
	}
	return f, true
}

// unparse spells an expression as Python's ast.unparse does, as far as the
// expressions of kernel IR go: normal spacing, single quotes (spec 01 §4.3).
func unparse(n irsyntax.Ref) string {
	var b strings.Builder
	unparseTo(&b, n)
	return b.String()
}

var opText = map[irsyntax.Op]string{
	irsyntax.OpAdd: "+", irsyntax.OpSub: "-", irsyntax.OpMul: "*", irsyntax.OpDiv: "/", irsyntax.OpFloorDiv: "//",
	irsyntax.OpMod: "%", irsyntax.OpPow: "**", irsyntax.OpMatMul: "@", irsyntax.OpShl: "<<", irsyntax.OpShr: ">>",
	irsyntax.OpBitAnd: "&", irsyntax.OpBitOr: "|", irsyntax.OpBitXor: "^", irsyntax.OpInvert: "~", irsyntax.OpNot: "not ",
	irsyntax.OpAnd: "and", irsyntax.OpOr: "or", irsyntax.OpEq: "==", irsyntax.OpNe: "!=", irsyntax.OpLt: "<",
	irsyntax.OpLe: "<=", irsyntax.OpGt: ">", irsyntax.OpGe: ">=", irsyntax.OpIn: "in", irsyntax.OpNotIn: "not in",
	irsyntax.OpIs: "is", irsyntax.OpIsNot: "is not",
}

func unparseList(b *strings.Builder, c irsyntax.Ref) {
	for i := 0; c.Ok(); c, i = c.Next(), i+1 {
		if i > 0 {
			b.WriteString(", ")
		}
		unparseTo(b, c)
	}
}

func unparseTo(b *strings.Builder, n irsyntax.Ref) {
	if !n.Ok() {
		return
	}
	switch n.Kind() {
	case irsyntax.String:
		if s, ok := stringValue(n.Text()); ok && !strings.ContainsAny(s, "'\\\n") {
			b.WriteString("'" + s + "'")
			return
		}
		b.WriteString(n.Text())
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			b.WriteString(itoa(v))
			return
		}
		b.WriteString(n.Text())
	case irsyntax.Float:
		if f, ok := parseFloat(strings.ReplaceAll(n.Text(), "_", "")); ok && !math.IsInf(f, 0) {
			b.WriteString(pyFloat(f))
			return
		}
		b.WriteString(n.Text())
	case irsyntax.List:
		b.WriteString("[")
		unparseList(b, n.First())
		b.WriteString("]")
	case irsyntax.Tuple:
		b.WriteString("(")
		unparseList(b, n.First())
		if n.NumChildren() == 1 {
			b.WriteString(",")
		}
		b.WriteString(")")
	case irsyntax.Attribute:
		unparseTo(b, n.First())
		b.WriteString("." + n.Child(1).Text())
	case irsyntax.Subscript:
		unparseTo(b, n.First())
		b.WriteString("[")
		if idx := n.Child(1); idx.Kind() == irsyntax.Tuple && idx.NumChildren() > 1 {
			unparseList(b, idx.First())
		} else {
			unparseTo(b, idx)
		}
		b.WriteString("]")
	case irsyntax.Slice:
		unparseTo(b, n.Child(0))
		b.WriteString(":")
		unparseTo(b, n.Child(1))
		if s := n.Child(2); !s.IsEmpty() {
			b.WriteString(":")
			unparseTo(b, s)
		}
	case irsyntax.Call:
		unparseTo(b, n.First())
		b.WriteString("(")
		unparseList(b, n.First().Next())
		b.WriteString(")")
	case irsyntax.Keyword:
		if n.First().Kind() == irsyntax.Name {
			b.WriteString(n.First().Text() + "=")
		} else {
			b.WriteString("**")
		}
		unparseTo(b, n.Child(1))
	case irsyntax.BinOp, irsyntax.BoolOp, irsyntax.Compare:
		if n.Has(irsyntax.FlagChained) {
			b.WriteString(n.Text())
			return
		}
		for i, c := 0, n.First(); c.Ok(); i, c = i+1, c.Next() {
			if i > 0 {
				b.WriteString(" " + opText[n.Op()] + " ")
			}
			unparseOperand(b, n, c, i)
		}
	case irsyntax.UnaryOp:
		b.WriteString(opText[n.Op()])
		unparseOperand(b, n, n.First(), 0)
	default:
		b.WriteString(n.Text())
	}
}

// unparseOperand puts the parentheses that precedence needs.
func unparseOperand(b *strings.Builder, n, c irsyntax.Ref, pos int) {
	p, q := precedence(n), precedence(c)
	strict := pos > 0 && n.Kind() == irsyntax.BinOp
	if n.Kind() == irsyntax.BinOp && n.Op() == irsyntax.OpPow {
		strict = pos == 0 // right-associative
	}
	if q < p || q == p && strict {
		b.WriteString("(")
		unparseTo(b, c)
		b.WriteString(")")
		return
	}
	unparseTo(b, c)
}

func precedence(n irsyntax.Ref) int {
	switch n.Kind() {
	case irsyntax.IfExp, irsyntax.Lambda, irsyntax.Walrus:
		return 0
	case irsyntax.BoolOp:
		if n.Op() == irsyntax.OpOr {
			return 1
		}
		return 2
	case irsyntax.Compare:
		return 4
	case irsyntax.UnaryOp:
		if n.Op() == irsyntax.OpNot {
			return 3
		}
		return 11
	case irsyntax.BinOp:
		switch n.Op() {
		case irsyntax.OpBitOr:
			return 5
		case irsyntax.OpBitXor:
			return 6
		case irsyntax.OpBitAnd:
			return 7
		case irsyntax.OpShl, irsyntax.OpShr:
			return 8
		case irsyntax.OpAdd, irsyntax.OpSub:
			return 9
		case irsyntax.OpPow:
			return 12
		}
		return 10
	}
	return 20
}
