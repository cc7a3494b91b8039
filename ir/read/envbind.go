package read

import (
	"strconv"
	"strings"

	"pypto-ls/irsyntax"
)

// binder follows the statements of a module and notes what they bind.
type binder struct {
	*Env
	at    int32 // the chunk being followed
	count int   // bindings so far
	// locals, set in the body of a class, is where names are bound there.
	locals *PlainClass
	text   *strings.Builder // what identifies the values of locals
}

func (b *binder) set(name string, v Value, print string) {
	b.count++
	if b.locals != nil {
		b.locals.attrs[name] = v
		b.text.WriteString(name + "=" + print + "\x00")
		return
	}
	if d, ok := v.(*Decl); ok && d.Var == "" {
		d.Var = name
	}
	list := b.names[name]
	if n := len(list); n > 0 && list[n-1].at == b.at {
		list = list[:n-1] // nothing stands between them
	}
	b.names[name] = append(list, assigned{v, print, b.at})
}

// lose makes the value of a name unknown.
func (b *binder) lose(name string) { b.set(name, opaque{}, "lost") }

func (b *binder) block(root irsyntax.Ref) {
	for s := root.First(); s.Ok(); s = s.Next() {
		b.stmt(s)
	}
}

func (b *binder) stmt(s irsyntax.Ref) {
	switch s.Kind() {
	case irsyntax.Assign:
		value := s.First()
		for value.Ok() && value.Next().Ok() {
			value = value.Next()
		}
		b.loseWithin(value)
		for t := s.First(); t.Ok() && t != value; t = t.Next() {
			b.assign(t, value)
		}
	case irsyntax.AnnAssign:
		if v := s.Child(2); !v.IsEmpty() {
			b.loseWithin(v)
			b.assign(s.First(), v)
		}
	case irsyntax.AugAssign:
		b.augmented(s)
	case irsyntax.Import, irsyntax.ImportFrom:
		b.imports(s)
	case irsyntax.If:
		b.branch(s)
	case irsyntax.ExprStmt:
		b.mutated(s.First())
		b.loseWithin(s)
	case irsyntax.Pass:
	default:
		b.loseWithin(s)
	}
}

// branch follows the side of an if that is taken, when that is known.
func (b *binder) branch(s irsyntax.Ref) {
	c := b.evaluator()
	v, err := c.eval(s.First())
	truth, known := pythonTruth(v)
	if err != "" || !known {
		b.loseWithin(s)
		return
	}
	b.loseWithin(s.First())
	side := s.Child(1)
	if !truth {
		side = s.Child(2)
	}
	switch side.Kind() {
	case irsyntax.Block:
		b.block(side)
	case irsyntax.If:
		b.branch(side)
	}
}

// augmented is `x += 1`.
func (b *binder) augmented(s irsyntax.Ref) {
	t, v := s.First(), s.Child(1)
	b.loseWithin(v)
	if t.Kind() != irsyntax.Name {
		b.mutated(t)
		return
	}
	c := b.evaluator()
	x, err := c.eval(t)
	if err == "" {
		var y Value
		if y, err = c.eval(v); err == "" {
			x, err = binaryValue(s.Op(), x, y)
		}
	}
	if err != "" {
		b.lose(t.Text())
		return
	}
	b.set(t.Text(), x, c.print(s, x))
}

// mutated is an object that a call of its method, or an assignment to a part of
// it, may change: what is known of the name at its root does not hold any more.
func (b *binder) mutated(r irsyntax.Ref) {
	if r.Kind() == irsyntax.Call {
		if r = r.First(); r.Kind() != irsyntax.Attribute || !mutators[r.Child(1).Text()] {
			return
		}
	}
	if r.Kind() != irsyntax.Attribute && r.Kind() != irsyntax.Subscript {
		return
	}
	for r.Kind() == irsyntax.Attribute || r.Kind() == irsyntax.Subscript || r.Kind() == irsyntax.Call {
		r = r.First()
	}
	if r.Kind() != irsyntax.Name {
		return
	}
	switch v, _ := b.Lookup(r.Text()); v.(type) {
	case []Value, *PlainClass:
		b.lose(r.Text())
	}
}

// mutators are the methods that change a list.
var mutators = map[string]bool{"append": true, "extend": true, "insert": true, "pop": true, "remove": true, "clear": true, "sort": true, "reverse": true}

// loseWithin makes every name unknown that something below n may bind.
func (b *binder) loseWithin(n irsyntax.Ref) {
	switch n.Kind() {
	case irsyntax.Assign:
		for t := n.First(); t.Ok() && t.Next().Ok(); t = t.Next() {
			b.loseTarget(t)
		}
	case irsyntax.AnnAssign, irsyntax.AugAssign, irsyntax.For, irsyntax.Walrus:
		b.loseTarget(n.First())
	case irsyntax.WithItem:
		b.loseTarget(n.Child(1))
	case irsyntax.Import, irsyntax.ImportFrom:
		b.imports(n)
		return
	case irsyntax.Call:
		b.mutated(n)
	case irsyntax.FuncDef, irsyntax.ClassDef:
		for c := n.First(); c.Ok(); c = c.Next() {
			if c.Kind() == irsyntax.Name {
				b.lose(c.Text())
				break
			}
		}
		return
	case irsyntax.Lambda:
		return
	case irsyntax.Opaque:
		if n.Op() == irsyntax.OpDel {
			for c := n.First(); c.Ok(); c = c.Next() {
				b.loseTarget(c)
			}
		}
	}
	for c := n.First(); c.Ok(); c = c.Next() {
		b.loseWithin(c)
	}
}

func (b *binder) loseTarget(t irsyntax.Ref) {
	switch t.Kind() {
	case irsyntax.Name:
		b.lose(t.Text())
	case irsyntax.Tuple, irsyntax.List, irsyntax.Star:
		for c := t.First(); c.Ok(); c = c.Next() {
			b.loseTarget(c)
		}
	case irsyntax.Attribute, irsyntax.Subscript:
		b.mutated(t)
	}
}

func (b *binder) imports(s irsyntax.Ref) {
	n, from := s.First(), ""
	if s.Kind() == irsyntax.ImportFrom {
		n, from = n.Next(), n.Text()
	}
	for ; n.Ok(); n = n.Next().Next() {
		alias := n.Next()
		if !alias.Ok() {
			return
		}
		name := n.Text()
		switch {
		case alias.Kind() == irsyntax.Name:
			name = alias.Text()
		case s.Kind() == irsyntax.Import:
			name, _, _ = strings.Cut(name, ".")
		case name == "*":
			b.starAt = min(b.starAt, b.at)
			b.count++
			continue
		}
		if name = strings.TrimSpace(name); name != "pl" && name != "pld" && name != "pypto" {
			b.set(name, importedValue(from, n.Text()), "import "+from+" "+n.Text())
		}
	}
}

// importedValue is what an import of a name binds.
func importedValue(from, name string) Value {
	switch {
	case from == "" && name == "math":
		return pyModule(name)
	case from == "math":
		if v, ok := pyModule(from).member(name); ok {
			return v
		}
	}
	return opaque{}
}

func (b *binder) assign(target, value irsyntax.Ref) {
	switch target.Kind() {
	case irsyntax.Name:
		v, print := b.eval(value)
		b.set(target.Text(), v, print)
	case irsyntax.Tuple, irsyntax.List:
		b.unpack(target, value)
	default:
		b.loseTarget(target)
	}
}

func (b *binder) unpack(target, value irsyntax.Ref) {
	t := target.First()
	starred := false
	for c := t; c.Ok(); c = c.Next() {
		starred = starred || c.Kind() == irsyntax.Star
	}
	if starred {
		b.loseTarget(target)
		return
	}
	if value.Kind() == irsyntax.Tuple || value.Kind() == irsyntax.List {
		// All values are taken before any name is bound: `a, b = b, a`.
		var vals []assigned
		for v := value.First(); v.Ok(); v = v.Next() {
			x, print := b.eval(v)
			vals = append(vals, assigned{value: x, print: print})
		}
		for v, i := value.First(), 0; t.Ok() && v.Ok(); t, v, i = t.Next(), v.Next(), i+1 {
			if t.Kind() == irsyntax.Name {
				b.set(t.Text(), vals[i].value, vals[i].print)
			} else {
				b.assign(t, v)
			}
		}
		return
	}
	vals, print := b.eval(value)
	list, _ := vals.([]Value)
	for i := 0; t.Ok(); t, i = t.Next(), i+1 {
		switch {
		case t.Kind() != irsyntax.Name:
			b.loseTarget(t)
		case i < len(list):
			b.set(t.Text(), list[i], print+"#"+strconv.Itoa(i))
		default:
			b.set(t.Text(), opaque{}, print+"#"+strconv.Itoa(i))
		}
	}
}

func (b *binder) evaluator() *constEval {
	c := &constEval{env: b.Env}
	if b.locals != nil {
		c.locals = b.locals.attrs
	}
	return c
}

// eval evaluates a module-level expression; the string identifies the value.
func (b *binder) eval(r irsyntax.Ref) (Value, string) {
	c := b.evaluator()
	v, err := c.eval(r)
	if err != "" {
		return opaque{}, r.Text()
	}
	return v, c.print(r, v)
}

// class binds a class that is no program. One with bases or decorators may give
// its attributes other values than are written.
func (b *binder) class(c *irsyntax.Chunk) *PlainClass {
	k := &PlainClass{name: c.Name, attrs: map[string]Value{}}
	plain := true
	for n := c.Tree().Root().First(); n.Ok(); n = n.Next() {
		switch n.Kind() {
		case irsyntax.Decorator:
			plain = plain && lastComponent(callee(n.First())) == "dataclass"
		case irsyntax.Tuple:
			plain = plain && !n.First().Ok()
		}
	}
	if !plain || c.Name == "" {
		if c.Name != "" {
			b.lose(c.Name)
		}
		return nil
	}
	b.set(c.Name, k, "")
	b.members(k, lastChild(c.Tree().Root()))
	return k
}

// members binds the attributes that statements of a class give it.
func (b *binder) members(k *PlainClass, body irsyntax.Ref) {
	if body.Kind() != irsyntax.Block {
		return
	}
	var text strings.Builder
	b.locals, b.text = k, &text
	b.block(body)
	b.locals, b.text = nil, nil
	if x := b.bound(k.name); x != nil && x.value == Value(k) {
		x.print += text.String()
	}
}

// member is the value of an attribute of a class.
func (k *PlainClass) member(name string) Value {
	if v, ok := k.attrs[name]; ok {
		return v
	}
	return opaque{}
}
