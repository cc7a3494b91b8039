package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// callAttrs reads `attrs={...}` of an operator call (spec 01 §9.4).
func (r *reader) callAttrs(d irsyntax.Ref, callee string) []ir.Attr {
	if d.Kind() != irsyntax.Dict {
		r.problem(Syntax, r.span(d), "op attrs must be a dict literal", "")
		return nil
	}
	var out []ir.Attr
	for it := d.First(); it.Ok(); it = it.Next() {
		if it.Kind() != irsyntax.DictItem {
			continue
		}
		key, ok := stringValue(it.First().Text())
		if it.First().Kind() != irsyntax.String || !ok {
			r.problem(Syntax, r.span(it.First()), "attrs keys must be string literals", "")
			continue
		}
		v := it.Child(1)
		head := "attrs['" + key + "'] on call to '" + callee + "'"
		switch {
		case key == "manual_dep_edges" || key == "dummy_task":
			r.problem(Syntax, r.span(v), head+" is not a writable attr; manual dependency edges are written as deps=[...] on pl.system.task_dummy or pl.submit", "")
			continue
		case v.Kind() == irsyntax.None || v.Kind() == irsyntax.Ellipsis || v.Kind() == irsyntax.Imag:
			r.problem(Syntax, r.span(v), head+": unsupported constant '"+unparse(v)+"'", "")
			continue
		}
		if v.Kind() == irsyntax.List {
			r.checkAttrList(v, head)
		}
		out = append(out, ir.Attr{Key: key, Value: r.attrValue(v)})
	}
	return out
}

// checkAttrList: the elements of a list must be of one kind.
func (r *reader) checkAttrList(v irsyntax.Ref, head string) {
	ints, dirs, names, n := 0, 0, 0, 0
	for c := v.First(); c.Ok(); c = c.Next() {
		n++
		switch {
		case c.Kind() == irsyntax.Int:
			ints++
		case c.Kind() == irsyntax.Name:
			names++
		case c.Kind() == irsyntax.Attribute && lastComponent(c.First()) == "adir":
			if last := c.Child(1).Text(); !directions[last] {
				r.problem(Syntax, r.span(c), head+": unknown direction 'pl.adir."+last+"'", "")
			}
			dirs++
		}
	}
	if n > 0 && ints != n && dirs != n && names != n {
		r.problem(Syntax, r.span(v), head+": list elements are mixed or of an unsupported kind (expected all ints, all pl.adir.<name>, or all names)", "")
	}
}

var directions = map[string]bool{"input": true, "output": true, "output_existing": true, "inout": true, "no_dep": true, "scalar": true}

// funcCallAttrs reads `attrs={...}` of a call of a program function that has
// args positional arguments.
func (r *reader) funcCallAttrs(n, d irsyntax.Ref, f string, args int) []ir.Attr {
	if d.Kind() != irsyntax.Dict {
		r.problem(TypeErr, r.span(d), "'attrs=' on call to '"+f+"' must be a dict literal", `e.g. attrs={"arg_directions": [pl.adir.input, ...]}`)
		return nil
	}
	var out []ir.Attr
	for it := d.First(); it.Ok(); it = it.Next() {
		if it.Kind() != irsyntax.DictItem {
			continue
		}
		key, ok := stringValue(it.First().Text())
		if it.First().Kind() != irsyntax.String || !ok {
			r.problem(Syntax, r.span(it.First()), "'attrs=' on call to '"+f+"' must use string-literal keys", "")
			continue
		}
		v := it.Child(1)
		switch key {
		case "arg_directions":
			r.checkDirections(n, v, f, args)
		case "manual_dep_edges":
			r.problem(TypeErr, r.span(n), "attrs={'manual_dep_edges': ...} is not accepted on a call to '"+f+"'", "Dependency edges belong on a submit: `out, tid = pl.submit(self.kernel, ..., deps=[...])`.")
			continue
		case "dump_vars":
			if v.Kind() != irsyntax.List {
				r.problem(TypeErr, r.span(v), "attrs['dump_vars'] on call to '"+f+"' must be a list literal", "")
				continue
			}
		}
		out = append(out, ir.Attr{Key: key, Value: r.attrValue(v)})
	}
	return out
}

func (r *reader) checkDirections(n, v irsyntax.Ref, f string, args int) {
	head := "attrs['arg_directions'] on call to '" + f + "'"
	if v.Kind() != irsyntax.List {
		r.problem(TypeErr, r.span(v), head+" must be a list literal", "")
		return
	}
	count := 0
	for c := v.First(); c.Ok(); c = c.Next() {
		count++
		if c.Kind() != irsyntax.Attribute || lastComponent(c.First()) != "adir" {
			r.problem(Syntax, r.span(c), head+" must contain 'pl.adir.<name>' references only", "")
			return
		}
		if last := c.Child(1).Text(); !directions[last] {
			r.problem(Syntax, r.span(c), "Unknown call-site direction marker 'pl.adir."+last+"' in call to '"+f+"'",
				"Valid markers: pl.adir.input, pl.adir.output, pl.adir.output_existing, pl.adir.inout, pl.adir.no_dep, pl.adir.scalar")
			return
		}
	}
	if count != args {
		r.problem(TypeErr, r.span(n), "attrs['arg_directions'] length ("+itoa(int64(count))+") on call to '"+f+"' must match positional arg count ("+itoa(int64(args))+")", "")
	}
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
