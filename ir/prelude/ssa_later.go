package prelude

import "pypto-ls/ir"

// laterUses answers what the statements after the one at hand do to a
// variable. Its index is made once a sequence, when it is first asked.
type laterUses struct {
	stmts []ir.Stmt
	at    int
	// events are, by variable, the positions of statements that need its value
	// or give it another one, ascending.
	events *varTable[[]useEvent]
}

type useEvent struct {
	at   int
	used bool
}

// needed reports whether a later statement reads the value that v has now:
// before it, or an earlier one, assigns v in any case. Loops and branches that
// assign v before they read it do not need it.
func (u *laterUses) needed(v *ir.Var) bool {
	if u.events == nil {
		u.index()
	}
	for _, e := range u.events.get(v) {
		if e.at > u.at {
			return e.used
		}
	}
	return false
}

func (u *laterUses) index() {
	u.events = newVarTable[[]useEvent](0)
	for i, st := range u.stmts {
		needs, sets := exposure(st)
		for _, v := range needs {
			es := u.events.at(v)
			*es = append(*es, useEvent{i, true})
		}
		for _, v := range sets {
			if es := u.events.at(v); len(*es) == 0 || (*es)[len(*es)-1].at != i {
				*es = append(*es, useEvent{i, false})
			}
		}
	}
}

// exposure lists, once each, the variables whose values from before st it
// reads, and those that it assigns in any case.
func exposure(st ir.Stmt) (needs, sets []*ir.Var) {
	e := &exposed{needs: newVarSet(0), sets: newVarSet(0)}
	e.stmt(st)
	return e.needList, e.setList
}

// exposed gathers the exposure of a sequence.
type exposed struct {
	needs, sets       varSet
	needList, setList []*ir.Var
}

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
	in := &exposed{needs: newVarSet(0), sets: newVarSet(0)}
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
