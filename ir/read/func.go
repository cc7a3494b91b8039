package read

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// decorator is what a kernel decorator says.
type decorator struct {
	name string // "function", "inline", "jit", or another last component
	jit  string // "host", "incore", "inline", "opaque" or "" for `@pl.jit.<x>`
	call irsyntax.Ref
}

func decoratorOf(d irsyntax.Ref) decorator {
	e := d.First()
	out := decorator{}
	if e.Kind() == irsyntax.Call {
		out.call = e
		e = e.First()
	}
	out.name = lastComponent(e)
	if e.Kind() == irsyntax.Attribute && lastComponent(e.First()) == "jit" {
		out.name, out.jit = "jit", out.name
	}
	return out
}

// reader reads one function.
type reader struct {
	chunk  *irsyntax.Chunk
	tree   *irsyntax.Tree
	env    *Env
	sigs   *Signatures
	opt    Options
	fn     *ir.Function
	out    *Function
	method bool

	scope  map[string]*ir.Var
	undo   []undoEntry
	free   map[string]*ir.Var
	bases  map[string]*ir.Var
	pinned map[string]*ir.Var
	// declared allocations referenced so far, by declaration and by name.
	declSeen map[*Decl]string
	declName map[string]*Decl
	allocs   map[*ir.Var]allocInfo
	buffers  map[string]*buffer // spec 01 §9.2

	collect   *yields
	loops     []loopKind
	scopes    []scopeNote
	condition irsyntax.Ref // the pl.cond statement of the innermost while_
	comments  commentQueue
	slab      []ir.Var
	names     map[string]bool
	callees   map[string]bool
	strict    bool

	inlining  *inlining // set inside the body of an inlined function
	bodies    map[string]bool
	statement irsyntax.Ref // the call that is a whole statement
	emit      *[]ir.Stmt   // where statements of an inlined call go
	splitMode *int64       // of the enclosing split_aiv region
	aliases   map[*ir.Var]ir.Expr

	args      []given    // arguments of the calls being read, innermost last
	binds     []*binding // reused by bound
	bindDepth int
}

type undoEntry struct {
	name string
	old  *ir.Var
}

// allocInfo is what an allocation statement says about its base.
type allocInfo struct {
	space ir.Space
	size  uint64
	addr  int64
}

// Func reads one function chunk (or a snippet: statements without function).
// method is set inside a program class. The result never is nil.
func Func(c *irsyntax.Chunk, env *Env, sigs *Signatures, method bool, opt Options) *Function {
	t := c.Tree()
	r := &reader{
		chunk: c, tree: t, env: env, sigs: sigs, opt: opt, method: method,
		scope: make(map[string]*ir.Var, 64),
	}
	r.fn = &ir.Function{Method: method, Body: &ir.Block{}}
	r.out = &Function{IR: r.fn, Chunk: c}
	r.comments.init(t)
	root := t.Root()
	if root.Kind() == irsyntax.FuncDef {
		r.function(root)
	} else {
		r.snippet(root)
	}
	r.out.Deps = Deps{Names: sortedKeys(r.names), Callees: sortedKeys(r.callees), Bodies: sortedKeys(r.bodies)}
	return r.out
}

func sortedKeys(m map[string]bool) []string {
	if len(m) == 0 {
		return nil
	}
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (r *reader) problem(class Class, sp ir.Span, msg, help string) {
	const most = 200 // one broken function must not flood its reader
	if len(r.out.Problems) < most {
		r.out.Problems = append(r.out.Problems, Problem{Class: class, Span: sp, Message: msg, Help: help})
	}
}

// span is where a node stands; inside an inlined body, the call.
func (r *reader) span(n irsyntax.Ref) ir.Span {
	if !n.Ok() {
		return ir.Span{}
	}
	return r.at(n.Start(), n.End())
}

func (r *reader) at(start, end int32) ir.Span {
	if r.inlining != nil {
		return r.inlining.call
	}
	return ir.Span{Start: start, End: end}
}

// warn reports a finding that does not stop the reference.
func (r *reader) warn(sp ir.Span, msg, help string) {
	n := len(r.out.Problems)
	r.problem(Own, sp, msg, help)
	if len(r.out.Problems) > n {
		r.out.Problems[n].Warning = true
	}
}

// funcProblem reports an error that has no position of its own in the
// reference (spec 01 §12.3); sp is where we found it.
func (r *reader) funcProblem(sp ir.Span, msg string) {
	r.problem(Function_, sp, "Failed to parse function '"+r.fn.Name+"': "+msg, "Check your function definition for errors")
}

func (r *reader) snippet(root irsyntax.Ref) {
	r.fn.Kind = ir.InCore
	r.fn.Level, r.fn.Role = impliedLevel(ir.InCore)
	r.out.Shorthand = true
	r.fn.Body = r.blockOf(root)
}

// funcParts are the children of a FuncDef.
type funcParts struct {
	decorators []irsyntax.Ref
	name       irsyntax.Ref
	params     irsyntax.Ref
	returns    irsyntax.Ref
	body       irsyntax.Ref
}

func partsOf(root irsyntax.Ref) funcParts {
	var p funcParts
	c := root.First()
	for ; c.Ok() && c.Kind() == irsyntax.Decorator; c = c.Next() {
		p.decorators = append(p.decorators, c)
	}
	if c.Ok() {
		p.name = c
		c = c.Next()
	}
	if c.Ok() {
		p.params = c
		c = c.Next()
	}
	if c.Ok() {
		p.returns = c
		c = c.Next()
	}
	p.body = c
	return p
}

func (r *reader) function(root irsyntax.Ref) {
	p := partsOf(root)
	if p.name.Kind() == irsyntax.Name {
		r.fn.Name = p.name.Text()
		r.fn.NameSpan = r.span(p.name)
	}
	end := root.End()
	if p.body.Ok() {
		end = p.body.Start()
	}
	start := root.Start()
	if p.name.Ok() {
		start = p.name.Start()
	}
	r.fn.Span = ir.Span{Start: start, End: max(end, start)}
	r.decorate(p.decorators)
	r.params(p.params)
	r.returns(p.returns)
	if r.out.Opaque || !p.body.Ok() {
		return
	}
	r.comments.skipTo(p.body.Start())
	first := r.prologue(p.body)
	if bodyIsEllipsis(first) {
		r.fn.RuntimeBound = true
		return
	}
	var stmts []ir.Stmt
	for s := first; s.Ok(); s = s.Next() {
		r.stmt(s, &stmts)
	}
	r.fn.Body = &ir.Block{Stmts: stmts}
}

func bodyIsEllipsis(s irsyntax.Ref) bool {
	return s.Ok() && s.Kind() == irsyntax.ExprStmt && s.First().Kind() == irsyntax.Ellipsis && !s.Next().Ok()
}

// decorate reads the decorator's arguments (spec 01 §5.1).
func (r *reader) decorate(decorators []irsyntax.Ref) {
	if len(decorators) == 0 {
		r.out.Shorthand = true
		r.fn.Kind = ir.InCore
		r.fn.Level, r.fn.Role = impliedLevel(ir.InCore)
		return
	}
	var level, role string
	for _, dn := range decorators {
		d := decoratorOf(dn)
		switch d.name {
		case "inline":
			r.fn.Kind = ir.InlineFunc
			r.out.Opaque = true
		case "jit":
			r.out.Opaque = true
			switch d.jit {
			case "incore":
				r.fn.Kind = ir.InCore
			case "inline":
				r.fn.Kind = ir.InlineFunc
			case "opaque":
				r.fn.Kind = ir.Opaque
			default:
				r.fn.Kind = ir.Orchestration
			}
		case "function":
			if d.call.Ok() {
				r.decoratorArgs(d.call, &level, &role)
			}
		}
	}
	l, ro := impliedLevel(r.fn.Kind)
	if level == "" {
		level = l
	}
	if role == "" {
		role = ro
	}
	r.fn.Level, r.fn.Role = level, role
	if role == "SubWorker" && hostOrAbove(level) {
		r.out.Opaque = true
	}
}

func (r *reader) decoratorArgs(call irsyntax.Ref, level, role *string) {
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword || a.First().Kind() != irsyntax.Name {
			continue
		}
		v := a.Child(1)
		last := lastComponent(v)
		switch a.First().Text() {
		case "type":
			r.enumArg(v, "FunctionType", funcTypeNames)
			if k, ok := ir.ParseFuncKind(last); ok {
				r.fn.Kind = k
			}
		case "level":
			r.enumArg(v, "Level", levelNames)
			*level = canonicalLevel(last)
		case "role":
			r.enumArg(v, "Role", roleNames)
			*role = last
		case "auto_scope":
			if v.Kind() == irsyntax.False {
				r.fn.Attrs = append(r.fn.Attrs, ir.Attr{Key: "auto_scope", Value: false})
			}
		case "strict_ssa":
			r.strict = v.Kind() == irsyntax.True
		case "external_source":
			s, ok := stringValue(v.Text())
			if !ok {
				s = v.Text()
			}
			r.fn.Attrs = append(r.fn.Attrs, ir.Attr{Key: "external_source", Value: s})
		case "attrs":
			r.attrDict(v)
		}
	}
}

// enumArg is the pre-check of spec 01 §4.4.
func (r *reader) enumArg(v irsyntax.Ref, enum string, names []string) {
	if v.Kind() != irsyntax.Attribute {
		return
	}
	last := v.Child(1)
	for _, n := range names {
		if n == last.Text() {
			if q := dotted(v.First()); q != enum && q != "pl."+enum {
				r.problem(Syntax, r.span(v), "Expected pl."+enum+".<name>", "Use pl."+enum+".<name>.")
			}
			return
		}
	}
	sorted := append([]string(nil), names...)
	sort.Strings(sorted)
	r.problem(Syntax, r.span(last), "Unknown "+enum+" value: "+last.Text(), "Valid values: "+strings.Join(sorted, ", "))
}

var (
	funcTypeNames = []string{"Opaque", "Orchestration", "InCore", "AIC", "AIV", "Group", "Spmd", "Inline", "Graph"}
	levelNames    = []string{"AIV", "AIC", "CORE_GROUP", "CHIP_DIE", "CHIP", "HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL", "L2CACHE", "PROCESSOR", "UMA", "NODE", "POD", "CLOS1", "CLOS2"}
	roleNames     = []string{"Orchestrator", "SubWorker"}
)

func canonicalLevel(l string) string {
	switch l {
	case "L2CACHE":
		return "CHIP_DIE"
	case "PROCESSOR", "UMA":
		return "CHIP"
	case "NODE":
		return "HOST"
	case "POD":
		return "CLUSTER_0"
	case "CLOS1":
		return "CLUSTER_1"
	case "CLOS2":
		return "CLUSTER_2"
	}
	return l
}

func hostOrAbove(l string) bool {
	switch l {
	case "HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL":
		return true
	}
	return false
}

// impliedLevel is the level and role a function kind implies (spec 01 §5.1).
func impliedLevel(k ir.FuncKind) (level, role string) {
	switch k {
	case ir.Orchestration, ir.Graph:
		return "CHIP", "Orchestrator"
	case ir.InCore:
		return "CHIP_DIE", "SubWorker"
	case ir.AIC:
		return "AIC", "SubWorker"
	case ir.AIV:
		return "AIV", "SubWorker"
	case ir.Group:
		return "CORE_GROUP", "SubWorker"
	}
	return "", ""
}

// params reads the signature's parameters (spec 01 §5.2).
func (r *reader) params(ps irsyntax.Ref) {
	if !ps.Ok() {
		return
	}
	first := true
	for p := ps.First(); p.Ok(); p = p.Next() {
		if p.Kind() != irsyntax.Param {
			continue
		}
		name := p.First()
		ann := p.Child(1)
		isFirst := first
		first = false
		if p.Op() != irsyntax.OpNone {
			continue
		}
		text := name.Text()
		if text == "self" && (ann.IsEmpty() || isFirst && r.method) {
			continue
		}
		v := r.newVar(ir.ParamVar, text, ir.Unknown, r.span(name))
		prm := ir.Param{Var: v}
		if ann.IsEmpty() {
			if !r.out.Opaque {
				r.problem(Syntax, r.span(p), "Parameter '"+text+"' missing type annotation", "Add a type annotation: "+text+": pl.Tensor[[shape], dtype]")
			}
		} else {
			if ann.Kind() == irsyntax.Subscript {
				switch lastComponent(ann.First()) {
				case "Out":
					prm.Dir, ann = ir.Out, ann.Child(1)
				case "InOut":
					prm.Dir, ann = ir.InOut, ann.Child(1)
				}
			}
			if t, ok := r.typeOf(ann, true); ok {
				v.Type = t
			}
			if s, ok := v.Type.(*ir.ScalarType); ok && s.DType == ir.INDEX {
				r.note(text)
				if d, ok := r.env.Lookup(text); ok {
					if dv, ok := d.(*ir.Var); ok && dv.Name == text {
						r.free[text] = nil
					}
				}
			}
			if _, ok := v.Type.(*ir.ScalarType); ok && prm.Dir == ir.InOut {
				r.problem(TypeErr, r.span(p), "Scalar parameters cannot have InOut direction", "")
			}
		}
		r.bind(text, v)
		r.fn.Params = append(r.fn.Params, prm)
	}
}

func (r *reader) returns(ret irsyntax.Ref) {
	if ret.IsEmpty() || !ret.Ok() {
		return
	}
	if ret.Kind() == irsyntax.Subscript && lastComponent(ret.First()) == "tuple" {
		idx := ret.Child(1)
		if idx.Kind() == irsyntax.Tuple {
			for c := idx.First(); c.Ok(); c = c.Next() {
				r.addReturn(c)
			}
			return
		}
		r.addReturn(idx)
		return
	}
	r.addReturn(ret)
}

func (r *reader) addReturn(n irsyntax.Ref) {
	t, ok := r.typeOf(n, true)
	if !ok {
		t = ir.Unknown
	}
	r.fn.Returns = append(r.fn.Returns, t)
}

// prologue reads the `pl.func_attr` statements and returns the first
// statement after them (spec 01 §5.3).
func (r *reader) prologue(body irsyntax.Ref) irsyntax.Ref {
	s := body.First()
	if s.Ok() && s.Kind() == irsyntax.ExprStmt && s.First().Kind() == irsyntax.String && isFuncAttr(s.Next()) {
		r.comments.docstring(r, s)
		s = s.Next()
	}
	for s.Ok() && isFuncAttr(s) {
		if d := s.First().First().Next(); d.Ok() {
			r.attrDict(d)
		}
		s = s.Next()
	}
	return s
}

func isFuncAttr(s irsyntax.Ref) bool {
	return s.Ok() && s.Kind() == irsyntax.ExprStmt && s.First().Kind() == irsyntax.Call &&
		lastComponent(s.First().First()) == "func_attr"
}

// attrDict reads a dict of function attributes.
func (r *reader) attrDict(d irsyntax.Ref) {
	for it := d.First(); it.Ok(); it = it.Next() {
		if it.Kind() != irsyntax.DictItem {
			continue
		}
		key, ok := stringValue(it.First().Text())
		if !ok || it.First().Kind() != irsyntax.String {
			continue
		}
		v := it.Child(1)
		if _, dup := ir.FindAttr(r.fn.Attrs, key); dup {
			r.problem(Syntax, r.span(it.First()), "Duplicate function attribute '"+key+"'", "")
			continue
		}
		var val any
		if key == "split" {
			switch lastComponent(v) {
			case "UP_DOWN":
				val = int64(1)
			case "LEFT_RIGHT":
				val = int64(2)
			case "NONE":
				continue
			default:
				val = r.attrValue(v)
			}
			if v.Kind() == irsyntax.None {
				continue
			}
		} else {
			val = r.attrValue(v)
		}
		r.fn.Attrs = append(r.fn.Attrs, ir.Attr{Key: key, Value: val})
	}
}

// looksLikeShorthand reports whether an undecorated function is documentation
// shorthand (spec 01 §13): its signature or body is written in tile terms.
func looksLikeShorthand(root irsyntax.Ref) bool {
	p := partsOf(root)
	if !p.params.Ok() {
		return false
	}
	for q := p.params.First(); q.Ok(); q = q.Next() {
		ann := q.Child(1)
		if ann.Ok() && ann.Kind() == irsyntax.Subscript {
			switch lastComponent(ann.First()) {
			case "Tensor", "Tile", "DistributedTensor":
				return true
			}
		}
	}
	if !p.body.Ok() {
		return false
	}
	for s := p.body.First(); s.Ok(); s = s.Next() {
		if s.Kind() == irsyntax.AnnAssign {
			a := s.Child(1)
			if a.Kind() == irsyntax.Subscript && lastComponent(a.First()) == "Tile" {
				return true
			}
		}
	}
	return false
}
