package irsyntax

import (
	"sort"
	"strings"
)

// Text is the whole document.
func (f *File) Text() string {
	if len(f.src) == f.Len {
		return f.src
	}
	var b strings.Builder
	b.Grow(f.Len)
	for i := range f.Chunks {
		b.WriteString(f.Chunks[i].Text)
	}
	return b.String()
}

// Print is the document's text, byte for byte: the concatenation of its
// chunks.
func Print(f *File) string { return f.Text() }

// End is the byte offset just past the chunk.
func (e *Entry) End() int { return int(e.Start) + len(e.Text) }

// ChunkAt is the index of the chunk that holds the byte offset. An offset at
// the end of the document belongs to the last chunk. -1: there are no chunks,
// or the offset is out of range.
func (f *File) ChunkAt(offset int) int {
	if offset < 0 || offset > f.Len {
		return -1
	}
	return sort.Search(len(f.Chunks), func(i int) bool { return int(f.Chunks[i].Start) > offset }) - 1
}

// LineStart is the byte offset of the 0-based line; a line past the last
// gives Len. Lines end with LF, CRLF or a lone CR.
func (f *File) LineStart(line int) int {
	if line <= 0 {
		return 0
	}
	i := sort.Search(len(f.Chunks), func(i int) bool { return int(f.Chunks[i].Line) > line }) - 1
	if i < 0 {
		return f.Len
	}
	e := &f.Chunks[i]
	pos := 0
	for n := line - int(e.Line); n > 0; n-- {
		end := lineEnd(e.Text, pos)
		if end == len(e.Text) {
			return f.Len
		}
		pos = afterEOL(e.Text, end)
	}
	return int(e.Start) + pos
}

// Line is the 0-based line that holds the byte offset.
func (f *File) Line(offset int) int {
	offset = min(max(offset, 0), f.Len)
	i := f.ChunkAt(offset)
	if i < 0 {
		return 0
	}
	e := &f.Chunks[i]
	end := offset - int(e.Start)
	n := int(countLines(e.Text[:end]))
	if end > 0 && end < len(e.Text) && e.Text[end-1] == '\r' && e.Text[end] == '\n' {
		n-- // between the two bytes of a line end
	}
	return int(e.Line) + n
}

// Errors yields the syntax errors of all chunks in order with their index;
// the offsets are those of the document.
func (f *File) Errors(yield func(chunk int, err Error) bool) {
	for i := range f.Chunks {
		e := &f.Chunks[i]
		for _, err := range e.Tree().Errors {
			err.Start += e.Start
			err.End += e.Start
			if !yield(i, err) {
				return
			}
		}
	}
}

// CommentText is a comment's text: what follows the first `#`, minus one
// directly following blank (spec 01 §11.1).
func (t *Tree) CommentText(c Comment) string {
	return strings.TrimPrefix(t.Text[c.Start+1:c.End], " ")
}
