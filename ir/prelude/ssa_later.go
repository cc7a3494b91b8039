package prelude

import "pypto-ls/ir"

// lastReads tells where a body reads a variable last, counting its statements
// in program order from one. Hand-written loops mostly assign names that
// nothing after them reads: for those it spares laterUses.
type lastReads struct {
	body *ir.Block
	// last is by the number of a variable. Variables that share one share the
	// place as well, and are then looked at more closely than needed.
	last []int32
	vars int32 // of the function
}

// after reports whether a statement behind the given number may read v.
func (r *lastReads) after(v *ir.Var, at int) bool {
	if r.last == nil {
		r.last = make([]int32, r.vars)
		n := int32(0)
		read := func(v *ir.Var) {
			if v.ID >= 0 && v.ID < r.vars {
				r.last[v.ID] = n
			}
		}
		ir.EachStmt(r.body, func(st ir.Stmt) {
			n++
			stmtUses(st, read)
		})
	}
	return v.ID < 0 || v.ID >= r.vars || int(r.last[v.ID]) > at
}

// laterUses answers what the statements after the one at hand do to a
// variable. Its index is made once a sequence, when it is first asked.
type laterUses struct {
	stmts []ir.Stmt
	at    int
	// first is the first event of a variable, as an index of events; 0 is none.
	first  *varTable[int32]
	events []useEvent
}

// useEvent is a statement that needs the value of a variable, or else gives it
// another one.
type useEvent struct {
	at   int32
	next int32 // event of the same variable, 0 for none
	used bool
}

// needed reports whether a later statement reads the value that v has now:
// before it, or an earlier one, assigns v in any case. Loops and branches that
// assign v before they read it do not need it.
func (u *laterUses) needed(v *ir.Var) bool {
	if u.first == nil {
		u.index()
	}
	for e := u.first.get(v); e != 0; e = u.events[e].next {
		if int(u.events[e].at) > u.at {
			return u.events[e].used
		}
	}
	return false
}

// index looks at the statements after the one at hand: nobody asks about
// earlier ones any more.
func (u *laterUses) index() {
	later := len(u.stmts) - u.at
	u.first, u.events = newVarTable[int32](later), make([]useEvent, 1, 4*later)
	for i := len(u.stmts) - 1; i > u.at; i-- {
		if a, ok := u.stmts[i].(*ir.Assign); ok {
			u.add(a.Var, i, false)
			exprVars(a.Value, func(v *ir.Var) { u.add(v, i, true) })
			continue
		}
		e := newExposed()
		e.stmt(u.stmts[i])
		for _, v := range e.setList {
			u.add(v, i, false)
		}
		for _, v := range e.needList {
			u.add(v, i, true)
		}
	}
}

// add puts an event in front of those of v. A statement that needs a value and
// gives another one needs it first.
func (u *laterUses) add(v *ir.Var, at int, used bool) {
	head := u.first.at(v)
	if e := *head; e != 0 && int(u.events[e].at) == at {
		u.events[e].used = used
		return
	}
	u.events = append(u.events, useEvent{at: int32(at), next: *head, used: used})
	*head = int32(len(u.events) - 1)
}

// exposed gathers the exposure of a sequence.
type exposed struct {
	needs, sets       varSet
	needList, setList []*ir.Var
}

func newExposed() *exposed { return &exposed{needs: newVarSet(0), sets: newVarSet(0)} }

func (e *exposed) need(v *ir.Var) {
	if !e.sets.has(v) && !e.needs.has(v) {
		e.needs.add(v)
		e.needList = append(e.needList, v)
	}
}

func (e *exposed) set(v *ir.Var) {
	if !e.sets.has(v) {
		e.sets.add(v)
		e.setList = append(e.setList, v)
	}
}

// block is the exposure of a nested sequence.
func (e *exposed) block(b *ir.Block) *exposed {
	in := newExposed()
	if b != nil {
		for _, st := range b.Stmts {
			in.stmt(st)
		}
	}
	for _, v := range in.needList {
		e.need(v)
	}
	return in
}

func (e *exposed) stmt(st ir.Stmt) {
	stmtUses(st, e.need)
	switch s := st.(type) {
	case *ir.Assign:
		e.set(s.Var)
	case *ir.Scope:
		for _, v := range e.block(s.Body).setList {
			e.set(v)
		}
	case *ir.If:
		then, els := e.block(s.Then), e.block(s.Else)
		for _, v := range then.setList {
			if els.sets.has(v) {
				e.set(v)
			}
		}
		for _, v := range s.Results {
			e.set(v)
		}
	default:
		if l, ok := loopOf(st); ok {
			e.block(l.body)
			for _, v := range l.results {
				e.set(v)
			}
		}
	}
}

// targets gathers the source variables that blocks assign.
type targets struct {
	seen  *varTable[int] // the round a variable was last seen in
	round int
	vars  []*ir.Var
	stmts int // in the blocks
}

// of lists the variables that assignments in the blocks define, in program
// order, once each. The list holds until the next one is made.
func (t *targets) of(blocks ...*ir.Block) []*ir.Var {
	if t.seen == nil {
		t.seen = newVarTable[int](0)
	}
	t.round++
	t.vars, t.stmts = t.vars[:0], 0
	see := func(st ir.Stmt) {
		t.stmts++
		a, ok := st.(*ir.Assign)
		if !ok {
			return
		}
		if at := t.seen.at(a.Var); *at != t.round {
			*at = t.round
			t.vars = append(t.vars, a.Var)
		}
	}
	for _, b := range blocks {
		ir.EachStmt(b, see)
	}
	return t.vars
}
