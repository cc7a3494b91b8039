package memory

import "pypto-ls/ir"

// bodyFacts are what several passes ask about all of a function's body, found
// in one walk. They are immutable once a layout has them.
type bodyFacts struct {
	// mentioned lists the variables of the body, definitions and uses alike, each
	// once, in order of first mention. A mentioned iter_arg is followed by the
	// variables of its initial value. Parameters occur where they are used.
	mentioned []*ir.Var
	// reserves lists the reserve_buffer calls in program order, at any depth.
	reserves []*ir.Call
	// declared are the author-declared allocations with the bytes their alloc
	// statements state, 0 when they state none (spec 07 §7); nil without any. It
	// may have allocations that a later step has removed as unused.
	declared map[*ir.Var]uint64
	// attrs is how many calls have attributes, at most.
	attrs int
	// inAttrs tells whether an attribute of a call mentions a variable.
	inAttrs bool
	// comments, tuples and copies tell whether the function that was read has
	// assignments with comments, elements taken from tuples, and assignments of
	// variables.
	comments, tuples, copies bool
	// numbered is about how many statements lifetime analysis numbers.
	numbered int
	// again tells whether an allocation is mentioned more than once, which only
	// strange texts do: its alloc statement is not the only place to name it.
	again bool
	// unordered tells, of strange texts too, that a yield mentions something first
	// or that something is mentioned before the loop or branch it is a result of.
	unordered bool
}

// factsOf finds the facts of fn's body.
func factsOf(fn *ir.Function) *bodyFacts {
	w := factWalker{facts: &bodyFacts{mentioned: make([]*ir.Var, 0, fn.NumVars)}, seen: make([]bool, fn.NumVars)}
	w.visit = w.mention
	w.attrVar = func(v *ir.Var) {
		w.facts.inAttrs = true
		w.mention(v)
	}
	w.stmtExpr = w.expr
	w.block(fn.Body)
	return w.facts
}

// mentions lists what fn mentions, see bodyFacts.mentioned.
func mentions(fn *ir.Function) []*ir.Var { return factsOf(fn).mentioned }

type factWalker struct {
	facts    *bodyFacts
	seen     []bool // by Var.ID
	other    map[*ir.Var]bool
	visit    func(*ir.Var)
	attrVar  func(*ir.Var)
	stmtExpr func(ir.Expr)
}

func (w *factWalker) mention(v *ir.Var) {
	if w.first(v) {
		w.facts.mentioned = append(w.facts.mentioned, v)
		if v.Kind == ir.IterArg && v.Init != nil {
			exprVars(v.Init, w.visit)
		}
	} else if _, base := v.Type.(*ir.PtrType); base {
		w.facts.again = true
	}
}

// first reports whether v has not been mentioned before, and notes it.
func (w *factWalker) first(v *ir.Var) bool {
	if id := int(v.ID); id >= 0 && id < len(w.seen) {
		was := w.seen[id]
		w.seen[id] = true
		return !was
	}
	if w.other[v] {
		return false
	}
	if w.other == nil {
		w.other = make(map[*ir.Var]bool)
	}
	w.other[v] = true
	return true
}

func (w *factWalker) vars(vs []*ir.Var) {
	for _, v := range vs {
		w.mention(v)
	}
}

func (w *factWalker) results(vs []*ir.Var) {
	n := len(w.facts.mentioned) + len(vs)
	w.vars(vs)
	w.facts.unordered = w.facts.unordered || len(w.facts.mentioned) != n
}

// expr notes what an expression of a statement mentions, as exprVars does, and
// its calls.
func (w *factWalker) expr(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Var:
		if e != nil {
			w.mention(e)
		}
	case *ir.Call:
		if isReserve(e) {
			w.facts.reserves = append(w.facts.reserves, e)
		}
		for _, a := range e.Args {
			w.expr(a)
		}
		if len(e.Attrs) > 0 {
			w.facts.attrs++
			attrVars(e.Attrs, w.attrVar)
		}
	case *ir.MakeTuple:
		for _, x := range e.Elems {
			w.expr(x)
		}
	case *ir.TupleGet:
		w.facts.tuples = true
		w.expr(e.Tuple)
	case *ir.Binary:
		w.expr(e.X)
		w.expr(e.Y)
	case *ir.Unary:
		w.expr(e.X)
	}
}

func (w *factWalker) block(b *ir.Block) {
	if b == nil {
		return
	}
	w.facts.numbered += len(b.Stmts)
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.Assign:
			w.mention(s.Var)
			w.expr(s.Value)
			w.declare(s)
			_, isCopy := s.Value.(*ir.Var)
			w.facts.copies = w.facts.copies || isCopy
			w.facts.comments = w.facts.comments || len(s.Comments) > 0
		case *ir.For:
			if s.Var != nil {
				w.mention(s.Var)
			}
			stmtExprs(s, w.stmtExpr)
			w.vars(s.IterArgs)
			w.block(s.Body)
			w.results(s.Results)
		case *ir.While:
			w.expr(s.Cond)
			w.vars(s.IterArgs)
			w.block(s.Body)
			w.results(s.Results)
		case *ir.If:
			w.expr(s.Cond)
			w.block(s.Then)
			w.block(s.Else)
			w.results(s.Results)
		case *ir.Yield:
			n := len(w.facts.mentioned)
			visitAll(s.Values, w.stmtExpr)
			w.facts.unordered = w.facts.unordered || len(w.facts.mentioned) > n
		case *ir.Scope:
			stmtExprs(s, w.stmtExpr)
			w.block(s.Body)
		default:
			stmtExprs(s, w.stmtExpr)
		}
	}
}

// declare notes an author-declared allocation.
func (w *factWalker) declare(s *ir.Assign) {
	_, c := allocCall(s)
	if c == nil {
		return
	}
	if p, _ := c.Kwarg("pinned"); p != true {
		return
	}
	var n int64
	if len(c.Args) > 1 {
		n, _ = ir.ConstValue(c.Args[1])
	}
	w.facts.declare(s.Var, uint64(max(n, 0)))
}

func (f *bodyFacts) declare(base *ir.Var, bytes uint64) {
	if f.declared == nil {
		f.declared = make(map[*ir.Var]uint64)
	}
	f.declared[base] = bytes
}

// without is f for a body that has lost the alloc statements of the bases for
// which dropped is true. Only where no base is mentioned again.
func (f *bodyFacts) without(dropped func(*ir.Var) bool) *bodyFacts {
	c := *f
	c.mentioned = make([]*ir.Var, 0, len(f.mentioned))
	for _, v := range f.mentioned {
		if !dropped(v) {
			c.mentioned = append(c.mentioned, v)
		}
	}
	return &c
}

// newMove tells that a move to v was put before the yield that ends a body, whose
// loop or branch has the results that begin with result.
type newMove struct{ v, result *ir.Var }

// moved is f for a body with moves, given in the order of the body; false if it
// has to be found anew.
func (f *bodyFacts) moved(moves []newMove) (*bodyFacts, bool) {
	if f.unordered {
		return nil, false
	}
	c := *f
	c.numbered += len(moves)
	c.mentioned = make([]*ir.Var, 0, len(f.mentioned)+len(moves))
	for _, v := range f.mentioned {
		for len(moves) > 0 && moves[0].result == v {
			c.mentioned = append(c.mentioned, moves[0].v)
			moves = moves[1:]
		}
		c.mentioned = append(c.mentioned, v)
	}
	return &c, len(moves) == 0
}

// newCalls are the calls by which a step has replaced others.
type newCalls struct {
	calls    ir.Slab[ir.Call]
	assigns  ir.Slab[ir.Assign]
	reserves map[*ir.Call]*ir.Call // reserve_buffer calls by the old ones
	// bare is how many lost all attributes; forgot tells that one of these
	// attributes mentions a variable.
	bare   int
	forgot bool
}

// add notes that c was replaced by n, with the same operands but for calls in
// them.
func (r *newCalls) add(c, n *ir.Call) {
	if len(n.Attrs) < len(c.Attrs) {
		attrVars(c.Attrs, func(*ir.Var) { r.forgot = true })
		if len(n.Attrs) == 0 {
			r.bare++
		}
	}
	if isReserve(c) {
		if r.reserves == nil {
			r.reserves = make(map[*ir.Call]*ir.Call)
		}
		r.reserves[c] = n
	}
}

// call makes a copy of c.
func (r *newCalls) call(c *ir.Call) *ir.Call {
	n := r.calls.New()
	*n = *c
	return n
}

// assign makes a copy of a with another value.
func (r *newCalls) assign(a *ir.Assign, value ir.Expr) *ir.Assign {
	n := r.assigns.New()
	*n = *a
	n.Value = value
	return n
}

// with is f for a body with new calls; fn is the function with this body.
func (f *bodyFacts) with(r *newCalls, fn *ir.Function) *bodyFacts {
	if r.forgot {
		return factsOf(fn)
	}
	c := *f
	c.attrs = max(0, f.attrs-r.bare)
	c.reserves = make([]*ir.Call, len(f.reserves))
	for i, old := range f.reserves {
		if c.reserves[i] = old; r.reserves[old] != nil {
			c.reserves[i] = r.reserves[old]
		}
	}
	return &c
}
