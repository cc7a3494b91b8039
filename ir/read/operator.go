package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// canonical reads a call that is written as the printer writes it; nil when it
// is not, so that its wrapper has to be asked. It serves Dump, whose texts are
// canonical.
func (r *reader) canonical(n irsyntax.Ref, spelling, name string, ann ir.Type) ir.Expr {
	if strings.HasSuffix(name, "_") {
		if base := name[:len(name)-1]; lookupOp(base) != nil {
			name = base
		}
	}
	op := lookupOp(name)
	if op == nil {
		return nil
	}
	c := &ir.Call{Name: name, Op: op, Span: r.span(n)}
	r.callArguments(n, c)
	canonicalArgs(c)
	if !fits(c) && !r.out.Shorthand {
		r.checkArity(n, spelling)
	}
	return r.typed(n, c, ann, nil)
}

// checkArity reports arguments that the wrapper's signature does not take.
func (r *reader) checkArity(n irsyntax.Ref, spelling string) {
	s := spellings()[spelling]
	if s == nil || s.w.BuilderFallback {
		return
	}
	problems, mark := len(r.out.Problems), len(r.args)
	r.readArgs(n, spelling)
	r.out.Problems = r.out.Problems[:problems] // they were read before
	x := &build{spelled: s, r: r, b: r.newBinding()}
	if msg := x.b.bind(s.w, n, printedForm(s.w, r.args[mark:])); msg != "" {
		x.fail(n, r.args[mark:], msg)
	}
	r.freeBinding()
	r.args = r.args[:mark]
}

// fits reports whether a call has operands and keywords that its operator can
// have.
func fits(c *ir.Call) bool {
	least := 0
	for i := range c.Op.Args {
		if !c.Op.Args[i].Optional {
			least++
		}
	}
	if len(c.Args) < least || len(c.Args) > len(c.Op.Args) {
		return false
	}
	for i := range c.Kwargs {
		if _, ok := c.Op.Kwarg(c.Kwargs[i].Key); !ok {
			return false
		}
	}
	return true
}

// canonicalArgs moves the operands that canonical text spells as keywords
// (spec 01b §7) to their places.
func canonicalArgs(c *ir.Call) {
	switch c.Name {
	case "tile.full", "tensor.full":
		v, ok := takeKwarg(c, "value")
		d, ok2 := c.Kwarg("dtype")
		if !ok || len(c.Args) != 1 {
			return
		}
		dt, _ := d.(ir.DType)
		if e, isConst := constArg(v, dt); isConst && ok2 {
			c.Args = append(c.Args, e)
			return
		}
		c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: "value", Value: v})
	case "tile.reinterpret_view", "tensor.reinterpret_view":
		if v, ok := takeKwarg(c, "shape"); ok {
			c.Args = append(c.Args, exprArg(v))
		}
	case "tile.gather_row", "tensor.gather_row":
		if v, ok := takeKwarg(c, "valid_shape"); ok {
			c.Args = append(c.Args, exprArg(v))
		}
	case "tile.mgather":
		for _, k := range [...]string{"scratch", "valid_shape"} {
			if v, ok := takeKwarg(c, k); ok {
				c.Args = append(c.Args, exprArg(v))
			}
		}
	case "tensor.adds":
		if len(c.Args) == 2 && isConst(c.Args[1]) {
			c.Name, c.Op = "tensor.add", lookupOp("tensor.add")
		}
	case "system.syncall":
		if m, ok := c.Kwarg("mode"); ok && m == "soft" {
			if v, ok := takeKwarg(c, "gm_workspace"); ok {
				c.Args = append(c.Args, exprArg(v))
			}
			if v, ok := takeKwarg(c, "used_cores"); ok {
				c.Args = append(c.Args, exprArg(v))
			}
		}
	}
}

func isConst(e ir.Expr) bool {
	switch e.(type) {
	case *ir.ConstInt, *ir.ConstFloat:
		return true
	}
	return false
}

func takeKwarg(c *ir.Call, key string) (any, bool) {
	for i := range c.Kwargs {
		if c.Kwargs[i].Key == key {
			v := c.Kwargs[i].Value
			c.Kwargs = append(c.Kwargs[:i:i], c.Kwargs[i+1:]...)
			return v, true
		}
	}
	return nil, false
}

func exprArg(v any) ir.Expr {
	switch v := v.(type) {
	case []ir.Expr:
		return &ir.MakeTuple{Elems: v}
	case ir.Expr:
		return v
	case int64:
		return index(v)
	case float64:
		return &ir.ConstFloat{Value: v, DType: ir.FP32}
	case bool:
		return &ir.ConstBool{Value: v}
	case ir.Enum:
		return &ir.Raw{Text: string(v)}
	case ir.Verbatim:
		return &ir.Raw{Text: string(v)}
	}
	return &ir.Raw{}
}

// constArg gives a Python number the operator's element type.
func constArg(v any, d ir.DType) (ir.Expr, bool) {
	switch v := v.(type) {
	case int64:
		return &ir.ConstInt{Value: v, DType: d}, true
	case float64:
		return &ir.ConstFloat{Value: v, DType: d}, true
	case bool:
		n := int64(0)
		if v {
			n = 1
		}
		return &ir.ConstInt{Value: n, DType: d}, true
	}
	return nil, false
}
