package memory

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// allocStatements makes one allocation statement per base that a tile lives
// in, in order of first mention, parameters first (spec 03 §8). Tensors'
// bases are not allocated here.
func (p *initPass) allocStatements() ([]ir.Stmt, *Error) {
	var bound map[*ir.Var]*decl
	if len(p.decls.order) > 0 {
		bound = make(map[*ir.Var]*decl, len(p.decls.order))
	}
	for _, x := range p.decls.order {
		bound[x.base] = x
	}
	// Every tile mentioned has been given a new base or none, so that all bases
	// are this pass's own, with IDs beyond the input function's.
	own := p.Fn.NumVars
	seen := make([]bool, p.next.NumVars-own)
	out := make([]ir.Stmt, 0, len(seen)+p.statements)
	var room []allocNodes
	var args allocArgs
	var err *Error
	add := func(v *ir.Var) {
		t := p.Tile(v)
		if t == nil || t.MemRef == nil || err != nil {
			return
		}
		base, size := t.MemRef.Base, t.MemRef.Size
		if base.ID < own || seen[base.ID-own] {
			return
		}
		seen[base.ID-own] = true
		x := bound[base]
		if x != nil {
			if size, err = x.allocation(p.Layout); err != nil {
				return
			}
		}
		// The body defines the base from here on; it is not published yet.
		base.Kind = ir.PlainVar
		if x != nil {
			p.facts.declare(base, uint64(max(int64(size), 0)))
		}
		if len(room) == 0 {
			room = make([]allocNodes, 16)
		}
		out = append(out, room[0].statement(base, args.of(t.Space, size), x != nil, v.Span))
		room = room[1:]
	}
	for _, param := range p.Fn.Params {
		add(param.Var)
	}
	for _, v := range p.facts.mentioned {
		add(v)
	}
	return out, err
}

// statement is `base: pl.Ptr = pl.tile.alloc(pl.Mem.<space>, <size>)`.
func (n *allocNodes) statement(base *ir.Var, a *allocOperands, declared bool, span ir.Span) *ir.Assign {
	n.call = ir.Call{Name: a.op.Name, Op: a.op, Args: a.args[:], Type: base.Type, Span: span}
	if declared {
		n.call.Kwargs = []ir.Kwarg{{Key: "pinned", Value: true}}
	}
	n.assign = ir.Assign{StmtMeta: ir.StmtMeta{Span: span}, Var: base, Value: &n.call}
	return &n.assign
}

// allocNodes are the nodes of an allocation statement, together in memory.
type allocNodes struct {
	assign ir.Assign
	call   ir.Call
}

// allocArgs makes the operands of allocations: most are of the size of the one
// before in their space, and take its operands.
type allocArgs struct {
	last [numSpaces]*allocOperands
	room ir.Slab[allocOperands]
}

type allocOperands struct {
	op      *ops.Op
	args    [2]ir.Expr
	numbers [2]ir.ConstInt
}

func (r *allocArgs) of(space ir.Space, size uint64) *allocOperands {
	if space >= 0 && space < numSpaces && r.last[space] != nil && r.last[space].numbers[1].Value == int64(size) {
		return r.last[space]
	}
	a := r.room.New()
	name := "tile.alloc"
	if space == platforms.DDR {
		name = "tensor.alloc"
	}
	a.op = ops.Lookup(name)
	a.numbers = [2]ir.ConstInt{{Value: int64(space), DType: ir.INDEX}, {Value: int64(size), DType: ir.INDEX}}
	a.args = [2]ir.Expr{&a.numbers[0], &a.numbers[1]}
	if space >= 0 && space < numSpaces {
		r.last[space] = a
	}
	return a
}
