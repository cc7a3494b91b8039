package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// blockOf reads the statements of a block node.
func (r *reader) blockOf(b irsyntax.Ref) *ir.Block {
	out := r.blocks.New()
	if !b.Ok() {
		return out
	}
	out.Stmts = r.stmts.Make(b.NumChildren())[:0]
	r.comments.enter(b)
	first := true
	for s := b.First(); s.Ok(); s = s.Next() {
		if !first {
			r.comments.between(r, s)
		}
		first = false
		r.stmt(s, &out.Stmts)
	}
	return out
}

// stmt reads one statement and appends what it becomes.
func (r *reader) stmt(s irsyntax.Ref, out *[]ir.Stmt) {
	outer := r.emit
	r.emit = out
	r.oneStmt(s, out)
	r.emit = outer
}

func (r *reader) oneStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	r.here = r.at(s.Start(), endOfHead(s))
	switch s.Kind() {
	case irsyntax.AnnAssign:
		r.annAssign(s, out)
	case irsyntax.Assign:
		r.assign(s, out)
	case irsyntax.ExprStmt:
		r.exprStmt(s, out)
	case irsyntax.For:
		r.forStmt(s, out)
	case irsyntax.While:
		r.whileStmt(s, out)
	case irsyntax.If:
		r.ifStmt(s, out)
	case irsyntax.With:
		r.withStmt(s, out)
	case irsyntax.Return:
		r.returnStmt(s, out)
	case irsyntax.Break:
		r.jump(s, "break")
		*out = append(*out, &ir.Break{StmtMeta: r.meta(s)})
	case irsyntax.Continue:
		r.jump(s, "continue")
		*out = append(*out, &ir.Continue{StmtMeta: r.meta(s)})
	case irsyntax.Pass:
		r.comments.requeue(r, s)
	case irsyntax.Marker:
		r.marker(s, out)
	case irsyntax.ErrorNode:
		r.recoverNames(s)
	default:
		r.problem(Syntax, r.span(s), "Unsupported statement type: "+stmtName(s), statementHelp)
		r.recoverNames(s)
	}
}

// endOfHead is where a statement ends, or its header if it has a body.
func endOfHead(s irsyntax.Ref) int32 {
	switch s.Kind() {
	case irsyntax.For, irsyntax.While, irsyntax.If, irsyntax.With:
		end := s.Start()
		for c := s.First(); c.Ok() && c.Kind() != irsyntax.Block; c = c.Next() {
			end = c.End()
		}
		return end
	}
	return s.End()
}

// returnStmt reads a return; inside an inlined body it gives the call its
// value.
func (r *reader) returnStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	m := r.meta(s)
	vals := r.values(s.First())
	if r.inlining == nil {
		*out = append(*out, &ir.Return{StmtMeta: m, Values: vals})
		return
	}
	switch len(vals) {
	case 0:
	case 1:
		r.inlining.value = vals[0]
	default:
		r.inlining.value = &ir.MakeTuple{Elems: vals, Span: m.Span}
	}
}

const statementHelp = "Only assignments, for loops, while loops, if statements, with statements, returns, break, continue, and pass are supported in DSL functions"

// meta is the statement's span with the comments that belong to it.
func (r *reader) meta(s irsyntax.Ref) ir.StmtMeta {
	return ir.StmtMeta{Span: r.span(s), Comments: r.comments.simple(r, s)}
}

func stmtName(s irsyntax.Ref) string {
	switch s.Kind() {
	case irsyntax.AugAssign:
		return "AugAssign"
	case irsyntax.FuncDef:
		if s.Has(irsyntax.FlagAsync) {
			return "AsyncFunctionDef"
		}
		return "FunctionDef"
	case irsyntax.ClassDef:
		return "ClassDef"
	case irsyntax.Import:
		return "Import"
	case irsyntax.ImportFrom:
		return "ImportFrom"
	case irsyntax.Opaque:
		switch s.Op() {
		case irsyntax.OpTry:
			return "Try"
		case irsyntax.OpRaise:
			return "Raise"
		case irsyntax.OpDel:
			return "Delete"
		case irsyntax.OpAssert:
			return "Assert"
		case irsyntax.OpGlobal:
			return "Global"
		case irsyntax.OpNonlocal:
			return "Nonlocal"
		case irsyntax.OpMatch:
			return "Match"
		}
	}
	return "Unknown"
}

// recoverNames binds the names on the left of a broken statement to an
// unknown type (spec 01 §14).
func (r *reader) recoverNames(s irsyntax.Ref) {
	c := s.First()
	if !c.Ok() || c.Kind() != irsyntax.Name {
		return
	}
	name := c.Text()
	if r.scope[name] == nil && strings.HasPrefix(strings.TrimLeft(s.T.Text[c.End():s.End()], " \t"), "=") || s.Kind() == irsyntax.AugAssign {
		r.bind(name, r.newVar(ir.PlainVar, name, ir.Unknown, r.span(c)))
	}
}

func (r *reader) values(n irsyntax.Ref) []ir.Expr {
	if n.IsEmpty() || !n.Ok() {
		return nil
	}
	if n.Kind() == irsyntax.Tuple {
		var out []ir.Expr
		for c := n.First(); c.Ok(); c = c.Next() {
			out = append(out, r.expr(c))
		}
		return out
	}
	return []ir.Expr{r.expr(n)}
}

// isCallTo reports whether n is a call whose callee ends in name.
func isCallTo(n irsyntax.Ref, name string) bool {
	return n.Kind() == irsyntax.Call && lastComponent(n.First()) == name
}

func (r *reader) annAssign(s irsyntax.Ref, out *[]ir.Stmt) {
	target, ann, value := s.First(), s.Child(1), s.Child(2)
	if target.Kind() != irsyntax.Name {
		r.problem(Syntax, r.span(target), "Only simple variable assignments supported", "Use a simple variable name for assignment targets")
		return
	}
	if value.IsEmpty() {
		r.problem(Syntax, r.span(s), "Yield assignment with no value is not supported", "Provide a value for the assignment")
		return
	}
	name := target.Text()
	if isCallTo(value, "yield_") {
		m := r.meta(s)
		t, ok := r.annotation(ann)
		r.yieldStmt(value, []irsyntax.Ref{target}, t, ok, m, out)
		return
	}
	if pt, ok := ptrAnnotation(ann); ok && isCallTo(value, "alloc") {
		r.alloc(s, target, pt, value, out)
		return
	}
	m := r.meta(s)
	t, ok := r.knownAnnotation(ann)
	if !ok {
		t = nil
	}
	before := len(*out)
	e := r.value(value, t)
	moveComments(*out, before, &m)
	r.noteBuffer(name, value, e)
	v := r.define(name, r.assignType(s, name, t, &e), r.span(target))
	*out = append(*out, r.newAssign(m, v, e))
}

// knownAnnotation is annotation that reads the same text only once.
func (r *reader) knownAnnotation(ann irsyntax.Ref) (ir.Type, bool) {
	if ann.Kind() != irsyntax.Subscript {
		return r.annotation(ann)
	}
	text := ann.Text()
	if t := r.types[text]; t != nil {
		return t, true
	}
	problems := len(r.out.Problems)
	t, ok := r.annotation(ann)
	if ok && len(r.out.Problems) == problems && plainText(text) {
		if r.types == nil {
			r.types = make(map[string]ir.Type)
		}
		r.types[text] = t
	}
	return t, ok
}

// plainText reports whether an annotation means the same wherever it stands:
// it holds no names but `pl` and those behind dots, no strings and no comments.
func plainText(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9', c == ' ', c == ',', c == '[', c == ']':
		case c == '.' || c == 'p':
			if c == 'p' && !strings.HasPrefix(s[i:], "pl.") || c == '.' && strings.HasPrefix(s[i:], "..") {
				return false
			}
			for i+1 < len(s) && (s[i+1] == '_' || s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z' || s[i+1] >= '0' && s[i+1] <= '9') {
				i++
			}
		default:
			return false
		}
	}
	return true
}

// annotation reads a local annotation; ok is false when the value decides.
func (r *reader) annotation(ann irsyntax.Ref) (ir.Type, bool) {
	switch ann.Kind() {
	case irsyntax.String:
		return nil, false
	case irsyntax.Ellipsis:
		r.out.Shorthand = true
		return nil, false
	case irsyntax.Attribute, irsyntax.Name:
		switch lastComponent(ann) {
		case "UnknownType", "Ptr", "MemRefType", "WindowBufferType", "CommCtxType":
			if r.opt.Policy == Reference {
				return nil, false
			}
			t, _ := r.plainType(ann, false)
			return t, true
		}
	}
	return r.typeOf(ann, false)
}

// value reads an assignment's right side.
func (r *reader) value(n irsyntax.Ref, ann ir.Type) ir.Expr {
	if n.Kind() == irsyntax.Call {
		return r.call(n, ann)
	}
	if n.Kind() == irsyntax.Ellipsis {
		r.out.Shorthand = true
		return unknownExpr(n)
	}
	e := r.expr(n)
	if s, ok := ann.(*ir.ScalarType); ok {
		if c, ok := e.(*ir.ConstInt); ok && n.Kind() == irsyntax.Int && s.DType.IsInt() {
			return &ir.ConstInt{Value: c.Value, DType: s.DType}
		}
	}
	return e
}

func ptrAnnotation(ann irsyntax.Ref) (*ir.PtrType, bool) {
	switch lastComponent(ann) {
	case "Ptr":
		return &ir.PtrType{}, true
	case "MemRefType":
		return &ir.PtrType{Legacy: true}, true
	}
	return nil, false
}

// alloc reads an allocation statement, modern or shorthand (spec 01 §9.7, §13).
func (r *reader) alloc(s, target irsyntax.Ref, pt *ir.PtrType, value irsyntax.Ref, out *[]ir.Stmt) {
	m := r.meta(s)
	full := dotted(value.First())
	name := "tile.alloc"
	if strings.Contains(full, "tensor.") {
		name = "tensor.alloc"
	}
	if !strings.HasPrefix(full, "pl.") {
		r.out.Shorthand = true
	}
	c := &ir.Call{Name: name, Op: lookupOp(name), Span: r.span(value), Type: pt}
	var pos []irsyntax.Ref
	for a := value.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			if a.First().Text() == "pinned" {
				v := a.Child(1)
				if v.Kind() != irsyntax.True && v.Kind() != irsyntax.False {
					r.problem(Operation, r.span(value), name+" 'pinned' must be a bool literal", "")
				}
				c.Kwargs = append(c.Kwargs, ir.Kwarg{Key: "pinned", Value: v.Kind() == irsyntax.True})
			} else {
				r.problem(Operation, r.span(value), name+" in printed IR accepts no keyword argument '"+a.First().Text()+"'", "")
			}
			continue
		}
		pos = append(pos, a)
	}
	info := allocInfo{space: noSpace, addr: -1}
	if len(pos) > 0 {
		if sp, ok := r.memSpace(pos[0]); ok {
			info.space = sp
			c.Args = append(c.Args, index(int64(sp)))
		} else {
			c.Args = append(c.Args, r.expr(pos[0]))
		}
	}
	sizeAt := 1
	if len(pos) == 4 {
		r.out.Shorthand = true
		sizeAt = 2
		info.addr, _ = r.constInt(pos[1])
	} else if len(pos) != 2 {
		r.problem(Operation, r.span(value), name+" in printed IR expects 2 positional args (memory_space, size), got "+itoa(int64(len(pos))), "")
	}
	if len(pos) > sizeAt {
		e := r.expr(pos[sizeAt])
		if n, ok := ir.ConstValue(e); ok && n >= 0 {
			info.size = uint64(n)
		}
		c.Args = append(c.Args, e)
	}
	v := r.allocBase(target.Text(), pt, r.span(target))
	if r.allocs == nil {
		r.allocs = map[*ir.Var]allocInfo{}
	}
	r.allocs[v] = info
	*out = append(*out, &ir.Assign{StmtMeta: m, Var: v, Value: c})
}

func (r *reader) assign(s irsyntax.Ref, out *[]ir.Stmt) {
	target := s.First()
	value := target.Next()
	if value.Next().Ok() {
		r.problem(Syntax, r.span(s), "Unsupported assignment: "+unparseStmt(s), "Use simple variable assignments or tuple unpacking with pl.yield_()")
		return
	}
	switch target.Kind() {
	case irsyntax.Name:
		if isCallTo(value, "yield_") {
			r.yieldStmt(value, []irsyntax.Ref{target}, nil, false, r.meta(s), out)
			return
		}
		if isCallTo(value, "alloc") && lastTwo(value.First(), "tile", "tensor") {
			r.alloc(s, target, &ir.PtrType{}, value, out)
			return
		}
		m := r.meta(s)
		before := len(*out)
		e := r.value(value, nil)
		moveComments(*out, before, &m)
		r.noteBuffer(target.Text(), value, e)
		v := r.define(target.Text(), r.assignType(s, target.Text(), nil, &e), r.span(target))
		*out = append(*out, r.newAssign(m, v, e))
	case irsyntax.Tuple:
		r.tupleAssign(s, target, value, out)
	case irsyntax.Subscript:
		r.subscriptAssign(s, target, value, out)
	default:
		r.problem(Syntax, r.span(s), "Unsupported assignment: "+unparseStmt(s), "Use simple variable assignments or tuple unpacking with pl.yield_()")
	}
}

func lastTwo(fn irsyntax.Ref, names ...string) bool {
	if fn.Kind() != irsyntax.Attribute {
		return false
	}
	q := lastComponent(fn.First())
	for _, n := range names {
		if q == n {
			return true
		}
	}
	return false
}

func unparseStmt(s irsyntax.Ref) string {
	var parts []string
	for c := s.First(); c.Ok(); c = c.Next() {
		parts = append(parts, unparse(c))
	}
	return strings.Join(parts, " = ")
}

func (r *reader) tupleAssign(s, target, value irsyntax.Ref, out *[]ir.Stmt) {
	var names []irsyntax.Ref
	for c := target.First(); c.Ok(); c = c.Next() {
		if c.Kind() != irsyntax.Name {
			r.problem(Syntax, r.span(c), "Tuple unpacking target must be a variable name, got "+unparse(c), "Use simple variable names in tuple unpacking: a, b, c = func()")
			return
		}
		names = append(names, c)
	}
	m := r.meta(s)
	if isCallTo(value, "yield_") {
		r.yieldStmt(value, names, nil, false, m, out)
		return
	}
	e := r.value(value, nil)
	t := exprType(e)
	tmp := r.newVar(ir.PlainVar, "_tuple_tmp", t, r.span(value))
	*out = append(*out, &ir.Assign{StmtMeta: m, Var: tmp, Value: e})
	tt, isTuple := t.(*ir.TupleType)
	if !isTuple && !isUnknown(t) {
		r.funcProblem(r.span(value), "TupleGetItemExpr requires tuple to have TupleType, got "+TypeClass(t))
	}
	for i, n := range names {
		et := ir.Type(ir.Unknown)
		if isTuple && i < len(tt.Elems) {
			et = tt.Elems[i]
		} else if isTuple {
			r.funcProblem(r.span(n), "TupleGetItemExpr index "+itoa(int64(i))+" out of bounds for tuple with "+itoa(int64(len(tt.Elems)))+" elements")
		}
		v := r.define(n.Text(), et, r.span(n))
		*out = append(*out, &ir.Assign{StmtMeta: ir.StmtMeta{Span: r.span(s)}, Var: v, Value: &ir.TupleGet{Tuple: tmp, Index: i}})
	}
}

func (r *reader) exprStmt(s irsyntax.Ref, out *[]ir.Stmt) {
	e := s.First()
	switch {
	case e.Kind() == irsyntax.String:
		r.comments.docstring(r, s)
		return
	case isCallTo(e, "yield_"):
		r.yieldStmt(e, nil, nil, false, r.meta(s), out)
		return
	case e.Kind() == irsyntax.Call:
		switch dotted(e.First()) {
		case "pl.static_print", "pl.static_assert", "pl.dump_tag":
			r.comments.requeue(r, s)
			r.directive(s, e)
			return
		case "pl.func_attr":
			r.problem(Syntax, r.span(s), "pl.func_attr() must appear before every other statement in '"+r.fn.Name+"'",
				"Move the pl.func_attr(...) call to the top of the function body. A function attribute describes the whole function, so it is declared in the prologue; only parameters are referenceable there.")
			return
		case "pl.cond":
			if isSibling(r.condition, s) {
				return // read by the enclosing while loop
			}
		}
	}
	m := r.meta(s)
	if e.Kind() == irsyntax.Ellipsis && r.out.Shorthand {
		return
	}
	r.statement = e
	before := len(*out)
	x := r.expr(e)
	moveComments(*out, before, &m)
	if x != nil {
		v := r.evals.New()
		*v = ir.Eval{StmtMeta: m, X: x}
		*out = append(*out, v)
	}
}

// isSibling reports whether s stands after first in the same block.
func isSibling(first, s irsyntax.Ref) bool {
	for c := first; c.Ok(); c = c.Next() {
		if c == s {
			return true
		}
	}
	return false
}

// moveComments hands a statement's comments to the first statement that its
// value emitted (spec 01 §11.7).
func moveComments(out []ir.Stmt, before int, m *ir.StmtMeta) {
	if len(out) > before && len(m.Comments) > 0 {
		f := out[before].Meta()
		f.Comments = append(m.Comments, f.Comments...)
		m.Comments = nil
	}
}

// marker reads a documentation structure marker: only ReturnStmt means
// anything.
func (r *reader) marker(s irsyntax.Ref, out *[]ir.Stmt) {
	r.out.Shorthand = true
	if !strings.Contains(s.Text(), "ReturnStmt") {
		return
	}
	var vals []ir.Expr
	for c := s.First(); c.Ok(); c = c.Next() {
		vals = append(vals, r.expr(c))
	}
	*out = append(*out, &ir.Return{StmtMeta: ir.StmtMeta{Span: r.span(s)}, Values: vals})
}

type loopKind uint8

const (
	loopRange loopKind = iota
	loopParallel
	loopUnroll
	loopPipeline
	loopWhile
	loopSpmd
	loopSplitAiv
)

// jump checks where break and continue may stand (spec 01 §7.3).
func (r *reader) jump(s irsyntax.Ref, word string) {
	help := "'" + word + "' can only be used in sequential (pl.range) or while loops"
	kind := loopSpmd
	if len(r.loops) > 0 {
		kind = r.loops[len(r.loops)-1]
	}
	switch kind {
	case loopSpmd:
		r.problem(Operation, r.span(s), "'"+word+"' outside loop", "'"+word+"' can only be used inside a for or while loop")
	case loopParallel:
		r.problem(Operation, r.span(s), "'"+word+"' not supported in parallel loops", help)
	case loopUnroll:
		r.problem(Operation, r.span(s), "'"+word+"' not supported in unrolled loops", help)
	case loopSplitAiv:
		r.problem(Operation, r.span(s), "'"+word+"' not supported inside a 'for ... in pl.split_aiv(...)' body", help+"; a pl.split_aiv body is a scope over the two AIV lanes, not a loop")
	}
}
