package irsyntax

// number reads a number at i. A malformed one is a number all the same, with
// an error recorded.
func (p *parser) number(i int) {
	src := p.src
	if src[i] == '0' && i+1 < len(src) {
		switch src[i+1] | 0x20 {
		case 'x', 'o', 'b':
			p.radix(i)
			return
		}
	}
	t := tInt
	j := digits(src, i)
	bad := j > i && src[j-1] == '_'
	if j < len(src) && src[j] == '.' {
		t = tFloat
		k := digits(src, j+1)
		bad = bad || (k > j+1 && (src[j+1] == '_' || src[k-1] == '_'))
		j = k
	}
	if j < len(src) && src[j]|0x20 == 'e' {
		k := j + 1
		if k < len(src) && (src[k] == '+' || src[k] == '-') {
			k++
		}
		if k < len(src) && isDigit(src[k]) {
			t = tFloat
			j = digits(src, k)
			bad = bad || src[j-1] == '_'
		}
	}
	if j < len(src) && src[j]|0x20 == 'j' {
		t = tImag
		j++
	}
	bad = bad || hasDoubleUnderscore(src[i:j])
	if j < len(src) && isIdent(src[j]) {
		w := wordEnd(src, j)
		if !mayFollowNumber(src[j:w]) {
			j, bad = w, true
		}
	}
	p.set(t, i, j)
	switch {
	case bad:
		p.lexical(i, j, "invalid decimal literal")
	case t == tInt && src[i] == '0' && !allZero(src[i:j]):
		p.lexical(i, j, "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
	}
}

// radix reads a hexadecimal, octal or binary number at i.
func (p *parser) radix(i int) {
	src := p.src
	name, hi := "hexadecimal", byte('9')
	switch src[i+1] | 0x20 {
	case 'o':
		name, hi = "octal", '7'
	case 'b':
		name, hi = "binary", '1'
	}
	ok := func(c byte) bool {
		return ('0' <= c && c <= hi) || (name == "hexadecimal" && 'a' <= c|0x20 && c|0x20 <= 'f')
	}
	j := i + 2
	for j < len(src) && (ok(src[j]) || src[j] == '_') {
		j++
	}
	body, msg := src[i+2:j], ""
	if body == "" || body[len(body)-1] == '_' || hasDoubleUnderscore(body) {
		msg = "invalid " + name + " literal"
	}
	if j < len(src) && isIdent(src[j]) {
		if w := wordEnd(src, j); isDigit(src[j]) {
			msg = "invalid digit '" + src[j:j+1] + "' in " + name + " literal"
			j = w
		} else if !mayFollowNumber(src[j:w]) {
			msg = "invalid " + name + " literal"
			j = w
		}
	}
	p.set(tInt, i, j)
	if msg != "" {
		p.lexical(i, j, msg)
	}
}

func digits(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || s[i] == '_') {
		i++
	}
	return i
}

func hasDoubleUnderscore(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] == '_' && s[i-1] == '_' {
			return true
		}
	}
	return false
}

func allZero(s string) bool {
	for i := range len(s) {
		if s[i] != '0' && s[i] != '_' {
			return false
		}
	}
	return true
}

// mayFollowNumber tells the keywords Python lets follow a number directly.
func mayFollowNumber(w string) bool {
	switch w {
	case "and", "else", "for", "if", "in", "is", "not", "or":
		return true
	}
	return false
}

// operator reads an operator or other punctuation at i.
func (p *parser) operator(i int) {
	src := p.src
	at := func(k int) byte {
		if i+k < len(src) {
			return src[i+k]
		}
		return 0
	}
	one := func(t token) { p.set(t, i, i+1) }
	// bin handles OP and OP=.
	bin := func(t token, n int) {
		if at(n) == '=' {
			p.op = binOp[t]
			p.set(tAug, i, i+n+1)
			return
		}
		p.set(t, i, i+n)
	}
	cmp := func(t, eq token) {
		if at(1) == '=' {
			p.set(eq, i, i+2)
			return
		}
		one(t)
	}
	c := src[i]
	switch c {
	case '.':
		if at(1) == '.' && at(2) == '.' {
			p.set(tEllipsis, i, i+3)
			return
		}
		one(tDot)
	case ':':
		cmp(tColon, tWalrus)
	case '=':
		cmp(tEq, tEqEq)
	case '!':
		if at(1) == '=' {
			p.set(tNe, i, i+2)
			return
		}
		p.bad(i)
	case '<', '>':
		shift, plain, eq := tShl, tLt, tLe
		if c == '>' {
			shift, plain, eq = tShr, tGt, tGe
		}
		if at(1) == c {
			bin(shift, 2)
			return
		}
		cmp(plain, eq)
	case '-':
		if at(1) == '>' {
			p.set(tArrow, i, i+2)
			return
		}
		bin(tMinus, 1)
	case '+':
		bin(tPlus, 1)
	case '*':
		if at(1) == '*' {
			bin(tStarStar, 2)
			return
		}
		bin(tStar, 1)
	case '/':
		if at(1) == '/' {
			bin(tSlashSlash, 2)
			return
		}
		bin(tSlash, 1)
	case '%':
		bin(tPercent, 1)
	case '&':
		bin(tAmp, 1)
	case '|':
		bin(tPipe, 1)
	case '^':
		bin(tCaret, 1)
	case '@':
		bin(tAt, 1)
	default:
		p.bad(i)
	}
}

func (p *parser) bad(i int) {
	p.set(tBad, i, i+1)
	msg := "invalid syntax"
	if p.src[i] == 0 {
		msg = "source code cannot contain null bytes"
	} else if p.src[i] < ' ' || p.src[i] == 0x7f {
		msg = "invalid non-printable character"
	}
	p.fail(i, i+1, msg)
}
