package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// name resolves a name in an expression: the function's scope, then the
// module (spec 01 §8.5).
func (r *resolver) name(n irsyntax.Ref, role nameRole) {
	name := n.Text()
	if s, ok := r.scope[name]; ok {
		r.record(spanOf(n), s, role)
		return
	}
	r.moduleUse(n, name, role)
}

// moduleUse resolves a name that the function's scope does not have.
func (r *resolver) moduleUse(n irsyntax.Ref, name string, role nameRole) {
	if m := r.mod.lookup(name); m != nil {
		r.record(spanOf(n), r.outside(symKey{scope: scopeModule, name: name}, m.kind), role)
		return
	}
	if isLanguageWord(name) || n.IsEmpty() {
		return
	}
	if r.mod.star {
		r.record(spanOf(n), r.outside(symKey{scope: scopeModule, name: name}, ModuleName), role)
		return
	}
	r.record(spanOf(n), r.outside(symKey{scope: scopeDim, unit: r.dimUnit(), name: name}, UndefinedName), role)
}

// dimUnit is what shares a dimension that nothing declares.
func (r *resolver) dimUnit() int32 {
	if r.ctx.class >= 0 {
		return r.ctx.class
	}
	return r.ctx.chunk
}

// dim resolves a name in a shape: the module before the scope (spec 01 §6.4).
func (r *resolver) dim(n irsyntax.Ref) {
	name := n.Text()
	if s, ok := r.scope[name]; ok {
		m := r.mod.lookup(name)
		if m == nil || m.kind != ConstantName && m.kind != DimensionName {
			r.record(spanOf(n), s, roleRead)
			return
		}
	}
	r.symbol(n)
}

// viewName resolves a name in a view: the scope first; what nothing defines is
// a free symbol.
func (r *resolver) viewName(n irsyntax.Ref) {
	if s, ok := r.scope[n.Text()]; ok {
		r.record(spanOf(n), s, roleRead)
		return
	}
	r.symbol(n)
}

// symbol is a module-level name or a free dimension.
func (r *resolver) symbol(n irsyntax.Ref) {
	name := n.Text()
	if r.mod.lookup(name) != nil || isLanguageWord(name) || r.mod.star {
		r.moduleUse(n, name, roleRead)
		return
	}
	r.record(spanOf(n), r.outside(symKey{scope: scopeDim, unit: r.dimUnit(), name: name}, DimensionName), roleRead)
}

// expr resolves the names of an expression.
func (r *resolver) expr(n irsyntax.Ref) {
	if !n.Ok() {
		return
	}
	switch n.Kind() {
	case irsyntax.Empty:
	case irsyntax.Name:
		r.name(n, roleRead)
	case irsyntax.Attribute:
		r.attribute(n)
	case irsyntax.Call:
		r.call(n)
	case irsyntax.Keyword:
		r.expr(n.Child(1))
	case irsyntax.Subscript:
		if isTypeName(n.First()) {
			r.annotation(n)
			return
		}
		r.expr(n.First())
		r.expr(n.Child(1))
	case irsyntax.Lambda:
		mark := len(r.undo)
		r.params(n.First())
		r.expr(n.Child(1))
		r.leave(mark, false)
	case irsyntax.Comp:
		r.comprehension(n)
	case irsyntax.Walrus:
		r.expr(n.Child(1))
		r.targets(n.First())
	default:
		for c := n.First(); c.Ok(); c = c.Next() {
			r.expr(c)
		}
	}
}

func isTypeName(n irsyntax.Ref) bool {
	switch lastComponent(n) {
	case "Tile", "Tensor", "DistributedTensor", "Scalar", "Array", "Out", "InOut":
		return true
	}
	return false
}

// attribute: `self.f` names a function of the program; of other attributes
// only the first name counts.
func (r *resolver) attribute(n irsyntax.Ref) {
	v, name := n.First(), n.Child(1)
	if v.Kind() == irsyntax.Name {
		switch v.Text() {
		case "self":
			if r.ctx.class >= 0 && name.Ok() && name.Kind() == irsyntax.Name {
				r.record(spanOf(name), r.functionSym(name.Text()), roleRead)
			}
			return
		case "pl", "pld":
			if _, ok := r.scope[v.Text()]; !ok {
				return
			}
		}
	}
	r.expr(v)
}

// comprehension: the words before its parts tell targets from the rest.
func (r *resolver) comprehension(n irsyntax.Ref) {
	mark := len(r.undo)
	first := n.First()
	prev := first
	var rest []irsyntax.Ref
	for c := first.Next(); c.Ok(); c = c.Next() {
		if gapHasWord(n.T.Text[prev.End():c.Start()], "for") {
			r.comprehensionTarget(c)
		} else {
			rest = append(rest, c)
		}
		prev = c
	}
	for _, c := range rest {
		r.expr(c)
	}
	r.expr(first)
	r.leave(mark, false)
}

func (r *resolver) comprehensionTarget(t irsyntax.Ref) {
	switch t.Kind() {
	case irsyntax.Name:
		s := r.newSym(VariableName, t.Text(), symKey{}, spanOf(t))
		r.bind(t.Text(), s)
		r.record(spanOf(t), s, roleDefine)
	case irsyntax.Tuple, irsyntax.List, irsyntax.Star:
		for c := t.First(); c.Ok(); c = c.Next() {
			r.comprehensionTarget(c)
		}
	}
}

func gapHasWord(gap, word string) bool {
	for i := 0; i+len(word) <= len(gap); i++ {
		if gap[i:i+len(word)] == word {
			return true
		}
	}
	return false
}

func (r *resolver) call(n irsyntax.Ref) {
	fn := n.First()
	switch lastComponent(fn) {
	case "MemRef":
		r.memref(n)
		return
	case "TileView", "TensorView":
		r.view(n)
		return
	case "reserve_buffer", "import_peer_buffer":
		r.ring(n)
	}
	inline := ""
	if fn.Kind() == irsyntax.Name {
		if _, local := r.scope[fn.Text()]; !local {
			if m := r.mod.lookup(fn.Text()); m != nil && (m.kind == FunctionName || m.orig != "") {
				inline = fn.Text()
			}
		}
	}
	r.expr(fn)
	for a := fn.Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword && inline != "" && a.First().Kind() == irsyntax.Name {
			k := a.First()
			r.record(spanOf(k), r.outside(symKey{scope: scopeParam, owner: inline, name: k.Text()}, ParameterName), roleRead)
		}
		if a.Kind() == irsyntax.Keyword && a.First().Kind() == irsyntax.Name && a.First().Text() == "peer_func" {
			if f, sp, ok := simpleString(a.Child(1)); ok && f != "" {
				r.record(sp, r.functionSym(f), roleRead)
				continue
			}
		}
		r.expr(a)
	}
}

// ring notes the name of a reserved buffer, which peers import by name.
func (r *resolver) ring(n irsyntax.Ref) {
	name, sp, ok := simpleString(keywordOf(n, "name"))
	if !ok || name == "" {
		return
	}
	owner, role := r.own, roleDefine
	if lastComponent(n.First()) == "import_peer_buffer" {
		owner, _, _ = simpleString(keywordOf(n, "peer_func"))
		role = roleRead
	}
	unit := r.ctx.class
	r.record(sp, r.outside(symKey{scope: scopeRing, unit: unit, owner: owner, name: name}, RingBufferName), role)
}

// annotation resolves the names of a type (spec 01 §6.3).
func (r *resolver) annotation(n irsyntax.Ref) {
	if !n.Ok() {
		return
	}
	switch n.Kind() {
	case irsyntax.Subscript:
		r.typeArgs(lastComponent(n.First()), n.Child(1))
		if n.First().Kind() != irsyntax.Name {
			r.expr(n.First())
		}
	case irsyntax.Call:
		switch lastComponent(n.First()) {
		case "Tile", "Tensor", "DistributedTensor":
			a := n.First().Next()
			if a.Ok() {
				r.shape(a)
				r.typeExtra(a.Next())
			}
		default:
			r.expr(n)
		}
	case irsyntax.Name:
		if !isLanguageWord(n.Text()) {
			r.moduleUse(n, n.Text(), roleRead)
		}
	case irsyntax.String, irsyntax.Empty:
	case irsyntax.Attribute:
		r.expr(n)
	default:
		for c := n.First(); c.Ok(); c = c.Next() {
			r.annotation(c)
		}
	}
}

func (r *resolver) typeArgs(kind string, idx irsyntax.Ref) {
	first, rest := idx, irsyntax.Ref{}
	if idx.Ok() && idx.Kind() == irsyntax.Tuple && !idx.Has(irsyntax.FlagParen) {
		first = idx.First()
		if first.Ok() {
			rest = first.Next()
		}
	}
	switch kind {
	case "Tile", "Tensor", "DistributedTensor":
		r.shape(first)
		for c := rest; c.Ok(); c = c.Next() {
			r.typeExtra(c)
		}
	case "Scalar":
		r.typeExtra(first)
	case "Array":
		r.expr(first)
		r.typeExtra(rest)
	default:
		r.annotation(first)
		for c := rest; c.Ok(); c = c.Next() {
			r.annotation(c)
		}
	}
}

// shape resolves the dimensions of a type.
func (r *resolver) shape(n irsyntax.Ref) {
	if !n.Ok() {
		return
	}
	if n.Kind() == irsyntax.Name {
		r.dim(n)
		return
	}
	switch n.Kind() {
	case irsyntax.Call, irsyntax.Attribute:
		r.expr(n)
		return
	}
	for c := n.First(); c.Ok(); c = c.Next() {
		r.shape(c)
	}
}

// typeExtra resolves what stands after a shape: dtype, MemRef, space, view.
func (r *resolver) typeExtra(n irsyntax.Ref) {
	if !n.Ok() {
		return
	}
	switch n.Kind() {
	case irsyntax.Keyword: // memref=m
		r.typeExtra(n.Child(1))
	case irsyntax.Subscript: // decl[k]
		r.typeExtra(n.First())
		r.viewExpr(n.Child(1))
	case irsyntax.Name:
		name := n.Text()
		switch {
		case r.mod.lookup(name) != nil:
			r.moduleUse(n, name, roleRead)
		case !isLanguageWord(name):
			r.record(spanOf(n), r.base(name), roleRead)
		}
	default:
		r.expr(n)
	}
}

// viewExpr resolves an expression in a view or slot index.
func (r *resolver) viewExpr(n irsyntax.Ref) {
	if !n.Ok() {
		return
	}
	switch n.Kind() {
	case irsyntax.Name:
		r.viewName(n)
	case irsyntax.Call, irsyntax.Attribute:
		r.expr(n)
	default:
		for c := n.First(); c.Ok(); c = c.Next() {
			r.viewExpr(c)
		}
	}
}

func (r *resolver) view(n irsyntax.Ref) {
	r.expr(n.First())
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			r.viewExpr(a)
			continue
		}
		switch a.First().Text() {
		case "valid_shape", "stride", "start_offset":
			r.viewExpr(a.Child(1))
		default:
			r.expr(a.Child(1))
		}
	}
}

// memref resolves a MemRef's base and the rest of its arguments (spec 01 §6.6).
func (r *resolver) memref(n irsyntax.Ref) {
	r.expr(n.First())
	count := 0
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			count++
		}
	}
	pos := 0
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			r.expr(a)
			continue
		}
		pos++
		text, sp, str := simpleString(a)
		switch {
		case str && pos == 1 && !r.inFunc && text != "":
			r.record(sp, r.outside(symKey{scope: scopeModule, owner: "MemRef", name: text}, DeclaredName), roleDefine)
		case pos > 1 || !r.inFunc:
			r.expr(a)
		case a.Kind() == irsyntax.Name && count < 4:
			r.record(spanOf(a), r.base(a.Text()), roleRead)
		case str && count > 1 && text != "":
			r.record(sp, r.base(text), roleRead)
		case str && text != "":
			r.declared(text, sp)
		default:
			r.expr(a)
		}
	}
}

// declared is an allocation declared in place, `pl.MemRef("n")`: one for each
// name in a function, apart from the variables.
func (r *resolver) declared(name string, sp ir.Span) {
	k := symKey{scope: scopeLocal, unit: r.ctx.chunk, owner: "MemRef", name: name}
	s, ok := r.global[k]
	role := roleRead
	if !ok {
		s = r.newSym(DeclaredName, name, symKey{}, sp)
		r.global[k] = s
		role = roleDefine
	}
	r.record(sp, s, role)
}

// isLanguageWord reports whether a bare name belongs to Python or to the
// kernel language rather than to the text.
func isLanguageWord(name string) bool {
	if _, ok := platforms.ParseSpace(name); ok {
		return true
	}
	if _, ok := ir.ParseDType(name); ok {
		return true
	}
	return languageWords[name]
}

var languageWords = wordSet("pl", "pld", "ir", "self",
	"tile", "tensor", "system", "array", "Tile", "Tensor", "DistributedTensor", "Scalar", "Array", "Tuple", "tuple", "Ptr", "MemRef", "MemRefType", "Out", "InOut",
	"TileView", "TensorView", "TileLayout", "TensorLayout", "PadValue", "CompactMode", "Mem", "MemorySpace", "DataType", "FunctionType", "Level", "Role", "SplitMode", "ScopeMode",
	"UnknownType", "PrefetchAsyncContext", "AsyncEvent", "AsyncSession", "CommCtx", "CommCtxType", "WindowBufferType", "ND", "DN", "NZ", "MX_A_ZZ", "MX_B_NN",
	"len", "max", "min", "abs", "sum", "round", "int", "float", "bool", "str", "list", "dict", "set", "range", "isinstance", "type", "print", "enumerate", "zip", "sorted", "any", "all", "super", "object", "Exception", "ValueError", "TypeError", "RuntimeError", "__name__", "__file__")

func wordSet(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
