package read

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/irsyntax"
)

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
	header bool // only a header is read

	scope       map[string]*ir.Var
	undo        []undoEntry
	free        map[string]*ir.Var
	paramDims   map[string]*ir.Var // INDEX parameters that are dynamic dimensions
	usedDims    map[string]bool    // dynamic dimensions the signature used so far
	inSignature bool
	bases       map[string]*ir.Var
	pinned      map[string]*ir.Var
	// declared allocations referenced so far, by name.
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

	inlining   *inlining // set inside the body of an inlined function
	bodies     map[string]bool
	statement  irsyntax.Ref // the call that is a whole statement
	expansions int          // of inline calls so far
	emit       *[]ir.Stmt   // where statements of an inlined call go
	splitMode  *int64       // of the enclosing split_aiv region
	aliases    map[*ir.Var]ir.Expr

	here     ir.Span // the statement being read
	doubts   []namedDoubt
	inTensor bool // the shape of a tensor annotation is being read
	untyped  bool // a call has no type, and no error says why

	args      []given    // arguments of the calls being read, innermost last
	binds     []*binding // reused by bound
	bindDepth int

	inference infer.Scratch
	calls     []ir.Call   // for the next calls
	assigns   []ir.Assign // and assignments
	tuples    ir.Slab[ir.MakeTuple]
	lists     ir.Slices[ir.Expr] // elements, operands and yielded values
	keywords  ir.Slices[ir.Kwarg]
	yielded   ir.Slab[ir.Yield]
	evals     ir.Slab[ir.Eval]
	blocks    ir.Slab[ir.Block]
	stmts     ir.Slices[ir.Stmt] // of blocks
	types     map[string]ir.Type // of annotations read so far, see plainText
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
		chunk: c, tree: t, env: env.At(c), sigs: sigs, opt: opt, method: method,
	}
	// A line seldom defines more than one name.
	lines := min(strings.Count(c.Text, "\n")+4, 64)
	r.scope, r.slab = make(map[string]*ir.Var, lines), make([]ir.Var, 0, lines)
	r.undo = make([]undoEntry, 0, lines)
	r.fn = &ir.Function{Method: method, Body: &ir.Block{}}
	r.out = &Function{IR: r.fn, Chunk: c}
	r.comments.init(t)
	root := t.Root()
	if root.Kind() == irsyntax.FuncDef {
		r.function(root)
	} else {
		r.snippet(root)
	}
	if r.out.Shorthand {
		r.lenient(root)
	}
	r.settleDoubts()
	sort.SliceStable(r.out.Problems, func(i, j int) bool { return r.out.Problems[i].Span.Start < r.out.Problems[j].Span.Start })
	r.out.Deps = Deps{Names: sortedKeys(r.names), Callees: sortedKeys(r.callees), Bodies: sortedKeys(r.bodies)}
	return r.out
}

// lenient keeps strict diagnostics away from documentation shorthand (spec 01
// §13): a snippet or an undecorated function has none, elsewhere they do not
// stop anything.
func (r *reader) lenient(root irsyntax.Ref) {
	doc := root.Kind() != irsyntax.FuncDef || root.First().Kind() != irsyntax.Decorator
	kept := r.out.Problems[:0]
	for _, p := range r.out.Problems {
		if p.Class != Own {
			if doc {
				continue
			}
			p.Warning = true
		}
		kept = append(kept, p)
	}
	r.out.Problems = kept
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
	r.inSignature = true
	r.params(p.params)
	r.returns(p.returns)
	r.inSignature = false
	if r.out.Opaque || !p.body.Ok() {
		return
	}
	r.comments.skipTo(p.body.Start())
	first := r.prologue(p.body)
	if bodyIsEllipsis(first) {
		r.fn.RuntimeBound = true
		return
	}
	stmts := make([]ir.Stmt, 0, p.body.NumChildren())
	for s := first; s.Ok(); s = s.Next() {
		if s != first {
			r.comments.between(r, s)
		}
		r.stmt(s, &stmts)
	}
	r.fn.Body = &ir.Block{Stmts: stmts}
}

func bodyIsEllipsis(s irsyntax.Ref) bool {
	return s.Ok() && s.Kind() == irsyntax.ExprStmt && s.First().Kind() == irsyntax.Ellipsis && !s.Next().Ok()
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
