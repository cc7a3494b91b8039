package irsyntax

import "github.com/cespare/xxhash/v2"

// maxLen bounds documents, so that offsets fit 32 bits with room to spare.
const maxLen = 1 << 30

// Parse splits a document into chunks, whose trees are built on first use. It
// never fails: any bytes give a file. A document of more than 1 GiB is one
// chunk that is not parsed.
func Parse(src string) *File {
	if len(src) > maxLen {
		c := newChunk(src, piece{kind: ModuleChunk, flags: chunkTooLarge})
		return &File{Chunks: []Entry{{Chunk: c, Class: -1}}, Len: len(src), src: src}
	}
	f := &File{Len: len(src), src: src}
	s := splitter{scan: scan{src: src}, classCol: -1}
	b := builder{class: -1}
	for s.pos < len(src) {
		start, in := s.pos, s.state()
		p := s.next()
		b.add(newChunk(src[start:p.end], p.from(start)), p.inClass, in, int32(min(s.read-p.end, len(src))))
	}
	f.Chunks = b.entries
	return f
}

// from makes the piece's offsets relative to its start.
func (p piece) from(start int) piece {
	p.end -= start
	p.nameStart -= start
	return p
}

// newChunk makes the chunk of a piece with offsets relative to text.
func newChunk(text string, p piece) *Chunk {
	c := &Chunk{
		Kind:  p.kind,
		Text:  text,
		Hash:  xxhash.Sum64String(text) ^ (uint64(p.kind)<<8|uint64(p.flags)+1)*0x9e3779b97f4a7c15,
		lines: countLines(text),
		flags: p.flags,
	}
	if p.flags&chunkTooLarge != 0 {
		return c
	}
	if p.kind == FuncChunk || p.kind == ClassChunk {
		c.Name = text[p.nameStart:nameEnd(text, p.nameStart, p.nameStart)]
	}
	for i := 0; i < len(text); {
		_, _, first := indentAt(text, i)
		if first < len(text) && text[first] != '#' && text[first] != '\n' && text[first] != '\r' {
			c.Indent = int32(first - i)
			break
		}
		i = afterEOL(text, lineEnd(text, first))
	}
	return c
}

// builder makes the table of entries.
type builder struct {
	entries []Entry
	start   int32
	line    int32
	class   int32 // index of the last ClassChunk
}

func (b *builder) add(c *Chunk, inClass bool, in, look int32) {
	e := Entry{Chunk: c, Start: b.start, Line: b.line, Class: -1, look: look, in: in}
	if inClass {
		e.Class = b.class
	}
	if c.Kind == ClassChunk {
		b.class = int32(len(b.entries))
	}
	b.entries = append(b.entries, e)
	b.start += int32(len(c.Text))
	b.line += c.lines
}
