package memory

import "pypto-ls/ir"

// lifeWalker numbers statements and records definitions and uses.
type lifeWalker struct {
	lt   *Lifetimes
	pass string
	// order are the tracked variables in definition order.
	order []*ir.Var
	// loopAt is the innermost loop (index in lt.loops, -1 for none) around each
	// numbered statement; loop the one around the current statement.
	loopAt []int32
	loop   int32
	// at is the number the uses being visited are recorded at.
	at      int32
	useVar  func(*ir.Var)
	family  int32
	visited map[int32]bool
}

func newLifeWalker(l *Layout) *lifeWalker {
	n := max(int(l.Fn.NumVars), len(l.Types))
	// Most statements define a variable; those before the last steps are known.
	room := n
	if l.known != nil {
		room = l.known.numbered + 16
	}
	lt := &Lifetimes{Layout: l, vars: make([]varLife, n), Stmts: make([]ir.Stmt, 0, room)}
	for i := range lt.vars {
		lt.vars[i] = varLife{def: -1, last: -1, interval: -1, ofBase: -1, phi: -1}
	}
	w := &lifeWalker{lt: lt, pass: StageMemoryReuse.String(), loop: -1, loopAt: make([]int32, 0, room), order: make([]*ir.Var, 0, room/2)}
	w.useVar = w.use
	return w
}

func (w *lifeWalker) now() int32 { return int32(len(w.lt.Stmts)) }

// number gives s the next statement number.
func (w *lifeWalker) number(s ir.Stmt) int32 {
	w.lt.Stmts = append(w.lt.Stmts, s)
	w.loopAt = append(w.loopAt, w.loop)
	return w.now() - 1
}

// track makes v a tracked variable defined at number def. A variable assigned
// twice (not SSA) keeps its first definition.
func (w *lifeWalker) track(v *ir.Var, def int32) {
	r := w.lt.life(v)
	if r == nil || r.def >= 0 {
		return
	}
	r.def = def
	w.order = append(w.order, v)
}

// uses records the variables of e as used at number at (spec 05 §4.3).
func (w *lifeWalker) uses(e ir.Expr, at int32) {
	w.at = at
	exprVars(e, w.useVar)
}

func (w *lifeWalker) use(v *ir.Var) {
	if v.Kind == ir.IterArg {
		if v.Init != nil {
			exprVars(v.Init, w.useVar)
		}
		return
	}
	r := w.lt.life(v)
	switch {
	case r == nil:
	case w.lt.sourcesOf(r) != nil:
		for _, id := range w.lt.sourcesOf(r) {
			s := &w.lt.vars[id]
			s.last = max(s.last, w.at)
		}
	case r.phi >= 0 && w.lt.phis[r.phi].alias >= 0:
		s := &w.lt.vars[w.lt.phis[r.phi].alias]
		s.last = max(s.last, w.at)
	case r.def >= 0:
		r.last = max(r.last, w.at)
	}
}

func (w *lifeWalker) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		w.stmt(s)
	}
}

func (w *lifeWalker) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Assign:
		n := w.number(s)
		w.uses(s.Value, n)
		if w.lt.Layout.Tile(s.Var) != nil {
			w.track(s.Var, n)
		}
	case *ir.Eval:
		w.uses(s.X, w.number(s))
	case *ir.Yield:
		n := w.number(s)
		for _, e := range s.Values {
			w.uses(e, n)
		}
	case *ir.Return:
		n := w.number(s)
		for _, e := range s.Values {
			w.uses(e, n)
		}
	case *ir.If:
		w.branch(s)
	case *ir.For:
		w.carried(s.IterArgs, s.Body, s.Results)
	case *ir.While:
		w.carried(s.IterArgs, s.Body, s.Results)
	case *ir.Scope:
		w.block(s.Body)
	}
}

// carried walks a loop.
func (w *lifeWalker) carried(iterArgs []*ir.Var, body *ir.Block, results []*ir.Var) {
	for _, a := range iterArgs {
		if a.Init != nil {
			w.uses(a.Init, w.now())
		}
	}
	k := int32(len(w.lt.loops))
	w.lt.loops = append(w.lt.loops, loopRange{start: w.now(), parent: w.loop})
	w.loop = k
	w.block(body)
	w.loop = w.lt.loops[k].parent
	w.lt.loops[k].end = w.now() - 1
	for i := range min(len(results), len(iterArgs)) {
		w.mapResult(results[i], iterArgs[i])
	}
}

// mapResult makes uses of a loop's tile result count as uses of the initial
// value, if that is a tracked plain variable (spec 05 §4.4).
func (w *lifeWalker) mapResult(result, iterArg *ir.Var) {
	init, ok := iterArg.Init.(*ir.Var)
	if !ok || init == nil || !init.IsPlain() || w.lt.Layout.Tile(result) == nil {
		return
	}
	r, y := w.lt.life(result), w.lt.life(init)
	if r != nil && y != nil && y.def >= 0 {
		w.lt.phiOf(r).alias = init.ID
	}
}

func (w *lifeWalker) branch(s *ir.If) {
	w.uses(s.Cond, w.now())
	start := w.now()
	w.block(s.Then)
	mid := w.now()
	w.block(s.Else)
	end := w.now()
	for i, r := range s.Results {
		if t := w.lt.Layout.Tile(r); t == nil || t.MemRef == nil {
			continue
		}
		f := w.family
		w.family++
		w.phi(r, f, []phiArm{
			{lastYield(s.Then), Live{start, mid - 1}},
			{lastYield(s.Else), Live{mid, end - 1}},
		}, i)
	}
}

// phiArm is one branch of a phi: its final yield (nil when it has none) and
// its range of statement numbers, both ends included.
type phiArm struct {
	yield *ir.Yield
	Live
}

// phi collects the local sources of the if result r (spec 05 §5, step 2).
func (w *lifeWalker) phi(r *ir.Var, family int32, arms []phiArm, pos int) {
	var sources []int32
	clear(w.visited)
	for _, arm := range arms {
		if arm.yield == nil || pos >= len(arm.yield.Values) {
			continue
		}
		x, ok := arm.yield.Values[pos].(*ir.Var)
		if !ok || x == nil {
			continue
		}
		rec := w.lt.life(x)
		switch {
		case rec == nil:
		case w.lt.sourcesOf(rec) != nil:
			if w.visited[x.ID] {
				continue
			}
			if w.visited == nil {
				w.visited = make(map[int32]bool)
			}
			w.visited[x.ID] = true
			for _, id := range w.lt.sourcesOf(rec) {
				sources = w.source(sources, id, family, arm.Live)
			}
		default:
			sources = w.source(sources, x.ID, family, arm.Live)
		}
	}
	if rec := w.lt.life(r); rec != nil && sources != nil {
		p := w.lt.phiOf(rec)
		p.families = append(p.families, family)
		p.sources = sources
	}
}

// source adds a tracked variable that is defined in the arm to the sources.
func (w *lifeWalker) source(sources []int32, id, family int32, arm Live) []int32 {
	r := &w.lt.vars[id]
	if r.def < arm.Def || r.def > arm.Last {
		return sources
	}
	p := w.lt.phiOf(r)
	p.families = append(p.families, family)
	return append(sources, id)
}

// lastYield is the yield that ends a branch: its last statement, looked for
// through runtime and split-aiv scopes (spec 05 §5, step 2).
func lastYield(b *ir.Block) *ir.Yield {
	for b != nil && len(b.Stmts) > 0 {
		switch s := b.Stmts[len(b.Stmts)-1].(type) {
		case *ir.Yield:
			return s
		case *ir.Scope:
			if s.Kind != ir.ScopeRuntime && s.Kind != ir.ScopeSplitAiv {
				return nil
			}
			b = s.Body
		default:
			return nil
		}
	}
	return nil
}
