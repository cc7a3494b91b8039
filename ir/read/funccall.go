package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// funcCall is a call of a program function, or of another kernel function of
// the file by its bare name (spec 01 §9.5, §9.6).
func (r *reader) funcCall(n irsyntax.Ref, name string, ann ir.Type) ir.Expr {
	r.callee(name)
	c := &ir.Call{Name: name, IsFunc: true, Span: r.span(n), Type: ir.Unknown}
	sig, known := r.signature(name)
	var keywords []irsyntax.Ref
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		switch a.Kind() {
		case irsyntax.Keyword:
			keywords = append(keywords, a)
		case irsyntax.Ellipsis:
			r.out.Shorthand = true
		default:
			c.Args = append(c.Args, r.positional(a))
		}
	}
	for _, a := range keywords {
		r.funcKeyword(n, a, c, sig)
	}
	if sig == nil && !known {
		if r.method {
			r.problem(NameErr, r.span(n), "Function '"+name+"' not defined in program", "Available functions: "+pyList(r.sigs.Names()))
		} else if strings.HasPrefix(n.Text(), "self.") && !r.out.Shorthand {
			r.problem(NameErr, r.span(n), "Function '"+name+"' not defined in program", "Available functions: []")
		}
	}
	if sig != nil {
		if len(sig.Params) != len(c.Args) && !r.out.Shorthand {
			r.problem(TypeErr, r.span(n), "Function '"+name+"' expects "+itoa(int64(len(sig.Params)))+" argument(s), got "+itoa(int64(len(c.Args))), "Parameters: "+pyList(paramList(sig)))
		}
		switch returns := substituted(sig, c.Args); len(returns) {
		case 0:
		case 1:
			c.Type = returns[0]
		default:
			c.Type = &ir.TupleType{Elems: returns}
		}
	}
	if ann != nil && (isUnknown(c.Type) || r.opt.Policy == Dump) {
		c.Type = ann
	}
	return c
}

func (r *reader) funcKeyword(n, a irsyntax.Ref, c *ir.Call, sig *Signature) {
	key, v := a.First().Text(), a.Child(1)
	switch {
	case key == "attrs":
		c.Attrs = r.funcCallAttrs(n, v, c.Name, len(c.Args))
		return
	case key == "device" && (sig == nil || isOrchestrator(sig.Kind)):
	case sig != nil || strings.HasPrefix(n.Text(), "self."):
		allowed := "['attrs']"
		if sig != nil && isOrchestrator(sig.Kind) {
			allowed = "['attrs', 'device']"
		}
		r.problem(TypeErr, r.span(n), "Function '"+c.Name+"' does not accept keyword argument '"+key+"'", "Allowed keyword arguments: "+allowed)
	}
	c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: key, Value: r.kwarg(c, key, v)})
}

func isOrchestrator(k ir.FuncKind) bool {
	_, role := impliedLevel(k)
	return role != "SubWorker"
}

// signature finds a callee. sig is nil with known set for a function that
// stands further down: the reference has not parsed it yet when the call is
// read, and knows no more of it than its name.
func (r *reader) signature(name string) (sig *Signature, known bool) {
	if r.sigs.Has(name) {
		if r.opt.Policy == Reference && r.method && !r.sigs.before(name, r.chunk) {
			return nil, true
		}
		s, _ := r.sigs.seenFrom(r.fn.Name, name, r.opt)
		return s, true
	}
	if c := r.env.Function(name); c != nil {
		if r.header {
			return nil, true // a header that calls functions may end in itself
		}
		return Header(c, r.env, false), true
	}
	return nil, false
}

func paramList(sig *Signature) []string {
	out := make([]string, len(sig.Params))
	for i, p := range sig.Params {
		out[i] = p.Var.Name + ": " + directionNames[p.Dir]
	}
	return out
}

var directionNames = [...]string{ir.In: "In", ir.Out: "Out", ir.InOut: "InOut"}

// maxListed is how many names a message lists; the reference lists all.
const maxListed = 500

// pyList shows names as Python displays a list of strings.
func pyList(names []string) string {
	if len(names) == 0 {
		return "[]"
	}
	if len(names) > maxListed {
		// Thousands of calls would each list thousands of names.
		return "['" + strings.Join(names[:maxListed], "', '") + "', ... " + itoa(int64(len(names)-maxListed)) + " more]"
	}
	return "['" + strings.Join(names, "', '") + "']"
}

// substituted are the callee's return types with its dynamic dimensions
// replaced by what the arguments have in their place.
func substituted(sig *Signature, args []ir.Expr) []ir.Type {
	dims := map[*ir.Var]ir.Expr{}
	for i, p := range sig.Params {
		if i >= len(args) {
			break
		}
		want, got := shapeOf(p.Var.Type), shapeOf(exprType(args[i]))
		if len(want) != len(got) {
			continue
		}
		for k, d := range want {
			if v, ok := d.(*ir.Var); ok && v.Kind == ir.DimVar && dims[v] == nil {
				dims[v] = got[k]
			}
		}
	}
	if len(dims) == 0 {
		return sig.Returns
	}
	out := make([]ir.Type, len(sig.Returns))
	for i, t := range sig.Returns {
		out[i] = substituteType(t, dims)
	}
	return out
}

func substituteType(t ir.Type, dims map[*ir.Var]ir.Expr) ir.Type {
	switch t := t.(type) {
	case *ir.TensorType:
		view := t.View
		if view != nil {
			v := *view
			v.ValidShape, v.Stride = substituteAll(v.ValidShape, dims), substituteAll(v.Stride, dims)
			view = &v
		}
		n := ir.NewTensorType(substituteAll(t.Shape, dims), t.DType, view, t.Distributed)
		n.MemRef = t.MemRef
		return n
	case *ir.TileType:
		view := t.View
		if view != nil {
			v := *view
			v.ValidShape, v.Stride = substituteAll(v.ValidShape, dims), substituteAll(v.Stride, dims)
			view = &v
		}
		n := ir.NewTileType(substituteAll(t.Shape, dims), t.DType, view, t.Space)
		n.MemRef = t.MemRef
		return n
	}
	return t
}

func substituteAll(es []ir.Expr, dims map[*ir.Var]ir.Expr) []ir.Expr {
	if es == nil {
		return nil
	}
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = substituteExpr(e, dims)
	}
	return out
}

func substituteExpr(e ir.Expr, dims map[*ir.Var]ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Var:
		if s, ok := dims[e]; ok {
			return s
		}
	case *ir.Binary:
		x, y := substituteExpr(e.X, dims), substituteExpr(e.Y, dims)
		if x != e.X || y != e.Y {
			return &ir.Binary{Op: e.Op, X: x, Y: y, DType: e.DType}
		}
	case *ir.Unary:
		if x := substituteExpr(e.X, dims); x != e.X {
			return &ir.Unary{Op: e.Op, X: x, DType: e.DType}
		}
	}
	return e
}
