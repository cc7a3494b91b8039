package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// directive checks a compile-time directive (spec 01 §7.6); it makes no node.
func (r *reader) directive(s, call irsyntax.Ref) {
	var args []irsyntax.Ref
	keywords := 0
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			keywords++
		}
		args = append(args, a)
	}
	switch lastComponent(call.First()) {
	case "static_print":
		if len(args) == 0 {
			r.problem(Syntax, r.span(s), "static_print() requires at least 1 argument", "Use: pl.static_print(variable) or pl.static_print('label', variable)")
		}
	case "static_assert":
		r.staticAssert(s, args)
	case "dump_tag":
		r.dumpTag(s, args, keywords)
	}
}

func (r *reader) staticAssert(s irsyntax.Ref, args []irsyntax.Ref) {
	if len(args) == 0 || len(args) > 2 {
		r.problem(Syntax, r.span(s), "static_assert() requires 1 or 2 arguments", "Use: pl.static_assert(condition) or pl.static_assert(condition, 'message')")
		return
	}
	text := "static_assert failed"
	if len(args) == 2 {
		msg, ok := stringValue(args[1].Text())
		if args[1].Kind() != irsyntax.String || !ok {
			r.problem(Syntax, r.span(args[1]), "static_assert() message must be a string literal", "")
		}
		text += ": " + msg
	}
	doubts := len(r.doubts)
	defer func() { r.doubts = r.doubts[:doubts] }() // nothing else depends on it
	cond := args[0]
	c := &constEval{env: r.env, shadow: func(name string) bool { return r.scope[name] != nil }}
	v, err := c.eval(cond)
	r.noteAll(c.used)
	if err == "" {
		if t, known := pythonTruth(v); known && !t {
			r.problem(Syntax, r.span(s), text, "Condition `"+unparse(cond)+"` evaluated to "+pyText(v))
		}
		return
	}
	if err == notKnown {
		return
	}
	old := len(r.out.Problems)
	e := r.expr(cond)
	if len(r.out.Problems) > old {
		return // its own error says what is wrong
	}
	switch e := e.(type) {
	case *ir.ConstBool:
		if !e.Value {
			r.problem(Syntax, r.span(s), text, "Condition `"+unparse(cond)+"` evaluated to False")
		}
	case *ir.ConstInt, *ir.ConstFloat:
	default:
		if !isUnknown(exprType(e)) {
			r.problem(Syntax, r.span(s), "static_assert condition must be compile-time evaluable", "Condition `"+unparse(cond)+"` produced a non-constant IR expression")
		}
	}
}

// pythonTruth is the truth value of a constant.
func pythonTruth(v Value) (truth, known bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case int64:
		return v != 0, true
	case float64:
		return v != 0, true
	case string:
		return v != "", true
	case []Value:
		return len(v) > 0, true
	}
	return false, false
}

const dumpTagScope = "Move the pl.dump_tag(...) marker into the @pl.function(type=pl.FunctionType.Orchestration) function whose tasks consume the tagged tensor, or into an @pl.jit.inline / @pl.function(type=pl.FunctionType.Inline) helper that the orchestration inlines. Selective tensor dump is filtered per kernel call by the orchestration codegen; kernel-body (AIV / AIC / Group) usage has no effect."

func (r *reader) dumpTag(s irsyntax.Ref, args []irsyntax.Ref, keywords int) {
	switch {
	case r.fn.Kind != ir.Orchestration && r.fn.Kind != ir.InlineFunc:
		r.problem(Syntax, r.span(s), "pl.dump_tag() is only valid inside an Orchestration or Inline function", dumpTagScope)
	case len(args) != 1 || keywords > 0:
		r.problem(Syntax, r.span(s), "pl.dump_tag() takes exactly one positional argument (no keywords)", "Use: pl.dump_tag(tensor_var)")
	case args[0].Kind() != irsyntax.Name:
		r.problem(Syntax, r.span(args[0]), "pl.dump_tag() argument must be a bare variable name", "Write pl.dump_tag(q) where q is a tensor variable bound in this orchestration scope. Attribute / subscript / call expressions are not supported.")
	default:
		name := args[0].Text()
		v := r.scope[name]
		if v == nil {
			r.problem(Syntax, r.span(s), "pl.dump_tag() argument '"+name+"' is not defined at this point", "Tag a tensor only after it is bound (a parameter or an earlier assignment).")
		} else if _, ok := v.Type.(*ir.TensorType); !ok && !isUnknown(v.Type) {
			r.problem(TypeErr, r.span(args[0]), "pl.dump_tag() argument '"+name+"' is not a tensor (got "+irClass(v)+")", "Only tensors can be selectively dumped.")
		}
	}
}
