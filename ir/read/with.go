package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

const contextHelp = "Supported: 'with pl.cluster():', 'with pl.spmd(...):', 'with pl.at(level=..., optimizations=[...]):', 'with pl.scope():', or 'with pl.manual_scope():'"

// withStmt reads a `with` scope (spec 01 §7.7). Names assigned inside leak.
func (r *reader) withStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	item := s.First()
	body := lastChild(s)
	if item.Kind() != irsyntax.WithItem || item.Next().Kind() == irsyntax.WithItem {
		r.problem(Syntax, r.headOf(s, body), "Only single context manager supported in with statement",
			"Use 'with pl.cluster():', 'with pl.spmd(...):', 'with pl.at(level=...):', 'with pl.scope():', or 'with pl.manual_scope():' without multiple context managers")
		*out = append(*out, r.blockOf(body).Stmts...)
		return
	}
	call, as := item.First(), item.Child(1)
	sc := &ir.Scope{StmtMeta: r.headerMeta(s, body)}
	name := ""
	if call.Kind() == irsyntax.Call {
		name = lastComponent(call.First())
	}
	if !r.scopeKind(sc, name, call) {
		r.problem(Syntax, r.headOf(s, body), "Unsupported context manager in with statement", contextHelp)
		*out = append(*out, r.blockOf(body).Stmts...)
		return
	}
	if !as.IsEmpty() && name != "at" && name != "spmd" {
		r.problem(Syntax, r.headOf(s, body), "`with pl."+name+"(...) as ...:` is not supported — the `as` clause only applies to `with pl.at(...) as tid:` and `with pl.spmd(...) as tid:`",
			"Drop the `as` target, or use `with pl.at(...) as tid:` / `with pl.spmd(...) as tid:` to capture the outlined dispatch's producer TaskId.")
	}
	r.scopeChecks(sc, name, s, call, body)
	r.scopeHeader(sc, call)
	if !as.IsEmpty() {
		r.taskTarget(sc, name, s, as, body)
	}
	r.scopes = append(r.scopes, scopeNote{sc.Kind, isManual(sc)})
	sc.Body = r.blockOf(body)
	r.scopes = r.scopes[:len(r.scopes)-1]
	r.comments.leave(r, body, body.End())
	*out = append(*out, sc)
}

// scopeNote remembers an open scope.
type scopeNote struct {
	kind   ir.ScopeKind
	manual bool
}

func isManual(sc *ir.Scope) bool {
	v, _ := ir.FindAttr(sc.Attrs, "mode")
	e, _ := v.(ir.Enum)
	return sc.Kind == ir.ScopeRuntime && lastDot(string(e)) == "MANUAL"
}

// headOf is the header of a compound statement.
func (r *reader) headOf(s, body irsyntax.Ref) ir.Span {
	end := s.Start()
	for c := s.First(); c.Ok() && c.I != body.I; c = c.Next() {
		end = c.End()
	}
	return r.at(s.Start(), end)
}

func (r *reader) scopeKind(sc *ir.Scope, name string, call irsyntax.Ref) bool {
	switch name {
	case "at":
		sc.Kind = ir.ScopeHierarchy
		level := keyword(call, "level")
		if !level.Ok() {
			level = call.First().Next()
		}
		if lastComponent(level) == "CORE_GROUP" {
			sc.Kind = ir.ScopeInCore
		}
	case "cluster":
		sc.Kind = ir.ScopeCluster
	case "spmd":
		sc.Kind = ir.ScopeSpmd
	case "scope":
		sc.Kind = ir.ScopeRuntime
	case "auto_scope":
		r.out.Shorthand = true
		sc.Kind = ir.ScopeRuntime
	case "manual_scope":
		sc.Kind = ir.ScopeRuntime
		sc.Attrs = []ir.Attr{{Key: "mode", Value: ir.Enum("pl.ScopeMode.MANUAL")}}
	default:
		return false
	}
	return true
}

func (r *reader) taskTarget(sc *ir.Scope, name string, s, as, body irsyntax.Ref) {
	if as.Kind() != irsyntax.Name {
		r.problem(Syntax, r.headOf(s, body), "`as` target on `with pl."+name+"(...)` must be a plain variable name",
			"Use `with pl."+name+"(...) as tid:` (single name; nested tuples are not allowed).")
		return
	}
	sc.TaskVar = r.newVar(ir.PlainVar, as.Text(), scalar(ir.TASKID), r.span(as))
	r.bind(as.Text(), sc.TaskVar)
}

func keyword(call irsyntax.Ref, name string) irsyntax.Ref {
	for a := call.First(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword && a.First().Text() == name {
			return a.Child(1)
		}
	}
	return irsyntax.Ref{}
}

// scopeHeader reads a scope's arguments into Args and Attrs.
func (r *reader) scopeHeader(sc *ir.Scope, call irsyntax.Ref) {
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			r.scopePositional(sc, a)
			continue
		}
		key, v := a.First().Text(), a.Child(1)
		switch key {
		case "optimizations":
			r.optimizations(sc, v)
			continue
		case "mode":
			if lastComponent(v) == "AUTO" && sc.Kind == ir.ScopeRuntime {
				continue
			}
		case "role":
			if v.Kind() == irsyntax.None {
				continue
			}
		case "core_num":
			if sc.Kind == ir.ScopeSpmd && len(sc.Args) == 0 {
				sc.Args = append(sc.Args, r.expr(v))
				continue
			}
		}
		sc.Attrs = append(sc.Attrs, ir.Attr{Key: key, Value: r.scopeValue(v)})
	}
}

// scopePositional: the positional arguments of pl.at are its level and role.
func (r *reader) scopePositional(sc *ir.Scope, a irsyntax.Ref) {
	if sc.Kind != ir.ScopeInCore && sc.Kind != ir.ScopeHierarchy {
		sc.Args = append(sc.Args, r.expr(a))
		return
	}
	key := "level"
	if _, ok := ir.FindAttr(sc.Attrs, "level"); ok {
		key = "role"
	}
	sc.Attrs = append(sc.Attrs, ir.Attr{Key: key, Value: r.scopeValue(a)})
}

func (r *reader) scopeValue(v irsyntax.Ref) any {
	if v.Kind() == irsyntax.Attribute {
		return ir.Enum(dotted(v))
	}
	return r.attrValue(v)
}

// scopeFor reads `for i in pl.spmd(…)` and `for i in pl.split_aiv(2, mode=…)`.
func (r *reader) scopeFor(s irsyntax.Ref, name string, target, iter, body irsyntax.Ref, out *[]ir.Stmt) {
	sc := &ir.Scope{StmtMeta: r.headerMeta(s, body), Kind: ir.ScopeSpmd}
	kind := loopSpmd
	if name == "split_aiv" {
		sc.Kind, kind = ir.ScopeSplitAiv, loopSplitAiv
		r.splitAivChecks(s, target, iter, body)
	} else {
		r.spmdChecks(iter, iter, true)
		if target.Kind() != irsyntax.Name {
			r.problem(Syntax, r.span(target), "for ... in pl.spmd(...) must use a single loop variable", spmdLoopHint)
		}
	}
	r.scopeHeader(sc, iter)
	mark := r.enter()
	if target.Kind() == irsyntax.Name {
		sc.Var = r.newVar(ir.PlainVar, target.Text(), indexType, r.span(target))
		r.bind(target.Text(), sc.Var)
	}
	oldCollect, oldMode := r.collect, r.splitMode
	if name == "split_aiv" {
		mode := splitModeOf(keyword(iter, "mode"))
		r.splitMode = &mode
	}
	r.collect = &yields{mark: mark}
	r.loops = append(r.loops, kind)
	r.scopes = append(r.scopes, scopeNote{kind: sc.Kind})
	sc.Body = r.blockOf(body)
	r.scopes = r.scopes[:len(r.scopes)-1]
	r.loops = r.loops[:len(r.loops)-1]
	r.collect, r.splitMode = oldCollect, oldMode
	r.comments.leave(r, body, body.End())
	r.leave(mark, true)
	*out = append(*out, sc)
}

// splitModeOf is the number of `pl.SplitMode.X`.
func splitModeOf(v irsyntax.Ref) int64 {
	switch lastComponent(v) {
	case "UP_DOWN":
		return 1
	case "LEFT_RIGHT":
		return 2
	}
	return 0
}
