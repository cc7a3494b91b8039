package prelude

import "pypto-ls/ir"

// scopePlan is what the body of a core scope takes and gives.
type scopePlan struct {
	body *ir.Block
	// live are the variables read before the body defines them, in order of
	// first read: the parameters.
	live []*ir.Var
	// results are the body's variables that are read after the scope.
	results []*ir.Var
	// targets are the captured tensors that the body stores to directly.
	targets []*storeTarget
}

// storeTarget is a captured tensor with the results of the stores to it.
type storeTarget struct {
	target *ir.Var
	stored []*ir.Var
	read   bool
}

func outlinePlan(body *ir.Block, later varSet) *scopePlan {
	p := &scopePlan{body: body}
	w := &liveWalk{defined: newVarSet(0), seen: newVarSet(0)}
	w.block(body)
	p.live = w.live
	captured := newVarSet(0)
	for _, v := range p.live {
		captured.add(v)
	}
	p.findTargets(captured)
	stored := newVarSet(0)
	for _, t := range p.targets {
		for _, v := range t.stored {
			stored.add(v)
		}
	}
	for _, st := range body.Stmts {
		ir.EachDef(st, func(v *ir.Var) {
			if later.has(v) && !stored.has(v) {
				p.results = append(p.results, v)
			}
		})
	}
	return p
}

// liveWalk collects variables that are read before they are defined. Order:
// operands left to right; loops their initial values, then their bounds (a
// while loop its condition), then the body (spec 11b §5.1, step 2).
type liveWalk struct {
	defined, seen varSet
	live          []*ir.Var
}

func (w *liveWalk) read(v *ir.Var) {
	if v.ID < 0 || v.Kind == ir.DimVar || w.defined.has(v) || w.seen.has(v) {
		return
	}
	w.seen.add(v)
	w.live = append(w.live, v)
}

func (w *liveWalk) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, st := range b.Stmts {
		w.head(st)
		if sc, ok := st.(*ir.Scope); ok {
			ir.EachDef(sc, w.defined.add)
		}
		for _, c := range ir.Bodies(st) {
			w.block(c)
		}
		ir.EachDef(st, w.defined.add)
	}
}

// head reads what a statement reads before its bodies. The condition of a while
// loop is that of every round: it reads the carries, not what is outside.
func (w *liveWalk) head(st ir.Stmt) {
	l, ok := loopOf(st)
	if l.cond == nil {
		stmtUses(st, w.read)
	}
	if !ok {
		return
	}
	for _, a := range l.iters {
		if l.cond != nil {
			exprVars(a.Init, w.read)
		}
		w.defined.add(a)
	}
	if l.index != nil {
		w.defined.add(l.index)
	}
	if l.cond != nil {
		exprVars(l.cond, w.read)
	}
}

// findTargets finds the captured tensors that are stored to directly and
// whether the body also reads them. A carry is no direct target.
func (p *scopePlan) findTargets(captured varSet) {
	byVar := map[*ir.Var]*storeTarget{}
	ir.EachStmt(p.body, func(st ir.Stmt) {
		c := callOf(st)
		if c == nil || c.Name != "tile.store" || len(c.Args) < 3 {
			return
		}
		v, ok := c.Args[2].(*ir.Var)
		if !ok || !captured.has(v) || v.Kind == ir.IterArg {
			return
		}
		t := byVar[v]
		if t == nil {
			t = &storeTarget{target: v}
			byVar[v] = t
			p.targets = append(p.targets, t)
		}
		if a, ok := st.(*ir.Assign); ok {
			t.stored = append(t.stored, a.Var)
		}
	})
	for _, t := range p.targets {
		t.read = readsTensor(p.body, t.target)
	}
}

// readsTensor reports whether a body reads a tensor or the result of a store
// to it: any use but as the target of a plain store.
func readsTensor(b *ir.Block, root *ir.Var) bool {
	derived := newVarSet(0)
	derived.add(root)
	read := false
	ir.EachStmt(b, func(st ir.Stmt) {
		c := callOf(st)
		if c != nil && c.Name == "tile.store" && len(c.Args) >= 3 {
			for i, a := range c.Args {
				exprVars(a, func(v *ir.Var) { read = read || i != 2 && derived.has(v) })
			}
			v, ok := c.Args[2].(*ir.Var)
			if !ok || !derived.has(v) {
				return
			}
			if atomic, ok := c.Kwarg("atomic"); ok && atomic != any(int64(0)) {
				read = true
			}
			if a, ok := st.(*ir.Assign); ok {
				derived.add(a.Var)
			}
			return
		}
		switch s := st.(type) {
		case *ir.Yield, *ir.Return, *ir.For, *ir.While, *ir.If:
			// Hand-overs, followed by the passes that look at whole functions.
		case *ir.Assign:
			if v, ok := s.Value.(*ir.Var); ok && derived.has(v) {
				derived.add(s.Var)
				return
			}
			stmtUses(st, func(v *ir.Var) { read = read || derived.has(v) })
		default:
			stmtUses(st, func(v *ir.Var) { read = read || derived.has(v) })
		}
	})
	return read
}

// function makes the outlined function.
func (p *scopePlan) function(name string, f *ir.Function, sc *ir.Scope) *ir.Function {
	g := &ir.Function{Name: name, Kind: ir.InCore, Level: "CHIP_DIE", Role: "SubWorker", Method: f.Method, Span: sc.Span, NameSpan: sc.Span}
	for _, key := range []string{"split", "slot_num", "windowize"} {
		if v, ok := ir.FindAttr(sc.Attrs, key); ok && v != any(int64(0)) && v != any(false) {
			g.Attrs = append(g.Attrs, ir.Attr{Key: key, Value: v})
		}
	}
	params := make([]ir.Param, len(p.live))
	byVar := map[*ir.Var]*storeTarget{}
	for _, t := range p.targets {
		byVar[t.target] = t
	}
	for i, v := range p.live {
		params[i] = ir.Param{Var: v}
		if t := byVar[v]; t != nil {
			params[i].Dir = ir.Out
			if t.read {
				params[i].Dir = ir.InOut
			}
		}
	}
	g.Attrs = append(g.Attrs, regionAttrs(p.body)...)
	body := p.withAliases(p.body, g, byVar)
	var ret []ir.Expr
	for _, v := range p.results {
		ret = append(ret, v)
	}
	for _, t := range p.targets {
		ret = append(ret, t.target)
	}
	sub := newSubst(0)
	g.Params = cloneParams(g, params, sub)
	c := &cloner{f: g, sub: sub}
	g.Body = &ir.Block{Stmts: c.stmts(body.Stmts)}
	if len(ret) > 0 {
		r := &ir.Return{StmtMeta: ir.StmtMeta{Span: sc.Span}, Values: sub.list(ret)}
		add(g.Body, r)
		for _, e := range r.Values {
			g.Returns = append(g.Returns, exprType(e))
		}
	}
	return g
}

// withAliases names the results of direct stores `<base>__store`.
func (p *scopePlan) withAliases(b *ir.Block, g *ir.Function, byVar map[*ir.Var]*storeTarget) *ir.Block {
	if b == nil {
		return nil
	}
	out := roomFor(b)
	for _, st := range b.Stmts {
		st = withBlocks(st, func(c *ir.Block) *ir.Block { return p.withAliases(c, g, byVar) })
		c := callOf(st)
		if c == nil || c.Name != "tile.store" || len(c.Args) < 3 {
			add(out, st)
			continue
		}
		target, _ := c.Args[2].(*ir.Var)
		if byVar[target] == nil {
			add(out, st)
			continue
		}
		alias := &ir.Var{Kind: ir.PlainVar, Name: baseName(target.Name) + "__store", Type: exprType(c), Span: target.Span}
		if a, ok := st.(*ir.Assign); ok {
			add(out, st)
			add(out, &ir.Assign{StmtMeta: ir.StmtMeta{Span: a.Span}, Var: alias, Value: a.Var})
			continue
		}
		add(out, &ir.Assign{StmtMeta: *st.Meta(), Var: alias, Value: c})
	}
	return out
}
