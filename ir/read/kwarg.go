package read

import (
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// generic keeps a call this package gives no meaning to.
func (r *reader) generic(n irsyntax.Ref, name string, ann ir.Type) ir.Expr {
	c := &ir.Call{Name: name, Span: r.span(n), Type: ir.Unknown}
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

// enumValue reads an attribute expression as dtype, space, layout, pad or
// another enumeration.
func (r *reader) enumValue(v irsyntax.Ref) any {
	last, enum := v.Child(1).Text(), lastComponent(v.First())
	unknown := func() { r.problem(TypeErr, r.span(v), "Unknown "+enum+" value: "+unparse(v), "") }
	switch enum {
	case "Mem", "MemorySpace":
		if s, ok := platforms.ParseSpace(last); ok {
			return s
		}
		r.unknownSpace(v)
	case "TileLayout":
		if l, ok := ir.ParseEnum("TileLayout", last); ok {
			return ir.TileLayout(l)
		}
		unknown()
	case "TensorLayout":
		if l, ok := ir.ParseEnum("TensorLayout", last); ok {
			return ir.TensorLayout(l)
		}
		unknown()
	case "PadValue":
		if p, ok := ir.ParseEnum("PadValue", last); ok {
			return ir.Pad(p)
		}
		unknown()
	case "AtomicType", "PipeType":
		if n, ok := enumNumber(enum, last); ok {
			return n
		}
		if enum == "AtomicType" {
			unknown()
		}
	}
	if d, ok := ir.ParseDType(last); ok {
		return d
	}
	if n, ok := maskPatterns[last]; ok && enum == "MaskPattern" {
		return n
	}
	if v.First().Kind() == irsyntax.Name {
		if b := r.buffers[v.First().Text()]; b != nil {
			if w, ok := b.field(last); ok {
				return w
			}
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
		return r.denoted(x)
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
	default:
		if n, ok := enumNumber(q, last); ok {
			return n
		}
	}
	return e
}

// enumNumber is a constant of the enumerations that are stored as numbers.
func enumNumber(enum, name string) (int64, bool) {
	switch enum {
	case "AtomicType":
		switch name {
		case "Add":
			return 1, true
		case "None_":
			return 0, true
		}
	case "PipeType":
		i := slices.Index(pipeTypes[:], name)
		return int64(i), i >= 0
	case "MaskPattern":
		n, ok := maskPatterns[name]
		return n, ok
	}
	return 0, false
}

var pipeTypes = [...]string{"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"}

// maskPatterns are `pl.tile.MaskPattern.X`.
var maskPatterns = map[string]int64{"P0101": 1, "P1010": 2, "P0001": 3, "P0010": 4, "P0100": 5, "P1000": 6, "P1111": 7}
