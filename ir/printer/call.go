package printer

import (
	"strings"

	"pypto-ls/ir"
)

func (p *printer) call(c *ir.Call) {
	if c.IsFunc {
		p.funcCall(c)
		return
	}
	p.callee(c)
	p.s("(")
	a := &argList{p: p}
	p.callArgs(c, a)
	if len(c.Attrs) > 0 {
		a.next()
		p.attrs(c.Attrs)
	}
	p.s(")")
}

// argList separates arguments by commas.
type argList struct {
	p    *printer
	some bool
}

func (a *argList) next() {
	if a.some {
		a.p.s(", ")
	}
	a.some = true
}

func (a *argList) exprs(es []ir.Expr) {
	for _, e := range es {
		a.next()
		a.p.expr(e, false)
	}
}

func (a *argList) kwargs(c *ir.Call, skip ...string) {
next:
	for _, k := range c.Kwargs {
		for _, s := range skip {
			if k.Key == s {
				continue next
			}
		}
		a.next()
		a.p.s(k.Key)
		a.p.s("=")
		a.p.kwargValue(c, k)
	}
}

func (p *printer) funcCall(c *ir.Call) {
	if p.f == nil || p.f.Method {
		p.s("self.")
	}
	p.s(c.Name)
	p.s("(")
	a := &argList{p: p}
	a.exprs(c.Args)
	a.kwargs(c)
	if len(c.Attrs) > 0 {
		a.next()
		p.attrs(funcCallAttrs(c.Attrs))
	}
	p.s(")")
}

// funcCallAttrs orders the attributes of a function call: `dump_vars`,
// `arg_directions`, the rest as stored (spec 01b §7).
func funcCallAttrs(attrs []ir.Attr) []ir.Attr {
	out := make([]ir.Attr, 0, len(attrs))
	for _, key := range []string{"dump_vars", "arg_directions"} {
		for _, a := range attrs {
			if a.Key == key {
				out = append(out, a)
			}
		}
	}
	for _, a := range attrs {
		if a.Key != "dump_vars" && a.Key != "arg_directions" {
			out = append(out, a)
		}
	}
	return out
}

var keywordOps = map[string]bool{"and": true, "or": true, "not": true, "is": true, "in": true, "del": true, "pass": true, "if": true, "for": true, "while": true, "with": true, "lambda": true, "yield": true}

func (p *printer) callee(c *ir.Call) {
	name := c.Name
	if i := strings.IndexByte(name, '.'); i >= 0 && !strings.HasPrefix(name, "pld.") && !strings.HasPrefix(name, "pl.") {
		p.s("pl.")
	}
	p.s(name)
	last := name[strings.LastIndexByte(name, '.')+1:]
	if name == "tensor.add" && len(c.Args) == 2 && isConst(c.Args[1]) {
		p.s("s")
	}
	if keywordOps[last] {
		p.s("_")
	}
}

func isConst(e ir.Expr) bool {
	switch e.(type) {
	case *ir.ConstInt, *ir.ConstFloat:
		return true
	}
	return false
}

// callArgs prints arguments and keywords with the special spellings of spec
// 01b §7.
func (p *printer) callArgs(c *ir.Call, a *argList) {
	switch c.Name {
	case "tile.alloc", "tensor.alloc":
		for i, e := range c.Args {
			a.next()
			if n, ok := ir.ConstValue(e); ok && i == 0 && n >= 0 && n < 10 {
				p.s("pl.Mem." + ir.Space(n).String())
			} else {
				p.expr(e, false)
			}
		}
		a.kwargs(c)
	case "tile.full", "tensor.full":
		if len(c.Args) != 2 {
			break
		}
		a.exprs(c.Args[:1])
		if d, ok := c.Kwarg("dtype"); ok {
			a.next()
			p.s("dtype=")
			p.kwargValue(c, ir.Kwarg{Key: "dtype", Value: d})
		}
		a.next()
		p.s("value=")
		p.bare(c.Args[1])
		return
	case "tile.reinterpret_view", "tensor.reinterpret_view":
		if len(c.Args) == 0 {
			break
		}
		a.exprs(c.Args[:1])
		a.kwargs(c)
		if len(c.Args) > 1 {
			a.next()
			p.s("shape=")
			p.expr(c.Args[1], false)
		}
		return
	case "tile.gather_row", "tensor.gather_row":
		if len(c.Args) != 6 {
			break
		}
		a.exprs(c.Args[:5])
		a.next()
		p.s("valid_shape=")
		p.expr(c.Args[5], false)
		a.kwargs(c)
		return
	case "tile.mgather":
		if len(c.Args) <= 2 {
			break
		}
		p.mgather(c, a)
		return
	case "system.syncall":
		if m, ok := c.Kwarg("mode"); ok && m == "soft" {
			p.syncallSoft(c, a)
			return
		}
	}
	if c.Name != "tile.alloc" && c.Name != "tensor.alloc" {
		a.exprs(c.Args)
		skip := ""
		switch c.Name {
		case "pld.tensor.alloc_window_buffer":
			skip = "name"
		case "tile.aiv_shard", "tile.aic_gather", "tensor.aiv_shard", "tensor.aic_gather":
			if p.splitRegion {
				skip = "split"
			}
		}
		a.kwargs(c, skip)
	}
}

// bare prints a constant without `pl.const`.
func (p *printer) bare(e ir.Expr) {
	switch e := e.(type) {
	case *ir.ConstInt:
		p.int(e.Value)
	case *ir.ConstFloat:
		p.s(FloatText(e.Value))
	default:
		p.expr(e, false)
	}
}

func (p *printer) mgather(c *ir.Call, a *argList) {
	a.exprs(c.Args[:2])
	names := []string{"valid_shape"}
	if v, ok := c.Kwarg("coalesce"); ok && v == int64(1) {
		names = []string{"scratch", "valid_shape"}
	}
	for i, e := range c.Args[2:] {
		a.next()
		if i < len(names) {
			p.s(names[i] + "=")
		}
		p.expr(e, false)
	}
	a.kwargs(c)
}

func (p *printer) syncallSoft(c *ir.Call, a *argList) {
	a.next()
	p.s(`mode="soft"`)
	if v, ok := c.Kwarg("core_type"); ok {
		a.next()
		p.s("core_type=")
		if s, ok := v.(string); ok {
			p.quoted(s)
		}
	}
	if len(c.Args) > 0 {
		a.next()
		p.s("gm_workspace=")
		p.expr(c.Args[0], false)
	}
	a.next()
	p.s("used_cores=")
	if len(c.Args) > 1 {
		p.expr(c.Args[1], false)
	} else {
		p.s("0")
	}
}

var roundModes = [...]string{"none", "rint", "round", "floor", "ceil", "trunc", "odd"}
var pipeNames = [...]string{"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"}

func (p *printer) kwargValue(c *ir.Call, k ir.Kwarg) {
	switch v := k.Value.(type) {
	case int64:
		switch {
		case k.Key == "mode" && v >= 0 && int(v) < len(roundModes):
			p.s("'" + roundModes[v] + "'")
		case isPipeKey(c, k.Key) && v >= 0 && int(v) < len(pipeNames):
			p.s("pl.PipeType." + pipeNames[v])
		case k.Key == "atomic" && v == 0:
			p.s("pl.AtomicType.None_")
		case k.Key == "atomic" && v == 1:
			p.s("pl.AtomicType.Add")
		default:
			p.int(v)
		}
	case string:
		p.s("'" + v + "'")
	default:
		p.value(v)
	}
}

func isPipeKey(c *ir.Call, key string) bool {
	return key == "set_pipe" || key == "wait_pipe" ||
		key == "pipe" && (c.Name == "system.sync_set" || c.Name == "system.sync_wait")
}

// value prints the value kinds that keywords and attributes share.
func (p *printer) value(v any) {
	switch v := v.(type) {
	case int64:
		p.int(v)
	case bool:
		p.bool(v)
	case float64:
		p.s(FloatText(v))
	case ir.DType:
		p.s("pl." + v.String())
	case ir.Space:
		p.s("pl.Mem." + v.String())
	case ir.TensorLayout:
		p.s("pl.TensorLayout." + v.String())
	case ir.TileLayout:
		p.s("pl.TileLayout." + v.String())
	case ir.Pad:
		p.s("pl.PadValue." + v.String())
	case ir.Enum:
		p.s(string(v))
	case ir.Verbatim:
		p.s(string(v))
	case []int64:
		p.s("[")
		for i, n := range v {
			if i > 0 {
				p.s(", ")
			}
			p.int(n)
		}
		p.s("]")
	case []ir.Enum:
		p.s("[")
		for i, n := range v {
			if i > 0 {
				p.s(", ")
			}
			p.s(string(n))
		}
		p.s("]")
	case []ir.Expr:
		p.s("[")
		p.exprList(v)
		p.s("]")
	case ir.Expr:
		p.expr(v, false)
	}
}

func (p *printer) attrValue(v any) {
	if s, ok := v.(string); ok {
		p.quoted(s)
		return
	}
	p.value(v)
}

// attrs prints `attrs={...}`.
func (p *printer) attrs(attrs []ir.Attr) {
	p.s("attrs={")
	for i, a := range attrs {
		if i > 0 {
			p.s(", ")
		}
		p.quoted(a.Key)
		p.s(": ")
		p.attrValue(a.Value)
	}
	p.s("}")
}
