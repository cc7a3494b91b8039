package irsyntax

// colon reads the colon that ends a header.
func (p *parser) colon() {
	if p.tok == tColon {
		p.next()
		return
	}
	p.fail(p.start, p.end, "expected ':'")
}

// header remembers what a compound statement's node needs once its block,
// whose lines reset the parser's line state, is parsed.
type header struct {
	start, col int
	broken     Flags
}

// open ends a header: it reads the colon and keeps the line's state.
func (p *parser) open(start int) header {
	p.colon()
	return header{start, p.col, p.broken}
}

// close builds the node of a compound statement after its blocks.
func (p *parser) close(kind Kind, op Op, h header, k kids) int32 {
	n := p.add(kind, h.start, max(h.start, int(p.nodes[k.last].End)))
	p.nodes[n].Op, p.nodes[n].First, p.nodes[n].Flags = op, k.first, h.broken
	return n
}

// linkEmpty appends an absent child at the end of the last one.
func (p *parser) linkEmpty(k *kids) {
	at := int(p.nodes[k.last].End)
	p.link(k, p.add(Empty, at, at))
	p.nodes[k.last].Flags = 0
}

func (p *parser) ifStmt(flags Flags) int32 {
	start := p.start
	what := "'if' statement"
	if flags&FlagElif != 0 {
		what = "'elif' statement"
	}
	p.next()
	var k kids
	p.link(&k, p.named())
	h := p.open(start)
	p.link(&k, p.block(h.col, what, false))
	switch {
	case p.tok == tElif && p.col == h.col:
		if !p.enter() {
			p.leave()
			p.skipClauses(h.col)
			p.linkEmpty(&k)
			break
		}
		p.link(&k, p.ifStmt(FlagElif))
		p.leave()
	default:
		p.elseBlock(&k, h.col)
	}
	n := p.close(If, OpNone, h, k)
	p.nodes[n].Flags |= flags
	return n
}

// skipClauses passes over the elif and else clauses of a chain that is too
// long.
func (p *parser) skipClauses(col int) {
	for p.col == col && (p.tok == tElif || p.tok == tElse || p.failed) {
		p.skipLine()
		p.skipBlock(col)
	}
}

// elseBlock parses an else clause, if there is one at the column.
func (p *parser) elseBlock(k *kids, col int) {
	if p.tok != tElse || p.col != col {
		p.linkEmpty(k)
		return
	}
	p.next()
	p.colon()
	p.link(k, p.block(col, "'else' statement", false))
}

func (p *parser) forStmt(start int, flags Flags) int32 {
	p.next()
	var k kids
	p.link(&k, p.targets())
	if !p.accept(tIn) {
		p.unexpected()
	}
	p.link(&k, p.exprList())
	h := p.open(start)
	p.link(&k, p.block(h.col, "'for' statement", false))
	p.elseBlock(&k, h.col)
	n := p.close(For, OpNone, h, k)
	p.nodes[n].Flags |= flags
	return n
}

func (p *parser) whileStmt() int32 {
	start := p.start
	p.next()
	var k kids
	p.link(&k, p.named())
	h := p.open(start)
	p.link(&k, p.block(h.col, "'while' statement", false))
	p.elseBlock(&k, h.col)
	return p.close(While, OpNone, h, k)
}

func (p *parser) withStmt(start int, flags Flags) int32 {
	p.next()
	var k kids
	if p.tok == tLParen {
		p.withParen(&k)
	} else {
		p.withItem(&k)
	}
	for p.accept(tComma) {
		p.withItem(&k)
	}
	h := p.open(start)
	p.link(&k, p.block(h.col, "'with' statement", false))
	n := p.close(With, OpNone, h, k)
	p.nodes[n].Flags |= flags
	return n
}

func (p *parser) withItem(k *kids) {
	start := p.start
	p.withTarget(k, p.expr(), start)
}

// withTarget parses the optional `as target` of the item whose expression is x.
func (p *parser) withTarget(k *kids, x int32, start int) {
	item := kids{x, x}
	if p.accept(tAs) {
		p.link(&item, p.target())
		p.checkTarget(item.last)
	} else {
		p.link(&item, p.empty())
	}
	p.link(k, p.node(WithItem, OpNone, start, item.first))
}

// withParen parses a parenthesis after `with`: items in brackets if a colon
// follows, else the beginning of the first item's expression.
func (p *parser) withParen(k *kids) {
	start := p.start
	if !p.enter() {
		p.leave()
		p.withTarget(k, p.errorNode(), start)
		return
	}
	p.next()
	var items kids
	comma, as := false, false
	for p.tok != tRParen && !p.atLineEnd() {
		at := p.start
		var x int32
		if p.tok == tYield {
			x = p.yield()
		} else {
			x = p.starred()
		}
		if p.tok == tFor || p.tok == tAsync {
			x = p.comprehension(x, start)
		}
		as = as || p.tok == tAs
		p.withTarget(&items, x, at)
		if !p.accept(tComma) {
			break
		}
		comma = true
	}
	p.closeBracket(tRParen, start)
	p.leave()
	if p.tok == tColon || as || p.failed {
		*k = items
		if items.first == 0 { // with ():
			p.withTarget(k, p.withFlag(p.node(Tuple, OpNone, start, 0), FlagParen), start)
		}
		return
	}
	x := p.tupleOfItems(items, start, comma)
	x = p.postfix(x, start)
	x = p.power(x, start)
	x = p.binaryRest(x, start, precOr)
	if p.tok == tIf {
		x = p.conditional(x, start)
	}
	p.withTarget(k, x, start)
}

// tupleOfItems turns parenthesised items into the expression they are.
func (p *parser) tupleOfItems(items kids, start int, comma bool) int32 {
	if items.first != 0 && !comma {
		x := p.nodes[items.first].First
		p.nodes[x].Next = 0
		return p.withFlag(x, FlagParen)
	}
	var k kids
	for i := items.first; i != 0; {
		next, x := p.nodes[i].Next, p.nodes[i].First
		p.nodes[x].Next = 0
		p.link(&k, x)
		i = next
	}
	return p.withFlag(p.node(Tuple, OpNone, start, k.first), FlagParen)
}

func (p *parser) tryStmt() int32 {
	start := p.start
	p.next()
	var k kids
	h := p.open(start)
	p.link(&k, p.block(h.col, "'try' statement", false))
	handlers := 0
	for p.col == h.col {
		switch p.tok {
		case tExcept:
			handlers++
			p.except(&k, h.col)
			continue
		case tElse:
			p.next()
			p.colon()
			p.link(&k, p.block(h.col, "'else' statement", false))
			continue
		case tFinally:
			handlers++
			p.next()
			p.colon()
			p.link(&k, p.block(h.col, "'finally' statement", false))
			continue
		}
		break
	}
	if handlers == 0 {
		p.errors = append(p.errors, Error{int32(start), int32(start + len("try")), "expected 'except' or 'finally' block"})
	}
	return p.close(Opaque, OpTry, h, k)
}

// except parses one handler: its exceptions, its name, its block.
func (p *parser) except(k *kids, col int) {
	p.next()
	p.accept(tStar)
	if p.tok != tColon {
		p.link(k, p.exprList())
		if p.accept(tAs) {
			p.link(k, p.atom())
		}
	}
	p.colon()
	p.link(k, p.block(col, "'except' statement", false))
}

func (p *parser) asyncStmt() int32 {
	start := p.start
	p.next()
	switch p.tok {
	case tDef:
		var k kids
		return p.funcDef(&k, start, p.col, false, FlagAsync)
	case tFor:
		return p.forStmt(start, FlagAsync)
	case tWith:
		return p.withStmt(start, FlagAsync)
	}
	p.unexpected()
	n := p.errorNode()
	p.startLine()
	return n
}
