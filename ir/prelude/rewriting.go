package prelude

import "pypto-ls/ir"

// rewriting gathers the statements that take the place of a block's. As long
// as these stand for themselves nothing is made, and a block of which nothing
// changes stays what it is.
type rewriting struct {
	b    *ir.Block
	same int // how many of b's statements were kept, until one was not
	out  []ir.Stmt
}

func rewrite(b *ir.Block) rewriting { return rewriting{b: b} }

func (r *rewriting) add(st ir.Stmt) {
	if r.out == nil {
		if r.same < len(r.b.Stmts) && r.b.Stmts[r.same] == st {
			r.same++
			return
		}
		r.out = append(make([]ir.Stmt, 0, len(r.b.Stmts)+2), r.b.Stmts[:r.same]...)
	}
	r.out = append(r.out, st)
}

// addAll adds the statements of a scratch block and empties it.
func (r *rewriting) addAll(made *ir.Block) {
	for _, st := range made.Stmts {
		r.add(st)
	}
	made.Stmts = made.Stmts[:0]
}

// block is the block with what was added.
func (r *rewriting) block() *ir.Block {
	switch {
	case r.out != nil:
		return &ir.Block{Stmts: r.out}
	case r.same == len(r.b.Stmts):
		return r.b
	}
	return &ir.Block{Stmts: r.b.Stmts[:r.same:r.same]}
}

// withParts is a with another variable or value, a itself without a change.
func withParts(a *ir.Assign, v *ir.Var, value ir.Expr) *ir.Assign {
	if v == a.Var && value == a.Value {
		return a
	}
	return &ir.Assign{StmtMeta: a.StmtMeta, Var: v, Value: value}
}

// eachVar is what f makes of the variables at their places, vs itself without
// a change.
func eachVar(vs []*ir.Var, f func(i int, v *ir.Var) *ir.Var) (out []*ir.Var, changed bool) {
	out = vs
	for i, v := range vs {
		n := f(i, v)
		if n != v && !changed {
			out, changed = append([]*ir.Var(nil), vs...), true
		}
		if changed {
			out[i] = n
		}
	}
	return out, changed
}
