package position

import (
	"strings"
	"unicode/utf8"
)

// piece is a run of whole lines with the table of its lines. It is immutable
// and shared between the mappers of all versions in which its text is the same.
type piece struct {
	text   string
	starts []int32 // offsets in text just after each line end
	ascii  bool
}

func newPiece(text string) *piece {
	p := &piece{text: text, ascii: isASCII(text)}
	p.starts = make([]int32, 0, strings.Count(text, "\n")+1)
	for i := 0; i < len(text); {
		c := text[i]
		i++
		if c != '\n' && c != '\r' {
			continue
		}
		if c == '\r' && i < len(text) && text[i] == '\n' {
			i++
		}
		p.starts = append(p.starts, int32(i))
	}
	return p
}

// line is the n-th line of the piece: its start and its text without line end.
func (p *piece) line(n int) (int, string) {
	start, end := 0, len(p.text)
	if n > 0 {
		start = int(p.starts[n-1])
	}
	if n < len(p.starts) {
		end = int(p.starts[n])
	}
	return start, chomp(p.text[start:end])
}

func chomp(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		s = s[:n-1]
	}
	if n := len(s); n > 0 && s[n-1] == '\r' {
		s = s[:n-1]
	}
	return s
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// closed reports whether a line ends between two neighbouring texts.
func closed(text, next string) bool {
	if text == "" {
		return false
	}
	switch text[len(text)-1] {
	case '\n':
		return true
	case '\r':
		return next != "" && next[0] != '\n' // after an empty text the line end may still go on
	}
	return false
}
