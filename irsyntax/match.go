package irsyntax

// startsMatch tells whether the name at the beginning of a logical line is
// the soft keyword of a match statement: an expression follows it, and the
// line ends in a colon.
func (p *parser) startsMatch() bool {
	if p.src[p.start:p.end] != "match" {
		return false
	}
	i := skipBlanks(p.src, p.end)
	if i >= len(p.src) {
		return false
	}
	switch c := p.src[i]; {
	case isIdent(c), c == '.' && i > p.end,
		c == '(', c == '[', c == '{', c == '"', c == '\'', c == '-', c == '+', c == '*', c == '~':
	default:
		return false
	}
	_, colon := p.scan.logical(p.start, p.col)
	return colon
}

// matchStmt parses a match statement: its subject, then for each case a block.
// Patterns are passed over.
func (p *parser) matchStmt() int32 {
	start := p.start
	p.next()
	var k kids
	at := p.start
	subject := p.starred()
	if p.tok == tComma {
		subject = p.tupleRest(subject, at)
	}
	p.link(&k, subject)
	h := p.open(start)
	if !p.atLineEnd() {
		p.unexpected()
	}
	p.startLine()
	if p.col <= h.col {
		p.errors = append(p.errors, Error{int32(start), int32(start + len("match")), "expected an indented block after 'match' statement"})
		return p.close(Opaque, OpMatch, h, k)
	}
	col := p.col
	for p.col == col && p.tok == tName && p.src[p.start:p.end] == "case" {
		depth := len(p.brackets)
		for !p.atLineEnd() && (p.tok != tColon || len(p.brackets) > depth) {
			p.next()
		}
		p.colon()
		p.link(&k, p.block(col, "'case' statement", false))
	}
	if p.col > h.col {
		p.link(&k, p.lines(h.col, col))
	}
	return p.close(Opaque, OpMatch, h, k)
}

// startsTypeAlias tells whether `type` begins a type alias: `type NAME`.
func (p *parser) startsTypeAlias() bool {
	if p.src[p.start:p.end] != "type" {
		return false
	}
	i := skipBlanks(p.src, p.end)
	if i == p.end || i >= len(p.src) || !isIdentStart(p.src[i]) {
		return false
	}
	return keyword(p.src[i:wordEnd(p.src, i)]) == tName
}

func (p *parser) typeAlias() int32 {
	start := p.start
	p.next()
	var k kids
	p.link(&k, p.defName())
	p.typeParams()
	if p.accept(tEq) {
		p.link(&k, p.expr())
	} else {
		p.unexpected()
	}
	return p.node(Opaque, OpType, start, k.first)
}
