package irsyntax

// atom parses a name, a literal, or anything in brackets.
func (p *parser) atom() int32 {
	switch p.tok {
	case tName:
		n := p.add(Name, p.start, p.end)
		p.next()
		return n
	case tInt:
		return p.leaf(Int)
	case tFloat:
		return p.leaf(Float)
	case tString:
		return p.strings()
	case tLParen, tLBracket, tLBrace:
		return p.bracketed()
	case tNone:
		return p.leaf(None)
	case tTrue:
		return p.leaf(True)
	case tFalse:
		return p.leaf(False)
	case tEllipsis:
		return p.leaf(Ellipsis)
	case tImag:
		return p.leaf(Imag)
	}
	p.unexpected()
	return p.errorNode()
}

// bracketed parses anything in brackets, one level deeper.
func (p *parser) bracketed() (x int32) {
	switch {
	case !p.enter():
		x = p.errorNode()
	case p.tok == tLParen:
		x = p.paren()
	case p.tok == tLBracket:
		x = p.list()
	default:
		x = p.brace()
	}
	p.leave()
	return x
}

func (p *parser) leaf(k Kind) int32 {
	n := p.add(k, p.start, p.end)
	p.next()
	p.nodes[n].Flags |= p.broken // the lexer may have found fault with it
	return n
}

// strings parses adjacent string literals.
func (p *parser) strings() int32 {
	start := p.start
	var flags Flags
	bytes, text := false, false
	for p.tok == tString {
		f := stringFlags(p.src[p.start:p.end])
		flags |= f
		if f&FlagBytes != 0 {
			bytes = true
		} else {
			text = true
		}
		p.next()
	}
	if bytes && text {
		p.note(start, p.prevEnd, "cannot mix bytes and nonbytes literals")
	}
	n := p.node(String, OpNone, start, 0)
	p.nodes[n].Flags |= flags
	return n
}

// stringFlags reads the flags off a literal's prefix.
func stringFlags(s string) (f Flags) {
	for i := 0; i < len(s); i++ {
		switch s[i] | 0x20 {
		case 'f', 't':
			f |= FlagFString
		case 'b':
			f |= FlagBytes
		case '"' | 0x20, '\'' | 0x20:
			return f
		}
	}
	return f
}

// paren parses a parenthesised expression, a tuple, a generator or a yield.
func (p *parser) paren() int32 {
	start := p.start
	p.next()
	if p.tok == tRParen {
		p.next()
		return p.withFlag(p.node(Tuple, OpNone, start, 0), FlagParen)
	}
	if p.tok == tYield {
		x := p.yield()
		p.closeBracket(tRParen, start)
		return p.withFlag(x, FlagParen)
	}
	first := p.starred()
	switch p.tok {
	case tFor, tAsync:
		x := p.comprehension(first, start)
		p.closeBracket(tRParen, start)
		p.nodes[x].End = int32(p.prevEnd)
		return p.withFlag(x, FlagParen)
	case tComma:
		k := kids{first, first}
		p.elements(&k, tRParen)
		p.closeBracket(tRParen, start)
		return p.withFlag(p.node(Tuple, OpNone, start, k.first), FlagParen)
	}
	if p.nodes[first].Kind == Star && p.tok == tRParen {
		p.note(start, p.end, "cannot use starred expression here")
	}
	p.closeBracket(tRParen, start)
	return p.withFlag(first, FlagParen)
}

func (p *parser) withFlag(n int32, f Flags) int32 {
	p.nodes[n].Flags |= f
	return n
}

// elements parses `, x` as long as it goes; the first element is linked
// already and the current token is what follows it.
func (p *parser) elements(k *kids, close token) {
	for p.tok == tComma {
		p.next()
		if p.tok == close || p.atLineEnd() {
			return
		}
		p.link(k, p.starred())
	}
}

func (p *parser) list() int32 {
	start := p.start
	p.next()
	var k kids
	if p.tok != tRBracket && !p.atLineEnd() {
		first := p.starred()
		if p.tok == tFor || p.tok == tAsync {
			x := p.comprehension(first, start)
			p.closeBracket(tRBracket, start)
			p.nodes[x].End = int32(p.prevEnd)
			return x
		}
		p.link(&k, first)
		p.elements(&k, tRBracket)
	}
	p.closeBracket(tRBracket, start)
	return p.node(List, OpNone, start, k.first)
}

// brace parses a dictionary, a set, or a comprehension of either.
func (p *parser) brace() int32 {
	start := p.start
	p.next()
	var k kids
	kind := Dict
	for first := true; p.tok != tRBrace && !p.atLineEnd(); first = false {
		x, item := p.dictOrSetElement()
		if first && !item {
			kind = Set
		} else if item != (kind == Dict) && !p.failed {
			p.note(int(p.nodes[x].Start), p.prevEnd, "invalid syntax")
		}
		if first && (p.tok == tFor || p.tok == tAsync) {
			c := p.comprehension(x, start)
			p.closeBracket(tRBrace, start)
			p.nodes[c].End = int32(p.prevEnd)
			return c
		}
		p.link(&k, x)
		if !p.accept(tComma) {
			break
		}
	}
	p.closeBracket(tRBrace, start)
	return p.node(kind, OpNone, start, k.first)
}

func (p *parser) dictOrSetElement() (x int32, item bool) {
	start := p.start
	if p.tok == tStarStar {
		p.next()
		key := p.empty()
		return p.node2(DictItem, OpNone, start, key, p.binary(precBitOr)), true
	}
	x = p.starred()
	if p.tok != tColon {
		return x, false
	}
	p.next()
	return p.node2(DictItem, OpNone, start, x, p.expr()), true
}

// comprehension parses the clauses after the element x.
func (p *parser) comprehension(x int32, start int) int32 {
	k := kids{x, x}
	for n := 0; p.tok == tFor || p.tok == tAsync; n++ {
		if p.accept(tAsync) && p.tok != tFor {
			p.unexpected()
			break
		}
		p.next()
		p.link(&k, p.targets())
		if !p.accept(tIn) {
			p.unexpected()
			break
		}
		p.link(&k, p.binaryOrLambda())
		for p.tok == tIf {
			p.next()
			p.link(&k, p.condition())
		}
	}
	return p.node(Comp, OpNone, start, k.first)
}

// binaryOrLambda parses the iterable of a comprehension, which ends before an
// `if`.
func (p *parser) binaryOrLambda() int32 {
	if p.tok == tLambda {
		return p.expr()
	}
	return p.binary(precOr)
}

// condition parses the condition of a comprehension.
func (p *parser) condition() int32 {
	start := p.start
	x := p.binaryOrLambda()
	if p.tok != tWalrus {
		return x
	}
	p.next()
	return p.node2(Walrus, OpNone, start, x, p.binaryOrLambda())
}

// targets parses the targets of a for: expressions that do not contain `in`.
func (p *parser) targets() int32 {
	start := p.start
	x := p.target()
	if p.tok != tComma {
		p.checkTarget(x)
		return x
	}
	k := kids{x, x}
	for p.accept(tComma) {
		if p.tok == tIn || p.tok == tEq || p.atLineEnd() {
			break
		}
		p.link(&k, p.target())
	}
	x = p.node(Tuple, OpNone, start, k.first)
	p.checkTarget(x)
	return x
}

func (p *parser) target() int32 {
	start := p.start
	if p.accept(tStar) {
		return p.node(Star, OpNone, start, p.binary(precBitOr))
	}
	return p.binary(precBitOr)
}

// subscript parses the brackets after x, one level deeper.
func (p *parser) subscript(x int32, start int) int32 {
	if p.enter() {
		x = p.indexBrackets(x, start)
	} else {
		x = p.node2(Subscript, OpNone, start, x, p.errorNode())
	}
	p.leave()
	return x
}

// indexBrackets parses the brackets of a subscript. `memref = value` between
// them is documentation shorthand (spec 01 §13) and gives a Keyword.
func (p *parser) indexBrackets(x int32, start int) int32 {
	open := p.start
	p.next()
	if p.tok == tRBracket || p.atLineEnd() {
		var index int32
		if p.tok == tRBracket {
			p.note(p.start, p.end, "invalid syntax")
		}
		index = p.errorNode()
		p.closeBracket(tRBracket, open)
		return p.node2(Subscript, OpNone, start, x, index)
	}
	at := p.start
	index := p.index()
	if p.tok == tComma || p.nodes[index].Kind == Star {
		k := kids{index, index}
		for p.accept(tComma) {
			if p.tok == tRBracket || p.atLineEnd() {
				break
			}
			p.link(&k, p.index())
		}
		index = p.node(Tuple, OpNone, at, k.first)
	}
	p.closeBracket(tRBracket, open)
	return p.node2(Subscript, OpNone, start, x, index)
}

// index parses one index: an expression, a slice or a keyword.
func (p *parser) index() int32 {
	start := p.start
	var lower int32
	switch {
	case p.tok == tColon:
		lower = p.add(Empty, p.start, p.start)
	case p.tok == tDot && p.end < len(p.src) && p.src[p.end] == '.': // shorthand for an ellipsis
		p.next()
		p.next()
		return p.node(Ellipsis, OpNone, start, 0)
	default:
		lower = p.starred()
		if p.tok == tEq && p.nodes[lower].Kind == Name {
			if n := p.nodes[lower]; p.src[n.Start:n.End] != "memref" {
				p.note(start, p.prevEnd, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?")
			}
			p.next()
			return p.node2(Keyword, OpNone, start, lower, p.expr())
		}
		if p.tok != tColon {
			return lower
		}
	}
	p.next()
	k := kids{lower, lower}
	p.link(&k, p.bound())
	if p.accept(tColon) {
		p.link(&k, p.bound())
	} else {
		p.link(&k, p.empty())
	}
	return p.node(Slice, OpNone, start, k.first)
}

// bound parses an optional bound of a slice.
func (p *parser) bound() int32 {
	switch p.tok {
	case tColon, tComma, tRBracket, tNewline, tEOF:
		return p.empty()
	}
	return p.expr()
}

// lambda parses a lambda expression.
func (p *parser) lambda() int32 {
	start := p.start
	p.next()
	params := p.params(tColon)
	if !p.accept(tColon) {
		p.fail(p.start, p.end, "expected ':'")
	}
	if !p.enter() {
		p.leave()
		return p.node2(Lambda, OpNone, start, params, p.errorNode())
	}
	body := p.expr()
	p.leave()
	return p.node2(Lambda, OpNone, start, params, body)
}

// yield parses a yield expression.
func (p *parser) yield() int32 {
	start := p.start
	p.next()
	if p.accept(tFrom) {
		return p.node(YieldExpr, OpNone, start, p.expr())
	}
	switch p.tok {
	case tRParen, tRBracket, tRBrace, tEq, tSemi, tNewline, tEOF:
		return p.node(YieldExpr, OpNone, start, p.empty())
	}
	return p.node(YieldExpr, OpNone, start, p.exprList())
}
