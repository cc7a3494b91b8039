package memory

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const passInitMemRef = "InitMemRef"

// InitMemRef gives every tensor and tile variable of fn a MemRef and puts one
// allocation statement per on-chip allocation at the head of the body (spec
// part 03). It makes no lifetime decision: a tile that is not by construction
// the same bytes as another one gets a buffer of its own. It applies to
// functions of every kind; of cfg only the platform (row padding of
// accumulators) and the planner (PTOAS refuses single-slot declarations)
// matter.
//
// Statement normalisation (03 §4) needs no code: an ir.Block is flat.
func InitMemRef(fn *ir.Function, cfg Config) (*Layout, *Error) {
	p := &initPass{
		Layout: &Layout{Fn: fn, Types: make([]ir.Type, fn.NumVars)},
		cfg:    cfg,
		next:   cloneFn(fn, fn.Body),
		done:   make([]bool, fn.NumVars),
	}
	p.visit = p.use
	p.facts = factsOf(fn)
	if p.decls, p.err = collectDecls(fn, p.facts.mentioned, cfg); p.err != nil {
		return nil, p.err
	}
	for _, x := range p.decls.order {
		x.base = p.next.NewVar(ir.BaseVar, x.name, &ir.PtrType{}, fn.NameSpan)
	}
	for _, param := range fn.Params {
		p.use(param.Var)
	}
	p.block(fn.Body)
	if p.err != nil {
		return nil, p.err
	}
	return p.finish()
}

// initPass is one run of InitMemRef. The embedded Layout is the result under
// construction, with Fn still the input function.
type initPass struct {
	*Layout
	tileRoom
	cfg   Config
	next  *ir.Function // the output function, owner of the new bases
	done  []bool       // by Var.ID: the variable has been rewritten
	decls *declTable
	ids   int // the id counter of spec 03 §7.1
	// statements is the number of statements of the body itself.
	statements int
	visit      func(*ir.Var)
	own        ownPlaces
	// facts are those of the body; rewriting types does not change them.
	facts *bodyFacts
	err   *Error // first error; rewriting goes on harmlessly after it
}

func (p *initPass) fail(e *Error) {
	if p.err == nil {
		p.err = e
	}
}

// first reports whether v has not been rewritten yet, and marks it. Program
// wide dimension symbols (ID < 0) are scalars and never rewritten.
func (p *initPass) first(v *ir.Var) bool {
	id := int(v.ID)
	if id < 0 || id >= len(p.done) || p.done[id] {
		return false
	}
	p.done[id] = true
	return true
}

// use rewrites v at its first encounter.
func (p *initPass) use(v *ir.Var) {
	if v == nil || !p.first(v) {
		return
	}
	if v.Kind == ir.IterArg {
		p.iterArg(v)
		return
	}
	p.fresh(v)
}

// iterArg: an iter_arg takes over the MemRef and space of its initial value,
// none if that has none (spec 03 §7.5).
func (p *initPass) iterArg(v *ir.Var) {
	if v.Init == nil {
		p.fresh(v)
		return
	}
	p.expr(v.Init)
	t := p.exprType(v.Init)
	p.setType(v, p.withMemRef(v.Type, memRefOfType(t), spaceOfType(t)))
}

// fresh is the fresh rule of spec 03 §7.3: a bound tile takes its declaration,
// any other tensor or tile a new base; everything else is left alone.
func (p *initPass) fresh(v *ir.Var) {
	space := spaceOfType(v.Type)
	var size uint64
	switch t := v.Type.(type) {
	case *ir.TileType:
		if space == platforms.NoSpace {
			space = platforms.DDR
		}
		if m := p.decls.bind(t.MemRef); m != nil {
			p.setType(v, p.withMemRef(t, m, space))
			return
		}
		var e *Error
		if size, e = p.tileSize(v, t, space); e != nil {
			p.fail(e)
			return
		}
	case *ir.TensorType:
		size, _ = ir.AllocBytes(t.Shape, t.DType, space, p.cfg.Platform)
	default:
		return
	}
	own := p.own.next(space, p.ids)
	p.ids++
	base := p.next.NewVarIn(&own.base, ir.BaseVar, "", basePtr, v.Span)
	own.ref = ir.MemRef{Base: base, Offset: zeroOffset, Size: size, Slots: 1}
	if t, ok := v.Type.(*ir.TileType); ok && t.Space == space {
		own.tile = *t
		own.tile.MemRef = &own.ref
		p.setType(v, &own.tile)
		return
	}
	p.setType(v, p.withMemRef(v.Type, &own.ref, space))
}

// basePtr is the type of every fresh base.
var basePtr = &ir.PtrType{}

// zeroOffset is the offset of every fresh MemRef; its dtype shows in dumps.
var zeroOffset = &ir.ConstInt{DType: ir.INT64}

func (p *initPass) tileSize(v *ir.Var, t *ir.TileType, space ir.Space) (uint64, *Error) {
	if size, ok := ir.AllocBytes(t.Shape, t.DType, space, p.cfg.Platform); ok {
		return size, nil
	}
	if e := p.staticShape(v, t); e != nil {
		return 0, e
	}
	for i, d := range t.Shape {
		if n, _ := ir.ConstValue(d); n <= 0 {
			return 0, p.errorf(InternalError, passInitMemRef,
				"InitMemRef requires positive shape for variable '%s', but shape element %d is %d", v.Name, i, n).atVar(v)
		}
	}
	return 0, p.errorf(InternalError, passInitMemRef,
		"InitMemRef cannot represent the physical allocation size for static tile variable '%s' without overflowing 64-bit bytes", v.Name).atVar(v)
}

func (p *initPass) staticShape(v *ir.Var, t *ir.TileType) *Error {
	for i, d := range t.Shape {
		if _, ok := ir.ConstValue(d); !ok {
			return p.errorf(InternalError, passInitMemRef,
				"InitMemRef requires static shape for variable '%s', but shape element %d is dynamic. Fix the upstream op to keep TileType.shape static and put runtime extent in TileView.valid_shape instead.", v.Name, i).atVar(v)
		}
	}
	return nil
}

func (p *initPass) expr(e ir.Expr) { exprVars(e, p.visit) }

// exprType is the current type of a variable, and a call's own type; other
// expressions hold no memory and have none.
func (p *initPass) exprType(e ir.Expr) ir.Type {
	switch e := e.(type) {
	case *ir.Var:
		return p.TypeOf(e)
	case *ir.Call:
		return e.Type
	}
	return nil
}

// block rewrites a body in rewriting order (spec 03 §7.1), which differs from
// reading order: right side before left variable, a while's iter_args before
// its condition.
func (p *initPass) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		if p.err != nil {
			return
		}
		switch s := s.(type) {
		case *ir.Assign:
			p.assign(s)
		case *ir.For:
			p.forLoop(s)
		case *ir.While:
			p.uses(s.IterArgs)
			stmtExprs(s, p.expr)
			p.block(s.Body)
			p.uses(s.Results)
		case *ir.If:
			p.branch(s)
		case *ir.Scope:
			stmtExprs(s, p.expr)
			p.block(s.Body)
		default:
			stmtExprs(s, p.expr)
		}
	}
}

func (p *initPass) uses(vs []*ir.Var) {
	for _, v := range vs {
		p.use(v)
	}
}

// forLoop: a tile result lives where its iter_arg lives; it has drawn an id
// of its own first, which leaves a gap in the names (spec 03 §7.5).
func (p *initPass) forLoop(s *ir.For) {
	p.use(s.Var)
	stmtExprs(s, p.expr)
	p.uses(s.IterArgs)
	p.block(s.Body)
	p.uses(s.Results)
	for i, r := range s.Results {
		if i < len(s.IterArgs) {
			p.shareResult(r, s.IterArgs[i])
		}
	}
}

// branch: a tile result lives where the value of the branch that yields a
// plain variable lives, then-branch first.
func (p *initPass) branch(s *ir.If) {
	p.expr(s.Cond)
	p.block(s.Then)
	p.block(s.Else)
	p.uses(s.Results)
	for i, r := range s.Results {
		v := plainVar(yieldValue(s.Then, i))
		if v == nil {
			v = plainVar(yieldValue(s.Else, i))
		}
		if v != nil {
			p.shareResult(r, v)
		}
	}
}

func plainVar(e ir.Expr) *ir.Var {
	if v, ok := e.(*ir.Var); ok && v.IsPlain() {
		return v
	}
	return nil
}

// shareResult replaces r's MemRef and space by v's when both are tiles and v
// has a MemRef.
func (p *initPass) shareResult(r, v *ir.Var) {
	if src := p.Tile(v); src != nil && src.MemRef != nil && p.Tile(r) != nil {
		p.setType(r, p.withMemRef(r.Type, src.MemRef, src.Space))
	}
}

// finish puts the allocation statements in front of the body.
func (p *initPass) finish() (*Layout, *Error) {
	p.own.name()
	body := p.next.Body
	if p.facts.comments {
		body = mapBlock(body, dropAssignComments)
	}
	if body != nil {
		p.statements = len(body.Stmts)
	}
	allocs, err := p.allocStatements()
	if err != nil {
		return nil, err
	}
	if len(allocs) > 0 {
		mentioned := make([]*ir.Var, 0, len(allocs)+len(p.facts.mentioned))
		for _, s := range allocs {
			mentioned = append(mentioned, s.(*ir.Assign).Var)
		}
		p.facts.mentioned = append(mentioned, p.facts.mentioned...)
		p.facts.numbered += len(allocs)
		flat := &ir.Block{Stmts: allocs}
		if body != nil {
			flat.Stmts = append(flat.Stmts, body.Stmts...)
		}
		body = flat
	}
	p.next.Body = body
	out := &Layout{Fn: p.next, Types: p.Types}
	out.remember(p.facts)
	return out, nil
}

// Assignments lose their comments in this pass, all other statements keep
// theirs: the reference rebuilds every assignment.
func dropAssignComments(s ir.Stmt) ir.Stmt {
	a, ok := s.(*ir.Assign)
	if !ok || len(a.Comments) == 0 {
		return s
	}
	c := *a
	c.Comments = nil
	return &c
}
