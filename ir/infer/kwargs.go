package infer

import (
	"fmt"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// checkKwargs is step 3 of spec 02 §2.2. Values that reading could not give a
// meaning (ir.Enum, ir.Verbatim) and expressions pass.
func (c *call) checkKwargs() bool {
	if len(c.op.Kwargs) == 0 {
		return true // an operator without attributes accepts any keyword
	}
	for i := range c.kwargs {
		k := &c.kwargs[i]
		spec, ok := c.op.Kwarg(k.Key)
		if !ok {
			c.fail(-1, "Unknown kwarg '{name}' for operator '{op}'", k.Key)
			return false
		}
		if text := incompatible(spec.Type, k.Value); text != "" {
			c.fail(-1, text, k.Key)
			c.problem.Kind = TypeError
			return false
		}
	}
	return true
}

// incompatible is the text for a value of the wrong class, "" when it fits.
func incompatible(class string, value any) string {
	switch value.(type) {
	case ir.Enum, ir.Verbatim, ir.Expr, []ir.Expr:
		return ""
	}
	ok := true
	switch class {
	case "bool":
		_, ok = value.(bool)
	case "int":
		_, ok = value.(int64)
	case "str":
		_, ok = value.(string)
	case "float":
		_, ok = value.(float64)
	case "DataType":
		if _, ok = value.(ir.DType); !ok {
			_, ok = value.(int64)
		}
		if !ok {
			return "Kwarg '{name}' for operator '{op}' expects DataType or int, but got incompatible type"
		}
	case "MemorySpace":
		if _, ok = value.(ir.Space); !ok {
			return "Kwarg '{name}' for operator '{op}' expects MemorySpace, but got incompatible type"
		}
	case "TileLayout":
		if _, ok = value.(ir.TileLayout); !ok {
			return "Kwarg '{name}' for operator '{op}' expects TileLayout, but got incompatible type"
		}
	case "PadValue":
		_, ok = value.(ir.Pad)
	case "TensorLayout":
		_, ok = value.(ir.TensorLayout)
	}
	if !ok {
		return "Kwarg '{name}' for operator '{op}' has incompatible type"
	}
	return ""
}

func (c *call) kwarg(key string) (any, bool) {
	for i := range c.kwargs {
		if c.kwargs[i].Key == key {
			return c.kwargs[i].Value, true
		}
	}
	return nil, false
}

// intKwarg is an integer keyword; def when it is absent.
func (c *call) intKwarg(key string, def int64) int64 {
	if v, ok := c.kwarg(key); ok {
		if n, ok := v.(int64); ok {
			return n
		}
		c.degrade(fmt.Sprintf("the value of keyword %s is not known", key))
	}
	return def
}

// boolKwarg is a boolean keyword; false when it is absent.
func (c *call) boolKwarg(key string) bool {
	v, _ := c.kwarg(key)
	b, _ := v.(bool)
	return b
}

// spaceKwarg is a memory space keyword; def when it is absent.
func (c *call) spaceKwarg(key string, def ir.Space) ir.Space {
	if v, ok := c.kwarg(key); ok {
		if s, ok := v.(ir.Space); ok {
			return s
		}
	}
	return def
}

// dtypeKwarg is an element type keyword; def when it is absent.
func (c *call) dtypeKwarg(key string, def ir.DType) ir.DType {
	v, ok := c.kwarg(key)
	if !ok {
		return def
	}
	if d, ok := v.(ir.DType); ok {
		return d
	}
	c.degrade("the element type of keyword " + key + " is not known")
	return def
}

// requiredDType is dtypeKwarg for a keyword that must be there.
func (c *call) requiredDType(key string) (ir.DType, bool) {
	if _, ok := c.kwarg(key); !ok {
		c.missing("Missing kwarg: {value}", key)
		return ir.NoDType, false
	}
	d := c.dtypeKwarg(key, ir.NoDType)
	return d, c.problem == nil
}

// padKwarg is a padding keyword; def when it is absent.
func (c *call) padKwarg(key string, def ir.Pad) ir.Pad {
	if v, ok := c.kwarg(key); ok {
		if p, ok := v.(ir.Pad); ok {
			return p
		}
	}
	return def
}

// fillSpaces is step 5 of spec 02 §2.2: a tile result without memory space, or
// each such element of a tuple, gets the resolver's; the view is canonicalised
// a second time.
func (c *call) fillSpaces(t ir.Type) ir.Type {
	space, ok := c.resolveSpace()
	if !ok {
		return t
	}
	switch t := t.(type) {
	case *ir.TileType:
		switch {
		case t.Space != platforms.NoSpace:
		case t == c.made:
			t.Place(space)
		default:
			return ir.WithSpace(t, space)
		}
	case *ir.TupleType:
		elems := make([]ir.Type, len(t.Elems))
		for i, e := range t.Elems {
			elems[i] = e
			if e, ok := e.(*ir.TileType); ok && e.Space == platforms.NoSpace {
				elems[i] = ir.WithSpace(e, space)
			}
		}
		return &ir.TupleType{Elems: elems}
	}
	return t
}
