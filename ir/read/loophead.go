package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/irsyntax"
)

// loopHead is what a loop's header says.
type loopHead struct {
	index             irsyntax.Ref
	carried           []irsyntax.Ref
	inits             []ir.Expr
	hasInits          bool
	start, stop, step ir.Expr
	given             int // positional bounds written
	attrs             []ir.Attr
	stage             irsyntax.Ref
	target, iter      irsyntax.Ref
	carriedTuple      irsyntax.Ref
	tupleTarget       bool
	broken            bool // reported: what follows from it is not
}

// dtype of the index variable (spec 01 §7.3 step 8).
func (h *loopHead) dtype() ir.DType {
	d := ir.INDEX
	sawINT64, sawINDEX := false, false
	bounds := [3]ir.Expr{h.start, h.stop, h.step}
	switch h.given {
	case 1:
		bounds[0], bounds[2] = nil, nil
	case 2:
		bounds[2] = nil
	}
	for _, b := range bounds {
		c, ok := b.(*ir.ConstInt)
		if !ok {
			continue
		}
		switch c.DType {
		case ir.INDEX:
			sawINDEX = true
		case ir.INT64:
			sawINT64 = true
		default:
			return c.DType
		}
	}
	if sawINT64 && !sawINDEX {
		d = ir.INT64
	}
	return d
}

// loopHeader reads target and iterator call (spec 01 §7.3, steps 2 and 3).
func (r *reader) loopHeader(name string, target, iter irsyntax.Ref) *loopHead {
	h := &loopHead{start: index(0), step: index(1), stop: index(0), target: target, iter: iter}
	r.loopTarget(h, target)
	var pos []irsyntax.Ref
	var keywords []irsyntax.Ref
	for a := iter.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			pos = append(pos, a)
			continue
		}
		keywords = append(keywords, a)
	}
	h.given = min(len(pos), 3)
	switch h.given {
	case 0:
		r.problem(Syntax, r.span(iter), "pl."+name+"() requires at least 1 argument (stop)", "Provide at least the stop value: pl."+name+"(10) or pl."+name+"(0, 10)")
	case 1:
		h.stop = r.expr(pos[0])
	case 2:
		h.start, h.stop = r.expr(pos[0]), r.expr(pos[1])
	case 3:
		h.start, h.stop, h.step = r.expr(pos[0]), r.expr(pos[1]), r.expr(pos[2])
	}
	for _, a := range keywords {
		r.loopKeyword(h, name, a)
	}
	return h
}

const loopTargetHelp = "Use: for i in pl.range(n) or for i, (var1,) in pl.range(n, init_values=(...,))"

func (r *reader) loopTarget(h *loopHead, target irsyntax.Ref) {
	switch {
	case target.Kind() == irsyntax.Name:
		h.index = target
	case target.Kind() == irsyntax.Tuple && target.NumChildren() == 2:
		h.tupleTarget = true
		h.index = target.First()
		if h.index.Kind() != irsyntax.Name {
			r.problem(Syntax, r.span(h.index), "Loop variable must be a simple name", "Use a simple variable name for the loop counter")
			h.index = irsyntax.Ref{}
		}
		h.carriedTuple = target.Child(1)
		if h.carriedTuple.Kind() != irsyntax.Tuple {
			r.problem(Syntax, r.span(h.carriedTuple), "Iter args must be a tuple", "Wrap iteration variables in parentheses: (var1, var2)")
		}
		h.carried = r.carriedNames(h.carriedTuple)
	default:
		r.problem(Syntax, r.span(target), "For loop target must be a simple name or: (loop_var, (iter_args...))", loopTargetHelp)
		h.broken = true
	}
}

// carriedNames are the names of a carried tuple; other elements are reported.
func (r *reader) carriedNames(t irsyntax.Ref) []irsyntax.Ref {
	if t.Kind() == irsyntax.Name {
		return []irsyntax.Ref{t}
	}
	var out []irsyntax.Ref
	for c := t.First(); c.Ok(); c = c.Next() {
		if c.Kind() != irsyntax.Name {
			r.problem(Syntax, r.span(c), "Iter arg must be a simple name", "Use simple variable names for iteration variables")
			continue
		}
		out = append(out, c)
	}
	return out
}

func (r *reader) loopKeyword(h *loopHead, name string, a irsyntax.Ref) {
	v := a.Child(1)
	switch key := a.First().Text(); key {
	case "init_values":
		h.hasInits = true
		if v.Kind() != irsyntax.Tuple && v.Kind() != irsyntax.List {
			r.problem(Syntax, r.span(v), "init_values must be a list or tuple", "Use a tuple for init_values: init_values=(var1, var2)")
			h.broken = true
			return
		}
		for c := v.First(); c.Ok(); c = c.Next() {
			h.inits = append(h.inits, r.expr(c))
		}
	case "stage":
		h.stage = v
		e := r.expr(v)
		if n, ok := ir.ConstValue(e); ok {
			h.attrs = append([]ir.Attr{{Key: "pipeline_stages", Value: n}}, h.attrs...)
		} else {
			h.attrs = append([]ir.Attr{{Key: "pipeline_stages", Value: e}}, h.attrs...)
		}
	case "attrs":
		r.loopAttrs(h, v)
	default:
		list := "init_values, attrs"
		if name == "pipeline" {
			list = "init_values, stage, attrs"
		}
		r.problem(Syntax, r.span(a), "Unknown keyword argument '"+key+"' in pl."+name+"()", "Supported keywords for pl."+name+"(): "+list)
	}
}

func (r *reader) loopAttrs(h *loopHead, v irsyntax.Ref) {
	if v.Kind() != irsyntax.Dict {
		r.problem(Syntax, r.span(v), "attrs must be a dict literal", `Use a dict like attrs={"my_attr": 1}`)
		return
	}
	for it := v.First(); it.Ok(); it = it.Next() {
		if it.Kind() != irsyntax.DictItem || it.First().Kind() != irsyntax.String {
			r.problem(Syntax, r.span(it.First()), "attrs keys must be string literals", "")
			continue
		}
		k, _ := stringValue(it.First().Text())
		val := it.Child(1)
		switch w := r.attrValue(val).(type) {
		case int64, float64, bool, string:
			h.attrs = append(h.attrs, ir.Attr{Key: k, Value: w})
		default:
			r.problem(Syntax, r.span(val), "Unsupported value type for attrs key '"+k+"'", "Supported values: integer, float, bool, or string")
		}
	}
}

// checkLoop applies the checks of spec 01 §7.3, steps 4–9.
func (r *reader) checkLoop(kind ir.LoopKind, h *loopHead, body irsyntax.Ref) {
	if h.hasInits && !h.tupleTarget && !h.broken {
		r.problem(Syntax, r.span(h.target), "For loop target must be a tuple when init_values is provided", "Use: for i, (var1,) in pl.range(n, init_values=(val1,)) to include iter_args")
		h.broken = true
	}
	if len(h.inits) > 0 {
		if y := bareYield(body); y.Ok() {
			r.problem(Syntax, r.span(y), "Loop with init_values requires an assignment-form pl.yield_(...) — the LHS supplies the post-loop binding name. Bare pl.yield_(...) is rejected here.",
				"Use yield-LHS form: `x_next = pl.yield_(updated)`. Then refer to `x_next` after the loop.")
			h.broken = true
		}
	}
	if kind == ir.Unroll {
		r.checkUnroll(h)
	}
	r.checkStage(kind, h)
	if h.tupleTarget && len(h.carried) != len(h.inits) && !h.broken {
		r.problem(Syntax, r.span(h.carriedTuple), "Mismatch: "+itoa(int64(len(h.carried)))+" iter_args but "+itoa(int64(len(h.inits)))+" init_values",
			"Provide exactly "+itoa(int64(len(h.inits)))+" iteration variable(s) to match init_values")
		h.broken = true
	}
}

func (r *reader) checkUnroll(h *loopHead) {
	if len(h.inits) > 0 {
		r.problem(Syntax, r.span(h.iter), "pl.unroll() cannot be combined with init_values", "Use pl.range() to carry state across iterations.")
	}
	for _, b := range [3]ir.Expr{h.start, h.stop, h.step} {
		if _, ok := ir.ConstValue(b); !ok && !isUnknown(exprType(b)) {
			r.problem(Syntax, r.span(h.iter), "pl.unroll() requires compile-time constant integer bounds", "Use integer literals for start, stop, and step in pl.unroll().")
			return
		}
	}
	if v, ok := ir.ConstValue(h.step); ok && v == 0 {
		r.problem(Syntax, r.span(h.iter), "pl.unroll() step cannot be zero", "Use a non-zero step in pl.unroll(start, stop, step).")
	}
}

func (r *reader) checkStage(kind ir.LoopKind, h *loopHead) {
	if kind != ir.Pipeline {
		if h.stage.Ok() {
			r.problem(Syntax, r.span(h.iter), "stage= is only supported on pl.pipeline(), not pl."+kind.String()+"()", "Use pl.pipeline() for software pipelining.")
		}
		return
	}
	if !h.stage.Ok() {
		r.problem(Syntax, r.span(h.iter), "pl.pipeline() requires stage= (positive integer)", "Use pl.pipeline(stop, stage=F).")
		return
	}
	v, _ := ir.FindAttr(h.attrs, "pipeline_stages")
	n, ok := v.(int64)
	if !ok {
		if e, isExpr := v.(ir.Expr); !isExpr || !isUnknown(exprType(e)) {
			r.problem(Syntax, r.span(h.iter), "pl.pipeline() stage must be a compile-time constant integer", "Use an integer literal: stage=4")
		}
	} else if n < 1 {
		r.problem(Syntax, r.span(h.iter), "pl.pipeline() stage must be >= 1, got "+itoa(n), "Use a positive integer for stage: stage=4")
	}
}

// bareYield finds a yield without assignment in a body, nested loops left out.
func bareYield(b irsyntax.Ref) irsyntax.Ref {
	for s := b.First(); s.Ok(); s = s.Next() {
		switch s.Kind() {
		case irsyntax.ExprStmt:
			if isCallTo(s.First(), "yield_") {
				return s
			}
		case irsyntax.If, irsyntax.With, irsyntax.Block:
			if y := bareYield(s); y.Ok() {
				return y
			}
		}
	}
	return irsyntax.Ref{}
}

func printType(t ir.Type) string { return printer.Type(nil, t, printer.Options{}) }

// ifStmt reads a branch with its phis (spec 01 §7.4).
func (r *reader) ifStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	then, els := s.Child(1), s.Child(2)
	f := &ir.If{StmtMeta: r.headerMeta(s, then), Cond: r.expr(s.First())}
	r.boolCond(f.Cond, r.headSpan(s), "if")
	leak := !hasDirectYield(then) && !hasDirectYield(els)
	var c1, c2 *yields
	f.Then, c1 = r.branch(then, leak)
	thenEnd := then.End()
	if !els.IsEmpty() {
		thenEnd = els.Start()
	}
	r.comments.leaveThen(r, then, thenEnd, els)
	if !els.IsEmpty() {
		if els.Kind() == irsyntax.If {
			f.Else = &ir.Block{}
			mark := r.enter()
			r.stmt(els, &f.Else.Stmts)
			r.leave(mark, leak)
		} else {
			f.Else, c2 = r.branch(els, leak)
			r.comments.leave(r, els, els.End())
		}
		if len(f.Else.Stmts) == 0 && (r.opt.Policy == Reference || !writtenPass(els)) {
			f.Else = nil
		}
	}
	f.Results = r.phis(c1, c2)
	if r.opt.Policy == Reference && els.Kind() != irsyntax.If {
		r.missingPhi(s, c1, c2)
	}
	*out = append(*out, f)
}

// missingPhi is a finding of ours: a branch result needs a value from both
// sides, which the reference only verifies later.
func (r *reader) missingPhi(s irsyntax.Ref, c1, c2 *yields) {
	if c2 == nil {
		c2 = &yields{}
	}
	for _, side := range [2]struct {
		has, lacks *yields
		word       string
	}{{c1, c2, "false"}, {c2, c1, "true"}} {
		for i := range side.has.list {
			if n := side.has.list[i].name; !side.lacks.defines(n.Text()) {
				r.problem(Own, r.span(n), "'"+n.Text()+"' gets no value when the condition is "+side.word,
					"Yield it on both sides: `"+n.Text()+" = pl.yield_(...)` at the end of the if and of the else branch")
				return
			}
		}
	}
}

// writtenPass reports an else branch that holds nothing but `pass`: Dump keeps
// it, the reference's reader stores it as absent.
func writtenPass(b irsyntax.Ref) bool {
	return b.First().Ok() && strings.TrimSpace(b.First().Text()) == "pass"
}

func hasDirectYield(b irsyntax.Ref) bool {
	if !b.Ok() || b.Kind() != irsyntax.Block {
		return false
	}
	for s := b.First(); s.Ok(); s = s.Next() {
		switch s.Kind() {
		case irsyntax.AnnAssign:
			if isCallTo(s.Child(2), "yield_") {
				return true
			}
		case irsyntax.Assign:
			if isCallTo(s.Child(1), "yield_") {
				return true
			}
		case irsyntax.With:
			if hasDirectYield(lastChild(s)) {
				return true
			}
		}
	}
	return false
}

func lastChild(s irsyntax.Ref) irsyntax.Ref {
	var last irsyntax.Ref
	for c := s.First(); c.Ok(); c = c.Next() {
		last = c
	}
	return last
}

func (r *reader) branch(b irsyntax.Ref, leak bool) (*ir.Block, *yields) {
	mark := r.enter()
	c := &yields{mark: mark}
	old := r.collect
	r.collect = c
	blk := r.blockOf(b)
	r.collect = old
	r.leave(mark, leak)
	return blk, c
}

// phis makes the results of a branch from the yields of both sides.
func (r *reader) phis(c1, c2 *yields) []*ir.Var {
	var out []*ir.Var
	seen := map[string]int{}
	add := func(c *yields) {
		if c == nil {
			return
		}
		for _, y := range c.list {
			name := y.name.Text()
			if i, dup := seen[name]; dup {
				if v := out[i]; isUnknown(v.Type) && y.val != nil {
					v.Type = y.val
				}
				continue
			}
			t := y.ann
			if t == nil {
				t = y.val
			}
			if t == nil {
				t = ir.NewTensorType([]ir.Expr{index(1)}, ir.INT32, nil, false)
			}
			seen[name] = len(out)
			out = append(out, r.newVar(ir.PlainVar, name, t, r.span(y.name)))
		}
	}
	add(c1)
	add(c2)
	for _, v := range out {
		r.bind(v.Name, v)
	}
	return out
}
