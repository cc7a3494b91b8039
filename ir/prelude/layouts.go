package prelude

import (
	"strconv"

	"pypto-ls/ir"
)

const passLayouts = "ResolveBackendOpLayouts"

func itoa(n int) string { return strconv.Itoa(n) }

// resolveBackendOpLayouts repairs operands and results that a backend wants
// row-major (spec 11 §6.7). It needs a configured backend.
func resolveBackendOpLayouts(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() || c.Platform == nil {
		return f
	}
	l := &layouter{c: c, f: copyFunc(f)}
	b := l.block(f.Body)
	if b == f.Body {
		return f
	}
	l.f.Body = b
	return l.f
}

type layouter struct {
	c    *Ctx
	f    *ir.Function
	n    int
	made nodes
}

func (l *layouter) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	made := &ir.Block{}
	for _, st := range b.Stmts {
		n := withBlocks(st, l.block)
		if call := callOf(n); call != nil && call.Op != nil && (len(call.Op.RowMajorIn) > 0 || call.Op.RowMajorOut) {
			if l.repair(n, call, made) {
				out.addAll(made)
				continue
			}
		}
		out.add(n)
	}
	return out.block()
}

func isRowMajor(t *ir.TileType) bool {
	return t == nil || t.LayoutView().BLayout == ir.RowMajor
}

// columnVector reports a [N, 1] tile in column-major layout, which a reshape
// to [1, N] turns row-major without copying.
func columnVector(t *ir.TileType) bool {
	if len(t.Shape) != 2 {
		return false
	}
	c, ok := ir.ConstValue(t.Shape[1])
	return ok && c == 1 && t.LayoutView().BLayout == ir.ColMajor
}

func (l *layouter) temp(base, part string, c *ir.Call, meta ir.StmtMeta, out *ir.Block) *ir.Var {
	v := l.made.newVar(l.f, ir.PlainVar, base+"__"+part+"_tmp_v"+itoa(l.n), exprType(c), meta.Span)
	l.n++
	add(out, l.made.assign(ir.StmtMeta{Span: meta.Span}, v, c))
	return v
}

// repair rewrites one statement; false when nothing offends.
func (l *layouter) repair(st ir.Stmt, call *ir.Call, out *ir.Block) bool {
	a, isAssign := st.(*ir.Assign)
	var target *ir.TileType
	if isAssign && call.Op.RowMajorOut {
		target = tileOf(a.Var)
	}
	bad := !isRowMajor(target)
	for _, i := range call.Op.RowMajorIn {
		if i < len(call.Args) && !isRowMajor(tileOf(call.Args[i])) {
			bad = true
		}
	}
	if !bad {
		return false
	}
	meta := *st.Meta()
	base := "tmp"
	if isAssign {
		base = baseName(a.Var.Name)
	}
	args := l.made.list(call.Args)
	for _, i := range call.Op.RowMajorIn {
		if i >= len(args) {
			continue
		}
		t := tileOf(args[i])
		if isRowMajor(t) {
			continue
		}
		args[i] = l.temp(base, "rm_a"+itoa(i), l.toRowMajor(args[i], t, call.Span), meta, out)
	}
	n, p := l.made.rebuilt(call, args)
	l.c.refusal(passLayouts, l.f, n, p)
	if !isAssign {
		add(out, l.made.eval(meta, n))
		return true
	}
	if isRowMajor(target) {
		add(out, l.made.assign(meta, a.Var, n))
		return true
	}
	tmp := l.temp(base, "row_major", n, meta, out)
	var back *ir.Call
	if c, ok := ir.ConstValue(target.Shape[len(target.Shape)-1]); ok && c == 1 && len(target.Shape) == 2 {
		back = l.reshape(tmp, target.Shape, call.Span)
	} else {
		v := target.LayoutView()
		back = l.move(tmp, target.Space, v.BLayout, v.SLayout, call.Span)
	}
	add(out, l.made.assign(meta, a.Var, back))
	return true
}

// toRowMajor is the reshape or move that makes an operand row-major.
func (l *layouter) toRowMajor(e ir.Expr, t *ir.TileType, sp ir.Span) *ir.Call {
	if columnVector(t) {
		return l.reshape(e, []ir.Expr{ir.Index(1), t.Shape[0]}, sp)
	}
	return l.move(e, t.Space, ir.RowMajor, ir.NoneBox, sp)
}

func (l *layouter) reshape(e ir.Expr, shape []ir.Expr, sp ir.Span) *ir.Call {
	args := l.made.exprs.Make(2)
	args[0], args[1] = e, &ir.MakeTuple{Elems: shape}
	return l.made.newCall("tile.reshape", sp, args)
}

func (l *layouter) move(e ir.Expr, to ir.Space, blayout, slayout ir.TileLayout, sp ir.Span) *ir.Call {
	return l.made.newCall("tile.move", sp, l.made.single(e), ir.Kwarg{Key: "target_memory", Value: to},
		ir.Kwarg{Key: "blayout", Value: blayout}, ir.Kwarg{Key: "slayout", Value: slayout})
}
