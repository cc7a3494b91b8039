package read

import (
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// exprType is the type of an expression as read.
func exprType(e ir.Expr) ir.Type { return infer.ExprType(e) }

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
		t := r.tuples.New()
		t.Span, t.Elems = r.span(n), r.lists.Make(n.NumChildren())
		for i, c := 0, n.First(); c.Ok(); i, c = i+1, c.Next() {
			t.Elems[i] = r.expr(c)
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
		r.problem(TypeErr, r.span(n), "Unsupported constant type: <class 'ellipsis'>", constantHelp)
		return unknownExpr(n)
	case irsyntax.String:
		r.problem(TypeErr, r.span(n), "Unsupported constant type: <class 'str'>", constantHelp)
		return unknownExpr(n)
	case irsyntax.ErrorNode, irsyntax.Empty, irsyntax.Invalid:
		return &ir.Raw{}
	}
	r.problem(Syntax, r.span(n), "Unsupported expression type: "+astName(n), "Use supported expressions like variables, constants, operations, or function calls")
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

const constantHelp = "Use int, float, bool, or None (TaskId sentinel) constants"

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
		r.problem(TypeErr, r.span(n), "Unsupported closure variable type: "+pyType(v), "Closure variables must be int, float, bool, list, tuple, or IR expressions")
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
	if err == notKnown && r.opt.Policy == Reference {
		if !slices.ContainsFunc(c.used, r.env.opaque) {
			r.doubtful(unparse(n))
		}
		return unknownExpr(n), true // not a scalar computed at run time
	}
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
		// An extent of a parameter that is not known is a symbol there only.
		return r.scope[n.Text()] == nil && (r.free[n.Text()] == nil || r.env.opaque(n.Text()))
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
		r.problem(Syntax, r.span(n), "Unsupported binary operator: "+pyOpName[n.Op()], "Use supported operators: +, -, *, /, //, %, <<, >>")
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
			r.problem(Syntax, r.span(n), "Unsupported unary operator: UAdd", "Use supported unary operators: -, not, ~")
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
		r.problem(Syntax, r.span(n), "Only simple comparisons supported", "Use single comparison operators like: a < b, not chained comparisons")
		return unknownExpr(n)
	}
	op, ok := compareOps[n.Op()]
	if !ok {
		r.problem(Syntax, r.span(n), "Unsupported comparison: "+pyOpName[n.Op()], "Use supported comparisons: ==, !=, <, <=, >, >=")
		return unknownExpr(n)
	}
	x := r.expr(n.First())
	y := r.expr(n.Child(1))
	return r.binary(op, x, y, r.span(n))
}

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
	r.problem(Syntax, r.span(n), "Standalone attribute access not supported: "+unparse(n), "Attribute access is only supported within function calls")
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
		switch idx.Kind() {
		case irsyntax.Float, irsyntax.String, irsyntax.True, irsyntax.False, irsyntax.None:
			r.problem(Syntax, r.span(n), "Tuple index must be an integer", "Use integer index like tuple[0]")
			return unknownExpr(n)
		}
		r.problem(Syntax, r.span(n), "Only constant integer indices supported for tuple access", "Use a constant integer index like tuple[0]")
		return unknownExpr(n)
	case *ir.ArrayType:
		if idx.Kind() == irsyntax.Tuple || idx.Kind() == irsyntax.Slice {
			r.problem(TypeErr, r.span(n), "Array subscript requires a single index (rank-1 in v1)", "Use arr[i], not arr[i, j]")
			return unknownExpr(n)
		}
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
	r.problem(TypeErr, r.span(n), "Subscript requires Tuple, Tensor, Tile, or Array type, got "+TypeClass(exprType(x)), "Subscript syntax is supported for Tuple, Tensor, Tile, and Array types")
	return unknownExpr(n)
}
