package prelude

import "pypto-ls/ir"

const passExpand = "ExpandMixedKernel"

// expandMixedKernel types pure InCore functions by the core they run on and
// splits mixed ones into a cube half, a vector half and the group that calls
// both (spec 11 §5, 11b §4). Hand-written vector functions get the adapters of
// their pushes.
func expandMixedKernel(c *Ctx, f *ir.Function) []*ir.Function {
	out := expanded(c, f)
	for _, g := range out {
		verifyMixedKernel(c, g)
	}
	return out
}

func expanded(c *Ctx, f *ir.Function) []*ir.Function {
	switch f.Kind {
	case ir.InCore:
	case ir.AIV:
		return []*ir.Function{handWrittenVector(c, f)}
	case ir.Group:
		return []*ir.Function{callHalves(c, f)}
	default:
		return []*ir.Function{f}
	}
	l := newLanes(f)
	switch l.block(f.Body) {
	case cube:
		return []*ir.Function{retyped(f, ir.AIC)}
	case mixed:
		return splitMixed(c, f, l)
	}
	return []*ir.Function{adaptPushes(c, retyped(f, ir.AIV))}
}

// retyped is a pure kernel under its core's kind; the attribute `split` goes.
func retyped(f *ir.Function, kind ir.FuncKind) *ir.Function {
	g := copyFunc(f)
	setKind(g, kind)
	g.Attrs = withoutAttrs(f.Attrs, "split")
	return g
}

func setKind(g *ir.Function, kind ir.FuncKind) {
	g.Kind, g.Role = kind, "SubWorker"
	g.Level = kind.String()
	if kind == ir.Group {
		g.Level = "CORE_GROUP"
	}
}

// notSplittable is why the rules of spec 11b §4 do not cover a mixed kernel,
// "" when they do.
func notSplittable(f *ir.Function) (reason string, sp ir.Span) {
	if attrTrue(f.Attrs, splitValidated) {
		return "", sp
	}
	if splitMode(f) != 0 {
		return "the mixed kernel is split over the vector cores (pl.split)", f.NameSpan
	}
	if attrTrue(f.Attrs, "split_aiv") {
		return "the mixed kernel has pl.split_aiv regions", f.NameSpan
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if reason != "" {
			return
		}
		if s, ok := st.(*ir.Scope); ok && s.Kind == ir.ScopeSplitAiv {
			reason, sp = "the mixed kernel has pl.split_aiv regions", s.Span
		}
		if c := callOf(st); c != nil {
			switch c.Name {
			case "tile.aiv_shard", "tile.aic_gather":
				reason, sp = "the mixed kernel transfers tiles with "+c.Name, c.Span
			}
		}
	})
	return reason, sp
}

// splitMixed makes the functions of a mixed kernel.
func splitMixed(c *Ctx, f *ir.Function, l *lanes) []*ir.Function {
	if reason, sp := notSplittable(f); reason != "" {
		c.note(passExpand, f, sp, reason)
		return []*ir.Function{f}
	}
	m := newMixedKernel(c, f, l)
	aic := m.half(cube)
	aiv := m.half(vector)
	ring := m.ring(aic, aiv)
	if c.failed() {
		return []*ir.Function{f}
	}
	out := []*ir.Function{
		m.function(aic, ring.prologue(m.f, cube)),
		adaptPushes(c, m.function(aiv, ring.prologue(m.f, vector))),
	}
	if m.wantsGroup() {
		out = append(out, m.group())
	}
	return out
}

// mixedKernel is a kernel while it is being split.
type mixedKernel struct {
	c *Ctx
	// f is a copy of the kernel that hands out scratch variables; the halves get
	// variables of their own in the end.
	f     *ir.Function
	lanes *lanes
	// class are the lanes of the statements with bodies.
	class map[ir.Stmt]lane
	// defs are the assignments of the mixed body; see definition.
	defs *varTable[*ir.Assign]
	// origin is the tensor parameter a tensor variable derives from.
	origin *origins
	fences fences
	dead   deadCode
	// crossings is the number of boundary moves.
	crossings int
	made      nodes
}

func newMixedKernel(c *Ctx, f *ir.Function, l *lanes) *mixedKernel {
	m := &mixedKernel{c: c, f: copyFunc(f), lanes: l, class: map[ir.Stmt]lane{}, dead: deadCode{live: newVarSet(int(f.NumVars))}}
	m.classify(f.Body)
	m.origin = tensorOrigins(f)
	m.fences = m.findFences()
	return m
}

// definition is the last assignment of v in the mixed body.
func (m *mixedKernel) definition(v *ir.Var) *ir.Assign {
	if m.defs == nil {
		m.defs = newVarTable[*ir.Assign](int(m.f.NumVars))
		ir.EachStmt(m.f.Body, func(st ir.Stmt) {
			if a, ok := st.(*ir.Assign); ok {
				m.defs.set(a.Var, a)
			}
		})
	}
	return m.defs.get(v)
}

// classify records the lanes of statements with bodies.
func (m *mixedKernel) classify(b *ir.Block) lane {
	out := shared
	for _, st := range b.Stmts {
		l := shared
		if ir.HasBodies(st) {
			ir.EachBody(st, func(c *ir.Block) { l = l.combine(m.classify(c)) })
			m.class[st] = l
		} else if l = m.lanes.stmt(st); l == mixed {
			m.crossings++
		}
		out = out.combine(l)
	}
	return out
}

// lane is the side a statement runs on.
func (m *mixedKernel) lane(st ir.Stmt) lane {
	if ir.HasBodies(st) {
		return m.class[st]
	}
	return m.lanes.stmt(st)
}

// crossing is a boundary move, or a shard of a cube tile for the vector cores: its destination, its source, and the core that
// produces the tile.
type crossing struct {
	dst, src *ir.Var
	from     lane
	// split is the split mode of the transfer, 0 for none.
	split int64
	meta  ir.StmtMeta
	span  ir.Span
}

// crossing is the boundary move that a statement of lane l is, if it is one.
func (m *mixedKernel) crossing(st ir.Stmt, l lane) (crossing, bool) {
	a, ok := st.(*ir.Assign)
	if !ok || l != mixed {
		return crossing{}, false
	}
	c, ok := a.Value.(*ir.Call)
	if !ok || len(c.Args) == 0 {
		return crossing{}, false
	}
	src, ok := c.Args[0].(*ir.Var)
	if !ok || tileOf(src) == nil || tileOf(a.Var) == nil {
		return crossing{}, false
	}
	x := crossing{dst: a.Var, src: src, from: sideOf(tileOf(src).Space), meta: ir.StmtMeta{Span: a.Span}, span: c.Span}
	if c.Name == "tile.aiv_shard" {
		x.split, _ = intAttr(c, "split")
	}
	return x, true
}

func (l lane) other() lane {
	if l == cube {
		return vector
	}
	return cube
}

// suffix is the core's part of names: `aic` or `aiv`.
func (l lane) suffix() string {
	if l == cube {
		return "aic"
	}
	return "aiv"
}
