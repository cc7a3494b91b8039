package analysis

import (
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// moveCodes are the findings about operands in the wrong memory space.
var moveCodes = []string{"memory-space", "operation"}

// moveFixes brings an operand to a memory space that the operator takes: with
// a move before the operator, or where the operand is made.
func moveFixes(q *fixQuery) []Fix {
	if q.f.Code == "operation" {
		return q.viaFixes()
	}
	m, ok := misplacedOf(q.f.Message)
	if !ok {
		return nil
	}
	var out []Fix
	for _, to := range m.allowed {
		if p := q.d.Settings.Platform; p != nil && !p.HasRoute(m.from, to) {
			continue
		}
		if f, ok := q.insertMove(m, to); ok {
			f.Preferred = len(out) == 0
			out = append(out, f)
		}
		if f, ok := q.retarget(m, to); ok {
			out = append(out, f)
		}
	}
	return out
}

// spaceFindings is the verifier TileMemoryInferred (spec 02 §8.3) on a text
// past it, which only an edit can make wrong. Later passes keep the property
// for in-core functions as long as these are whole.
func spaceFindings(fn *ir.Function, start Start) []Finding {
	if fn.Kind != ir.InCore || !start.Lower || passIndex[start.Pass] < passIndex["InferTileMemorySpace"] {
		return nil
	}
	var out []Finding
	ir.EachStmt(fn.Body, func(s ir.Stmt) {
		c, _ := callOfStmt(s)
		if c == nil || c.IsFunc || c.Op == nil {
			return
		}
		for i, a := range c.Args {
			v, ok := a.(*ir.Var)
			if !ok || v == nil || !v.IsPlain() || i >= len(c.Op.InputSpaces) || len(c.Op.InputSpaces[i]) == 0 {
				continue
			}
			t, ok := v.Type.(*ir.TileType)
			if !ok || t.Space < 0 || slices.Contains(c.Op.InputSpaces[i], t.Space) {
				continue
			}
			names := make([]string, len(c.Op.InputSpaces[i]))
			for k, x := range c.Op.InputSpaces[i] {
				names[k] = x.String()
			}
			f := Finding{Code: "memory-space", Severity: Warning, Span: v.Span, Func: fn.Name,
				Message: "InCore function '" + fn.Name + "': Op '" + c.Name + "' input " + decimal(int64(i)) + " ('" + v.Name + "') requires " + strings.Join(names, "/") + " but is in " + t.Space.String(),
				Explain: "The compiler checks this before the pass that the text stands after, so it would not complain here."}
			if !f.Span.Valid() {
				f.Span = fn.NameSpan
			}
			out = append(out, f)
		}
	})
	return out
}

// misplaced is what the verifier says of an operand.
type misplaced struct {
	op      string // without its category
	index   int64
	operand string
	allowed []platforms.Space
	from    platforms.Space
}

// misplacedOf reads `InCore function 'f': Op 'tile.x' input 1 ('v') requires
// Left/Right but is in Vec`.
func misplacedOf(message string) (m misplaced, ok bool) {
	_, rest, _ := strings.Cut(message, ": Op '")
	op, rest, _ := strings.Cut(rest, "' input ")
	index, rest, _ := strings.Cut(rest, " ('")
	m.operand, rest, _ = strings.Cut(rest, "') requires ")
	allowed, from, ok := strings.Cut(rest, " but is in ")
	if !ok {
		return m, false
	}
	m.op = op[strings.LastIndexByte(op, '.')+1:]
	for _, c := range index {
		m.index = m.index*10 + int64(c-'0')
	}
	for _, n := range strings.Split(allowed, "/") {
		if s, ok := platforms.ParseSpace(n); ok {
			m.allowed = append(m.allowed, s)
		}
	}
	m.from, ok = platforms.ParseSpace(from)
	return m, ok && len(m.allowed) > 0
}

// use finds the operand in the text: the argument, and the statement of its
// call.
func (q *fixQuery) use(m misplaced) (arg, stmt irsyntax.Ref) {
	name := sourceName(m.operand, q.text())
	eachNode(q.tree().Root(), func(r irsyntax.Ref) {
		switch r.Kind() {
		case irsyntax.Assign, irsyntax.AnnAssign, irsyntax.ExprStmt, irsyntax.Return:
		default:
			return
		}
		eachNode(r, func(c irsyntax.Ref) {
			if arg.Ok() || calleeName(c) != m.op {
				return
			}
			if a := positional(c, int(m.index)); a.Kind() == irsyntax.Name && a.Text() == name {
				arg, stmt = a, r
			}
		})
	})
	return arg, stmt
}

// sourceName is a name as the text has it: lowering appends to names.
func sourceName(name, text string) string {
	for n := name; n != ""; {
		if hasWord(text, n) {
			return n
		}
		i := strings.LastIndex(n, "__")
		if i < 0 {
			break
		}
		n = n[:i]
	}
	return name
}

func (q *fixQuery) insertMove(m misplaced, to platforms.Space) (Fix, bool) {
	arg, stmt := q.use(m)
	if !arg.Ok() {
		return Fix{}, false
	}
	indent, ok := lineIndent(stmt)
	if !ok {
		return Fix{}, false
	}
	name := freshName(q.text(), arg.Text()+"_"+to.Lower())
	line := name + " = pl.tile.move(" + arg.Text() + ", target_memory=pl.Mem." + to.String() + ")"
	return q.spaceFix("move", "Move '"+arg.Text()+"' to "+to.String()+" first: `"+line+"`", m,
		insertAt(stmt.Start(), line+newline(q.text())+indent), replaceNode(arg, name))
}

// retarget changes the target_memory of the statement that makes the operand.
func (q *fixQuery) retarget(m misplaced, to platforms.Space) (Fix, bool) {
	name := sourceName(m.operand, q.text())
	var v irsyntax.Ref
	n := 0
	eachNode(q.tree().Root(), func(r irsyntax.Ref) {
		if (r.Kind() == irsyntax.Assign || r.Kind() == irsyntax.AnnAssign) && r.First().Kind() == irsyntax.Name && r.First().Text() == name {
			n++
			v = keywordArg(lastOf(r), "target_memory")
		}
	})
	if n != 1 || !v.Ok() || lastName(v) != m.from.String() {
		return Fix{}, false
	}
	return q.spaceFix("retarget", "Make '"+name+"' in "+to.String(), m, replaceNode(v, "pl.Mem."+to.String()))
}

func (q *fixQuery) spaceFix(id, title string, m misplaced, edits ...TextEdit) (Fix, bool) {
	all := q.d.inDocument(q.chunk, edits)
	t, ok := q.d.try(all, q.chunk)
	if !ok || !q.clears(t) {
		return Fix{}, false
	}
	return Fix{ID: id + fixSeparatorID + m.operand + fixSeparatorID + title, Title: title, Kind: QuickFix, Edits: all}, true
}

// viaFixes repairs a `target_memory` that an operator cannot write to: it
// writes to one that it can, from where a move leads on.
func (q *fixQuery) viaFixes() []Fix {
	_, rest, ok1 := strings.Cut(q.f.Message, ": target_memory for ")
	_, rest, ok2 := strings.Cut(rest, " must be ")
	allowed, to, ok3 := strings.Cut(rest, ", got MemorySpace.")
	target, known := platforms.ParseSpace(to)
	if !ok1 || !ok2 || !ok3 || !known {
		return nil
	}
	var out []Fix
	for _, n := range strings.Split(allowed, " or ") {
		via, ok := platforms.ParseSpace(strings.TrimPrefix(n, "MemorySpace."))
		if p := q.d.Settings.Platform; !ok || p != nil && !p.HasRoute(via, target) {
			continue
		}
		if f, ok := q.viaFix(via, target); ok {
			f.Preferred = len(out) == 0
			out = append(out, f)
		}
	}
	return out
}

func (q *fixQuery) viaFix(via, to platforms.Space) (Fix, bool) {
	var stmt irsyntax.Ref
	for _, r := range q.tree().Path(q.f.Span.Start) {
		if r.Kind() == irsyntax.Assign || r.Kind() == irsyntax.AnnAssign {
			stmt = r
		}
	}
	if !stmt.Ok() || stmt.First().Kind() != irsyntax.Name {
		return Fix{}, false
	}
	indent, ok := lineIndent(stmt)
	space := keywordArg(lastOf(stmt), "target_memory")
	if !ok || !space.Ok() || lastName(space) != to.String() {
		return Fix{}, false
	}
	head := stmt.First()
	if stmt.Kind() == irsyntax.AnnAssign {
		head = stmt.Child(1)
	}
	name := stmt.First().Text()
	made := freshName(q.text(), name+"_"+via.Lower())
	// The annotation, if there is one, is that of the value after the move.
	line := q.text()[stmt.Start():closing(head)] + " = pl.tile.move(" + made + ", target_memory=pl.Mem." + to.String() + ")"
	return q.spaceFix("via", "Make it in "+via.String()+" and move it to "+to.String(), misplaced{operand: name},
		TextEdit{span(stmt.Start(), closing(head)), made}, replaceNode(space, "pl.Mem."+via.String()),
		insertAt(closing(lastOf(stmt)), newline(q.text())+indent+line))
}
