package prelude

import (
	"strconv"

	"pypto-ls/ir"
)

func itoa(n int) string { return strconv.Itoa(n) }

// resolveBackendOpLayouts repairs operands and results that a backend wants
// row-major (spec 11 §6.7). It needs a configured backend.
func resolveBackendOpLayouts(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() || c.Platform == nil {
		return f
	}
	l := &layouter{f: copyFunc(f)}
	b := l.block(f.Body)
	if b == f.Body {
		return f
	}
	l.f.Body = b
	return l.f
}

type layouter struct {
	f *ir.Function
	n int
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
	v := l.f.NewVar(ir.PlainVar, base+"__"+part+"_tmp_v"+itoa(l.n), exprType(c), meta.Span)
	l.n++
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: ir.StmtMeta{Span: meta.Span}, Var: v, Value: c})
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
	args := append([]ir.Expr(nil), call.Args...)
	for _, i := range call.Op.RowMajorIn {
		if i >= len(args) {
			continue
		}
		t := tileOf(args[i])
		if isRowMajor(t) {
			continue
		}
		args[i] = l.temp(base, "rm_a"+itoa(i), toRowMajor(args[i], t, call.Span), meta, out)
	}
	n := rebuilt(call, args)
	if !isAssign {
		out.Stmts = append(out.Stmts, &ir.Eval{StmtMeta: meta, X: n})
		return true
	}
	if isRowMajor(target) {
		out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: a.Var, Value: n})
		return true
	}
	tmp := l.temp(base, "row_major", n, meta, out)
	var back *ir.Call
	if c, ok := ir.ConstValue(target.Shape[len(target.Shape)-1]); ok && c == 1 && len(target.Shape) == 2 {
		back = newCall("tile.reshape", call.Span, []ir.Expr{tmp, &ir.MakeTuple{Elems: target.Shape}})
	} else {
		v := ir.EffectiveView(target)
		back = newCall("tile.move", call.Span, []ir.Expr{tmp}, ir.Kwarg{Key: "target_memory", Value: target.Space},
			ir.Kwarg{Key: "blayout", Value: v.BLayout}, ir.Kwarg{Key: "slayout", Value: v.SLayout})
	}
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: a.Var, Value: back})
	return true
}

// toRowMajor is the reshape or move that makes an operand row-major.
func toRowMajor(e ir.Expr, t *ir.TileType, sp ir.Span) *ir.Call {
	if columnVector(t) {
		return newCall("tile.reshape", sp, []ir.Expr{e, &ir.MakeTuple{Elems: []ir.Expr{ir.Index(1), t.Shape[0]}}})
	}
	return newCall("tile.move", sp, []ir.Expr{e}, ir.Kwarg{Key: "target_memory", Value: t.Space},
		ir.Kwarg{Key: "blayout", Value: ir.RowMajor}, ir.Kwarg{Key: "slayout", Value: ir.NoneBox})
}
