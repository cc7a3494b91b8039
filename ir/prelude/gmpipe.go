package prelude

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
)

const (
	passGMPipe   = "InjectGMPipeBuffer"
	gmPipeBuffer = "__gm_pipe_buffer"
)

// injectGMPipeBuffer hands a global workspace down to the functions that set up
// a pipe, on targets whose pipes go through global memory: as a last output
// parameter of these functions and of the groups that call them, as a tensor
// made by other callers (spec 11 §3, pass 23; 09 §3).
func injectGMPipeBuffer(c *Ctx, f *ir.Function) *ir.Function {
	if c.Platform == nil || !c.Platform.Flags.GMPipeBuffer || hasParam(f, gmPipeBuffer) {
		return f
	}
	g := copyFunc(f)
	w := &pipeWorkspace{c: c, f: g, passes: f.Kind.IsInCore() || f.Kind == ir.Group || f.Kind == ir.Spmd}
	if w.passes {
		if !needsPipe(c, f, nil) {
			return f
		}
		v := g.NewVar(ir.ParamVar, gmPipeBuffer, pipeTensor(), f.NameSpan)
		g.Params = append(append([]ir.Param(nil), f.Params...), ir.Param{Var: v, Dir: ir.Out})
		w.param = v
	}
	if b := w.block(f.Body); b != f.Body {
		g.Body = b
	} else if w.param == nil {
		return f
	}
	return g
}

func hasParam(f *ir.Function, name string) bool {
	for _, p := range f.Params {
		if p.Var.Name == name {
			return true
		}
	}
	return false
}

func pipeTensor() ir.Type { return ir.NewTensorType([]ir.Expr{ir.Index(1)}, ir.FP32, nil, false) }

type pipeWorkspace struct {
	c *Ctx
	f *ir.Function
	// passes is set for functions that hand their own parameter on.
	passes bool
	param  *ir.Var
	n      int
}

func (w *pipeWorkspace) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	made := &ir.Block{}
	for _, st := range b.Stmts {
		n := withBlocks(st, w.block)
		if c := callOf(n); c != nil && calleeNeedsPipe(w.c, c) {
			n = withCall(n, w.withBuffer(c, n.Meta().Span, made))
			out.addAll(made)
		}
		out.add(n)
	}
	return out.block()
}

// withCall is an assignment or bare call with another call.
func withCall(st ir.Stmt, c *ir.Call) ir.Stmt {
	switch s := st.(type) {
	case *ir.Assign:
		return &ir.Assign{StmtMeta: s.StmtMeta, Var: s.Var, Value: c}
	case *ir.Eval:
		return &ir.Eval{StmtMeta: s.StmtMeta, X: c}
	}
	return st
}

func (w *pipeWorkspace) withBuffer(c *ir.Call, sp ir.Span, out *ir.Block) *ir.Call {
	buf := w.param
	if buf == nil {
		buf = w.f.NewVar(ir.PlainVar, "gm_pipe_buffer_"+itoa(w.n), pipeTensor(), c.Span)
		w.n++
		create := &ir.Call{Name: "tensor.create", Op: ops.Lookup("tensor.create"), Args: []ir.Expr{tuple(1)}, Type: pipeTensor(), Span: c.Span,
			Kwargs: []ir.Kwarg{{Key: "dtype", Value: ir.FP32}, {Key: "layout", Value: ir.LayoutND}, {Key: "manual_dep", Value: true}}}
		add(out, &ir.Assign{StmtMeta: ir.StmtMeta{Span: sp}, Var: buf, Value: create})
	}
	n := *c
	n.Args = append(append([]ir.Expr(nil), c.Args...), buf)
	return &n
}

// calleeNeedsPipe reports whether a call, or a submission, runs a function
// that takes the workspace.
func calleeNeedsPipe(c *Ctx, call *ir.Call) bool {
	return eachCallee(call, func(name string) bool { return calledNeedsPipe(c, name, nil) })
}

// eachCallee reports whether visit is true for a program function that the
// call runs.
func eachCallee(call *ir.Call, visit func(name string) bool) bool {
	if call.IsFunc {
		return visit(call.Name)
	}
	for _, a := range call.Args {
		if r, ok := a.(*ir.FuncRef); ok && visit(r.Name) {
			return true
		}
	}
	return false
}

// needsPipe reports whether f, which stands after ExpandMixedKernel, takes the
// workspace. path guards against calls in a circle.
func needsPipe(c *Ctx, f *ir.Function, path []string) bool {
	if hasParam(f, gmPipeBuffer) {
		return true
	}
	if !f.Kind.IsInCore() && f.Kind != ir.Group && f.Kind != ir.Spmd {
		return false
	}
	found := false
	callee := func(name string) bool { return calledNeedsPipe(c, name, path) }
	ir.WalkStmts(f.Body, func(st ir.Stmt) bool {
		if call := callOf(st); call != nil && !found {
			found = call.Op != nil && call.Op.CrossCore == "InitializePipe" || eachCallee(call, callee)
		}
		return !found
	})
	return found
}

func calledNeedsPipe(c *Ctx, name string, path []string) bool {
	for _, p := range path {
		if p == name {
			return false
		}
	}
	path = append(path[:len(path):len(path)], name)
	for _, f := range c.funcs {
		if f.Name == name {
			return needsPipe(c, f, path)
		}
	}
	if c.Function == nil {
		return false
	}
	f := c.Function(name)
	switch {
	case f == nil:
		g := c.halfOf(name)
		return g != nil && needsPipe(c, g, path)
	case f.Kind != ir.InCore:
		return needsPipe(c, f, path)
	case !mayUseCube(f):
		return false
	}
	for _, g := range c.expanded(f) {
		if needsPipe(c, g, path) {
			return true
		}
	}
	return false
}

// mayUseCube is a quick test for functions that cannot be mixed kernels:
// without an operator of the cube core, and without any tile put into one of
// its spaces, there is nothing to split.
func mayUseCube(f *ir.Function) bool {
	found := false
	var see func(e ir.Expr)
	see = func(e ir.Expr) {
		c, ok := e.(*ir.Call)
		if !ok || found {
			return
		}
		if c.Op != nil && c.Op.CoreAffinity == "CUBE" {
			found = true
		}
		if s, ok := outSpace(c); ok && cubeSide(s) {
			found = true
		}
		for _, a := range c.Args {
			see(a)
		}
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		switch s := st.(type) {
		case *ir.Assign:
			see(s.Value)
			if t := tileOf(s.Var); t != nil && cubeSide(t.Space) {
				found = true
			}
		case *ir.Eval:
			see(s.X)
		case *ir.Yield:
			for _, e := range s.Values {
				see(e)
			}
		case *ir.Return:
			for _, e := range s.Values {
				see(e)
			}
		}
	})
	return found
}

// halfOf finds one half of a mixed kernel of the program by the half's name.
func (c *Ctx) halfOf(name string) *ir.Function {
	for _, side := range []lane{cube, vector} {
		base, ok := strings.CutSuffix(name, "_"+side.suffix())
		if !ok || c.Function == nil {
			continue
		}
		f := c.Function(base)
		if f == nil || f.Kind != ir.InCore || !mayUseCube(f) {
			continue
		}
		for _, g := range c.expanded(f) {
			if g.Name == name {
				return g
			}
		}
	}
	return nil
}

// expanded takes another function of the program through the passes up to
// ExpandMixedKernel, to see what it becomes.
func (c *Ctx) expanded(f *ir.Function) []*ir.Function {
	if out, ok := c.others[f.Name]; ok {
		return out
	}
	d := &Ctx{Platform: c.Platform, Planner: c.Planner, Function: c.Function, Used: c.Used, Callers: c.Callers}
	funcs := []*ir.Function{f}
	for _, p := range pipeline() {
		funcs = d.run(p, funcs)
		if p.name == passExpand || d.failed() {
			break
		}
	}
	if c.others == nil {
		c.others = map[string][]*ir.Function{}
	}
	c.others[f.Name] = funcs
	return funcs
}
