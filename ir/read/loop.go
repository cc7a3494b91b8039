package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// yields collects the yields of one loop body or branch: names on the left,
// their annotations, and the types of the values.
type yields struct {
	list []yielded
	mark int // undo mark of the scope
}

// yielded is one name on the left of a yield.
type yielded struct {
	name irsyntax.Ref
	ann  ir.Type // annotation, nil when absent
	val  ir.Type // of the value, nil when there is none for it
}

// defines reports whether one of the yields binds name.
func (y *yields) defines(name string) bool {
	for i := range y.list {
		if y.list[i].name.Text() == name {
			return true
		}
	}
	return false
}

// yieldStmt reads `names = pl.yield_(values)` or a bare yield.
func (r *reader) yieldStmt(call irsyntax.Ref, names []irsyntax.Ref, ann ir.Type, hasAnn bool, m ir.StmtMeta, out *[]ir.Stmt) {
	y := r.yielded.New()
	y.StmtMeta, y.Values = m, r.lists.Make(call.Positionals())
	i := 0
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			continue
		}
		y.Values[i] = r.expr(a)
		i++
	}
	if r.collect != nil {
		for i, n := range names {
			var t, v ir.Type
			if hasAnn && len(names) == 1 {
				t = ann
			}
			// A multi-value yield assigned to a single name records no type.
			if i < len(y.Values) && (len(names) > 1 || len(y.Values) == 1) {
				v = exprType(y.Values[i])
			}
			r.collect.list = append(r.collect.list, yielded{n, t, v})
		}
	}
	*out = append(*out, y)
}

const iterators = "pl.range(), pl.parallel(), pl.unroll(), pl.pipeline(), pl.while_(), pl.spmd(), or pl.split_aiv()"

var iterKinds = map[string]ir.LoopKind{"range": ir.Sequential, "parallel": ir.Parallel, "unroll": ir.Unroll, "pipeline": ir.Pipeline}

var loopKinds = map[ir.LoopKind]loopKind{ir.Sequential: loopRange, ir.Parallel: loopParallel, ir.Unroll: loopUnroll, ir.Pipeline: loopPipeline}

func (r *reader) forStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	target, iter, body := s.First(), s.Child(1), s.Child(2)
	name := ""
	if iter.Kind() == irsyntax.Call {
		name = lastComponent(iter.First())
	}
	switch name {
	case "while_":
		r.whileCarried(s, target, iter, body, out)
		return
	case "spmd", "split_aiv":
		r.scopeFor(s, name, target, iter, body, out)
		return
	}
	kind, ok := iterKinds[name]
	if !ok {
		r.problem(Syntax, r.span(iter), "For loop must use "+iterators, "Use "+iterators+" as the iterator")
		r.tolerateBody(body)
		return
	}
	h := r.loopHeader(name, target, iter)
	f := &ir.For{StmtMeta: r.headerMeta(s, body), Kind: kind, Start: h.start, Stop: h.stop, Step: h.step, Attrs: h.attrs}
	r.checkLoop(kind, h, body)
	mark := r.enter()
	if h.index.Ok() {
		f.Var = r.newVar(ir.LoopVar, h.index.Text(), scalar(h.dtype()), r.span(h.index))
		r.bind(h.index.Text(), f.Var)
	} else {
		f.Var = r.newVar(ir.LoopVar, "_", indexType, ir.Span{})
	}
	f.IterArgs = r.iterArgs(h.carried, h.inits)
	c := r.loopBody(body, loopKinds[kind], mark, &f.Body)
	r.leave(mark, len(h.inits) == 0)
	f.Results = r.loopResults(s, "For", c, f.IterArgs, h.broken)
	*out = append(*out, f)
}

// headerMeta is span and comments of a compound statement.
func (r *reader) headerMeta(s, body irsyntax.Ref) ir.StmtMeta {
	end := s.Start()
	for c := s.First(); c.Ok() && c.I != body.I; c = c.Next() {
		end = c.End()
	}
	if i := strings.IndexByte(s.T.Text[end:s.End()], ':'); i >= 0 {
		end += int32(i) + 1
	}
	return ir.StmtMeta{Span: r.at(s.Start(), end), Comments: r.comments.compound(r, s, end, body)}
}

func (r *reader) loopBody(body irsyntax.Ref, kind loopKind, mark int, out **ir.Block) *yields {
	c := &yields{mark: mark}
	old := r.collect
	r.collect = c
	r.loops = append(r.loops, kind)
	*out = r.blockOf(body)
	r.loops = r.loops[:len(r.loops)-1]
	r.collect = old
	r.comments.leave(r, body, body.End())
	return c
}

func (r *reader) tolerateBody(body irsyntax.Ref) {
	var b *ir.Block
	r.loopBody(body, loopRange, r.enter(), &b)
}

func (r *reader) iterArgs(names []irsyntax.Ref, inits []ir.Expr) []*ir.Var {
	var out []*ir.Var
	for i, n := range names {
		if i >= len(inits) {
			break
		}
		v := r.newVar(ir.IterArg, n.Text(), exprType(inits[i]), r.span(n))
		v.Init = inits[i]
		r.bind(n.Text(), v)
		out = append(out, v)
	}
	return out
}

// loopResults makes the return variables of a loop (spec 01 §7.3): named by
// the yields, typed by the carried values. Dump keeps a yield's annotation.
func (r *reader) loopResults(s irsyntax.Ref, word string, c *yields, iterArgs []*ir.Var, broken bool) []*ir.Var {
	if len(iterArgs) == 0 {
		return nil
	}
	var out []*ir.Var
	if len(c.list) == 0 {
		if !broken && r.opt.Policy == Reference {
			r.missingYield(s, iterArgs)
		}
		for _, a := range iterArgs {
			out = append(out, r.newVar(ir.PlainVar, a.Name+"_out", a.Type, a.Span))
		}
		return out
	}
	if len(c.list) != len(iterArgs) && !broken {
		r.funcProblem(r.at(s.Start(), s.Child(2).Start()), word+" loop has "+itoa(int64(len(iterArgs)))+" iteration arguments but "+itoa(int64(len(c.list)))+" return variables. They must match.")
	}
	for i, y := range c.list {
		t := ir.Type(ir.Unknown)
		if i < len(iterArgs) {
			t = iterArgs[i].Type
		}
		if r.opt.Policy == Dump && y.ann != nil {
			t = y.ann
		}
		v := r.newVar(ir.PlainVar, y.name.Text(), t, r.span(y.name))
		r.bind(y.name.Text(), v)
		if i < len(iterArgs) {
			out = append(out, v)
		}
	}
	return out
}

// whileStmt is the natural `while e:`.
func (r *reader) whileStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	body := s.Child(1)
	w := &ir.While{StmtMeta: r.headerMeta(s, body), Cond: r.expr(s.First())}
	r.boolCond(w.Cond, r.headSpan(s), "while")
	mark := r.enter()
	r.loopBody(body, loopWhile, mark, &w.Body)
	r.leave(mark, true)
	*out = append(*out, w)
}

// boolCond: a condition is a BOOL scalar; at is the statement that is blamed.
func (r *reader) boolCond(e ir.Expr, at ir.Span, word string) {
	t := exprType(e)
	if sc, ok := t.(*ir.ScalarType); ok && (sc.DType == ir.BOOL || sc.DType == ir.NoDType) || isUnknown(t) {
		return
	}
	r.problem(TypeErr, at, word+" condition must be a Bool-typed scalar expression, got "+printType(t),
		"Use an explicit boolean comparison, e.g. `"+word+" x != 0:` or `"+word+" x > 0:`")
}

func (r *reader) headSpan(s irsyntax.Ref) ir.Span { return r.at(s.Start(), s.First().End()) }

// whileCarried is `for (a,) in pl.while_(init_values=(x,)):` with pl.cond.
func (r *reader) whileCarried(s, target, iter, body irsyntax.Ref, out *[]ir.Stmt) {
	w := &ir.While{StmtMeta: r.headerMeta(s, body)}
	inits, broken := r.whileInits(iter)
	names := targetNames(target)
	if target.Kind() != irsyntax.Tuple {
		r.problem(Syntax, r.span(target), "While loop target must be a tuple for pl.while_()", "Use: for (var1, var2) in pl.while_(init_values=(...,))")
		broken = true
	} else {
		names = r.carriedNames(target)
		if len(names) != len(inits) && !broken {
			r.problem(Syntax, r.span(target), "Mismatch: "+itoa(int64(len(names)))+" iter_args but "+itoa(int64(len(inits)))+" init_values",
				"Provide exactly "+itoa(int64(len(inits)))+" iteration variable(s) to match init_values")
			broken = true
		}
	}
	if len(inits) > 0 {
		if y := bareYield(body); y.Ok() {
			r.problem(Syntax, r.span(y), "Loop with init_values requires an assignment-form pl.yield_(...) — the LHS supplies the post-loop binding name. Bare pl.yield_(...) is rejected here.",
				"Use yield-LHS form: `x_next = pl.yield_(updated)`. Then refer to `x_next` after the loop.")
			broken = true
		}
	}
	mark := r.enter()
	w.IterArgs = r.iterArgs(names, inits)
	condAt := r.whileCond(w, s, body)
	oldCond := r.condition
	r.condition = body.First()
	c := r.loopBody(body, loopWhile, mark, &w.Body)
	r.condition = oldCond
	r.boolCond(w.Cond, condAt, "while")
	r.leave(mark, false)
	w.Results = r.loopResults(s, "While", c, w.IterArgs, broken)
	*out = append(*out, w)
}

func (r *reader) whileInits(iter irsyntax.Ref) (inits []ir.Expr, broken bool) {
	has := false
	for a := iter.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			r.problem(Syntax, r.span(iter), "pl.while_() takes no positional arguments", "Use: pl.while_(init_values=(...,)) with pl.cond(condition) as first statement in body")
			broken = true
			continue
		}
		if a.First().Text() != "init_values" {
			continue
		}
		has = true
		v := a.Child(1)
		if v.Kind() != irsyntax.Tuple && v.Kind() != irsyntax.List {
			r.problem(Syntax, r.span(v), "init_values must be a tuple or list", "Use a tuple for init_values (lists also accepted): init_values=(var1, var2)")
			broken = true
			continue
		}
		for c := v.First(); c.Ok(); c = c.Next() {
			inits = append(inits, r.expr(c))
		}
	}
	if !has && !broken {
		r.problem(Syntax, r.span(iter), "pl.while_() requires init_values", "Provide init_values: pl.while_(init_values=(val1, val2))")
		broken = true
	}
	return inits, broken
}

// whileCond reads the pl.cond statement of a carried while loop; the span is
// the statement's.
func (r *reader) whileCond(w *ir.While, s, body irsyntax.Ref) ir.Span {
	first := body.First()
	switch {
	case !first.Ok():
		r.problem(Syntax, r.headSpan(s), "pl.while_() body cannot be empty", "Add pl.cond(condition) as first statement")
	case first.Kind() != irsyntax.ExprStmt || !isCallTo(first.First(), "cond"):
		r.problem(Syntax, r.span(first), "First statement in pl.while_() body must be pl.cond(condition)", "Add pl.cond(condition) as first statement")
	case first.First().NumChildren() != 2:
		r.problem(Syntax, r.span(first.First()), "pl.cond() requires exactly 1 argument", "Use: pl.cond(condition)")
	default:
		w.Cond = r.expr(first.First().Child(1))
	}
	if w.Cond == nil {
		w.Cond = &ir.ConstBool{Value: true}
	}
	for c := first; c.Ok(); c = c.Next() {
		if c != first && c.Kind() == irsyntax.ExprStmt && isCallTo(c.First(), "cond") {
			r.problem(Syntax, r.span(c), "pl.cond() can only be the first statement in a pl.while_() loop body", "Remove this pl.cond() - condition is already specified at the start")
		}
	}
	return r.span(first)
}

// missingYield is a finding of ours: the reference invents a result that
// nothing yields, and fails later.
func (r *reader) missingYield(s irsyntax.Ref, iterArgs []*ir.Var) {
	names := ""
	for i, a := range iterArgs {
		if i > 0 {
			names += ", "
		}
		names += "'" + a.Name + "'"
	}
	r.problem(Own, r.headSpan(s), "The loop carries "+names+" but its body yields no next value",
		"End the body with an assignment-form yield, e.g. `"+iterArgs[0].Name+"_next = pl.yield_(...)`, and use that name after the loop")
}

func targetNames(target irsyntax.Ref) []irsyntax.Ref {
	if target.Kind() == irsyntax.Name {
		return []irsyntax.Ref{target}
	}
	var out []irsyntax.Ref
	for c := target.First(); c.Ok(); c = c.Next() {
		if c.Kind() == irsyntax.Name {
			out = append(out, c)
		}
	}
	return out
}
