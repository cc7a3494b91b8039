package prelude

import (
	"slices"
	"strings"

	"pypto-ls/ir"
)

// convertToSSA gives every assignment a variable of its own and threads
// re-bound names through loops and branches (spec 11 §6.1).
func convertToSSA(c *Ctx, f *ir.Function) *ir.Function {
	g := copyFunc(f)
	s := &ssa{c: c, f: g, undef: newVarSet(0), cur: newSubst(int(f.NumVars)), version: make(map[string]int, f.NumVars),
		names: newNames(2 * int(f.NumVars))}
	s.cur.logged = true
	g.Params = append([]ir.Param(nil), f.Params...)
	for i := range g.Params {
		v := g.Params[i].Var
		n := s.newVersion(ir.ParamVar, v, "ssa", v.Type)
		g.Params[i].Var = n
		s.cur.set(v, n)
	}
	for i := range g.Params {
		// Types of parameters may name other parameters.
		v := g.Params[i].Var
		if t := s.types(v.Type); t != v.Type {
			v.Type = t
		}
	}
	g.Returns = append([]ir.Type(nil), f.Returns...)
	s.source = &lastReads{body: f.Body, vars: f.NumVars}
	g.Body = s.block(f.Body)
	noteUndefined(c, g, s.undef)
	return g
}

type ssa struct {
	c *Ctx
	f *ir.Function
	// undef are the variables without a definition that carries start from.
	undef varSet
	// cur is what each source variable denotes now.
	cur     subst
	version map[string]int
	names   *names
	targets targets
	// here is the sequence being converted, source what the whole body reads, and
	// at how many statements of it have been begun.
	here   laterUses
	source *lastReads
	at     int
	// inScope is set inside a core scope (spec 11 §6.1, last rule).
	inScope bool
}

func (s *ssa) newVersion(kind ir.VarKind, v *ir.Var, role string, t ir.Type) *ir.Var {
	base := baseName(v.Name)
	k := s.version[base]
	s.version[base]++
	return s.newVar(kind, s.names.numbered(k, base, "__", role, "_v"), t, v.Span)
}

func (s *ssa) newVar(kind ir.VarKind, name string, t ir.Type, at ir.Span) *ir.Var {
	return s.f.NewVarIn(s.cur.made.vars.New(), kind, name, t, at)
}

func (s *ssa) expr(e ir.Expr) ir.Expr       { return s.cur.expr(e) }
func (s *ssa) exprs(es []ir.Expr) []ir.Expr { return s.cur.list(es) }
func (s *ssa) types(t ir.Type) ir.Type      { return s.cur.typ(t) }

// block converts the statements of b.
func (s *ssa) block(b *ir.Block) *ir.Block {
	out := &ir.Block{}
	if b == nil {
		return out
	}
	out.Stmts = make([]ir.Stmt, 0, len(b.Stmts)+1)
	outer := s.here
	s.here = laterUses{stmts: b.Stmts}
	for i, st := range b.Stmts {
		s.here.at = i
		s.at++
		out.Stmts = append(out.Stmts, s.stmt(st))
	}
	s.here = outer
	return out
}

func (s *ssa) stmt(st ir.Stmt) ir.Stmt {
	switch st := st.(type) {
	case *ir.Assign:
		value := s.expr(st.Value)
		v := s.newVersion(ir.PlainVar, st.Var, "ssa", s.types(st.Var.Type))
		s.cur.set(st.Var, v)
		return s.cur.made.assign(st.StmtMeta, v, value)
	case *ir.Eval:
		return s.cur.made.eval(st.StmtMeta, s.expr(st.X))
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
	n.Attrs, _ = s.cur.attrs(st.Attrs)
	if st.Var != nil {
		n.Var = s.newVersion(ir.PlainVar, st.Var, "ssa", st.Var.Type)
		s.cur.set(st.Var, n.Var)
	}
	if st.TaskVar != nil {
		n.TaskVar = s.newVersion(ir.PlainVar, st.TaskVar, "ssa", st.TaskVar.Type)
		s.cur.set(st.TaskVar, n.TaskVar)
	}
	old := s.inScope
	s.inScope = s.inScope || st.Kind == ir.ScopeInCore || st.Kind == ir.ScopeHierarchy || isCoreSpmd(st)
	n.Body = s.block(st.Body)
	s.inScope = old
	return &n
}

func sortByName(vs []*ir.Var) {
	slices.SortStableFunc(vs, func(v, w *ir.Var) int { return strings.Compare(v.Name, w.Name) })
}

// loopVars lists what a loop assigns and has to carry: the variables defined
// before it, then those needed after it, either sorted by name.
func (s *ssa) loopVars(body *ir.Block) []*ir.Var {
	var carried, escaping []*ir.Var
	assigned := s.targets.of(body)
	end := s.at + s.targets.stmts
	for _, v := range assigned {
		if s.cur.has(v) {
			carried = append(carried, v)
			continue
		}
		if !s.inScope && s.source.after(v, end) && s.here.needed(v) {
			escaping = append(escaping, v)
		}
	}
	sortByName(carried)
	sortByName(escaping)
	return append(carried, escaping...)
}

// carry makes the iter_args and results of a loop and binds the body's names.
func (s *ssa) carry(vs []*ir.Var, inits []ir.Expr) (iters, results []*ir.Var) {
	iters, results = make([]*ir.Var, len(vs)), make([]*ir.Var, len(vs))
	for i, v := range vs {
		t := exprType(inits[i])
		it := s.newVersion(ir.IterArg, v, "iter", t)
		it.Init = inits[i]
		iters[i], results[i] = it, s.newVersion(ir.PlainVar, v, "rv", t)
		s.cur.set(v, it)
	}
	return iters, results
}

func (s *ssa) initsFor(vs []*ir.Var) []ir.Expr {
	out := make([]ir.Expr, len(vs))
	for i, v := range vs {
		out[i] = s.initFor(v)
	}
	return out
}

// initFor is where an added carry starts: the version before the loop, or for
// an escaping variable something of the same type, an output parameter first.
func (s *ssa) initFor(v *ir.Var) ir.Expr {
	if e, ok := s.cur.lookup(v); ok {
		return e
	}
	if p := s.paramLike(v); p != nil {
		return p
	}
	s.noteRivals(v)
	u := s.newVar(ir.PlainVar, baseName(v.Name)+"__undef", s.types(v.Type), v.Span)
	s.undef.add(u)
	return u
}

// paramLike is the first parameter of v's type, an output parameter before others,
// nil for none.
func (s *ssa) paramLike(v *ir.Var) *ir.Var {
	var out, in *ir.Var
	for _, p := range s.f.Params {
		switch {
		case !ir.TypeEqual(p.Var.Type, v.Type):
		case p.Dir == ir.In:
			if in == nil {
				in = p.Var
			}
		case out == nil:
			out = p.Var
		default:
			s.c.note(passSSA, s.f, v.Span, "`"+v.Name+"` is first assigned inside a loop and used after it; which of several output parameters of its type it starts from is not specified")
			return out
		}
	}
	if out != nil {
		return out
	}
	return in
}

// authorIters converts the iter_args written by the author, which keep their
// names.
func (s *ssa) authorIters(vs []*ir.Var) []*ir.Var {
	var out []*ir.Var
	for _, a := range vs {
		init := s.expr(a.Init)
		n := s.newVar(ir.IterArg, a.Name, s.types(a.Type), a.Span)
		n.Init = init
		out = append(out, n)
	}
	return out
}

func (s *ssa) bindAll(from, to []*ir.Var) {
	for i := range from {
		s.cur.set(from[i], to[i])
	}
}

func (s *ssa) authorResults(vs []*ir.Var) []*ir.Var {
	var out []*ir.Var
	for _, r := range vs {
		out = append(out, s.newVar(ir.PlainVar, r.Name, s.types(r.Type), r.Span))
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
	out := make([]ir.Expr, len(vs))
	for i, v := range vs {
		out[i] = s.cur.get(v)
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
	return &ir.Block{Stmts: append(b.Stmts, &ir.Yield{Values: values})} // block left room for it
}

// leaveLoop restores what names denote after a loop: names assigned only
// inside are forgotten, carried ones denote the results.
func (s *ssa) leaveLoop(before int, added, results []*ir.Var) {
	s.cur.takeBack(before)
	s.bindAll(added, results)
}

func (s *ssa) forStmt(st *ir.For) ir.Stmt {
	n := *st
	n.Start, n.Stop, n.Step = s.expr(st.Start), s.expr(st.Stop), s.expr(st.Step)
	n.Attrs, _ = s.cur.attrs(st.Attrs)
	n.IterArgs = s.authorIters(st.IterArgs)
	added := s.loopVars(st.Body)
	inits := s.initsFor(added)
	before := s.cur.mark()
	n.Var = s.newVersion(ir.LoopVar, st.Var, "idx", st.Var.Type)
	s.cur.set(st.Var, n.Var)
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
	added := s.loopVars(st.Body)
	inits := s.initsFor(added)
	before := s.cur.mark()
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
	before := s.cur.mark()
	vars := slices.Clone(s.targets.of(st.Then, st.Else))
	n.Then = s.block(st.Then)
	then := s.versions(vars)
	s.cur.takeBack(before)
	if st.Else != nil {
		n.Else = s.block(st.Else)
	}
	els := s.versions(vars)
	s.cur.takeBack(before)
	phis := s.phis(vars, then, els)
	tv, ev := make([]ir.Expr, len(phis)), make([]ir.Expr, len(phis))
	results := make([]*ir.Var, len(phis))
	for i, p := range phis {
		tv[i], ev[i] = p.then, p.els
		results[i] = s.newVersion(ir.PlainVar, p.v, "phi", exprType(p.then))
	}
	if len(phis) > 0 {
		n.Then = appendYield(n.Then, tv)
		if n.Else == nil {
			n.Else = &ir.Block{}
		}
		n.Else = appendYield(n.Else, ev)
	}
	for i, p := range phis {
		s.cur.set(p.v, results[i])
	}
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

// phi is a variable that comes out of a branch, with what it is at the end of
// either side.
type phi struct {
	v         *ir.Var
	then, els ir.Expr
}

// phis are those of vars that either side changed, or both made, by name. then
// and els are what the variables are at the end of the sides, nil when they
// are nothing; what they are before the branch holds again.
func (s *ssa) phis(vars []*ir.Var, then, els []ir.Expr) []phi {
	var out []phi
	for i, v := range vars {
		b, had := s.cur.lookup(v)
		t, e := then[i], els[i]
		if had && (t != b || e != b) || !had && t != nil && e != nil {
			out = append(out, phi{v, t, e})
		}
	}
	slices.SortStableFunc(out, func(p, q phi) int { return strings.Compare(p.v.Name, q.v.Name) })
	return out
}
