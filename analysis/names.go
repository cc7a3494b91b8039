package analysis

import (
	"sort"
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// Names are resolved on the syntax tree, by the scoping rules of spec 01 §10,
// so that they resolve while a text is broken or cannot be typed.

// NameKind says what a name denotes.
type NameKind uint8

// The kinds of names.
const (
	// UndefinedName: nothing visible defines it.
	UndefinedName NameKind = iota
	// VariableName is assigned in a function.
	VariableName
	ParameterName
	// LoopIndexName is the index of a for loop.
	LoopIndexName
	// CarriedName is a loop-carried value within its loop.
	CarriedName
	// ResultName is the left side of a yield: a result of a loop or branch.
	ResultName
	// AllocationName is the base of an allocation, bare or quoted.
	AllocationName
	// DeclaredName is a declared allocation, `pl.MemRef("n")` or `n = pl.MemRef()`.
	DeclaredName
	// RingBufferName is the name of a reserved cross-core buffer.
	RingBufferName
	// DimensionName is a dynamic dimension, declared or a free symbol.
	DimensionName
	// ConstantName is any other module-level value.
	ConstantName
	// ModuleName is imported.
	ModuleName
	FunctionName
	ProgramName
)

var nameKindWords = [...]string{"name", "variable", "parameter", "loop index", "loop-carried value", "result", "allocation",
	"declared allocation", "ring buffer", "dimension", "constant", "module", "function", "program"}

func (k NameKind) String() string { return nameKindWords[k] }

// a is the kind with its article.
func (k NameKind) a() string {
	if k == AllocationName {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// nameScope says how far a symbol reaches.
type nameScope uint8

const (
	scopeLocal   nameScope = iota // one function
	scopeModule                   // the file, and files that import from it
	scopeProgram                  // the functions of one program
	scopeDim                      // a dimension that nothing declares: one program, or one function
	scopeRing                     // the reserved buffers of one function, seen by its peers
	scopeParam                    // a parameter of a module-level function, as a keyword of its calls
)

// symKey identifies a symbol within a file. unit is the chunk of the class a
// program's names belong to, the function's chunk for local ones.
type symKey struct {
	scope nameScope
	unit  int32
	sym   int32 // of local ones
	owner string
	name  string
}

// nameRole is what a use of a name does. A define is the first assignment, a
// write a further one.
type nameRole uint8

const (
	roleRead nameRole = iota
	roleDefine
	roleWrite
	roleReadWrite
)

func (r nameRole) writes() bool { return r != roleRead }

// nameSym is a symbol as one chunk sees it.
type nameSym struct {
	key  symKey
	kind NameKind
	name string
	// def is the first definition in this chunk; invalid when there is none.
	def ir.Span
}

// nameUse is one occurrence of a symbol; the span leaves out quotes.
type nameUse struct {
	span  ir.Span
	sym   int32
	block int32
	order int32 // of evaluation: a value comes before the name it is assigned to
	role  nameRole
}

// chunkNames are the names of one chunk.
type chunkNames struct {
	syms   []nameSym
	uses   []nameUse // by position
	parent []int32   // by block
	// visible are the names in scope at the probe, sorted by name (completion).
	visible []int32
}

// at finds the use that holds an offset of the chunk or ends there; -1 for
// none.
func (n *chunkNames) at(off int32) int {
	i := sort.Search(len(n.uses), func(i int) bool { return n.uses[i].span.End >= off })
	found := -1
	for ; i < len(n.uses) && n.uses[i].span.Start <= off; i++ {
		found = i
	}
	return found
}

func (n *chunkNames) sort() {
	sort.SliceStable(n.uses, func(i, j int) bool { return n.uses[i].span.Start < n.uses[j].span.Start })
}

// encloses reports whether block a is b or around it.
func (n *chunkNames) encloses(a, b int32) bool {
	for ; b > a; b = n.parent[b] {
	}
	return a == b
}

// nameCache keeps what was resolved of one version of a document.
type nameCache struct {
	modOnce sync.Once
	mod     *moduleNames

	mu     sync.Mutex
	chunks map[int]*chunkNames // guarded by mu
}

// maxCachedNames bounds the functions of a version whose names are kept.
const maxCachedNames = 32

// module are the module-level names of the document.
func (d *Document) module() *moduleNames {
	d.names.modOnce.Do(func() { d.names.mod = moduleNamesOf(d.File) })
	return d.names.mod
}

// namesOf resolves the names of a chunk.
func (d *Document) namesOf(chunk int) *chunkNames {
	d.names.mu.Lock()
	n := d.names.chunks[chunk]
	d.names.mu.Unlock()
	if n != nil {
		return n
	}
	e := &d.File.Chunks[chunk]
	held := e.HasTree()
	n = resolveNames(e.Chunk, d.module(), d.nameContext(chunk))
	if !held {
		e.Release()
	}
	d.names.mu.Lock()
	defer d.names.mu.Unlock()
	if d.names.chunks == nil || len(d.names.chunks) >= maxCachedNames {
		d.names.chunks = map[int]*chunkNames{}
	}
	d.names.chunks[chunk] = n
	return n
}

// nameContext is what resolving a chunk has to know of its place.
type nameContext struct {
	chunk  int32
	class  int32 // chunk of the program's class, -1 for none
	kernel bool  // kernel code; ordinary Python has other scopes
}

func (d *Document) nameContext(chunk int) nameContext {
	d.prepare()
	e := &d.File.Chunks[chunk]
	c := nameContext{chunk: int32(chunk), class: e.Class, kernel: d.unitOf[chunk] >= 0}
	if e.Kind == irsyntax.FuncChunk && !c.kernel {
		c.kernel = read.MayBeKernel(e.Chunk)
	}
	return c
}

// nameAt finds the symbol at a document offset. ok is false when there is no
// name, and always in ordinary Python.
func (d *Document) nameAt(off int) (chunk int, n *chunkNames, use int, ok bool) {
	if !d.IsKernel() {
		return 0, nil, 0, false
	}
	chunk = d.File.ChunkAt(off)
	if chunk < 0 {
		return 0, nil, 0, false
	}
	n = d.namesOf(chunk)
	use = n.at(int32(off) - d.File.Chunks[chunk].Start)
	return chunk, n, use, use >= 0
}

// eachMention calls f for every chunk that may use a symbol of the given key,
// with the names of the chunk; f returns false to end.
func (d *Document) eachMention(k symKey, f func(chunk int, n *chunkNames) bool) {
	if k.scope == scopeLocal {
		f(int(k.unit), d.namesOf(int(k.unit)))
		return
	}
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if !strings.Contains(e.Text, k.name) || (k.scope == scopeProgram || k.scope == scopeRing || k.scope == scopeDim) && !k.inUnit(int32(i), e.Class) {
			continue
		}
		if !f(i, d.namesOf(i)) {
			return
		}
	}
}

// inUnit reports whether a chunk belongs to the unit of the key: the class
// and its members, or, without class, a function by itself or all of them.
func (k symKey) inUnit(chunk, class int32) bool {
	if k.unit < 0 {
		return class < 0
	}
	return chunk == k.unit || class == k.unit
}

// usesOf lists the uses of a symbol in one chunk.
func (n *chunkNames) usesOf(k symKey) []nameUse {
	var out []nameUse
	for _, u := range n.uses {
		if n.syms[u.sym].key == k {
			out = append(out, u)
		}
	}
	return out
}
