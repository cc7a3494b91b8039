package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// withStmt reads a `with` scope (spec 01 §7.7). Names assigned inside leak.
func (r *reader) withStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	item := s.First()
	body := lastChild(s)
	if item.Kind() != irsyntax.WithItem || item.Next().Kind() == irsyntax.WithItem {
		r.problem(Syntax, span(s.First()), "Only a single context manager per with statement is supported", "")
		*out = append(*out, r.blockOf(body).Stmts...)
		return
	}
	call, as := item.First(), item.Child(1)
	sc := &ir.Scope{StmtMeta: r.headerMeta(s, body)}
	name := ""
	if call.Kind() == irsyntax.Call {
		name = lastComponent(call.First())
	}
	switch name {
	case "at":
		sc.Kind = ir.ScopeHierarchy
		if lastComponent(keyword(call, "level")) == "CORE_GROUP" {
			sc.Kind = ir.ScopeInCore
		}
	case "cluster":
		sc.Kind = ir.ScopeCluster
	case "spmd":
		sc.Kind = ir.ScopeSpmd
	case "scope", "auto_scope":
		sc.Kind = ir.ScopeRuntime
	case "manual_scope":
		sc.Kind = ir.ScopeRuntime
		sc.Attrs = []ir.Attr{{Key: "mode", Value: ir.Enum("pl.ScopeMode.MANUAL")}}
	default:
		r.problem(Syntax, span(call), "Unsupported context manager: "+unparse(call), "Use pl.at(...), pl.cluster(), pl.spmd(...), pl.scope() or pl.manual_scope()")
		*out = append(*out, r.blockOf(body).Stmts...)
		return
	}
	r.scopeHeader(sc, call)
	if !as.IsEmpty() && as.Kind() == irsyntax.Name {
		sc.TaskVar = r.newVar(ir.PlainVar, as.Text(), scalar(ir.TASKID), span(as))
		r.bind(as.Text(), sc.TaskVar)
	}
	sc.Body = r.blockOf(body)
	r.comments.leave(r, body, body.End())
	*out = append(*out, sc)
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
			sc.Args = append(sc.Args, r.expr(a))
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
		}
		sc.Attrs = append(sc.Attrs, ir.Attr{Key: key, Value: r.scopeValue(v)})
	}
}

func (r *reader) scopeValue(v irsyntax.Ref) any {
	if v.Kind() == irsyntax.Attribute {
		return ir.Enum(dotted(v))
	}
	return r.attrValue(v)
}

// optimizations reads the entries of `optimizations=[…]` (spec 09 §5).
func (r *reader) optimizations(sc *ir.Scope, list irsyntax.Ref) {
	if list.Kind() != irsyntax.List {
		r.problem(Syntax, span(list), "optimizations must be a list literal", "Use optimizations=[pl.split(...), pl.cross_core_slot(slot_num=N)]")
		return
	}
	if sc.Kind == ir.ScopeHierarchy && list.First().Ok() {
		r.problem(Syntax, span(list), "optimizations=[pl.split(...)] / optimizations=[pl.cross_core_slot(...)] are only supported with level=pl.Level.CORE_GROUP", "")
	}
	for e := list.First(); e.Ok(); e = e.Next() {
		switch {
		case isCallTo(e, "split"):
			r.splitEntry(sc, e)
		case isCallTo(e, "cross_core_slot"):
			r.slotEntry(sc, e)
		default:
			r.problem(Syntax, span(e), "Unsupported optimization entry: "+unparse(e), "Use pl.split(MODE) or pl.cross_core_slot(slot_num=N)")
		}
	}
}

func (r *reader) splitEntry(sc *ir.Scope, e irsyntax.Ref) {
	for a := e.First().Next(); a.Ok(); a = a.Next() {
		v := a
		if a.Kind() == irsyntax.Keyword {
			v = a.Child(1)
			if a.First().Text() == "slot_num" {
				if n, ok := r.constInt(v); ok {
					r.setSlots(sc, e, n)
				}
				p := len(r.out.Problems)
				r.problem(Syntax, span(a), "pl.split(slot_num=...) is deprecated; use pl.cross_core_slot(slot_num=N)", "Replace it by an entry pl.cross_core_slot(slot_num=N)")
				if len(r.out.Problems) > p {
					r.out.Problems[p].Warning = true
				}
				continue
			}
		}
		mode := int64(0)
		switch lastComponent(v) {
		case "UP_DOWN":
			mode = 1
		case "LEFT_RIGHT":
			mode = 2
		}
		sc.Attrs = append(sc.Attrs, ir.Attr{Key: "split", Value: mode})
	}
}

func (r *reader) setSlots(sc *ir.Scope, e irsyntax.Ref, n int64) {
	if _, dup := ir.FindAttr(sc.Attrs, "slot_num"); dup {
		r.problem(Syntax, span(e), "optimizations=[...] sets the cross-core slot count twice: via the deprecated pl.split(slot_num=...) and via pl.cross_core_slot(...)", "")
		return
	}
	sc.Attrs = append(sc.Attrs, ir.Attr{Key: "slot_num", Value: n})
}

func (r *reader) slotEntry(sc *ir.Scope, e irsyntax.Ref) {
	found := false
	pos := 0
	for a := e.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			pos++
			continue
		}
		if k := a.First().Text(); k != "slot_num" {
			r.problem(Syntax, span(a), "Unknown keyword argument '"+k+"' in pl.cross_core_slot()", "")
			continue
		}
		found = true
		v := a.Child(1)
		n, ok := parseInt(v.Text())
		switch {
		case v.Kind() != irsyntax.Int || !ok:
			r.problem(Syntax, span(v), "pl.cross_core_slot(slot_num=...) must be an integer literal", "")
		case n < 1:
			r.problem(Syntax, span(v), "pl.cross_core_slot(slot_num=...) must be positive, got "+itoa(n), "")
		default:
			r.setSlots(sc, e, n)
		}
	}
	if pos > 0 {
		r.problem(Syntax, span(e), "pl.cross_core_slot() takes no positional arguments, got "+itoa(int64(pos)), "")
	} else if !found {
		r.problem(Syntax, span(e), "pl.cross_core_slot() requires the slot_num= keyword argument", "")
	}
}

// scopeFor reads `for i in pl.spmd(…)` and `for i in pl.split_aiv(2, mode=…)`.
func (r *reader) scopeFor(s irsyntax.Ref, name string, target, iter, body irsyntax.Ref, out *[]ir.Stmt) {
	sc := &ir.Scope{StmtMeta: r.headerMeta(s, body), Kind: ir.ScopeSpmd}
	kind := loopSpmd
	if name == "split_aiv" {
		sc.Kind, kind = ir.ScopeSplitAiv, loopSplitAiv
	}
	r.scopeHeader(sc, iter)
	mark := r.enter()
	if target.Kind() == irsyntax.Name {
		sc.Var = r.newVar(ir.PlainVar, target.Text(), indexType, span(target))
		r.bind(target.Text(), sc.Var)
	}
	old := r.collect
	c := &yields{mark: mark}
	r.collect = c
	r.loops = append(r.loops, kind)
	sc.Body = r.blockOf(body)
	r.loops = r.loops[:len(r.loops)-1]
	r.collect = old
	r.comments.leave(r, body, body.End())
	r.leave(mark, true)
	*out = append(*out, sc)
}
