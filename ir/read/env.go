package read

import (
	"strconv"
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// Value is a module-level value as far as it is known without executing
// anything (spec 01 §4.5): int64, float64, bool, string, []Value, ir.DType,
// ir.Enum, *ir.Var (dynamic dimension), *Decl, *ViewDecl, ir.Expr (an
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

// Env is the namespace that free names of a function are looked up in.
type Env struct {
	values map[string]Value
	prints map[string]string
	mu     sync.Mutex
	dims   map[string]*ir.Var // guarded by mu
	order  []*ir.Var          // guarded by mu
	// Star is set after `from x import *`: every unknown name is opaque.
	Star bool
	// funcs are the module-level functions by name.
	funcs map[string]*irsyntax.Chunk
}

// NewEnv evaluates the module-level assignments of f symbolically.
func NewEnv(f *irsyntax.File) *Env {
	e := &Env{values: map[string]Value{}, prints: map[string]string{}, dims: map[string]*ir.Var{}, funcs: map[string]*irsyntax.Chunk{}}
	for _, c := range f.Chunks {
		switch c.Kind {
		case irsyntax.ModuleChunk:
			root := c.Tree().Root()
			for s := root.First(); s.Ok(); s = s.Next() {
				e.stmt(s)
			}
		case irsyntax.FuncChunk:
			if c.Class < 0 && c.Name != "" {
				e.funcs[c.Name] = c.Chunk
			}
		}
	}
	return e
}

// Dims are the declared dynamic dimensions in source order.
func (e *Env) Dims() []*ir.Var {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.order
}

// Lookup finds a module-level value; ok is false for unknown names.
func (e *Env) Lookup(name string) (Value, bool) {
	v, ok := e.values[name]
	if !ok && e.Star {
		return opaque{}, true
	}
	return v, ok
}

// opaque reports a name whose value is not known.
func (e *Env) opaque(name string) bool {
	v, _ := e.Lookup(name)
	_, bad := v.(opaque)
	return bad
}

// imported reports a name that an import binds, or that a star import may.
func (e *Env) imported(name string) bool {
	p, ok := e.prints[name]
	return !ok || strings.HasPrefix(p, "import ")
}

// Fingerprint identifies the value of a name for caches: equal fingerprints
// mean equal values. An unknown name has the fingerprint "".
func (e *Env) Fingerprint(name string) string {
	if p, ok := e.prints[name]; ok {
		return p
	}
	if e.Star {
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

func (e *Env) set(name string, v Value, src string) {
	if d, ok := v.(*Decl); ok && d.Var == "" {
		d.Var = name
	}
	e.values[name] = v
	e.prints[name] = src
}

func (e *Env) stmt(s irsyntax.Ref) {
	switch s.Kind() {
	case irsyntax.Assign:
		var targets []irsyntax.Ref
		c := s.First()
		for ; c.Ok() && c.Next().Ok(); c = c.Next() {
			targets = append(targets, c)
		}
		for _, t := range targets {
			e.assign(t, c)
		}
	case irsyntax.AnnAssign:
		if v := s.Child(2); !v.IsEmpty() {
			e.assign(s.First(), v)
		}
	case irsyntax.Import, irsyntax.ImportFrom:
		e.imports(s)
	}
}

func (e *Env) imports(s irsyntax.Ref) {
	if strings.HasSuffix(strings.TrimSpace(s.Text()), "*") {
		e.Star = true
	}
	for n := s.First(); n.Ok(); n = n.Next() {
		name := n.Text()
		if name == "pl" || name == "pld" || strings.Contains(name, ".") {
			continue
		}
		e.set(name, opaque{}, "import "+name)
	}
}

func (e *Env) assign(target, value irsyntax.Ref) {
	switch target.Kind() {
	case irsyntax.Name:
		v, print := e.eval(value)
		e.set(target.Text(), v, print)
	case irsyntax.Tuple, irsyntax.List:
		t := target.First()
		if value.Kind() == irsyntax.Tuple || value.Kind() == irsyntax.List {
			for v := value.First(); t.Ok() && v.Ok(); t, v = t.Next(), v.Next() {
				e.assign(t, v)
			}
			return
		}
		vals, print := e.eval(value)
		list, _ := vals.([]Value)
		for i := 0; t.Ok(); t, i = t.Next(), i+1 {
			if t.Kind() != irsyntax.Name {
				continue
			}
			if i < len(list) {
				e.set(t.Text(), list[i], print+"#"+strconv.Itoa(i))
			} else {
				e.set(t.Text(), opaque{}, print+"#"+strconv.Itoa(i))
			}
		}
	}
}

// eval evaluates a module-level expression; the string identifies the value.
func (e *Env) eval(r irsyntax.Ref) (Value, string) {
	c := &constEval{env: e}
	v, err := c.eval(r)
	if err != "" {
		return opaque{}, r.Text()
	}
	return v, c.print(r, v)
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
