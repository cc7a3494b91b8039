package irsyntax

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// token is the kind of a token.
type token uint8

const (
	tEOF token = iota
	tNewline
	tBad // a byte or word that no token begins with; an error is recorded
	tName
	tInt
	tFloat
	tImag
	tString

	tLParen
	tRParen
	tLBracket
	tRBracket
	tLBrace
	tRBrace
	tComma
	tColon
	tSemi
	tDot
	tEllipsis
	tArrow
	tWalrus
	tEq
	tAug // an augmented assignment; parser.op tells which
	tAt

	// Binary operators.
	tPlus
	tMinus
	tStar
	tSlash
	tSlashSlash
	tPercent
	tStarStar
	tShl
	tShr
	tAmp
	tPipe
	tCaret
	tTilde
	tEqEq
	tNe
	tLt
	tLe
	tGt
	tGe

	// Keywords.
	tAnd
	tOr
	tNot
	tIn
	tIs
	tIf
	tElse
	tElif
	tFor
	tWhile
	tDef
	tClass
	tReturn
	tPass
	tBreak
	tContinue
	tWith
	tAs
	tLambda
	tNone
	tTrue
	tFalse
	tImport
	tFrom
	tAsync
	tAwait
	tYield
	tTry
	tExcept
	tFinally
	tRaise
	tDel
	tAssert
	tGlobal
	tNonlocal

	numTokens
)

// keyword tells the token of a word.
func keyword(w string) token {
	switch w {
	case "and":
		return tAnd
	case "or":
		return tOr
	case "not":
		return tNot
	case "in":
		return tIn
	case "is":
		return tIs
	case "if":
		return tIf
	case "else":
		return tElse
	case "elif":
		return tElif
	case "for":
		return tFor
	case "while":
		return tWhile
	case "def":
		return tDef
	case "class":
		return tClass
	case "return":
		return tReturn
	case "pass":
		return tPass
	case "break":
		return tBreak
	case "continue":
		return tContinue
	case "with":
		return tWith
	case "as":
		return tAs
	case "lambda":
		return tLambda
	case "None":
		return tNone
	case "True":
		return tTrue
	case "False":
		return tFalse
	case "import":
		return tImport
	case "from":
		return tFrom
	case "async":
		return tAsync
	case "await":
		return tAwait
	case "yield":
		return tYield
	case "try":
		return tTry
	case "except":
		return tExcept
	case "finally":
		return tFinally
	case "raise":
		return tRaise
	case "del":
		return tDel
	case "assert":
		return tAssert
	case "global":
		return tGlobal
	case "nonlocal":
		return tNonlocal
	}
	return tName
}

// maybeKeyword tells the bytes keywords begin with.
var maybeKeyword = byteSet("abcdefgilnoprtwyNTF")

// punct gives the token of one-byte punctuation that starts no longer token.
var punct = [256]token{
	'(': tLParen, ')': tRParen, '[': tLBracket, ']': tRBracket, '{': tLBrace, '}': tRBrace,
	',': tComma, ';': tSemi, '~': tTilde,
}

// next reads the next token of the logical line into p.tok, p.start, p.end.
func (p *parser) next() {
	p.prevEnd = p.end
	src, i := p.src, p.pos
	for {
		for i < len(src) && isBlank(src[i]) {
			i++
		}
		if i >= len(src) {
			p.set(tEOF, i, i)
			return
		}
		c := src[i]
		if identByte[c] && c > '9' {
			p.word(i)
			return
		}
		switch c {
		case '(', '[', '{':
			p.brackets = append(p.brackets, int32(i))
			p.set(punct[c], i, i+1)
			return
		case ')', ']', '}':
			p.set(punct[c], i, i+1)
			p.closer(i)
			return
		case ',', ';', '~':
			p.set(punct[c], i, i+1)
			return
		case '"', '\'':
			p.stringAt(i, i)
			return
		case '#':
			e := lineEnd(src, i)
			p.comment(i, e, false)
			i = e
		case '\n', '\r':
			n := afterEOL(src, i)
			if len(p.brackets) == 0 {
				p.set(tNewline, i, i)
				p.pos = n
				return
			}
			var stop bool
			if i, stop = p.innerLine(n); stop {
				p.set(tNewline, p.end, p.end)
				p.pos = n
				return
			}
		case '\\':
			if i+1 < len(src) && src[i+1] != '\n' && src[i+1] != '\r' {
				p.set(tBad, i, i+1)
				p.fail(i, i+1, "unexpected character after line continuation character")
				return
			}
			at := i
			if i = afterEOL(src, i+1); i >= len(src) {
				p.set(tEOF, at, at)
				p.pos = len(src)
				p.lexical(at, at+1, "unexpected EOF while parsing")
				return
			}
		default:
			if isDigit(c) || (c == '.' && i+1 < len(src) && isDigit(src[i+1])) {
				p.number(i)
			} else if c >= 0x80 {
				p.word(i)
			} else {
				p.operator(i)
			}
			return
		}
	}
}

func (p *parser) set(t token, start, end int) {
	p.tok, p.start, p.end, p.pos = t, start, end, end
}

// closer pops the bracket that the closing one at i closes.
func (p *parser) closer(i int) {
	n := len(p.brackets) - 1
	if n < 0 {
		p.lexical(i, i+1, "unmatched '"+p.src[i:i+1]+"'")
		return
	}
	if open := p.src[p.brackets[n]]; punct[p.src[i]] != punct[open]+1 {
		p.lexical(i, i+1, "closing parenthesis '"+p.src[i:i+1]+"' does not match opening parenthesis '"+string(open)+"'")
	}
	p.brackets = p.brackets[:n]
}

// innerLine crosses into the line starting at n inside brackets. It skips
// comment and blank lines, and tells whether a new statement starts there.
func (p *parser) innerLine(n int) (i int, stop bool) {
	src := p.src
	if n >= p.closed {
		if stop, p.closed = p.scan.stopsBracket(n, p.col, len(p.brackets)); stop {
			return n, true
		}
	}
	_, _, i = indentAt(src, n)
	if i < len(src) && src[i] == '#' {
		e := lineEnd(src, i)
		p.comment(i, e, true)
		i = e
	}
	return i, false
}

func (p *parser) comment(start, end int, own bool) {
	ls := start
	for ls > 0 && p.src[ls-1] != '\n' && p.src[ls-1] != '\r' {
		ls--
	}
	p.comments = append(p.comments, Comment{
		Start: int32(start), End: int32(end), Col: int32(utf8.RuneCountInString(p.src[ls:start])), OwnLine: own,
	})
}

// word reads a name, a keyword or a string prefix at i.
func (p *parser) word(i int) {
	src := p.src
	j := i
	for j < len(src) && identByte[src[j]] {
		j++
	}
	if j < len(src) && src[j] >= 0x80 {
		p.unicodeWord(i, j)
		return
	}
	t := tName
	if n := j - i; n <= 8 && maybeKeyword[src[i]] {
		t = keyword(src[i:j])
	}
	if j < len(src) && (src[j] == '"' || src[j] == '\'') && isStringPrefix(src[i:j]) {
		p.stringAt(i, j)
		return
	}
	p.set(t, i, j)
}

// unicodeWord reads a name with non-ASCII characters; j is the first of them.
func (p *parser) unicodeWord(i, j int) {
	if end := nameEnd(p.src, i, j); end > i {
		p.set(tName, i, end) // a bad character behind it is reported on its own
		return
	}
	r, n := utf8.DecodeRuneInString(p.src[i:])
	msg := fmt.Sprintf("invalid character '%c' (U+%04X)", r, r)
	switch {
	case r == utf8.RuneError && n == 1:
		msg = "(unicode error) invalid UTF-8"
	case !unicode.IsPrint(r):
		msg = fmt.Sprintf("invalid non-printable character U+%04X", r)
	}
	p.set(tBad, i, i+n)
	p.fail(i, i+n, msg)
}

// nameEnd is the end of the identifier that starts at i and goes on to j at
// least: the first character that may not be part of one.
func nameEnd(s string, i, j int) int {
	for j < len(s) {
		if identByte[s[j]] {
			j++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[j:])
		if !isIdentRune(r, j == i) {
			break
		}
		j += n
	}
	return j
}

func isIdentRune(r rune, first bool) bool {
	if r == utf8.RuneError {
		return false
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r) ||
		(!first && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || unicode.Is(unicode.Other_ID_Continue, r)))
}

// isStringPrefix tells the letters that may stand before a quote.
func isStringPrefix(w string) bool {
	if len(w) > 2 {
		return false
	}
	var a [2]byte
	for i := range w {
		a[i] = w[i] | 0x20
	}
	switch a {
	case [2]byte{'r'}, [2]byte{'u'}, [2]byte{'b'}, [2]byte{'f'}, [2]byte{'t'},
		[2]byte{'r', 'b'}, [2]byte{'b', 'r'}, [2]byte{'r', 'f'}, [2]byte{'f', 'r'}, [2]byte{'r', 't'}, [2]byte{'t', 'r'}:
		return true
	}
	return false
}

// stringAt reads a string literal that begins at i and whose quote is at q.
func (p *parser) stringAt(i, q int) {
	end, ok := p.scan.str(q)
	p.set(tString, i, end)
	if !ok {
		msg := "unterminated string literal"
		if q+2 < len(p.src) && p.src[q+1] == p.src[q] && p.src[q+2] == p.src[q] {
			msg = "unterminated triple-quoted string literal"
		}
		p.lexical(i, end, msg)
	}
}
