package lint

import "pypto-ls/ir"

// exprs visits the expressions that a statement itself evaluates, initial
// values of its carries included.
func exprs(s ir.Stmt, visit func(ir.Expr)) {
	all := func(es []ir.Expr) {
		for _, e := range es {
			visit(e)
		}
	}
	inits := func(vs []*ir.Var) {
		for _, v := range vs {
			if v.Init != nil {
				visit(v.Init)
			}
		}
	}
	switch s := s.(type) {
	case *ir.Assign:
		visit(s.Value)
	case *ir.Eval:
		visit(s.X)
	case *ir.Yield:
		all(s.Values)
	case *ir.Return:
		all(s.Values)
	case *ir.If:
		visit(s.Cond)
	case *ir.For:
		inits(s.IterArgs)
		visit(s.Start)
		visit(s.Stop)
		visit(s.Step)
		attrs(s.Attrs, visit)
	case *ir.While:
		inits(s.IterArgs)
		visit(s.Cond)
	case *ir.Scope:
		all(s.Args)
		attrs(s.Attrs, visit)
	}
}

func attrs(as []ir.Attr, visit func(ir.Expr)) {
	for i := range as {
		value(as[i].Value, visit)
	}
}

func value(v any, visit func(ir.Expr)) {
	switch v := v.(type) {
	case ir.Expr:
		visit(v)
	case []ir.Expr:
		for _, e := range v {
			visit(e)
		}
	}
}

// parts visits the direct parts of an expression, attributes and keyword
// values included.
func parts(e ir.Expr, visit func(ir.Expr)) {
	switch e := e.(type) {
	case *ir.Call:
		for _, a := range e.Args {
			visit(a)
		}
		for i := range e.Kwargs {
			value(e.Kwargs[i].Value, visit)
		}
		attrs(e.Attrs, visit)
	case *ir.MakeTuple:
		for _, x := range e.Elems {
			visit(x)
		}
	case *ir.TupleGet:
		visit(e.Tuple)
	case *ir.Binary:
		visit(e.X)
		visit(e.Y)
	case *ir.Unary:
		visit(e.X)
	case *ir.Raw:
		for _, v := range e.Uses {
			visit(v)
		}
	}
}

// typeExprs visits the extents, offsets and slot indices in a type.
func typeExprs(t ir.Type, visit func(ir.Expr)) {
	all := func(lists ...[]ir.Expr) {
		for _, es := range lists {
			for _, e := range es {
				visit(e)
			}
		}
	}
	ref := func(m *ir.MemRef) {
		if m == nil {
			return
		}
		if m.Base != nil {
			visit(m.Base)
		}
		if m.Offset != nil {
			visit(m.Offset)
		}
		if m.Slot != nil {
			visit(m.Slot)
		}
	}
	switch t := t.(type) {
	case *ir.TileType:
		all(t.Shape)
		if t.View != nil {
			all(t.View.ValidShape, t.View.Stride)
			if t.View.StartOffset != nil {
				visit(t.View.StartOffset)
			}
		}
		ref(t.MemRef)
	case *ir.TensorType:
		all(t.Shape)
		if t.View != nil {
			all(t.View.ValidShape, t.View.Stride)
		}
		ref(t.MemRef)
	case *ir.TupleType:
		for _, e := range t.Elems {
			typeExprs(e, visit)
		}
	}
}

// calls visits every call in the statement's own expressions, a call before
// those among its operands.
func calls(s ir.Stmt, visit func(*ir.Call)) {
	var expr func(ir.Expr)
	expr = func(e ir.Expr) {
		if c, ok := e.(*ir.Call); ok {
			visit(c)
		}
		parts(e, expr)
	}
	exprs(s, expr)
}

// varSet is a set of one function's variables.
type varSet struct {
	dense []bool // by Var.ID
	other map[*ir.Var]bool
}

func newVarSet(fn *ir.Function) *varSet { return &varSet{dense: make([]bool, fn.NumVars)} }

func (s *varSet) has(v *ir.Var) bool {
	if id := int(v.ID); id >= 0 && id < len(s.dense) {
		return s.dense[id]
	}
	return s.other[v]
}

// add puts v in and reports whether it was not there.
func (s *varSet) add(v *ir.Var) bool {
	if s.has(v) {
		return false
	}
	if id := int(v.ID); id >= 0 && id < len(s.dense) {
		s.dense[id] = true
		return true
	}
	if s.other == nil {
		s.other = map[*ir.Var]bool{}
	}
	s.other[v] = true
	return true
}
