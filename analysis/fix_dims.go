package analysis

import (
	"strings"

	"pypto-ls/ir"
)

// axis is one dimension of a tile variable.
type axis struct {
	v *ir.Var
	n int
}

// dims groups the axes of a function's tiles that have to change together:
// those that elementwise operators, moves, loops and products join.
type dims struct {
	first  map[*ir.Var]int // where in order the axes of a variable begin
	order  []axis          // in order of first mention
	parent []int           // of each axis in order; a group's root is its own
}

func dimsOf(fn *ir.Function) *dims {
	d := &dims{first: make(map[*ir.Var]int, fn.NumVars)}
	for _, p := range fn.Params {
		d.note(p.Var)
	}
	d.block(fn.Body)
	return d
}

func (d *dims) note(v *ir.Var) {
	t, ok := v.Type.(*ir.TileType)
	if !ok {
		return
	}
	if _, seen := d.first[v]; seen {
		return
	}
	d.first[v] = len(d.order)
	for i := range t.Shape {
		d.parent = append(d.parent, len(d.order))
		d.order = append(d.order, axis{v, i})
	}
}

// index is the place of an axis in order, -1 when it has none.
func (d *dims) index(a axis) int {
	i, ok := d.first[a.v]
	if !ok || i+a.n >= len(d.order) || d.order[i+a.n] != a {
		return -1
	}
	return i + a.n
}

func (d *dims) find(i int) int {
	for d.parent[i] != i {
		d.parent[i] = d.parent[d.parent[i]]
		i = d.parent[i]
	}
	return i
}

func (d *dims) root(a axis) axis {
	if i := d.index(a); i >= 0 {
		return d.order[d.find(i)]
	}
	return a
}

// members are the axes that change with a, in order.
func (d *dims) members(a axis) []axis {
	i := d.index(a)
	if i < 0 {
		return nil
	}
	r := d.find(i)
	var out []axis
	for k, x := range d.order {
		if d.find(k) == r {
			out = append(out, x)
		}
	}
	return out
}

// join joins two axes of the same constant extent.
func (d *dims) join(a, b axis) {
	x, ok1 := extent(a)
	y, ok2 := extent(b)
	if !ok1 || !ok2 || x != y {
		return
	}
	d.note(a.v)
	d.note(b.v)
	d.parent[d.find(d.index(b))] = d.find(d.index(a))
}

func extent(a axis) (int64, bool) {
	t, ok := a.v.Type.(*ir.TileType)
	if !ok || a.n >= len(t.Shape) {
		return 0, false
	}
	return ir.ConstValue(t.Shape[a.n])
}

// alike joins all axes of two values.
func (d *dims) alike(x ir.Expr, v *ir.Var) {
	w, ok := x.(*ir.Var)
	if !ok || w == nil || v == nil {
		return
	}
	t, ok := v.Type.(*ir.TileType)
	if !ok {
		return
	}
	for i := range t.Shape {
		d.join(axis{w, i}, axis{v, i})
	}
}

func (d *dims) block(b *ir.Block) {
	ir.EachStmt(b, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			d.note(s.Var)
			switch x := s.Value.(type) {
			case *ir.Var:
				d.alike(x, s.Var)
			case *ir.Call:
				d.call(x, s.Var)
			}
		case *ir.For:
			d.loop(s.IterArgs, s.Results, s.Body)
		case *ir.While:
			d.loop(s.IterArgs, s.Results, s.Body)
		case *ir.If:
			for i, r := range s.Results {
				d.note(r)
				d.alike(yielded(s.Then, i), r)
				d.alike(yielded(s.Else, i), r)
			}
		}
	})
}

func (d *dims) loop(args, results []*ir.Var, body *ir.Block) {
	for i, a := range args {
		d.note(a)
		d.alike(a.Init, a)
		d.alike(yielded(body, i), a)
		if i < len(results) {
			d.note(results[i])
			d.alike(a, results[i])
		}
	}
}

// yielded is the i-th value that a body yields, nil when there is none.
func yielded(b *ir.Block, i int) ir.Expr {
	if b == nil {
		return nil
	}
	for _, s := range b.Stmts {
		if y, ok := s.(*ir.Yield); ok && i < len(y.Values) {
			return y.Values[i]
		}
	}
	return nil
}

// call joins what an operator joins: the three dimensions of a product, the
// swapped ones of a transposition, nothing in a reshape, and everywhere else
// equal extents of the same axis.
func (d *dims) call(c *ir.Call, v *ir.Var) {
	var tiles []*ir.Var
	for _, a := range c.Args {
		if w, ok := a.(*ir.Var); ok && w != nil {
			if _, isTile := w.Type.(*ir.TileType); isTile {
				tiles = append(tiles, w)
			}
		}
	}
	switch {
	case c.IsFunc || strings.Contains(c.Name, "reshape"):
	case strings.Contains(c.Name, "matmul") && !strings.Contains(c.Name, "_mx") && len(tiles) >= 2:
		l := 0
		if strings.Contains(c.Name, "acc") && len(tiles) >= 3 {
			d.alike(tiles[0], v)
			l = 1
		}
		lhs, rhs := tiles[l], tiles[l+1]
		d.join(axis{lhs, 0}, axis{v, 0})
		d.join(axis{rhs, 1}, axis{v, 1})
		d.join(axis{lhs, 1}, axis{rhs, 0})
		for _, bias := range tiles[l+2:] {
			d.join(axis{bias, 1}, axis{v, 1})
		}
	case strings.Contains(c.Name, "transpose") && len(tiles) > 0:
		d.join(axis{tiles[0], 0}, axis{v, 1})
		d.join(axis{tiles[0], 1}, axis{v, 0})
	default:
		for _, w := range tiles {
			d.alike(w, v)
		}
		for i := 1; i < len(tiles); i++ {
			d.alike(tiles[0], tiles[i])
		}
	}
}

// shrunk is type t with the given axes divided by factor. A MemRef that is as
// large as the tile shrinks with it; size is the bytes of a tile.
func shrunk(t *ir.TileType, axes []int, factor int64, size func(*ir.TileType) (uint64, bool)) *ir.TileType {
	c := *t
	c.Shape = append([]ir.Expr(nil), t.Shape...)
	for _, n := range axes {
		if k, ok := c.Shape[n].(*ir.ConstInt); ok {
			c.Shape[n] = &ir.ConstInt{Value: k.Value / factor, DType: k.DType}
		}
	}
	if t.View != nil && len(t.View.ValidShape) == len(t.Shape) {
		view := *t.View
		view.ValidShape = append([]ir.Expr(nil), view.ValidShape...)
		for _, n := range axes {
			if k, ok := ir.ConstValue(view.ValidShape[n]); ok {
				view.ValidShape[n] = ir.Index(max(k/factor, min(k, 1)))
			}
		}
		c.View = &view
	}
	if t.MemRef != nil && !t.MemRef.Pinned {
		old, ok1 := size(t)
		now, ok2 := size(&c)
		if ok1 && ok2 && t.MemRef.Size == old {
			m := *t.MemRef
			m.Size = now
			c.MemRef = &m
		}
	}
	return &c
}
