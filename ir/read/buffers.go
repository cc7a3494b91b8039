package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// buffer is what `buf = pl.reserve_buffer(…)` or `pl.import_peer_buffer(…)`
// says about buf: its literal keywords, which `buf.base` reads (spec 01 §9.2).
type buffer struct{ kwargs []ir.Kwarg }

func (b *buffer) field(name string) (any, bool) {
	for _, k := range b.kwargs {
		if k.Key == name {
			return k.Value, true
		}
	}
	return nil, false
}

// noteBuffer records the literal keywords of a buffer's declaration; a
// negative number is not a literal here.
func (r *reader) noteBuffer(name string, value irsyntax.Ref, e ir.Expr) {
	c, ok := e.(*ir.Call)
	if !ok || c.Name != "system.reserve_buffer" && c.Name != "system.import_peer_buffer" || value.Kind() != irsyntax.Call {
		return
	}
	b := &buffer{}
	for a := value.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			if v, ok := literalValue(a.Child(1)); ok {
				b.kwargs = append(b.kwargs, ir.Kwarg{Key: a.First().Text(), Value: v})
			}
		}
	}
	if c.Name == "system.import_peer_buffer" {
		b.kwargs = append(b.kwargs, ir.Kwarg{Key: "base", Value: r.peerBase(b)})
	}
	if r.buffers == nil {
		r.buffers = map[string]*buffer{}
	}
	r.buffers[name] = b
}

func literalValue(v irsyntax.Ref) (any, bool) {
	switch v.Kind() {
	case irsyntax.Int:
		return parseInt(v.Text())
	case irsyntax.String:
		return stringValue(v.Text())
	case irsyntax.True:
		return true, true
	case irsyntax.False:
		return false, true
	}
	return nil, false
}

// peerBase is the base of the peer function's buffer of the same name, -1
// when it is not a literal there.
func (r *reader) peerBase(b *buffer) int64 {
	name, _ := b.field("name")
	peer, _ := b.field("peer_func")
	f, _ := peer.(string)
	c := r.sigs.chunk(f)
	r.callee(f) // that there is no such function counts too
	if c == nil {
		return -1
	}
	r.bodyOf(f)
	base := int64(-1)
	eachCall(c.Tree().Root(), func(n irsyntax.Ref) {
		if lastComponent(n.First()) != "reserve_buffer" {
			return
		}
		if v, ok := literalValue(keyword(n, "name")); ok && v == name {
			if v, ok := literalValue(keyword(n, "base")); ok {
				if i, ok := v.(int64); ok {
					base = i
				}
			}
		}
	})
	return base
}

// eachCall visits every call below n.
func eachCall(n irsyntax.Ref, f func(irsyntax.Ref)) {
	if n.Kind() == irsyntax.Call {
		f(n)
	}
	for c := n.First(); c.Ok(); c = c.Next() {
		eachCall(c, f)
	}
}
