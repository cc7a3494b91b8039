package prelude

import (
	"strings"

	"pypto-ls/ir"
)

// exprVars visits the variables mentioned in an expression, attributes and
// keyword expressions included.
func exprVars(e ir.Expr, visit func(v *ir.Var)) {
	switch e := e.(type) {
	case *ir.Var:
		visit(e)
	case *ir.Call:
		for _, a := range e.Args {
			exprVars(a, visit)
		}
		for _, k := range e.Kwargs {
			valueVars(k.Value, visit)
		}
		for _, a := range e.Attrs {
			valueVars(a.Value, visit)
		}
	case *ir.MakeTuple:
		for _, a := range e.Elems {
			exprVars(a, visit)
		}
	case *ir.TupleGet:
		exprVars(e.Tuple, visit)
	case *ir.Binary:
		exprVars(e.X, visit)
		exprVars(e.Y, visit)
	case *ir.Unary:
		exprVars(e.X, visit)
	case *ir.Raw:
		for _, v := range e.Uses {
			visit(v)
		}
	}
}

func valueVars(v any, visit func(v *ir.Var)) {
	switch v := v.(type) {
	case ir.Expr:
		exprVars(v, visit)
	case []ir.Expr:
		for _, e := range v {
			exprVars(e, visit)
		}
	}
}

// typeVars visits the variables in a type's shape, view and slot index.
func typeVars(t ir.Type, visit func(v *ir.Var)) {
	exprs := func(es []ir.Expr) {
		for _, e := range es {
			exprVars(e, visit)
		}
	}
	switch t := t.(type) {
	case *ir.TileType:
		exprs(t.Shape)
		if t.View != nil {
			exprs(t.View.ValidShape)
			exprs(t.View.Stride)
			if t.View.StartOffset != nil {
				exprVars(t.View.StartOffset, visit)
			}
		}
		if t.MemRef != nil && t.MemRef.Slot != nil {
			exprVars(t.MemRef.Slot, visit)
		}
	case *ir.TensorType:
		exprs(t.Shape)
		if t.View != nil {
			exprs(t.View.ValidShape)
			exprs(t.View.Stride)
		}
	case *ir.TupleType:
		for _, e := range t.Elems {
			typeVars(e, visit)
		}
	}
}

// stmtUses visits the variables a statement itself reads: operands, bounds,
// conditions, initial values; not those of nested statements.
func stmtUses(s ir.Stmt, visit func(v *ir.Var)) {
	switch s := s.(type) {
	case *ir.Assign:
		exprVars(s.Value, visit)
	case *ir.Eval:
		exprVars(s.X, visit)
	case *ir.Yield:
		for _, e := range s.Values {
			exprVars(e, visit)
		}
	case *ir.Return:
		for _, e := range s.Values {
			exprVars(e, visit)
		}
	case *ir.If:
		exprVars(s.Cond, visit)
	case *ir.For:
		for _, a := range s.IterArgs {
			exprVars(a.Init, visit)
		}
		exprVars(s.Start, visit)
		exprVars(s.Stop, visit)
		exprVars(s.Step, visit)
	case *ir.While:
		for _, a := range s.IterArgs {
			exprVars(a.Init, visit)
		}
		exprVars(s.Cond, visit)
	case *ir.Scope:
		for _, e := range s.Args {
			exprVars(e, visit)
		}
		for _, a := range s.Attrs {
			valueVars(a.Value, visit)
		}
	}
}

// lastYield is the block's trailing yield, nil when it has none.
func lastYield(b *ir.Block) *ir.Yield {
	if b == nil || len(b.Stmts) == 0 {
		return nil
	}
	y, _ := b.Stmts[len(b.Stmts)-1].(*ir.Yield)
	return y
}

// withBlocks rebuilds a compound statement with f applied to its blocks.
func withBlocks(s ir.Stmt, f func(b *ir.Block) *ir.Block) ir.Stmt {
	switch s := s.(type) {
	case *ir.For:
		if b := f(s.Body); b != s.Body {
			n := *s
			n.Body = b
			return &n
		}
	case *ir.While:
		if b := f(s.Body); b != s.Body {
			n := *s
			n.Body = b
			return &n
		}
	case *ir.If:
		t, e := f(s.Then), s.Else
		if e != nil {
			e = f(e)
		}
		if t != s.Then || e != s.Else {
			n := *s
			n.Then, n.Else = t, e
			return &n
		}
	case *ir.Scope:
		if b := f(s.Body); b != s.Body {
			n := *s
			n.Body = b
			return &n
		}
	}
	return s
}

// baseName is a variable's base: what stands before the first `__` (spec 01b
// §4.1).
func baseName(hint string) string {
	if i := strings.Index(hint, "__"); i > 0 {
		return hint[:i]
	}
	return hint
}

// roomFor is an empty block with room for as many statements as b has.
func roomFor(b *ir.Block) *ir.Block { return &ir.Block{Stmts: make([]ir.Stmt, 0, len(b.Stmts))} }
