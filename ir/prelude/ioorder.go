package prelude

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// canonicalizeIOOrder sorts the statements in bodies of pipeline loops, loads
// first and stores last within their stage, and makes the loops sequential
// (spec 11 §6.6).
func canonicalizeIOOrder(c *Ctx, f *ir.Function) *ir.Function {
	if !hasPipeline(f.Body) {
		return f
	}
	g := copyFunc(f)
	g.Body = orderOutside(f.Body)
	return g
}

// orderOutside leaves statements alone and enters pipeline loops.
func orderOutside(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		if l, ok := st.(*ir.For); ok && l.Kind == ir.Pipeline {
			out.add(orderLoop(l))
			continue
		}
		out.add(withBlocks(st, orderOutside))
	}
	return out.block()
}

func orderLoop(l *ir.For) ir.Stmt {
	o := &ioOrder{
		doubleC: attrTrue(l.Attrs, "pipeline_double_buffer_c"),
	}
	if v, ok := ir.FindAttr(l.Attrs, "pipeline_overlap_stores"); ok && v == false && !o.doubleC {
		o.storesLate = true
	}
	n := *l
	n.Kind = ir.Sequential
	n.Attrs = withoutAttrs(l.Attrs, pipelineAttrs...)
	n.Body = o.block(l.Body)
	return &n
}

type ioOrder struct {
	doubleC bool
	// storesLate: stores count like any other statement.
	storesLate bool
}

// block orders one sequence and everything nested in it.
func (o *ioOrder) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	nested := rewrite(b)
	for _, st := range b.Stmts {
		if l, ok := st.(*ir.For); ok && l.Kind == ir.Pipeline {
			nested.add(orderLoop(l))
			continue
		}
		nested.add(withBlocks(st, o.block))
	}
	out := rewrite(b)
	for _, st := range o.sort(nested.block().Stmts) {
		if o.doubleC {
			st = modStage(st)
		}
		out.add(st)
	}
	return out.block()
}

// ioRank is what statements are ordered by.
type ioRank struct {
	tier  int
	pair  int // stage div 2, double-buffered C only
	stage string
	sub   int
	num   int // stage number, double-buffered C only
}

func (a *ioRank) less(b *ioRank) bool {
	switch {
	case a.tier != b.tier:
		return a.tier < b.tier
	case a.pair != b.pair:
		return a.pair < b.pair
	case a.stage != b.stage:
		return a.stage < b.stage
	case a.sub != b.sub:
		return a.sub < b.sub
	}
	return a.num < b.num
}

// ioNode is a statement while its sequence is sorted: how many others it waits
// for, and which wait for it.
type ioNode struct {
	rank  ioRank
	waits int
	after []int
	done  bool
}

// sort is stmts in order.
func (o *ioOrder) sort(stmts []ir.Stmt) []ir.Stmt {
	if len(stmts) < 2 {
		return stmts
	}
	var tail []ir.Stmt
	switch stmts[len(stmts)-1].(type) {
	case *ir.Yield, *ir.Return, *ir.Break, *ir.Continue:
		tail = stmts[len(stmts)-1:]
		stmts = stmts[:len(stmts)-1]
	}
	n := len(stmts)
	def := newVarTable[int](n)
	order := make([]ioNode, n)
	for j, st := range stmts {
		nestedUses(st, func(v *ir.Var) {
			i, ok := def.lookup(v)
			if !ok {
				return
			}
			if d := &order[i]; len(d.after) == 0 || d.after[len(d.after)-1] != j {
				d.after = append(d.after, j)
				order[j].waits++
			}
		})
		order[j].rank = o.rank(st, stmts, def)
		ir.EachDef(st, func(v *ir.Var) { def.set(v, j) })
	}
	out := make([]ir.Stmt, 0, n+1)
	for len(out) < n {
		best := -1
		for i := range n {
			if c := &order[i]; !c.done && c.waits == 0 && (best < 0 || c.rank.less(&order[best].rank)) {
				best = i
			}
		}
		order[best].done = true
		out = append(out, stmts[best])
		for _, j := range order[best].after {
			order[j].waits--
		}
	}
	return append(out, tail...)
}

// rank is the category and stage of a statement; def tells where the
// sequence's variables are defined.
func (o *ioOrder) rank(st ir.Stmt, stmts []ir.Stmt, def *varTable[int]) ioRank {
	var call *ir.Call
	var target *ir.Var
	switch st := st.(type) {
	case *ir.Assign:
		call, _ = st.Value.(*ir.Call)
		target = st.Var
	case *ir.Eval:
		call, _ = st.X.(*ir.Call)
	}
	if call != nil && isLoad(call, target) {
		return ioRank{tier: 1}
	}
	r := ioRank{tier: 2}
	switch {
	case call != nil && isStore(call, o.doubleC):
		if !o.storesLate {
			r.sub = 1
		}
	case target != nil && isScalarType(target.Type):
		return ioRank{}
	}
	text := o.stage(st, call, stmts, def)
	if o.doubleC {
		s := firstStage(text)
		r.pair, r.num = s/2, s
		return r
	}
	r.stage = text
	return r
}

func isScalarType(t ir.Type) bool {
	_, ok := t.(*ir.ScalarType)
	return ok
}

func isLoad(c *ir.Call, target *ir.Var) bool {
	switch c.Name {
	case "tile.load", "tile.read":
		return true
	case "tile.extract":
		if target == nil || len(c.Args) == 0 {
			return false
		}
		src, dst := tileOf(c.Args[0]), tileOf(target)
		return src != nil && dst != nil && src.Space == platforms.Mat && (dst.Space == platforms.Left || dst.Space == platforms.Right)
	}
	return false
}

func isStore(c *ir.Call, doubleC bool) bool {
	return c.Name == "tile.store" || c.Name == "tile.write" || doubleC && c.Name == "tile.assemble"
}

// stage is the membership text of a statement: its own call's, else that of
// its first argument defined in this sequence that has one.
func (o *ioOrder) stage(st ir.Stmt, call *ir.Call, stmts []ir.Stmt, def *varTable[int]) string {
	if call == nil {
		return ""
	}
	if m := membership(call); m != "" {
		return m
	}
	for _, a := range call.Args {
		v, ok := a.(*ir.Var)
		if !ok {
			continue
		}
		i, here := def.lookup(v)
		if !here {
			continue
		}
		if as, ok := stmts[i].(*ir.Assign); ok {
			if c, ok := as.Value.(*ir.Call); ok {
				if m := membership(c); m != "" {
					return m
				}
			}
		}
	}
	return ""
}

func membership(c *ir.Call) string {
	v, _ := c.Attr("pipeline_membership")
	s, _ := v.(string)
	return s
}

// firstStage is the stage number of a membership's first pair.
func firstStage(m string) int {
	first, _, _ := strings.Cut(m, ";")
	_, s, _ := strings.Cut(first, ":")
	n, _ := strconv.Atoi(s)
	return n
}

// modStage folds the first stage of an Acc matmul result to two buffers.
func modStage(st ir.Stmt) ir.Stmt {
	a, ok := st.(*ir.Assign)
	if !ok {
		return st
	}
	c, ok := a.Value.(*ir.Call)
	t := tileOf(a.Var)
	if !ok || t == nil || t.Space != platforms.Acc || !strings.HasPrefix(c.Name, "tile.matmul") {
		return st
	}
	m := membership(c)
	if m == "" {
		return st
	}
	first, rest, more := strings.Cut(m, ";")
	g, _, _ := strings.Cut(first, ":")
	text := g + ":" + strconv.Itoa(firstStage(m)%2)
	if more {
		text += ";" + rest
	}
	n := *c
	n.Attrs = append([]ir.Attr(nil), c.Attrs...)
	for i := range n.Attrs {
		if n.Attrs[i].Key == "pipeline_membership" {
			n.Attrs[i].Value = text
		}
	}
	return &ir.Assign{StmtMeta: a.StmtMeta, Var: a.Var, Value: &n}
}
