package irsyntax

// Precedence of the binary operators, low to high (0: none).
const (
	precOr = iota + 1
	precAnd
	precNot
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precSum
	precTerm
)

var binPrec = [numTokens]uint8{
	tOr: precOr, tAnd: precAnd, tNot: precCompare,
	tIn: precCompare, tIs: precCompare, tEqEq: precCompare, tNe: precCompare,
	tLt: precCompare, tLe: precCompare, tGt: precCompare, tGe: precCompare,
	tPipe: precBitOr, tCaret: precBitXor, tAmp: precBitAnd, tShl: precShift, tShr: precShift,
	tPlus: precSum, tMinus: precSum,
	tStar: precTerm, tSlash: precTerm, tSlashSlash: precTerm, tPercent: precTerm, tAt: precTerm,
}

var binOp = [numTokens]Op{
	tOr: OpOr, tAnd: OpAnd,
	tIn: OpIn, tIs: OpIs, tEqEq: OpEq, tNe: OpNe, tLt: OpLt, tLe: OpLe, tGt: OpGt, tGe: OpGe,
	tPipe: OpBitOr, tCaret: OpBitXor, tAmp: OpBitAnd, tShl: OpShl, tShr: OpShr,
	tPlus: OpAdd, tMinus: OpSub,
	tStar: OpMul, tSlash: OpDiv, tSlashSlash: OpFloorDiv, tPercent: OpMod, tAt: OpMatMul, tStarStar: OpPow,
	tTilde: OpInvert, tNot: OpNot,
}

// expr parses an expression without commas, stars and `:=`.
func (p *parser) expr() int32 {
	start := p.start
	var x int32
	switch p.tok {
	case tLambda:
		return p.lambda()
	case tNot:
		x = p.binary(precOr)
	default:
		x = p.unary()
		if binPrec[p.tok] != 0 {
			x = p.binaryRest(x, start, precOr)
		}
	}
	if p.tok == tIf {
		x = p.conditional(x, start)
	}
	return x
}

// conditional parses `then if cond else other` from the `if` on.
func (p *parser) conditional(then int32, start int) int32 {
	p.next()
	cond := p.binary(precOr)
	if !p.accept(tElse) {
		p.fail(p.start, p.end, "expected 'else' after 'if' expression")
	}
	var other int32
	if p.enter() {
		other = p.expr() // may move p.nodes
	} else {
		other = p.errorNode()
	}
	p.leave()
	p.nodes[then].Next = cond
	p.nodes[cond].Next = other
	return p.node(IfExp, OpNone, start, then)
}

// named parses an expression that may be an assignment expression.
func (p *parser) named() int32 {
	start := p.start
	x := p.expr()
	if p.tok != tWalrus {
		return x
	}
	if p.nodes[x].Kind != Name {
		p.note(p.start, p.end, "cannot use assignment expressions with "+describe(p.nodes[x].Kind))
	}
	p.next()
	return p.node2(Walrus, OpNone, start, x, p.expr())
}

// starred parses named or `*expr`.
func (p *parser) starred() int32 {
	if p.tok != tStar {
		return p.named()
	}
	start := p.start
	p.next()
	x := p.binary(precBitOr)
	return p.node(Star, OpNone, start, x)
}

// binary parses operands joined by operators of at least the precedence min.
func (p *parser) binary(min uint8) int32 {
	start := p.start
	if p.tok == tNot && min <= precNot {
		if !p.enter() {
			p.leave()
			return p.errorNode()
		}
		p.next()
		x := p.node(UnaryOp, OpNot, start, p.binary(precNot))
		p.leave()
		return p.binaryRest(x, start, min)
	}
	return p.binaryRest(p.unary(), start, min)
}

func (p *parser) binaryRest(x int32, start int, min uint8) int32 {
	for n := 1; ; n++ {
		t := p.tok
		prec := binPrec[t]
		if prec == 0 || prec < min || !p.chain(n) {
			return x
		}
		if prec == precCompare {
			x = p.comparison(x, start)
			continue
		}
		p.next()
		y := p.binary(prec + 1)
		kind := BinOp
		if prec <= precAnd {
			kind = BoolOp
		}
		x = p.node2(kind, binOp[t], start, x, y)
	}
}

// comparison parses the rest of a chain of comparisons after its first
// operand.
func (p *parser) comparison(x int32, start int) int32 {
	k := kids{x, x}
	var op Op
	var flags Flags
	for n := 0; binPrec[p.tok] == precCompare; n++ {
		o := p.compareOp()
		if n == 0 {
			op = o
		} else {
			flags = FlagChained
		}
		p.link(&k, p.binary(precBitOr))
	}
	c := p.node(Compare, op, start, k.first)
	p.nodes[c].Flags |= flags
	return c
}

func (p *parser) compareOp() Op {
	op := binOp[p.tok]
	switch p.tok {
	case tNot:
		p.next()
		if p.tok != tIn {
			p.unexpected()
			return OpNotIn
		}
		op = OpNotIn
	case tIs:
		p.next()
		if p.tok != tNot {
			return OpIs
		}
		op = OpIsNot
	}
	p.next()
	return op
}

// unary parses prefix operators, a postfix expression and its power.
func (p *parser) unary() int32 {
	start := p.start
	switch p.tok {
	case tMinus, tPlus, tTilde, tAwait:
		if !p.enter() {
			p.leave()
			return p.errorNode()
		}
		t := p.tok
		p.next()
		var x int32
		if t == tAwait {
			at := p.start
			x = p.postfix(p.atom(), at)
			x = p.power(p.node(Await, OpNone, start, x), start)
		} else {
			x = p.node(UnaryOp, binOp[t], start, p.unary())
		}
		p.leave()
		return x
	}
	x := p.postfix(p.atom(), start)
	if p.tok == tStarStar {
		return p.power(x, start)
	}
	return x
}

func (p *parser) power(x int32, start int) int32 {
	if p.tok != tStarStar {
		return x
	}
	p.next()
	if !p.enter() {
		p.leave()
		return p.node2(BinOp, OpPow, start, x, p.errorNode())
	}
	y := p.unary()
	p.leave()
	return p.node2(BinOp, OpPow, start, x, y)
}

// postfix parses attributes, calls and subscripts after x.
func (p *parser) postfix(x int32, start int) int32 {
	for n := 1; ; n++ {
		switch p.tok {
		case tDot:
			if !p.chain(n) {
				return x
			}
			p.next()
			if p.tok != tName {
				p.unexpected()
				return p.node2(Attribute, OpNone, start, x, p.errorNode())
			}
			name := p.add(Name, p.start, p.end)
			p.next()
			x = p.node2(Attribute, OpNone, start, x, name)
		case tLParen:
			if !p.chain(n) {
				return x
			}
			x = p.call(x, start)
		case tLBracket:
			if !p.chain(n) {
				return x
			}
			x = p.subscript(x, start)
		case tColon:
			if !p.isSpaceScope(x) {
				return x
			}
			p.next()
			p.next()
			p.accept(tDot)
			x = p.node2(Attribute, OpNone, start, x, p.defName())
		default:
			return x
		}
	}
}

// isSpaceScope recognises the `MemorySpace::Vec` of documentation (spec 01
// §13) with the first colon as the current token.
func (p *parser) isSpaceScope(x int32) bool {
	n := &p.nodes[x]
	if n.Kind != Name || int(n.End) != p.start || p.end >= len(p.src) || p.src[p.end] != ':' {
		return false
	}
	if w := p.src[n.Start:n.End]; w != "MemorySpace" && w != "Mem" {
		return false
	}
	i := p.end + 1
	if i < len(p.src) && p.src[i] == '.' {
		i++
	}
	return i < len(p.src) && isIdentStart(p.src[i])
}

// call parses the arguments of a call of x.
func (p *parser) call(x int32, start int) int32 {
	k := kids{x, x}
	open := p.start
	if !p.enter() {
		p.leave()
		return p.node2(Call, OpNone, start, x, p.errorNode())
	}
	p.next()
	p.arguments(&k, tRParen, open)
	p.leave()
	return p.node(Call, OpNone, start, k.first)
}

// arguments parses call arguments up to and with the closing bracket.
func (p *parser) arguments(k *kids, close token, open int) {
	keyword := false
	for p.tok != close {
		if p.atLineEnd() {
			break
		}
		start := p.start
		arg := p.argument()
		switch n := &p.nodes[arg]; {
		case n.Kind == Keyword:
			keyword = true
		case keyword && n.Kind != Star && n.Kind != Ellipsis && n.Kind != ErrorNode:
			p.note(start, p.prevEnd, "positional argument follows keyword argument")
		}
		p.link(k, arg)
		if !p.accept(tComma) && p.tok != close {
			break
		}
	}
	p.closeBracket(close, open)
}

func (p *parser) atLineEnd() bool { return p.tok == tNewline || p.tok == tEOF }

// argument parses one call argument.
func (p *parser) argument() int32 {
	start := p.start
	switch p.tok {
	case tStar:
		p.next()
		return p.node(Star, OpNone, start, p.expr())
	case tStarStar:
		p.next()
		name := p.empty()
		return p.node2(Keyword, OpNone, start, name, p.expr())
	}
	x := p.named()
	switch {
	case p.tok == tEq:
		if p.nodes[x].Kind != Name || p.nodes[x].Flags&FlagParen != 0 {
			p.note(start, p.end, `expression cannot contain assignment, perhaps you meant "=="?`)
		}
		p.next()
		return p.node2(Keyword, OpNone, start, x, p.expr())
	case p.tok == tFor || p.tok == tAsync:
		return p.comprehension(x, start)
	}
	return x
}

// closeBracket reads the closing bracket of the one opened at open. A wrong
// one closes as well, with an error.
func (p *parser) closeBracket(want token, open int) {
	switch p.tok {
	case want:
		p.next()
	case tRParen, tRBracket, tRBrace: // the lexer has reported it
		p.next()
	case tNewline, tEOF:
		if !p.failed {
			p.note(open, open+1, "'"+p.src[open:open+1]+"' was never closed")
		}
	default:
		if p.tok == tEq && p.annBase >= 0 {
			// An annotation that is not closed: its value follows all the same.
			p.note(open, open+1, "'"+p.src[open:open+1]+"' was never closed")
			p.brackets = p.brackets[:min(p.annBase, len(p.brackets))]
			return
		}
		switch p.tok {
		case tName, tInt, tFloat, tImag, tString, tNone, tTrue, tFalse, tEllipsis:
			p.fail(p.start, p.end, "invalid syntax. Perhaps you forgot a comma?")
		default:
			p.fail(p.start, p.end, "invalid syntax")
		}
	}
}
