package prelude

import "pypto-ls/ir"

// maxGrown is how many statements copying may add to one function. The
// reference knows no bound; a few lines of nested loops or of functions that
// call each other twice would keep it, and an editor, busy for ever.
const maxGrown = 1 << 18

// grow accounts for n copies of a body of size statements that a pass is about
// to make of what stands at sp. It is false, and the function approximate,
// when that would be too much: then nothing must be copied.
func (c *Ctx) grow(pass string, f *ir.Function, sp ir.Span, n, size int64) bool {
	size++ // an empty body takes time too
	if left := maxGrown - c.grown; n <= left && size <= left && n*size <= left {
		c.grown += n * size
		return true
	}
	c.note(pass, f, sp, "what it copies here would be too long to show")
	return false
}

// stmtCount is the number of statements in b, nested ones included.
func stmtCount(b *ir.Block) int64 {
	n := int64(0)
	ir.EachStmt(b, func(ir.Stmt) { n++ })
	return n
}

// exprLarger reports whether the tree of e has more than n nodes.
func exprLarger(e ir.Expr, n int) bool {
	left := n
	var walk func(e ir.Expr)
	walk = func(e ir.Expr) {
		if left--; left < 0 {
			return
		}
		switch e := e.(type) {
		case *ir.Call:
			for _, a := range e.Args {
				walk(a)
			}
		case *ir.MakeTuple:
			for _, a := range e.Elems {
				walk(a)
			}
		case *ir.TupleGet:
			walk(e.Tuple)
		case *ir.Binary:
			walk(e.X)
			walk(e.Y)
		case *ir.Unary:
			walk(e.X)
		}
	}
	walk(e)
	return left < 0
}
