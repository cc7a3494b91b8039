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
	var room allocRoom
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
		out = append(out, room.statement(base, t.Space, size, x != nil, v.Span))
	}
	for _, param := range p.Fn.Params {
		add(param.Var)
	}
	for _, v := range p.facts.mentioned {
		add(v)
	}
	return out, err
}

// allocRoom makes allocation statements. Those that allocate as much in the same
// space share one call.
type allocRoom struct {
	known   map[allocation]*ir.Call
	calls   ir.Slab[allocCallNodes]
	assigns ir.Slab[ir.Assign]
}

type allocation struct {
	space    ir.Space
	declared bool
	size     uint64
}

// allocCallNodes are the nodes of an alloc call, together in memory.
type allocCallNodes struct {
	call    ir.Call
	args    [2]ir.Expr
	numbers [2]ir.ConstInt
}

// statement is `base: pl.Ptr = pl.tile.alloc(pl.Mem.<space>, <size>)`.
func (r *allocRoom) statement(base *ir.Var, space ir.Space, size uint64, declared bool, span ir.Span) *ir.Assign {
	a := r.assigns.New()
	*a = ir.Assign{StmtMeta: ir.StmtMeta{Span: span}, Var: base, Value: r.call(allocation{space, declared, size})}
	return a
}

func (r *allocRoom) call(x allocation) *ir.Call {
	if c := r.known[x]; c != nil {
		return c
	}
	n := r.calls.New()
	name := "tile.alloc"
	if x.space == platforms.DDR {
		name = "tensor.alloc"
	}
	n.numbers = [2]ir.ConstInt{{Value: int64(x.space), DType: ir.INDEX}, {Value: int64(x.size), DType: ir.INDEX}}
	n.args = [2]ir.Expr{&n.numbers[0], &n.numbers[1]}
	n.call = ir.Call{Name: name, Op: ops.Lookup(name), Args: n.args[:], Type: basePtr}
	if x.declared {
		n.call.Kwargs = []ir.Kwarg{{Key: "pinned", Value: true}}
	}
	if r.known == nil {
		r.known = make(map[allocation]*ir.Call)
	}
	r.known[x] = &n.call
	return &n.call
}
