package report

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// tabStop is how far a tab reaches at most in an excerpt.
const tabStop = 4

// columnsOf is how many columns of a terminal a character takes at a column:
// none for combining marks, two for wide ones, and to the next stop for a tab.
func columnsOf(r rune, at int) int {
	switch {
	case r == '\t':
		return tabStop - at%tabStop
	case r == '\u200d' || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.IsControl(r):
		return 1 // shown as a replacement
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cell is one character of an excerpt with the columns it takes.
type cell struct {
	text    string
	columns int
}

// cellsOf prepares a line for a terminal: tabs become blanks, control
// characters what cannot harm, and combining marks stay with the character
// before them. index gives the cell of every character of the line, and of its
// end.
func cellsOf(line string) (cells []cell, index []int) {
	at := 0
	for _, r := range line {
		n := columnsOf(r, at)
		text := string(r)
		switch {
		case r == '\t':
			text = strings.Repeat(" ", n)
		case unicode.IsControl(r):
			text = "�"
		}
		if n == 0 && len(cells) > 0 {
			cells[len(cells)-1].text += text
			index = append(index, len(cells)-1)
			continue
		}
		index = append(index, len(cells))
		cells = append(cells, cell{text, n})
		at += n
	}
	return cells, append(index, len(cells))
}

// window is the part of a line that an excerpt shows: from the first character
// that is not blank, or, when the finding would not fit, from shortly before it.
func window(cells []cell, from, limit int) (first, last int) {
	for first < from && first < len(cells) && strings.TrimSpace(cells[first].text) == "" {
		first++
	}
	if columnsIn(cells[first:min(from+1, len(cells))]) > limit*3/4 {
		room := limit / 4
		for first = from; first > 0 && room > 0; first-- {
			room -= cells[first-1].columns
		}
	}
	last = first
	for room := limit; last < len(cells) && room >= cells[last].columns; last++ {
		room -= cells[last].columns
	}
	return first, last
}

func columnsIn(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.columns
	}
	return n
}

func textOf(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.text)
	}
	return b.String()
}
