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
	bound := make(map[*ir.Var]*decl, len(p.decls.order))
	for _, x := range p.decls.order {
		bound[x.base] = x
	}
	// Every tile mentioned has been given a new base or none, so that all bases
	// are this pass's own, with IDs beyond the input function's.
	own := p.Fn.NumVars
	seen := make([]bool, p.next.NumVars-own)
	var out []ir.Stmt
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
		out = append(out, allocStatement(base, t.Space, size, x != nil, v.Span))
	}
	for _, param := range p.Fn.Params {
		add(param.Var)
	}
	for _, v := range p.mentioned {
		add(v)
	}
	return out, err
}

// allocStatement is `base: pl.Ptr = pl.tile.alloc(pl.Mem.<space>, <size>)`.
func allocStatement(base *ir.Var, space ir.Space, size uint64, declared bool, span ir.Span) *ir.Assign {
	name := "tile.alloc"
	if space == platforms.DDR {
		name = "tensor.alloc"
	}
	call := &ir.Call{
		Name: name,
		Args: []ir.Expr{ir.Index(int64(space)), ir.Index(int64(size))},
		Type: base.Type,
		Span: span,
	}
	call.Op = ops.Lookup(name)
	if declared {
		call.Kwargs = []ir.Kwarg{{Key: "pinned", Value: true}}
	}
	return &ir.Assign{StmtMeta: ir.StmtMeta{Span: span}, Var: base, Value: call}
}
