package prelude

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

const passSpaces = "InferTileMemorySpace"

// inferTileMemorySpace gives every tile of an InCore function its space and
// inserts the moves that operators need (spec 02 §8.2, 11 §6.4).
func inferTileMemorySpace(c *Ctx, f *ir.Function) *ir.Function {
	if f.Kind != ir.InCore {
		return f
	}
	for _, p := range f.Params {
		if _, tile := p.Var.Type.(*ir.TileType); tile {
			c.problem(passSpaces, f, p.Var.Span, "InCore function parameter '"+p.Var.Name+"' has TileType, but InCore parameters must be TensorType")
			c.Problems[len(c.Problems)-1].Internal = true
			return f
		}
	}
	vars := int(f.NumVars) / 2 // the others were there before ConvertToSSA
	s := &spacer{c: c, f: copyFunc(f), demand: newVarTable[ir.Space](vars), space: newVarTable[ir.Space](vars)}
	s.demands(f.Body)
	s.spaces(f.Body)
	if s.space.n == 0 {
		return f
	}
	s.needed = s.movesNeeded(f.Body)
	s.sub = newSubst(0)
	s.f.Body = s.block(f.Body, map[moveKey]*ir.Var{})
	verifySpaces(c, s.f)
	return s.f
}

type moveKey struct {
	v     *ir.Var
	space ir.Space
}

type spacer struct {
	c      *Ctx
	f      *ir.Function
	demand *varTable[ir.Space]
	space  *varTable[ir.Space]
	needed map[moveKey]bool
	sub    subst
}

func callOf(st ir.Stmt) *ir.Call {
	switch st := st.(type) {
	case *ir.Assign:
		c, _ := st.Value.(*ir.Call)
		return c
	case *ir.Eval:
		c, _ := st.X.(*ir.Call)
		return c
	}
	return nil
}

// demands is phase 0: what the consumers of a variable want.
func (s *spacer) demands(b *ir.Block) {
	type edge struct{ result, source *ir.Var }
	var edges []edge
	want := func(v *ir.Var, sp ir.Space) {
		old, has := s.demand.lookup(v)
		if !has || old == platforms.Vec && sp != platforms.Vec {
			s.demand.set(v, sp)
		}
	}
	ir.EachStmt(b, func(st ir.Stmt) {
		call := callOf(st)
		if call == nil || call.Op == nil {
			return
		}
		for i, a := range call.Args {
			v, ok := a.(*ir.Var)
			if list := allowed(call, i); ok && len(list) > 0 && v.IsPlain() {
				want(v, list[0])
			}
		}
		as, ok := st.(*ir.Assign)
		if !ok || !call.Op.InheritsInput {
			return
		}
		for _, a := range call.Args {
			v, ok := a.(*ir.Var)
			if !ok || !v.IsPlain() {
				continue
			}
			switch v.Type.(type) {
			case *ir.TileType, *ir.TensorType:
				edges = append(edges, edge{as.Var, v})
				return
			}
		}
	})
	for i := len(edges) - 1; i >= 0; i-- {
		if d, ok := s.demand.lookup(edges[i].result); ok {
			want(edges[i].source, d)
		}
	}
}

func (s *spacer) known(e ir.Expr) (ir.Space, bool) {
	v, ok := e.(*ir.Var)
	if !ok {
		return -1, false
	}
	sp, ok := s.space.lookup(v)
	return sp, ok
}

// knownOrTyped is the recorded space, else the annotated one.
func (s *spacer) knownOrTyped(e ir.Expr) (ir.Space, bool) {
	if sp, ok := s.known(e); ok {
		return sp, true
	}
	if t := tileOf(e); t != nil && t.Space >= 0 {
		return t.Space, true
	}
	return -1, false
}

// spaces is phase 1.
func (s *spacer) spaces(b *ir.Block) {
	if b == nil {
		return
	}
	for _, st := range b.Stmts {
		switch st := st.(type) {
		case *ir.Assign:
			if tileOf(st.Var) != nil {
				if sp, ok := s.valueSpace(st); ok {
					s.space.set(st.Var, sp)
				}
			}
		case *ir.For:
			s.loopSpaces(st)
		case *ir.While:
			s.spaces(st.Body)
		case *ir.If:
			s.branchSpaces(st)
		case *ir.Scope:
			s.spaces(st.Body)
		}
	}
}

func (s *spacer) valueSpace(a *ir.Assign) (ir.Space, bool) {
	switch v := a.Value.(type) {
	case *ir.Var:
		return s.known(v)
	case *ir.Call:
		return s.callSpace(a.Var, v), true
	}
	return -1, false
}

func (s *spacer) callSpace(target *ir.Var, c *ir.Call) ir.Space {
	if c.IsFunc || !strings.HasPrefix(c.Name, "tile.") || c.Op == nil {
		return platforms.Vec
	}
	if c.Op.SpaceMode == ops.SpaceNone {
		if t, ok := c.Type.(*ir.TileType); ok && t.Space > platforms.DDR {
			return t.Space
		}
		return platforms.Vec
	}
	if sp, ok := outSpace(c); ok {
		return sp
	}
	if c.Op.Retargetable {
		if d, ok := s.demand.lookup(target); ok && (d == platforms.Vec || d == platforms.Mat) {
			return d
		}
	}
	for _, a := range c.Args {
		if sp, ok := s.known(a); ok {
			return sp
		}
	}
	return platforms.Vec
}

func (s *spacer) loopSpaces(l *ir.For) {
	for _, a := range l.IterArgs {
		if tileOf(a) == nil {
			continue
		}
		if sp, ok := s.knownOrTyped(a.Init); ok {
			s.space.set(a, sp)
		}
	}
	s.spaces(l.Body)
	y := lastYield(l.Body)
	for i, r := range l.Results {
		if tileOf(r) == nil || y == nil || i >= len(y.Values) {
			continue
		}
		v, ok := y.Values[i].(*ir.Var)
		if !ok || !v.IsPlain() {
			continue
		}
		if sp, ok := s.knownOrTyped(v); ok {
			s.space.set(r, sp)
			if i < len(l.IterArgs) {
				s.space.set(l.IterArgs[i], sp)
				if init, ok := l.IterArgs[i].Init.(*ir.Var); ok {
					s.space.set(init, sp)
				}
			}
		}
	}
}

func (s *spacer) branchSpaces(st *ir.If) {
	s.spaces(st.Then)
	s.spaces(st.Else)
	ty, ey := lastYield(st.Then), lastYield(st.Else)
	at := func(y *ir.Yield, i int) (ir.Space, bool) {
		if y == nil || i >= len(y.Values) {
			return -1, false
		}
		return s.knownOrTyped(y.Values[i])
	}
	for i, r := range st.Results {
		t := tileOf(r)
		if t == nil {
			continue
		}
		a, ok1 := at(ty, i)
		b, ok2 := at(ey, i)
		switch {
		case ok1 && ok2 && a != b:
		case ok1:
			s.space.set(r, a)
		case ok2:
			s.space.set(r, b)
		case t.Space >= 0:
			s.space.set(r, t.Space)
		}
	}
}

// movesNeeded is phase 2.
func (s *spacer) movesNeeded(b *ir.Block) map[moveKey]bool {
	need := map[moveKey]bool{}
	ir.EachStmt(b, func(st ir.Stmt) {
		call := callOf(st)
		if call == nil {
			return
		}
		for i, a := range call.Args {
			v, ok := a.(*ir.Var)
			list := allowed(call, i)
			if !ok || !v.IsPlain() || len(list) == 0 {
				continue
			}
			sp, ok := s.space.lookup(v)
			if ok && !contains(list, sp) {
				need[moveKey{v, list[0]}] = true
			}
		}
	})
	return need
}

func contains(list []ir.Space, s ir.Space) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// block is phase 3. moved are the moves available from enclosing lists; it is
// left as it was.
func (s *spacer) block(b *ir.Block, moved map[moveKey]*ir.Var) *ir.Block {
	if b == nil {
		return nil
	}
	var here []moveKey
	out := rewrite(b)
	for _, st := range b.Stmts {
		if call := callOf(st); call != nil && len(b.Stmts) > 1 && len(s.needed) > 0 {
			here = append(here, s.insertMoves(call, moved, &out)...)
		}
		out.add(s.stmt(st, moved))
	}
	for _, k := range here {
		delete(moved, k)
	}
	return out.block()
}

// insertMoves makes the moves that a call needs and that are not available, and
// tells which.
func (s *spacer) insertMoves(call *ir.Call, moved map[moveKey]*ir.Var, out *rewriting) (made []moveKey) {
	for i, a := range call.Args {
		v, ok := a.(*ir.Var)
		list := allowed(call, i)
		if !ok || !v.IsPlain() || len(list) == 0 {
			continue
		}
		k := moveKey{v, list[0]}
		if !s.needed[k] || moved[k] != nil {
			continue
		}
		if sp, ok := s.space.lookup(v); ok && contains(list, sp) {
			continue
		}
		src := s.sub.expr(v)
		kw := []ir.Kwarg{{Key: "target_memory", Value: list[0]}}
		fromAcc := s.space.get(v) == platforms.Acc && list[0] == platforms.Vec
		rowMajor := s.c.Platform != nil && containsInt(call.Op.RowMajorIn, i)
		if rowMajor || fromAcc {
			kw = append(kw, ir.Kwarg{Key: "blayout", Value: ir.RowMajor})
			if list[0] == platforms.Vec {
				kw = append(kw, ir.Kwarg{Key: "slayout", Value: ir.NoneBox})
			}
		}
		mv := newCall("tile.move", call.Span, []ir.Expr{src}, kw...)
		nv := s.f.NewVar(ir.PlainVar, v.Name+"_"+list[0].String(), mv.Type, call.Span)
		moved[k], made = nv, append(made, k)
		out.add(&ir.Assign{StmtMeta: ir.StmtMeta{Span: call.Span}, Var: nv, Value: mv})
	}
	return made
}

func containsInt(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// spaced is a tile type in its recorded space: when the space changes, the
// layout triple becomes the implicit one, the other view fields stay.
func spaced(t *ir.TileType, sp ir.Space) *ir.TileType {
	if t.Space == sp {
		return t
	}
	var view *ir.TileView
	if t.View != nil {
		v := *t.View
		imp := ir.ImplicitView(t.Shape, sp)
		v.BLayout, v.SLayout, v.Fractal = imp.BLayout, imp.SLayout, imp.Fractal
		view = &v
	}
	n := ir.NewTileType(t.Shape, t.DType, view, sp)
	n.MemRef = t.MemRef
	return n
}

// define gives a variable its space; uses follow.
func (s *spacer) define(v *ir.Var, t ir.Type) *ir.Var {
	if t == v.Type {
		return v
	}
	n := s.f.NewVar(v.Kind, v.Name, t, v.Span)
	n.Init = v.Init
	s.sub.set(v, n)
	return n
}

func (s *spacer) retype(v *ir.Var) *ir.Var {
	t := tileOf(v)
	sp, ok := s.space.lookup(v)
	if t == nil || !ok {
		return v
	}
	nt := spaced(t, sp)
	if nt == t {
		return v
	}
	return s.define(v, nt)
}

func (s *spacer) retypeAll(vs []*ir.Var) (out []*ir.Var, changed bool) {
	return eachVar(vs, func(_ int, v *ir.Var) *ir.Var { return s.retype(v) })
}

func (s *spacer) iters(vs []*ir.Var) (out []*ir.Var, changed bool) {
	return eachVar(vs, func(_ int, v *ir.Var) *ir.Var {
		init := s.sub.expr(v.Init)
		t := v.Type
		if tt := tileOf(v); tt != nil {
			if sp, ok := s.space.lookup(v); ok {
				t = spaced(tt, sp)
			}
		}
		if t == v.Type && init == v.Init {
			return v
		}
		n := s.f.NewVar(ir.IterArg, v.Name, t, v.Span)
		n.Init = init
		s.sub.set(v, n)
		return n
	})
}

func (s *spacer) stmt(st ir.Stmt, moved map[moveKey]*ir.Var) ir.Stmt {
	switch st := st.(type) {
	case *ir.Assign:
		return s.assign(st, moved)
	case *ir.Eval:
		if c, ok := st.X.(*ir.Call); ok {
			if n := s.call(c, moved); n != c {
				return &ir.Eval{StmtMeta: st.StmtMeta, X: n}
			}
			return st
		}
	case *ir.For:
		start, stop, step := s.sub.expr(st.Start), s.sub.expr(st.Stop), s.sub.expr(st.Step)
		iters, c1 := s.iters(st.IterArgs)
		body := s.block(st.Body, moved)
		results, c2 := s.retypeAll(st.Results)
		if c1 || c2 || body != st.Body || start != st.Start || stop != st.Stop || step != st.Step {
			n := *st
			n.Start, n.Stop, n.Step, n.IterArgs, n.Body, n.Results = start, stop, step, iters, body, results
			return &n
		}
		return st
	case *ir.While:
		iters, c1 := s.iters(st.IterArgs)
		cond := s.sub.expr(st.Cond)
		body := s.block(st.Body, moved)
		results, c2 := s.retypeAll(st.Results)
		if c1 || c2 || body != st.Body || cond != st.Cond {
			return &ir.While{StmtMeta: st.StmtMeta, Cond: cond, IterArgs: iters, Body: body, Results: results}
		}
		return st
	case *ir.If:
		cond := s.sub.expr(st.Cond)
		then, els := s.block(st.Then, moved), s.block(st.Else, moved)
		results, changed := s.retypeAll(st.Results)
		if changed || cond != st.Cond || then != st.Then || els != st.Else {
			return &ir.If{StmtMeta: st.StmtMeta, Cond: cond, Then: then, Else: els, Results: results}
		}
		return st
	case *ir.Scope:
		n := *st
		n.Args = s.sub.list(st.Args)
		n.Body = s.block(st.Body, moved)
		return &n
	}
	return substStmt(st, s.sub)
}

// call substitutes operands, by moves where the first allowed space asks for
// one; a changed call is deduced anew.
func (s *spacer) call(c *ir.Call, moved map[moveKey]*ir.Var) *ir.Call {
	args, changed := c.Args, false
	put := func(i int, e ir.Expr) {
		if !changed {
			args, changed = append([]ir.Expr(nil), c.Args...), true
		}
		args[i] = e
	}
	for i, a := range c.Args {
		v, ok := a.(*ir.Var)
		if list := allowed(c, i); ok && v.IsPlain() && len(list) > 0 && len(moved) > 0 {
			if m := moved[moveKey{v, list[0]}]; m != nil {
				put(i, m)
				continue
			}
		}
		if n := s.sub.expr(a); n != a {
			put(i, n)
		}
	}
	if !changed {
		return c
	}
	n := s.c.rebuilt(passSpaces, s.f, c, args)
	n.Attrs = c.Attrs
	return n
}

func (s *spacer) assign(a *ir.Assign, moved map[moveKey]*ir.Var) ir.Stmt {
	t := tileOf(a.Var)
	sp, known := s.space.lookup(a.Var)
	c, isCall := a.Value.(*ir.Call)
	if !isCall {
		value := s.sub.expr(a.Value)
		return withParts(a, s.retype(a.Var), value)
	}
	n := s.call(c, moved)
	if t == nil || !known {
		return withParts(a, a.Var, n)
	}
	vt := ir.Type(spaced(t, sp))
	if n != c {
		if nt, ok := n.Type.(*ir.TileType); ok {
			vt = withMemRef(spaced(nt, sp), t.MemRef)
		}
	}
	if n.Op != nil && n.Op.Retargetable {
		if k, ok := n.Kwarg("target_memory"); !ok || k != any(sp) {
			n = withKwarg(n, "target_memory", sp)
			nt := ir.NewTileType(t.Shape, t.DType, nil, sp)
			n.Type = nt
			vt = withMemRef(nt, t.MemRef)
		}
	}
	if ct, ok := n.Type.(*ir.TileType); ok && ct.Space < 0 {
		m := *n
		m.Type = spaced(ct, sp)
		n = &m
	}
	if vtt := vt.(*ir.TileType); ir.TypeEqual(vtt, a.Var.Type) {
		vt = a.Var.Type
	}
	return withParts(a, s.define(a.Var, vt), n)
}

func withMemRef(t *ir.TileType, m *ir.MemRef) *ir.TileType {
	if t.MemRef == m {
		return t
	}
	n := *t
	n.MemRef = m
	return &n
}

// verifySpaces is the verifier TileMemoryInferred (spec 02 §8.3).
func verifySpaces(c *Ctx, f *ir.Function) {
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok {
			if t := tileOf(a.Var); t != nil && t.Space < 0 {
				c.problem(passSpaces, f, a.Var.Span, "InCore function '"+f.Name+"': TileType variable '"+a.Var.Name+"' has no memory_space set")
			}
		}
		call := callOf(st)
		if call == nil {
			return
		}
		for i, a := range call.Args {
			v, ok := a.(*ir.Var)
			list := allowed(call, i)
			if !ok || !v.IsPlain() || len(list) == 0 {
				continue
			}
			t := tileOf(v)
			if t == nil || t.Space < 0 || contains(list, t.Space) {
				continue
			}
			var names []string
			for _, x := range list {
				names = append(names, x.String())
			}
			c.problem(passSpaces, f, v.Span, "InCore function '"+f.Name+"': Op '"+call.Name+"' input "+itoa(i)+" ('"+v.Name+"') requires "+strings.Join(names, "/")+" but is in "+t.Space.String())
		}
	})
}
