package irsyntax

import (
	"fmt"
	"strings"
)

var kindNames = [...]string{
	Invalid: "Invalid", Empty: "-", ErrorNode: "ERROR", Block: "Block", FuncDef: "FuncDef", Params: "Params",
	Param: "Param", ClassDef: "ClassDef", Decorator: "Decorator", Assign: "Assign", AnnAssign: "AnnAssign",
	AugAssign: "AugAssign", ExprStmt: "ExprStmt", For: "For", While: "While", If: "If", With: "With",
	WithItem: "WithItem", Return: "Return", Pass: "Pass", Break: "Break", Continue: "Continue", Import: "Import",
	ImportFrom: "ImportFrom", Opaque: "Opaque", Marker: "Marker", Name: "Name", Int: "Int", Float: "Float",
	Imag: "Imag", String: "String", True: "True", False: "False", None: "None", Ellipsis: "Ellipsis",
	Tuple: "Tuple", List: "List", Set: "Set", Dict: "Dict", DictItem: "DictItem", Attribute: "Attribute",
	Subscript: "Subscript", Slice: "Slice", Call: "Call", Keyword: "Keyword", Star: "Star", BinOp: "BinOp",
	UnaryOp: "UnaryOp", BoolOp: "BoolOp", Compare: "Compare", IfExp: "IfExp", Lambda: "Lambda", Comp: "Comp",
	Await: "Await", YieldExpr: "YieldExpr", Walrus: "Walrus",
}

var opNames = [...]string{
	OpNone: "", OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpFloorDiv: "//", OpMod: "%", OpPow: "**",
	OpMatMul: "@", OpShl: "<<", OpShr: ">>", OpBitAnd: "&", OpBitOr: "|", OpBitXor: "^", OpInvert: "~",
	OpNot: "not", OpAnd: "and", OpOr: "or", OpEq: "==", OpNe: "!=", OpLt: "<", OpLe: "<=", OpGt: ">", OpGe: ">=",
	OpIn: "in", OpNotIn: "not in", OpIs: "is", OpIsNot: "is not", OpStar: "*", OpDoubleStar: "**", OpSlash: "/",
	OpTry: "try", OpRaise: "raise", OpDel: "del", OpAssert: "assert", OpGlobal: "global", OpNonlocal: "nonlocal",
	OpMatch: "match", OpAsync: "async", OpType: "type", OpOther: "other",
	OpSeqOpen: "SeqStmts", OpSeqClose: "]", OpReturnStmt: "ReturnStmt",
}

var flagNames = []struct {
	f Flags
	s string
}{{FlagParen, "()"}, {FlagElif, "elif"}, {FlagChained, "chained"}, {FlagFString, "f"}, {FlagBytes, "b"},
	{FlagAsync, "async"}, {FlagBroken, "!"}}

// sexpr writes a node as one line: (Kind op flags text children…). Leaves and
// names show their text.
func sexpr(r Ref) string {
	var b strings.Builder
	writeSexpr(&b, r)
	return b.String()
}

func writeSexpr(b *strings.Builder, r Ref) {
	n := r.Node()
	if n.First == 0 && n.Flags&^FlagBroken == 0 {
		switch n.Kind {
		case Name, Int, Float, Imag:
			b.WriteString(r.Text())
			if n.Flags != 0 {
				b.WriteString("!")
			}
			return
		case Empty, True, False, None, Ellipsis:
			b.WriteString(kindNames[n.Kind])
			return
		}
	}
	b.WriteString("(" + kindNames[n.Kind])
	if n.Op != 0 {
		b.WriteString(" " + opNames[n.Op])
	}
	for _, f := range flagNames {
		if n.Flags&f.f != 0 {
			b.WriteString(" " + f.s)
		}
	}
	switch n.Kind {
	case String, ErrorNode, Name, Marker:
		fmt.Fprintf(b, " %q", r.Text())
	}
	for c := r.First(); c.Ok(); c = c.Next() {
		b.WriteString(" ")
		writeSexpr(b, c)
	}
	b.WriteString(")")
}

// checkTree verifies the invariants readers rely on: every node is reached
// once, ranges are within the text, children lie in order within their parent
// (comprehension-free exceptions: none), the height is bounded.
func checkTree(t *Tree) error {
	seen := make([]bool, len(t.Nodes))
	type item struct {
		i     int32
		depth int
	}
	stack := []item{{0, 0}}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := t.Nodes[it.i]
		if seen[it.i] {
			return fmt.Errorf("node %d reached twice", it.i)
		}
		seen[it.i] = true
		if n.Kind == Invalid || n.Start < 0 || n.End < n.Start || int(n.End) > len(t.Text) {
			return fmt.Errorf("node %d: %+v of %d bytes", it.i, n, len(t.Text))
		}
		if it.depth > 60000 {
			return fmt.Errorf("tree is too high")
		}
		last := n.Start
		for c := n.First; c != 0; c = t.Nodes[c].Next {
			m := t.Nodes[c]
			if m.Start < last || m.End > n.End {
				return fmt.Errorf("node %d %s %d-%d: child %s %d-%d out of place after %d: %s", it.i, kindNames[n.Kind], n.Start, n.End,
					kindNames[m.Kind], m.Start, m.End, last, sexpr(Ref{t, it.i}))
			}
			last = m.End
			stack = append(stack, item{c, it.depth + 1})
		}
	}
	return nil
}
