package irsyntax

import "strings"

// Character tables. They are filled once, by composite literals and init-free
// helper calls, and never change.

// identByte tells the ASCII bytes of identifiers; digits included.
var identByte = byteSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")

// plainByte tells the bytes that a scan for the end of a logical line may
// skip: all but quotes, brackets, comments, backslashes and line ends.
var plainByte = complement(byteSet("'\"()[]{}#\\\n\r"))

func byteSet(s string) (t [256]bool) {
	for i := 0; i < len(s); i++ {
		t[s[i]] = true
	}
	return t
}

func complement(t [256]bool) [256]bool {
	for i := range t {
		t[i] = !t[i]
	}
	return t
}

// isIdent reports whether c may be part of an identifier; every byte of a
// non-ASCII character counts.
func isIdent(c byte) bool { return identByte[c] || c >= 0x80 }

func isIdentStart(c byte) bool { return isIdent(c) && (c < '0' || c > '9') }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\f' }

// skipBlanks is the offset of the first byte at or after i that is no blank.
func skipBlanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

// wordEnd is the end of the identifier bytes starting at i.
func wordEnd(s string, i int) int {
	for i < len(s) && isIdent(s[i]) {
		i++
	}
	return i
}

// hasWord reports whether the word w stands at offset i, not as the beginning
// of a longer one.
func hasWord(s string, i int, w string) bool {
	return len(s)-i >= len(w) && s[i:i+len(w)] == w && (len(s) == i+len(w) || !isIdent(s[i+len(w)]))
}

const (
	bom = "\ufeff"
	// maxCol bounds columns, so that they fit the packed splitter state. Lines
	// indented further count as equally indented.
	maxCol = 30000
)

// indentAt measures the indentation of the line starting at i: its column
// with tabs to multiples of eight (Python's rule), its column with tabs
// counted as one blank (for the consistency check), and the offset of the
// first other byte. A form feed starts over; a byte order mark has no width.
func indentAt(s string, i int) (col, alt, first int) {
	for i < len(s) {
		switch s[i] {
		case ' ':
			col++
			alt++
		case '\t':
			col = col&^7 + 8
			alt++
		case '\f':
			col, alt = 0, 0
		case bom[0]:
			if len(s)-i < len(bom) || s[i:i+len(bom)] != bom {
				return min(col, maxCol), min(alt, maxCol), i
			}
			i += len(bom) - 1
		default:
			return min(col, maxCol), min(alt, maxCol), i
		}
		i++
	}
	return min(col, maxCol), min(alt, maxCol), i
}

// lineEnd is the offset of the line end at or after i (or the text's end).
func lineEnd(s string, i int) int {
	for i < len(s) && s[i] != '\n' && s[i] != '\r' {
		i++
	}
	return i
}

// afterEOL is the offset just past the line end at i: LF, CRLF or lone CR.
func afterEOL(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
		return i + 2
	}
	return i + 1
}

// countLines counts line ends.
func countLines(s string) int32 {
	n := strings.Count(s, "\n")
	if strings.IndexByte(s, '\r') >= 0 {
		n += strings.Count(s, "\r") - strings.Count(s, "\r\n")
	}
	return int32(n)
}
