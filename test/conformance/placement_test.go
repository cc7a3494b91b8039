package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/memory"
)

// placements lists space, offset and size of every defined tile, functions in
// name order and tiles in order of definition, without any names.
func placements(ls []*memory.Layout) string {
	ls = slices.Clone(ls)
	slices.SortFunc(ls, func(a, b *memory.Layout) int { return cmp.Compare(a.Fn.Name, b.Fn.Name) })
	var sb strings.Builder
	for _, l := range ls {
		fmt.Fprintf(&sb, "%s\n", l.Fn.Name)
		definitions(l.Fn.Body, func(v *ir.Var) {
			t := l.Tile(v)
			switch {
			case t == nil:
			case t.MemRef == nil:
				fmt.Fprintf(&sb, "  %s -\n", t.Space)
			default:
				fmt.Fprintf(&sb, "  %s %s %d\n", t.Space, offset(t.MemRef), t.MemRef.Size)
			}
		})
	}
	return sb.String()
}

// offset leaves names out: a dynamic offset counts as its shape only.
func offset(m *ir.MemRef) string {
	if n, ok := ir.ConstValue(m.Offset); ok {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("dynamic(%d)", strings.Count(printer.Expr(m.Offset), " "))
}

func recordedPlacements(p *program) string {
	var ls []*memory.Layout
	for _, f := range p.Funcs {
		ls = append(ls, memory.NewLayout(f))
	}
	return placements(ls)
}

// definitions visits the variables that b and its nested bodies define, in
// order of their text; a loop's or branch's results follow its body.
func definitions(b *ir.Block, visit func(*ir.Var)) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		var results []*ir.Var
		switch s := s.(type) {
		case *ir.Assign:
			visit(s.Var)
		case *ir.For:
			definitions(s.Body, visit)
			results = s.Results
		case *ir.While:
			definitions(s.Body, visit)
			results = s.Results
		case *ir.If:
			definitions(s.Then, visit)
			definitions(s.Else, visit)
			results = s.Results
		case *ir.Scope:
			definitions(s.Body, visit)
		}
		for _, v := range results {
			visit(v)
		}
	}
}
