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
			f.head = headHash(c)
			f.decorated = read.Decorated(c)
		}
	case irsyntax.ClassChunk:
		f.kernel = read.ClassIsProgram(c)
	}
	return f
}

// headHash identifies what callers and ring peers see of a function: its
// decorators and signature; everything when return types are inferred from
// the body, the body is spliced into callers, or it sets up a ring.
func headHash(c *irsyntax.Chunk) uint64 {
	head := c.Text[:read.HeaderEnd(c.Text)]
	if !strings.Contains(head, "->") || strings.Contains(head, "nline") || strings.Contains(c.Text, "reserve_buffer") {
		return c.Hash
	}
	return xxhash.Sum64String(head)
}
