package read

import (
	"math"
	"sort"
	"strconv"
	"strings"

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
	dims   map[string]*ir.Var
	order  []*ir.Var
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
func (e *Env) Dims() []*ir.Var { return e.order }

// Lookup finds a module-level value; ok is false for unknown names.
func (e *Env) Lookup(name string) (Value, bool) {
	v, ok := e.values[name]
	if !ok && e.Star {
		return opaque{}, true
	}
	return v, ok
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
		vals, _ := e.eval(value)
		list, _ := vals.([]Value)
		for i := 0; t.Ok(); t, i = t.Next(), i+1 {
			if t.Kind() != irsyntax.Name {
				continue
			}
			if i < len(list) {
				e.set(t.Text(), list[i], value.Text()+"#"+strconv.Itoa(i))
			} else {
				e.set(t.Text(), opaque{}, value.Text()+"#"+strconv.Itoa(i))
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

// constEval evaluates constant expressions with Python's semantics over the
// names of env (spec 01 §4.3). shadow hides names of the function's scope.
type constEval struct {
	env    *Env
	shadow func(name string) bool
	used   []string
}

func (c *constEval) print(r irsyntax.Ref, v Value) string {
	switch v := v.(type) {
	case int64:
		return "i" + strconv.FormatInt(v, 10)
	case float64:
		return "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return "b" + strconv.FormatBool(v)
	}
	out := r.Text()
	sort.Strings(c.used)
	for _, n := range c.used {
		out += "\x00" + n + "=" + c.env.Fingerprint(n)
	}
	return out
}

// eval reports a failure as a message ("" for success).
func (c *constEval) eval(r irsyntax.Ref) (Value, string) {
	switch r.Kind() {
	case irsyntax.Int:
		if n, ok := parseInt(r.Text()); ok {
			return n, ""
		}
		return nil, "integer too large"
	case irsyntax.Float:
		if f, err := strconv.ParseFloat(strings.ReplaceAll(r.Text(), "_", ""), 64); err == nil || math.IsInf(f, 0) {
			return f, ""
		}
	case irsyntax.True:
		return true, ""
	case irsyntax.False:
		return false, ""
	case irsyntax.String:
		if s, ok := stringValue(r.Text()); ok && !r.Has(irsyntax.FlagFString) {
			return s, ""
		}
	case irsyntax.Name:
		name := r.Text()
		if c.shadow != nil && c.shadow(name) {
			return nil, "name '" + name + "' is not defined"
		}
		c.used = append(c.used, name)
		if v, ok := c.env.Lookup(name); ok {
			if _, bad := v.(opaque); bad {
				return nil, "opaque"
			}
			return v, ""
		}
		if d, ok := ir.ParseDType(name); ok {
			return d, ""
		}
		return nil, "name '" + name + "' is not defined"
	case irsyntax.Attribute:
		return c.attribute(r)
	case irsyntax.Tuple, irsyntax.List:
		var out []Value
		for ch := r.First(); ch.Ok(); ch = ch.Next() {
			v, err := c.eval(ch)
			if err != "" {
				return nil, err
			}
			out = append(out, v)
		}
		return out, ""
	case irsyntax.UnaryOp:
		v, err := c.eval(r.First())
		if err != "" {
			return nil, err
		}
		return unaryValue(r.Op(), v)
	case irsyntax.BinOp:
		x, err := c.eval(r.First())
		if err != "" {
			return nil, err
		}
		y, err := c.eval(r.Child(1))
		if err != "" {
			return nil, err
		}
		return binaryValue(r.Op(), x, y)
	case irsyntax.Subscript:
		return c.subscript(r)
	case irsyntax.Call:
		return c.call(r)
	}
	return nil, "unsupported"
}

func (c *constEval) attribute(r irsyntax.Ref) (Value, string) {
	last := r.Child(1).Text()
	if d, ok := ir.ParseDType(last); ok {
		return d, ""
	}
	if base := dotted(r.First()); base != "" {
		if i := strings.LastIndexByte(base, '.'); i >= 0 || base == "Mem" || base == "MemorySpace" {
			return ir.Enum(dotted(r)), ""
		}
	}
	if dotted(r) == "math.inf" {
		return math.Inf(1), ""
	}
	if _, ok := parseLayout(last); ok {
		return ir.Enum(dotted(r)), ""
	}
	return nil, "unsupported"
}

func (c *constEval) subscript(r irsyntax.Ref) (Value, string) {
	x, err := c.eval(r.First())
	if err != "" {
		return nil, err
	}
	i, err := c.eval(r.Child(1))
	if err != "" {
		return nil, err
	}
	list, ok := x.([]Value)
	n, ok2 := i.(int64)
	if !ok || !ok2 {
		return nil, "unsupported"
	}
	if n < 0 {
		n += int64(len(list))
	}
	if n < 0 || n >= int64(len(list)) {
		return nil, "list index out of range"
	}
	return list[n], ""
}

func (c *constEval) call(r irsyntax.Ref) (Value, string) {
	fn := r.First()
	switch lastComponent(fn) {
	case "dynamic":
		if a := fn.Next(); a.Kind() == irsyntax.String {
			if s, ok := stringValue(a.Text()); ok {
				return c.env.dim(s), ""
			}
		}
	case "MemRef":
		return memrefDecl(r)
	case "TensorView":
		return &ViewDecl{r}, ""
	case "const":
		if a := fn.Next(); a.Ok() {
			return c.eval(a)
		}
	case "get_byte":
		if fn.Kind() == irsyntax.Attribute {
			if d, ok := ir.ParseDType(lastComponent(fn.First())); ok {
				return int64(d.Bytes()), ""
			}
		}
	}
	if fn.Kind() == irsyntax.Name {
		var args []Value
		for a := fn.Next(); a.Ok(); a = a.Next() {
			v, err := c.eval(a)
			if err != "" {
				return nil, err
			}
			args = append(args, v)
		}
		return builtin(fn.Text(), args)
	}
	return nil, "unsupported"
}

func memrefDecl(r irsyntax.Ref) (Value, string) {
	d := &Decl{Slots: 1}
	n := 0
	for a := r.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			if v, ok := parseInt(a.Child(1).Text()); ok && a.First().Text() == "slots" {
				d.Slots = int(min(v, math.MaxInt32))
			}
			continue
		}
		n++
		if s, ok := stringValue(a.Text()); ok && a.Kind() == irsyntax.String {
			d.Name = s
		}
	}
	if n > 1 {
		return nil, "unsupported"
	}
	return d, ""
}

func builtin(name string, args []Value) (Value, string) {
	switch name {
	case "len":
		if len(args) == 1 {
			if l, ok := args[0].([]Value); ok {
				return int64(len(l)), ""
			}
		}
	case "max", "min", "sum":
		return reduce(name, args)
	case "abs":
		if len(args) == 1 {
			if n, ok := args[0].(int64); ok && n < 0 {
				return -n, ""
			}
			return args[0], ""
		}
	case "int":
		if len(args) == 1 {
			switch v := args[0].(type) {
			case int64:
				return v, ""
			case float64:
				return int64(v), ""
			}
		}
	case "float":
		if len(args) == 1 {
			if f, ok := number(args[0]); ok {
				return f, ""
			}
		}
	case "tuple", "list":
		if len(args) == 1 {
			return args[0], ""
		}
	}
	return nil, "name '" + name + "' is not defined"
}

func reduce(name string, args []Value) (Value, string) {
	if len(args) == 1 {
		if l, ok := args[0].([]Value); ok {
			args = l
		}
	}
	var acc Value = int64(0)
	for i, a := range args {
		if i == 0 && name != "sum" {
			acc = a
			continue
		}
		if name == "sum" {
			v, err := binaryValue(irsyntax.OpAdd, acc, a)
			if err != "" {
				return nil, err
			}
			acc = v
			continue
		}
		x, ok1 := number(acc)
		y, ok2 := number(a)
		if !ok1 || !ok2 {
			return nil, "unsupported"
		}
		if name == "max" && y > x || name == "min" && y < x {
			acc = a
		}
	}
	return acc, ""
}

func number(v Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
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
