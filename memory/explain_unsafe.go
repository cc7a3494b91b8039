package memory

import (
	"cmp"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// UnsafeReuse is a place where the reference's plan overwrites a value that is
// still needed: the lifetimes it works with (spec 05) end some values too
// early, for example the result of a loop over the result of a loop.
type UnsafeReuse struct {
	// Writer defines a tile in storage that Victim still occupies; Reader is the
	// next statement that reads Victim.
	Writer *ir.Assign
	Victim *ir.Var
	Reader ir.Stmt
	Space  ir.Space
}

// Unsafe lists the overwritten values in the order of their writers. It
// follows the data flow exactly: loop results, branches, values carried over
// iterations. Values that are one by construction (views, in-place updates,
// copies) are not held against each other.
func (p *Plan) Unsafe() []UnsafeReuse {
	p.unsafeOnce.Do(func() {
		if p.Lifetimes != nil {
			p.unsafe = findUnsafe(p.Layout, p.Placed, p.Config)
		}
	})
	return p.unsafe
}

// region is a stretch of bytes: of a space once addresses are assigned, of an
// allocation before.
type region struct {
	where int32 // space, or ID of the base
	// pos is one more than the position in unsafeFinder.live of the value here, 0
	// when it is not live.
	pos        int32
	start, end int64
}

func (a *region) overlaps(b *region) bool {
	return a.where == b.where && a.start < b.end && b.start < a.end
}

type liveValue struct {
	v      *ir.Var
	reader ir.Stmt
}

type unsafeFinder struct {
	l       *Layout
	cfg     Config
	regions []region // of the values that have one
	place   []int32  // by ir.Var.ID: index in regions plus one
	root    []int32  // by ir.Var.ID: the value it is one with by construction
	// carried lists for each loop the tiles from outside that its body reads.
	carried map[ir.Stmt][]liveValue
	found   []UnsafeReuse
	// live is the set of values needed after the current point, all with a region.
	live []liveValue
	// exits and ends are what is live after the enclosing loops and at the ends
	// of their bodies.
	exits, ends [][]liveValue
	stmt        ir.Stmt
	use         func(*ir.Var)
}

// newUnsafeFinder knows where every value of l lies.
func newUnsafeFinder(l *Layout, placed bool, cfg Config) *unsafeFinder {
	n := max(int(l.Fn.NumVars), len(l.Types))
	f := &unsafeFinder{l: l, cfg: cfg, place: make([]int32, n), root: make([]int32, n)}
	f.regions = make([]region, 0, len(l.Fn.Params)+l.countTiles(l.mentions()))
	for i := range f.root {
		f.root[i] = int32(i)
	}
	for _, p := range l.Fn.Params {
		f.locate(p.Var, nil, placed)
	}
	for _, v := range l.mentions() {
		f.locate(v, nil, placed)
	}
	c := carriedWalker{l: l, defined: make([]int32, n), used: make([]int32, n)}
	c.use = c.useVar
	c.assigned = func(a *ir.Assign) {
		if isView(a.Value) {
			f.locate(a.Var, a.Value, placed)
		}
		f.unite(a)
	}
	c.block(l.Fn.Body)
	f.carried = c.out
	return f
}

func findUnsafe(l *Layout, placed bool, cfg Config) []UnsafeReuse {
	f := newUnsafeFinder(l, placed, cfg)
	f.use = f.useVar
	f.block(l.Fn.Body)
	slices.Reverse(f.found) // the last writer was met first
	return f.found
}

// locate notes the bytes of v. value is what v is assigned, nil if nothing: a
// value may be smaller than the buffer it was given, a view spans its MemRef.
func (f *unsafeFinder) locate(v *ir.Var, value ir.Expr, placed bool) {
	t := f.l.Tile(v)
	id := int(v.ID)
	if t == nil || t.MemRef == nil || t.Space == platforms.DDR || id < 0 || id >= len(f.place) {
		return
	}
	start, ok := ir.ConstValue(t.MemRef.Offset)
	if !ok {
		return
	}
	size := t.MemRef.Size
	if !isView(value) {
		if own, ok := ir.AllocBytes(t.Shape, t.DType, t.Space, f.cfg.Platform); ok {
			size = min(size, own)
		}
	}
	where := t.MemRef.Base.ID
	if placed {
		where = int32(t.Space)
	}
	if f.place[id] == 0 {
		f.regions = append(f.regions, region{})
		f.place[id] = int32(len(f.regions))
	}
	f.regions[f.place[id]-1] = region{where: where, start: start, end: start + int64(min(size, 1<<62))}
}

// at is where v lies, nil when it lies nowhere.
func (f *unsafeFinder) at(v *ir.Var) *region {
	id := int(v.ID)
	if id < 0 || id >= len(f.place) || f.place[id] == 0 {
		return nil
	}
	if r := &f.regions[f.place[id]-1]; r.end != 0 {
		return r
	}
	return nil
}

func isView(value ir.Expr) bool {
	c, ok := value.(*ir.Call)
	return ok && c.Op != nil && c.Op.IsView()
}

// unite makes the result of a view, an in-place update or a copy one with the
// operand it stands on.
func (f *unsafeFinder) unite(a *ir.Assign) {
	var src ir.Expr
	switch x := a.Value.(type) {
	case *ir.Var:
		src = x
	case *ir.Call:
		switch {
		case x.Op == nil || x.IsFunc:
		case x.Op.IsView() && len(x.Args) > 0:
			src = x.Args[0]
		case x.Op.ReusesInput >= 0 && x.Op.ReusesInput < len(x.Args):
			src = x.Args[x.Op.ReusesInput]
		}
	}
	v, ok := src.(*ir.Var)
	if !ok || v == nil {
		return
	}
	if to, from := int(a.Var.ID), int(v.ID); to >= 0 && to < len(f.root) && from >= 0 && from < len(f.root) {
		f.root[to] = f.root[from]
	}
}

// writes reports whether an assignment changes bytes of its result's storage:
// views and copies only rename it.
func writes(a *ir.Assign) bool {
	c, ok := a.Value.(*ir.Call)
	return ok && (c.Op == nil || !c.Op.IsView() || c.Name == "tile.assemble")
}

func (f *unsafeFinder) block(b *ir.Block) {
	if b == nil {
		return
	}
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		f.statement(b.Stmts[i])
	}
}

// statement steps backwards over s: live becomes what is needed before it.
func (f *unsafeFinder) statement(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Assign:
		f.kill(s.Var)
		if writes(s) {
			f.check(s)
		}
		f.uses(s)
	case *ir.Return:
		f.set(nil)
		f.uses(s)
	case *ir.Break:
		if n := len(f.exits); n > 0 {
			f.set(f.exits[n-1])
		}
	case *ir.Continue:
		if n := len(f.ends); n > 0 {
			f.set(f.ends[n-1])
		}
	case *ir.If:
		f.branch(s)
	case *ir.For:
		f.loop(s, s.IterArgs, s.Results, s.Body)
	case *ir.While:
		f.loop(s, s.IterArgs, s.Results, s.Body)
	case *ir.Scope:
		f.block(s.Body)
		f.uses(s)
	default:
		f.uses(s)
	}
}

func (f *unsafeFinder) branch(s *ir.If) {
	for _, r := range s.Results {
		f.kill(r)
	}
	els := slices.Clone(f.live)
	if s.Else != nil {
		after := els
		f.block(s.Else)
		els = slices.Clone(f.live)
		f.set(after)
	}
	f.block(s.Then)
	f.addAll(els)
	f.uses(s)
}

func (f *unsafeFinder) loop(s ir.Stmt, iterArgs, results []*ir.Var, body *ir.Block) {
	for _, r := range results {
		f.kill(r)
	}
	exit := slices.Clone(f.live)
	f.addAll(f.carried[s])
	f.exits = append(f.exits, exit)
	f.ends = append(f.ends, slices.Clone(f.live))
	if w, ok := s.(*ir.While); ok {
		f.uses(w)
	}
	f.block(body)
	if w, ok := s.(*ir.While); ok {
		f.uses(w)
	}
	f.exits, f.ends = f.exits[:len(f.exits)-1], f.ends[:len(f.ends)-1]
	f.addAll(exit)
	for _, a := range iterArgs {
		f.kill(a)
	}
	f.stmt = s
	for _, a := range iterArgs {
		if a.Init != nil {
			exprVars(a.Init, f.use)
		}
	}
}

// check reports the live values that the write of a destroys, the last variable
// first.
func (f *unsafeFinder) check(a *ir.Assign) {
	written := f.at(a.Var)
	if written == nil {
		return
	}
	before := len(f.found)
	for _, o := range f.live {
		if f.at(o.v).overlaps(written) && f.root[o.v.ID] != f.root[a.Var.ID] {
			f.found = append(f.found, UnsafeReuse{a, o.v, o.reader, f.l.Tile(a.Var).Space})
		}
	}
	slices.SortFunc(f.found[before:], func(x, y UnsafeReuse) int { return cmp.Compare(y.Victim.ID, x.Victim.ID) })
}

func (f *unsafeFinder) uses(s ir.Stmt) {
	f.stmt = s
	if a, ok := s.(*ir.Assign); ok { // most are
		exprVars(a.Value, f.use)
		return
	}
	stmtExprs(s, func(e ir.Expr) { exprVars(e, f.use) })
}

func (f *unsafeFinder) useVar(v *ir.Var) {
	r := f.at(v)
	if r == nil {
		return
	}
	if r.pos > 0 {
		f.live[r.pos-1].reader = f.stmt
		return
	}
	f.live = append(f.live, liveValue{v, f.stmt})
	r.pos = int32(len(f.live))
}

func (f *unsafeFinder) kill(v *ir.Var) {
	r := f.at(v)
	if r == nil || r.pos == 0 {
		return
	}
	last := f.live[len(f.live)-1]
	f.live[r.pos-1] = last
	f.at(last.v).pos = r.pos
	f.live = f.live[:len(f.live)-1]
	r.pos = 0
}

// set replaces the live set by a copy of vs.
func (f *unsafeFinder) set(vs []liveValue) {
	for _, o := range f.live {
		f.at(o.v).pos = 0
	}
	f.live = f.live[:0]
	f.addAll(vs)
}

func (f *unsafeFinder) addAll(vs []liveValue) {
	for _, o := range vs {
		if r := f.at(o.v); r != nil && r.pos == 0 {
			f.live = append(f.live, o)
			r.pos = int32(len(f.live))
		}
	}
}
