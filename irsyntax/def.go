package irsyntax

// definition parses a function or class with its decorators. root: it is the
// chunk's root, and everything up to the chunk's end belongs to it; noBody:
// it is a class that has no body in other chunks either.
func (p *parser) definition(root, noBody bool) int32 {
	start, col := p.start, p.col
	var k kids
	for p.tok == tAt {
		at := p.start
		p.next()
		x := p.named()
		p.link(&k, p.node(Decorator, OpNone, at, x))
		if !p.atLineEnd() {
			p.unexpected()
		}
		p.startLine()
		if p.tok == tEOF || (!root && p.col < col) {
			break
		}
	}
	if k.first != 0 && p.tok != tEOF && p.col != col && !p.lenient {
		p.misplaced("unexpected indent")
	}
	switch p.tok {
	case tDef:
		return p.funcDef(&k, start, p.col, root, 0)
	case tClass:
		return p.classDef(&k, start, p.col, root, noBody)
	case tAsync:
		p.next()
		if p.tok == tDef {
			return p.funcDef(&k, start, p.col, root, FlagAsync)
		}
		p.unexpected()
		p.link(&k, p.errorNode())
		p.startLine()
	default:
		// Decorators without a definition.
		at := p.nodes[k.last]
		p.errors = append(p.errors, Error{at.Start, at.End, "invalid syntax"})
	}
	n := p.add(ErrorNode, start, int(p.nodes[k.last].End))
	p.nodes[n].First, p.nodes[n].Flags = k.first, FlagBroken
	return n
}

// funcDef parses a function from its `def` on; k holds the decorators.
func (p *parser) funcDef(k *kids, start, col int, root bool, flags Flags) int32 {
	p.next()
	p.link(k, p.defName())
	p.typeParams()
	open := p.start
	if p.accept(tLParen) {
		p.link(k, p.params(tRParen))
		p.closeBracket(tRParen, open)
	} else {
		if !p.failed {
			p.fail(p.start, p.end, "expected '('")
		}
		p.link(k, p.add(Params, p.prevEnd, p.prevEnd))
	}
	if p.accept(tArrow) {
		p.link(k, p.expr())
	} else {
		p.link(k, p.empty())
	}
	h := p.open(start)
	p.link(k, p.block(col, "function definition", root))
	n := p.close(FuncDef, OpNone, h, *k)
	p.nodes[n].Flags |= flags
	return n
}

// defName parses the name of a definition.
func (p *parser) defName() int32 {
	if p.tok == tName {
		return p.leaf(Name)
	}
	p.unexpected()
	return p.empty()
}

// typeParams skips the type parameters of Python 3.12.
func (p *parser) typeParams() {
	open := p.start
	if !p.accept(tLBracket) {
		return
	}
	for depth := len(p.brackets); !p.atLineEnd() && (p.tok != tRBracket || len(p.brackets) >= depth); {
		p.next()
	}
	p.closeBracket(tRBracket, open)
}

// classDef parses a class from its `class` on; k holds the decorators.
func (p *parser) classDef(k *kids, start, col int, root, noBody bool) int32 {
	p.next()
	p.link(k, p.defName())
	p.typeParams()
	at := p.start
	if p.accept(tLParen) {
		var args kids
		p.arguments(&args, tRParen, at)
		p.link(k, p.withFlag(p.node(Tuple, OpNone, at, args.first), FlagParen))
	} else {
		p.link(k, p.empty())
	}
	h := p.open(start)
	if root && !noBody && p.atLineEnd() {
		end := p.prevEnd
		p.startLine()
		if p.tok == tEOF {
			p.link(k, p.add(Empty, end, end))
			return p.close(ClassDef, OpNone, h, *k)
		}
		p.link(k, p.lines(-1, p.col))
		return p.close(ClassDef, OpNone, h, *k)
	}
	p.link(k, p.block(col, "class definition", root))
	return p.close(ClassDef, OpNone, h, *k)
}

// params parses parameters up to, and without, the closing token: tRParen for
// functions, tColon for lambdas, which have no annotations.
func (p *parser) params(close token) int32 {
	start := p.start
	var k kids
	var order paramOrder
	for p.tok != close && !p.atLineEnd() {
		at := p.start
		p.link(&k, p.param(close))
		if msg := order.check(p.nodes[k.last], p.nodes); msg != "" {
			p.note(at, p.prevEnd, msg)
		}
		if !p.accept(tComma) {
			break
		}
	}
	return p.node(Params, OpNone, start, k.first)
}

// paramOrder checks the order of a signature's parameters.
type paramOrder struct {
	n                         int
	slash, star, dflt, double bool
}

// check adds a parameter; the message is Python's, "" if all is well.
func (o *paramOrder) check(param Node, nodes []Node) string {
	defer func() { o.n++ }()
	hasDefault := false
	if a := nodes[param.First].Next; a != 0 {
		hasDefault = nodes[nodes[a].Next].Kind != Empty
	}
	if o.double {
		return "arguments cannot follow var-keyword argument"
	}
	switch param.Op {
	case OpSlash:
		switch {
		case o.n == 0:
			return "at least one argument must precede /"
		case o.slash:
			return "/ may appear only once"
		case o.star:
			return "/ must be ahead of *"
		}
		o.slash = true
	case OpStar:
		if o.star {
			return "* argument may appear only once"
		}
		o.star = true
	case OpDoubleStar:
		o.double = true
	case OpNone:
		if o.dflt && !hasDefault && !o.star {
			return "non-default argument follows default argument"
		}
		o.dflt = o.dflt || hasDefault
	}
	return ""
}

func (p *parser) param(close token) int32 {
	start := p.start
	op := OpNone
	switch p.tok {
	case tSlash:
		op = OpSlash
	case tStar:
		op = OpStar
	case tStarStar:
		op = OpDoubleStar
	}
	if op != OpNone {
		p.next()
	}
	var k kids
	switch {
	case p.tok == tName && op != OpSlash:
		p.link(&k, p.leaf(Name))
	case op == OpNone || op == OpDoubleStar:
		p.unexpected()
		p.link(&k, p.errorNode())
	default:
		p.link(&k, p.empty())
	}
	if close != tColon && p.tok == tColon {
		p.next()
		p.link(&k, p.starredExpr())
	} else {
		p.link(&k, p.empty())
	}
	if p.accept(tEq) {
		p.link(&k, p.expr())
	} else {
		p.link(&k, p.empty())
	}
	return p.node(Param, op, start, k.first)
}
