package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// yields collects the yields of one loop body or branch: names on the left,
// their annotations, and the types of the values.
type yields struct {
	names []irsyntax.Ref
	types []ir.Type // annotation, nil when absent
	vals  []ir.Type
	mark  int // undo mark of the scope
}

// yieldStmt reads `names = pl.yield_(values)` or a bare yield.
func (r *reader) yieldStmt(call irsyntax.Ref, names []irsyntax.Ref, ann ir.Type, hasAnn bool, m ir.StmtMeta, out *[]ir.Stmt) {
	y := &ir.Yield{StmtMeta: m}
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			continue
		}
		y.Values = append(y.Values, r.expr(a))
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
			r.collect.names = append(r.collect.names, n)
			r.collect.types = append(r.collect.types, t)
			r.collect.vals = append(r.collect.vals, v)
		}
	}
	*out = append(*out, y)
}

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
		r.problem(Syntax, span(iter), "For loop must use pl.range(), pl.parallel(), pl.unroll(), pl.pipeline(), pl.while_() or pl.spmd()", "Use pl.range(n), pl.parallel(n), pl.unroll(n) or pl.pipeline(n, stage=F) as the iterator")
		r.tolerateBody(body)
		return
	}
	h := r.loopHeader(s, name, target, iter)
	f := &ir.For{StmtMeta: r.headerMeta(s, body), Kind: kind, Start: h.start, Stop: h.stop, Step: h.step, Attrs: h.attrs}
	r.checkLoop(s, kind, h, body)
	mark := r.enter()
	if h.index.Ok() {
		f.Var = r.newVar(ir.LoopVar, h.index.Text(), scalar(h.dtype()), span(h.index))
		r.bind(h.index.Text(), f.Var)
	} else {
		f.Var = r.newVar(ir.LoopVar, "_", indexType, ir.Span{})
	}
	f.IterArgs = r.iterArgs(h.carried, h.inits)
	c := r.loopBody(body, loopKinds[kind], mark, &f.Body)
	r.leave(mark, len(h.inits) == 0)
	f.Results = r.loopResults(s, "For", c, f.IterArgs)
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
	return ir.StmtMeta{Span: ir.Span{Start: s.Start(), End: end}, Comments: r.comments.compound(r, s, end, body)}
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
		v := r.newVar(ir.IterArg, n.Text(), exprType(inits[i]), span(n))
		v.Init = inits[i]
		r.bind(n.Text(), v)
		out = append(out, v)
	}
	return out
}

// loopResults makes the return variables of a loop (spec 01 §7.3): named by
// the yields, typed by the carried values. Dump keeps a yield's annotation.
func (r *reader) loopResults(s irsyntax.Ref, word string, c *yields, iterArgs []*ir.Var) []*ir.Var {
	if len(iterArgs) == 0 {
		return nil
	}
	var out []*ir.Var
	if len(c.names) == 0 {
		for _, a := range iterArgs {
			out = append(out, r.newVar(ir.PlainVar, a.Name+"_out", a.Type, a.Span))
		}
		return out
	}
	if len(c.names) != len(iterArgs) {
		r.funcProblem(ir.Span{Start: s.Start(), End: s.Child(2).Start()}, word+" loop has "+itoa(int64(len(iterArgs)))+" iteration arguments but "+itoa(int64(len(c.names)))+" return variables. They must match.")
	}
	for i, n := range c.names {
		t := ir.Type(ir.Unknown)
		if i < len(iterArgs) {
			t = iterArgs[i].Type
		}
		if r.opt.Policy == Dump && c.types[i] != nil {
			t = c.types[i]
		}
		v := r.newVar(ir.PlainVar, n.Text(), t, span(n))
		r.bind(n.Text(), v)
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
	r.boolCond(w.Cond, s, "while")
	mark := r.enter()
	r.loopBody(body, loopWhile, mark, &w.Body)
	r.leave(mark, true)
	*out = append(*out, w)
}

func (r *reader) boolCond(e ir.Expr, s irsyntax.Ref, word string) {
	t := exprType(e)
	if sc, ok := t.(*ir.ScalarType); ok && sc.DType == ir.BOOL || isUnknown(t) {
		return
	}
	r.problem(TypeErr, headSpan(s), word+" condition must be a Bool-typed scalar expression, got "+printType(t), "")
}

func headSpan(s irsyntax.Ref) ir.Span {
	return ir.Span{Start: s.Start(), End: s.First().End()}
}

// whileCarried is `for (a,) in pl.while_(init_values=(x,)):` with pl.cond.
func (r *reader) whileCarried(s, target, iter, body irsyntax.Ref, out *[]ir.Stmt) {
	w := &ir.While{StmtMeta: r.headerMeta(s, body)}
	var inits []ir.Expr
	has := false
	for a := iter.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			r.problem(Syntax, span(a), "pl.while_() takes no positional arguments", "Use pl.while_(init_values=(...)) and pl.cond(...) as the first statement of the body")
			continue
		}
		if a.First().Text() == "init_values" {
			has = true
			inits = r.values(a.Child(1))
			if a.Child(1).Kind() == irsyntax.List {
				inits = inits[0].(*ir.MakeTuple).Elems
			}
		}
	}
	if !has {
		r.problem(Syntax, span(iter), "pl.while_() requires init_values", "Use pl.while_(init_values=(...))")
	}
	mark := r.enter()
	w.IterArgs = r.iterArgs(targetNames(target), inits)
	first := body.First()
	if first.Ok() && first.Kind() == irsyntax.ExprStmt && isCallTo(first.First(), "cond") {
		if a := first.First().First().Next(); a.Ok() {
			w.Cond = r.expr(a)
		}
	}
	if w.Cond == nil {
		r.problem(Syntax, headSpan(s), "First statement in a pl.while_() loop must be pl.cond(condition)", "Add pl.cond(...) as the first statement of the body")
		w.Cond = &ir.ConstBool{Value: true}
	}
	c := r.loopBody(body, loopWhile, mark, &w.Body)
	r.boolCond(w.Cond, s, "while")
	r.leave(mark, false)
	w.Results = r.loopResults(s, "While", c, w.IterArgs)
	*out = append(*out, w)
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
