package prelude

import (
	"slices"

	"pypto-ls/ir"
)

// The repair steps of spec 11b §4.4, in order: dead carries, missing initial
// values, dangling yields, dangling branch results.

// dropDeadCarries removes carries that their loop does not read and whose
// results no later statement of the same sequence reads (R1). Yields that are
// direct members of the body do not count as reading.
func dropDeadCarries(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := make([]ir.Stmt, len(b.Stmts))
	// What is read later matters to loops with carried values only.
	first := slices.IndexFunc(b.Stmts, func(st ir.Stmt) bool {
		l, ok := loopOf(st)
		return ok && len(l.iters) > 0
	})
	later := varSet{}
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		st := withBlocks(b.Stmts[i], dropDeadCarries)
		if l, ok := loopOf(st); ok && len(l.iters) > 0 {
			st = withoutDeadCarries(st, l, later)
		}
		out[i] = st
		if first >= 0 && i > first {
			later.addUses(b.Stmts[i])
		}
	}
	return &ir.Block{Stmts: out}
}

func withoutDeadCarries(st ir.Stmt, l loop, later varSet) ir.Stmt {
	read := varSet{}
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
		if read[a] || i < len(l.results) && later[l.results[i]] {
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
	p := &puller{h: h, known: varSet{}, pulled: varSet{}, top: top}
	out := roomFor(b)
	for _, st := range b.Stmts {
		if l, ok := loopOf(st); ok {
			p.span = st.Meta().Span
			for _, a := range l.iters {
				exprVars(a.Init, func(v *ir.Var) { p.pull(v, out) })
			}
		}
		p.known.addDefs(st)
		add(out, withBlocks(st, func(c *ir.Block) *ir.Block { return h.pullInits(c, false) }))
	}
	return out
}

type puller struct {
	h             *half
	known, pulled varSet
	top           bool
	span          ir.Span
}

func (p *puller) pull(v *ir.Var, out *ir.Block) {
	if p.known[v] || p.pulled[v] {
		return
	}
	a := p.h.m.defs[v]
	if a == nil {
		return
	}
	p.pulled[v] = true
	if p.h.pops[v] != nil {
		p.poppedInit()
	}
	operands := distinctVars(a.Value)
	n := 0
	for i := len(operands) - 1; i >= 0; i-- {
		before := len(out.Stmts)
		p.pull(operands[i], out)
		if len(out.Stmts) > before {
			n++
		}
	}
	if len(operands) > 2 && n > 1 {
		p.h.m.c.note(passExpand, p.h.m.f, p.span, "the order in which the producers of a carry's initial value are copied before the loop is not fixed")
	}
	add(out, a)
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
	seen := varSet{}
	exprVars(e, func(v *ir.Var) {
		if !seen[v] {
			seen[v] = true
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
	out := roomFor(b)
	defined := varSet{}
	for _, st := range b.Stmts {
		n := st
		if l, ok := loopOf(st); ok {
			if len(l.iters) > 0 {
				n = h.fixLoopYields(st, l, defined)
			}
		} else {
			n = withBlocks(st, h.fixYields)
		}
		add(out, n)
		defined.addDefs(st)
	}
	return out
}

func (h *half) fixLoopYields(st ir.Stmt, l loop, defined varSet) ir.Stmt {
	f := &yieldFixer{before: defined, own: varSet{}, iters: varSet{}, index: l.index}
	for _, s := range l.body.Stmts {
		f.own.addDefs(s)
	}
	for _, a := range l.iters {
		f.own[a], f.iters[a] = true, true
	}
	body := f.block(h.fixYields(l.body), l.iters)
	if f.usedIndex {
		h.m.c.note(passExpand, h.m.f, st.Meta().Span, "a loop hands on its own index, which the split may replace by the carried value")
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
	exprVars(e, func(v *ir.Var) { ok = ok && (f.own[v] || f.before[v]) })
	return ok
}

// block rewrites the yields that are direct members and those of branches,
// not of nested loops. carriers tells which carry stands for each slot.
func (f *yieldFixer) block(b *ir.Block, carriers []*ir.Var) *ir.Block {
	if b == nil {
		return nil
	}
	out := roomFor(b)
	for _, st := range b.Stmts {
		switch s := st.(type) {
		case *ir.Yield:
			st = f.yield(s, carriers)
		case *ir.If:
			c := f.carriers(s)
			st = withBlocks(st, func(b *ir.Block) *ir.Block { return f.block(b, c) })
		}
		add(out, st)
	}
	return out
}

func (f *yieldFixer) yield(y *ir.Yield, carriers []*ir.Var) ir.Stmt {
	n := &ir.Yield{StmtMeta: y.StmtMeta, Values: append([]ir.Expr(nil), y.Values...)}
	for i, e := range y.Values {
		if f.known(e) {
			continue
		}
		if f.index != nil {
			exprVars(e, func(v *ir.Var) { f.usedIndex = f.usedIndex || v == f.index })
		}
		if i < len(carriers) && carriers[i] != nil {
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
			if !ok || !f.iters[v] || i >= len(out) {
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

// fixBranches removes branch results that one of the sides cannot provide
// (R4). defined starts with the popped sources and destinations; parameters
// are not in it. It is left as it was.
func (h *half) fixBranches(b *ir.Block, defined varSet) *ir.Block {
	if b == nil {
		return nil
	}
	var added []*ir.Var
	define := func(v *ir.Var) {
		if !defined[v] {
			defined[v] = true
			added = append(added, v)
		}
	}
	out := roomFor(b)
	for _, st := range b.Stmts {
		n := st
		if l, ok := loopOf(st); ok {
			mark := len(added)
			if l.index != nil {
				define(l.index)
			}
			for _, a := range l.iters {
				define(a)
			}
			n = withLoop(st, l.iters, l.results, h.fixBranches(l.body, defined))
			for _, v := range added[mark:] {
				delete(defined, v)
			}
			added = added[:mark]
		} else if s, ok := st.(*ir.If); ok {
			c := *s
			c.Then, c.Else = h.fixBranches(s.Then, defined), h.fixBranches(s.Else, defined)
			n = withoutDangling(&c, defined)
		} else {
			n = withBlocks(st, func(c *ir.Block) *ir.Block { return h.fixBranches(c, defined) })
		}
		add(out, n)
		stmtDefs(n, define)
		for _, c := range ir.Bodies(n) {
			ir.EachStmt(c, func(s ir.Stmt) { stmtDefs(s, define) })
		}
	}
	for _, v := range added {
		delete(defined, v)
	}
	return out
}

func withoutDangling(s *ir.If, defined varSet) ir.Stmt {
	var keep []int
	for i := range s.Results {
		if provides(s.Then, i, defined) && provides(s.Else, i, defined) {
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
func provides(b *ir.Block, i int, defined varSet) bool {
	y := lastYield(b)
	if y == nil || i >= len(y.Values) {
		return true
	}
	own := varSet{}
	for _, st := range b.Stmts {
		switch s := st.(type) {
		case *ir.Assign:
			own[s.Var] = true
		case *ir.If:
			for _, r := range s.Results {
				own[r] = true
			}
		default:
			if l, ok := loopOf(st); ok {
				for _, r := range l.results {
					own[r] = true
				}
			}
		}
	}
	ok := true
	exprVars(y.Values[i], func(v *ir.Var) { ok = ok && (own[v] || defined[v]) })
	return ok
}
