package ir

// EachStmt visits the statements of b and of the bodies nested in them in
// program order, each before its bodies. A nil block is empty.
func EachStmt(b *Block, visit func(Stmt)) {
	WalkStmts(b, func(s Stmt) bool {
		visit(s)
		return true
	})
}

// WalkStmts is EachStmt that skips the bodies of a statement for which visit
// returns false.
func WalkStmts(b *Block, visit func(Stmt) bool) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		if !visit(s) {
			continue
		}
		switch s := s.(type) { // not EachBody: this is on the path of every keystroke
		case *For:
			WalkStmts(s.Body, visit)
		case *While:
			WalkStmts(s.Body, visit)
		case *Scope:
			WalkStmts(s.Body, visit)
		case *If:
			WalkStmts(s.Then, visit)
			WalkStmts(s.Else, visit)
		}
	}
}

// EachNested visits the statements in the bodies of s as EachStmt does.
func EachNested(s Stmt, visit func(Stmt)) {
	EachBody(s, func(b *Block) { EachStmt(b, visit) })
}

// EachBody visits the blocks nested in a statement, then before else; those
// that are absent are left out.
func EachBody(s Stmt, visit func(*Block)) {
	see := func(b *Block) {
		if b != nil {
			visit(b)
		}
	}
	switch s := s.(type) {
	case *For:
		see(s.Body)
	case *While:
		see(s.Body)
	case *Scope:
		see(s.Body)
	case *If:
		see(s.Then)
		see(s.Else)
	}
}

// Bodies lists what EachBody visits.
func Bodies(s Stmt) []*Block {
	var out []*Block
	EachBody(s, func(b *Block) { out = append(out, b) })
	return out
}

// HasBodies reports whether EachBody visits anything.
func HasBodies(s Stmt) bool {
	switch s := s.(type) { // not EachBody: this is on the path of every keystroke
	case *For:
		return s.Body != nil
	case *While:
		return s.Body != nil
	case *Scope:
		return s.Body != nil
	case *If:
		return s.Then != nil || s.Else != nil
	}
	return false
}

// EachCall visits the calls in an expression, outer before inner; values of
// keywords and attributes are not visited.
func EachCall(e Expr, visit func(*Call)) {
	switch e := e.(type) {
	case *Call:
		visit(e)
		for _, a := range e.Args {
			EachCall(a, visit)
		}
	case *MakeTuple:
		for _, x := range e.Elems {
			EachCall(x, visit)
		}
	case *TupleGet:
		EachCall(e.Tuple, visit)
	case *Binary:
		EachCall(e.X, visit)
		EachCall(e.Y, visit)
	case *Unary:
		EachCall(e.X, visit)
	}
}

// EachDef visits the variables that a statement itself defines, those of its
// bodies left out.
func EachDef(s Stmt, visit func(*Var)) {
	all := func(vs []*Var) {
		for _, v := range vs {
			visit(v)
		}
	}
	switch s := s.(type) {
	case *Assign:
		visit(s.Var)
	case *If:
		all(s.Results)
	case *For:
		if s.Var != nil {
			visit(s.Var)
		}
		all(s.IterArgs)
		all(s.Results)
	case *While:
		all(s.IterArgs)
		all(s.Results)
	case *Scope:
		if s.Var != nil {
			visit(s.Var)
		}
		if s.TaskVar != nil {
			visit(s.TaskVar)
		}
	}
}
