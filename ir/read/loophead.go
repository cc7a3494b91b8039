package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/irsyntax"
)

// loopHead is what a loop's header says.
type loopHead struct {
	index             irsyntax.Ref
	carried           []irsyntax.Ref
	inits             []ir.Expr
	hasInits          bool
	start, stop, step ir.Expr
	given             int // positional bounds written
	attrs             []ir.Attr
	stage             irsyntax.Ref
	tupleTarget       bool
}

// dtype of the index variable (spec 01 §7.3 step 8).
func (h *loopHead) dtype() ir.DType {
	d := ir.INDEX
	sawINT64, sawINDEX := false, false
	bounds := [3]ir.Expr{h.start, h.stop, h.step}
	switch h.given {
	case 1:
		bounds[0], bounds[2] = nil, nil
	case 2:
		bounds[2] = nil
	}
	for _, b := range bounds {
		c, ok := b.(*ir.ConstInt)
		if !ok {
			continue
		}
		switch c.DType {
		case ir.INDEX:
			sawINDEX = true
		case ir.INT64:
			sawINT64 = true
		default:
			return c.DType
		}
	}
	if sawINT64 && !sawINDEX {
		d = ir.INT64
	}
	return d
}

func (r *reader) loopHeader(s irsyntax.Ref, name string, target, iter irsyntax.Ref) *loopHead {
	h := &loopHead{start: index(0), step: index(1), stop: index(0)}
	switch target.Kind() {
	case irsyntax.Name:
		h.index = target
	case irsyntax.Tuple, irsyntax.List:
		h.tupleTarget = true
		h.index = target.First()
		if h.index.Kind() != irsyntax.Name {
			r.problem(Syntax, span(target), "For loop target must be a name or (name, (carried names))", "")
			h.index = irsyntax.Ref{}
		}
		if t := target.Child(1); t.Ok() {
			h.carried = targetNames(t)
		}
	default:
		r.problem(Syntax, span(target), "For loop target must be a name or (name, (carried names))", "")
	}
	var pos []irsyntax.Ref
	for a := iter.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			pos = append(pos, a)
			continue
		}
		r.loopKeyword(h, name, a)
	}
	h.given = min(len(pos), 3)
	switch h.given {
	case 0:
		r.problem(Syntax, span(iter), "pl."+name+"() requires at least 1 argument (stop)", "")
	case 1:
		h.stop = r.expr(pos[0])
	case 2:
		h.start, h.stop = r.expr(pos[0]), r.expr(pos[1])
	case 3:
		h.start, h.stop, h.step = r.expr(pos[0]), r.expr(pos[1]), r.expr(pos[2])
	}
	return h
}

func (r *reader) loopKeyword(h *loopHead, name string, a irsyntax.Ref) {
	v := a.Child(1)
	switch key := a.First().Text(); key {
	case "init_values":
		h.hasInits = true
		if v.Kind() != irsyntax.Tuple && v.Kind() != irsyntax.List {
			r.problem(Syntax, span(v), "init_values must be a list or tuple", "")
			return
		}
		for c := v.First(); c.Ok(); c = c.Next() {
			h.inits = append(h.inits, r.expr(c))
		}
	case "stage":
		h.stage = v
		if e := r.expr(v); e != nil {
			if n, ok := ir.ConstValue(e); ok {
				h.attrs = append([]ir.Attr{{Key: "pipeline_stages", Value: n}}, h.attrs...)
			} else {
				h.attrs = append([]ir.Attr{{Key: "pipeline_stages", Value: e}}, h.attrs...)
			}
		}
	case "attrs":
		for it := v.First(); it.Ok(); it = it.Next() {
			if it.Kind() == irsyntax.DictItem && it.First().Kind() == irsyntax.String {
				k, _ := stringValue(it.First().Text())
				h.attrs = append(h.attrs, ir.Attr{Key: k, Value: r.attrValue(it.Child(1))})
			}
		}
	default:
		list := "init_values, attrs"
		if name == "pipeline" {
			list = "init_values, stage, attrs"
		}
		r.problem(Syntax, span(a), "Unknown keyword argument '"+key+"' in pl."+name+"()", "Supported keyword arguments: "+list)
	}
}

// checkLoop applies the checks of spec 01 §7.3, steps 4–9.
func (r *reader) checkLoop(s irsyntax.Ref, kind ir.LoopKind, h *loopHead, body irsyntax.Ref) {
	if h.hasInits && !h.tupleTarget {
		r.problem(Syntax, span(s.First()), "For loop target must be a tuple when init_values is provided", "Use: for i, (var1,) in pl.range(..., init_values=(init1,))")
	}
	if len(h.inits) > 0 {
		if y := bareYield(body); y.Ok() {
			r.problem(Syntax, span(y), "Loop with init_values requires an assignment-form pl.yield_(...) — the LHS supplies the post-loop binding name. Bare pl.yield_(...) is rejected here.", "Write out = pl.yield_(value)")
		}
	}
	if h.tupleTarget && len(h.carried) != len(h.inits) {
		r.problem(Syntax, span(s.First()), "Mismatch: "+itoa(int64(len(h.carried)))+" iter_args but "+itoa(int64(len(h.inits)))+" init_values", "")
	}
	if kind == ir.Pipeline {
		r.checkStage(s, h)
	} else if h.stage.Ok() {
		r.problem(Syntax, span(h.stage), "stage= is only supported on pl.pipeline()", "Use pl.pipeline(..., stage=F)")
	}
}

func (r *reader) checkStage(s irsyntax.Ref, h *loopHead) {
	if !h.stage.Ok() {
		r.problem(Syntax, span(s.Child(1)), "pl.pipeline() requires the stage= keyword argument", "Use pl.pipeline(..., stage=2)")
		return
	}
	v, _ := ir.FindAttr(h.attrs, "pipeline_stages")
	n, ok := v.(int64)
	if !ok {
		r.problem(Syntax, span(h.stage), "pl.pipeline() stage must be a constant integer", "")
	} else if n < 1 {
		r.problem(Syntax, span(h.stage), "pl.pipeline() stage must be >= 1, got "+itoa(n), "")
	}
}

// bareYield finds a yield without assignment in a body, nested loops left out.
func bareYield(b irsyntax.Ref) irsyntax.Ref {
	for s := b.First(); s.Ok(); s = s.Next() {
		switch s.Kind() {
		case irsyntax.ExprStmt:
			if isCallTo(s.First(), "yield_") {
				return s
			}
		case irsyntax.If, irsyntax.With, irsyntax.Block:
			if y := bareYield(s); y.Ok() {
				return y
			}
		}
	}
	return irsyntax.Ref{}
}

func printType(t ir.Type) string { return printer.Type(nil, t, printer.Options{}) }

// ifStmt reads a branch with its phis (spec 01 §7.4).
func (r *reader) ifStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	then, els := s.Child(1), s.Child(2)
	f := &ir.If{StmtMeta: r.headerMeta(s, then), Cond: r.expr(s.First())}
	r.boolCond(f.Cond, s, "if")
	leak := !hasDirectYield(then) && !hasDirectYield(els)
	var c1, c2 *yields
	f.Then, c1 = r.branch(then, leak)
	thenEnd := then.End()
	if !els.IsEmpty() {
		thenEnd = els.Start()
	}
	r.comments.leaveThen(r, then, thenEnd, els)
	if !els.IsEmpty() {
		if els.Kind() == irsyntax.If {
			f.Else = &ir.Block{}
			mark := r.enter()
			r.stmt(els, &f.Else.Stmts)
			r.leave(mark, leak)
		} else {
			f.Else, c2 = r.branch(els, leak)
			r.comments.leave(r, els, els.End())
		}
		if len(f.Else.Stmts) == 0 && (r.opt.Policy == Reference || !writtenPass(els)) {
			f.Else = nil
		}
	}
	f.Results = r.phis(c1, c2)
	*out = append(*out, f)
}

// writtenPass reports an else branch that holds nothing but `pass`: Dump keeps
// it, the reference's reader stores it as absent.
func writtenPass(b irsyntax.Ref) bool {
	return b.First().Ok() && strings.TrimSpace(b.First().Text()) == "pass"
}

func hasDirectYield(b irsyntax.Ref) bool {
	if !b.Ok() || b.Kind() != irsyntax.Block {
		return false
	}
	for s := b.First(); s.Ok(); s = s.Next() {
		switch s.Kind() {
		case irsyntax.AnnAssign:
			if isCallTo(s.Child(2), "yield_") {
				return true
			}
		case irsyntax.Assign:
			if isCallTo(s.Child(1), "yield_") {
				return true
			}
		case irsyntax.With:
			if hasDirectYield(lastChild(s)) {
				return true
			}
		}
	}
	return false
}

func lastChild(s irsyntax.Ref) irsyntax.Ref {
	var last irsyntax.Ref
	for c := s.First(); c.Ok(); c = c.Next() {
		last = c
	}
	return last
}

func (r *reader) branch(b irsyntax.Ref, leak bool) (*ir.Block, *yields) {
	mark := r.enter()
	c := &yields{mark: mark}
	old := r.collect
	r.collect = c
	blk := r.blockOf(b)
	r.collect = old
	r.leave(mark, leak)
	return blk, c
}

// phis makes the results of a branch from the yields of both sides.
func (r *reader) phis(c1, c2 *yields) []*ir.Var {
	var out []*ir.Var
	seen := map[string]int{}
	add := func(c *yields) {
		if c == nil {
			return
		}
		for i, n := range c.names {
			name := n.Text()
			if j, dup := seen[name]; dup {
				v := out[j]
				if isUnknown(v.Type) && c.vals[i] != nil {
					v.Type = c.vals[i]
				}
				continue
			}
			t := c.types[i]
			if t == nil {
				t = c.vals[i]
			}
			if t == nil {
				t = ir.NewTensorType([]ir.Expr{index(1)}, ir.INT32, nil, false)
			}
			seen[name] = len(out)
			out = append(out, r.newVar(ir.PlainVar, name, t, span(n)))
		}
	}
	add(c1)
	add(c2)
	for _, v := range out {
		r.bind(v.Name, v)
	}
	return out
}
