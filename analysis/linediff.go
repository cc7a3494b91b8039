package analysis

import (
	"strings"
	"unicode/utf8"

	"pypto-ls/ir"
)

// lineEdits are edits that turn the text before, which begins at offset base,
// into after: only lines that differ, and of a changed line only what differs.
func lineEdits(base int, before, after string) []TextEdit {
	if before == after {
		return nil
	}
	a, b := splitLines(before), splitLines(after)
	var edits []TextEdit
	pos := base
	i, j := 0, 0
	for _, m := range append(matchLines(a, b), [2]int{len(a), len(b)}) {
		edits = append(edits, hunk(pos, a[i:m[0]], b[j:m[1]])...)
		for ; i < m[0]; i++ {
			pos += len(a[i])
		}
		if i < len(a) {
			pos += len(a[i])
		}
		i, j = m[0]+1, m[1]+1
	}
	return edits
}

// splitLines cuts a text into lines with their ends.
func splitLines(s string) []string { return strings.SplitAfter(s, "\n") }

// hunk replaces lines that have no equal: pairwise when there are as many.
func hunk(pos int, a, b []string) []TextEdit {
	if len(a) != len(b) {
		a, b = []string{strings.Join(a, "")}, []string{strings.Join(b, "")}
	}
	var edits []TextEdit
	for i := range a {
		if a[i] != b[i] {
			p, s := common(a[i], b[i])
			edits = append(edits, TextEdit{ir.Span{Start: int32(pos + p), End: int32(pos + len(a[i]) - s)}, b[i][p : len(b[i])-s]})
		}
		pos += len(a[i])
	}
	return edits
}

// common is the length of the common beginning and end, in whole characters.
func common(a, b string) (prefix, suffix int) {
	n := min(len(a), len(b))
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	for prefix > 0 && (prefix < len(a) && !utf8.RuneStart(a[prefix]) || prefix < len(b) && !utf8.RuneStart(b[prefix])) {
		prefix--
	}
	for suffix < n-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	for suffix > 0 && !utf8.RuneStart(a[len(a)-suffix]) {
		suffix--
	}
	return prefix, suffix
}

// maxDiff bounds the work of matching: lines times lines.
const maxDiff = 1 << 22

// matchLines pairs equal lines: a longest common subsequence, or, of long
// texts, the equal beginning and end.
func matchLines(a, b []string) [][2]int {
	var out [][2]int
	p := 0
	for p < len(a) && p < len(b) && a[p] == b[p] {
		out = append(out, [2]int{p, p})
		p++
	}
	s := 0
	for s < len(a)-p && s < len(b)-p && a[len(a)-1-s] == b[len(b)-1-s] {
		s++
	}
	x, y := a[p:len(a)-s], b[p:len(b)-s]
	if len(x)*len(y) <= maxDiff {
		for _, m := range longestCommon(x, y) {
			out = append(out, [2]int{m[0] + p, m[1] + p})
		}
	}
	for k := s; k > 0; k-- {
		out = append(out, [2]int{len(a) - k, len(b) - k})
	}
	return out
}

func longestCommon(a, b []string) [][2]int {
	w := len(b) + 1
	best := make([]int32, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i*w+j] = best[(i+1)*w+j+1] + 1
			} else {
				best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, [2]int{i, j})
			i++
			j++
		case best[(i+1)*w+j] >= best[i*w+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
