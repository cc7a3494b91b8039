package memory

import "pypto-ls/ir"

// rewrite is a layout under construction, for the steps that both
// MaterializeSemanticAliases and MemoryReuse take. It copies what it changes.
type rewrite struct {
	*Layout
	// published is set as long as Layout is one that others have.
	published bool
	tileRoom
	cfg  Config
	pass string
	// ownFn is set once Fn is a copy of our own.
	ownFn bool
}

func newRewrite(l *Layout, cfg Config, pass string) *rewrite {
	return &rewrite{Layout: l, published: true, cfg: cfg, pass: pass}
}

// goOn is newRewrite for a layout that a step has made from before; it is
// changed in place unless the step returned before itself.
func goOn(l, before *Layout, cfg Config, pass string) *rewrite {
	return &rewrite{Layout: l, published: l == before, cfg: cfg, pass: pass}
}

// change makes the layout one that can be changed.
func (w *rewrite) change() {
	if w.published {
		w.Layout, w.published = w.Clone(w.Fn), false
	}
}

func (w *rewrite) setType(v *ir.Var, t ir.Type) {
	w.change()
	w.Layout.setType(v, t)
}

func (w *rewrite) remember(f *bodyFacts) {
	if !w.published {
		w.Layout.remember(f)
	}
}

// result is the layout in the end, the one it started with if nothing changed.
func (w *rewrite) result() *Layout {
	if !w.published {
		w.remember(w.facts())
	}
	return w.Layout
}

// setBody gives the function another body.
func (w *rewrite) setBody(b *ir.Block) {
	if b != w.Fn.Body {
		w.own()
		w.Fn.Body = b
	}
}

func (w *rewrite) own() {
	w.change()
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
