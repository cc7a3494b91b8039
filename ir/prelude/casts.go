package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const passCast = "LegalizeTileCast"

// legalizeTileCast turns casts that the target cannot do in one instruction
// into chains (spec 11b §7).
func legalizeTileCast(c *Ctx, f *ir.Function) *ir.Function {
	if c.Platform == nil || f.Level == "HOST" {
		return f
	}
	l := &caster{c: c, f: copyFunc(f)}
	b := l.block(f.Body)
	if b == f.Body {
		return f
	}
	l.f.Body = b
	return l.f
}

type caster struct {
	c *Ctx
	f *ir.Function
	n int
}

func (l *caster) block(b *ir.Block) *ir.Block {
	return rewriteCalls(b, func(a *ir.Assign, call *ir.Call, out *ir.Block) bool {
		return call.Name == "tile.cast" && len(call.Args) == 1 && l.cast(a, call, out)
	})
}

func (l *caster) cast(a *ir.Assign, call *ir.Call, out *ir.Block) bool {
	t := tileOf(call.Args[0])
	tv, _ := call.Kwarg("target_type")
	to, ok := tv.(ir.DType)
	if t == nil || !ok || l.c.Platform.NativeCast(t.DType.String(), to.String()) {
		return false
	}
	hops, ok := castChain(l.c.Platform, t.DType, to)
	if !ok {
		l.c.problem(passCast, l.f, a.Span, "LegalizeTileCast: no native cast path from "+t.DType.Lower()+" to "+to.Lower()+" for arch "+l.c.Platform.Arch+"; pto.tcvt does not support this conversion")
		return false
	}
	mode := any(int64(2))
	if m, ok := call.Kwarg("mode"); ok {
		mode = m
	}
	prev := call.Args[0]
	for _, h := range hops {
		n := newCall("tile.cast", call.Span, []ir.Expr{prev}, ir.Kwarg{Key: "target_type", Value: h}, ir.Kwarg{Key: "mode", Value: mode})
		v := l.f.NewVar(ir.PlainVar, baseName(a.Var.Name)+"__cast_"+h.Lower()+"_tmp_v"+itoa(l.n), exprType(n), a.Var.Span)
		l.n++
		out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: ir.StmtMeta{Span: a.Span}, Var: v, Value: n})
		prev = v
	}
	last := newCall("tile.cast", call.Span, []ir.Expr{prev}, ir.Kwarg{Key: "target_type", Value: to}, ir.Kwarg{Key: "mode", Value: mode})
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: a.StmtMeta, Var: a.Var, Value: last})
	return true
}

// castNode is one type reached by the search for a chain.
type castNode struct {
	via  ir.DType
	dist int
	cost int
}

// castChain finds the intermediate types of the shortest chain.
func castChain(p *platforms.Platform, from, to ir.DType) ([]ir.DType, bool) {
	reached := map[ir.DType]castNode{from: {}}
	queue := []ir.DType{from}
	for len(queue) > 0 {
		d := queue[0]
		queue = queue[1:]
		here := reached[d]
		for _, n := range neighbours(p, d) {
			if n != to && narrows(n, to) {
				continue
			}
			cost := here.cost + hopCost(d, n)
			old, seen := reached[n]
			if !seen {
				reached[n] = castNode{d, here.dist + 1, cost}
				queue = append(queue, n)
			} else if old.dist == here.dist+1 && cost < old.cost {
				reached[n] = castNode{d, old.dist, cost}
			}
		}
	}
	end, ok := reached[to]
	if !ok || end.dist == 0 {
		return nil, false
	}
	var hops []ir.DType
	for d := end.via; d != from; d = reached[d].via {
		hops = append([]ir.DType{d}, hops...)
	}
	return hops, true
}

// neighbours are the native targets of d in table order; for 32- and 16-bit
// integers the float of equal width comes first.
func neighbours(p *platforms.Platform, d ir.DType) []ir.DType {
	var out []ir.DType
	for _, c := range p.NativeCasts {
		if c.From == d.String() {
			if n, ok := ir.ParseDType(c.To); ok {
				out = append(out, n)
			}
		}
	}
	want := ir.NoDType
	if d.IsInt() {
		switch d.Bits() {
		case 32:
			want = ir.FP32
		case 16:
			want = ir.FP16
		}
	}
	for i, n := range out {
		if n == want {
			out[0], out[i] = out[i], out[0]
		}
	}
	return out
}

// floatBits are significand and exponent bits, 0 for types that never narrow.
func floatBits(d ir.DType) (sig, exp int) {
	switch d {
	case ir.FP32:
		return 24, 8
	case ir.FP16:
		return 11, 5
	case ir.BF16:
		return 8, 8
	}
	return 0, 0
}

func valueBits(d ir.DType) int {
	if d.IsSigned() {
		return d.Bits() - 1
	}
	return d.Bits()
}

// narrows reports whether going through n loses something on the way to d.
func narrows(n, d ir.DType) bool {
	ns, ne := floatBits(n)
	ds, de := floatBits(d)
	switch {
	case n.IsInt() && d.IsFloat():
		return true
	case n.IsFloat() && d.IsFloat():
		return ns != 0 && ds != 0 && (ns < ds || ne < de)
	case n.IsFloat() && d.IsInt():
		return ns != 0 && ns < valueBits(d)
	case n.IsInt() && d.IsInt():
		return !n.IsSigned() && d.IsSigned() || valueBits(n) < valueBits(d)
	}
	return false
}

func hopCost(a, b ir.DType) int {
	switch {
	case !a.IsFloat() && b.IsFloat() && a.Bits() == b.Bits():
		return 0
	case a.IsFloat() && b.IsFloat():
		return 1
	}
	return 2
}
