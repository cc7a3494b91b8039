package analysis

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// factsOf looks at a chunk's text; it builds no tree but for classes and
// undecorated functions that may be documentation shorthand.
func factsOf(c *irsyntax.Chunk) facts {
	f := facts{chunk: c, head: c.Hash}
	switch c.Kind {
	case irsyntax.FuncChunk:
		if f.kernel = read.MayBeKernel(c); f.kernel {
			f.head, f.soft = headOf(c)
			f.decorated = read.Decorated(c)
		}
	case irsyntax.ClassChunk:
		f.kernel = read.ClassIsProgram(c)
	}
	return f
}

// headOf identifies what callers and ring peers see of a function: its
// decorators and signature; everything when it is soft or sets up a ring.
func headOf(c *irsyntax.Chunk) (hash uint64, soft bool) {
	end := read.HeaderEnd(c.Text)
	head := c.Text[:end]
	decorators, _, _ := strings.Cut(head, "def ")
	soft = strings.Contains(decorators, "nline") || !strings.Contains(head, "->") && returnsValue(c.Text[end:])
	if soft || strings.Contains(c.Text, "reserve_buffer") {
		return c.Hash, soft
	}
	return xxhash.Sum64String(head), false
}

// returnsValue reports whether a body may hold a return with a value, strings
// and comments not told apart.
func returnsValue(body string) bool {
	for {
		_, after, ok := strings.Cut(body, "return")
		if !ok {
			return false
		}
		if rest := strings.TrimLeft(after, " \t"); rest != "" && rest[0] != '\n' && rest[0] != '\r' && rest[0] != '#' {
			return true
		}
		body = after
	}
}
