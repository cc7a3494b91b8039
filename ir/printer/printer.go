// Package printer prints typed IR in the canonical text form of the reference
// compiler, byte for byte (spec 01b, option "format" off).
package printer

import (
	"sort"
	"strconv"

	"pypto-ls/ir"
)

// Options selects what is printed.
type Options struct {
	// TypeOf gives the current type of a variable of f; nil means Var.Type.
	TypeOf func(f *ir.Function, v *ir.Var) ir.Type
	// Concise drops `: type` on local assignments and single-name yields.
	Concise bool
	// Explicit prints a full TileView with every tile type.
	Explicit bool
}

// Program prints a whole program, without a final newline (spec 01b §3).
func Program(p *ir.Program, opt Options) string {
	pr := &printer{opt: opt}
	name := p.Name
	if name == "" {
		name = "Program"
	}
	pr.s("# pypto.program: ")
	pr.s(name)
	pr.s("\nimport pypto.language as pl\n\n")
	if lines := dimLines(p, opt); len(lines) > 0 {
		for _, l := range lines {
			pr.s(l + ` = pl.dynamic("` + l + "\")\n")
		}
		pr.s("\n")
	}
	pr.s("@pl.program\nclass ")
	pr.s(name)
	pr.s(":\n")
	for i, f := range CallOrder(p.Funcs) {
		if i > 0 {
			pr.s("\n")
		}
		pr.function(f, 1)
	}
	return string(pr.b)
}

// Function prints one function at the given indentation level (1 inside a
// program class).
func Function(f *ir.Function, level int, opt Options) string {
	pr := &printer{opt: opt}
	pr.function(f, level)
	return string(pr.b)
}

// Stmt prints one statement of f, as a hover or a fix shows it.
func Stmt(f *ir.Function, s ir.Stmt, level int, opt Options) string {
	pr := &printer{opt: opt}
	pr.enter(f)
	pr.stmt(s, level)
	return string(pr.b)
}

// Expr prints an expression with the variables' own names.
func Expr(e ir.Expr) string {
	pr := &printer{}
	pr.expr(e, false)
	return string(pr.b)
}

// Dim prints a shape element as it stands in a type (spec 01b §5).
func Dim(e ir.Expr) string {
	pr := &printer{}
	pr.dim(e)
	return string(pr.b)
}

// Type prints a type as in a local annotation of f (f may be nil).
func Type(f *ir.Function, t ir.Type, opt Options) string {
	pr := &printer{opt: opt}
	if f != nil {
		pr.enter(f)
	}
	pr.typ(t)
	return string(pr.b)
}

type printer struct {
	opt Options
	b   []byte
	f   *ir.Function
	// names by Var.ID; "" means the variable's own name.
	names []string
	// allocated marks, by Var.ID, bases assigned in the body of f.
	allocated []bool
	// signature is set while the signature of f is printed: bases are quoted.
	signature bool
	// rawNames is set inside composite dimensions (spec 01b §4, quirk).
	rawNames bool
	// splitRegion is set inside a `pl.split_aiv` region, whose transfers do not
	// print their `split`.
	splitRegion bool
}

func (p *printer) s(s string)      { p.b = append(p.b, s...) }
func (p *printer) int(v int64)     { p.b = strconv.AppendInt(p.b, v, 10) }
func (p *printer) uint(v uint64)   { p.b = strconv.AppendUint(p.b, v, 10) }
func (p *printer) quoted(s string) { p.b = append(p.b, '"'); p.s(escape(s)); p.b = append(p.b, '"') }
func (p *printer) indent(level int) {
	for range level {
		p.b = append(p.b, "    "...)
	}
}

func (p *printer) typeOf(v *ir.Var) ir.Type {
	if p.opt.TypeOf != nil && p.f != nil {
		return p.opt.TypeOf(p.f, v)
	}
	return v.Type
}

// enter prepares names and allocation marks for printing inside f.
func (p *printer) enter(f *ir.Function) {
	p.f = f
	p.names = Names(f)
	p.allocated = make([]bool, f.NumVars)
	markAllocated(f.Body, p.allocated)
}

func markAllocated(b *ir.Block, marks []bool) {
	ir.EachStmt(b, func(s ir.Stmt) {
		a, ok := s.(*ir.Assign)
		if !ok {
			return
		}
		if _, ok := a.Var.Type.(*ir.PtrType); ok && int(a.Var.ID) < len(marks) && a.Var.ID >= 0 {
			marks[a.Var.ID] = true
		}
	})
}

func (p *printer) function(f *ir.Function, level int) {
	p.enter(f)
	p.indent(level)
	p.s("@pl.function")
	p.decoratorArgs(f)
	p.s("\n")
	p.indent(level)
	p.s("def ")
	p.s(f.Name)
	p.s("(")
	p.signature = true
	sep := ""
	if f.Method && f.Role != "SubWorker" {
		p.s("self")
		sep = ", "
	}
	for _, prm := range f.Params {
		p.s(sep)
		sep = ", "
		p.varName(prm.Var)
		p.s(": ")
		switch prm.Dir {
		case ir.Out:
			p.s("pl.Out[")
		case ir.InOut:
			p.s("pl.InOut[")
		}
		p.typ(p.typeOf(prm.Var))
		if prm.Dir != ir.In {
			p.s("]")
		}
	}
	p.s(")")
	p.returns(f)
	p.s(":\n")
	p.signature = false
	if p.funcAttrs(f, level+1) {
		p.s("\n")
	}
	if f.RuntimeBound {
		p.indent(level + 1)
		p.s("...")
		return
	}
	p.block(f.Body, level+1, nil, true)
}

func (p *printer) returns(f *ir.Function) {
	switch len(f.Returns) {
	case 0:
	case 1:
		p.s(" -> ")
		p.typ(f.Returns[0])
	default:
		p.s(" -> tuple[")
		for i, t := range f.Returns {
			if i > 0 {
				p.s(", ")
			}
			p.typ(t)
		}
		p.s("]")
	}
}

func (p *printer) decoratorArgs(f *ir.Function) {
	open := false
	arg := func(s string) {
		if !open {
			p.s("(")
			open = true
		} else {
			p.s(", ")
		}
		p.s(s)
	}
	if f.Kind != ir.Opaque {
		arg("type=pl.FunctionType." + f.Kind.String())
	}
	if f.Level != "" {
		arg("level=pl.Level." + f.Level)
	}
	if f.Role != "" {
		arg("role=pl.Role." + f.Role)
	}
	if v, ok := f.Attr("auto_scope"); ok && v == false {
		arg("auto_scope=False")
	}
	if v, ok := f.Attr("external_source"); ok {
		if s, ok := v.(string); ok {
			arg(`external_source="` + escape(s) + `"`)
		}
	}
	if open {
		p.s(")")
	}
}

// funcAttrs prints the `pl.func_attr` line without its newline and reports
// whether there is one.
func (p *printer) funcAttrs(f *ir.Function, level int) bool {
	first := true
	for _, a := range f.Attrs {
		if a.Key == "auto_scope" || a.Key == "external_source" || a.Key == "split" && a.Value == int64(0) {
			continue
		}
		if first {
			p.indent(level)
			p.s("pl.func_attr({")
		} else {
			p.s(", ")
		}
		first = false
		p.quoted(a.Key)
		p.s(": ")
		if n, ok := a.Value.(int64); ok && a.Key == "split" {
			p.s("pl.SplitMode." + splitMode(n))
		} else {
			p.attrValue(a.Value)
		}
	}
	if first {
		return false
	}
	p.s("})")
	return true
}

func splitMode(n int64) string {
	switch n {
	case 1:
		return "UP_DOWN"
	case 2:
		return "LEFT_RIGHT"
	}
	return "NONE"
}

// CallOrder is the order in which a program's functions print: depth-first by
// name, callees first; plain name order when calls are cyclic (spec 01b §3).
func CallOrder(funcs []*ir.Function) []*ir.Function {
	sorted := append([]*ir.Function(nil), funcs...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	byName := make(map[string]*ir.Function, len(sorted))
	for _, f := range sorted {
		byName[f.Name] = f
	}
	const visiting, done = 1, 2
	state := make(map[*ir.Function]int, len(sorted))
	out := make([]*ir.Function, 0, len(sorted))
	cyclic := false
	var visit func(f *ir.Function)
	visit = func(f *ir.Function) {
		switch state[f] {
		case visiting:
			cyclic = true
			return
		case done:
			return
		}
		state[f] = visiting
		for _, name := range Callees(f) {
			if g := byName[name]; g != nil {
				visit(g)
			}
		}
		state[f] = done
		out = append(out, f)
	}
	for _, f := range sorted {
		visit(f)
	}
	if cyclic {
		return sorted
	}
	return out
}

// Callees lists the names of the functions that f calls, sorted, once each.
func Callees(f *ir.Function) []string {
	seen := map[string]bool{}
	var names []string
	note := func(n string) {
		if !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
	walkCalls(f.Body, note)
	sort.Strings(names)
	return names
}

func walkCalls(b *ir.Block, note func(string)) {
	ir.EachStmt(b, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			exprCalls(s.Value, note)
		case *ir.Eval:
			exprCalls(s.X, note)
		case *ir.Yield:
			for _, e := range s.Values {
				exprCalls(e, note)
			}
		case *ir.Return:
			for _, e := range s.Values {
				exprCalls(e, note)
			}
		}
	})
}

func exprCalls(e ir.Expr, note func(string)) {
	switch e := e.(type) {
	case *ir.Call:
		if e.IsFunc {
			note(e.Name)
		}
		for _, a := range e.Args {
			exprCalls(a, note)
		}
	case *ir.FuncRef:
		note(e.Name)
	case *ir.MakeTuple:
		for _, a := range e.Elems {
			exprCalls(a, note)
		}
	case *ir.TupleGet:
		exprCalls(e.Tuple, note)
	case *ir.Binary:
		exprCalls(e.X, note)
		exprCalls(e.Y, note)
	case *ir.Unary:
		exprCalls(e.X, note)
	}
}
