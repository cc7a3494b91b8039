package prelude

import (
	"strconv"
	"strings"
)

// names makes the names of fresh variables. They share memory: a function has
// hundreds of them, of a few letters each.
type names struct{ text strings.Builder }

// newNames makes names with room for n of them.
func newNames(n int) *names {
	const letters = 12
	s := &names{}
	s.text.Grow(letters * n)
	return s
}

// numbered is the parts of a name with a number behind them.
func (n *names) numbered(number int, parts ...string) string {
	start := n.text.Len()
	for _, p := range parts {
		n.text.WriteString(p)
	}
	n.text.WriteString(strconv.Itoa(number))
	return n.text.String()[start:]
}
