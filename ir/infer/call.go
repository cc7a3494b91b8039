package infer

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/ir/printer"
)

// call is one call being typed.
type call struct {
	op      *ops.Op
	args    []ir.Expr
	kwargs  []ir.Kwarg
	types   []ir.Type // of args
	env     Env
	problem *Problem
	// made is the last tile type that was built, nobody else's until it is
	// returned; tiles is where, nil for anywhere.
	made  *ir.TileType
	tiles *ir.TileSlab
	buf   [8]ir.Type
}

// loadTypes finds the operands' types; false when one of them is unknown, so
// that nothing can be said about the result.
func (c *call) loadTypes() bool {
	c.types = c.buf[:0]
	for _, a := range c.args {
		var t ir.Type = literalTuple
		if m, ok := a.(*ir.MakeTuple); !ok {
			t = c.env.TypeOf(a)
		} else if !c.knownElems(m) {
			t = ir.Unknown
		}
		if isUnknown(t) {
			c.degrade("the type of an operand is not known")
			return false
		}
		c.types = append(c.types, t)
	}
	return true
}

// literalTuple stands for the type of any literal tuple: the types of its
// elements are looked up where they are needed, by eachElem.
var literalTuple = &ir.TupleType{}

func (c *call) knownElems(m *ir.MakeTuple) bool {
	for _, e := range m.Elems {
		if isUnknown(c.env.TypeOf(e)) {
			return false
		}
	}
	return true
}

// eachElem visits the element types of operand i until visit returns false; ok
// is false when the operand is no tuple, n is the number of elements.
func (c *call) eachElem(i int, visit func(k int, t ir.Type) bool) (n int, ok bool) {
	if m, ok := c.args[i].(*ir.MakeTuple); ok {
		for k, e := range m.Elems {
			if !visit(k, c.env.TypeOf(e)) {
				break
			}
		}
		return len(m.Elems), true
	}
	t, ok := c.types[i].(*ir.TupleType)
	if !ok {
		return 0, false
	}
	for k, e := range t.Elems {
		if !visit(k, e) {
			break
		}
	}
	return len(t.Elems), true
}

// tupleLen is the number of elements of operand i, a tuple.
func (c *call) tupleLen(i int) (n int, ok bool) {
	return c.eachElem(i, func(int, ir.Type) bool { return false })
}

func isUnknown(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.UnknownType:
		return true
	case *ir.TupleType:
		for _, e := range t.Elems {
			if isUnknown(e) {
				return true
			}
		}
	}
	return t == nil
}

// degrade records that the type cannot be inferred.
func (c *call) degrade(why string) {
	if c.problem == nil {
		c.problem = &Problem{Kind: Degraded, Text: why, Operand: -1}
	}
}

// fail records the reference's error with this text; the first one stays. It
// returns nil so that a rule can return it.
func (c *call) fail(operand int, text string, values ...any) ir.Type {
	if c.problem == nil {
		c.problem = &Problem{Text: c.fill(text, values), Operand: operand}
	}
	return nil
}

// bug records a failed internal check of the reference.
func (c *call) bug(operand int, text string, values ...any) ir.Type {
	c.fail(operand, text, values...)
	c.problem.Kind = Internal
	return nil
}

// missing is an error raised without a check: it keeps its location.
func (c *call) missing(text string, values ...any) ir.Type {
	c.fail(-1, text, values...)
	c.problem.Located = true
	return nil
}

// placeholders are the names of ops.json that stand for a value. Braces around
// anything else are literal.
var placeholders = map[string]bool{"type": true, "dtype": true, "shape": true, "extent": true, "space": true, "layout": true,
	"count": true, "n": true, "bits": true, "i": true, "axis": true, "axis1": true, "axis2": true, "dim": true, "value": true,
	"arg_name": true, "shape_name": true, "extent_name": true, "scale_name": true, "which": true, "side": true, "name": true, "axis_name": true}

// fill puts values into the placeholders of a text in order; {op} is the
// operator's name. For an alternative {a|b} the value is the number of the one
// to take.
func (c *call) fill(text string, values []any) string {
	var b strings.Builder
	next := func() any {
		if len(values) == 0 {
			return "?"
		}
		v := values[0]
		values = values[1:]
		return v
	}
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "}")
		switch {
		case ok && name == "op":
			b.WriteString(c.op.Name)
		case ok && placeholders[name]:
			writeValue(&b, next())
		case ok && strings.Contains(name, "|"):
			alternatives := strings.Split(name, "|")
			if i, isInt := next().(int); isInt && i >= 0 && i < len(alternatives) {
				b.WriteString(alternatives[i])
			}
		default:
			b.WriteByte('{')
			text = rest
			continue
		}
		text = after
	}
}

func writeValue(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(v)
	case int:
		b.WriteString(strconv.Itoa(v))
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case float64:
		b.WriteString(printer.FloatText(v))
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case ir.DType:
		b.WriteString(v.Lower())
	case ir.Type:
		b.WriteString(TypeClass(v))
	case []ir.Expr:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeValue(b, e)
		}
		b.WriteByte(']')
	case ir.Expr:
		if n, ok := ir.ConstValue(v); ok {
			b.WriteString(strconv.FormatInt(n, 10))
			return
		}
		b.WriteString(printer.Expr(v))
	case ir.Space:
		b.WriteString(v.String())
	case ir.TileLayout:
		b.WriteString(v.String())
	case ir.TensorLayout:
		b.WriteString(v.String())
	case ir.Pad:
		b.WriteString(v.String())
	default:
		b.WriteByte('?')
	}
}

// arity checks for exactly n operands.
func (c *call) arity(n int, text string) bool {
	if len(c.args) != n {
		c.fail(-1, text, len(c.args))
		return false
	}
	return true
}

// arityIn checks for lo to hi operands.
func (c *call) arityIn(lo, hi int, text string) bool {
	if len(c.args) < lo || len(c.args) > hi {
		c.fail(-1, text, len(c.args))
		return false
	}
	return true
}

// tile is operand i as a tile, nil after recording the error.
func (c *call) tile(i int, text string) *ir.TileType {
	t, ok := c.types[i].(*ir.TileType)
	if !ok {
		c.fail(i, text, c.types[i])
		return nil
	}
	return t
}

// scalar is operand i as a scalar, nil after recording the error.
func (c *call) scalar(i int, text string) *ir.ScalarType {
	t, ok := c.types[i].(*ir.ScalarType)
	if !ok {
		c.fail(i, text, c.types[i])
		return nil
	}
	return t
}

// tensor is operand i as a plain or distributed tensor, nil after recording
// the error.
func (c *call) tensor(i int, text string) *ir.TensorType {
	t, ok := c.types[i].(*ir.TensorType)
	if !ok {
		c.fail(i, text, c.types[i])
		return nil
	}
	return t
}

// plainTensor is operand i as a tensor that is not distributed.
func (c *call) plainTensor(i int, text string) *ir.TensorType {
	t, ok := c.types[i].(*ir.TensorType)
	if !ok || t.Distributed {
		c.fail(i, text, c.types[i])
		return nil
	}
	return t
}

// literal is operand i as a literal tuple.
func (c *call) literal(i int) (*ir.MakeTuple, bool) {
	t, ok := c.args[i].(*ir.MakeTuple)
	return t, ok
}

// oneOf reports whether d is in the list.
func oneOf(d ir.DType, list ...ir.DType) bool {
	for _, x := range list {
		if d == x {
			return true
		}
	}
	return false
}
