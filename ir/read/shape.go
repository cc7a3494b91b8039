package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// shape reads a shape (spec 01 §6.4).
func (r *reader) shape(n irsyntax.Ref) ([]ir.Expr, bool) {
	switch n.Kind() {
	case irsyntax.List, irsyntax.Tuple:
		out := make([]ir.Expr, 0, 2)
		ok := true
		for c := n.First(); c.Ok(); c = c.Next() {
			e, k := r.dimExpr(c)
			ok = ok && k
			out = append(out, e)
		}
		return out, ok
	case irsyntax.Ellipsis:
		return nil, false
	}
	return r.constShape(n)
}

// constShape is a shape given as a name or another constant expression.
func (r *reader) constShape(n irsyntax.Ref) ([]ir.Expr, bool) {
	c := &constEval{env: r.env}
	v, err := c.eval(n)
	r.noteAll(c.used)
	if err == notKnown || r.out.Opaque {
		return nil, false
	}
	if err != "" {
		text, help := evalMessage(n, err)
		r.problem(TypeErr, r.span(n), text, help)
		return nil, false
	}
	list, ok := v.([]Value)
	if !ok {
		r.problem(TypeErr, r.span(n), "Shape '"+unparse(n)+"' must be a list or tuple, got "+pyType(v), "Use a list like [64, 128] or a variable holding a list")
		return nil, false
	}
	var out []ir.Expr
	for i, e := range list {
		d, ok := dimOperand(e)
		if !ok {
			r.problem(TypeErr, r.span(n), "Shape '"+unparse(n)+"' element "+itoa(int64(i))+" must be int or pl.dynamic(), got "+pyType(e), "")
			return out, false
		}
		out = append(out, d)
	}
	return out, true
}

func (r *reader) noteAll(names []string) {
	for _, n := range names {
		r.global(n)
	}
}

func evalMessage(n irsyntax.Ref, err string) (text, help string) {
	if strings.HasPrefix(err, "name ") {
		return "Cannot resolve expression '" + unparse(n) + "': " + err, "Make sure the variable is defined in the enclosing scope"
	}
	return "Failed to evaluate expression '" + unparse(n) + "': " + err, ""
}

var smallIndex = func() (m [1025]ir.ConstInt) {
	for i := range m {
		m[i] = ir.ConstInt{Value: int64(i), DType: ir.INDEX}
	}
	return
}()

// index makes an INDEX constant without allocating for the usual values.
func index(v int64) *ir.ConstInt {
	if v >= 0 && v < int64(len(smallIndex)) {
		return &smallIndex[v]
	}
	return ir.Index(v)
}

// dimExpr reads one element of a bracketed shape: closure before scope.
func (r *reader) dimExpr(n irsyntax.Ref) (ir.Expr, bool) {
	switch n.Kind() {
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v), true
		}
	case irsyntax.Name:
		return r.dimName(n)
	}
	if !containsConst(n) {
		c := &constEval{env: r.env, shadow: func(s string) bool { return r.scope[s] != nil }}
		v, err := c.eval(n)
		r.noteAll(c.used)
		if err == "" {
			if d, ok := dimOperand(v); ok {
				return d, true
			}
		}
		if err == notKnown && r.unknownExtent() {
			return unknownExpr(n), false
		}
	}
	old := len(r.out.Problems)
	e, ok := r.dimTree(n)
	if !ok {
		r.out.Problems = r.out.Problems[:old]
		r.problem(TypeErr, r.span(n), "Shape dimension must be int literal, variable, or evaluable expression: "+unparse(n), "Use integer literals, variables, or expressions for shape dimensions")
		return index(0), false
	}
	return e, true
}

// dimName resolves a name in a shape: closure before scope.
func (r *reader) dimName(n irsyntax.Ref) (ir.Expr, bool) {
	name := n.Text()
	if v := r.paramDims[name]; v != nil {
		return v, true
	}
	v, known := r.quietGlobal(name)
	_, bad := v.(opaque)
	if known && !bad {
		if d, ok := dimOperand(v); ok {
			if r.inSignature {
				if r.usedDims == nil {
					r.usedDims = map[string]bool{}
				}
				r.usedDims[name] = true
			}
			return d, true
		}
		r.problem(TypeErr, r.span(n), "Shape variable '"+name+"' must be int or pl.dynamic(), got "+pyType(v), "")
		return index(0), false
	}
	if v := r.lookup(name); v != nil {
		d := r.denoted(v)
		if t := exprType(d); !isIntScalar(t) {
			r.problem(TypeErr, r.span(n), "Shape dimension '"+name+"' must be integer-typed, got "+printType(t), "")
			return index(0), false
		}
		return d, true
	}
	switch {
	case bad:
		r.doubtful(name)
		if r.unknownExtent() {
			return unknownExpr(n), false
		}
	case !known && r.handwritten():
		r.unknownSymbol(n)
	}
	return r.symbol(name), true
}

// unknownExtent reports whether a shape with a value that is not known is not
// known either. The extent of a tensor in memory may be a dynamic dimension
// (spec 01 §4.5); that of a tile is a number in the compiler.
func (r *reader) unknownExtent() bool { return !r.inTensor && r.opt.Policy == Reference }

// unknownSymbol reports a dimension that nothing declares. Dumps name free
// symbols freely, and stand-alone signatures make dimensions of them (spec 01
// §4.2).
func (r *reader) unknownSymbol(n irsyntax.Ref) {
	name := n.Text()
	switch {
	case !r.inSignature:
		r.problem(TypeErr, r.span(n), "Unknown shape variable: "+name, "Use an integer, pl.dynamic() variable, or a Scalar variable defined earlier")
	case r.method:
		r.problem(Syntax, r.span(n), "NameError: name '"+name+"' is not defined", "Declare it at module level: "+name+" = pl.dynamic(\""+name+"\")")
	}
}

// handwritten reports a text that no pass has printed.
func (r *reader) handwritten() bool {
	return r.opt.Policy == Reference && !r.out.Opaque && !r.out.Shorthand && !strings.Contains(r.chunk.Text, "__ssa_v") && !strings.Contains(r.chunk.Text, "MemRef(mem_")
}

func containsConst(n irsyntax.Ref) bool {
	if n.Kind() == irsyntax.Call && lastComponent(n.First()) == "const" {
		return true
	}
	for c := n.First(); c.Ok(); c = c.Next() {
		if containsConst(c) {
			return true
		}
	}
	return false
}

// dimTree rebuilds a composite dimension without folding.
func (r *reader) dimTree(n irsyntax.Ref) (ir.Expr, bool) {
	switch n.Kind() {
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v), true
		}
		return nil, false
	case irsyntax.Name:
		return r.dimExpr(n)
	case irsyntax.BinOp:
		op, ok := binOps[n.Op()]
		if !ok {
			return nil, false
		}
		x, ok1 := r.dimTree(n.First())
		y, ok2 := r.dimTree(n.Child(1))
		if !ok1 || !ok2 {
			return nil, false
		}
		return r.binary(op, x, y, r.span(n)), true
	}
	e := r.expr(n)
	return e, isIntScalar(exprType(e))
}

func isIntScalar(t ir.Type) bool {
	s, ok := t.(*ir.ScalarType)
	return ok && (s.DType.IsInt() || s.DType == ir.NoDType) || isUnknown(t)
}

// viewExprs reads valid_shape or stride: scope before closure, unknown names
// are fresh symbols.
func (r *reader) viewExprs(n irsyntax.Ref) []ir.Expr {
	if n.Kind() != irsyntax.List && n.Kind() != irsyntax.Tuple {
		es, _ := r.shape(n)
		return es
	}
	out := make([]ir.Expr, 0, 2)
	for c := n.First(); c.Ok(); c = c.Next() {
		out = append(out, r.viewExpr(c))
	}
	return out
}

func (r *reader) viewExpr(n irsyntax.Ref) ir.Expr {
	switch n.Kind() {
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v)
		}
	case irsyntax.Name:
		name := n.Text()
		if v := r.lookup(name); v != nil {
			return r.denoted(v)
		}
		if v, ok := r.global(name); ok {
			if d, ok := dimOperand(v); ok {
				return d
			}
		}
		return r.symbol(name)
	}
	if isCallTo(n, "yield_") {
		r.problem(TypeErr, r.span(n), "TileView field cannot contain pl.yield_() — it would emit a YieldStmt as a side effect of type annotation parsing.", "Use a pure index expression (constants, vars, arithmetic, pl.max/pl.min, ...).")
		return index(0)
	}
	old := len(r.out.Problems)
	e, ok := r.dimTree(n)
	if !ok {
		r.out.Problems = r.out.Problems[:old]
		if e = r.expr(n); !isIntScalar(exprType(e)) {
			r.problem(TypeErr, r.span(n), "TileView field must be an index expression, got "+TypeClass(exprType(e))+": "+unparse(n), "Use integer literals, dynamic variables, or arithmetic over them (pl.max, pl.min, +, -, *, ...)")
			return index(0)
		}
	}
	return e
}

func (r *reader) constInt(n irsyntax.Ref) (int64, bool) {
	if n.Kind() == irsyntax.Int {
		return parseInt(n.Text())
	}
	c := &constEval{env: r.env, shadow: func(s string) bool { return r.scope[s] != nil }}
	v, err := c.eval(n)
	r.noteAll(c.used)
	i, ok := v.(int64)
	return i, ok && err == ""
}
