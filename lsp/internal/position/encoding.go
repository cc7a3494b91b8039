// Package position converts between byte offsets, which everything below the
// server uses, and the lines and columns of LSP. No other package knows about
// position encodings.
//
// Lines end with \n, \r\n or a lone \r (LSP 3.17, "Text Documents"). Columns
// count code units of the negotiated encoding.
package position

import (
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// Position is a line and a column, both from 0.
type Position = protocol.Position

// Range is a pair of positions, the end exclusive.
type Range = protocol.Range

// Encoding is the unit that columns count.
type Encoding uint8

// The encodings of LSP 3.17. UTF16 is the default that every client speaks.
const (
	UTF16 Encoding = iota
	UTF8
	UTF32
)

// String is the name in the protocol.
func (e Encoding) String() string { return [...]string{"utf-16", "utf-8", "utf-32"}[e] }

// Negotiate chooses among the encodings that a client offers in its order of
// preference: utf-8 if it is there, because offsets are columns then; otherwise
// the first that we know; utf-16 when nothing is offered.
func Negotiate(offered []string) Encoding {
	best, found := UTF16, false
	for _, name := range offered {
		switch {
		case name == UTF8.String():
			return UTF8
		case found:
		case name == UTF16.String():
			best, found = UTF16, true
		case name == UTF32.String():
			best, found = UTF32, true
		}
	}
	return best
}

// width is the number of code units of a rune that takes n bytes. A byte that
// is no UTF-8 counts as U+FFFD, so one unit.
func (e Encoding) width(r rune, n int) uint32 {
	switch {
	case e == UTF8:
		return uint32(n)
	case e == UTF16 && r >= 0x10000:
		return 2
	}
	return 1
}

// units counts the code units of s.
func (e Encoding) units(s string) uint32 {
	if e == UTF8 {
		return uint32(len(s))
	}
	var n uint32
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		n += e.width(r, size)
		i += size
	}
	return n
}

// Units counts the code units of s.
func (e Encoding) Units(s string) uint32 { return e.units(s) }

// bytes is the length in bytes of the longest prefix of s of whole characters
// that has at most n code units.
func (e Encoding) bytes(s string, n uint32) int {
	var col uint32
	i := 0
	for i < len(s) && col < n {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if col += e.width(r, size); col > n {
			break
		}
		i += size
	}
	return i
}
