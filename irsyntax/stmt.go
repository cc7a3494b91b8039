package irsyntax

// statement parses one statement, a compound one with its block, and appends
// it to the block k; several simple ones may share the line. At its end the
// parser is at the first token of the next logical line.
func (p *parser) statement(k *kids) {
	switch p.tok {
	case tDef, tClass, tAt:
		p.link(k, p.definition(false, false))
	case tIf:
		p.link(k, p.ifStmt(0))
	case tFor:
		p.link(k, p.forStmt(p.start, 0))
	case tWhile:
		p.link(k, p.whileStmt())
	case tWith:
		p.link(k, p.withStmt(p.start, 0))
	case tTry:
		p.link(k, p.tryStmt())
	case tAsync:
		p.link(k, p.asyncStmt())
	case tName:
		if p.startsMatch() {
			p.link(k, p.matchStmt())
			return
		}
		p.simpleLine(k)
	default:
		p.simpleLine(k)
	}
}

// simpleLine parses simple statements separated by semicolons up to the line's
// end and moves to the next line.
func (p *parser) simpleLine(k *kids) {
	for {
		p.link(k, p.simple())
		if p.tok != tSemi {
			break
		}
		p.next()
		if p.atLineEnd() {
			break
		}
	}
	p.endLine(k)
}

// endLine reports what is left of a line after its statements and moves on.
func (p *parser) endLine(k *kids) {
	if !p.atLineEnd() {
		p.unexpectedAfter()
	}
	if p.failed && !p.junkDone && p.junk.end > p.junk.start {
		p.link(k, p.errorNode())
	}
	p.startLine()
}

// unexpectedAfter fails at a token that follows a complete statement.
func (p *parser) unexpectedAfter() {
	switch p.tok {
	case tIf, tFor, tWhile, tWith, tDef, tClass, tTry:
		p.fail(p.start, p.end, "invalid syntax")
	default:
		p.unexpected()
	}
}

// simple parses one simple statement, without the line's end.
func (p *parser) simple() int32 {
	start := p.start
	switch p.tok {
	case tReturn:
		p.next()
		var x int32
		if p.tok == tSemi || p.atLineEnd() {
			x = p.empty()
		} else {
			x = p.exprList()
		}
		return p.node(Return, OpNone, start, x)
	case tPass:
		return p.leaf(Pass)
	case tBreak:
		return p.leaf(Break)
	case tContinue:
		return p.leaf(Continue)
	case tImport:
		return p.importStmt()
	case tFrom:
		return p.fromStmt()
	case tRaise:
		return p.opaque(OpRaise, tFrom)
	case tAssert:
		return p.opaque(OpAssert, tComma)
	case tDel:
		p.next()
		return p.node(Opaque, OpDel, start, p.exprList())
	case tGlobal:
		return p.nameList(OpGlobal)
	case tNonlocal:
		return p.nameList(OpNonlocal)
	case tName:
		if p.startsTypeAlias() {
			return p.typeAlias()
		}
	}
	return p.exprStmt()
}

// opaque parses a keyword with up to two expressions separated by sep.
func (p *parser) opaque(op Op, sep token) int32 {
	start := p.start
	p.next()
	var k kids
	if p.tok != tSemi && !p.atLineEnd() {
		p.link(&k, p.expr())
		if p.accept(sep) {
			p.link(&k, p.expr())
		}
	} else if op == OpAssert {
		p.unexpected()
	}
	return p.node(Opaque, op, start, k.first)
}

// nameList parses global and nonlocal.
func (p *parser) nameList(op Op) int32 {
	start := p.start
	var k kids
	for more := true; more; more = p.tok == tComma {
		p.next()
		if p.tok != tName {
			p.unexpected()
			break
		}
		p.link(&k, p.leaf(Name))
	}
	return p.node(Opaque, op, start, k.first)
}

// exprList parses expressions, starred ones included; several, or one with a
// comma, make a tuple.
func (p *parser) exprList() int32 {
	start := p.start
	x := p.starredExpr()
	if p.tok != tComma {
		if p.nodes[x].Kind == Star && p.nodes[x].Flags&FlagParen == 0 {
			p.note(start, p.prevEnd, "can't use starred expression here")
		}
		return x
	}
	return p.tupleRest(x, start)
}

func (p *parser) tupleRest(x int32, start int) int32 {
	k := kids{x, x}
	for p.accept(tComma) {
		switch p.tok {
		case tEq, tColon, tSemi, tNewline, tEOF, tRParen, tRBracket, tRBrace, tAug:
			return p.node(Tuple, OpNone, start, k.first)
		}
		p.link(&k, p.starredExpr())
	}
	return p.node(Tuple, OpNone, start, k.first)
}

// starredExpr parses an expression or `*expr`; no `:=`.
func (p *parser) starredExpr() int32 {
	if p.tok != tStar {
		return p.expr()
	}
	start := p.start
	p.next()
	return p.node(Star, OpNone, start, p.binary(precBitOr))
}

// exprStmt parses an expression statement or any form of assignment.
func (p *parser) exprStmt() int32 {
	start := p.start
	if p.tok == tYield {
		return p.node(ExprStmt, OpNone, start, p.yield())
	}
	x := p.starredExpr()
	if p.tok == tComma {
		x = p.tupleRest(x, start)
	}
	switch p.tok {
	case tEq:
		return p.assign(x, start)
	case tColon:
		return p.annAssign(x, start)
	case tAug:
		op := p.op
		p.checkAugTarget(x)
		p.next()
		return p.node2(AugAssign, op, start, x, p.value())
	case tWalrus:
		p.unexpected()
	}
	if p.nodes[x].Kind == Star {
		p.note(start, p.prevEnd, "can't use starred expression here")
	}
	return p.node(ExprStmt, OpNone, start, x)
}

// value parses the right side of an assignment.
func (p *parser) value() int32 {
	if p.tok == tYield {
		return p.yield()
	}
	return p.exprList()
}

func (p *parser) assign(x int32, start int) int32 {
	k := kids{x, x}
	for p.tok == tEq {
		p.checkAssignTarget(k.last)
		p.next()
		p.link(&k, p.value())
	}
	return p.node(Assign, OpNone, start, k.first)
}

func (p *parser) annAssign(x int32, start int) int32 {
	switch p.nodes[x].Kind {
	case Name, Attribute, Subscript, ErrorNode:
	case Tuple, List:
		p.note(start, p.prevEnd, "only single target (not "+describe(p.nodes[x].Kind)+") can be annotated")
	default:
		p.note(start, p.prevEnd, "illegal target for annotation")
	}
	k := kids{x, x}
	p.next()
	p.annBase = len(p.brackets)
	p.link(&k, p.expr())
	p.annBase = -1
	broken := p.broken
	if !p.failed {
		p.broken = 0 // the value is none the worse for it
	}
	if p.accept(tEq) {
		p.link(&k, p.value())
		if p.tok == tEq {
			p.unexpected()
		}
	} else {
		p.link(&k, p.empty())
	}
	p.broken |= broken
	return p.node(AnnAssign, OpNone, start, k.first)
}

// checkAssignTarget is checkTarget for a target of `=`.
func (p *parser) checkAssignTarget(x int32) {
	n := &p.nodes[x]
	switch n.Kind {
	case Int, Float, Imag, String, Call, BinOp, UnaryOp, BoolOp, Compare, IfExp, Set, Dict, Comp, Lambda, Await, YieldExpr:
		p.note(int(n.Start), int(n.End), "cannot assign to "+describe(n.Kind)+" here. Maybe you meant '==' instead of '='?")
	default:
		p.checkTarget(x)
	}
}

// checkTarget reports what cannot be assigned to.
func (p *parser) checkTarget(x int32) {
	n := &p.nodes[x]
	switch n.Kind {
	case Name, Attribute, Subscript, ErrorNode, Empty:
	case Tuple, List:
		for c := n.First; c != 0; c = p.nodes[c].Next {
			p.checkTarget(c)
		}
	case Star:
		p.checkTarget(n.First)
	default:
		p.note(int(n.Start), int(n.End), "cannot assign to "+describe(n.Kind))
	}
}

func (p *parser) checkAugTarget(x int32) {
	n := &p.nodes[x]
	switch n.Kind {
	case Name, Attribute, Subscript, ErrorNode:
	default:
		p.note(int(n.Start), int(n.End), "'"+describe(n.Kind)+"' is an illegal expression for augmented assignment")
	}
}

// describe names a kind of expression as Python's messages do.
func describe(k Kind) string {
	switch k {
	case Int, Float, Imag, String:
		return "literal"
	case None:
		return "None"
	case True:
		return "True"
	case False:
		return "False"
	case Ellipsis:
		return "ellipsis"
	case Tuple:
		return "tuple"
	case List:
		return "list"
	case Set:
		return "set display"
	case Dict:
		return "dict literal"
	case Call:
		return "function call"
	case BinOp, UnaryOp, BoolOp:
		return "expression"
	case Compare:
		return "comparison"
	case IfExp:
		return "conditional expression"
	case Lambda:
		return "lambda"
	case Comp:
		return "comprehension"
	case Await:
		return "await expression"
	case YieldExpr:
		return "yield expression"
	case Walrus:
		return "named expression"
	case Attribute:
		return "attribute"
	case Subscript:
		return "subscript"
	case Star:
		return "starred"
	}
	return "expression"
}

// importStmt parses `import a.b as c, d`.
func (p *parser) importStmt() int32 {
	start := p.start
	var k kids
	for more := true; more; more = p.tok == tComma {
		p.next()
		p.link(&k, p.dotted())
		p.alias(&k)
	}
	return p.node(Import, OpNone, start, k.first)
}

// dotted parses a dotted path into one Name.
func (p *parser) dotted() int32 {
	start := p.start
	for {
		if p.tok != tName {
			p.unexpected()
			break
		}
		p.next()
		if !p.accept(tDot) {
			break
		}
	}
	return p.node(Name, OpNone, start, 0)
}

// alias parses an optional `as name`.
func (p *parser) alias(k *kids) {
	switch {
	case !p.accept(tAs):
		p.link(k, p.empty())
	case p.tok != tName:
		p.unexpected()
		p.link(k, p.errorNode())
	default:
		p.link(k, p.leaf(Name))
	}
}

// fromStmt parses `from .a import b as c`.
func (p *parser) fromStmt() int32 {
	start := p.start
	p.next()
	at := p.start
	for p.tok == tDot || p.tok == tEllipsis {
		p.next()
	}
	var k kids
	if p.tok == tName {
		m := p.dotted()
		p.nodes[m].Start = int32(at)
		p.link(&k, m)
	} else {
		if p.start == at {
			p.unexpected()
		}
		p.link(&k, p.node(Name, OpNone, at, 0))
	}
	if p.tok != tImport {
		p.unexpected()
		return p.node(ImportFrom, OpNone, start, k.first)
	}
	p.next()
	open := p.start
	paren := p.accept(tLParen)
	for p.tok == tName || p.tok == tStar {
		p.link(&k, p.leaf(Name))
		p.alias(&k)
		if !p.accept(tComma) {
			break
		}
	}
	if p.nodes[k.first].Next == 0 && !p.failed {
		p.unexpected()
	}
	if paren {
		p.closeBracket(tRParen, open)
	}
	return p.node(ImportFrom, OpNone, start, k.first)
}
