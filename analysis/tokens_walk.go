package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// tokenWalker makes the tokens of one chunk.
type tokenWalker struct {
	tree   *irsyntax.Tree
	names  *chunkNames
	uses   map[int32]int32 // index in names.uses by start
	spaces []ir.Space      // by symbol
	out    []Token
}

// add adds a token, one for each line that it spans.
func (w *tokenWalker) add(start, end int32, t TokenType, m TokenMods) {
	text := w.tree.Text[start:end]
	for {
		line := text
		i := strings.IndexAny(text, "\r\n")
		if i >= 0 {
			line = text[:i]
		}
		if line != "" {
			w.out = append(w.out, Token{start, int32(len(line)), t, m})
		}
		if i < 0 {
			return
		}
		start += int32(i) + 1
		text = text[i+1:]
	}
}

func (w *tokenWalker) node(n irsyntax.Ref, parent irsyntax.Kind) {
	switch n.Kind() {
	case irsyntax.Name:
		w.name(n, parent)
		return
	case irsyntax.Int, irsyntax.Float, irsyntax.Imag:
		w.add(n.Start(), n.End(), TokenNumber, 0)
		return
	case irsyntax.True, irsyntax.False, irsyntax.None:
		w.add(n.Start(), n.End(), TokenKeyword, 0)
		return
	case irsyntax.String:
		w.str(n)
		return
	case irsyntax.Marker:
		w.add(n.Start(), n.End(), TokenComment, 0)
		return
	case irsyntax.Attribute:
		w.attribute(n, parent)
		return
	case irsyntax.Keyword:
		k := n.First()
		if k.Kind() == irsyntax.Name {
			w.add(k.Start(), k.End(), TokenParameter, 0)
		}
		w.node(n.Child(1), irsyntax.Keyword)
		return
	case irsyntax.Call:
		w.call(n)
		return
	case irsyntax.Import, irsyntax.ImportFrom:
		for c := n.First(); c.Ok(); c = c.Next() {
			if !c.IsEmpty() && c.Kind() == irsyntax.Name && c.Text() != "*" {
				w.add(c.Start(), c.End(), TokenNamespace, 0)
			}
		}
		return
	}
	for c := n.First(); c.Ok(); c = c.Next() {
		w.node(c, n.Kind())
	}
}

// call marks deprecated spellings: keywords and forms of calls.
func (w *tokenWalker) call(n irsyntax.Ref) {
	fn := n.First()
	from := len(w.out)
	w.node(fn, irsyntax.Call)
	name := lastComponent(fn)
	if name == "MemRef" && legacyMemRef(n) && len(w.out) > from {
		w.out[len(w.out)-1].Mods |= TokenDeprecated
	}
	for a := fn.Next(); a.Ok(); a = a.Next() {
		at := len(w.out)
		w.node(a, irsyntax.Keyword) // not called itself
		if a.Kind() != irsyntax.Keyword || at >= len(w.out) {
			continue
		}
		if k := a.First().Text(); name == "split" && k == "slot_num" || name == "function" && k == "attrs" {
			w.out[at].Mods |= TokenDeprecated
		}
	}
}

// legacyMemRef: `pl.MemRef(address, size, id)` and the form with a space.
func legacyMemRef(n irsyntax.Ref) bool {
	count := 0
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			count++
		}
	}
	return count == 4 || count == 3 && n.Child(1).Kind() == irsyntax.Int
}

// str is a string literal; a name that it quotes is a token of its own.
func (w *tokenWalker) str(n irsyntax.Ref) {
	if _, in, ok := simpleString(n); ok && in.End > in.Start {
		if i, ok := w.uses[in.Start]; ok && w.names.uses[i].span == in {
			w.add(n.Start(), in.Start, TokenString, 0)
			w.use(i)
			w.add(in.End, n.End(), TokenString, 0)
			return
		}
	}
	w.add(n.Start(), n.End(), TokenString, 0)
}

func (w *tokenWalker) name(n irsyntax.Ref, parent irsyntax.Kind) {
	if i, ok := w.uses[n.Start()]; ok {
		w.use(i)
		return
	}
	t, m, ok := wordToken(n.Text())
	if !ok {
		return
	}
	if t == TokenFunction && parent != irsyntax.Call && parent != irsyntax.Subscript {
		t = TokenVariable
	}
	w.add(n.Start(), n.End(), t, m)
}

// use is an occurrence of a symbol.
func (w *tokenWalker) use(i int32) {
	u := w.names.uses[i]
	s := &w.names.syms[u.sym]
	t, m := symbolToken(s.kind)
	if u.role == roleDefine {
		m |= TokenDeclaration
	}
	if s.key.scope == scopeParam {
		m = 0
	}
	w.add(u.span.Start, u.span.End, t, m|spaceMod(w.spaces[u.sym]))
}

func symbolToken(k NameKind) (TokenType, TokenMods) {
	switch k {
	case ParameterName:
		return TokenParameter, 0
	case LoopIndexName, DimensionName, ConstantName, DeclaredName:
		return TokenVariable, TokenReadonly
	case ModuleName:
		return TokenNamespace, 0
	case FunctionName:
		return TokenFunction, 0
	case ProgramName:
		return TokenClass, 0
	}
	return TokenVariable, 0
}

// wordToken classifies a bare word of the language.
func wordToken(name string) (TokenType, TokenMods, bool) {
	if s, ok := platforms.ParseSpace(name); ok {
		return TokenEnumMember, TokenReadonly | spaceMod(s), true
	}
	if _, ok := ir.ParseDType(name); ok {
		return TokenTypeWord, TokenLibrary, true
	}
	switch name {
	case "pl", "pld", "ir", "tile", "tensor", "system", "array", "prefetch":
		return TokenNamespace, TokenLibrary, true
	case "self":
		return TokenParameter, TokenReadonly, true
	case "MemRefType":
		return TokenTypeWord, TokenLibrary | TokenDeprecated, true
	}
	if typeWords[name] {
		return TokenTypeWord, TokenLibrary, true
	}
	return TokenFunction, TokenLibrary, languageWords[name]
}

var typeWords = wordSet("Tile", "Tensor", "DistributedTensor", "Scalar", "Array", "Tuple", "tuple", "Ptr", "MemRef", "MemRefType", "Out", "InOut", "TileView", "TensorView",
	"TileLayout", "TensorLayout", "PadValue", "CompactMode", "Mem", "MemorySpace", "DataType", "FunctionType", "Level", "Role", "SplitMode", "ScopeMode", "PipeType", "AtomicType", "adir",
	"UnknownType", "PrefetchAsyncContext", "AsyncEvent", "AsyncSession", "CommCtx", "CommCtxType", "WindowBufferType")

// enumWords are the types whose attributes are their members.
var enumWords = wordSet("TileLayout", "TensorLayout", "PadValue", "CompactMode", "Mem", "MemorySpace", "FunctionType", "Level", "Role", "SplitMode", "ScopeMode", "PipeType", "AtomicType", "adir")

// attribute is `v.name`.
func (w *tokenWalker) attribute(n irsyntax.Ref, parent irsyntax.Kind) {
	v, name := n.First(), n.Child(1)
	w.node(v, irsyntax.Attribute)
	if !name.Ok() || name.Kind() != irsyntax.Name || name.IsEmpty() {
		return
	}
	if i, ok := w.uses[name.Start()]; ok { // self.f
		w.use(i)
		return
	}
	text := name.Text()
	t, m := TokenProperty, TokenMods(0)
	owner := lastComponent(v)
	switch {
	case enumWords[owner]:
		t, m = TokenEnumMember, TokenReadonly
		if owner == "Mem" || owner == "MemorySpace" {
			if s, ok := platforms.ParseSpace(text); ok {
				m |= spaceMod(s)
			}
		}
	case owner == "pl" || owner == "pld" || owner == "ir":
		if wt, wm, ok := wordToken(text); ok && wt != TokenEnumMember {
			t, m = wt, wm
		} else if parent == irsyntax.Attribute && text == "jit" {
			t, m = TokenNamespace, TokenLibrary
		} else if parent == irsyntax.Call || parent == irsyntax.Decorator || ops.WrapperOf(owner+"."+text) != nil {
			t, m = TokenFunction, TokenLibrary
		}
	case isNamespace(v):
		t, m = TokenFunction, TokenLibrary
	case parent == irsyntax.Call:
		t = TokenFunction
	}
	w.add(name.Start(), name.End(), t, m)
}

// isNamespace reports whether n is pl.tile, pl.tensor, …, or the short form.
func isNamespace(n irsyntax.Ref) bool {
	switch lastComponent(n) {
	case "tile", "tensor", "system", "array", "prefetch", "jit":
	default:
		return false
	}
	return n.Kind() == irsyntax.Name || lastComponent(n.First()) == "pl" || lastComponent(n.First()) == "pld"
}

// keywords adds Python's keywords: words between the tokens that the tree has no
// nodes for.
func (w *tokenWalker) keywords() {
	text := w.tree.Text
	all := make([]Token, 0, len(w.out)+len(w.out)/8)
	at := int32(0)
	gap := func(end int32) {
		for i := at; i < end; {
			if !isWordByte(text[i]) {
				i++
				continue
			}
			j := i
			for j < end && isWordByte(text[j]) {
				j++
			}
			if pythonKeywords[text[i:j]] {
				all = append(all, Token{i, j - i, TokenKeyword, 0})
			}
			i = j
		}
	}
	for _, t := range w.out {
		if t.Start < at {
			continue // of a broken tree: never overlap
		}
		gap(t.Start)
		all = append(all, t)
		at = t.Start + t.Len
	}
	gap(int32(len(text)))
	w.out = all
}
