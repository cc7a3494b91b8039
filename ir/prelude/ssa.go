package prelude

import (
	"sort"
	"strconv"

	"pypto-ls/ir"
)

// convertToSSA gives every assignment a variable of its own and threads
// re-bound names through loops and branches (spec 11 §6.1).
func convertToSSA(c *Ctx, f *ir.Function) *ir.Function {
	g := copyFunc(f)
	s := &ssa{c: c, f: g, undef: varSet{}, cur: map[*ir.Var]ir.Expr{}, version: map[string]int{}}
	g.Params = append([]ir.Param(nil), f.Params...)
	for i := range g.Params {
		v := g.Params[i].Var
		n := s.newVersion(ir.ParamVar, v, "ssa", v.Type)
		g.Params[i].Var = n
		s.cur[v] = n
	}
	for i := range g.Params {
		// Types of parameters may name other parameters.
		v := g.Params[i].Var
		if t := s.types(v.Type); t != v.Type {
			v.Type = t
		}
	}
	g.Returns = append([]ir.Type(nil), f.Returns...)
	g.Body = s.block(f.Body)
	noteUndefined(c, g, s.undef)
	return g
}

type ssa struct {
	c *Ctx
	f *ir.Function
	// undef are the placeholders that carries start from.
	undef varSet
	// cur is what each source variable denotes now.
	cur     map[*ir.Var]ir.Expr
	version map[string]int
	// here is the sequence being converted.
	here *laterUses
	// inScope is set inside a core scope (spec 11 §6.1, last rule).
	inScope bool
}

func (s *ssa) newVersion(kind ir.VarKind, v *ir.Var, role string, t ir.Type) *ir.Var {
	base := baseName(v.Name)
	k := s.version[base]
	s.version[base]++
	return s.f.NewVar(kind, base+"__"+role+"_v"+strconv.Itoa(k), t, v.Span)
}

func (s *ssa) expr(e ir.Expr) ir.Expr       { return subst(s.cur).expr(e) }
func (s *ssa) exprs(es []ir.Expr) []ir.Expr { return subst(s.cur).list(es) }
func (s *ssa) types(t ir.Type) ir.Type      { return subst(s.cur).typ(t) }
func (s *ssa) snapshot() map[*ir.Var]ir.Expr {
	m := make(map[*ir.Var]ir.Expr, len(s.cur))
	for k, v := range s.cur {
		m[k] = v
	}
	return m
}

// block converts the statements of b.
func (s *ssa) block(b *ir.Block) *ir.Block {
	out := &ir.Block{}
	if b != nil {
		out = roomFor(b)
		outer := s.here
		s.here = &laterUses{stmts: b.Stmts}
		for i, st := range b.Stmts {
			s.here.at = i
			out.Stmts = append(out.Stmts, s.stmt(st))
		}
		s.here = outer
	}
	return out
}

func (s *ssa) stmt(st ir.Stmt) ir.Stmt {
	switch st := st.(type) {
	case *ir.Assign:
		value := s.expr(st.Value)
		v := s.newVersion(ir.PlainVar, st.Var, "ssa", s.types(st.Var.Type))
		s.cur[st.Var] = v
		return &ir.Assign{StmtMeta: st.StmtMeta, Var: v, Value: value}
	case *ir.Eval:
		return &ir.Eval{StmtMeta: st.StmtMeta, X: s.expr(st.X)}
	case *ir.Yield:
		return &ir.Yield{StmtMeta: st.StmtMeta, Values: s.exprs(st.Values)}
	case *ir.Return:
		return &ir.Return{StmtMeta: st.StmtMeta, Values: s.exprs(st.Values)}
	case *ir.If:
		return s.ifStmt(st)
	case *ir.For:
		return s.forStmt(st)
	case *ir.While:
		return s.whileStmt(st)
	case *ir.Scope:
		return s.scope(st)
	}
	return st
}

func (s *ssa) scope(st *ir.Scope) ir.Stmt {
	n := *st
	n.Args = s.exprs(st.Args)
	n.Attrs, _ = subst(s.cur).attrs(st.Attrs)
	if st.Var != nil {
		n.Var = s.newVersion(ir.PlainVar, st.Var, "ssa", st.Var.Type)
		s.cur[st.Var] = n.Var
	}
	if st.TaskVar != nil {
		n.TaskVar = s.newVersion(ir.PlainVar, st.TaskVar, "ssa", st.TaskVar.Type)
		s.cur[st.TaskVar] = n.TaskVar
	}
	old := s.inScope
	s.inScope = s.inScope || st.Kind == ir.ScopeInCore || st.Kind == ir.ScopeHierarchy || isCoreSpmd(st)
	n.Body = s.block(st.Body)
	s.inScope = old
	return &n
}

// assigned lists the source variables that assignments in b define, in
// program order, once each.
func assigned(b *ir.Block) []*ir.Var {
	var out []*ir.Var
	seen := map[*ir.Var]bool{}
	ir.EachStmt(b, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok && !seen[a.Var] {
			seen[a.Var] = true
			out = append(out, a.Var)
		}
	})
	return out
}

func sortByName(vs []*ir.Var) {
	sort.SliceStable(vs, func(i, j int) bool { return vs[i].Name < vs[j].Name })
}

// loopVars splits what a loop assigns into carried (defined before) and
// escaping (needed after) variables, each sorted by name.
func (s *ssa) loopVars(body *ir.Block) (carried, escaping []*ir.Var) {
	for _, v := range assigned(body) {
		if _, before := s.cur[v]; before {
			carried = append(carried, v)
			continue
		}
		if !s.inScope && s.here.needed(v) {
			escaping = append(escaping, v)
		}
	}
	sortByName(carried)
	sortByName(escaping)
	return carried, escaping
}

// carry makes the iter_args and results of a loop and binds the body's names.
func (s *ssa) carry(vs []*ir.Var, inits []ir.Expr) (iters, results []*ir.Var) {
	for i, v := range vs {
		t := exprType(inits[i])
		it := s.newVersion(ir.IterArg, v, "iter", t)
		it.Init = inits[i]
		rv := s.newVersion(ir.PlainVar, v, "rv", t)
		iters, results = append(iters, it), append(results, rv)
		s.cur[v] = it
	}
	return iters, results
}

// initFor is where an added carry starts: the version before the loop, or for
// an escaping variable something of the same type, an output parameter first.
func (s *ssa) initFor(v *ir.Var) ir.Expr {
	if e, ok := s.cur[v]; ok {
		return e
	}
	for _, p := range s.f.Params {
		if p.Dir != ir.In && ir.TypeEqual(p.Var.Type, v.Type) {
			return p.Var
		}
	}
	for _, p := range s.f.Params {
		if ir.TypeEqual(p.Var.Type, v.Type) {
			return p.Var
		}
	}
	s.noteRivals(v)
	u := s.f.NewVar(ir.PlainVar, baseName(v.Name)+"__undef", s.types(v.Type), v.Span)
	s.undef[u] = true
	return u
}

// authorIters converts the iter_args written by the author, which keep their
// names.
func (s *ssa) authorIters(vs []*ir.Var) []*ir.Var {
	var out []*ir.Var
	for _, a := range vs {
		init := s.expr(a.Init)
		n := s.f.NewVar(ir.IterArg, a.Name, s.types(a.Type), a.Span)
		n.Init = init
		out = append(out, n)
	}
	return out
}

func (s *ssa) bindAll(from, to []*ir.Var) {
	for i := range from {
		s.cur[from[i]] = to[i]
	}
}

func (s *ssa) authorResults(vs []*ir.Var) []*ir.Var {
	var out []*ir.Var
	for _, r := range vs {
		out = append(out, s.f.NewVar(ir.PlainVar, r.Name, s.types(r.Type), r.Span))
	}
	return out
}

// loopBody converts a loop's body and appends the current versions of the
// added carries to its yield.
func (s *ssa) loopBody(body *ir.Block, added []*ir.Var) *ir.Block {
	out := s.block(body)
	return appendYield(out, s.versions(added))
}

func (s *ssa) versions(vs []*ir.Var) []ir.Expr {
	var out []ir.Expr
	for _, v := range vs {
		out = append(out, s.cur[v])
	}
	return out
}

func appendYield(b *ir.Block, values []ir.Expr) *ir.Block {
	if len(values) == 0 {
		return b
	}
	if y := lastYield(b); y != nil {
		n := &ir.Yield{StmtMeta: y.StmtMeta, Values: append(append([]ir.Expr(nil), y.Values...), values...)}
		return &ir.Block{Stmts: append(b.Stmts[:len(b.Stmts)-1:len(b.Stmts)-1], n)}
	}
	return &ir.Block{Stmts: append(b.Stmts, &ir.Yield{Values: values})}
}

// leaveLoop restores what names denote after a loop: names assigned only
// inside are forgotten, carried ones denote the results.
func (s *ssa) leaveLoop(before map[*ir.Var]ir.Expr, added, results []*ir.Var) {
	s.cur = before
	s.bindAll(added, results)
}

func (s *ssa) forStmt(st *ir.For) ir.Stmt {
	n := *st
	n.Start, n.Stop, n.Step = s.expr(st.Start), s.expr(st.Stop), s.expr(st.Step)
	n.Attrs, _ = subst(s.cur).attrs(st.Attrs)
	n.IterArgs = s.authorIters(st.IterArgs)
	carried, escaping := s.loopVars(st.Body)
	added := append(append([]*ir.Var(nil), carried...), escaping...)
	var inits []ir.Expr
	for _, v := range added {
		inits = append(inits, s.initFor(v))
	}
	before := s.snapshot()
	n.Var = s.newVersion(ir.LoopVar, st.Var, "idx", st.Var.Type)
	s.cur[st.Var] = n.Var
	s.bindAll(st.IterArgs, n.IterArgs)
	iters, results := s.carry(added, inits)
	n.IterArgs = append(n.IterArgs, iters...)
	n.Body = s.loopBody(st.Body, added)
	s.leaveLoop(before, added, results)
	author := s.authorResults(st.Results)
	s.bindAll(st.Results, author)
	n.Results = append(author, results...)
	return &n
}

func (s *ssa) whileStmt(st *ir.While) ir.Stmt {
	n := *st
	n.IterArgs = s.authorIters(st.IterArgs)
	carried, escaping := s.loopVars(st.Body)
	added := append(append([]*ir.Var(nil), carried...), escaping...)
	var inits []ir.Expr
	for _, v := range added {
		inits = append(inits, s.initFor(v))
	}
	before := s.snapshot()
	s.bindAll(st.IterArgs, n.IterArgs)
	iters, results := s.carry(added, inits)
	n.IterArgs = append(n.IterArgs, iters...)
	n.Cond = s.expr(st.Cond)
	n.Body = s.loopBody(st.Body, added)
	s.leaveLoop(before, added, results)
	author := s.authorResults(st.Results)
	s.bindAll(st.Results, author)
	n.Results = append(author, results...)
	return &n
}

func (s *ssa) ifStmt(st *ir.If) ir.Stmt {
	n := *st
	n.Cond = s.expr(st.Cond)
	before := s.snapshot()
	n.Then = s.block(st.Then)
	then := s.cur
	s.cur = copyMap(before)
	if st.Else != nil {
		n.Else = s.block(st.Else)
	}
	els := s.cur
	var phis []*ir.Var
	for _, v := range s.branchVars(st) {
		b, had := before[v]
		t, inThen := then[v]
		e, inElse := els[v]
		switch {
		case had && (t != b || e != b):
			phis = append(phis, v)
		case !had && inThen && inElse:
			phis = append(phis, v)
		}
	}
	sortByName(phis)
	s.cur = before
	var tv, ev []ir.Expr
	var results []*ir.Var
	for _, v := range phis {
		tv, ev = append(tv, then[v]), append(ev, els[v])
		results = append(results, s.newVersion(ir.PlainVar, v, "phi", exprType(then[v])))
	}
	if len(phis) > 0 {
		n.Then = appendYield(n.Then, tv)
		if n.Else == nil {
			n.Else = &ir.Block{}
		}
		n.Else = appendYield(n.Else, ev)
	}
	s.bindAll(phis, results)
	// The results an author gave a branch become versions of their names; those
	// of loops keep theirs.
	var author []*ir.Var
	for _, r := range st.Results {
		author = append(author, s.newVersion(ir.PlainVar, r, "rv", s.types(r.Type)))
	}
	s.bindAll(st.Results, author)
	n.Results = append(author, results...)
	return &n
}

func copyMap(m map[*ir.Var]ir.Expr) map[*ir.Var]ir.Expr {
	out := make(map[*ir.Var]ir.Expr, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// branchVars are the source variables a branch may change.
func (s *ssa) branchVars(st *ir.If) []*ir.Var {
	out := assigned(st.Then)
	if st.Else != nil {
		seen := map[*ir.Var]bool{}
		for _, v := range out {
			seen[v] = true
		}
		for _, v := range assigned(st.Else) {
			if !seen[v] {
				out = append(out, v)
			}
		}
	}
	return out
}
