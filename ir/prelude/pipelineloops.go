package prelude

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const passPipeline = "LowerPipelineLoops"

// lowerPipelineLoops replicates the bodies of `pl.pipeline` loops, one clone a
// stage, and tags the tiles of each clone (spec 11 §6.5).
func lowerPipelineLoops(c *Ctx, f *ir.Function) *ir.Function {
	if !hasPipeline(f.Body) {
		return f
	}
	g := copyFunc(f)
	p := &pipeliner{c: c, f: g}
	g.Body = p.block(f.Body)
	return g
}

func hasPipeline(b *ir.Block) bool {
	found := false
	ir.EachStmt(b, func(s ir.Stmt) {
		if l, ok := s.(*ir.For); ok && l.Kind == ir.Pipeline {
			found = true
		}
	})
	return found
}

type pipeliner struct {
	c     *Ctx
	f     *ir.Function
	group int
	made  nodes
}

func stagesOf(l *ir.For) (int64, bool) {
	v, ok := ir.FindAttr(l.Attrs, "pipeline_stages")
	if !ok {
		return 1, true
	}
	n, ok := v.(int64)
	return n, ok
}

// block lowers the pipeline loops in b, nested ones first.
func (p *pipeliner) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		st = withBlocks(st, p.block)
		l, ok := st.(*ir.For)
		if !ok || l.Kind != ir.Pipeline {
			out.add(st)
			continue
		}
		for _, n := range p.loop(l) {
			out.add(n)
		}
	}
	return out.block()
}

func (p *pipeliner) loop(l *ir.For) []ir.Stmt {
	stages, ok := stagesOf(l)
	step, constStep := ir.ConstValue(l.Step)
	if !ok || !constStep || step == 0 {
		p.c.note(passPipeline, p.f, l.Span, "the stage count or step of a pipeline loop is not constant")
		return []ir.Stmt{l}
	}
	if stages <= 1 {
		return []ir.Stmt{l}
	}
	if !p.c.grow(passPipeline, p.f, l.Span, p.clones(l, stages), stmtCount(l.Body)) {
		return []ir.Stmt{l}
	}
	start, ok1 := ir.ConstValue(l.Start)
	_, ok2 := ir.ConstValue(l.Stop)
	if ok1 && ok2 {
		n, _ := trips(l.Start, l.Stop, l.Step)
		return p.static(l, stages, start, step, n)
	}
	if step < 0 {
		p.c.note(passPipeline, p.f, l.Span, "a pipeline loop with dynamic bounds counts down")
		return []ir.Stmt{l}
	}
	return p.dynamic(l, stages, step)
}

// clones is how many clones of the body lowering l makes, at most; one too
// many for any function when there is no telling.
func (p *pipeliner) clones(l *ir.For, stages int64) int64 {
	if n, ok := trips(l.Start, l.Stop, l.Step); ok {
		main, rem := min(stages, n), n%stages
		if n < stages {
			main = 0
		}
		return main + rem
	}
	if stages > maxGrown {
		return stages
	}
	return stages + stages*(stages-1)/2
}

// static lowers a loop with constant bounds: a main loop and inline clones for
// what is left over.
func (p *pipeliner) static(l *ir.For, stages, start, step, n int64) []ir.Stmt {
	if n == 0 {
		d := *l
		d.Kind = ir.Sequential
		d.Attrs = withoutAttrs(l.Attrs, pipelineAttrs...)
		return []ir.Stmt{&d}
	}
	main, rem := n/stages, n%stages
	var out []ir.Stmt
	carried := initsOf(l)
	if main > 0 {
		results := l.Results
		if rem > 0 {
			results = p.mainResults(l)
		}
		stop := start + main*stages*step
		out = append(out, p.mainLoop(l, stages, step, constLike(l.Stop, stop), results))
		carried = varExprs(results)
	}
	if rem == 0 {
		return out
	}
	base := start + main*stages*step
	clones, values := p.replicate(l, rem, constLike(l.Start, base), step, carried)
	out = append(out, clones...)
	for i, r := range l.Results {
		out = append(out, &ir.Assign{StmtMeta: ir.StmtMeta{Span: l.Span}, Var: r, Value: values[i]})
	}
	return out
}

func constLike(like ir.Expr, v int64) ir.Expr {
	if c, ok := like.(*ir.ConstInt); ok {
		return &ir.ConstInt{Value: v, DType: c.DType}
	}
	return ir.Index(v)
}

func initsOf(l *ir.For) []ir.Expr {
	var out []ir.Expr
	for _, a := range l.IterArgs {
		out = append(out, a.Init)
	}
	return out
}

func varExprs(vs []*ir.Var) []ir.Expr {
	var out []ir.Expr
	for _, v := range vs {
		out = append(out, v)
	}
	return out
}

func (p *pipeliner) mainResults(l *ir.For) []*ir.Var {
	var out []*ir.Var
	for _, r := range l.Results {
		out = append(out, p.f.NewVar(ir.PlainVar, r.Name+"_main", r.Type, r.Span))
	}
	return out
}

// mainLoop is the loop over whole rounds of all stages; it stays a pipeline
// loop, with stage 1.
func (p *pipeliner) mainLoop(l *ir.For, stages, step int64, stop ir.Expr, results []*ir.Var) ir.Stmt {
	m := *l
	m.Stop = stop
	m.Step = constLike(l.Step, step*stages)
	m.Results = results
	m.Attrs = append([]ir.Attr(nil), l.Attrs...)
	for i := range m.Attrs {
		if m.Attrs[i].Key == "pipeline_stages" {
			m.Attrs[i].Value = int64(1)
		}
	}
	body, values := p.replicate(l, stages, l.Var, step, varExprs(l.IterArgs))
	if len(values) > 0 {
		y := &ir.Yield{Values: values}
		if old := lastYield(l.Body); old != nil {
			y.StmtMeta = old.StmtMeta
		}
		body = append(body, y)
	}
	m.Body = &ir.Block{Stmts: body}
	return &m
}

// replicate makes n clones of the loop's body, clone k for index base+k*step,
// each continuing from the values the one before yields.
func (p *pipeliner) replicate(l *ir.For, n int64, base ir.Expr, step int64, carried []ir.Expr) ([]ir.Stmt, []ir.Expr) {
	group := p.group
	p.group++
	doubleC := attrTrue(l.Attrs, "pipeline_double_buffer_c")
	stmts := l.Body.Stmts
	y := lastYield(l.Body)
	if y != nil {
		stmts = stmts[:len(stmts)-1]
	}
	c := &cloner{f: p.f, sub: p.made.subst(2 * len(stmts))}
	// Room for a yield, or for the results of the loop, behind the clones.
	out := make([]ir.Stmt, 0, int(n)*len(stmts)+1+len(l.Results))
	for k := range n {
		tag := any(strconv.Itoa(group) + ":" + strconv.FormatInt(k, 10))
		c.assign = func(a *ir.Assign, value ir.Expr) ir.Expr { return p.made.tagged(a, value, tag, doubleC) }
		c.sub.reset()
		c.sub.set(l.Var, indexAt(base, k*step))
		for i, a := range l.IterArgs {
			c.sub.set(a, carried[i])
		}
		out = c.add(out, stmts)
		if y != nil {
			carried = c.sub.list(y.Values)
		}
	}
	return out, carried
}

// indexAt is base + off: folded for constants, base itself for 0.
func indexAt(base ir.Expr, off int64) ir.Expr {
	if c, ok := base.(*ir.ConstInt); ok {
		return &ir.ConstInt{Value: c.Value + off, DType: c.DType}
	}
	if off == 0 {
		return base
	}
	d := ir.INDEX
	if s, ok := exprType(base).(*ir.ScalarType); ok {
		d = s.DType
	}
	return &ir.Binary{Op: ir.Add, X: base, Y: &ir.ConstInt{Value: off, DType: d}, DType: d}
}

func attrTrue(attrs []ir.Attr, key string) bool {
	v, _ := ir.FindAttr(attrs, key)
	return v == true
}

// tagged appends a stage, a string, to the membership of a tile-defining call.
// value is what a assigns, a copy of it where it is not a's own.
func (m *nodes) tagged(a *ir.Assign, value ir.Expr, tag any, doubleC bool) ir.Expr {
	call, ok := value.(*ir.Call)
	t := tileOf(a.Var)
	if !ok || t == nil {
		return value
	}
	if strings.HasPrefix(call.Name, "tile.matmul") && t.Space == platforms.Acc && !doubleC {
		return call
	}
	c := call
	if value == a.Value {
		c = m.call(call)
	}
	c.Attrs = append(m.attrs.Make(len(call.Attrs) + 1)[:0], call.Attrs...)
	for i := range c.Attrs {
		if c.Attrs[i].Key == "pipeline_membership" {
			if s, ok := c.Attrs[i].Value.(string); ok && s != "" {
				c.Attrs[i].Value = s + ";" + tag.(string)
				return c
			}
		}
	}
	c.Attrs = append(c.Attrs, ir.Attr{Key: "pipeline_membership", Value: tag})
	return c
}

// dynamic lowers a loop with symbolic bounds: main loop, remainder, and a
// chain of branches for 1 … stages-1 left-over iterations.
func (p *pipeliner) dynamic(l *ir.For, stages, step int64) []ir.Stmt {
	meta := ir.StmtMeta{Span: l.Span}
	count := bin(ir.Sub, l.Stop, l.Start)
	if step != 1 {
		count = bin(ir.FloorDiv, bin(ir.Add, count, ir.Index(step-1)), ir.Index(step))
	}
	end := p.f.NewVar(ir.PlainVar, "unroll_main_end", &ir.ScalarType{DType: ir.INDEX}, l.Var.Span)
	rem := p.f.NewVar(ir.PlainVar, "unroll_rem", &ir.ScalarType{DType: ir.INDEX}, l.Var.Span)
	mains := bin(ir.FloorDiv, count, ir.Index(stages))
	endValue := bin(ir.Add, l.Start, bin(ir.Mul, mains, ir.Index(stages*step)))
	left := bin(ir.Sub, l.Stop, end)
	if step != 1 { // recorded: not from the end, which would do as well
		left = bin(ir.Sub, count, bin(ir.Mul, mains, ir.Index(stages)))
	}
	results := p.mainResults(l)
	out := []ir.Stmt{
		&ir.Assign{StmtMeta: meta, Var: end, Value: endValue},
		p.mainLoop(l, stages, step, end, results),
		&ir.Assign{StmtMeta: meta, Var: rem, Value: left},
	}
	var chain ir.Stmt
	var below []*ir.Var
	for n := stages - 1; n >= 1; n-- {
		clones, values := p.replicate(l, n, end, step, varExprs(results))
		br := &ir.If{StmtMeta: meta, Cond: bin(ir.Eq, rem, ir.Index(n))}
		if len(values) > 0 {
			clones = append(clones, &ir.Yield{StmtMeta: meta, Values: values})
		}
		br.Then = &ir.Block{Stmts: clones}
		if chain != nil {
			br.Else = &ir.Block{Stmts: []ir.Stmt{chain}}
		}
		if len(l.Results) > 0 {
			rest := varExprs(results)
			if chain != nil {
				rest = varExprs(below)
			} else {
				br.Else = &ir.Block{}
			}
			br.Else.Stmts = append(br.Else.Stmts, &ir.Yield{StmtMeta: meta, Values: rest})
			below = l.Results
			if n > 1 {
				below = nil
				for _, r := range l.Results {
					below = append(below, p.f.NewVar(ir.PlainVar, r.Name+"_rem"+itoa(int(n)), r.Type, r.Span))
				}
			}
			br.Results = below
		}
		chain = br
	}
	return append(out, chain)
}

func bin(op ir.BinOp, x, y ir.Expr) ir.Expr {
	d := ir.INDEX
	if op.IsCompare() {
		d = ir.BOOL
	} else if s, ok := exprType(x).(*ir.ScalarType); ok {
		d = s.DType
	}
	return &ir.Binary{Op: op, X: x, Y: y, DType: d}
}

var pipelineAttrs = []string{"pipeline_stages", "pipeline_overlap_stores", "pipeline_double_buffer_c"}

func withoutAttrs(attrs []ir.Attr, keys ...string) []ir.Attr {
	var out []ir.Attr
next:
	for _, a := range attrs {
		for _, k := range keys {
			if a.Key == k {
				continue next
			}
		}
		out = append(out, a)
	}
	return out
}
