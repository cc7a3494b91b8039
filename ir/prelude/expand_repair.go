package prelude

import "pypto-ls/ir"

// The repair steps of spec 11b §4.4, in order: dead carries, missing initial
// values, dangling yields, dangling branch results.

// dropDeadCarries removes carries that their loop does not read and whose
// results no later statement of the same sequence reads (R1). Yields that are
// direct members of the body do not count as reading.
func dropDeadCarries(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	var out []ir.Stmt
	// later are the uses in the statements from position seen on.
	var later varSet
	seen := len(b.Stmts)
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		st := withBlocks(b.Stmts[i], dropDeadCarries)
		if l, ok := loopOf(st); ok && len(l.iters) > 0 {
			if later == nil {
				later = newVarSet(0)
			}
			for seen > i+1 {
				seen--
				later.addUses(b.Stmts[seen])
			}
			st = withoutDeadCarries(st, l, later)
		}
		if st != b.Stmts[i] {
			if out == nil {
				out = append([]ir.Stmt(nil), b.Stmts...)
			}
			out[i] = st
		}
	}
	if out == nil {
		return b
	}
	return &ir.Block{Stmts: out}
}

func withoutDeadCarries(st ir.Stmt, l loop, later varSet) ir.Stmt {
	read := newVarSet(0)
	if l.cond != nil {
		exprVars(l.cond, read.add)
	}
	for _, s := range l.body.Stmts {
		if _, yield := s.(*ir.Yield); !yield {
			read.addUses(s)
		}
	}
	var keep []int
	for i, a := range l.iters {
		if read.has(a) || i < len(l.results) && later.has(l.results[i]) {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(l.iters) {
		return st
	}
	return withLoop(st, keepVars(l.iters, keep), keepVars(l.results, keep), keepYields(l.body, keep))
}

// pullInits puts copies of the assignments that produce a carry's initial
// value before its loop where the sequence itself does not define it (R2).
func (h *half) pullInits(b *ir.Block, top bool) *ir.Block {
	if b == nil {
		return nil
	}
	p := &puller{h: h, top: top, out: rewrite(b)}
	seen := 0 // statements whose definitions are known
	for i, st := range b.Stmts {
		if l, ok := loopOf(st); ok && len(l.iters) > 0 {
			if p.known == nil {
				p.known, p.pulled = newVarSet(0), newVarSet(0)
			}
			for ; seen < i; seen++ {
				p.known.addDefs(b.Stmts[seen])
			}
			p.span = st.Meta().Span
			for _, a := range l.iters {
				exprVars(a.Init, p.pull)
			}
		}
		p.out.add(withBlocks(st, func(c *ir.Block) *ir.Block { return h.pullInits(c, false) }))
	}
	return p.out.block()
}

type puller struct {
	h             *half
	known, pulled varSet
	top           bool
	span          ir.Span
	out           rewriting
	copies        int // of assignments made so far
}

func (p *puller) pull(v *ir.Var) {
	if p.known.has(v) || p.pulled.has(v) {
		return
	}
	a := p.h.m.definition(v)
	if a == nil {
		return
	}
	if call, ok := a.Value.(*ir.Call); ok && call.Op != nil && call.Op.CrossCore == "TPop" {
		return // a pop that the author wrote is never copied
	}
	p.pulled.add(v)
	if p.h.pops.get(v) != nil {
		p.poppedInit()
	}
	operands := distinctVars(a.Value)
	n := 0
	for i := len(operands) - 1; i >= 0; i-- {
		before := p.copies
		p.pull(operands[i])
		if p.copies > before {
			n++
		}
	}
	if len(operands) > 2 && n > 1 {
		p.h.m.c.note(passExpand, p.h.m.f, p.span, "the order in which the producers of a carry's initial value are copied before the loop is not fixed")
	}
	p.copies++
	p.out.add(a)
}

// poppedInit reports a carry that starts from a tile of the other core (spec
// 11b §4.4, consequence c).
func (p *puller) poppedInit() {
	m := p.h.m
	m.c.note(passExpand, m.f, p.span, "a loop carry starts from a tile that was just moved from the other core; put an operation between the move and the loop")
	if p.top && !p.h.refused {
		p.h.refused = true
		m.c.problem("StampTfreeSplit", m.f, p.span, "system.tfree_to_"+p.h.side.other().suffix()+noOriginatingPop)
	}
}

// distinctVars are the variables of an expression in order of first mention.
func distinctVars(e ir.Expr) []*ir.Var {
	var out []*ir.Var
	seen := newVarSet(0)
	exprVars(e, func(v *ir.Var) {
		if !seen.has(v) {
			seen.add(v)
			out = append(out, v)
		}
	})
	return out
}

// fixYields makes loops with carries yield the carry where the yielded value
// is not available in this half (R3). Each sequence starts without known
// definitions; bodies of loops without carries are not looked at.
func (h *half) fixYields(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	var defined varSet
	seen := 0 // statements whose definitions are in defined
	for i, st := range b.Stmts {
		n := st
		if l, ok := loopOf(st); ok {
			if len(l.iters) > 0 {
				if defined == nil {
					defined = newVarSet(0)
				}
				for ; seen < i; seen++ {
					defined.addDefs(b.Stmts[seen])
				}
				n = h.fixLoopYields(st, l, defined)
			}
		} else {
			n = withBlocks(st, h.fixYields)
		}
		out.add(n)
	}
	return out.block()
}

func (h *half) fixLoopYields(st ir.Stmt, l loop, defined varSet) ir.Stmt {
	f := &yieldFixer{before: defined, own: newVarSet(0), iters: newVarSet(0), index: l.index}
	for _, s := range l.body.Stmts {
		f.own.addDefs(s)
	}
	for _, a := range l.iters {
		f.own.add(a)
		f.iters.add(a)
	}
	body := l.body
	if body != nil {
		body = f.block(h.fixYields(body), l.iters)
	}
	if f.usedIndex {
		h.m.c.note(passExpand, h.m.f, st.Meta().Span, "a loop hands on its own index, which the split may replace by the carried value")
	}
	if body == l.body {
		return st
	}
	return withLoop(st, l.iters, l.results, body)
}

// yieldFixer rewrites the yields of one loop. Known are the definitions of
// earlier statements, those of the body and the carries.
type yieldFixer struct {
	before, own, iters varSet
	index              *ir.Var
	usedIndex          bool
}

func (f *yieldFixer) known(e ir.Expr) bool {
	ok := true
	exprVars(e, func(v *ir.Var) { ok = ok && (f.own.has(v) || f.before.has(v)) })
	return ok
}

// block rewrites the yields that are direct members and those of branches,
// not of nested loops. carriers tells which carry stands for each slot.
func (f *yieldFixer) block(b *ir.Block, carriers []*ir.Var) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		switch s := st.(type) {
		case *ir.Yield:
			st = f.yield(s, carriers)
		case *ir.If:
			c := f.carriers(s)
			st = withBlocks(st, func(b *ir.Block) *ir.Block { return f.block(b, c) })
		}
		out.add(st)
	}
	return out.block()
}

func (f *yieldFixer) yield(y *ir.Yield, carriers []*ir.Var) ir.Stmt {
	n := y
	for i, e := range y.Values {
		if f.known(e) {
			continue
		}
		if f.index != nil {
			exprVars(e, func(v *ir.Var) { f.usedIndex = f.usedIndex || v == f.index })
		}
		if i < len(carriers) && carriers[i] != nil {
			if n == y {
				n = &ir.Yield{StmtMeta: y.StmtMeta, Values: append([]ir.Expr(nil), y.Values...)}
			}
			n.Values[i] = carriers[i]
		}
	}
	return n
}

// carriers are, for each result of a branch, the carry that one of the two
// sides yields directly.
func (f *yieldFixer) carriers(s *ir.If) []*ir.Var {
	out := make([]*ir.Var, len(s.Results))
	clash := make([]bool, len(s.Results))
	for _, b := range []*ir.Block{s.Then, s.Else} {
		y := lastYield(b)
		if y == nil {
			continue
		}
		for i, e := range y.Values {
			v, ok := e.(*ir.Var)
			if !ok || !f.iters.has(v) || i >= len(out) {
				continue
			}
			if out[i] != nil && out[i] != v {
				clash[i] = true
			}
			out[i] = v
		}
	}
	for i := range out {
		if clash[i] {
			out[i] = nil
		}
	}
	return out
}

// hasBranchResults reports whether any branch has results.
func hasBranchResults(b *ir.Block) bool {
	found := false
	ir.WalkStmts(b, func(st ir.Stmt) bool {
		s, ok := st.(*ir.If)
		found = found || ok && len(s.Results) > 0
		return !found
	})
	return found
}

// fixBranches removes branch results that one of the sides cannot provide
// (R4). defined starts with the popped sources and destinations; parameters
// are not in it. It is left as it was.
func (h *half) fixBranches(b *ir.Block, defined varSet) *ir.Block {
	if b == nil {
		return nil
	}
	whole := defined.mark()
	fix := func(c *ir.Block) *ir.Block { return h.fixBranches(c, defined) }
	out := rewrite(b)
	for _, st := range b.Stmts {
		n := st
		if l, ok := loopOf(st); ok {
			mark := defined.mark()
			if l.index != nil {
				defined.add(l.index)
			}
			for _, a := range l.iters {
				defined.add(a)
			}
			n = withBlocks(st, fix)
			defined.takeBack(mark)
		} else {
			n = withBlocks(st, fix)
			if s, ok := n.(*ir.If); ok {
				n = withoutDangling(s, defined)
			}
		}
		out.add(n)
		defined.addDefs(n)
	}
	defined.takeBack(whole)
	return out.block()
}

func withoutDangling(s *ir.If, defined varSet) ir.Stmt {
	if len(s.Results) == 0 {
		return s
	}
	var keep []int
	then, els := ownDefs(s.Then), ownDefs(s.Else)
	for i := range s.Results {
		if provides(s.Then, i, then, defined) && provides(s.Else, i, els, defined) {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(s.Results) {
		return s
	}
	n := *s
	n.Results = keepVars(s.Results, keep)
	n.Then = keepYields(s.Then, keep)
	if s.Else != nil {
		n.Else = keepYields(s.Else, keep)
	}
	return &n
}

// provides reports whether a branch yields a value for slot i that is known or
// defined at the branch's own level.
func provides(b *ir.Block, i int, own, defined varSet) bool {
	y := lastYield(b)
	if y == nil || i >= len(y.Values) {
		return true
	}
	ok := true
	exprVars(y.Values[i], func(v *ir.Var) { ok = ok && (own.has(v) || defined.has(v)) })
	return ok
}

// ownDefs are the variables that a block defines at its own level.
func ownDefs(b *ir.Block) varSet {
	if b == nil {
		return nil
	}
	own := newVarSet(0)
	for _, st := range b.Stmts {
		switch s := st.(type) {
		case *ir.Assign:
			own.add(s.Var)
		case *ir.If:
			for _, r := range s.Results {
				own.add(r)
			}
		default:
			if l, ok := loopOf(st); ok {
				for _, r := range l.results {
					own.add(r)
				}
			}
		}
	}
	return own
}
