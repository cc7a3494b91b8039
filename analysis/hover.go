package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// Hover is what is told about a place: Markdown about the bytes Span of the
// document.
type Hover struct {
	Span     ir.Span
	Markdown string
}

// Hover answers for the byte offset; false when there is nothing to tell.
func (d *Document) Hover(off int) (Hover, bool) {
	chunk := d.File.ChunkAt(off)
	if chunk < 0 || !d.IsKernel() || d.unitOf[chunk] < 0 {
		return Hover{}, false
	}
	h := d.hoverer(chunk, int32(off)-d.File.Chunks[chunk].Start)
	if h == nil {
		return Hover{}, false
	}
	defer h.done()
	text, span := h.text()
	if text == "" {
		return Hover{}, false
	}
	return Hover{d.Abs(chunk, span), strings.TrimSpace(text)}, true
}

// hoverer looks at one place of one function.
type hoverer struct {
	d     *Document
	chunk int
	rel   int32 // the place, from the start of the function
	f     *Func
	det   *Detail
	tree  *irsyntax.Tree
	path  []irsyntax.Ref
	l     *liner
	done  func()
}

func (d *Document) hoverer(chunk int, rel int32) *hoverer {
	h := &hoverer{d: d, chunk: chunk, rel: rel, f: d.Func(chunk), det: d.Detail(chunk), l: d.liner(chunk)}
	if h.det == nil {
		return nil
	}
	c := d.File.Chunks[chunk].Chunk
	h.done = func() {}
	if !c.HasTree() {
		h.done = c.Release
	}
	h.tree = c.Tree()
	h.path = h.tree.Path(rel)
	return h
}

// text finds out what is at the place and tells about it.
func (h *hoverer) text() (string, ir.Span) {
	for _, c := range h.tree.Comments {
		if c.Start <= h.rel && h.rel <= c.End {
			return h.comment(c)
		}
	}
	if len(h.path) == 0 {
		return "", ir.Span{}
	}
	at := h.path[len(h.path)-1]
	if at.Kind() != irsyntax.Name {
		return "", ir.Span{}
	}
	span := ir.Span{Start: at.Start(), End: at.End()}
	up := h.parent(1)
	switch {
	case up.Kind() == irsyntax.FuncDef && up.I == 0:
		return h.function(), span
	case up.Kind() == irsyntax.Keyword && up.First().I == at.I:
		return h.keyword(at.Text()), span
	case up.Kind() == irsyntax.Attribute:
		return h.attribute(span)
	}
	if call := h.parent(1); call.Kind() == irsyntax.Call && call.First().I == at.I {
		if s, sp := h.called(call); s != "" {
			return s, sp
		}
	}
	return h.name(at.Text()), span
}

// parent is the n-th node around the one at the place.
func (h *hoverer) parent(n int) irsyntax.Ref {
	if i := len(h.path) - 1 - n; i >= 0 {
		return h.path[i]
	}
	return irsyntax.Ref{}
}

// attribute tells about a dotted name: the operator that it calls, or the
// variable at its front.
func (h *hoverer) attribute(span ir.Span) (string, ir.Span) {
	n := 1
	for h.parent(n+1).Kind() == irsyntax.Attribute {
		n++
	}
	whole := h.parent(n)
	if call := h.parent(n + 1); call.Kind() == irsyntax.Call && call.First().I == whole.I {
		if s, sp := h.called(call); s != "" {
			return s, sp
		}
	}
	at := h.path[len(h.path)-1]
	if h.parent(1).First().I == at.I {
		return h.name(at.Text()), span
	}
	return "", span
}

// called tells about the callee of a call: an operator, a function of the
// program, or a MemRef.
func (h *hoverer) called(call irsyntax.Ref) (string, ir.Span) {
	callee := call.First()
	span := ir.Span{Start: callee.Start(), End: callee.End()}
	name := callee.Text()
	if last := name[strings.LastIndexByte(name, '.')+1:]; last == "MemRef" {
		base := call.Child(1)
		switch base.Kind() {
		case irsyntax.Name:
			return h.buffer(base.Text()), span
		case irsyntax.String:
			return h.buffer(strings.Trim(base.Text(), `"'`)), span
		}
		return "", span
	}
	if c := h.callAt(call); c != nil {
		if c.IsFunc {
			return h.callee(c.Name), span
		}
		if c.Op != nil {
			return h.operator(c), span
		}
	}
	if op := lookupSpelling(name); op != nil {
		return h.operator(&ir.Call{Name: op.Name, Op: op}), span
	}
	return "", span
}

// callAt finds the call of the IR that was read from a node.
func (h *hoverer) callAt(n irsyntax.Ref) *ir.Call {
	var found *ir.Call
	walkCalls(h.det.Read.IR.Body, func(c *ir.Call) {
		if c.Span.Start == n.Start() && c.Span.End == n.End() && found == nil {
			found = c
		}
	})
	return found
}

// name tells about a variable, an allocation or a module-level name.
func (h *hoverer) name(name string) string {
	v := findVar(h.det.Read.IR, name, h.rel)
	if v == nil {
		return h.moduleName(name)
	}
	if _, isPtr := v.Type.(*ir.PtrType); isPtr {
		if s := h.buffer(name); s != "" {
			return s
		}
	}
	if s := h.tile(v); s != "" {
		return s
	}
	return h.variable(v)
}

// moduleName tells the value of a module-level name.
func (h *hoverer) moduleName(name string) string {
	u := h.d.units[h.d.unitOf[h.chunk]]
	value, ok := u.ctx.env.At(h.d.File.Chunks[h.chunk].Chunk).Show(name)
	if !ok {
		return ""
	}
	return code(name+" = "+value) + "\n\nfrom the module"
}
