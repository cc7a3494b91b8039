package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes a scanned JSON string, as encoding/json does: unpaired
// surrogates and bytes that are no UTF-8 become U+FFFD. It is made for the
// texts of documents: runs without escapes are copied whole.
func Unquote(q []byte) (string, bool) {
	if len(q) < 2 || q[0] != '"' || q[len(q)-1] != '"' {
		return "", false
	}
	s := q[1 : len(q)-1]
	var b strings.Builder
	b.Grow(len(s))
	for {
		at := bytes.IndexByte(s, '\\')
		if at < 0 {
			b.Write(s)
			break
		}
		b.Write(s[:at])
		if at+1 >= len(s) {
			return "", false
		}
		n := unescape(&b, s[at:])
		if n == 0 {
			return "", false
		}
		s = s[at+n:]
	}
	text := b.String()
	if !utf8.ValidString(text) {
		// Byte by byte, unlike strings.ToValidUTF8, which joins a run of bad bytes.
		text = string([]rune(text))
	}
	return text, true
}

var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape appends what the escape at the start of s stands for and returns
// its length, 0 when it is none.
func unescape(b *strings.Builder, s []byte) int {
	if c := short[s[1]]; c != 0 {
		b.WriteByte(c)
		return 2
	}
	r, ok := hex4(s)
	if !ok {
		return 0
	}
	if utf16.IsSurrogate(r) {
		if lo, ok := hex4(s[6:]); ok {
			if pair := utf16.DecodeRune(r, lo); pair != utf8.RuneError {
				b.WriteRune(pair)
				return 12
			}
		}
		r = utf8.RuneError
	}
	b.WriteRune(r)
	return 6
}

// hex4 reads `\uXXXX`.
func hex4(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range s[2:6] {
		c = lower(c)
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// Member returns the raw value of a member of the JSON object d, which came
// through this package (and so is known to be valid JSON); of repeated members
// the last. It returns nil if there is none.
func Member(d json.RawMessage, name string) json.RawMessage {
	var found []byte
	eachMember(d, func(k, v []byte) {
		if isKey(k, name) {
			found = v
		}
	})
	return found
}

func isKey(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	s, ok := Unquote(quoted)
	return ok && s == name
}
