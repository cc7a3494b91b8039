package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/irsyntax"
)

// convertShorthand writes documentation shorthand (spec 01 §13) as the
// reference reads it; the function means and plans the same. ok is false when
// the function is none, or leaves things open.
func (d *Document) convertShorthand(chunk int) (Fix, bool) {
	det := d.Detail(chunk)
	e := &d.File.Chunks[chunk]
	if det == nil || !det.Read.Shorthand || det.Read.Opaque || e.Class >= 0 {
		return Fix{}, false
	}
	for _, f := range d.Func(chunk).Findings {
		if f.Severity == Error {
			return Fix{}, false
		}
	}
	fn := modernised(det.Read.IR)
	if e.Kind == irsyntax.SnippetChunk {
		fn.Name = freshName(d.File.Text(), "snippet")
	}
	text := strings.TrimRight(printer.Function(fn, 0, printer.Options{}), "\n")
	if !usesPypto(d.File) {
		text = "import pypto.language as pl\n\n" + text
	}
	body := strings.TrimRight(e.Text, " \t\r\n")
	lead := len(e.Text) - len(strings.TrimLeft(e.Text, " \t\r\n"))
	edits := d.inDocument(chunk, []TextEdit{{span(int32(min(lead, len(body))), int32(len(body))), strings.ReplaceAll(text, "\n", newline(e.Text))}})
	if !d.converts(edits, chunk, fn) {
		return Fix{}, false
	}
	return Fix{ID: "shorthand" + fixSeparatorID + fn.Name, Title: "Convert '" + fn.Name + "' to current syntax", Kind: RewriteFix, Edits: edits}, true
}

// modernised is the function with pointers of the present kind and unassigned
// offsets that count from the start of the allocation, without the comments
// that mark structure.
func modernised(fn *ir.Function) *ir.Function {
	w := &whatIf{typeOf: func(v *ir.Var) ir.Type {
		switch t := v.Type.(type) {
		case *ir.PtrType:
			if t.Legacy {
				return &ir.PtrType{}
			}
		case *ir.TileType:
			if t.MemRef == nil {
				break
			}
			if o, ok := ir.ConstValue(t.MemRef.Offset); ok && o == -1 {
				m := *t.MemRef
				m.Offset = ir.Index(0)
				return pinnedTo(t, &m)
			}
		}
		return nil
	}}
	out := w.function(fn)
	ir.EachStmt(out.Body, func(s ir.Stmt) {
		m := s.Meta()
		var kept []string
		for _, c := range m.Comments {
			if x := strings.TrimSpace(c); x != "]" && x != "SeqStmts [" && !strings.HasPrefix(x, "ReturnStmt [") {
				kept = append(kept, c)
			}
		}
		m.Comments = kept
	})
	return out
}

// usesPypto reports whether the file imports the kernel language.
func usesPypto(f *irsyntax.File) bool {
	for i := range f.Chunks {
		if c := &f.Chunks[i]; c.Kind == irsyntax.ModuleChunk && strings.Contains(c.Text, "pypto") && strings.Contains(c.Text, "import") {
			return true
		}
	}
	return false
}

// converts checks that the edited text holds the function in current syntax,
// without errors and with the same tiles.
func (d *Document) converts(edits []TextEdit, chunk int, fn *ir.Function) bool {
	after := d.with(edits)
	if after == nil || !after.IsKernel() {
		return false
	}
	for _, i := range after.FuncChunks() {
		// Another function may have the name as well, before this one.
		if c := &after.File.Chunks[i]; c.Name != fn.Name || c.End() <= int(edits[0].Span.Start) {
			continue
		}
		f, det := after.Func(i), after.Detail(i)
		if det == nil || det.Read.Shorthand || det.Read.Opaque {
			return false
		}
		for _, g := range f.Findings {
			if g.Severity == Error {
				return false
			}
		}
		return sameTiles(d.Func(chunk), f) && after.errors() <= d.errors()
	}
	return false
}

// sameTiles reports whether two functions have the same tiles at the same
// places.
func sameTiles(a, b *Func) bool {
	if a == nil || b == nil || len(a.Planned) != len(b.Planned) {
		return false
	}
	for i := range a.Planned {
		x, y := a.Planned[i].Tiles, b.Planned[i].Tiles
		if len(x) != len(y) {
			return false
		}
		for k := range x {
			if x[k].Name != y[k].Name || x[k].Type != y[k].Type || x[k].Space != y[k].Space || x[k].Addr != y[k].Addr && x[k].Addr != -1 || x[k].Size != y[k].Size {
				return false
			}
		}
	}
	return true
}

// RewritesAt are the changes offered without a finding, for the functions that
// touch the bytes [start, end].
func (d *Document) RewritesAt(start, end int) []Fix {
	if !d.IsKernel() {
		return nil
	}
	var out []Fix
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if d.unitOf[i] < 0 || e.End() < start || int(e.Start) > end {
			continue
		}
		if f, ok := d.convertShorthand(i); ok {
			out = append(out, f)
		}
		for k := range d.Func(i).Planned {
			f, ok := d.replan(i, d.Func(i).Planned[k].Name)
			if !ok {
				continue
			}
			if t, ok := d.try(f.Edits, i); ok && t.clean(nil) {
				f.Kind = RewriteFix
				out = append(out, f)
			}
		}
	}
	return out
}
