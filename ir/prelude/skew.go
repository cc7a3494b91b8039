package prelude

import (
	"strconv"

	"pypto-ls/ir"
)

const (
	passSkew = "SkewCrossCorePipeline"
	// firstSkewGroup keeps the pipeline groups of skewed loops apart from those
	// that LowerPipelineLoops counts.
	firstSkewGroup = 1048576
)

// skewCrossCorePipeline lets the producer of a pipelined exchange run ahead of
// its consumer: the produce part of the first iterations moves before the loop,
// the consume part of the last ones after it. Exchanges that cannot be taken
// apart become sequential loops (spec 09 §9).
func skewCrossCorePipeline(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() || !hasPipeline(f.Body) {
		return f
	}
	g := copyFunc(f)
	s := &skewer{c: c, f: g, group: firstSkewGroup}
	g.Body = s.block(f.Body)
	return g
}

type skewer struct {
	c     *Ctx
	f     *ir.Function
	group int
}

func (s *skewer) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		st = withBlocks(st, s.block)
		l, ok := st.(*ir.For)
		if !ok || l.Kind != ir.Pipeline || !s.exchanges(l) {
			out.add(st)
			continue
		}
		if stmts := s.skew(l); stmts != nil {
			out.addAll(&ir.Block{Stmts: stmts})
			continue
		}
		d := *l
		d.Kind = ir.Sequential
		d.Attrs = withoutAttrs(l.Attrs, pipelineAttrs...)
		out.add(&d)
	}
	return out.block()
}

func crossCoreRole(st ir.Stmt) string {
	if c := callOf(st); c != nil && c.Op != nil {
		return c.Op.CrossCore
	}
	return ""
}

// exchanges reports a pipeline of several stages with a push and a pop at the
// top level of its body.
func (s *skewer) exchanges(l *ir.For) bool {
	if n, ok := stagesOf(l); !ok || n <= 1 {
		return false
	}
	push, pop := s.topLevel(l)
	return push > 0 && pop > 0
}

func (s *skewer) topLevel(l *ir.For) (push, pop int) {
	for _, st := range l.Body.Stmts {
		switch crossCoreRole(st) {
		case "TPush":
			push++
		case "TPop":
			pop++
		}
	}
	return push, pop
}

// skew takes a loop apart; nil when it has to stay whole.
func (s *skewer) skew(l *ir.For) []ir.Stmt {
	start, ok1 := ir.ConstValue(l.Start)
	_, ok2 := ir.ConstValue(l.Stop)
	step, ok3 := ir.ConstValue(l.Step)
	n, ok := trips(l.Start, l.Stop, l.Step)
	if !ok1 || !ok2 || !ok3 || !ok || n < 2 {
		return nil
	}
	if push, pop := s.topLevel(l); push != 1 || pop != 1 {
		return nil
	}
	s.noteNested(l)
	p, ok := s.split(l)
	if !ok {
		return nil
	}
	stages, _ := stagesOf(l)
	p.depth = skewDepth(stages, n)
	p.start, p.step, p.trips = start, step, n
	p.tag = strconv.Itoa(s.group)
	s.group++
	return p.build()
}

// skewDepth is the largest d <= max(2, stages-1) that divides the trip count
// and leaves at least one steady iteration.
func skewDepth(stages, trips int64) int64 {
	for d := max(2, stages-1); d > 1; d-- {
		if trips%d == 0 && trips >= 2*d {
			return d
		}
	}
	return 1
}

// noteNested says that transfers below the top level were not counted.
func (s *skewer) noteNested(l *ir.For) {
	for _, st := range l.Body.Stmts {
		for _, b := range ir.Bodies(st) {
			ir.EachStmt(b, func(n ir.Stmt) {
				if r := crossCoreRole(n); r == "TPush" || r == "TPop" {
					s.c.note(passSkew, s.f, n.Meta().Span, "a transfer inside a nested loop or branch of a pipelined exchange")
				}
			})
		}
	}
}

// skewed is a loop taken apart.
type skewed struct {
	s                *skewer
	l                *ir.For
	produce, consume []ir.Stmt
	start, step      int64
	trips, depth     int64
	tag              string
}

// split finds the first transfer and everything it needs. It fails when that
// uses carried values, or when a tile or tensor of it is used elsewhere.
func (s *skewer) split(l *ir.For) (*skewed, bool) {
	stmts := l.Body.Stmts
	def := map[*ir.Var]int{}
	for i, st := range stmts {
		ir.EachDef(st, func(v *ir.Var) { def[v] = i })
	}
	lead := 0
	for crossCoreRole(stmts[lead]) != "TPush" && crossCoreRole(stmts[lead]) != "TPop" {
		lead++
	}
	slice := backwardSlice(stmts, def, lead)
	carried := newVarSet(0)
	for _, a := range l.IterArgs {
		carried.add(a)
	}
	p := &skewed{s: s, l: l}
	rest := newVarSet(0)
	for i, st := range stmts {
		if !slice[i] {
			rest.addUses(st)
			continue
		}
		if mentionsAny(st, carried) {
			return nil, false
		}
		p.produce = append(p.produce, st)
	}
	again := map[int]bool{}
	for v := range rest.all() {
		i, ok := def[v]
		if !ok || !slice[i] {
			continue
		}
		if !isScalarType(v.Type) {
			return nil, false
		}
		for k := range backwardSlice(stmts, def, i) {
			again[k] = true
		}
	}
	for i := range stmts {
		// Arithmetic in both parts moves no tile: where it stands does not matter
		// to any placement.
		if a, ok := stmts[i].(*ir.Assign); again[i] && !(ok && pureScalar(a)) {
			s.c.note(passSkew, s.f, l.Span, "scalars of the loop feed both the part that runs ahead and the rest")
			break
		}
	}
	for i, st := range stmts {
		if !slice[i] || again[i] {
			p.consume = append(p.consume, st)
		}
	}
	return p, true
}

// backwardSlice are the statements that statement at needs, itself included.
func backwardSlice(stmts []ir.Stmt, def map[*ir.Var]int, at int) map[int]bool {
	slice := map[int]bool{at: true}
	work := []int{at}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		used := newVarSet(0)
		used.addUses(stmts[i])
		ir.EachDef(stmts[i], func(v *ir.Var) { typeVars(v.Type, used.add) })
		for v := range used.all() {
			if k, ok := def[v]; ok && !slice[k] {
				slice[k] = true
				work = append(work, k)
			}
		}
	}
	return slice
}

func (p *skewed) build() []ir.Stmt {
	var out []ir.Stmt
	for k := range p.depth {
		out = append(out, p.clone(p.produce, k, constLike(p.l.Start, p.start+k*p.step), nil, nil)...)
	}
	carried := initsOf(p.l)
	var results []*ir.Var
	for _, r := range p.l.Results {
		results = append(results, p.s.f.NewVar(ir.PlainVar, r.Name+"_swp", r.Type, r.Span))
	}
	out = append(out, p.steady(results))
	if len(results) > 0 {
		carried = varExprs(results)
	}
	for k := range p.depth {
		i := p.start + (p.trips-p.depth+k)*p.step
		out = append(out, p.clone(p.consume, k, constLike(p.l.Start, i), carried, &carried)...)
	}
	for i, r := range p.l.Results {
		add := &ir.Assign{StmtMeta: ir.StmtMeta{Span: p.l.Span}, Var: r, Value: carried[i]}
		out = append(out, add)
	}
	return out
}

// steady is the loop in which production runs ahead of consumption.
func (p *skewed) steady(results []*ir.Var) ir.Stmt {
	n := *p.l
	n.Kind = ir.Sequential
	n.Attrs = withoutAttrs(p.l.Attrs, pipelineAttrs...)
	n.Start = constLike(p.l.Start, p.start+p.depth*p.step)
	n.Step = constLike(p.l.Step, p.depth*p.step)
	n.Results = results
	body := &ir.Block{}
	for k := range p.depth {
		body.Stmts = append(body.Stmts, p.clone(p.produce, k, offset(p.l.Var, k*p.step), nil, nil)...)
	}
	carried := varExprs(p.l.IterArgs)
	for k := range p.depth {
		body.Stmts = append(body.Stmts, p.clone(p.consume, k, offset(p.l.Var, (k-p.depth)*p.step), carried, &carried)...)
	}
	if len(carried) > 0 {
		y := &ir.Yield{Values: carried}
		if old := lastYield(p.l.Body); old != nil {
			y.StmtMeta = old.StmtMeta
		}
		add(body, y)
	}
	n.Body = body
	return &n
}

// clone copies one part for one iteration. With carried values given, the
// part's yield tells the next ones.
func (p *skewed) clone(stmts []ir.Stmt, k int64, index ir.Expr, carried []ir.Expr, next *[]ir.Expr) []ir.Stmt {
	tag := any(p.tag + ":" + strconv.FormatInt(k, 10))
	sub := newSubst(0)
	c := &cloner{f: p.s.f, sub: sub, assign: func(a *ir.Assign, value ir.Expr) ir.Expr {
		if call, ok := value.(*ir.Call); ok && call.Op != nil && call.Op.CrossCore == "TPop" {
			return call
		}
		return sub.made.tagged(a, value, tag, true)
	}}
	c.sub.set(p.l.Var, index)
	for i, a := range p.l.IterArgs {
		if i < len(carried) {
			c.sub.set(a, carried[i])
		}
	}
	if y, ok := lastStmt(stmts).(*ir.Yield); ok && next != nil {
		out := c.stmts(stmts[:len(stmts)-1])
		*next = c.sub.list(y.Values)
		return out
	}
	return c.stmts(stmts)
}

func lastStmt(stmts []ir.Stmt) ir.Stmt {
	if len(stmts) == 0 {
		return nil
	}
	return stmts[len(stmts)-1]
}

// offset is index + off, as a difference for negative offsets.
func offset(index *ir.Var, off int64) ir.Expr {
	switch {
	case off == 0:
		return index
	case off < 0:
		return bin(ir.Sub, index, constOf(index, -off))
	}
	return bin(ir.Add, index, constOf(index, off))
}

func constOf(v *ir.Var, n int64) ir.Expr {
	d := ir.INDEX
	if s, ok := v.Type.(*ir.ScalarType); ok {
		d = s.DType
	}
	return &ir.ConstInt{Value: n, DType: d}
}
