package analysis

import (
	"sort"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// CallItem is a function in the call hierarchy. Spans are bytes of its
// document; NameSpan.Start identifies it in further questions.
type CallItem struct {
	Doc            *Document
	Name, Detail   string
	Span, NameSpan ir.Span
}

// CallEdge is a function that calls, or is called, and where: ranges in the
// caller's document.
type CallEdge struct {
	Item CallItem
	From []ir.Span
}

// CallItems finds the functions that the name at an offset denotes.
func (d *Document) CallItems(off int, docs []*Document) []CallItem {
	_, n, use, ok := d.nameAt(off)
	if !ok || n.syms[n.uses[use].sym].kind != FunctionName && n.syms[n.uses[use].sym].kind != ModuleName {
		return nil
	}
	var out []CallItem
	for _, p := range d.Definition(off, docs) {
		if c := p.Doc.File.ChunkAt(int(p.Span.Start)); c >= 0 && p.Doc.File.Chunks[c].Kind == irsyntax.FuncChunk {
			out = append(out, p.Doc.callItem(c, p.Span))
		}
	}
	return out
}

func (d *Document) callItem(chunk int, name ir.Span) CallItem {
	e := &d.File.Chunks[chunk]
	item := CallItem{Doc: d, Name: e.Name, NameSpan: name, Span: ir.Span{Start: e.Start + int32(codeStart(e.Text)), End: e.Start + int32(codeEnd(e.Chunk))}}
	item.NameSpan = within(item.NameSpan, item.Span)
	if s := d.header(chunk); s != nil {
		item.Detail = s.Kind.String()
	}
	if e.Class >= 0 {
		item.Detail += " · " + d.File.Chunks[e.Class].Name
	}
	return item
}

// calls reports whether a use calls its function or hands it to a dispatcher;
// a quoted name (peer_func) does neither.
func calls(e *irsyntax.Entry, u nameUse) bool {
	return u.role == roleRead && u.span.Start > 0 && e.Text[u.span.Start-1] != '"' && e.Text[u.span.Start-1] != '\''
}

// CallsFrom lists what the function at an offset calls, `pl.submit` and its
// kin included, in the order of the first call.
func (d *Document) CallsFrom(off int, docs []*Document) []CallEdge {
	chunk := d.File.ChunkAt(off)
	if !d.IsKernel() || chunk < 0 || d.File.Chunks[chunk].Kind != irsyntax.FuncChunk {
		return nil
	}
	e := &d.File.Chunks[chunk]
	n := d.namesOf(chunk)
	var out []CallEdge
	at := map[int32]int{}
	for _, u := range n.uses {
		s := &n.syms[u.sym]
		if s.kind != FunctionName && s.kind != ModuleName || !calls(e, u) {
			continue
		}
		i, ok := at[u.sym]
		if !ok {
			items := d.CallItems(int(e.Start+u.span.Start), docs)
			i = len(out)
			if len(items) == 0 {
				i = -1
			} else {
				out = append(out, CallEdge{Item: items[0]})
			}
			at[u.sym] = i
		}
		if i >= 0 {
			out[i].From = append(out[i].From, d.Abs(chunk, u.span))
		}
	}
	return out
}

// CallsTo lists the functions that call the function at an offset, in text
// order.
func (d *Document) CallsTo(off int, docs []*Document) []CallEdge {
	chunk, n, use, ok := d.nameAt(off)
	if !ok {
		return nil
	}
	var out []CallEdge
	for _, m := range d.mentions(chunk, n, n.uses[use].sym, docs) {
		e := &m.doc.File.Chunks[m.chunk]
		if e.Kind != irsyntax.FuncChunk {
			continue
		}
		var from []ir.Span
		for _, u := range m.uses {
			if calls(e, u) {
				from = append(from, m.doc.Abs(m.chunk, u.span))
			}
		}
		if from != nil {
			out = append(out, CallEdge{m.doc.callItem(m.chunk, m.doc.Abs(m.chunk, nameSpan(e.Chunk))), from})
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		return out[i].Item.Doc == out[j].Item.Doc && out[i].Item.Span.Start < out[j].Item.Span.Start
	})
	return out
}
