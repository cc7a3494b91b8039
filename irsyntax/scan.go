package irsyntax

import "strings"

// scan finds where strings and logical lines end. The splitter and the lexer
// share it, so that they cannot disagree.
type scan struct {
	src string
	// read is one past the furthest byte a decision has looked at;
	// len(src)+1 when the end of src was looked at.
	read int
	// noNest is the range of offsets where an f-string is known not to close
	// on its line when quotes inside its braces are taken as nested ones.
	noNest [2]int
}

func (s *scan) note(i int) {
	if i > s.read {
		s.read = i
	}
}

// str finds the end of the string literal whose first quote is at q. An
// unterminated one ends at its line's end, or with triple quotes at the
// text's end, and reports false.
func (s *scan) str(q int) (end int, ok bool) {
	src, c := s.src, s.src[q]
	if q+2 < len(src) && src[q+1] == c && src[q+2] == c {
		return tripleEnd(src, q+3, c)
	}
	end, ok = quotedEnd(src, q+1, c)
	if isFString(src, q) && strings.IndexByte(src[q:end], '{') >= 0 && (q < s.noNest[0] || q >= s.noNest[1]) {
		if e, ok := fstringEnd(src, q, 0); ok {
			return e, true
		}
		s.noNest = [2]int{q, lineEnd(src, q)}
	}
	return end, ok
}

func tripleEnd(src string, i int, c byte) (end int, ok bool) {
	for i < len(src) {
		switch src[i] {
		case '\\':
			i++
		case c:
			if i+2 < len(src) && src[i+1] == c && src[i+2] == c {
				return i + 3, true
			}
		}
		i++
	}
	return len(src), false
}

// quotedEnd finds the end of a one-line string whose text starts at i.
// A backslash before a line end continues it.
func quotedEnd(src string, i int, c byte) (end int, ok bool) {
	for i < len(src) {
		switch src[i] {
		case '\\':
			i++
			if i < len(src) {
				i = afterEOL(src, i)
			}
			continue
		case '\n', '\r':
			return i, false
		case c:
			return i + 1, true
		}
		i++
	}
	return len(src), false
}

// isFString reports whether the quote at q has a prefix that makes it an
// f-string or t-string.
func isFString(src string, q int) bool {
	i := q
	for i > 0 && q-i < 3 && isIdent(src[i-1]) {
		i--
	}
	f, r := 0, 0
	for _, c := range []byte(src[i:q]) {
		switch c {
		case 'f', 'F', 't', 'T':
			f++
		case 'r', 'R':
			r++
		default:
			return false
		}
	}
	return f == 1 && r <= 1
}

// maxFNest bounds the nesting of f-strings within f-strings.
const maxFNest = 5

// fstringEnd finds the end of a one-line f-string with quotes inside braces
// taken as nested strings (Python 3.12).
func fstringEnd(src string, q, nest int) (end int, ok bool) {
	if nest > maxFNest {
		return 0, false
	}
	c, i := src[q], q+1
	for i < len(src) {
		switch src[i] {
		case '\\':
			i += 2
			continue
		case '\n', '\r':
			return 0, false
		case c:
			return i + 1, true
		case '{':
			if i+1 < len(src) && src[i+1] == '{' {
				i += 2
				continue
			}
			if i, ok = fieldEnd(src, i+1, nest); !ok {
				return 0, false
			}
			continue
		}
		i++
	}
	return 0, false
}

// fieldEnd finds the end of a replacement field whose expression starts at i.
func fieldEnd(src string, i, nest int) (end int, ok bool) {
	if nest > maxFNest {
		return 0, false
	}
	depth, spec := 0, false
	for i < len(src) {
		switch c := src[i]; c {
		case '\n', '\r':
			return 0, false
		case '\'', '"':
			if spec {
				return 0, false // the quote would end the outer string
			}
			if isFString(src, i) {
				i, ok = fstringEnd(src, i, nest+1)
			} else {
				i, ok = quotedEnd(src, i+1, c)
			}
			if !ok {
				return 0, false
			}
			continue
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '{':
			if spec {
				if i, ok = fieldEnd(src, i+1, nest+1); !ok {
					return 0, false
				}
				continue
			}
			depth++
		case '}':
			if depth <= 0 {
				return i + 1, true
			}
			depth--
		case ':':
			if depth == 0 {
				spec = true
			}
		}
		i++
	}
	return 0, false
}

// logical finds the end of the logical line whose first token is at i and
// whose indentation is col: the start of the next physical line. colon tells
// whether the line's code ends in a colon.
func (s *scan) logical(i, col int) (end int, colon bool) {
	src, first := s.src, i
	depth, closed := 0, 0
	for {
		for i < len(src) && plainByte[src[i]] {
			i++
		}
		if i >= len(src) {
			s.note(len(src) + 1)
			return len(src), endsInColon(src, first, len(src))
		}
		code := i
		switch src[i] {
		case '(', '[', '{':
			depth++
			i++
		case ')', ']', '}':
			depth = max(depth-1, 0)
			i++
		case '\'', '"':
			i, _ = s.str(i)
		case '\\':
			i++
			if i < len(src) {
				if src[i] == '\n' || src[i] == '\r' {
					i = afterEOL(src, i)
				}
			}
		case '#', '\n', '\r':
			i = afterEOL(src, lineEnd(src, i))
			if depth == 0 {
				s.note(i + 1)
				return i, endsInColon(src, first, code)
			}
			if i >= closed {
				var stop bool
				if stop, closed = s.stopsBracket(i, col, depth); stop {
					return i, false
				}
			}
		}
	}
}

func endsInColon(src string, first, end int) bool {
	for end > first && isBlank(src[end-1]) {
		end--
	}
	return end > first && src[end-1] == ':'
}

// Limits of the look ahead for an open bracket's closing one. They keep the
// decision local, so that an edit far below cannot change it.
const (
	lookLines = 100
	lookBytes = 4096
)

// stopsBracket decides for the line starting at i, reached inside depth open
// brackets of a statement indented by col, whether a new statement starts
// there (spec 01 §14). A line that could also continue valid Python stops
// only if the brackets do not close before the next line that cannot;
// closed is the offset before which no line need be looked at again.
func (s *scan) stopsBracket(i, col, depth int) (stop bool, closed int) {
	switch kind, end := bracketLineKind(s.src, i, col); kind {
	case lineHard:
		s.note(end)
		return true, 0
	case lineSoft:
		s.note(end)
		if at, ok := s.closes(i, depth); ok {
			return false, at
		}
		return true, 0
	default:
		s.note(end)
		return false, 0
	}
}

// closes looks whether depth brackets open at the line start i are closed
// before a line that cannot be inside brackets.
func (s *scan) closes(i, depth int) (end int, ok bool) {
	src := s.src
	limit := min(i+lookBytes, len(src))
	for lines := 0; lines < lookLines; {
		for i < limit && plainByte[src[i]] {
			i++
		}
		if i >= limit {
			break
		}
		switch src[i] {
		case '(', '[', '{':
			depth++
			i++
		case ')', ']', '}':
			depth--
			i++
			if depth == 0 {
				s.note(i)
				return i, true
			}
		case '\'', '"':
			i, _ = s.str(i)
		case '\\':
			i++
			if i < len(src) && (src[i] == '\n' || src[i] == '\r') {
				i = afterEOL(src, i)
			}
		default:
			i = afterEOL(src, lineEnd(src, i))
			lines++
			if kind, end := bracketLineKind(src, i, -1); kind == lineHard {
				s.note(end)
				return 0, false
			}
		}
	}
	s.note(i + 1)
	return 0, false
}

// Kinds of lines inside brackets.
const (
	lineInner = iota // continues the brackets
	lineSoft         // may start a statement
	lineHard         // cannot be inside brackets
)

// bracketLineKind classifies the line at i inside the brackets of a statement
// indented by col; end is one past the last byte looked at.
func bracketLineKind(src string, i, col int) (kind, end int) {
	c, _, i := indentAt(src, i)
	if i >= len(src) {
		return lineInner, len(src) + 1
	}
	if src[i] == '@' {
		if i+1 < len(src) && isIdentStart(src[i+1]) {
			return lineSoft, i + 2
		}
		return lineInner, i + 2
	}
	if !isIdentStart(src[i]) {
		return lineInner, i + 1
	}
	w := wordEnd(src, i)
	word := src[i:w]
	j := skipBlanks(src, w)
	if isHardWord(word) || (word == "else" && j < len(src) && src[j] == ':') {
		return lineHard, j + 1
	}
	if c > col {
		return lineInner, j + 1
	}
	switch word {
	case "for", "if":
		return lineSoft, w + 1
	case "pl", "tile", "tensor", "system":
		if w < len(src) && src[w] == '.' {
			return lineSoft, w + 1
		}
	}
	if j < len(src) && (src[j] == '=' || src[j] == ':') && (j+1 >= len(src) || src[j+1] != '=') {
		return lineSoft, j + 2
	}
	return lineInner, j + 2
}

// isHardWord tells the keywords that no bracket can contain.
func isHardWord(w string) bool {
	switch w {
	case "def", "class", "return", "with", "while", "try", "import", "raise", "pass", "break", "continue",
		"del", "global", "nonlocal", "assert", "except", "finally", "elif":
		return true
	}
	return false
}
