package memory

import "pypto-ls/ir"

// rewrite is a layout under construction, for the steps that both
// MaterializeSemanticAliases and MemoryReuse take. It starts as a copy and
// shares nothing that it changes.
type rewrite struct {
	*Layout
	tileRoom
	cfg  Config
	pass string
	// ownFn is set once Fn is a copy of our own.
	ownFn bool
}

func newRewrite(l *Layout, cfg Config, pass string) *rewrite {
	return &rewrite{Layout: l.Clone(l.Fn), cfg: cfg, pass: pass}
}

// goOn is newRewrite for a layout that a step has made from before; it is
// changed in place unless the step returned before itself.
func goOn(l, before *Layout, cfg Config, pass string) *rewrite {
	if l == before {
		return newRewrite(l, cfg, pass)
	}
	return &rewrite{Layout: l, cfg: cfg, pass: pass}
}

// setBody gives the function another body.
func (w *rewrite) setBody(b *ir.Block) {
	if b != w.Fn.Body {
		w.own()
		w.Fn.Body = b
	}
}

func (w *rewrite) own() {
	if !w.ownFn {
		w.Fn = cloneFn(w.Fn, w.Fn.Body)
		w.ownFn = true
	}
}

// newVar makes a plain variable of type t.
func (w *rewrite) newVar(name string, t ir.Type, span ir.Span) *ir.Var {
	w.own()
	v := w.Fn.NewVar(ir.PlainVar, name, t, span)
	for len(w.Types) < int(w.Fn.NumVars) {
		w.Types = append(w.Types, nil)
	}
	return v
}
