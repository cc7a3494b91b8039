package irsyntax

import "sync/atomic"

// lazyTree caches a chunk's tree. Losing a race parses twice, which is
// harmless: both trees are equal.
type lazyTree struct{ p atomic.Pointer[Tree] }

// Tree is the chunk's syntax tree, parsed on first use.
func (c *Chunk) Tree() *Tree {
	if t := c.lazy.p.Load(); t != nil {
		return t
	}
	t := parseChunk(c)
	c.lazy.p.Store(t)
	return t
}

// Release drops the cached tree; the next Tree parses again. It bounds memory
// for large files.
func (c *Chunk) Release() { c.lazy.p.Store(nil) }

// HasTree reports whether the tree is cached.
func (c *Chunk) HasTree() bool { return c.lazy.p.Load() != nil }
