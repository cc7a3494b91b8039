package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// Signature is what is called at a place: its text, the ranges of the
// parameters in it (bytes of Label), and the one the cursor is at, -1 for none.
type Signature struct {
	Label  string
	Doc    string // Markdown
	Params []SignatureParam
	Active int
}

// SignatureParam is one parameter.
type SignatureParam struct {
	Span ir.Span
	Doc  string
}

// SignatureAt finds the signature of the innermost call whose arguments hold
// an offset. It answers while the call is being typed.
func (d *Document) SignatureAt(off int) (Signature, bool) {
	p, ok := d.probeAt(off)
	if !ok {
		return Signature{}, false
	}
	call, at := p.call()
	if !call.Ok() {
		return Signature{}, false
	}
	c, ok := p.callee(call)
	if !ok {
		return Signature{}, false
	}
	s := Signature{Active: -1, Doc: c.docText()}
	var spans []ir.Span
	s.Label, spans = c.text()
	for i, x := range c.params {
		sp := SignatureParam{Span: spans[i]}
		if c.op != nil {
			if k, ok := c.op.Kwarg(x.name); ok {
				sp.Doc = kwargText(k)
			} else if kind, spaces := c.operand(i); len(spaces) > 0 {
				var names []string
				for _, m := range spaces {
					names = append(names, m.String())
				}
				sp.Doc = kind + " in " + strings.Join(names, " or ")
			}
		}
		s.Params = append(s.Params, sp)
	}
	s.Active = c.active(call, at)
	return s, true
}

// active is the parameter that an argument is for, -1 for none.
func (c *callee) active(call irsyntax.Ref, at argument) int {
	for i, p := range c.params {
		if at.keyword != "" && p.name == at.keyword {
			return i
		}
	}
	if at.keyword != "" || at.late {
		return -1
	}
	n := at.index
	// A loop's bounds: one is the stop, two are start and stop.
	if len(c.params) > 0 && c.params[0].name == "start" && call.Positionals() == 1 {
		n++
	}
	for i, p := range c.params {
		switch {
		case strings.HasPrefix(p.name, "*") && i <= n:
			return i
		case p.kwOnly:
			return -1
		case i == n:
			return i
		}
	}
	return -1
}
