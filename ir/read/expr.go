package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// exprType is the type of an expression as read.
func exprType(e ir.Expr) ir.Type {
	switch e := e.(type) {
	case *ir.Var:
		return e.Type
	case *ir.ConstInt:
		return scalar(e.DType)
	case *ir.ConstFloat:
		return scalar(e.DType)
	case *ir.ConstBool:
		return scalar(ir.BOOL)
	case *ir.Binary:
		return scalar(e.DType)
	case *ir.Unary:
		return scalar(e.DType)
	case *ir.Call:
		if e.Type != nil {
			return e.Type
		}
	case *ir.MakeTuple:
		t := &ir.TupleType{Elems: make([]ir.Type, len(e.Elems))}
		for i, x := range e.Elems {
			t.Elems[i] = exprType(x)
		}
		return t
	case *ir.TupleGet:
		if t, ok := exprType(e.Tuple).(*ir.TupleType); ok && e.Index >= 0 && e.Index < len(t.Elems) {
			return t.Elems[e.Index]
		}
	}
	return ir.Unknown
}

// ExprType is the type of an expression as read; ir.Unknown when not known.
func ExprType(e ir.Expr) ir.Type { return exprType(e) }

// unknownExpr stands for what could not be read; its type suppresses
// follow-up errors.
func unknownExpr(n irsyntax.Ref) ir.Expr { return &ir.Raw{Text: n.Text()} }

// expr reads an expression (spec 01 §8). It never returns nil.
func (r *reader) expr(n irsyntax.Ref) ir.Expr {
	switch n.Kind() {
	case irsyntax.Name:
		return r.name(n)
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v)
		}
		r.problem(Syntax, r.span(n), "Integer literal out of range: "+n.Text(), "Integers must fit 64 bits")
		return index(0)
	case irsyntax.Float:
		f, _ := parseFloat(strings.ReplaceAll(n.Text(), "_", ""))
		return &ir.ConstFloat{Value: f, DType: ir.FP32}
	case irsyntax.True:
		return &ir.ConstBool{Value: true}
	case irsyntax.False:
		return &ir.ConstBool{}
	case irsyntax.None:
		return &ir.Call{Name: "system.task_invalid", Op: lookupOp("system.task_invalid"), Type: scalar(ir.TASKID), Span: r.span(n)}
	case irsyntax.Call:
		return r.call(n, nil)
	case irsyntax.List, irsyntax.Tuple:
		t := &ir.MakeTuple{Span: r.span(n), Elems: make([]ir.Expr, 0, 2)}
		for c := n.First(); c.Ok(); c = c.Next() {
			t.Elems = append(t.Elems, r.expr(c))
		}
		return t
	case irsyntax.BinOp:
		return r.binOp(n)
	case irsyntax.UnaryOp:
		return r.unaryOp(n)
	case irsyntax.BoolOp:
		op := ir.And
		if n.Op() == irsyntax.OpOr {
			op = ir.Or
		}
		e := r.expr(n.First())
		for c := n.Child(1); c.Ok(); c = c.Next() {
			e = &ir.Binary{Op: op, X: e, Y: r.expr(c), DType: ir.BOOL}
		}
		return e
	case irsyntax.Compare:
		return r.compare(n)
	case irsyntax.Attribute:
		return r.attributeExpr(n)
	case irsyntax.Subscript:
		return r.subscript(n)
	case irsyntax.Ellipsis:
		if r.out.Shorthand {
			return unknownExpr(n)
		}
		r.problem(Syntax, r.span(n), "Unsupported constant type: <class 'ellipsis'>", "")
		return unknownExpr(n)
	case irsyntax.String:
		r.problem(Syntax, r.span(n), "Unsupported constant type: <class 'str'>", "Strings are only allowed as keyword arguments")
		return unknownExpr(n)
	case irsyntax.ErrorNode, irsyntax.Empty, irsyntax.Invalid:
		return &ir.Raw{}
	}
	r.problem(Syntax, r.span(n), "Unsupported expression type: "+astName(n), "")
	return unknownExpr(n)
}

func astName(n irsyntax.Ref) string {
	switch n.Kind() {
	case irsyntax.IfExp:
		return "IfExp"
	case irsyntax.Lambda:
		return "Lambda"
	case irsyntax.Comp:
		switch {
		case strings.HasPrefix(n.Text(), "["):
			return "ListComp"
		case strings.HasPrefix(n.Text(), "{"):
			return "SetComp"
		}
		return "GeneratorExp"
	case irsyntax.Set:
		return "Set"
	case irsyntax.Dict:
		return "Dict"
	case irsyntax.Await:
		return "Await"
	case irsyntax.YieldExpr:
		return "Yield"
	case irsyntax.Walrus:
		return "NamedExpr"
	case irsyntax.Star:
		return "Starred"
	case irsyntax.Slice:
		return "Slice"
	case irsyntax.Imag:
		return "Constant"
	case irsyntax.Keyword:
		return "keyword"
	}
	return "expression"
}

const undefinedHelp = "Check if the variable is defined before using it or is available in the enclosing scope"

// name resolves a name: scope, closure, free symbol (spec 01 §8.5).
func (r *reader) name(n irsyntax.Ref) ir.Expr {
	name := n.Text()
	if v := r.scope[name]; v != nil {
		return r.denoted(v)
	}
	if v, ok := r.global(name); ok {
		if _, bad := v.(opaque); bad {
			return unknownExpr(n)
		}
		if e, ok := valueExpr(v); ok {
			return e
		}
		r.problem(TypeErr, r.span(n), "Unsupported closure variable type: "+pyType(v), "")
		return unknownExpr(n)
	}
	if v := r.free[name]; v != nil {
		return v
	}
	if s, ok := platforms.ParseSpace(name); ok {
		r.out.Shorthand = true
		return index(int64(s))
	}
	if base, ok := strings.CutSuffix(name, "__FREE_VAR"); ok {
		return r.symbol(base + "__FREE_VAR")
	}
	r.problem(NameErr, r.span(n), "Undefined variable '"+name+"'", undefinedHelp)
	return unknownExpr(n)
}

// valueExpr turns a module-level value into an expression.
func valueExpr(v Value) (ir.Expr, bool) {
	switch v := v.(type) {
	case int64:
		return index(v), true
	case float64:
		return &ir.ConstFloat{Value: v, DType: ir.FP32}, true
	case bool:
		return &ir.ConstBool{Value: v}, true
	case *ir.Var:
		return v, true
	case []Value:
		t := &ir.MakeTuple{}
		for _, x := range v {
			e, ok := valueExpr(x)
			if !ok {
				return nil, false
			}
			t.Elems = append(t.Elems, e)
		}
		return t, true
	case ir.Enum:
		if s, ok := platforms.ParseSpace(lastDot(string(v))); ok {
			return index(int64(s)), true
		}
	case ir.Expr:
		return v, true
	}
	return nil, false
}

// foldable evaluates an expression none of whose names is in scope (spec 01
// §8.2).
func (r *reader) foldable(n irsyntax.Ref) (ir.Expr, bool) {
	if !r.closedLeaves(n) {
		return nil, false
	}
	c := &constEval{env: r.env, shadow: func(s string) bool { return r.scope[s] != nil }}
	v, err := c.eval(n)
	r.noteAll(c.used)
	if err != "" {
		return nil, false
	}
	if _, dim := v.(ir.Expr); dim {
		return nil, false
	}
	return valueExpr(v)
}

// closedLeaves reports whether all leaves are literals or names outside the
// function's scope.
func (r *reader) closedLeaves(n irsyntax.Ref) bool {
	switch n.Kind() {
	case irsyntax.Int, irsyntax.Float, irsyntax.True, irsyntax.False:
		return true
	case irsyntax.Name:
		return r.scope[n.Text()] == nil && r.free[n.Text()] == nil
	case irsyntax.BinOp:
		return r.closedLeaves(n.First()) && r.closedLeaves(n.Child(1))
	case irsyntax.UnaryOp:
		return n.Op() != irsyntax.OpNot && r.closedLeaves(n.First())
	case irsyntax.List, irsyntax.Tuple:
		for c := n.First(); c.Ok(); c = c.Next() {
			if !r.closedLeaves(c) {
				return false
			}
		}
		return true
	}
	return false
}

func (r *reader) binOp(n irsyntax.Ref) ir.Expr {
	if e, ok := r.foldable(n); ok {
		return e
	}
	op, ok := binOps[n.Op()]
	if !ok {
		r.problem(Syntax, r.span(n), "Unsupported binary operator: "+pyOpName[n.Op()], "")
		return unknownExpr(n)
	}
	x := r.expr(n.First())
	y := r.expr(n.Child(1))
	return r.binary(op, x, y, r.span(n))
}

var pyOpName = map[irsyntax.Op]string{
	irsyntax.OpPow: "Pow", irsyntax.OpMatMul: "MatMult", irsyntax.OpBitAnd: "BitAnd", irsyntax.OpBitOr: "BitOr",
	irsyntax.OpBitXor: "BitXor", irsyntax.OpAdd: "UAdd", irsyntax.OpIn: "In", irsyntax.OpNotIn: "NotIn",
	irsyntax.OpIs: "Is", irsyntax.OpIsNot: "IsNot", irsyntax.OpInvert: "Invert",
}

func (r *reader) unaryOp(n irsyntax.Ref) ir.Expr {
	switch n.Op() {
	case irsyntax.OpSub, irsyntax.OpAdd:
		if e, ok := r.foldable(n); ok {
			return e
		}
		x := r.expr(n.First())
		if n.Op() == irsyntax.OpAdd {
			r.problem(Syntax, r.span(n), "Unsupported unary operator: UAdd", "")
			return x
		}
		switch c := x.(type) {
		case *ir.ConstInt:
			return &ir.ConstInt{Value: -c.Value, DType: c.DType}
		case *ir.ConstFloat:
			return &ir.ConstFloat{Value: -c.Value, DType: c.DType}
		}
		d, ok := r.scalarDType(x, r.span(n))
		if !ok {
			return unknownExpr(n)
		}
		return &ir.Unary{Op: ir.Neg, X: x, DType: d}
	case irsyntax.OpInvert:
		x := r.expr(n.First())
		d, ok := r.scalarDType(x, r.span(n))
		if !ok {
			return unknownExpr(n)
		}
		return &ir.Unary{Op: ir.BitNot, X: x, DType: d}
	case irsyntax.OpNot:
		return &ir.Unary{Op: ir.Not, X: r.expr(n.First()), DType: ir.BOOL}
	}
	return unknownExpr(n)
}

var compareOps = map[irsyntax.Op]ir.BinOp{
	irsyntax.OpEq: ir.Eq, irsyntax.OpNe: ir.Ne, irsyntax.OpLt: ir.Lt, irsyntax.OpLe: ir.Le, irsyntax.OpGt: ir.Gt, irsyntax.OpGe: ir.Ge,
}

func (r *reader) compare(n irsyntax.Ref) ir.Expr {
	if n.Has(irsyntax.FlagChained) {
		r.problem(Syntax, r.span(n), "Only simple comparisons supported", "Use a single comparison operator, combined with 'and'")
		return unknownExpr(n)
	}
	op, ok := compareOps[n.Op()]
	if !ok {
		r.problem(Syntax, r.span(n), "Unsupported comparison: "+pyOpName[n.Op()], "")
		return unknownExpr(n)
	}
	x := r.expr(n.First())
	y := r.expr(n.Child(1))
	return r.binary(op, x, y, r.span(n))
}

var opNames = [...]string{
	ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.FloatDiv: "truediv", ir.FloorDiv: "floordiv", ir.FloorMod: "mod",
	ir.Pow: "pow", ir.Min: "min", ir.Max: "max", ir.Eq: "eq", ir.Ne: "ne", ir.Lt: "lt", ir.Le: "le", ir.Gt: "gt", ir.Ge: "ge",
	ir.Shl: "bit_shift_left", ir.Shr: "bit_shift_right", ir.And: "and", ir.Or: "or", ir.Xor: "xor", ir.BitAnd: "bit_and", ir.BitOr: "bit_or", ir.BitXor: "bit_xor",
}

// scalarDType checks that an operand is scalar; false when it is not or not
// known.
func (r *reader) scalarDType(e ir.Expr, sp ir.Span) (ir.DType, bool) {
	d, msg := scalarOf(e)
	if msg != "" {
		r.funcProblem(sp, msg)
	}
	return d, d != ir.NoDType
}

func irClass(e ir.Expr) string {
	switch e.(type) {
	case *ir.Var:
		return "Var"
	case *ir.Call:
		return "Call"
	case *ir.MakeTuple:
		return "MakeTuple"
	case *ir.TupleGet:
		return "TupleGetItemExpr"
	}
	return "Expr"
}

// TypeClass is the reference's class name of a type, as messages show it.
func TypeClass(t ir.Type) string {
	switch t := t.(type) {
	case *ir.ScalarType:
		return "ScalarType"
	case *ir.TileType:
		return "TileType"
	case *ir.TensorType:
		if t.Distributed {
			return "DistributedTensorType"
		}
		return "TensorType"
	case *ir.ArrayType:
		return "ArrayType"
	case *ir.TupleType:
		return "TupleType"
	case *ir.PtrType:
		return "PtrType"
	}
	return "UnknownType"
}

// binary builds a scalar binary expression with the promotion of spec 01 §8.3.
func (r *reader) binary(op ir.BinOp, x, y ir.Expr, sp ir.Span) ir.Expr {
	e, msg := binaryExpr(op, x, y)
	if msg != "" {
		r.funcProblem(sp, msg)
		return &ir.Raw{}
	}
	return e
}

// binaryExpr is binary without a place to report at: the reference's text
// tells what is wrong. An operand of unknown type is accepted.
func binaryExpr(op ir.BinOp, x, y ir.Expr) (ir.Expr, string) {
	a, msg := scalarOf(x)
	if msg != "" {
		return nil, msg
	}
	b, msg := scalarOf(y)
	if msg != "" {
		return nil, msg
	}
	res := a
	switch {
	case a != ir.NoDType && b != ir.NoDType:
		if x, y, res, msg = Promote(op, x, y, a, b); msg != "" {
			return nil, msg
		}
	case op.IsCompare() || op == ir.And || op == ir.Or || op == ir.Xor:
		res = ir.BOOL
	case a == ir.NoDType:
		res = b
	}
	return &ir.Binary{Op: op, X: x, Y: y, DType: res}, ""
}

// scalarOf is the dtype of a scalar operand, NoDType when it is not known, or
// the text for an operand that is no scalar.
func scalarOf(e ir.Expr) (ir.DType, string) {
	switch t := exprType(e).(type) {
	case *ir.ScalarType:
		return t.DType, ""
	case *ir.UnknownType:
		return ir.NoDType, ""
	default:
		return ir.NoDType, "Expression must be ScalarExpr or Var with ScalarType, got " + irClass(e) + " with type " + TypeClass(t)
	}
}

// Promote applies the operand rules of spec 01 §8.3: it returns the operands,
// one perhaps wrapped in a cast, the result dtype, and an error text or "".
func Promote(op ir.BinOp, x, y ir.Expr, a, b ir.DType) (ir.Expr, ir.Expr, ir.DType, string) {
	name := opNames[op]
	switch {
	case op == ir.And || op == ir.Or || op == ir.Xor:
		return x, y, ir.BOOL, ""
	case (op == ir.Shl || op == ir.Shr || op == ir.BitAnd || op == ir.BitOr || op == ir.BitXor) && (!a.IsInt() || !b.IsInt()):
		return x, y, a, "Operator '" + name + "' requires integer dtype, got " + a.Lower() + " and " + b.Lower()
	case a == ir.BOOL || b == ir.BOOL:
		return x, y, a, "Operator '" + name + "' does not accept bool dtype"
	}
	for _, d := range [2]ir.DType{a, b} {
		if !d.IsFloat() && !d.IsInt() {
			return x, y, a, "Operator '" + name + "' requires numeric scalar dtype, got " + d.Lower()
		}
	}
	if a.IsFloat() != b.IsFloat() {
		return x, y, a, "Operator '" + name + "' requires same numeric dtype category, got " + a.Lower() + " and " + b.Lower()
	}
	res := a
	if b.Bits() > a.Bits() {
		res = b
	}
	x, y = castTo(x, a, res), castTo(y, b, res)
	if op.IsCompare() {
		res = ir.BOOL
	}
	return x, y, res, ""
}

func castTo(e ir.Expr, from, to ir.DType) ir.Expr {
	if from == to || indexOr64(from) && indexOr64(to) {
		return e
	}
	return &ir.Unary{Op: ir.Cast, X: e, DType: to}
}

func indexOr64(d ir.DType) bool { return d == ir.INDEX || d == ir.INT64 }

// attributeExpr reads `pl.Mem.X`, `self.f` and metadata such as `buf.base`.
func (r *reader) attributeExpr(n irsyntax.Ref) ir.Expr {
	base := n.First()
	last := n.Child(1).Text()
	if q := lastComponent(base); q == "Mem" || q == "MemorySpace" {
		if s, ok := platforms.ParseSpace(last); ok {
			return index(int64(s))
		}
	}
	if base.Kind() == irsyntax.Name {
		if base.Text() == "self" {
			r.callee(last)
			return &ir.FuncRef{Name: last}
		}
		if b := r.buffers[base.Text()]; b != nil {
			if v, ok := b.field(last); ok {
				if e, ok := argExpr(v); ok {
					return e
				}
			}
		}
	}
	r.problem(Syntax, r.span(n), "Unsupported attribute access: "+unparse(n), "")
	return unknownExpr(n)
}

func (r *reader) callee(name string) {
	if r.callees == nil {
		r.callees = map[string]bool{}
	}
	r.callees[name] = true
}

// subscript reads `t[0]`, `arr[i]` and tensor or tile windows (spec 01 §8.4).
func (r *reader) subscript(n irsyntax.Ref) ir.Expr {
	x := r.expr(n.First())
	idx := n.Child(1)
	switch t := exprType(x).(type) {
	case *ir.TupleType:
		if idx.Kind() == irsyntax.Int {
			if i, ok := parseInt(idx.Text()); ok {
				if i >= int64(len(t.Elems)) {
					r.funcProblem(r.span(n), "TupleGetItemExpr index "+itoa(i)+" out of bounds for tuple with "+itoa(int64(len(t.Elems)))+" elements")
					return unknownExpr(n)
				}
				return &ir.TupleGet{Tuple: x, Index: int(i)}
			}
		}
		r.problem(Syntax, r.span(n), "Only constant integer indices supported for tuple access", "")
		return unknownExpr(n)
	case *ir.ArrayType:
		c := &ir.Call{Name: "array.get_element", Op: lookupOp("array.get_element"), Args: []ir.Expr{x, r.expr(idx)}, Span: r.span(n), Type: scalar(t.DType)}
		return c
	case *ir.TensorType, *ir.TileType:
		return r.window(n, x, idx)
	case *ir.UnknownType:
		if idx.Kind() == irsyntax.Int {
			if i, ok := parseInt(idx.Text()); ok && i < 1<<20 {
				return &ir.TupleGet{Tuple: x, Index: int(i)}
			}
		}
		return unknownExpr(n)
	}
	r.problem(TypeErr, r.span(n), "Subscript requires Tuple, Tensor, Tile, or Array type, got "+TypeClass(exprType(x)), "")
	return unknownExpr(n)
}
