package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// commentQueue hands comments to statements by the rules of spec 01 §11.
type commentQueue struct {
	tree  *irsyntax.Tree
	next  int       // first pending comment token
	extra []pending // docstring lines and re-queued comments, before the tokens
}

type pending struct {
	text string
	col  int32
	at   int32
}

func (q *commentQueue) init(t *irsyntax.Tree) { q.tree = t }

func (q *commentQueue) none() bool {
	return q.tree == nil || len(q.extra) == 0 && q.next >= len(q.tree.Comments)
}

func (q *commentQueue) skipTo(off int32) {
	for q.tree != nil && q.next < len(q.tree.Comments) && q.tree.Comments[q.next].Start < off {
		c := q.tree.Comments[q.next]
		// Comments between the header and the first statement belong to it.
		if c.OwnLine && c.Start > headerEnd(q.tree) {
			return
		}
		q.next++
	}
}

// headerEnd is the end of the `def` header: the start of its body's line.
func headerEnd(t *irsyntax.Tree) int32 {
	p := partsOf(t.Root())
	if !p.body.Ok() {
		return 0
	}
	end := p.params.End()
	if p.returns.Ok() && !p.returns.IsEmpty() {
		end = p.returns.End()
	}
	return end
}

// commentText is the text of a comment token as the IR keeps it.
func commentText(t *irsyntax.Tree, c irsyntax.Comment) string {
	s := t.Text[c.Start:c.End]
	s = strings.TrimPrefix(s, "#")
	return strings.TrimPrefix(s, " ")
}

// lineEnd is the offset of the end of the line that off is on.
func lineEnd(text string, off int32) int32 {
	if i := strings.IndexByte(text[off:], '\n'); i >= 0 {
		return off + int32(i)
	}
	return int32(len(text))
}

// take removes the pending comments that end at or before limit and satisfy
// keep.
func (q *commentQueue) take(limit int32, keep func(col, at int32) bool) []string {
	var out []string
	var rest []pending
	for _, p := range q.extra {
		if p.at <= limit && keep(p.col, p.at) {
			out = append(out, p.text)
		} else {
			rest = append(rest, p)
		}
	}
	q.extra = rest
	for q.next < len(q.tree.Comments) && q.tree.Comments[q.next].Start < limit {
		c := q.tree.Comments[q.next]
		q.next++
		if keep(c.Col, c.Start) {
			out = append(out, commentText(q.tree, c))
		} else {
			q.extra = append(q.extra, pending{commentText(q.tree, c), c.Col, c.Start})
		}
	}
	return out
}

func always(int32, int32) bool { return true }

// simple: all pending comments up to the end of the statement's last line.
func (q *commentQueue) simple(r *reader, s irsyntax.Ref) []string {
	if q.none() {
		return nil
	}
	return q.take(lineEnd(q.tree.Text, s.End()), always)
}

// compound: comments on the header's lines and shallower earlier ones.
func (q *commentQueue) compound(r *reader, s irsyntax.Ref, headEnd int32, body irsyntax.Ref) []string {
	if q.none() {
		return nil
	}
	bodyCol := column(q.tree.Text, body)
	return q.take(lineEnd(q.tree.Text, headEnd), func(col, at int32) bool { return at >= s.Start() || col < bodyCol })
}

func column(text string, n irsyntax.Ref) int32 {
	if !n.Ok() {
		return 0
	}
	first := n.First()
	if !first.Ok() {
		first = n
	}
	start := strings.LastIndexByte(text[:first.Start()], '\n') + 1
	return int32(len([]rune(text[start:first.Start()])))
}

func (q *commentQueue) enter(b irsyntax.Ref) {}

// between drops deeper comments before the second and later statements.
func (q *commentQueue) between(r *reader, s irsyntax.Ref) {
	if q.none() {
		return
	}
	col := columnOf(q.tree.Text, s.Start())
	lineStart := int32(strings.LastIndexByte(q.tree.Text[:s.Start()], '\n') + 1)
	q.drop(r, lineStart, func(c, at int32) bool { return c > col })
}

func columnOf(text string, off int32) int32 {
	start := strings.LastIndexByte(text[:off], '\n') + 1
	return int32(len([]rune(text[start:off])))
}

// leave drops the tail comments of a block that ended.
func (q *commentQueue) leave(r *reader, b irsyntax.Ref, end int32) {
	if q.none() || !b.First().Ok() {
		return
	}
	col := column(q.tree.Text, b)
	first := b.First().Start()
	q.drop(r, lineEnd(q.tree.Text, min(end, int32(len(q.tree.Text)))), func(c, at int32) bool { return c >= col && at >= first })
}

func (q *commentQueue) leaveThen(r *reader, b irsyntax.Ref, end int32, els irsyntax.Ref) {
	if q.none() || !b.First().Ok() {
		return
	}
	if els.IsEmpty() {
		q.leave(r, b, b.End())
		return
	}
	col := column(q.tree.Text, b)
	first := b.First().Start()
	limit := end
	if i := strings.LastIndex(q.tree.Text[b.End():end], "else"); i >= 0 {
		limit = b.End() + int32(i)
	}
	q.drop(r, limit, func(c, at int32) bool { return c >= col && at >= first && at < b.End() })
}

func (q *commentQueue) drop(r *reader, limit int32, which func(col, at int32) bool) {
	first := q.firstPending()
	dropped, lines := q.takeLines(limit, which)
	if len(dropped) == 0 {
		return
	}
	shown := ""
	for i, text := range dropped {
		if i == 3 {
			shown += ", … (+" + itoa(int64(len(dropped)-3)) + " more)"
			break
		}
		if i > 0 {
			shown += ", "
		}
		shown += "line " + itoa(int64(lines[i])) + ": '" + text + "'"
	}
	r.warn(first, "Dropped "+itoa(int64(len(dropped)))+" tail-of-block comment(s): "+shown+". Tail-of-block comments are not preserved in IR; move them above a statement or into the outer scope to retain them.", "")
}

// firstPending is where the first pending comment stands.
func (q *commentQueue) firstPending() ir.Span {
	if q.next < len(q.tree.Comments) {
		c := q.tree.Comments[q.next]
		return ir.Span{Start: c.Start, End: c.End}
	}
	return ir.Span{}
}

// takeLines is take with the lines, from 1, on which the comments stand.
func (q *commentQueue) takeLines(limit int32, keep func(col, at int32) bool) (texts []string, lines []int) {
	texts = q.take(limit, func(col, at int32) bool {
		if !keep(col, at) {
			return false
		}
		lines = append(lines, 1+strings.Count(q.tree.Text[:at], "\n"))
		return true
	})
	return texts, lines
}

// docstring turns a bare string statement into comments of the next statement.
func (q *commentQueue) docstring(r *reader, s irsyntax.Ref) {
	if q.tree == nil {
		return
	}
	pre := q.simple(r, s)
	text, ok := stringValue(s.First().Text())
	if !ok {
		return
	}
	at := s.End()
	col := columnOf(q.tree.Text, s.Start())
	for _, p := range pre {
		q.extra = append(q.extra, pending{p, col, at})
	}
	for _, l := range strings.Split(text, "\n") {
		q.extra = append(q.extra, pending{l, col, at})
	}
}

// requeue hands the comments of a statement without node to the next one.
func (q *commentQueue) requeue(r *reader, s irsyntax.Ref) {
	if q.none() {
		return
	}
	col := columnOf(q.tree.Text, s.Start())
	for _, p := range q.simple(r, s) {
		q.extra = append(q.extra, pending{p, col, s.End()})
	}
}
