package position

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/irsyntax"
)

var encodings = []Encoding{UTF16, UTF8, UTF32}

// texts are the classes of text that differ.
var texts = map[string]string{
	"empty": "", "ASCII": "ab c\nd\n", "no final newline": "ab\ncd", "é": "é=é\né", "漢": "漢字 = 漢\n字", "😀": "a😀b😀\n😀", "combining": "e\u0301x\u0301\u0302\ny",
	"CRLF": "ab\r\ncd\r\n", "lone CR": "ab\rcd\r", "mixed ends": "a\r\nb\rc\nd\n\re\r\r\nf", "tabs": "\ta\t\tb\n\t", "BOM": "\ufeffab\ncd", "only ends": "\n\r\n\r",
	"NUL": "a\x00b\n\x00", "no UTF-8": "a\xffb\xc3\nc\xf0\x9f", "line separators of Unicode": "a\u2028b\u0085c\n", "ends in a character": "x\n漢",
}

// naive is the standard's wording in the dullest way: lines and their starts.
type naive struct {
	text   string
	starts []int
	lines  []string
}

func newNaive(text string) naive {
	n := naive{text: text}
	start := 0
	for i := 0; i < len(text); i++ {
		end := i
		switch {
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			i++
		case text[i] != '\r' && text[i] != '\n':
			continue
		}
		n.starts, n.lines = append(n.starts, start), append(n.lines, text[start:end])
		start = i + 1
	}
	n.starts, n.lines = append(n.starts, start), append(n.lines, text[start:])
	return n
}

// columns lists for each character of a line its byte offset and column; the
// last entry is the line's end.
func columns(enc Encoding, line string) (bytes, cols []int) {
	col := 0
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		bytes, cols = append(bytes, i), append(cols, col)
		switch enc {
		case UTF8:
			col += size
		case UTF16:
			col += len(utf16.Encode([]rune{r}))
		case UTF32:
			col++
		}
		i += size
	}
	return append(bytes, len(line)), append(cols, col)
}

func (n naive) offset(enc Encoding, line, char int) int {
	if line >= len(n.lines) {
		return len(n.text)
	}
	bytes, cols := columns(enc, n.lines[line])
	best := 0
	for i, c := range cols {
		if c <= char {
			best = bytes[i]
		}
	}
	return n.starts[line] + best
}

func (n naive) position(enc Encoding, off int) Position {
	line := len(n.starts) - 1
	for n.starts[line] > off {
		line--
	}
	bytes, cols := columns(enc, n.lines[line])
	col := 0
	for i, b := range bytes {
		if n.starts[line]+b <= off {
			col = cols[i]
		}
	}
	return Position{Line: uint32(line), Character: uint32(col)}
}

// check compares a mapper with the naive one at every offset and around every
// edge column, and checks the round trips.
func check(t *testing.T, m *Mapper, text string) {
	t.Helper()
	n := newNaive(text)
	if m.Len() != len(text) || m.Lines() != len(n.lines) {
		t.Fatalf("%q: %d bytes in %d lines, want %d in %d", text, m.Len(), m.Lines(), len(text), len(n.lines))
	}
	for off := range len(text) + 1 {
		pos := m.OffsetPosition(off)
		if want := n.position(m.enc, off); pos != want {
			t.Fatalf("%s %q: offset %d is at %v, want %v", m.enc, text, off, pos, want)
		}
		back := m.PositionOffset(pos)
		if back > off || m.OffsetPosition(back) != pos {
			t.Fatalf("%s %q: offset %d → %v → %d", m.enc, text, off, pos, back)
		}
	}
	for line := range len(n.lines) + 2 {
		top := 3
		if line < len(n.lines) {
			top += len(n.lines[line])
		}
		for char := range top + 1 {
			checkPosition(t, m, n, line, char)
		}
		checkPosition(t, m, n, line, math.MaxUint32)
	}
	checkPosition(t, m, n, math.MaxUint32, 0)
}

func checkPosition(t *testing.T, m *Mapper, n naive, line, char int) {
	t.Helper()
	p := Position{Line: uint32(line), Character: uint32(char)}
	off := m.PositionOffset(p)
	if want := n.offset(m.enc, line, char); off != want {
		t.Fatalf("%s %q: %v is at offset %d, want %d", m.enc, n.text, p, off, want)
	}
	// Law: a position that comes from an offset comes back to it.
	if m.PositionOffset(m.OffsetPosition(off)) != off {
		t.Fatalf("%s %q: offset %d does not come back", m.enc, n.text, off)
	}
}

// TestPositions: three encodings × classes of text × every edge column.
func TestPositions(t *testing.T) {
	for name, text := range texts {
		for _, enc := range encodings {
			t.Run(fmt.Sprintf("%s/%s", name, enc), func(t *testing.T) { check(t, OfText(enc, text), text) })
		}
	}
}

// TestPositionsByHand pins a few values worked out by hand, so that an error of
// thought common to both implementations shows.
func TestPositionsByHand(t *testing.T) {
	text := "aé漢😀b\r\nx\ry" // bytes: a0 é1-2 漢3-5 😀6-9 b10 \r11 \n12 x13 \r14 y15
	for _, c := range []struct {
		enc        Encoding
		line, char uint32
		off        int
		back       Position
	}{
		{UTF16, 0, 3, 6, Position{Line: 0, Character: 3}},  // before 😀
		{UTF16, 0, 4, 6, Position{Line: 0, Character: 3}},  // between its surrogates
		{UTF16, 0, 5, 10, Position{Line: 0, Character: 5}}, // before b
		{UTF16, 0, 6, 11, Position{Line: 0, Character: 6}},
		{UTF16, 0, 7, 11, Position{Line: 0, Character: 6}}, // beyond the line: before \r\n
		{UTF8, 0, 5, 3, Position{Line: 0, Character: 3}},   // inside 漢
		{UTF8, 0, 6, 6, Position{Line: 0, Character: 6}},
		{UTF8, 0, 99, 11, Position{Line: 0, Character: 11}},
		{UTF32, 0, 4, 10, Position{Line: 0, Character: 4}},
		{UTF32, 1, 0, 13, Position{Line: 1, Character: 0}},
		{UTF32, 1, 5, 14, Position{Line: 1, Character: 1}}, // beyond the line: before the lone \r
		{UTF32, 2, 1, 16, Position{Line: 2, Character: 1}},
		{UTF32, 3, 0, 16, Position{Line: 2, Character: 1}}, // beyond the document
	} {
		m := OfText(c.enc, text)
		off := m.PositionOffset(Position{Line: c.line, Character: c.char})
		if off != c.off || m.OffsetPosition(off) != c.back {
			t.Errorf("%s %d:%d is at %d and back at %v, want %d and %v", c.enc, c.line, c.char, off, m.OffsetPosition(off), c.off, c.back)
		}
	}
	m := OfText(UTF16, text)
	if got := m.OffsetPosition(12); got != (Position{Line: 0, Character: 6}) {
		t.Errorf("inside \\r\\n: %v", got)
	}
	if m.OffsetPosition(-3) != (Position{}) || m.OffsetPosition(99) != (Position{Line: 2, Character: 1}) {
		t.Error("offsets outside the document do not clamp")
	}
	r := Range{Start: Position{Line: 1}, End: Position{Character: 1}}
	if s, e := m.RangeSpan(r); s != 1 || e != 13 {
		t.Errorf("a range the wrong way round spans %d to %d", s, e)
	}
	if got := m.SpanRange(1, 13); got.Start != r.End || got.End != r.Start {
		t.Errorf("span 1 to 13 is %v", got)
	}
}

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		offered string
		want    Encoding
	}{
		{"", UTF16}, {"utf-16", UTF16}, {"utf-32 utf-8 utf-16", UTF8}, {"utf-8 utf-16 utf-32", UTF8}, {"utf-32 utf-16", UTF32}, {"utf-16 utf-32", UTF16}, {"utf-7 utf-32", UTF32}, {"utf-7", UTF16},
	} {
		if got := Negotiate(strings.Fields(c.offered)); got != c.want {
			t.Errorf("%q gives %s, want %s", c.offered, got, c.want)
		}
	}
}

// split cuts a text at random places: mostly at line ends, as a parser does.
func split(r *rand.Rand, text string) []string {
	var out []string
	for text != "" {
		n := 1 + r.IntN(len(text))
		if at := strings.IndexAny(text[n-1:], "\n\r"); at >= 0 && r.IntN(4) > 0 {
			n += at
		}
		out, text = append(out, text[:n]), text[n:]
		if r.IntN(20) == 0 {
			out = append(out, "")
		}
	}
	return out
}

func randomText(r *rand.Rand, n int) string {
	atoms := []string{"a", "b", " ", "\t", "é", "漢", "😀", "\u0301", "\r\n", "\r", "\n", "\n", "\xff", "\ufeff"}
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(atoms[r.IntN(len(atoms))])
	}
	return b.String()
}

// file makes a document of chunks; equal strings of a former call keep their chunk.
func file(chunks map[string]*irsyntax.Chunk, parts []string) *irsyntax.File {
	f := &irsyntax.File{}
	for _, p := range parts {
		if chunks[p] == nil {
			chunks[p] = &irsyntax.Chunk{Text: p}
		}
		f.Chunks = append(f.Chunks, irsyntax.Entry{Chunk: chunks[p], Start: int32(f.Len)})
		f.Len += len(p)
	}
	return f
}

// TestVersions: after random edits of a document in pieces, the mapper made
// from the one before equals the naive one of the whole text.
func TestVersions(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		enc := encodings[r.IntN(3)]
		parts, kept := split(r, randomText(r, 60)), map[string]*irsyntax.Chunk{}
		m := New(enc, nil, file(kept, parts))
		for range 12 {
			at := r.IntN(len(parts) + 1)
			cut := min(len(parts)-at, r.IntN(3))
			parts = append(append(append([]string{}, parts[:at]...), split(r, randomText(r, 10))...), parts[at+cut:]...)
			m = New(enc, m, file(kept, parts))
			check(t, m, strings.Join(parts, ""))
		}
	}
}

// TestSharing: pieces that did not change are taken over, not tabulated anew.
func TestSharing(t *testing.T) {
	var parts []string
	for i := range 100 {
		parts = append(parts, fmt.Sprintf("line %d\n", i))
	}
	kept := map[string]*irsyntax.Chunk{}
	before := New(UTF8, nil, file(kept, parts))
	parts = append([]string{}, parts...)
	parts[40] = "an edited line\nand another\n"
	after := New(UTF8, before, file(kept, parts))
	for i := range parts {
		if (before.pieces[i] == after.pieces[i]) != (i != 40) {
			t.Errorf("piece %d: shared is %v", i, before.pieces[i] == after.pieces[i])
		}
	}
	if diff := cmp.Diff(Position{Line: 100}, after.OffsetPosition(after.offs[99])); diff != "" {
		t.Error(diff)
	}
}

// FuzzPosition: any text, cut anywhere, edited anywhere.
func FuzzPosition(f *testing.F) {
	for _, s := range texts {
		f.Add(s, "x\r", uint16(1), uint16(2))
		f.Add(s, "\n", uint16(3), uint16(0))
	}
	f.Fuzz(func(t *testing.T, text, insert string, at, cut uint16) {
		if len(text)+len(insert) > 300 {
			return // the naive comparison is quadratic
		}
		a := min(int(at), len(text))
		b := min(a+int(cut), len(text))
		for _, enc := range encodings {
			kept := map[string]*irsyntax.Chunk{}
			m := New(enc, nil, file(kept, []string{text[:a], text[a:b], text[b:]}))
			check(t, m, text)
			m = New(enc, m, file(kept, []string{text[:a], insert, text[b:]}))
			check(t, m, text[:a]+insert+text[b:])
		}
	})
}

// BenchmarkKeystroke: the next mapper of a document of 100,000 lines in 3,334
// functions after an edit of one of them, and two conversions.
func BenchmarkKeystroke(b *testing.B) {
	fn := strings.Repeat("    t: pl.Tile[[64, 64], pl.FP32] = pl.tile.load(x, [0, 0], [64, 64])\n", 30)
	f := &irsyntax.File{}
	for range 3334 {
		f.Chunks = append(f.Chunks, irsyntax.Entry{Chunk: &irsyntax.Chunk{Text: fn}, Start: int32(f.Len)})
		f.Len += len(fn)
	}
	m := New(UTF16, nil, f)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Chunks[1700].Chunk = &irsyntax.Chunk{Text: fn[i%60:]}
		m = New(UTF16, m, f)
		if m.PositionOffset(m.OffsetPosition(m.Len()/2)) != m.Len()/2 {
			b.Fatal("no round trip")
		}
	}
}
