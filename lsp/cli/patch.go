package cli

import (
	"fmt"
	"strings"
)

// contextLines stand around each change of a patch.
const contextLines = 3

// unifiedDiff is a patch that turns before into after, "" when they are equal.
// `patch -p1` and `git apply` take it.
func unifiedDiff(name, before, after string) string {
	if before == after {
		return ""
	}
	a, b := linesOf(before), linesOf(after)
	var out strings.Builder
	fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n", name, name)
	for _, h := range hunks(changes(a, b), len(a)) {
		h.write(&out, a, b)
	}
	return out.String()
}

// linesOf cuts a text into lines with their ends.
func linesOf(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// change replaces the lines [a0, a1) of the old text by [b0, b1) of the new one.
type change struct{ a0, a1, b0, b1 int }

// maxEdits bounds the search for a short patch, in lines added and removed;
// texts that differ more are replaced from the first difference to the last.
const maxEdits = 2000

// changes finds a shortest list of changes (Myers, "An O(ND) Difference
// Algorithm").
func changes(a, b []string) []change {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	trace, d := search(x, y)
	if d < 0 {
		return []change{{head, len(a) - tail, head, len(b) - tail}}
	}
	return backtrack(trace, d, x, y, head)
}

// search records, for each number of edits, the furthest points on every
// diagonal; -1 edits when there would be too many.
func search(x, y []string) (trace [][]int, edits int) {
	n, m := len(x), len(y)
	limit := min(n+m, maxEdits)
	v := make([]int, 2*limit+3)
	at := limit + 1 // index of diagonal 0
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), v[at-d-1:at+d+2]...))
		for k := -d; k <= d; k += 2 {
			i := v[at+k-1] + 1
			if k == -d || k != d && v[at+k-1] < v[at+k+1] {
				i = v[at+k+1]
			}
			for i < n && i-k < m && x[i] == y[i-k] {
				i++
			}
			v[at+k] = i
			if i >= n && i-k >= m {
				return trace, d
			}
		}
	}
	return nil, -1
}

// backtrack walks the trace from the end and joins neighbouring edits.
func backtrack(trace [][]int, d int, x, y []string, head int) []change {
	var out []change // from the end
	k := len(x) - len(y)
	for ; d > 0; d-- {
		v := func(k int) int { return trace[d][k+d+1] }
		down := k == -d || k != d && v(k-1) < v(k+1)
		from := k - 1
		if down {
			from = k + 1
		}
		pi := v(from)
		pj := pi - from
		c := change{pi + head, pi + head, pj + head, pj + head}
		if down {
			c.b1++
		} else {
			c.a1++
		}
		if last := len(out) - 1; last >= 0 && out[last].a0 == c.a1 && out[last].b0 == c.b1 {
			out[last].a0, out[last].b0 = c.a0, c.b0
		} else {
			out = append(out, c)
		}
		k = from
	}
	for l, r := 0, len(out)-1; l < r; l, r = l+1, r-1 {
		out[l], out[r] = out[r], out[l]
	}
	return out
}

// patchHunk is a run of changes with the lines around them.
type patchHunk struct {
	change
	list []change
}

// hunks puts changes together that are near each other.
func hunks(list []change, lines int) []patchHunk {
	var out []patchHunk
	for _, c := range list {
		lead := min(contextLines, c.a0)
		if n := len(out); n > 0 && c.a0-lead <= out[n-1].a1 {
			h := &out[n-1]
			h.list = append(h.list, c)
			h.a1, h.b1 = min(c.a1+contextLines, lines), c.b1+min(contextLines, lines-c.a1)
			continue
		}
		trail := min(contextLines, lines-c.a1)
		out = append(out, patchHunk{change{c.a0 - lead, c.a1 + trail, c.b0 - lead, c.b1 + trail}, []change{c}})
	}
	return out
}

func (h *patchHunk) write(out *strings.Builder, a, b []string) {
	fmt.Fprintf(out, "@@ -%s +%s @@\n", rangeText(h.a0, h.a1), rangeText(h.b0, h.b1))
	at := h.a0
	for _, c := range h.list {
		writeLines(out, " ", a[at:c.a0])
		writeLines(out, "-", a[c.a0:c.a1])
		writeLines(out, "+", b[c.b0:c.b1])
		at = c.a1
	}
	writeLines(out, " ", a[at:h.a1])
}

// rangeText is a range of lines as patches write it.
func rangeText(from, to int) string {
	switch to - from {
	case 1:
		return fmt.Sprint(from + 1)
	case 0:
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func writeLines(out *strings.Builder, sign string, lines []string) {
	for _, l := range lines {
		out.WriteString(sign)
		out.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
