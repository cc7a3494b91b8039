package memory

import (
	"fmt"
	"math/rand/v2"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// gen makes random functions before InitMemRef: vector and cube work, views,
// in-place updates, copies, nested loops, branches and whiles that carry
// tiles, pipeline stages, declared allocations and reserved windows. The same
// seed gives the same function but for the prefix of its variables' names.
type gen struct {
	*fb
	rnd    *rand.Rand
	prefix string
	n      int
	vec    []*ir.Var // visible Vec tiles
	acc    []*ir.Var
	x, out *ir.Var
	cond   *ir.Var
	rows   []int
	decl   *ir.Var
	declN  int
	tag    int
	// whiles carry tiles: DSA_RP refuses such functions.
	whiles bool
}

func generate(seed uint64, prefix string, size int) *ir.Function {
	g := &gen{rnd: rand.New(rand.NewPCG(seed, 2)), prefix: prefix}
	kinds := []ir.FuncKind{ir.InCore, ir.AIV, ir.AIC, ir.AIV, ir.InCore, ir.Opaque}
	g.fb = newFn("k", kinds[g.rnd.IntN(len(kinds))])
	g.x, g.out = g.param(g.name(), tensor(4096, 64)), g.param(g.name(), tensor(4096, 64))
	g.cond = g.param(g.name(), index())
	g.rows = [][]int{{64}, {8, 64}, {1, 16, 64, 256}}[g.rnd.IntN(3)]
	if g.rnd.IntN(4) == 0 {
		g.vec = append(g.vec, g.param(g.name(), vec(64, 64)))
	}
	g.whiles = g.rnd.IntN(3) == 0
	if g.rnd.IntN(8) == 0 {
		g.decl = g.base("declared")
		g.declN = 1 + g.rnd.IntN(2)
	}
	if g.f.Kind.IsInCore() && g.rnd.IntN(4) == 0 {
		g.reserve("ring", 1+g.rnd.Int64N(60000), -1)
	}
	if g.rnd.IntN(6) == 0 {
		g.f.Attrs = []ir.Attr{{Key: "split_aiv", Value: true}}
	}
	g.vec = append(g.vec, g.load(g.name(), g.tile(), g.x))
	g.body(size, 0)
	g.add(&ir.Return{Values: []ir.Expr{g.out}})
	return g.f
}

func (g *gen) name() string {
	g.n++
	return fmt.Sprint(g.prefix, g.n)
}

func (g *gen) tile() *ir.TileType {
	dt := []ir.DType{ir.FP16, ir.FP32, ir.FP16, ir.INT8}[g.rnd.IntN(4)]
	return tile(platforms.Vec, dt, g.rows[g.rnd.IntN(len(g.rows))], 64)
}

func (g *gen) pick(vs []*ir.Var) *ir.Var { return vs[g.rnd.IntN(len(vs))] }

// recent prefers young values, so that lives are short.
func (g *gen) recent(vs []*ir.Var) *ir.Var {
	k := len(vs) - 1 - g.rnd.IntN(min(len(vs), 1+g.rnd.IntN(6)))
	return vs[k]
}

func (g *gen) body(size, depth int) {
	for i := 0; i < size; i++ {
		switch k := g.rnd.IntN(20); {
		case k < 11 || depth > 3:
			g.compute()
		case k < 13:
			g.cube()
		case k < 15:
			g.forLoop(2+g.rnd.IntN(max(1, size/2)), depth)
		case k < 17:
			g.ifElse(1+g.rnd.IntN(max(1, size/3)), depth)
		case k < 18:
			g.while(1+g.rnd.IntN(3), depth)
		case k < 19:
			g.pipeline()
		default:
			g.op(g.name(), tensor(4096, 64), "tile.store", g.recent(g.vec), tup(0, 0), g.out)
		}
	}
}

func (g *gen) compute() {
	v := g.recent(g.vec)
	t := withMemRef(v.Type, nil, platforms.NoSpace).(*ir.TileType)
	var r *ir.Var
	switch g.rnd.IntN(14) {
	case 0:
		r = g.load(g.name(), g.tile(), g.x)
	case 1:
		r = g.op(g.name(), t, "tile.recip", v)
	case 2:
		r = g.op(g.name(), tile(platforms.Vec, ir.FP32, t.Shape[0], t.Shape[1]), "tile.cast", v)
	case 3:
		r = g.op(g.name(), t, "tile.sel", v, g.pick(g.vec), g.pick(g.vec), g.recent(g.vec))
	case 4:
		r = g.op(g.name(), t, "tile.row_expand_mul", v, g.pick(g.vec))
	case 5:
		r = g.op(g.name(), t, "tile.fillpad_inplace", v)
	case 6:
		r = g.let(g.name(), t, v)
	case 7:
		rows, _ := ir.ConstValue(t.Shape[0])
		half := max(1, int(rows)/2)
		offset := ir.Expr(ir.Index(int64(g.rnd.IntN(int(rows) - half + 1))))
		if g.rnd.IntN(4) == 0 {
			offset = g.cond
		}
		r = g.op(g.name(), tile(platforms.Vec, t.DType, half, 64), "tile.slice", v, tup(half, 64), tup(offset, 0))
	case 8:
		r = g.op(g.name(), t, "tile.set_validshape", v, ir.Index(1), ir.Index(1))
	case 9:
		if g.decl != nil {
			dt := bound(vec(64, 64), g.decl, g.declN, nil)
			if g.declN > 1 {
				dt = bound(vec(64, 64), g.decl, g.declN, ir.Index(int64(g.rnd.IntN(g.declN))))
			}
			r = g.op(g.name(), dt, "tile.exp", v)
			break
		}
		fallthrough
	case 10:
		r = g.op(g.name(), vec(64, 64), "tile.tpop_from_aic")
	default:
		r = g.op(g.name(), t, "tile.add", v, g.recent(g.vec))
	}
	g.vec = append(g.vec, r)
}

// cube makes operands and accumulates them.
func (g *gen) cube() {
	l := g.op(g.name(), tile(platforms.Left, ir.FP16, 16, 64), "tile.move", g.recent(g.vec))
	r := g.op(g.name(), tile(platforms.Right, ir.FP16, 64, 16), "tile.move", g.recent(g.vec))
	for _, v := range []*ir.Var{l, r} {
		space := v.Type.(*ir.TileType).Space
		g.cur.Stmts[len(g.cur.Stmts)-1].(*ir.Assign).Value.(*ir.Call).Kwargs = []ir.Kwarg{{Key: "target_memory", Value: space}}
	}
	t := tile(platforms.Acc, ir.FP32, 16, 16)
	if len(g.acc) > 0 && g.rnd.IntN(3) > 0 {
		g.acc = append(g.acc, g.op(g.name(), t, "tile.matmul_acc", g.acc[len(g.acc)-1], l, r))
	} else {
		g.acc = append(g.acc, g.op(g.name(), t, "tile.matmul", l, r))
	}
}

// scoped runs f and forgets what it made visible.
func (g *gen) scoped(f func()) *ir.Block {
	v, a := len(g.vec), len(g.acc)
	b := g.in(f)
	g.vec, g.acc = g.vec[:v:v], g.acc[:a:a]
	return b
}

func (g *gen) carried(iterArgs, results *[]*ir.Var) {
	for range 1 + g.rnd.IntN(2) {
		init := g.recent(g.vec)
		if len(g.acc) > 0 && g.rnd.IntN(3) == 0 {
			init = g.acc[len(g.acc)-1]
		}
		a := g.f.NewVar(ir.IterArg, g.name(), init.Type, ir.Span{})
		a.Init = init
		*iterArgs = append(*iterArgs, a)
		*results = append(*results, g.f.NewVar(ir.PlainVar, g.name(), init.Type, ir.Span{}))
	}
}

func (g *gen) show(vs []*ir.Var) {
	for _, v := range vs {
		if v.Type.(*ir.TileType).Space == platforms.Acc {
			g.acc = append(g.acc, v)
		} else {
			g.vec = append(g.vec, v)
		}
	}
}

// next makes the value that is carried on from a.
func (g *gen) next(a *ir.Var) *ir.Var {
	t := a.Type.(*ir.TileType)
	if t.Space == platforms.Acc {
		if g.rnd.IntN(4) == 0 {
			return a
		}
		return g.op(g.name(), t, "tile.matmul_acc", a, g.recent(g.vec), g.recent(g.vec))
	}
	switch g.rnd.IntN(6) {
	case 0:
		return a
	case 1:
		return g.op(g.name(), t, "tile.recip", a)
	case 2:
		return g.recent(g.vec)
	}
	return g.op(g.name(), t, "tile.add", a, g.recent(g.vec))
}

func (g *gen) forLoop(size, depth int) {
	s := &ir.For{
		Var:   g.f.NewVar(ir.LoopVar, g.name(), index(), ir.Span{}),
		Start: ir.Index(0), Stop: ir.Index(4), Step: ir.Index(1),
	}
	if g.rnd.IntN(5) > 0 {
		g.carried(&s.IterArgs, &s.Results)
	}
	s.Body = g.scoped(func() {
		g.show(s.IterArgs)
		g.body(size, depth+1)
		g.yieldNext(s.IterArgs)
	})
	g.add(s)
	g.show(s.Results)
}

func (g *gen) yieldNext(iterArgs []*ir.Var) {
	var vs []ir.Expr
	for _, a := range iterArgs {
		vs = append(vs, g.next(a))
	}
	if len(vs) == 2 && g.rnd.IntN(6) == 0 && iterArgs[0].Type == iterArgs[1].Type {
		vs[0], vs[1] = vs[1], vs[0]
	}
	if len(vs) > 0 {
		g.yield(vs...)
	}
}

func (g *gen) while(size, depth int) {
	s := &ir.While{Cond: less(g.cond, ir.Index(3))}
	if g.whiles {
		g.carried(&s.IterArgs, &s.Results)
	}
	s.Body = g.scoped(func() {
		g.show(s.IterArgs)
		g.body(size, depth+1)
		g.yieldNext(s.IterArgs)
	})
	g.add(s)
	g.show(s.Results)
}

func (g *gen) ifElse(size, depth int) {
	s := &ir.If{Cond: less(g.cond, ir.Index(1))}
	old := g.recent(g.vec)
	t := old.Type
	results := g.rnd.IntN(5) > 0
	arm := func() {
		g.body(size, depth+1)
		if !results {
			return
		}
		if g.rnd.IntN(4) == 0 {
			g.yield(old)
		} else {
			g.yield(g.op(g.name(), t, "tile.add", old, g.recent(g.vec)))
		}
	}
	s.Then = g.scoped(arm)
	if results || g.rnd.IntN(2) == 0 {
		s.Else = g.scoped(arm)
	}
	if results {
		s.Results = []*ir.Var{g.f.NewVar(ir.PlainVar, g.name(), t, ir.Span{})}
	}
	g.add(s)
	g.show(s.Results)
}

// pipeline makes two to four stages of loads and work on them.
func (g *gen) pipeline() {
	t := g.tile()
	group := g.tag
	g.tag++
	for stage := range 2 + g.rnd.IntN(3) {
		tag := []ir.Attr{{Key: membershipAttr, Value: fmt.Sprintf("%d:%d", group, stage)}}
		mark := func() { g.cur.Stmts[len(g.cur.Stmts)-1].(*ir.Assign).Value.(*ir.Call).Attrs = tag }
		l := g.load(g.name(), t, g.x)
		mark()
		e := g.op(g.name(), t, "tile.exp", l)
		mark()
		g.op(g.name(), tensor(4096, 64), "tile.store", e, tup(0, 0), g.out)
	}
}
