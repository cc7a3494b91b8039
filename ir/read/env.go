package read

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// Value is a module-level value as far as it is known without executing
// anything (spec 01 §4.5): int64, float64, bool, string, []Value, ir.DType,
// ir.Enum, *ir.Var (dynamic dimension), *Decl, *ViewDecl, *PlainClass, ir.Expr (an
// expression over dimensions) or opaque.
type Value any

type opaque struct{}

// Decl is a declared allocation, `pl.MemRef()`.
type Decl struct {
	Name  string // explicit name, "" when named after its variable
	Slots int
	// Var is the variable it was first bound to.
	Var string
}

// ViewDecl is a module-level `pl.TensorView(...)`; Node is its call.
type ViewDecl struct{ Node irsyntax.Ref }

// PlainClass is a class that is no program; its attributes are known unless opaque.
type PlainClass struct {
	name  string
	attrs map[string]Value
}

// Env is the namespace that free names of a function are looked up in, as it is
// where a chunk of the file stands.
type Env struct {
	*module
	// before is the chunk whose namespace this is: what later ones bind does not
	// exist yet.
	before int32
}

// wholeFile is the namespace after the whole file.
const wholeFile = math.MaxInt32

// module is what is known of a file's names.
type module struct {
	names  map[string][]assigned // in the order of the text
	mu     sync.Mutex
	dims   map[string]*ir.Var // guarded by mu
	order  []*ir.Var          // guarded by mu
	starAt int32              // chunk of the first `from x import *`
	// funcs are the module-level functions by name.
	funcs map[string]*irsyntax.Chunk

	// uniform: no chunk of a function stands before something that is bound.
	uniform bool
	file    *irsyntax.File
	once    sync.Once
	places  map[*irsyntax.Chunk]int32 // see At
}

// assigned is a value that a name has from a chunk on.
type assigned struct {
	value Value
	print string
	at    int32
}

// NewEnv evaluates the module-level assignments of f symbolically.
func NewEnv(f *irsyntax.File) *Env {
	m := &module{names: map[string][]assigned{}, dims: map[string]*ir.Var{}, starAt: wholeFile, funcs: map[string]*irsyntax.Chunk{}, uniform: true, file: f}
	b := &binder{Env: &Env{m, wholeFile}}
	kernel := int32(-1)   // the first chunk that may hold one
	var class *PlainClass // whose members follow
	for i, c := range f.Chunks {
		b.at = int32(i)
		bound := b.count
		switch c.Kind {
		case irsyntax.ModuleChunk:
			b.block(c.Tree().Root())
		case irsyntax.ClassChunk:
			class = nil
			if !ClassIsProgram(c.Chunk) {
				class = b.class(c.Chunk)
			}
		case irsyntax.MemberChunk:
			if class != nil {
				b.members(class, c.Tree().Root())
			}
		case irsyntax.FuncChunk:
			if c.Class < 0 && c.Name != "" {
				m.funcs[c.Name] = c.Chunk
			}
			if kernel < 0 {
				kernel = b.at
			}
		}
		if b.count > bound && kernel >= 0 {
			m.uniform = false
		}
	}
	return b.Env
}

// At is the namespace that the decorator of a function sees: the last values
// that are bound before it (spec 01 §4.3).
func (e *Env) At(c *irsyntax.Chunk) *Env {
	if e == nil || e.uniform {
		return e
	}
	e.once.Do(func() {
		e.places = make(map[*irsyntax.Chunk]int32, len(e.file.Chunks))
		for i := range e.file.Chunks {
			e.places[e.file.Chunks[i].Chunk] = int32(i)
		}
	})
	if i, ok := e.places[c]; ok {
		return &Env{e.module, i}
	}
	return e
}

// Dims are the declared dynamic dimensions in source order.
func (e *Env) Dims() []*ir.Var {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.order
}

// bound is the last binding of a name, nil when there is none.
func (e *Env) bound(name string) *assigned {
	list := e.names[name]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].at < e.before {
			return &list[i]
		}
	}
	return nil
}

// star reports whether every unknown name may be known.
func (e *Env) star() bool { return e.starAt < e.before }

// Lookup finds a module-level value; ok is false for unknown names.
func (e *Env) Lookup(name string) (Value, bool) {
	if b := e.bound(name); b != nil {
		return b.value, true
	}
	if e.star() {
		return opaque{}, true
	}
	return nil, false
}

// opaque reports a name whose value is not known.
func (e *Env) opaque(name string) bool {
	v, _ := e.Lookup(name)
	_, bad := v.(opaque)
	return bad
}

// imported reports a name that an import binds, or that a star import may.
func (e *Env) imported(name string) bool {
	b := e.bound(name)
	return b == nil && e.star() || b != nil && strings.HasPrefix(b.print, "import ")
}

// Fingerprint identifies the value of a name for caches: equal fingerprints
// mean equal values. An unknown name has the fingerprint "".
func (e *Env) Fingerprint(name string) string {
	if b := e.bound(name); b != nil {
		return b.print
	}
	if e.star() {
		return "*"
	}
	return ""
}

// Function finds a module-level function by name.
func (e *Env) Function(name string) *irsyntax.Chunk { return e.funcs[name] }

// freeDim is the program-wide dimension of a symbol that nothing declares.
func (e *Env) freeDim(name string) *ir.Var {
	return &ir.Var{ID: -1, Kind: ir.DimVar, Name: name, Type: indexType}
}

var indexType = &ir.ScalarType{DType: ir.INDEX}

func (e *Env) dim(name string) *ir.Var {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v := e.dims[name]; v != nil {
		return v
	}
	v := e.freeDim(name)
	e.dims[name] = v
	e.order = append(e.order, v)
	return v
}

// parseInt reads a Python integer literal; false when it does not fit int64.
func parseInt(s string) (int64, bool) {
	if len(s) < 18 {
		n := int64(0)
		plain := len(s) > 0
		for i := 0; i < len(s); i++ {
			if s[i] < '0' || s[i] > '9' {
				plain = false
				break
			}
			n = n*10 + int64(s[i]-'0')
		}
		if plain {
			return n, true
		}
	}
	n, err := strconv.ParseInt(s, 0, 64)
	return n, err == nil
}

// stringValue decodes a Python string literal as far as names need it.
func stringValue(s string) (string, bool) {
	i := 0
	raw := false
	for i < len(s) && s[i] != '"' && s[i] != '\'' {
		if s[i] == 'r' || s[i] == 'R' {
			raw = true
		}
		i++
	}
	s = s[i:]
	if len(s) < 2 {
		return "", false
	}
	q := s[:1]
	if strings.HasPrefix(s, q+q+q) && len(s) >= 6 {
		q = q + q + q
	}
	if !strings.HasSuffix(s, q) {
		return "", false
	}
	body := s[len(q) : len(s)-len(q)]
	if raw || !strings.Contains(body, `\`) {
		if strings.Contains(body, q) {
			return "", false
		}
		return body, true
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, `\n`, "\n", `\t`, "\t").Replace(body), true
}
