package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// Doubt is why the function as read may not be the one that the compiler reads:
// a value was needed that only executing the module would tell.
type Doubt struct {
	// Span is the statement, or the part of the signature, that needed it.
	Span   ir.Span
	Reason string
	// Extent: only the extent of a tensor in memory needed it, which seldom
	// makes a difference. Alone it explains failures and nothing else.
	Extent bool
}

// doubtful remembers that the value of name, which is not known, was needed.
// Each name is told of once, at the first statement that needs more than an
// extent.
func (r *reader) doubtful(name string) {
	if r.env.bound(name) == nil && bareConstant(name) {
		return // all that a star import may hide; these mean what they say
	}
	for i := range r.doubts {
		d := &r.doubts[i]
		if d.name != name {
			continue
		}
		if d.Extent && !r.inTensor {
			d.Extent, d.Span = false, r.here
		}
		return
	}
	const most = 20
	if len(r.doubts) < most {
		reason := "`" + name + "` is computed in a way that is not evaluated here"
		if r.env.imported(name) {
			reason = "`" + name + "` comes from another module, which is not read here"
		}
		r.doubts = append(r.doubts, namedDoubt{Doubt{r.here, reason, r.inTensor}, name})
	}
}

type namedDoubt struct {
	Doubt
	name string
}

// bareConstant reports names that are read as dtypes or memory spaces wherever
// nothing else defines them.
func bareConstant(name string) bool {
	_, dtype := ir.ParseDType(name)
	_, space := platforms.ParseSpace(name)
	return dtype || space || name == "inf" || name == "nan"
}

// settleDoubts decides what becomes of the doubts. A function that is refused
// needs none, and what a pass printed names values only in comments.
func (r *reader) settleDoubts() {
	if len(r.doubts) == 0 && !r.untyped || !r.handwritten() {
		return
	}
	for i := range r.out.Problems {
		if !r.out.Problems[i].Warning {
			return
		}
	}
	known := true
	for i := range r.doubts {
		r.out.Doubts = append(r.out.Doubts, r.doubts[i].Doubt)
		known = known && r.doubts[i].Extent
	}
	if known && r.untyped {
		r.untypedDoubt()
	}
}

// untypedDoubt tells of the first variable whose type nothing gives.
func (r *reader) untypedDoubt() {
	found := false
	ir.WalkStmts(r.fn.Body, func(s ir.Stmt) bool {
		a, ok := s.(*ir.Assign)
		if ok && !found && isUnknown(a.Var.Type) {
			found = true
			r.out.Doubts = append(r.out.Doubts, Doubt{Span: a.Span, Reason: "the type of `" + a.Var.Name + "` is not known here"})
		}
		return !found
	})
}

// unknownField reports a field of a view, other than a list, that is given by a
// name whose value is not known: it is left out.
func (r *reader) unknownField(a irsyntax.Ref) bool {
	val := a.Child(1)
	if val.Kind() != irsyntax.Name || r.scope[val.Text()] != nil || !r.env.opaque(val.Text()) {
		return false
	}
	switch a.First().Text() {
	case "blayout", "slayout", "fractal", "pad", "compact", "layout":
		r.global(val.Text())
		return true
	}
	return false
}

// closureAttr is the value of an attribute such as `C.EPS` whose root is a name
// of the module; false when the root is none. A value that is not known is
// opaque.
func (r *reader) closureAttr(a irsyntax.Ref) (Value, bool) {
	root := rootOf(a)
	if root.Kind() != irsyntax.Name || r.scope[root.Text()] != nil {
		return nil, false
	}
	if _, ok := r.env.Lookup(root.Text()); !ok || root.Text() == "pl" || root.Text() == "pld" {
		return nil, false
	}
	c := &constEval{env: r.env}
	v, err := c.eval(a)
	r.noteAll(c.used)
	if err != "" {
		return opaque{}, true
	}
	return v, true
}

// closureArg is closureAttr as an argument.
func (r *reader) closureArg(a irsyntax.Ref) (any, bool) {
	if enumKinds[lastComponent(a.First())] {
		return nil, false
	}
	if _, dtype := ir.ParseDType(a.Child(1).Text()); dtype {
		return nil, false
	}
	v, ok := r.closureAttr(a)
	if !ok {
		return nil, false
	}
	switch v := v.(type) {
	case int64, float64, ir.DType:
		return v, true
	case bool:
		return v, true
	case ir.Enum:
		return enumOf(v), true
	case opaque:
		return unknownExpr(a), true
	}
	return nil, false
}
