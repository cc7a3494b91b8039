package prelude

import (
	"strings"

	"pypto-ls/ir"
)

const passInline = "InlineFunctions"

// maxArgument is the size of argument expressions, in nodes, up to which they
// are spliced in: functions that pass twice what they get would double them
// at every level.
const maxArgument = 1 << 12

// inlineFunctions splices the bodies of Inline functions in at their calls and
// drops the Inline functions themselves (spec 11b §6.1). Spans of spliced
// statements are those of the call.
func inlineFunctions(c *Ctx, f *ir.Function) []*ir.Function {
	if f.Kind == ir.InlineFunc {
		return nil
	}
	if c.Function == nil {
		return []*ir.Function{f}
	}
	in := &inliner{c: c, f: copyFunc(f), bodies: map[string]*ir.Function{}}
	if !in.any(f.Body) {
		return []*ir.Function{f}
	}
	in.f.Body = in.block(f.Body, nil)
	return []*ir.Function{in.f}
}

type inliner struct {
	c      *Ctx
	f      *ir.Function
	bodies map[string]*ir.Function
	// n numbers the renamed locals.
	n      int
	failed bool
}

// callee is the Inline function that an expression calls, nil when it is no
// such call.
func (in *inliner) callee(e ir.Expr) (*ir.Function, *ir.Call) {
	c, ok := e.(*ir.Call)
	if !ok || !c.IsFunc {
		return nil, nil
	}
	g, known := in.bodies[c.Name]
	if !known {
		if g = in.c.Function(c.Name); g != nil && g.Kind != ir.InlineFunc {
			g = nil
		}
		in.bodies[c.Name] = g
	}
	if g == nil {
		return nil, nil
	}
	return g, c
}

func (in *inliner) any(b *ir.Block) bool {
	found := false
	ir.EachStmt(b, func(st ir.Stmt) {
		stmtCalls(st, func(c *ir.Call) {
			if g, _ := in.callee(c); g != nil {
				found = true
			}
		})
	})
	return found
}

// block splices calls in a sequence. path are the Inline functions whose
// bodies are being spliced.
func (in *inliner) block(b *ir.Block, path []string) *ir.Block {
	if b == nil {
		return nil
	}
	out := roomFor(b)
	tuples := map[*ir.Var][]ir.Expr{}
	for _, st := range b.Stmts {
		in.stmt(st, path, tuples, out)
	}
	return out
}

// stmt splices one statement. tuples are the values of calls that return
// several, by the variable that took them.
func (in *inliner) stmt(st ir.Stmt, path []string, tuples map[*ir.Var][]ir.Expr, out *ir.Block) {
	switch s := st.(type) {
	case *ir.Assign:
		if g, c := in.callee(s.Value); g != nil {
			vals, ok := in.splice(g, c, path, out)
			switch {
			case !ok:
				add(out, st)
			case len(vals) == 1:
				if vals[0] != ir.Expr(s.Var) {
					add(out, &ir.Assign{StmtMeta: s.StmtMeta, Var: s.Var, Value: vals[0]})
				}
			default:
				tuples[s.Var] = vals
			}
			return
		}
		if t, ok := s.Value.(*ir.TupleGet); ok {
			v, _ := t.Tuple.(*ir.Var)
			if vals := tuples[v]; t.Index >= 0 && t.Index < len(vals) {
				if vals[t.Index] != ir.Expr(s.Var) {
					add(out, &ir.Assign{StmtMeta: s.StmtMeta, Var: s.Var, Value: vals[t.Index]})
				}
				return
			}
		}
	case *ir.Eval:
		if g, c := in.callee(s.X); g != nil {
			if _, ok := in.splice(g, c, path, out); !ok {
				add(out, st)
			}
			return
		}
	case *ir.Return:
		if len(s.Values) == 1 {
			if g, c := in.callee(s.Values[0]); g != nil {
				vals, ok := in.splice(g, c, path, out)
				if !ok {
					vals = s.Values
				}
				add(out, &ir.Return{StmtMeta: s.StmtMeta, Values: vals})
				return
			}
		}
	}
	stmtCalls(st, func(c *ir.Call) {
		if g, _ := in.callee(c); g != nil {
			in.c.note(passInline, in.f, c.Span, "`"+c.Name+"` is called inside an expression; Inline functions are only spliced in as whole statements")
		}
	})
	add(out, withBlocks(st, func(b *ir.Block) *ir.Block { return in.block(b, path) }))
}

// splice puts the body of g in place of a call and gives the values it
// returns.
func (in *inliner) splice(g *ir.Function, call *ir.Call, path []string, out *ir.Block) ([]ir.Expr, bool) {
	for i, name := range path {
		if name == g.Name {
			in.cycle(append(path[i:len(path):len(path)], g.Name), call.Span)
			return nil, false
		}
	}
	if len(call.Args) != len(g.Params) || g.Body == nil {
		return nil, false
	}
	for _, a := range call.Args {
		if exprLarger(a, maxArgument) {
			in.c.note(passInline, in.f, call.Span, "an argument of '"+g.Name+"' is too long to be spliced in")
			return nil, false
		}
	}
	if !in.c.grow(passInline, in.f, call.Span, 1, stmtCount(g.Body)) {
		return nil, false
	}
	r := &renamer{in: in, sub: newSubst(0), span: call.Span}
	for i, p := range g.Params {
		r.sub.set(p.Var, call.Args[i])
	}
	stmts := g.Body.Stmts
	var ret *ir.Return
	if n := len(stmts); n > 0 {
		if s, ok := stmts[n-1].(*ir.Return); ok {
			ret, stmts = s, stmts[:n-1]
		}
	}
	if st := returnIn(stmts); st != nil {
		in.c.Problems = append(in.c.Problems, Problem{Pass: passInline, Func: in.f.Name, Span: call.Span, Internal: true,
			Message: "Inline function '" + g.Name + "' contains a non-trailing ReturnStmt; only a single trailing return is supported (early-return inside an If/For/While branch is rejected)"})
		return nil, false
	}
	// The callee's own calls are spliced after its names are the caller's.
	body := in.block(r.block(&ir.Block{Stmts: stmts}), append(path[:len(path):len(path)], g.Name))
	out.Stmts = append(out.Stmts, body.Stmts...)
	if ret == nil {
		return nil, true
	}
	if len(ret.Values) == 1 {
		if t, ok := ret.Values[0].(*ir.MakeTuple); ok {
			return r.sub.list(t.Elems), true
		}
		if h, c := in.callee(ret.Values[0]); h != nil {
			return in.splice(h, r.call(c), append(path[:len(path):len(path)], g.Name), out)
		}
	}
	return r.sub.list(ret.Values), true
}

func (in *inliner) cycle(names []string, sp ir.Span) {
	if in.failed {
		return
	}
	in.failed = true
	in.c.problem(passInline, in.f, sp, "Cycle detected in FunctionType::Inline call graph: "+strings.Join(names, " -> "))
}

// returnIn finds a return among statements.
func returnIn(stmts []ir.Stmt) ir.Stmt {
	var found ir.Stmt
	ir.EachStmt(&ir.Block{Stmts: stmts}, func(st ir.Stmt) {
		if _, ok := st.(*ir.Return); ok && found == nil {
			found = st
		}
	})
	return found
}

// renamer copies a callee's statements into the caller: parameters become the
// arguments, locals fresh variables. Before SSA a variable may be assigned
// more than once and keeps its identity.
type renamer struct {
	in   *inliner
	sub  subst
	span ir.Span
}

// local is the caller's variable for one of the callee's.
func (r *renamer) local(v *ir.Var) *ir.Var {
	switch e := r.sub.get(v).(type) {
	case *ir.Var:
		return e
	case nil:
	default:
		r.in.c.problem(passInline, r.in.f, r.span, "An inlined function assigns its parameter '"+v.Name+"', whose argument is no variable")
		return v
	}
	n := r.in.f.NewVar(v.Kind, v.Name+"_inline"+itoa(r.in.n), nil, r.span)
	r.in.n++
	r.sub.set(v, n)
	n.Type = r.sub.typ(v.Type)
	return n
}

func (r *renamer) locals(vs []*ir.Var) []*ir.Var {
	var out []*ir.Var
	for _, v := range vs {
		out = append(out, r.local(v))
	}
	return out
}

func (r *renamer) iters(vs []*ir.Var) []*ir.Var {
	inits := make([]ir.Expr, len(vs))
	for i, v := range vs {
		inits[i] = r.expr(v.Init)
	}
	out := r.locals(vs)
	for i := range out {
		out[i].Init = inits[i]
	}
	return out
}

func (r *renamer) expr(e ir.Expr) ir.Expr { return respan(r.sub.expr(e), r.span) }

func (r *renamer) list(es []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = r.expr(e)
	}
	return out
}

func (r *renamer) call(c *ir.Call) *ir.Call {
	n, _ := r.expr(c).(*ir.Call)
	return n
}

// respan gives the calls in an expression one span.
func respan(e ir.Expr, sp ir.Span) ir.Expr {
	switch e := e.(type) {
	case *ir.Call:
		c := *e
		c.Span = sp
		c.Args = make([]ir.Expr, len(e.Args))
		for i, a := range e.Args {
			c.Args[i] = respan(a, sp)
		}
		return &c
	case *ir.Binary:
		return &ir.Binary{Op: e.Op, X: respan(e.X, sp), Y: respan(e.Y, sp), DType: e.DType}
	case *ir.Unary:
		return &ir.Unary{Op: e.Op, X: respan(e.X, sp), DType: e.DType}
	case *ir.TupleGet:
		return &ir.TupleGet{Tuple: respan(e.Tuple, sp), Index: e.Index}
	case *ir.MakeTuple:
		t := &ir.MakeTuple{Span: sp, Elems: make([]ir.Expr, len(e.Elems))}
		for i, x := range e.Elems {
			t.Elems[i] = respan(x, sp)
		}
		return t
	}
	return e
}

func (r *renamer) block(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := roomFor(b)
	for _, st := range b.Stmts {
		add(out, r.stmt(st))
	}
	return out
}

func (r *renamer) stmt(st ir.Stmt) ir.Stmt {
	meta := ir.StmtMeta{Span: r.span, Comments: st.Meta().Comments}
	switch s := st.(type) {
	case *ir.Assign:
		value := r.expr(s.Value)
		return &ir.Assign{StmtMeta: meta, Var: r.local(s.Var), Value: value}
	case *ir.Eval:
		return &ir.Eval{StmtMeta: meta, X: r.expr(s.X)}
	case *ir.Yield:
		return &ir.Yield{StmtMeta: meta, Values: r.list(s.Values)}
	case *ir.Return:
		return &ir.Return{StmtMeta: meta, Values: r.list(s.Values)}
	case *ir.If:
		n := &ir.If{StmtMeta: meta, Cond: r.expr(s.Cond), Then: r.block(s.Then), Else: r.block(s.Else)}
		n.Results = r.locals(s.Results)
		return n
	case *ir.For:
		n := *s
		n.StmtMeta = meta
		n.Start, n.Stop, n.Step = r.expr(s.Start), r.expr(s.Stop), r.expr(s.Step)
		n.IterArgs = r.iters(s.IterArgs)
		n.Var = r.local(s.Var)
		n.Body = r.block(s.Body)
		n.Results = r.locals(s.Results)
		return &n
	case *ir.While:
		n := *s
		n.StmtMeta = meta
		n.IterArgs = r.iters(s.IterArgs)
		n.Cond = r.expr(s.Cond)
		n.Body = r.block(s.Body)
		n.Results = r.locals(s.Results)
		return &n
	case *ir.Scope:
		n := *s
		n.StmtMeta = meta
		n.Args = r.list(s.Args)
		n.Attrs, _ = r.sub.attrs(s.Attrs)
		if s.Var != nil {
			n.Var = r.local(s.Var)
		}
		if s.TaskVar != nil {
			n.TaskVar = r.local(s.TaskVar)
		}
		n.Body = r.block(s.Body)
		return &n
	case *ir.Break:
		return &ir.Break{StmtMeta: meta}
	case *ir.Continue:
		return &ir.Continue{StmtMeta: meta}
	}
	return st
}
