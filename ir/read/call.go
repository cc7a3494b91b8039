package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

func lookupOp(name string) *ops.Op { return ops.Lookup(name) }

// call reads a call in expression position. ann is the annotation of the
// assignment the call is the value of, nil elsewhere.
func (r *reader) call(n irsyntax.Ref, ann ir.Type) ir.Expr {
	fn := n.First()
	full := dotted(fn)
	if full == "" {
		r.problem(Syntax, span(n), "Unsupported function call: "+unparse(n), "")
		return unknownExpr(n)
	}
	dot := strings.IndexByte(full, '.')
	if dot < 0 {
		return r.bareCall(n, full, ann)
	}
	head, rest := full[:dot], full[dot+1:]
	switch head {
	case "self":
		return r.funcCall(n, rest, ann)
	case "pld":
		return r.operator(n, full, full, ann)
	case "pl":
		return r.plCall(n, full, rest, ann)
	case "tile", "tensor", "system", "array":
		r.out.Shorthand = true
		return r.operator(n, "pl."+full, full, ann)
	}
	r.problem(Syntax, span(n), "Unsupported operation call: "+unparse(n), "Use pl.*, pl.tensor.*, pl.tile.* or pl.system.* operations")
	return unknownExpr(n)
}

func (r *reader) plCall(n irsyntax.Ref, full, rest string, ann ir.Type) ir.Expr {
	if dot := strings.IndexByte(rest, '.'); dot >= 0 {
		switch rest[:dot] {
		case "tile", "tensor", "system", "array", "prefetch":
			name := rest
			if d := strings.IndexByte(rest[dot+1:], '.'); d >= 0 {
				name = rest[:dot+1+d] // components after the third are ignored
			}
			return r.operator(n, "pl."+name, name, ann)
		}
		if strings.HasSuffix(rest, ".get_byte") {
			if d, ok := ir.ParseDType(rest[:dot]); ok {
				return index(int64(d.Bytes()))
			}
		}
		r.problem(Syntax, span(n), "Unsupported operation call: "+unparse(n), "")
		return unknownExpr(n)
	}
	switch rest {
	case "const":
		if e, ok := r.constCall(n); ok {
			return e
		}
		r.problem(Syntax, span(n), "pl.const() requires a numeric literal and a dtype", "Use pl.const(value, pl.INT32)")
		return unknownExpr(n)
	case "submit", "spmd_submit":
		return r.generic(n, full, ann)
	case "no_dep":
		if a := n.First().Next(); a.Ok() && !a.Next().Ok() {
			return r.generic(n, full, exprTypeOrNil(r.peek(a)))
		}
	}
	return r.unified(n, full, rest, ann)
}

func exprTypeOrNil(e ir.Expr) ir.Type {
	if e == nil {
		return nil
	}
	return exprType(e)
}

// peek is the variable a plain name denotes, nil for anything else.
func (r *reader) peek(n irsyntax.Ref) ir.Expr {
	if n.Kind() == irsyntax.Name {
		if v := r.scope[n.Text()]; v != nil {
			return v
		}
	}
	return nil
}

// bareCall is `f(...)`: a function of the file, `abs`, or shorthand.
func (r *reader) bareCall(n irsyntax.Ref, name string, ann ir.Type) ir.Expr {
	if r.sigs.Has(name) || r.env.Function(name) != nil {
		return r.funcCall(n, name, ann)
	}
	if name == "abs" {
		if a := n.First().Next(); a.Ok() && !a.Next().Ok() {
			x := r.expr(a)
			if d, ok := r.scalarDType(x, span(n)); ok {
				return &ir.Unary{Op: ir.Abs, X: x, DType: d}
			}
		}
		return unknownExpr(n)
	}
	if v, ok := r.global(name); ok {
		if _, op := v.(opaque); op {
			return r.generic(n, name, ann)
		}
	}
	if r.out.Shorthand && ops.Lookup("tile."+name) != nil {
		return r.unified(n, "pl."+name, name, ann)
	}
	r.problem(Syntax, span(n), "Unsupported function call: "+unparse(n), "")
	return unknownExpr(n)
}

// funcCall is a call of a program function (spec 01 §9.5).
func (r *reader) funcCall(n irsyntax.Ref, name string, ann ir.Type) ir.Expr {
	r.callee(name)
	c := &ir.Call{Name: name, IsFunc: true, Span: span(n)}
	r.callArguments(n, c)
	c.Type = ir.Unknown
	sig, ok := r.sigs.Lookup(name)
	if !ok && r.env.Function(name) != nil {
		sig, ok = Header(r.env.Function(name), r.env, false), true
	}
	switch {
	case !ok && r.method:
		r.problem(NameErr, span(n), "Function '"+name+"' not defined in program", "Available functions: "+strings.Join(r.sigs.Names(), ", "))
	case ok && len(sig.Returns) == 1:
		c.Type = sig.Returns[0]
	case ok && len(sig.Returns) > 1:
		c.Type = &ir.TupleType{Elems: sig.Returns}
	}
	if ann != nil && (isUnknown(c.Type) || r.opt.Policy == Dump) {
		c.Type = ann
	}
	return c
}

// generic keeps a call this package gives no meaning to.
func (r *reader) generic(n irsyntax.Ref, name string, ann ir.Type) ir.Expr {
	c := &ir.Call{Name: name, Span: span(n), Type: ir.Unknown}
	if ann != nil {
		c.Type = ann
	}
	r.callArguments(n, c)
	return c
}

// callArguments reads positional and keyword arguments and attributes.
func (r *reader) callArguments(n irsyntax.Ref, c *ir.Call) {
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			if a.Kind() == irsyntax.Ellipsis {
				r.out.Shorthand = true
				continue
			}
			c.Args = append(c.Args, r.positional(a))
			continue
		}
		key := a.First().Text()
		v := a.Child(1)
		if key == "attrs" {
			c.Attrs = r.callAttrs(v, c.Name)
			continue
		}
		c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: key, Value: r.kwarg(c, key, v)})
	}
}

// positional reads a positional argument; enumerations and dtypes have no
// expression form and are kept as written.
func (r *reader) positional(a irsyntax.Ref) ir.Expr {
	if a.Kind() == irsyntax.Attribute {
		if _, ok := ir.ParseDType(a.Child(1).Text()); ok {
			return &ir.Raw{Text: a.Text()}
		}
		q := lastComponent(a.First())
		if q != "Mem" && q != "MemorySpace" && a.First().Kind() == irsyntax.Attribute {
			return &ir.Raw{Text: a.Text()}
		}
	}
	return r.expr(a)
}

// callAttrs reads `attrs={...}` (spec 01 §9.4).
func (r *reader) callAttrs(d irsyntax.Ref, callee string) []ir.Attr {
	var out []ir.Attr
	for it := d.First(); it.Ok(); it = it.Next() {
		if it.Kind() != irsyntax.DictItem || it.First().Kind() != irsyntax.String {
			continue
		}
		key, _ := stringValue(it.First().Text())
		out = append(out, ir.Attr{Key: key, Value: r.attrValue(it.Child(1))})
	}
	return out
}

func (r *reader) attrValue(v irsyntax.Ref) any {
	switch v.Kind() {
	case irsyntax.Int:
		i, _ := parseInt(v.Text())
		return i
	case irsyntax.Float:
		f, _ := parseFloat(v.Text())
		return f
	case irsyntax.True:
		return true
	case irsyntax.False:
		return false
	case irsyntax.String:
		s, ok := stringValue(v.Text())
		if !ok {
			return ir.Verbatim(v.Text())
		}
		return s
	case irsyntax.UnaryOp:
		if i, ok := r.constInt(v); ok {
			return i
		}
		if f, ok := parseFloat(v.First().Text()); ok && v.Op() == irsyntax.OpSub {
			return -f
		}
	case irsyntax.Attribute:
		return r.enumValue(v)
	case irsyntax.List, irsyntax.Tuple:
		return r.attrList(v)
	case irsyntax.None, irsyntax.Dict:
		return ir.Verbatim(v.Text())
	}
	return r.expr(v)
}

func (r *reader) attrList(v irsyntax.Ref) any {
	ints, enums, exprs := []int64{}, []ir.Enum{}, []ir.Expr{}
	for c := v.First(); c.Ok(); c = c.Next() {
		switch {
		case c.Kind() == irsyntax.Int:
			i, _ := parseInt(c.Text())
			ints = append(ints, i)
		case c.Kind() == irsyntax.Attribute:
			enums = append(enums, ir.Enum(dotted(c)))
		default:
			exprs = append(exprs, r.expr(c))
		}
	}
	switch {
	case len(enums) > 0:
		return enums
	case len(exprs) > 0:
		return exprs
	}
	return ints
}

// enumValue reads an attribute expression as dtype, space, layout, pad or
// another enumeration.
func (r *reader) enumValue(v irsyntax.Ref) any {
	last := v.Child(1).Text()
	switch lastComponent(v.First()) {
	case "Mem", "MemorySpace":
		if s, ok := platforms.ParseSpace(last); ok {
			return s
		}
	case "TileLayout":
		if l, ok := ir.ParseEnum("TileLayout", last); ok {
			return ir.TileLayout(l)
		}
	case "TensorLayout":
		if l, ok := ir.ParseEnum("TensorLayout", last); ok {
			return ir.TensorLayout(l)
		}
	case "PadValue":
		if p, ok := ir.ParseEnum("PadValue", last); ok {
			return ir.Pad(p)
		}
	case "AtomicType":
		if last == "Add" {
			return int64(1)
		}
		return int64(0)
	case "PipeType":
		for i, p := range [...]string{"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"} {
			if p == last {
				return int64(i)
			}
		}
	}
	if d, ok := ir.ParseDType(last); ok {
		return d
	}
	if n, ok := maskPatterns[last]; ok && lastComponent(v.First()) == "MaskPattern" {
		return n
	}
	if v.First().Kind() == irsyntax.Name {
		if b, ok := r.buffers[v.First().Text()]; ok && last == "base" {
			return b
		}
	}
	return ir.Enum(dotted(v))
}

var roundModes = map[string]int64{"none": 0, "rint": 1, "round": 2, "floor": 3, "ceil": 4, "trunc": 5, "odd": 6}

// kwarg reads a keyword argument's value by its syntax (spec 01 §9.2).
func (r *reader) kwarg(c *ir.Call, key string, v irsyntax.Ref) any {
	switch v.Kind() {
	case irsyntax.Int:
		i, _ := parseInt(v.Text())
		return i
	case irsyntax.Float:
		f, _ := parseFloat(strings.ReplaceAll(v.Text(), "_", ""))
		return f
	case irsyntax.True:
		return true
	case irsyntax.False:
		return false
	case irsyntax.String:
		s, ok := stringValue(v.Text())
		if !ok {
			return ir.Verbatim(v.Text())
		}
		if key == "mode" && c.Name != "system.syncall" {
			if m, ok := roundModes[s]; ok {
				return m
			}
		}
		return s
	case irsyntax.UnaryOp:
		if v.Op() == irsyntax.OpSub {
			inner := v.First()
			if inner.Kind() == irsyntax.Float {
				f, _ := parseFloat(strings.ReplaceAll(inner.Text(), "_", ""))
				return -f
			}
		}
		if i, ok := r.constInt(v); ok {
			return i
		}
	case irsyntax.Attribute:
		if v.First().Kind() == irsyntax.Name && v.First().Text() == "self" {
			return r.expr(v)
		}
		return r.enumValue(v)
	case irsyntax.Name:
		return r.kwargName(v)
	case irsyntax.List:
		out := make([]ir.Expr, 0, 2)
		for e := v.First(); e.Ok(); e = e.Next() {
			out = append(out, r.expr(e))
		}
		return out
	case irsyntax.Dict, irsyntax.None:
		return ir.Verbatim(v.Text())
	}
	return r.expr(v)
}

func (r *reader) kwargName(v irsyntax.Ref) any {
	name := v.Text()
	if x := r.scope[name]; x != nil {
		return ir.Expr(x)
	}
	if name == "inf" || name == "nan" {
		f, _ := parseFloat(name)
		return f
	}
	if g, ok := r.global(name); ok {
		switch g := g.(type) {
		case int64, float64, bool, string, ir.DType:
			return g
		case ir.Enum:
			return enumOf(g)
		}
	}
	if d, ok := ir.ParseDType(name); ok {
		return d
	}
	return r.name(v)
}

// enumOf gives an aliased enumeration its own type.
func enumOf(e ir.Enum) any {
	parts := strings.Split(string(e), ".")
	if len(parts) < 2 {
		return e
	}
	q, last := parts[len(parts)-2], parts[len(parts)-1]
	switch q {
	case "Mem", "MemorySpace":
		if s, ok := platforms.ParseSpace(last); ok {
			return s
		}
	case "TileLayout":
		if l, ok := ir.ParseEnum(q, last); ok {
			return ir.TileLayout(l)
		}
	case "TensorLayout":
		if l, ok := ir.ParseEnum(q, last); ok {
			return ir.TensorLayout(l)
		}
	case "PadValue":
		if l, ok := ir.ParseEnum(q, last); ok {
			return ir.Pad(l)
		}
	}
	return e
}

// maskPatterns are `pl.tile.MaskPattern.X`.
var maskPatterns = map[string]int64{"P0101": 1, "P1010": 2, "P0001": 3, "P0010": 4, "P0100": 5, "P1000": 6, "P1111": 7}
