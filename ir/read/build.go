package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/irsyntax"
)

// build turns a bound call into a call of an operator.
type build struct {
	*spelled
	r *reader
	b *binding
	p *plan
	c *ir.Call
}

// operator reads a call of the operator called name ("tile.add"), written as
// spelling ("pl.tile.add").
func (r *reader) operator(n irsyntax.Ref, spelling, name string, ann ir.Type) ir.Expr {
	if strings.HasPrefix(name, "pld.") || tolerated(name) {
		return r.tolerant(n, name, ann)
	}
	if r.opt.Policy == Dump {
		if e := r.canonical(n, spelling, name, ann); e != nil {
			return e
		}
	}
	return r.wrapped(n, spelling, ann)
}

// tolerated reports operators outside tile level, read without checks (spec 01
// §16).
func tolerated(name string) bool {
	switch name {
	case "system.task_dummy", "system.task_invalid", "system.task_is_valid", "tensor.no_dep", "tensor.dump_tag":
		return true
	}
	return false
}

func (r *reader) tolerant(n irsyntax.Ref, name string, ann ir.Type) ir.Expr {
	c := &ir.Call{Name: name, Op: lookupOp(name), Span: r.span(n)}
	r.callArguments(n, c)
	return r.typed(n, c, ann, nil)
}

// wrapped reads a call through the signature of its user-level wrapper, or of
// the internal builder where there is none.
func (r *reader) wrapped(n irsyntax.Ref, spelling string, ann ir.Type) ir.Expr {
	s := spellings()[spelling]
	if s == nil {
		module, fn := splitSpelling(spelling)
		r.unknownOperator(n, module, fn)
		return r.generic(n, strings.TrimPrefix(spelling, "pl."), ann)
	}
	mark := len(r.args)
	attrs, open := r.readArgs(n, spelling)
	var e ir.Expr
	if open {
		e = r.failed(n, s, r.args[mark:], attrs, ann)
	} else {
		e = r.bound(n, s, r.args[mark:], attrs, ann)
	}
	r.args = r.args[:mark]
	return e
}

func (r *reader) unknownOperator(n irsyntax.Ref, module, fn string) {
	if module == "pl" {
		r.problem(Operation, r.span(n), "Unknown operation 'pl."+fn+"'", "Check spelling, or use pl.tensor.*/pl.tile.*/pl.system.* for explicit namespacing")
		return
	}
	r.problem(Operation, r.span(n), "Unknown "+module+" operation: "+fn, "Check if '"+fn+"' is a valid "+module+" operation")
}

// bound binds the arguments, picks the operator and builds the call.
func (r *reader) bound(n irsyntax.Ref, s *spelled, args []given, attrs []ir.Attr, ann ir.Type) ir.Expr {
	b := r.newBinding()
	defer r.freeBinding()
	x := &build{spelled: s, r: r, b: b}
	if msg := b.bind(s.w, n, printedForm(s.w, args)); msg != "" {
		x.fail(n, args, msg)
		return r.failed(n, s, args, attrs, ann)
	}
	if e, ok := x.scalarForm(n, args); ok {
		return e
	}
	op, msg := x.dispatch()
	if msg != "" {
		x.fail(n, args, msg)
		return r.failed(n, s, args, attrs, ann)
	}
	if op == nil {
		return r.failed(n, s, args, attrs, ann)
	}
	x.p = s.plan(op)
	x.c = r.newCall()
	*x.c = ir.Call{Name: op.Name, Op: op, Attrs: attrs, Span: r.span(n)}
	if msg := x.make(); msg != "" {
		x.fail(n, args, msg)
		return r.failed(n, s, args, attrs, ann)
	}
	return r.typed(n, x.c, ann, x)
}

// printedForm accepts `gather(x, index, dim=…)` and `scatter(x, index, src,
// dim=…)`: the printer writes them so, though their wrappers take dim second
// and the reference's own reader refuses them.
func printedForm(w *ops.Wrapper, args []given) []given {
	n := 0
	switch w.Function {
	case "gather":
		n = 2
	case "scatter":
		n = 3
	}
	if n == 0 || len(args) != n+1 || args[n].key != "dim" || args[n-1].key != "" {
		return args
	}
	names := [...]string{"", "index", "src"}
	out := append([]given(nil), args...)
	for i := 1; i < n; i++ {
		out[i].key = names[i]
	}
	return out
}

func (r *reader) newBinding() *binding {
	if r.bindDepth == len(r.binds) {
		r.binds = append(r.binds, &binding{})
	}
	b := r.binds[r.bindDepth]
	r.bindDepth++
	*b = binding{rest: b.rest[:0], named: b.named[:0]}
	return b
}

func (r *reader) freeBinding() { r.bindDepth-- }

// failed is the call that stands for one that was rejected: its type is the
// annotation's or unknown, so that nothing follows from it.
func (r *reader) failed(n irsyntax.Ref, s *spelled, args []given, attrs []ir.Attr, ann ir.Type) ir.Expr {
	name := strings.TrimPrefix(s.w.Spelling, "pl.")
	if len(s.cands) > 0 {
		name = s.cands[0].Op.Name
	}
	c := &ir.Call{Name: name, Op: lookupOp(name), Attrs: attrs, Span: r.span(n), Type: ir.Unknown}
	if ann != nil {
		c.Type = ann
	}
	for i := range args {
		if args[i].key == "" {
			e, _ := argExpr(args[i].value)
			c.Args = append(c.Args, e)
		} else {
			c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: args[i].key, Value: kwargValue(args[i].value)})
		}
	}
	return c
}

func kwargValue(v any) any {
	if _, isNone := v.(none); isNone {
		return ir.Verbatim("None")
	}
	return v
}

const scalarHint = "For scalar arithmetic / comparison, use Python operators directly (e.g. `s1 + s2`, `s1 % s2`, `s1 == s2`)."

// fail reports a rejected call in the wording of spec 01 §9.3.
func (x *build) fail(n irsyntax.Ref, args []given, text string) {
	if x.r.suppressed(args) {
		return
	}
	x.r.problem(Operation, x.r.span(n), x.wrap(text), scalarHelp(args))
}

func (x *build) wrap(text string) string {
	if text == "" {
		text = "The operation was rejected by a backend check that reported no message (re-run with PTO_BACKTRACE=1 to see which check failed)"
	}
	switch {
	case x.b.w != nil && x.b.w.BuilderFallback:
		return "Error in " + x.module + " operation '" + x.fn + "': " + text
	case strings.HasPrefix(text, "pl."+x.fn) || strings.HasPrefix(text, x.module+"."+x.fn):
		return text
	}
	return x.module + " operation '" + x.fn + "': " + text
}

func scalarHelp(args []given) string {
	for i := range args {
		if e, ok := args[i].value.(ir.Expr); ok {
			if _, ok := exprType(e).(*ir.ScalarType); ok {
				return scalarHint
			}
		}
	}
	return ""
}

// suppressed reports whether an operand could not be read: what follows from
// it is no finding of its own.
func (r *reader) suppressed(args []given) bool {
	for i := range args {
		if e, ok := args[i].value.(*ir.Raw); ok && isUnknown(exprType(e)) {
			return true
		}
	}
	return false
}

// make fills in operands and keywords; a non-empty text rejects the call.
func (x *build) make() string {
	switch x.p.op.Name {
	case "tile.load":
		return x.load()
	case "tile.slice", "tensor.slice":
		return x.slice()
	case "tile.full", "tensor.full":
		return x.full()
	case "tensor.gather", "tensor.gather_mask", "tensor.gather_compare":
		return x.tensorGather()
	case "tensor.scatter", "tensor.scatter_mask":
		return x.tensorScatter()
	case "tile.mrgsort_format1", "tile.mrgsort_format2", "tensor.mrgsort_format1", "tensor.mrgsort_format2":
		return x.mrgsort()
	case "tile.scatter_update", "tensor.scatter_update":
		return x.scatterUpdate()
	case "system.sync_set", "system.sync_wait":
		return x.syncEvent()
	case "system.syncall":
		return x.syncall()
	}
	if msg := x.operands(); msg != "" {
		return msg
	}
	return x.keywords()
}

// operands takes the operands in the operator's order.
func (x *build) operands() string {
	x.c.Args = x.r.lists.Make(len(x.p.operands))[:0]
	for i, k := range x.p.operands {
		v := x.b.val[k]
		if _, isNone := v.(none); isNone || v == nil {
			d := pythonDefault(&x.p.w.Params[k])
			if d == nil {
				continue
			}
			v = d
		}
		if msg := x.operand(i, v); msg != "" {
			return msg
		}
	}
	return ""
}

// operand appends operand i with its literals adjusted.
func (x *build) operand(i int, v any) string {
	rule := x.p.retype
	if rule.kind != keepLiterals && i >= rule.first && i <= rule.last {
		if e, isExpr := v.(ir.Expr); !isExpr || isScalar(e) {
			var elem ir.DType
			if k := rule.element(); k < len(x.c.Args) {
				elem = elementType(exprType(x.c.Args[k]))
			}
			result, _ := x.b.arg("dtype").(ir.DType)
			if result == ir.NoDType && rule.kind == resultLiteral {
				result = ir.INT32
			}
			e, msg := rule.scalarLiteral(v, elem, result)
			x.c.Args = append(x.c.Args, e)
			return msg
		}
	}
	if i < len(x.p.op.Args) && x.p.op.Args[i].Kind == "int-tuple" {
		v = x.tuple(v)
	}
	e, ok := argExpr(v)
	if !ok {
		return "cannot use " + pyText(v) + " as an operand"
	}
	x.c.Args = append(x.c.Args, e)
	return ""
}

func isScalar(e ir.Expr) bool {
	if _, tuple := e.(*ir.MakeTuple); tuple {
		return false // without making its type
	}
	_, ok := exprType(e).(*ir.ScalarType)
	return ok
}

// tuple makes a list of one out of a single index.
func (x *build) tuple(v any) any {
	e, ok := argExpr(v)
	if ok && isScalar(e) && (x.p.op.Name == "tile.read" || x.p.op.Name == "tile.write" || x.p.op.Name == "tensor.read" || x.p.op.Name == "tensor.write") {
		return &ir.MakeTuple{Elems: []ir.Expr{e}}
	}
	return v
}

// pyText shows a Python value in a message.
func pyText(v any) string {
	switch v := v.(type) {
	case ir.DType:
		return v.String()
	case ir.Enum:
		return string(v)
	case string:
		return "'" + v + "'"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return itoa(v)
	case float64:
		return pyFloat(v)
	case none, nil:
		return "None"
	}
	return "this value"
}

// keywords writes the keywords that the operator's constructor writes.
func (x *build) keywords() string {
	for i := range x.p.kwargs {
		k := &x.p.kwargs[i]
		v := x.b.val[k.param]
		if _, isNone := v.(none); isNone {
			v = nil
		}
		wasGiven := v != nil
		if !wasGiven {
			v = k.deflt
		}
		v, msg := x.keyword(k.spec.Name, v)
		if msg != "" {
			return msg
		}
		if keep(k.emit, v, wasGiven) {
			if x.c.Kwargs == nil {
				x.c.Kwargs = x.r.keywords.Make(len(x.p.kwargs) - i)[:0]
			}
			x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: k.spec.Name, Value: v})
		}
	}
	return ""
}

func keep(rule emitRule, v any, wasGiven bool) bool {
	switch rule {
	case emitGiven:
		return wasGiven
	case emitTrue:
		return v == true
	case emitNonZero:
		return v != int64(0) && v != nil
	case emitNotVec:
		s, ok := v.(ir.Space)
		return !ok || s != vecSpace
	}
	return v != nil
}
