package wire

import (
	"bytes"
	"errors"
)

// The scanner checks JSON in one pass without recursion and without allocating,
// and finds the members of objects. It accepts exactly what RFC 8259 accepts,
// up to the nesting limit (a test compares it with encoding/json).

var (
	errSyntax = errors.New("invalid JSON")
	errDepth  = errors.New("JSON nested too deeply")
)

func skipSpace(d []byte, i int) int {
	for i < len(d) && (d[i] == ' ' || d[i] == '\t' || d[i] == '\n' || d[i] == '\r') {
		i++
	}
	return i
}

// scanString returns the offset after the string that starts at d[i].
func scanString(d []byte, i int) (int, error) {
	if i >= len(d) || d[i] != '"' {
		return i, errSyntax
	}
	for i++; i < len(d); i++ {
		switch c := d[i]; {
		case c == '"':
			return i + 1, nil
		case c < 0x20:
			return i, errSyntax
		case c == '\\':
			i++
			if i >= len(d) {
				return i, errSyntax
			}
			switch d[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if i+4 >= len(d) || !isHex(d[i+1]) || !isHex(d[i+2]) || !isHex(d[i+3]) || !isHex(d[i+4]) {
					return i, errSyntax
				}
				i += 4
			default:
				return i, errSyntax
			}
		}
	}
	return i, errSyntax
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'f'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func digits(d []byte, i int) int {
	for i < len(d) && isDigit(d[i]) {
		i++
	}
	return i
}

func scanNumber(d []byte, i int) (int, error) {
	if d[i] == '-' {
		i++
	}
	start := i
	if i = digits(d, i); i == start || d[start] == '0' && i > start+1 {
		return i, errSyntax
	}
	if i < len(d) && d[i] == '.' {
		start = i + 1
		if i = digits(d, start); i == start {
			return i, errSyntax
		}
	}
	if i < len(d) && lower(d[i]) == 'e' {
		i++
		if i < len(d) && (d[i] == '+' || d[i] == '-') {
			i++
		}
		start = i
		if i = digits(d, i); i == start {
			return i, errSyntax
		}
	}
	return i, nil
}

// scanScalar scans a string, number or literal.
func scanScalar(d []byte, i int) (int, error) {
	switch c := d[i]; {
	case c == '"':
		return scanString(d, i)
	case c == '-' || isDigit(c):
		return scanNumber(d, i)
	}
	for _, lit := range [...]string{"null", "true", "false"} {
		if bytes.HasPrefix(d[i:], []byte(lit)) {
			return i + len(lit), nil
		}
	}
	return i, errSyntax
}

// scanValue returns the offset after the value that starts at or after d[i].
func scanValue(d []byte, i, maxDepth int) (int, error) {
	var room [64]byte
	open := room[:0] // '{' or '[' of every container we are in
	var err error
	for {
		if i = skipSpace(d, i); i >= len(d) {
			return i, errSyntax
		}
		empty := false
		if c := d[i]; c == '{' || c == '[' {
			if len(open) >= maxDepth {
				return i, errDepth
			}
			open = append(open, c)
			i = skipSpace(d, i+1)
			if empty = i < len(d) && d[i] == c+2; !empty {
				if c == '{' {
					if i, err = scanKey(d, i); err != nil {
						return i, err
					}
				}
				continue
			}
		} else if i, err = scanScalar(d, i); err != nil {
			return i, err
		}
		// A value is complete (or an empty container is about to be closed).
		for {
			if len(open) == 0 {
				return i, nil
			}
			if i = skipSpace(d, i); i >= len(d) {
				return i, errSyntax
			}
			top := open[len(open)-1]
			if d[i] == top+2 { // '{'+2 == '}', '['+2 == ']'
				open, i, empty = open[:len(open)-1], i+1, false
				continue
			}
			if empty || d[i] != ',' {
				return i, errSyntax
			}
			i = skipSpace(d, i+1)
			if top == '{' {
				if i, err = scanKey(d, i); err != nil {
					return i, err
				}
			}
			break
		}
	}
}

// scanKey scans `"key" :` and returns the offset after the colon.
func scanKey(d []byte, i int) (int, error) {
	i, err := scanString(d, i)
	if err != nil {
		return i, err
	}
	if i = skipSpace(d, i); i >= len(d) || d[i] != ':' {
		return i, errSyntax
	}
	return i + 1, nil
}

// eachMember calls f with every key (still quoted) and value of the object d.
// d must have been scanned before.
func eachMember(d []byte, f func(key, value []byte)) {
	i := skipSpace(d, 0)
	if i >= len(d) || d[i] != '{' {
		return
	}
	for i = skipSpace(d, i+1); i < len(d) && d[i] == '"'; i = skipSpace(d, i) {
		k := skipString(d, i)
		v := skipSpace(d, skipSpace(d, k)+1)
		end := skipValue(d, v)
		if end <= v {
			return
		}
		f(d[i:k], d[v:end])
		if i = skipSpace(d, end); i < len(d) && d[i] == ',' {
			i = skipSpace(d, i+1)
		}
	}
}

// eachElement calls f with every element of the array d, scanned before.
func eachElement(d []byte, f func(value []byte)) {
	i := skipSpace(d, 0)
	if i >= len(d) || d[i] != '[' {
		return
	}
	for i = skipSpace(d, i+1); i < len(d) && d[i] != ']'; i = skipSpace(d, i) {
		end := skipValue(d, i)
		if end <= i {
			return
		}
		f(d[i:end])
		if i = skipSpace(d, end); i < len(d) && d[i] == ',' {
			i = skipSpace(d, i+1)
		}
	}
}

// skipString and skipValue step over values that have been scanned before; they
// look at little, so that finding a member costs no second scan of a text.
func skipString(d []byte, i int) int {
	for i++; i < len(d); {
		n := bytes.IndexByte(d[i:], '"')
		if n < 0 {
			break
		}
		i += n
		slashes := 0
		for d[i-1-slashes] == '\\' { // stops at the opening quote
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i
		}
	}
	return len(d)
}

func skipValue(d []byte, i int) int {
	depth := 0
	for i < len(d) {
		switch d[i] {
		case '"':
			i = skipString(d, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			for i < len(d) && !bytes.ContainsRune([]byte(",:]} \t\n\r"), rune(d[i])) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return i
}
