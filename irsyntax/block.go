package irsyntax

import "strings"

// marker is a documentation structure marker that is waiting for its block.
type marker struct {
	node int32
	col  int
}

// marker looks whether the own-line comment [i, end) is a structure marker
// (spec 01 §13): `# SeqStmts [`, and after one `# ]` and `# ReturnStmt [x]`.
func (p *parser) marker(i, end int) {
	text := strings.TrimSpace(p.src[i+1 : end])
	switch {
	case text == "SeqStmts [":
		p.seqOpen++
		p.addMarker(OpSeqOpen, i, end, 0)
	case p.seqOpen == 0:
	case text == "]":
		p.seqOpen--
		p.addMarker(OpSeqClose, i, end, 0)
	case strings.HasPrefix(text, "ReturnStmt [") && strings.HasSuffix(text, "]"):
		p.returnMarker(i, end)
	}
}

func (p *parser) addMarker(op Op, i, end int, first int32) {
	n := p.add(Marker, i, end)
	p.nodes[n].Op, p.nodes[n].First = op, first
	p.markers = append(p.markers, marker{n, p.col})
}

// returnMarker parses the values between the brackets. The text is parsed as
// if it stood alone; a malformed one is an ordinary comment.
func (p *parser) returnMarker(i, end int) {
	open := i + strings.IndexByte(p.src[i:end], '[')
	sub := &parser{src: p.src[:end], nodes: p.nodes, depth: maxDepth - 8, annBase: -1}
	sub.scan.src = sub.src
	sub.pos = open
	sub.next()
	list := sub.list()
	if len(sub.errors) > 0 || sub.tok != tEOF {
		p.nodes = sub.nodes[:len(p.nodes)]
		return
	}
	p.nodes = sub.nodes
	p.addMarker(OpReturnStmt, i, end, p.nodes[list].First)
}

// flushMarkers puts the markers that stand at col or deeper into the block k.
func (p *parser) flushMarkers(k *kids, col int) {
	if len(p.markers) == 0 {
		return
	}
	rest := p.markers[:0]
	for _, m := range p.markers {
		if m.col >= col {
			p.link(k, m.node)
		} else {
			rest = append(rest, m)
		}
	}
	p.markers = rest
}

// rootBlock parses a chunk that is a block itself.
func (p *parser) rootBlock(kind ChunkKind) int32 {
	if kind == ModuleChunk && p.col > 0 {
		p.misplaced("unexpected indent")
	}
	return p.lines(-1, p.col)
}

// block parses the block of a compound statement whose header stands at col
// and has been read up to and with its colon, or has failed. what names the
// statement for the message. root: everything up to the chunk's end belongs
// to the block.
func (p *parser) block(col int, what string, root bool) int32 {
	if !p.atLineEnd() {
		return p.inlineBlock(root)
	}
	failed, at := p.noted, p.prevEnd
	p.startLine()
	if root {
		return p.rootBody(col, what, failed, at)
	}
	if p.col <= col {
		if !failed {
			p.errors = append(p.errors, Error{int32(at), int32(at), "expected an indented block after " + what})
		}
		return p.add(Block, at, at)
	}
	if !p.enter() {
		p.leave()
		return p.skipBlock(col)
	}
	b := p.lines(col, p.col)
	p.leave()
	return b
}

// rootBody parses the body of a function or class to the chunk's end. A
// comment will do for a body, as in documentation.
func (p *parser) rootBody(col int, what string, failed bool, at int) int32 {
	if p.tok == tEOF {
		n := len(p.comments)
		if !failed && (n == 0 || int(p.comments[n-1].Start) < at) {
			p.errors = append(p.errors, Error{int32(at), int32(at), "expected an indented block after " + what})
		}
		return p.lines(-1, 0)
	}
	var k kids
	for p.tok != tEOF && p.col <= col { // lines that have strayed to the left
		p.misplaced("expected an indented block after " + what)
		p.flushMarkers(&k, 0)
		p.statement(&k)
	}
	return p.linesFrom(k, -1, p.col)
}

// inlineBlock parses simple statements on the header's line. root: any lines
// that follow belong to the block, against the rules.
func (p *parser) inlineBlock(root bool) int32 {
	start := p.start
	var k kids
	for {
		if isCompound(p.tok) {
			p.fail(p.start, p.end, "invalid syntax")
		}
		if p.failed {
			p.link(&k, p.errorNode())
			break
		}
		p.link(&k, p.simple())
		if p.tok != tSemi {
			break
		}
		p.next()
		if p.atLineEnd() {
			break
		}
	}
	if !p.atLineEnd() {
		p.unexpectedAfter()
	}
	b := p.node(Block, OpNone, start, k.first)
	p.startLine()
	if root && p.tok != tEOF {
		p.misplaced("unexpected indent")
		p.linesInto(&k, -1, p.col)
		p.nodes[b].End = p.nodes[k.last].End
	}
	return b
}

func isCompound(t token) bool {
	switch t {
	case tIf, tFor, tWhile, tWith, tTry, tDef, tClass, tAt, tAsync:
		return true
	}
	return false
}

// skipBlock passes over a block that is nested too deep.
func (p *parser) skipBlock(col int) int32 {
	start := p.start
	for p.tok != tEOF && p.col > col {
		p.skipLine()
	}
	return p.node(ErrorNode, OpNone, start, 0)
}

// skipLine passes over the rest of the logical line.
func (p *parser) skipLine() {
	for !p.failed && !p.atLineEnd() {
		p.next()
	}
	p.startLine()
}

// lines parses logical lines up to one that stands at outer or left of it into
// a Block; indent is the column of the first. Negative outer: up to the
// chunk's end.
func (p *parser) lines(outer, indent int) int32 { return p.linesFrom(kids{}, outer, indent) }

// linesFrom is lines with the block's first statements already parsed.
func (p *parser) linesFrom(k kids, outer, indent int) int32 {
	start := p.start
	if p.tok == tEOF {
		start = p.prevEnd
	}
	p.linesInto(&k, outer, indent)
	p.flushMarkers(&k, outer+1)
	end := start
	if k.first != 0 {
		start, end = int(p.nodes[k.first].Start), int(p.nodes[k.last].End)
	}
	b := p.add(Block, start, end)
	p.nodes[b].First, p.nodes[b].Flags = k.first, 0
	return b
}

// linesInto is lines into an open block. A line that stands between outer and
// indent, or deeper without need, is an error and belongs to the block all the
// same.
func (p *parser) linesInto(k *kids, outer, indent int) {
	alt, also := p.alt, -1
	for p.tok != tEOF && p.col > outer {
		p.flushMarkers(k, 0)
		switch {
		case p.col == indent:
			if p.alt != alt {
				p.misplaced("inconsistent use of tabs and spaces in indentation")
			}
		case p.col == also:
		case p.col > indent:
			p.deeper(k, indent)
			continue
		default:
			if !p.lenient {
				p.misplaced("unindent does not match any outer indentation level")
			}
			indent, alt, also = p.col, p.alt, max(indent, also)
		}
		p.statement(k)
	}
}

// deeper parses lines that are indented without a header above them; after a
// broken header that is no error of their own.
func (p *parser) deeper(k *kids, indent int) {
	if !p.lenient && !p.orphans {
		p.misplaced("unexpected indent")
	}
	if p.enter() {
		p.linesInto(k, indent, p.col)
	} else {
		p.link(k, p.skipBlock(indent))
	}
	p.leave()
}
