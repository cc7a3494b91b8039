package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// unusedAllocCodes are the findings about allocations without tiles.
var unusedAllocCodes = []string{"unused-alloc"}

// unusedAllocFixes removes an allocation statement that no tile refers to; the
// plan stays the same.
func unusedAllocFixes(q *fixQuery) []Fix {
	stmt := irsyntax.Ref{}
	for _, r := range q.tree().Path(q.f.Span.Start) {
		if r.Kind() == irsyntax.Assign || r.Kind() == irsyntax.AnnAssign {
			stmt = r
		}
	}
	if calleeName(lastOf(stmt)) != "alloc" {
		return nil
	}
	if _, ok := lineIndent(stmt); !ok {
		return nil
	}
	start, end := wholeLines(stmt)
	edits := q.d.inDocument(q.chunk, []TextEdit{{span(start, end), ""}})
	t, ok := q.d.try(edits, q.chunk)
	if !ok || !q.clears(t) || !sameTiles(q.fn, t.after.Func(q.chunk)) {
		return nil
	}
	return []Fix{{
		ID: "unused-alloc" + fixSeparatorID + stmt.First().Text(), Title: "Remove the unused allocation '" + stmt.First().Text() + "'",
		Kind: QuickFix, Preferred: true, Safe: true, Edits: edits,
	}}
}

// unusedAllocFindings tells of allocations that no tile lies in, where the
// compiler leaves none: in in-core functions after MemoryReuse, or after
// addresses were assigned.
func unusedAllocFindings(p *PlannedDetail, stage memory.Stage) []Finding {
	if stage < memory.StageMemoryReuse || !p.Fn.Kind.IsInCore() || p.Result.Layouts[stage] == nil || p.Plan == nil || len(p.Plan.Buffers) == 0 {
		return nil
	}
	l := p.Result.Layouts[stage]
	used := map[*ir.Var]bool{}
	use := func(v *ir.Var) {
		if b := l.BaseOf(v); b != nil {
			used[b] = true
		}
	}
	var allocs []*ir.Assign
	for _, prm := range l.Fn.Params {
		use(prm.Var)
	}
	hidden := false
	ir.EachStmt(l.Fn.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			if c, ok := s.Value.(*ir.Call); ok && !c.IsFunc && c.Name == "tile.alloc" {
				allocs = append(allocs, s)
				return
			}
			use(s.Var)
		case *ir.For:
			each(s.IterArgs, use)
			each(s.Results, use)
		case *ir.While:
			each(s.IterArgs, use)
			each(s.Results, use)
			// The MemRefs of several results are not printed: an allocation may be theirs.
			hidden = hidden || len(s.Results) > 1
		case *ir.If:
			each(s.Results, use)
		}
	})
	if hidden {
		return nil
	}
	var out []Finding
	for _, a := range allocs {
		if !used[a.Var] && a.Span.Valid() {
			out = append(out, Finding{Code: "unused-alloc", Severity: Hint, Span: a.Span, Func: p.Fn.Name, Unnecessary: true,
				Message: "No tile lies in the allocation '" + a.Var.Name + "'"})
		}
	}
	return out
}

func each(vs []*ir.Var, visit func(*ir.Var)) {
	for _, v := range vs {
		visit(v)
	}
}
