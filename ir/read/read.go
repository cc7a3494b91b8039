// Package read turns syntax into typed IR (spec 01 §4–§11). Two policies
// exist: Dump keeps what is written, Reference reads as the reference's own
// reader does (spec 01 §6.6–6.7, 01b §11). Reading never fails: what cannot be
// understood becomes a Problem and an unknown type, and the rest goes on.
package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// Policy selects how annotations and values are reconciled.
type Policy uint8

// The reading policies.
const (
	// Dump keeps constant dtypes, yield annotations, empty else branches and
	// absent views as written; it serves round trips and planning that starts
	// after InitMemRef.
	Dump Policy = iota
	// Reference reads as the reference's reader: inferred types complete
	// annotations, constants of offsets become INDEX, loop results take their
	// carried value's type. It serves when InitMemRef's input is text.
	Reference
)

// Options selects policy and target. A nil Platform is "no backend".
type Options struct {
	Policy   Policy
	Platform *platforms.Platform
}

// Function is one function as read.
type Function struct {
	// IR is never nil; a function that could not be typed has what could be.
	IR *ir.Function
	// Chunk is the source text; all spans are relative to it.
	Chunk *irsyntax.Chunk
	// Index is the chunk's index in the file.
	Index int
	// Problems are in source order.
	Problems []Problem
	// Doubts are the values that were needed and are not known, in the order of
	// the text; none when an error refuses the function.
	Doubts []Doubt
	// Opaque is set for functions whose bodies are not kernel IR and were
	// skipped: `@pl.jit`, `@pl.inline`, external and host functions.
	Opaque bool
	// Shorthand is set when documentation shorthand was met (spec 01 §13).
	Shorthand bool
	// Deps are the facts outside the chunk that reading depended on.
	Deps Deps
}

// Deps names what reading a function looked up outside its own text, each
// once, sorted.
type Deps struct {
	Names   []string // module-level names
	Callees []string // functions of the program
	// Bodies are the functions of which more than the header was looked at:
	// expanded `@pl.inline` functions and peers whose reserve_buffer was asked
	// for. They are in Callees too.
	Bodies []string
}

// Program is one program of a file. Class is nil for stand-alone functions,
// which are gathered in one Program without a name.
type Program struct {
	IR        *ir.Program
	Class     *irsyntax.Chunk
	Index     int // of the class chunk, -1 for stand-alone functions
	Functions []*Function
	Env       *Env
}

// File reads every program of f.
func File(f *irsyntax.File, opt Options) []*Program {
	env := NewEnv(f)
	var out []*Program
	for _, g := range Group(f, env) {
		p := &Program{IR: &ir.Program{Name: g.Name}, Index: g.Class, Env: g.Env}
		if g.Class >= 0 {
			p.Class = f.Chunks[g.Class].Chunk
		}
		sigs := &Signatures{env: g.Env, method: g.Class >= 0, chunks: g.chunks(f)}
		for _, i := range g.Funcs {
			fn := Func(f.Chunks[i].Chunk, g.Env, sigs, g.Class >= 0, opt)
			fn.Index = i
			sigs.learn(fn)
			p.Functions = append(p.Functions, fn)
			p.IR.Funcs = append(p.IR.Funcs, fn.IR)
		}
		if g.Class >= 0 {
			p.addExternals(f, sigs, opt)
		}
		p.IR.Dims = g.Env.Dims()
		out = append(out, p)
	}
	return out
}

// addExternals adds the functions outside the class that its methods call by
// bare name, and those they call (spec 01 §9.6).
func (p *Program) addExternals(f *irsyntax.File, sigs *Signatures, opt Options) {
	added := map[string]bool{}
	for i := 0; i < len(p.Functions); i++ {
		for _, name := range p.Functions[i].Deps.Callees {
			if added[name] || sigs.Has(name) {
				continue
			}
			added[name] = true
			for k, e := range f.Chunks {
				if e.Kind != irsyntax.FuncChunk || e.Class >= 0 || e.Name != name || !IsKernelFunc(e.Chunk, false) || isInline(e.Chunk) {
					continue
				}
				fn := Func(e.Chunk, p.Env, sigs, false, opt)
				fn.Index = k
				fn.IR.Method = true
				p.Functions = append(p.Functions, fn)
				p.IR.Funcs = append(p.IR.Funcs, fn.IR)
				break
			}
		}
	}
}

// Unit is the list of functions that form one program.
type Unit struct {
	Name  string
	Class int   // chunk index of the class, -1 for stand-alone functions
	Funcs []int // chunk indexes in source order
	Env   *Env
}

func (u *Unit) chunks(f *irsyntax.File) []*irsyntax.Chunk {
	out := make([]*irsyntax.Chunk, len(u.Funcs))
	for i, c := range u.Funcs {
		out[i] = f.Chunks[c].Chunk
	}
	return out
}

// Group finds the programs of f: one per `@pl.program` class, in source order,
// and one for all stand-alone kernel functions, last.
func Group(f *irsyntax.File, env *Env) []*Unit {
	var units []*Unit
	byClass := map[int32]*Unit{}
	alone := &Unit{Class: -1, Env: env}
	for i, e := range f.Chunks {
		switch e.Kind {
		case irsyntax.ClassChunk:
			if classIsProgram(e.Chunk) {
				u := &Unit{Name: e.Name, Class: i, Env: env}
				byClass[int32(i)] = u
				units = append(units, u)
			}
		case irsyntax.FuncChunk:
			if u := byClass[e.Class]; u != nil && e.Class >= 0 {
				if IsKernelFunc(e.Chunk, true) {
					u.Funcs = append(u.Funcs, i)
				}
			} else if e.Class < 0 && IsKernelFunc(e.Chunk, false) {
				alone.Funcs = append(alone.Funcs, i)
			}
		case irsyntax.SnippetChunk:
			alone.Funcs = append(alone.Funcs, i)
		}
	}
	if len(alone.Funcs) > 0 {
		units = append(units, alone)
	}
	return units
}

func classIsProgram(c *irsyntax.Chunk) bool {
	root := c.Tree().Root()
	for ch := root.First(); ch.Ok(); ch = ch.Next() {
		if ch.Kind() == irsyntax.Decorator && lastComponent(callee(ch.First())) == "program" {
			return true
		}
	}
	return false
}

// IsKernelFunc reports whether a function chunk holds kernel IR: it has one
// of the kernel decorators or, outside programs, is documentation shorthand.
func IsKernelFunc(c *irsyntax.Chunk, method bool) bool {
	root := c.Tree().Root()
	if root.Kind() != irsyntax.FuncDef {
		return false
	}
	decorated := false
	for ch := root.First(); ch.Ok() && ch.Kind() == irsyntax.Decorator; ch = ch.Next() {
		decorated = true
		d := decoratorOf(ch)
		switch d.name {
		case "function", "inline", "jit":
			return true
		}
	}
	return !decorated && !method && looksLikeShorthand(root)
}

// callee strips a call: the expression that is called, or r itself.
func callee(r irsyntax.Ref) irsyntax.Ref {
	if r.Kind() == irsyntax.Call {
		return r.First()
	}
	return r
}

// lastComponent is the last name of a dotted expression, "" if it is none.
func lastComponent(r irsyntax.Ref) string {
	switch r.Kind() {
	case irsyntax.Name:
		return r.Text()
	case irsyntax.Attribute:
		return r.Child(1).Text()
	}
	return ""
}

// rootOf is where a chain of attributes begins: `a` of `a.b.c`.
func rootOf(r irsyntax.Ref) irsyntax.Ref {
	for r.Kind() == irsyntax.Attribute {
		r = r.First()
	}
	return r
}

// dotted is the text of a dotted name without blanks, "" if r is none.
func dotted(r irsyntax.Ref) string {
	switch r.Kind() {
	case irsyntax.Name:
		return r.Text()
	case irsyntax.Attribute:
		v := r.First()
		name := v.Next()
		// The usual case has no blanks: the text itself is the dotted name.
		if v.Kind() == irsyntax.Name && v.End()+1 == name.Start() {
			return r.Text()
		}
		if base := dotted(v); base != "" {
			if name.Start() == v.End()+1 && len(base) == int(v.End()-v.Start()) {
				return r.Text()
			}
			return base + "." + name.Text()
		}
	}
	return ""
}
