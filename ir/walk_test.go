package ir

import (
	"strings"
	"testing"
)

// A for with an if in it, then a scope: statements come before their bodies,
// then before else, an absent else is nothing.
func TestWalk(t *testing.T) {
	name := func(n string) *Assign { return &Assign{Var: &Var{Name: n}, Value: Index(0)} }
	block := func(s ...Stmt) *Block { return &Block{Stmts: s} }
	inner := &If{Then: block(name("a")), Else: block(name("b"))}
	b := block(&For{Var: &Var{Name: "i"}, Body: block(inner, name("c"))}, &Scope{Body: block(&If{Then: block(name("d"))})})
	var seen []string
	note := func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			seen = append(seen, s.Var.Name)
		case *For:
			seen = append(seen, "for")
		case *If:
			seen = append(seen, "if")
		case *Scope:
			seen = append(seen, "scope")
		}
	}
	EachStmt(b, note)
	if got, want := strings.Join(seen, " "), "for if a b c scope if d"; got != want {
		t.Errorf("EachStmt: %s, want %s", got, want)
	}
	seen = nil
	WalkStmts(b, func(s Stmt) bool {
		note(s)
		_, isFor := s.(*For)
		return !isFor
	})
	if got, want := strings.Join(seen, " "), "for scope if d"; got != want {
		t.Errorf("WalkStmts: %s, want %s", got, want)
	}
	if n := len(Bodies(inner)); n != 2 {
		t.Errorf("an if with else has %d bodies", n)
	}
	if n := len(Bodies(&If{Then: block()})); n != 1 {
		t.Errorf("an if without else has %d bodies", n)
	}
	for _, st := range []Stmt{inner, &If{Then: block()}, &If{Else: block()}, &If{}, &For{Body: block()}, &For{}, &While{Body: block()}, &Scope{Body: block()}, &Assign{}} {
		if has, n := HasBodies(st), len(Bodies(st)); has != (n > 0) {
			t.Errorf("%T: HasBodies %v, %d bodies", st, has, n)
		}
	}
	EachStmt(nil, note)
}

// f(g(1) + 2, (h(), )[0]): outer before inner, left to right.
func TestEachCall(t *testing.T) {
	call := func(n string, args ...Expr) *Call { return &Call{Name: n, Args: args} }
	e := call("f", &Binary{X: call("g", Index(1)), Y: Index(2)}, &TupleGet{Tuple: &MakeTuple{Elems: []Expr{call("h")}}})
	var seen []string
	EachCall(e, func(c *Call) { seen = append(seen, c.Name) })
	if got := strings.Join(seen, " "); got != "f g h" {
		t.Errorf("calls in order %s, want f g h", got)
	}
}
