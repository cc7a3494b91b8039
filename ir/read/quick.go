package read

import (
	"strings"

	"pypto-ls/irsyntax"
)

// The functions of this file look at a chunk's text only: they serve a whole
// document on every version, where building trees would cost too much.

// MayBeKernel reports whether a function chunk is a kernel function (see
// IsKernelFunc). It asks the tree only for undecorated functions that might be
// documentation shorthand.
func MayBeKernel(c *irsyntax.Chunk) bool {
	rest := c.Text
	decorated := false
	for {
		rest = skipLines(rest)
		after, ok := strings.CutPrefix(rest, "@")
		if !ok {
			break
		}
		decorated = true
		name := after[:dottedEnd(after)]
		last := name[strings.LastIndexByte(name, '.')+1:]
		switch last {
		case "function", "inline", "jit":
			return true
		case "host", "incore", "opaque":
			if strings.HasSuffix(name, "jit."+last) {
				return true
			}
		}
		rest = after[logicalLine(after):]
	}
	if decorated || !strings.Contains(c.Text, "Tensor[") && !strings.Contains(c.Text, "Tile[") {
		return false
	}
	return IsKernelFunc(c, false)
}

// skipLines drops blank lines, comment lines and indentation.
func skipLines(s string) string {
	for {
		s = strings.TrimLeft(s, " \t\r\n\f")
		if !strings.HasPrefix(s, "#") {
			return s
		}
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			return ""
		}
		s = s[i+1:]
	}
}

func dottedEnd(s string) int {
	i := 0
	for i < len(s) && (s[i] == '.' || s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 0x80) {
		i++
	}
	return i
}

// logicalLine is the length of the first logical line of s: up to a line end
// outside brackets and strings.
func logicalLine(s string) int { return scanCode(s, func(c byte) bool { return c == '\n' }) }

// scanCode finds the first byte at bracket depth 0, outside strings and
// comments, that stop accepts; len(s) when there is none.
func scanCode(s string, stop func(c byte) bool) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '#':
			j := strings.IndexByte(s[i:], '\n')
			if j < 0 {
				return len(s)
			}
			i += j - 1
		case '"', '\'':
			i = stringEnd(s, i)
		default:
			if depth <= 0 && stop(c) {
				return i
			}
		}
	}
	return len(s)
}

// stringEnd is the index of the last byte of the string literal at i.
func stringEnd(s string, i int) int {
	q := s[i : i+1]
	if triple := q + q + q; strings.HasPrefix(s[i:], triple) {
		if j := strings.Index(s[i+3:], triple); j >= 0 {
			return i + 3 + j + 2
		}
		return len(s)
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '\n':
			return j - 1
		case q[0]:
			return j
		}
	}
	return len(s)
}

// Decorated reports whether a function chunk starts with a decorator; only
// decorated methods are functions of a program.
func Decorated(c *irsyntax.Chunk) bool {
	return strings.HasPrefix(skipLines(c.Text), "@")
}

// ClassIsProgram reports whether a class chunk is decorated as a program.
func ClassIsProgram(c *irsyntax.Chunk) bool { return classIsProgram(c) }

// HeaderEnd is the offset just past the colon that ends the `def` header, the
// text's length when there is none.
func HeaderEnd(text string) int {
	i := 0
	for {
		rest := skipLines(text[i:])
		i = len(text) - len(rest)
		if !strings.HasPrefix(rest, "@") {
			break
		}
		i += logicalLine(rest)
	}
	j := scanCode(text[i:], func(c byte) bool { return c == ':' })
	return min(i+j+1, len(text))
}
