package ops

import "sync"

// Wrapper is the author-visible signature behind a spelling (spec 02 §2.3):
// calls are bound to it before an operator is created.
type Wrapper struct {
	// Spelling is how it is written ("pl.tile.load"), Function the name of the
	// defining function, which arity errors show.
	Spelling, Function string
	Params             []WrapperParam
	// BuilderFallback: there is no user-level wrapper, errors use the
	// `Error in …` form.
	BuilderFallback bool
}

// WrapperParam is one parameter in order. Name starts with `*` for a variadic
// one. Default is source text and only meaningful when HasDefault is set.
// Hidden parameters are supplied by the compiler: authors do not write them,
// arity texts count them.
type WrapperParam struct {
	Name, Default                   string
	HasDefault, KeywordOnly, Hidden bool
}

var wrapperIndex = sync.OnceValue(func() map[string]*Wrapper {
	m := make(map[string]*Wrapper, len(wrappers))
	for i := range wrappers {
		m[wrappers[i].Spelling] = &wrappers[i]
	}
	return m
})

// WrapperOf finds the signature behind a spelling ("pl.add"); nil when there
// is none.
func WrapperOf(spelling string) *Wrapper { return wrapperIndex()[spelling] }

// Wrappers lists every signature in the order of their spellings. The caller
// must not change the slice.
func Wrappers() []Wrapper { return wrappers[:] }
