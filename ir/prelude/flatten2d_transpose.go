package prelude

import (
	"fmt"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// transpose gives a 2-D transpose its scratch tile and unrolls one of the last
// two axes of a tile of higher rank by pages (spec 11b §2.1–2.2).
func (n *flat) transpose(a *ir.Assign, c *ir.Call, s subst, meta ir.StmtMeta, out *ir.Block) bool {
	if len(c.Args) != 3 {
		return false
	}
	src := tileOf(c.Args[0])
	if src == nil {
		return false
	}
	space := src.Space
	if space < 0 {
		space = platforms.Vec
	}
	if len(src.Shape) == 2 {
		tmp := n.scratch("transpose_tmp", src.Shape, src.DType, space, c.Span, meta, out)
		args := append(s.list(c.Args), tmp)
		call := n.c.rebuilt(passFlatten2D, n.f, c, args)
		out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: a.Var, Value: call})
		return true
	}
	n.pages(a, c, src, space, s, meta, out)
	return true
}

func (n *flat) scratch(name string, shape []ir.Expr, d ir.DType, space ir.Space, sp ir.Span, meta ir.StmtMeta, out *ir.Block) *ir.Var {
	c := newCall("tile.create", sp, []ir.Expr{&ir.MakeTuple{Elems: shape}}, ir.Kwarg{Key: "dtype", Value: d}, ir.Kwarg{Key: "target_memory", Value: space})
	return n.bind(name, c, meta, out)
}

func (n *flat) bind(name string, c *ir.Call, meta ir.StmtMeta, out *ir.Block) *ir.Var {
	v := n.f.NewVar(ir.PlainVar, name, exprType(c), c.Span)
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: meta, Var: v, Value: c})
	return v
}

func (n *flat) pages(a *ir.Assign, c *ir.Call, src *ir.TileType, space ir.Space, s subst, meta ir.StmtMeta, out *ir.Block) {
	rank := len(src.Shape)
	ax, ok1 := axisOf(c.Args[1], rank)
	bx, ok2 := axisOf(c.Args[2], rank)
	if ok1 && ok2 && min(ax, bx) != int64(rank-2) {
		n.c.problem(passFlatten2D, n.f, c.Span, fmt.Sprintf("FlattenTileNdTo2D: only last-two-axes tile.transpose on >2D tiles is supported; transpose involving a batch axis (axes %d, %d of rank %d) is not yet lowered. Reshape the tile so the transposed axes are the last two.", ax, bx, rank))
	}
	flatShape, ok := merged(src.Shape)
	rows, okA := ir.ConstValue(src.Shape[rank-2])
	cols, okC := ir.ConstValue(src.Shape[rank-1])
	if !ok || !okA || !okC || rows == 0 {
		n.c.note(passFlatten2D, n.f, c.Span, "a transpose of a tile of rank > 2 with symbolic extents")
		out.Stmts = append(out.Stmts, a)
		return
	}
	total, _ := ir.ConstValue(flatShape[0])
	count := total / rows
	x := s.expr(c.Args[0])
	if rankOf(x) > 2 {
		x = n.bind("trans_in_2d", newCall("tile.reshape", c.Span, []ir.Expr{x, tuple(total, cols)}), meta, out)
	}
	y := n.scratch(a.Var.Name, tuple(count*cols, rows).Elems, src.DType, space, c.Span, meta, out)
	pool := n.scratch("trans_tmp_pool", tuple(total, cols).Elems, src.DType, space, c.Span, meta, out)
	for i := range count {
		page := n.bind(fmt.Sprintf("trans_page_%d", i), newCall("tile.slice", c.Span, []ir.Expr{x, tuple(rows, cols), tuple(i*rows, 0)}), meta, out)
		tmp := n.bind(fmt.Sprintf("trans_tmp_%d", i), newCall("tile.slice", c.Span, []ir.Expr{pool, tuple(rows, cols), tuple(i*rows, 0)}), meta, out)
		tr := n.bind(fmt.Sprintf("trans_%d", i), newCall("tile.transpose", c.Span, []ir.Expr{page, ir.Index(0), ir.Index(1), tmp}), meta, out)
		y = n.bind(a.Var.Name, newCall("tile.assemble", c.Span, []ir.Expr{y, tr, tuple(i*cols, 0)}), meta, out)
	}
	y.Span = a.Var.Span
	s.set(a.Var, y)
}

// axisOf is a literal axis; negatives count from the end.
func axisOf(e ir.Expr, rank int) (int64, bool) {
	n, ok := ir.ConstValue(e)
	if n < 0 {
		n += int64(rank)
	}
	return n, ok
}

func tuple(vs ...int64) *ir.MakeTuple {
	t := &ir.MakeTuple{}
	for _, v := range vs {
		t.Elems = append(t.Elems, ir.Index(v))
	}
	return t
}
