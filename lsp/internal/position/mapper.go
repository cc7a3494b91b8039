package position

import (
	"math"
	"sort"
	"unicode/utf8"

	"pypto-ls/irsyntax"
)

// Mapper converts positions of one version of a document. It is immutable and
// may be used from several goroutines.
type Mapper struct {
	enc    Encoding
	pieces []*piece
	chunks []*irsyntax.Chunk // what each piece was made of, nil for several
	offs   []int             // offset of each piece, and the document's length
	lines  []int             // line ends before each piece, and in all
}

// New makes the mapper of a document. When prev is the mapper of the version
// before, chunks that it shares at its beginning and end are not looked at: an
// edit costs what it touches, plus about a nanosecond for every chunk.
func New(enc Encoding, prev *Mapper, file *irsyntax.File) *Mapper {
	n := len(file.Chunks)
	m := &Mapper{enc: enc, pieces: make([]*piece, 0, n), chunks: make([]*irsyntax.Chunk, 0, n), offs: make([]int, 1, n+1), lines: make([]int, 1, n+1)}
	front, back := 0, 0
	if prev != nil {
		front, back = prev.shared(file)
		m.take(prev, 0, front)
	}
	for i := front; i < n; {
		if i >= n-back {
			m.take(prev, len(prev.pieces)-(n-i), len(prev.pieces))
			break
		}
		from := file.Chunks[i].Chunk
		text := from.Text
		for i++; i < n && !closed(text, file.Chunks[i].Text); i++ {
			text += file.Chunks[i].Text
			from = nil
		}
		if text != "" {
			m.add(newPiece(text), from)
		}
	}
	return m
}

// shared counts the chunks at the front and at the back of file whose pieces
// can be taken over.
func (m *Mapper) shared(file *irsyntax.File) (front, back int) {
	n, k := len(file.Chunks), len(m.chunks)
	for front < min(n, k) && m.chunks[front] == file.Chunks[front].Chunk {
		front++
	}
	// Only the last one has another neighbour than before; it may have to be joined with it.
	if 0 < front && front < n && !closed(file.Chunks[front-1].Text, file.Chunks[front].Text) {
		front--
	}
	for back < min(n, k)-front && m.chunks[k-1-back] == file.Chunks[n-1-back].Chunk {
		back++
	}
	return front, back
}

// take appends the pieces [from, to) of another mapper.
func (m *Mapper) take(prev *Mapper, from, to int) {
	m.pieces = append(m.pieces, prev.pieces[from:to]...)
	m.chunks = append(m.chunks, prev.chunks[from:to]...)
	off, line := m.Len()-prev.offs[from], m.lines[len(m.lines)-1]-prev.lines[from]
	for i := from + 1; i <= to; i++ {
		m.offs = append(m.offs, prev.offs[i]+off)
		m.lines = append(m.lines, prev.lines[i]+line)
	}
}

func (m *Mapper) add(p *piece, from *irsyntax.Chunk) {
	m.pieces, m.chunks = append(m.pieces, p), append(m.chunks, from)
	m.offs = append(m.offs, m.Len()+len(p.text))
	m.lines = append(m.lines, m.lines[len(m.lines)-1]+len(p.starts))
}

// OfText makes the mapper of a whole text.
func OfText(enc Encoding, text string) *Mapper {
	return New(enc, nil, &irsyntax.File{Chunks: []irsyntax.Entry{{Chunk: &irsyntax.Chunk{Text: text}}}, Len: len(text)})
}

// Encoding is the encoding of the columns.
func (m *Mapper) Encoding() Encoding { return m.enc }

// Len is the document's length in bytes.
func (m *Mapper) Len() int { return m.offs[len(m.offs)-1] }

// Lines is the number of lines; the empty document has one.
func (m *Mapper) Lines() int { return m.lines[len(m.lines)-1] + 1 }

// line finds a line that exists: its offset, its text without the line end, and
// whether that is ASCII for sure.
func (m *Mapper) line(n int) (int, string, bool) {
	i := sort.Search(len(m.pieces), func(i int) bool { return m.lines[i+1] > n })
	if i == len(m.pieces) {
		if i == 0 || len(m.pieces[i-1].text) == lastEnd(m.pieces[i-1]) {
			return m.Len(), "", true // after the last line end
		}
		i-- // the last line has no end
	}
	p := m.pieces[i]
	start, text := p.line(n - m.lines[i])
	return m.offs[i] + start, text, p.ascii
}

func lastEnd(p *piece) int {
	if len(p.starts) == 0 {
		return 0
	}
	return int(p.starts[len(p.starts)-1])
}

// PositionOffset is the byte offset of a position. A line beyond the document
// means its end, a column beyond the line means the line's end before the line
// break, and a column inside a character means the character's start.
func (m *Mapper) PositionOffset(p Position) int {
	if uint64(p.Line) >= uint64(m.Lines()) {
		return m.Len()
	}
	start, text, ascii := m.line(int(p.Line))
	if ascii {
		return start + int(min(uint64(p.Character), uint64(len(text))))
	}
	return start + m.enc.bytes(text, p.Character)
}

// OffsetPosition is the position of a byte offset. Offsets outside the document
// mean its ends, an offset inside a character means the character's start, and
// one inside a \r\n means the end of its line.
func (m *Mapper) OffsetPosition(off int) Position {
	off = max(0, min(off, m.Len()))
	i := sort.Search(len(m.pieces), func(i int) bool { return m.offs[i+1] >= off })
	if i == len(m.pieces) {
		return Position{}
	}
	p := m.pieces[i]
	local := off - m.offs[i]
	n := sort.Search(len(p.starts), func(k int) bool { return int(p.starts[k]) > local })
	line := uint32(min(m.lines[i]+n, math.MaxUint32))
	if n == len(p.starts) && local == lastEnd(p) && n > 0 {
		return Position{Line: line} // after the piece's last line end
	}
	start, text := p.line(n)
	text = text[:min(local-start, len(text))]
	if p.ascii {
		return Position{Line: line, Character: uint32(len(text))}
	}
	return Position{Line: line, Character: m.enc.units(wholeRunes(text, p.text[start+len(text):]))}
}

// wholeRunes cuts a prefix back to the start of the character it ends in.
func wholeRunes(prefix, rest string) string {
	for k := 1; k < utf8.UTFMax && k <= len(prefix); k++ {
		at := len(prefix) - k
		if !utf8.RuneStart(prefix[at]) {
			continue
		}
		if rest := prefix[at:] + rest[:min(len(rest), utf8.UTFMax)]; utf8.RuneStart(rest[0]) {
			if _, size := utf8.DecodeRuneInString(rest); size > k {
				return prefix[:at]
			}
		}
		break
	}
	return prefix
}

// SpanRange is the range of the bytes [start, end).
func (m *Mapper) SpanRange(start, end int) Range {
	return Range{Start: m.OffsetPosition(start), End: m.OffsetPosition(end)}
}

// RangeSpan is the byte range of a range; when its ends are the wrong way round
// they are exchanged, as editors do.
func (m *Mapper) RangeSpan(r Range) (start, end int) {
	start, end = m.PositionOffset(r.Start), m.PositionOffset(r.End)
	if start > end {
		start, end = end, start
	}
	return start, end
}
