// Package arith is the arithmetic engine of type inference (spec 02 §3.5): it
// folds extents into the forms the reference prints, and decides equality and
// order of extents where linear forms and constant interval bounds suffice.
// What it cannot decide is Unknown; it never guesses.
//
// All functions are total: any expression, however large, gives an answer.
package arith

import "pypto-ls/ir"

// Engine decides and folds under assumptions about variables. The zero Engine
// assumes what type inference does: a variable of type INDEX is not negative,
// every other variable is unbounded. An Engine holds no state and may be used
// from several goroutines at once.
type Engine struct {
	// Range narrows the values of a variable; it may be nil, and ok is false for
	// a variable it knows nothing about.
	Range func(v *ir.Var) (r Interval, ok bool)
}

// limits keep hostile input cheap: an expression deeper than maxDepth or with
// more than maxNodes nodes is an opaque value.
const (
	maxDepth = 100
	maxNodes = 500
)

// small reports whether e is within the limits.
func small(e ir.Expr) bool {
	n := maxNodes
	return countDown(e, maxDepth, &n)
}

func countDown(e ir.Expr, depth int, nodes *int) bool {
	*nodes--
	if depth == 0 || *nodes < 0 {
		return false
	}
	switch e := e.(type) {
	case *ir.Binary:
		return countDown(e.X, depth-1, nodes) && countDown(e.Y, depth-1, nodes)
	case *ir.Unary:
		return countDown(e.X, depth-1, nodes)
	}
	return true
}
