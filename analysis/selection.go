package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// Selections are the ranges around an offset, from the smallest to the whole
// document; each lies within the next. There is always at least one.
func (d *Document) Selections(off int) []ir.Span {
	off = min(max(off, 0), d.File.Len)
	whole := ir.Span{End: int32(d.File.Len)}
	var list []ir.Span
	c := d.File.ChunkAt(off)
	if d.IsKernel() && c >= 0 {
		e := &d.File.Chunks[c]
		if e.Class >= 0 {
			list = append(list, d.classSpan(int(e.Class)))
		}
		chunk := ir.Span{Start: e.Start + int32(codeStart(e.Text)), End: e.Start + int32(codeEnd(e.Chunk))}
		if e.Kind == irsyntax.ClassChunk {
			list = append(list, d.classSpan(c))
		}
		list = append(list, chunk)
		path := e.Tree().Path(int32(off) - e.Start)
		for _, r := range path {
			list = append(list, d.Abs(c, spanOf(r)))
			if r.Kind() == irsyntax.String {
				if _, in, ok := simpleString(r); ok {
					list = append(list, d.Abs(c, in))
				}
			}
		}
	}
	return nested(list, whole, int32(off))
}

// nested turns spans, from large to small, into a chain around an offset.
func nested(list []ir.Span, whole ir.Span, off int32) []ir.Span {
	chain := []ir.Span{whole}
	for _, s := range list {
		top := chain[len(chain)-1]
		if s != top && s.Start >= top.Start && s.End <= top.End && s.Start <= off && off <= s.End {
			chain = append(chain, s)
		}
	}
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i], chain[j] = chain[j], chain[i]
	}
	return chain
}

// classSpan is a class with all its members.
func (d *Document) classSpan(class int) ir.Span {
	e := &d.File.Chunks[class]
	s := ir.Span{Start: e.Start + int32(codeStart(e.Text)), End: e.Start + int32(codeEnd(e.Chunk))}
	for i := class + 1; i < len(d.File.Chunks) && d.File.Chunks[i].Class == int32(class); i++ {
		m := &d.File.Chunks[i]
		s.End = m.Start + int32(codeEnd(m.Chunk))
	}
	return s
}
