package prelude

import "pypto-ls/ir"

const passCtrlFlow = "CtrlFlowTransform"

// ctrlFlowTransform turns `continue` into branches (spec 11b §6.3). Kernels
// with `break` do not compile: the first one is reported.
func ctrlFlowTransform(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() {
		return f
	}
	jumps := false
	eachJump(f.Body, func(string, ir.Stmt) { jumps = true })
	if !jumps {
		return f
	}
	t := &ctrlFlow{c: c, f: copyFunc(f)}
	t.f.Body = t.block(f.Body)
	t.left()
	return t.f
}

// left says which jumps the pass does not reach: those of loops that are
// neither sequential nor while loops. Kernels with a reported break fail anyway.
func (t *ctrlFlow) left() {
	if t.broken {
		return
	}
	eachJump(t.f.Body, func(word string, st ir.Stmt) {
		t.c.note(passCtrlFlow, t.f, st.Meta().Span, word+" in a loop that is neither sequential nor a while loop")
	})
}

// eachJump visits every jump of a body with its word.
func eachJump(b *ir.Block, visit func(word string, st ir.Stmt)) {
	ir.EachStmt(b, func(st ir.Stmt) {
		switch {
		case isBreak(st):
			visit("`break`", st)
		case isContinue(st):
			visit("`continue`", st)
		}
	})
}

type ctrlFlow struct {
	c *Ctx
	f *ir.Function
	// n numbers the results of branches that the pass makes.
	n int
	// broken is set when a break was reported.
	broken bool
}

// block transforms the loops of a sequence, inner ones first.
func (t *ctrlFlow) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		st = withBlocks(st, t.block)
		if l, ok := loopOf(st); ok {
			st = t.loop(st, l)
		}
		out.add(st)
	}
	return out.block()
}

func (t *ctrlFlow) loop(st ir.Stmt, l loop) ir.Stmt {
	if s, ok := st.(*ir.For); ok && s.Kind != ir.Sequential {
		return st
	}
	if br := jump(l.body, isBreak); br != nil {
		t.noBreak(br.Meta().Span, len(l.iters) > 0)
		return st
	}
	if jump(l.body, isContinue) == nil {
		return st
	}
	stmts := l.body.Stmts
	y := lastYield(l.body)
	var values []ir.Expr
	if y != nil {
		stmts, values = stmts[:len(stmts)-1], y.Values
	}
	p := &continuer{t: t, carries: l.iters}
	stmts, values = p.sequence(stmts, values)
	body := &ir.Block{Stmts: stmts}
	if y != nil {
		body.Stmts = append(append([]ir.Stmt(nil), stmts...), &ir.Yield{StmtMeta: y.StmtMeta, Values: values})
	}
	return withLoop(st, l.iters, l.results, body)
}

// noBreak reports a break the way the reference fails on it.
func (t *ctrlFlow) noBreak(sp ir.Span, carries bool) {
	p := Problem{Pass: passSimplify, Func: t.f.Name, Span: sp, Message: "Operator 'eq' does not accept bool dtype"}
	if carries {
		p.Pass, p.Message = "ConvertToSSA", "`break` in a loop with init_values does not compile"
	}
	t.c.Problems = append(t.c.Problems, p)
	t.broken = true
}

func isBreak(st ir.Stmt) bool    { _, ok := st.(*ir.Break); return ok }
func isContinue(st ir.Stmt) bool { _, ok := st.(*ir.Continue); return ok }

// jump finds a statement of a body that belongs to the loop itself: not one of
// a nested loop.
func jump(b *ir.Block, match func(ir.Stmt) bool) ir.Stmt {
	if b == nil {
		return nil
	}
	for _, st := range b.Stmts {
		if match(st) {
			return st
		}
		if _, nested := loopOf(st); nested {
			continue
		}
		for _, c := range ir.Bodies(st) {
			if s := jump(c, match); s != nil {
				return s
			}
		}
	}
	return nil
}

// continuer removes the continues of one loop.
type continuer struct {
	t       *ctrlFlow
	carries []*ir.Var
}

// sequence processes statements that would end in a yield of values.
func (p *continuer) sequence(stmts []ir.Stmt, values []ir.Expr) ([]ir.Stmt, []ir.Expr) {
	for i, st := range stmts {
		if isContinue(st) {
			return stmts[:i:i], p.resolve(values, stmts[:i])
		}
		s, ok := st.(*ir.If)
		if !ok || jump(&ir.Block{Stmts: []ir.Stmt{st}}, isContinue) == nil {
			continue
		}
		before, rest := stmts[:i:i], stmts[i+1:]
		switch {
		case endsInContinue(s.Then):
			return p.branch(s, true, before, append(blockStmts(s.Else), rest...), values)
		case endsInContinue(s.Else):
			return p.branch(s, false, before, append(blockStmts(s.Then), rest...), values)
		}
		return p.deeper(s, before, rest, values)
	}
	return stmts, values
}

// branch makes the path without continue one side of the branch; what stood
// before the continue on the other side is dropped.
func (p *continuer) branch(s *ir.If, then bool, before, normal []ir.Stmt, values []ir.Expr) ([]ir.Stmt, []ir.Expr) {
	p.noteHidden(s, before, normal, values)
	stmts, vals := p.sequence(normal, values)
	vals = p.resolve(vals, stmts)
	skip := &ir.Block{}
	path := &ir.Block{Stmts: append([]ir.Stmt(nil), stmts...)}
	n := &ir.If{StmtMeta: s.StmtMeta, Cond: s.Cond}
	if len(values) > 0 {
		skipped := p.resolve(values, before)
		add(skip, &ir.Yield{StmtMeta: ir.StmtMeta{Span: s.Span}, Values: skipped})
		add(path, &ir.Yield{StmtMeta: ir.StmtMeta{Span: s.Span}, Values: vals})
		n.Results = p.results(skipped, vals)
		vals = varExprs(n.Results)
	}
	n.Then, n.Else = skip, path
	if !then {
		n.Then, n.Else = path, skip
	}
	return append(before, n), vals
}

// noteHidden marks a yielded variable from before the branch: on the normal path
// the carry takes its place, unless what stands before the branch counts for it.
func (p *continuer) noteHidden(s *ir.If, before, normal []ir.Stmt, values []ir.Expr) {
	early, late := directlyAssigned(before), directlyAssigned(normal)
	for _, e := range values {
		if v, ok := e.(*ir.Var); ok && early.has(v) && !late.has(v) {
			p.t.c.note(passCtrlFlow, p.t.f, s.Span, "the loop yields `"+v.Name+"`, which is assigned before the branch that continues")
		}
	}
}

// deeper handles a branch with a continue further inside: the statements after
// it run even when that continue was taken.
func (p *continuer) deeper(s *ir.If, before, rest []ir.Stmt, values []ir.Expr) ([]ir.Stmt, []ir.Expr) {
	n := *s
	side := func(b *ir.Block) *ir.Block {
		if b == nil {
			return nil
		}
		stmts := b.Stmts
		y := lastYield(b)
		var own []ir.Expr
		if y != nil {
			stmts, own = stmts[:len(stmts)-1], y.Values
		}
		stmts, own = p.sequence(stmts, own)
		out := &ir.Block{Stmts: append([]ir.Stmt(nil), stmts...)}
		if y != nil {
			add(out, &ir.Yield{StmtMeta: y.StmtMeta, Values: own})
		}
		return out
	}
	n.Then, n.Else = side(s.Then), side(s.Else)
	if len(values) > 0 {
		p.t.c.note(passCtrlFlow, p.t.f, s.Span, "a `continue` deep inside a branch of a loop with init_values")
	}
	stmts, vals := p.sequence(rest, values)
	return append(append(before, &n), stmts...), vals
}

// results are the variables that take the values of both sides.
func (p *continuer) results(skipped, normal []ir.Expr) []*ir.Var {
	var out []*ir.Var
	for i, e := range skipped {
		name := "t"
		for _, x := range []ir.Expr{e, normal[i]} {
			if v, ok := x.(*ir.Var); ok {
				name = baseName(v.Name)
				break
			}
		}
		var sp ir.Span
		if i < len(p.carries) {
			sp = p.carries[i].Span
		}
		out = append(out, p.t.f.NewVar(ir.PlainVar, name+"__phi_v"+itoa(p.t.n), exprType(e), sp))
		p.t.n++
	}
	return out
}

// resolve replaces yielded variables that the statements so far do not assign
// by the carry of their place.
func (p *continuer) resolve(values []ir.Expr, before []ir.Stmt) []ir.Expr {
	assigned := directlyAssigned(before)
	for _, a := range p.carries {
		assigned.add(a)
	}
	out := append([]ir.Expr(nil), values...)
	for i, e := range values {
		if v, ok := e.(*ir.Var); ok && !assigned.has(v) && i < len(p.carries) {
			out[i] = p.carries[i]
		}
	}
	return out
}

func directlyAssigned(stmts []ir.Stmt) varSet {
	out := newVarSet(0)
	for _, st := range stmts {
		ir.EachDef(st, out.add)
	}
	return out
}

func endsInContinue(b *ir.Block) bool {
	return b != nil && isContinue(lastStmt(b.Stmts))
}

func blockStmts(b *ir.Block) []ir.Stmt {
	if b == nil {
		return nil
	}
	return append([]ir.Stmt(nil), b.Stmts...)
}
