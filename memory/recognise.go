package memory

import (
	"cmp"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// endpoint is one access to an interval: a read or write by one call.
type endpoint struct {
	order int32 // position in execution, counted as in spec 08 §4.3
	path  int32
	pipe  platforms.Pipe
	write bool
	// full is set when the access covers the whole allocation.
	full bool
}

// accessSummary is the compact summary of an interval (spec 08 §4.5): the
// write that fills it and, per pipe, the last access. It grows with the
// accesses, which come in ascending order.
type accessSummary struct {
	// any is set once there was an access, none once there can be no summary:
	// an access cannot be classified ("poison"), is not of the whole
	// allocation, or not on the path of the others.
	any, none bool
	initial   endpoint
	pipes     uint16                    // a bit for each pipe with an access
	terminal  [platforms.NumPipes]int32 // by pipe, where its bit is set
}

func (s *accessSummary) ok() bool { return s.any && !s.none }

func (s *accessSummary) enter(e endpoint) {
	if !s.any {
		s.any, s.initial = true, e
	}
	first := &s.initial
	if !e.full || e.path != first.path || e.order == first.order && (!e.write || e.pipe != first.pipe) {
		s.none = true
		return
	}
	s.pipes |= 1 << e.pipe
	s.terminal[e.pipe] = e.order
}

// recognise lists the pairs of interval indexes for which sharing bytes would
// make one hardware pipe wait for another (spec 08 §4), each once, the smaller
// index first, ascending. sizes are the intervals' sizes in bytes; separated
// lists, ascending, the pairs that never share for other reasons. ok is false, and
// the list cut short, when there are more than maxDSAPairs.
func recognise(lt *Lifetimes, sizes []uint64, cfg Config, separated []separation) (pairs []intervalPair, ok bool) {
	r := &recogniser{lt: lt, sizes: sizes, cfg: cfg, acc: make([]accessSummary, len(lt.Intervals)), inLoop: []bool{false}}
	if lt.Layout.facts().tuples {
		r.rememberElements(lt.Layout.Fn.Body)
	}
	r.block(lt.Layout.Fn.Body, 0)
	return r.pairs(separated)
}

// recogniser collects the accesses of a body.
type recogniser struct {
	lt    *Lifetimes
	sizes []uint64
	cfg   Config
	acc   []accessSummary // by interval
	order int32
	// inLoop tells, by path id, whether the path lies in a loop.
	inLoop []bool
	// elements are the variables that take the elements of a tuple variable.
	elements map[*ir.Var][]tupleElement
	// Scratch of one call.
	reads, writes []touch
}

type tupleElement struct {
	index int
	v     *ir.Var
}

// touch is an interval a call touches through a variable.
type touch struct {
	interval int
	v        *ir.Var
}

// rememberElements is the first pass of spec 08 §4.3.
func (r *recogniser) rememberElements(b *ir.Block) {
	ir.WalkStmts(b, func(s ir.Stmt) bool {
		a, ok := s.(*ir.Assign)
		if !ok {
			return true
		}
		g, ok := a.Value.(*ir.TupleGet)
		if !ok {
			return true
		}
		t, ok := g.Tuple.(*ir.Var)
		if !ok {
			return true
		}
		if r.elements == nil {
			r.elements = make(map[*ir.Var][]tupleElement)
		}
		list := r.elements[t]
		i, found := slices.BinarySearchFunc(list, g.Index, func(e tupleElement, i int) int { return cmp.Compare(e.index, i) })
		if found {
			list[i].v = a.Var
		} else {
			r.elements[t] = slices.Insert(list, i, tupleElement{g.Index, a.Var})
		}
		return true
	})
}

// block is the second pass of spec 08 §4.3.
func (r *recogniser) block(b *ir.Block, path int32) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.Assign:
			r.record(s.Value, s.Var, path)
			r.order++
		case *ir.Eval:
			r.record(s.X, nil, path)
			r.order++
		case *ir.Return:
			for _, e := range s.Values {
				r.record(e, nil, path)
			}
			r.order++
		case *ir.If:
			r.block(s.Then, r.fresh(r.inLoop[path]))
			if s.Else != nil {
				r.block(s.Else, r.fresh(r.inLoop[path]))
			}
		case *ir.For:
			r.block(s.Body, r.fresh(true))
		case *ir.While:
			r.block(s.Body, r.fresh(true))
		case *ir.Scope:
			r.block(s.Body, path)
		}
	}
}

func (r *recogniser) fresh(inLoop bool) int32 {
	r.inLoop = append(r.inLoop, inLoop)
	return int32(len(r.inLoop) - 1)
}

// record enters the accesses of a call whose result target takes; nil for
// none. Anything but a call is no access.
func (r *recogniser) record(e ir.Expr, target *ir.Var, path int32) {
	c, ok := e.(*ir.Call)
	if !ok {
		return
	}
	r.reads, r.writes = r.reads[:0], r.writes[:0]
	wholeAssemble := r.isWholeAssemble(c, target)
	for i, a := range c.Args {
		if v, ok := a.(*ir.Var); ok && !(i == 0 && wholeAssemble) {
			r.reads = r.touched(r.reads, v)
		}
	}
	if target != nil {
		if _, tuple := r.lt.Layout.TypeOf(target).(*ir.TupleType); !tuple {
			r.writes = r.touched(r.writes, target)
		} else {
			for _, el := range r.elements[target] {
				r.writes = r.touched(r.writes, el.v)
			}
		}
	}
	if len(r.reads)+len(r.writes) == 0 {
		return
	}
	evidence := evidenceOf(c)
	if evidence == accessNone {
		return
	}
	pipe := platforms.NoPipe
	if evidence == accessFunctional || wholeAssemble || r.isWholeStore(c) {
		pipe = callPipe(r.lt.Layout, c, r.cfg.Platform)
	}
	for _, t := range r.reads {
		r.enter(t, endpoint{order: r.order, path: path, pipe: pipe})
	}
	for _, t := range r.writes {
		r.enter(t, endpoint{order: r.order, path: path, pipe: pipe, write: true})
	}
}

func (r *recogniser) touched(list []touch, v *ir.Var) []touch {
	if i := r.lt.IntervalOfBase(r.lt.Layout.BaseOf(v)); i >= 0 {
		list = append(list, touch{i, v})
	}
	return list
}

// enter appends an endpoint, or poisons the interval when the access is not
// understood.
func (r *recogniser) enter(t touch, e endpoint) {
	a := &r.acc[t.interval]
	tile := r.lt.Layout.Tile(t.v)
	if e.pipe == platforms.NoPipe || tile == nil || tile.Space == platforms.NoSpace {
		a.none = true
		return
	}
	offset, constant := ir.ConstValue(tile.MemRef.Offset)
	e.full = constant && offset == 0 && tile.MemRef.Size == r.sizes[t.interval] && ir.IsFullyValid(tile)
	a.enter(e)
}

// isWholeStore is the first promotion of spec 08 §4.2: a store of a fully
// valid tile without extra operands.
func (r *recogniser) isWholeStore(c *ir.Call) bool {
	if c.IsFunc || c.Name != "tile.store" || c.Op == nil || len(c.Args) != 3 {
		return false
	}
	t, ok := exprType(r.lt.Layout, c.Args[0]).(*ir.TileType)
	return ok && ir.IsFullyValid(t)
}

// isWholeAssemble is the second promotion of spec 08 §4.2: an assemble that
// replaces its whole target in place.
func (r *recogniser) isWholeAssemble(c *ir.Call, result *ir.Var) bool {
	if c.IsFunc || c.Name != "tile.assemble" || c.Op == nil || len(c.Args) != 3 || result == nil {
		return false
	}
	var tiles [3]*ir.TileType
	for i, e := range []ir.Expr{c.Args[0], c.Args[1], result} {
		v, ok := e.(*ir.Var)
		if !ok {
			return false
		}
		t := r.lt.Layout.Tile(v)
		if t == nil || t.MemRef == nil || !ir.IsFullyValid(t) || i > 0 && !ir.ExprsEqual(t.Shape, tiles[0].Shape) {
			return false
		}
		tiles[i] = t
	}
	offset, ok := c.Args[2].(*ir.MakeTuple)
	if !ok || len(offset.Elems) != len(tiles[0].Shape) {
		return false
	}
	for _, e := range offset.Elems {
		if n, ok := ir.ConstValue(e); !ok || n != 0 {
			return false
		}
	}
	return tiles[0].MemRef.Base == tiles[2].MemRef.Base
}
