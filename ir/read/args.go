package read

import (
	"math"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// none is Python's None given as an argument.
type none struct{}

// given is one argument of a call as written. Value is an ir.Expr, or a Python
// value: int64, float64, bool, string, none, ir.DType, ir.Space, ir.Pad,
// ir.TensorLayout, ir.TileLayout, ir.Enum, ir.Verbatim.
type given struct {
	key   string // "" for a positional argument
	node  irsyntax.Ref
	value any
}

// readArgs reads the arguments of a call by the rules of spec 01 §9.2 and
// appends them to r.args; `attrs=` is returned apart. open is set when the
// shorthand `...` stands for further arguments. Callers cut r.args back to its
// former length when they are done.
func (r *reader) readArgs(n irsyntax.Ref, name string) (attrs []ir.Attr, open bool) {
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		switch a.Kind() {
		case irsyntax.Keyword:
			key := a.First().Text()
			v := a.Child(1)
			if key == "attrs" {
				attrs = r.callAttrs(v, unparse(n.First()))
				continue
			}
			g := given{key, a, r.keywordArg(name, key, v)}
			r.args = append(r.args, g)
		case irsyntax.Ellipsis:
			r.out.Shorthand = true
			open = true
		default:
			g := given{"", a, r.positionalArg(a)}
			r.args = append(r.args, g)
		}
	}
	return attrs, open
}

// positionalArg converts a positional argument: attributes are dtypes,
// enumerations or numbers of the closure, all else is an expression.
func (r *reader) positionalArg(a irsyntax.Ref) any {
	switch a.Kind() {
	case irsyntax.Attribute:
		if v, ok := r.attributeArg(a); ok {
			return v
		}
	case irsyntax.Name:
		if v := r.scope[a.Text()]; v != nil {
			return r.denoted(v)
		}
		if v, ok := r.global(a.Text()); ok {
			switch v := v.(type) {
			case ir.Enum:
				return enumOf(v)
			case ir.DType:
				return v
			}
		}
		if d, ok := ir.ParseDType(a.Text()); ok && r.free[a.Text()] == nil {
			return d
		}
	case irsyntax.UnaryOp:
		if a.Op() == irsyntax.OpSub && a.First().Kind() == irsyntax.Attribute {
			if v, ok := r.negatedAttribute(a.First()); ok {
				return v
			}
		}
	}
	return r.expr(a)
}

// attributeArg is the Python value of an attribute expression, when it has one.
func (r *reader) attributeArg(a irsyntax.Ref) (any, bool) {
	q := lastComponent(a.First())
	switch q {
	case "Mem", "MemorySpace":
		if s, ok := platforms.ParseSpace(a.Child(1).Text()); ok {
			return s, true
		}
	case "math":
		if f, ok := mathConstant(a.Child(1).Text()); ok {
			return f, true
		}
	}
	if a.First().Kind() == irsyntax.Name {
		if b := r.buffers[q]; b != nil {
			return b.field(a.Child(1).Text())
		}
		if q == "self" || r.scope[q] != nil {
			return nil, false
		}
	}
	if v, ok := r.closureArg(a); ok {
		return v, true
	}
	switch v := r.enumValue(a).(type) {
	case ir.Enum:
		if a.First().Kind() == irsyntax.Attribute || enumKinds[q] {
			return v, true
		}
		return nil, false
	default:
		return v, true
	}
}

var enumKinds = map[string]bool{"AtomicType": true, "PipeType": true, "TileLayout": true, "TensorLayout": true, "PadValue": true, "SplitMode": true, "CompactMode": true, "MaskPattern": true}

// keywordArg converts a keyword argument by its syntax.
func (r *reader) keywordArg(op, key string, v irsyntax.Ref) any {
	switch v.Kind() {
	case irsyntax.Int:
		if i, ok := parseInt(v.Text()); ok {
			return i
		}
		return r.expr(v)
	case irsyntax.Float:
		f, _ := parseFloat(strings.ReplaceAll(v.Text(), "_", ""))
		return f
	case irsyntax.True:
		return true
	case irsyntax.False:
		return false
	case irsyntax.None:
		return none{}
	case irsyntax.String:
		if s, ok := stringValue(v.Text()); ok {
			return s
		}
		return ir.Verbatim(v.Text())
	case irsyntax.UnaryOp:
		if w, ok := r.negatedArg(v); ok {
			return w
		}
	case irsyntax.Attribute:
		if w, ok := r.attributeArg(v); ok {
			return w
		}
	case irsyntax.Name:
		return r.nameArg(key, v)
	case irsyntax.List:
		return r.expr(v)
	case irsyntax.Dict:
		return ir.Verbatim(v.Text())
	}
	return r.expr(v)
}

// negatedArg is the value of `-literal` or `-math.inf`.
func (r *reader) negatedArg(v irsyntax.Ref) (any, bool) {
	if v.Op() != irsyntax.OpSub {
		return nil, false
	}
	switch inner := v.First(); inner.Kind() {
	case irsyntax.Int:
		if i, ok := parseInt(inner.Text()); ok {
			return -i, true
		}
	case irsyntax.Float:
		f, _ := parseFloat(strings.ReplaceAll(inner.Text(), "_", ""))
		return -f, true
	case irsyntax.Attribute:
		return r.negatedAttribute(inner)
	case irsyntax.Name:
		if inner.Text() == "inf" && r.scope["inf"] == nil {
			return math.Inf(-1), true
		}
	}
	return nil, false
}

// negatedAttribute is the value of `-C.EPS`.
func (r *reader) negatedAttribute(a irsyntax.Ref) (any, bool) {
	w, ok := r.attributeArg(a)
	if !ok {
		return nil, false
	}
	switch w := w.(type) {
	case float64:
		return -w, true
	case int64:
		if w != math.MinInt64 {
			return -w, true
		}
	case *ir.Raw:
		return w, true // a value that is not known
	}
	return nil, false
}

// nameArg is a name as keyword argument: a variable in scope, else the
// closure's value, which must exist.
func (r *reader) nameArg(key string, v irsyntax.Ref) any {
	name := v.Text()
	if x := r.scope[name]; x != nil {
		return r.denoted(x)
	}
	if g, ok := r.global(name); ok {
		switch g := g.(type) {
		case int64, float64, bool, string, ir.DType:
			return g
		case ir.Enum:
			return enumOf(g)
		case opaque:
			return unknownExpr(v)
		}
		if e, ok := valueExpr(g); ok {
			return e
		}
	}
	if d, ok := ir.ParseDType(name); ok && r.free[name] == nil {
		return d
	}
	// `inf` and `nan` are how the printer spells non-finite numbers.
	if name == "inf" || name == "nan" {
		f, _ := parseFloat(name)
		return f
	}
	return r.name(v)
}

// argExpr turns a Python value into an expression: ints are INDEX constants,
// floats FP32. ok is false for values that have no expression form.
func argExpr(v any) (ir.Expr, bool) {
	switch v := v.(type) {
	case ir.Expr:
		return v, true
	case int64:
		return index(v), true
	case float64:
		return &ir.ConstFloat{Value: v, DType: ir.FP32}, true
	case bool:
		return &ir.ConstBool{Value: v}, true
	case ir.Space:
		return index(int64(v)), true
	case ir.Enum:
		return &ir.Raw{Text: string(v)}, false
	case ir.Verbatim:
		return &ir.Raw{Text: string(v)}, false
	case ir.DType:
		return &ir.Raw{Text: "pl." + v.String()}, false
	}
	return &ir.Raw{}, false
}

// argInt is the value of an integer argument, Python number or constant.
func argInt(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case *ir.ConstInt:
		return v.Value, true
	}
	return 0, false
}
