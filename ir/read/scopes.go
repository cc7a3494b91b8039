package read

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

func (r *reader) newVar(kind ir.VarKind, name string, t ir.Type, sp ir.Span) *ir.Var {
	if len(r.slab) == cap(r.slab) {
		r.slab = make([]ir.Var, 0, 32)
	}
	r.slab = r.slab[:len(r.slab)+1]
	v := &r.slab[len(r.slab)-1]
	*v = ir.Var{ID: r.fn.NumVars, Kind: kind, Name: name, Type: t, Span: sp}
	r.fn.NumVars++
	return v
}

// newCall is memory for a call.
func (r *reader) newCall() *ir.Call {
	if len(r.calls) == 0 {
		r.calls = make([]ir.Call, 8)
	}
	c := &r.calls[0]
	r.calls = r.calls[1:]
	return c
}

// newAssign makes an assignment.
func (r *reader) newAssign(m ir.StmtMeta, v *ir.Var, value ir.Expr) *ir.Assign {
	if len(r.assigns) == 0 {
		r.assigns = make([]ir.Assign, 16)
	}
	a := &r.assigns[0]
	r.assigns = r.assigns[1:]
	*a = ir.Assign{StmtMeta: m, Var: v, Value: value}
	return a
}

// bind makes name denote v in the innermost scope.
func (r *reader) bind(name string, v *ir.Var) {
	r.undo = append(r.undo, undoEntry{name, r.scope[name]})
	r.scope[name] = v
}

// enter opens a scope; leave closes it, keeping its names visible in the
// parent (leak) or not (spec 01 §10.1).
func (r *reader) enter() int { return len(r.undo) }

func (r *reader) leave(mark int, leak bool) {
	if leak {
		return
	}
	for i := len(r.undo) - 1; i >= mark; i-- {
		e := r.undo[i]
		if e.old == nil {
			delete(r.scope, e.name)
		} else {
			r.scope[e.name] = e.old
		}
	}
	r.undo = r.undo[:mark]
}

// note remembers that the meaning of a module-level name was asked for.
func (r *reader) note(name string) {
	if r.names == nil {
		r.names = map[string]bool{}
		r.free = map[string]*ir.Var{}
	}
	r.names[name] = true
}

// lookup finds a variable: the function's scope, then dynamic dimensions of
// the module, then free symbols already met in this function.
func (r *reader) lookup(name string) *ir.Var {
	if v := r.scope[name]; v != nil {
		return v
	}
	return nil
}

func (r *reader) global(name string) (Value, bool) {
	v, ok := r.quietGlobal(name)
	if _, bad := v.(opaque); bad {
		r.doubtful(name)
	}
	return v, ok
}

// quietGlobal is global for where nothing is lost when the value is not known.
func (r *reader) quietGlobal(name string) (Value, bool) {
	r.note(name)
	return r.env.Lookup(name)
}

// symbol is the free dimension symbol called name (spec: symbols that nothing
// declares are free, not errors).
func (r *reader) symbol(name string) *ir.Var {
	r.note(name)
	if v := r.free[name]; v != nil {
		return v
	}
	v := r.env.freeDim(name)
	r.free[name] = v
	return v
}

// define gives the variable that an assignment to name writes: the existing
// ordinary variable of that name, or a new one (spec 01 §10.2).
func (r *reader) define(name string, t ir.Type, sp ir.Span) *ir.Var {
	old := r.scope[name]
	if old != nil && r.denoted(old) != ir.Expr(old) {
		old = nil // a parameter of an inlined function, not a variable
	}
	if old != nil && !r.strict && old.Kind != ir.IterArg {
		if _, base := old.Type.(*ir.PtrType); !base {
			if r.reassignable(old, t) {
				return old
			}
			r.reassignProblem(old, name, t, sp)
		}
	}
	if old != nil && r.strict && r.definedHere(name) && old.Kind == ir.PlainVar {
		r.out.Problems = append(r.out.Problems, Problem{Class: NameErr, Span: sp, Message: "Variable '" + name + "' is already defined",
			Help: "Use a different variable name for each assignment (SSA form requires unique names)", Related: old.Span})
	}
	v := r.newVar(ir.PlainVar, name, t, sp)
	r.bind(name, v)
	return v
}

func (r *reader) definedHere(name string) bool {
	for i := len(r.undo) - 1; i >= r.collectMark(); i-- {
		if r.undo[i].name == name {
			return true
		}
	}
	return false
}

func (r *reader) collectMark() int {
	if r.collect == nil {
		return 0
	}
	return r.collect.mark
}

func (r *reader) reassignable(old *ir.Var, t ir.Type) bool {
	if isUnknown(old.Type) {
		old.Type = t
		return true
	}
	return isUnknown(t) || ir.TypeEqual(old.Type, t) || ir.TypeEqualFunc(old.Type, t, arith.DimensionsEqual)
}

func isUnknown(t ir.Type) bool {
	_, ok := t.(*ir.UnknownType)
	return ok || t == nil
}
