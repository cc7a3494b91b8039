package irsyntax

import "fmt"

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

// Operators by their byte: alone, doubled, and followed by `=`; those without
// an entry in the last make an augmented assignment.
var (
	single = [256]token{
		'+': tPlus, '-': tMinus, '*': tStar, '/': tSlash, '%': tPercent, '&': tAmp, '|': tPipe, '^': tCaret,
		'@': tAt, '<': tLt, '>': tGt, '=': tEq, ':': tColon, '.': tDot,
	}
	doubled  = [256]token{'*': tStarStar, '/': tSlashSlash, '<': tShl, '>': tShr}
	withEq   = [numTokens]token{tLt: tLe, tGt: tGe, tEq: tEqEq, tColon: tWalrus}
	noAssign = [numTokens]bool{tDot: true}
)

// operator reads an operator or other punctuation at i.
func (p *parser) operator(i int) {
	src := p.src
	at := func(k int) byte {
		if i+k < len(src) {
			return src[i+k]
		}
		return 0
	}
	c := src[i]
	switch {
	case c == '.' && at(1) == '.' && at(2) == '.':
		p.set(tEllipsis, i, i+3)
		return
	case c == '-' && at(1) == '>':
		p.set(tArrow, i, i+2)
		return
	case c == '!' && at(1) == '=':
		p.set(tNe, i, i+2)
		return
	}
	t, n := single[c], 1
	if d := doubled[c]; d != 0 && at(1) == c {
		t, n = d, 2
	}
	switch {
	case t == 0:
		p.bad(i)
	case at(n) != '=' || noAssign[t]:
		p.set(t, i, i+n)
	case withEq[t] != 0:
		p.set(withEq[t], i, i+n+1)
	default:
		p.op = binOp[t]
		p.set(tAug, i, i+n+1)
	}
}

func (p *parser) bad(i int) {
	p.set(tBad, i, i+1)
	msg := "invalid syntax"
	if p.src[i] == 0 {
		msg = "source code cannot contain null bytes"
	} else if p.src[i] < ' ' || p.src[i] == 0x7f {
		msg = fmt.Sprintf("invalid non-printable character U+%04X", p.src[i])
	}
	p.fail(i, i+1, msg)
}
