package irsyntax

import "strings"

// Limits of nesting. Deeper text is an error and skipped, so that neither the
// parser nor readers of the tree can run out of stack.
const (
	// maxDepth bounds brackets, prefix operators and blocks within each other.
	maxDepth = 200
	// maxChain is how long a chain of postfix or left-associative operators
	// may be for free; maxExcess how many more a logical line may have.
	maxChain  = 64
	maxExcess = 5000
)

const msgTooDeep = "nesting too deep"

// parser builds the tree of one chunk. Expressions are parsed by precedence,
// statements by recursive descent; indentation is handled line by line.
type parser struct {
	src   string
	nodes []Node

	// The current token and the end of the one before.
	tok        token
	op         Op // of tAug
	start, end int
	prevEnd    int
	pos        int // where the next token is looked for

	brackets []int32 // open brackets in the current logical line
	closed   int     // no line before this offset can end the brackets
	col, alt int     // columns of the current logical line
	depth    int
	excess   int
	annBase  int // open brackets around the annotation being read, -1 outside of one

	// Errors of the current logical line: only the first is recorded.
	noted    bool  // an error is recorded
	vague    bool  // it is a plain "invalid syntax"
	failed   bool  // the rest of the line was skipped
	broken   Flags // FlagBroken once noted
	junk     span  // what was skipped
	junkDone bool  // an ErrorNode covers it
	orphans  bool  // the line before failed and ended in a colon

	scan     scan
	comments []Comment
	errors   []Error
	markers  []marker
	seqOpen  int // open "SeqStmts [" markers
	lenient  bool
}

type span struct{ start, end int }

// kids collects the children of a node to be.
type kids struct{ first, last int32 }

func (p *parser) link(k *kids, n int32) {
	if k.first == 0 {
		k.first = n
	} else {
		p.nodes[k.last].Next = n
	}
	k.last = n
}

// add appends a node without children.
func (p *parser) add(k Kind, start, end int) int32 {
	p.nodes = append(p.nodes, Node{Kind: k, Flags: p.broken, Start: int32(start), End: int32(end)})
	return int32(len(p.nodes) - 1)
}

// node appends a node that ends with the last token read. It is empty, at that
// token's end, if nothing was read since start.
func (p *parser) node(k Kind, op Op, start int, first int32) int32 {
	p.nodes = append(p.nodes, Node{
		Kind: k, Op: op, Flags: p.broken, Start: int32(min(start, p.prevEnd)), End: int32(p.prevEnd), First: first,
	})
	return int32(len(p.nodes) - 1)
}

// node2 is node with two children.
func (p *parser) node2(k Kind, op Op, start int, a, b int32) int32 {
	p.nodes[a].Next = b
	return p.node(k, op, start, a)
}

func (p *parser) empty() int32 { return p.add(Empty, p.prevEnd, p.prevEnd) }

// note records an error and goes on.
func (p *parser) note(start, end int, msg string) {
	p.broken = FlagBroken
	if p.noted {
		return
	}
	p.noted = true
	p.errors = append(p.errors, Error{int32(start), int32(end), msg})
}

// misplaced records that the current line's indentation is wrong, which says
// nothing about its statement.
func (p *parser) misplaced(msg string) {
	if !p.noted {
		p.noted = true
		p.errors = append(p.errors, Error{int32(p.start), int32(p.end), msg})
	}
}

// lexical records an error of the lexer. It says more than an "invalid syntax"
// before it on the line, which may be due to it.
func (p *parser) lexical(start, end int, msg string) {
	if p.vague {
		p.vague = false
		p.errors[len(p.errors)-1] = Error{int32(start), int32(end), msg}
		return
	}
	p.note(start, end, msg)
}

// fail records an error and skips the rest of the logical line, so that the
// current token becomes tNewline or tEOF and every caller comes to its end.
func (p *parser) fail(start, end int, msg string) {
	p.vague = !p.noted && strings.HasPrefix(msg, "invalid syntax")
	p.note(start, end, msg)
	if p.failed {
		return
	}
	p.failed = true
	prev := p.prevEnd
	p.junk = span{start, end}
	if p.atLineEnd() {
		p.junk = span{prev, prev}
	}
	for p.tok != tNewline && p.tok != tEOF {
		p.junk.end = max(p.junk.end, p.end)
		p.next()
	}
	p.prevEnd, p.start = prev, p.junk.start
	if n := len(p.brackets); n > 0 && p.vague {
		open := int(p.brackets[n-1])
		p.lexical(open, open+1, "'"+p.src[open:open+1]+"' was never closed")
	}
	p.vague = false
}

// unexpected fails at the current token.
func (p *parser) unexpected() {
	p.fail(p.start, p.end, "invalid syntax")
}

// errorNode is the node that stands for an expression that is not there.
func (p *parser) errorNode() int32 {
	if p.failed && !p.junkDone {
		p.junkDone = true
		p.prevEnd = max(p.prevEnd, p.junk.end)
		return p.add(ErrorNode, p.junk.start, p.junk.end)
	}
	return p.add(ErrorNode, p.prevEnd, p.prevEnd)
}

// enter counts a level of nesting; false means too deep, with the rest of the
// line skipped.
func (p *parser) enter() bool {
	p.depth++
	if p.depth <= maxDepth {
		return true
	}
	p.fail(p.start, p.end, msgTooDeep)
	return false
}

func (p *parser) leave() { p.depth-- }

// chain counts the n-th link of a chain; false means too long.
func (p *parser) chain(n int) bool {
	if n <= maxChain {
		return true
	}
	p.excess++
	if p.excess <= maxExcess {
		return true
	}
	p.fail(p.start, p.end, msgTooDeep)
	return false
}

// accept reads the token t if it is the current one.
func (p *parser) accept(t token) bool {
	if p.tok != t {
		return false
	}
	p.next()
	return true
}

// startLine moves to the first token of the next logical line, over blank
// lines and comments.
func (p *parser) startLine() {
	src, i := p.src, p.pos
	p.orphans = p.failed && p.junk.end > 0 && src[p.junk.end-1] == ':'
	p.noted, p.failed, p.junkDone, p.broken, p.excess, p.annBase = false, false, false, 0, 0, -1
	p.junk = span{}
	p.brackets, p.closed = p.brackets[:0], 0
	for {
		var first int
		p.col, p.alt, first = indentAt(src, i)
		if first >= len(src) {
			p.set(tEOF, len(src), len(src))
			p.col = -1
			return
		}
		switch src[first] {
		case '#':
			e := lineEnd(src, first)
			p.comment(first, e, true)
			p.marker(first, e)
			i = afterEOL(src, e)
			continue
		case '\n', '\r':
			i = afterEOL(src, first)
			continue
		}
		end := p.end
		if src[first] == '@' { // a decorator, even before "="
			p.set(tAt, first, first+1)
		} else {
			p.pos = first
			p.next()
			if p.failed { // a bad first token is a statement of its own
				p.tok = tBad
			}
		}
		p.prevEnd = end
		return
	}
}

// parseChunk builds a chunk's tree.
func parseChunk(c *Chunk) *Tree {
	if c.flags&chunkTooLarge != 0 {
		return &Tree{Text: c.Text, Nodes: []Node{{Kind: Block}}, Errors: []Error{{Msg: "file too large"}}}
	}
	p := &parser{src: c.Text, nodes: make([]Node, 1, estimateNodes(c)), lenient: c.Kind == SnippetChunk, annBase: -1}
	p.scan.src = c.Text
	p.startLine()
	if c.flags&chunkMisindented != 0 {
		p.misplaced("unindent does not match any outer indentation level")
	}
	var root int32
	switch c.Kind {
	case FuncChunk, ClassChunk:
		root = p.definition(true, c.flags&chunkNoBody != 0)
	default:
		root = p.rootBlock(c.Kind)
	}
	p.nodes[0] = p.nodes[root]
	if int(root) == len(p.nodes)-1 {
		p.nodes = p.nodes[:root]
	}
	p.nodes[0].Next = 0
	return &Tree{Text: c.Text, Nodes: clip(p.nodes), Comments: p.comments, Errors: p.errors}
}

// estimateNodes guesses the number of nodes of a text from its punctuation. It
// is up to 16 % too high on dumps, 15 to 26 % on what people write, where most
// brackets are lists and not types.
func estimateNodes(c *Chunk) int {
	n := func(b string) int { return strings.Count(c.Text, b) }
	lists := n(" [") + n("([")
	guess := 2*(n(".")+n("(")+n("=")) + 3*(n("[")-lists+int(c.lines)) + lists + n(",") + 8
	return guess + guess/32
}

// clip gives back unused memory when there is much of it.
func clip(nodes []Node) []Node {
	if cap(nodes)-len(nodes) <= len(nodes)/4 {
		return nodes
	}
	return append(make([]Node, 0, len(nodes)), nodes...)
}
