package lsp

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"pypto-ls/analysis"
)

// wordMap replaces words by others of the same length, the same ones by the
// same and different ones by different ones.
type wordMap struct {
	salt  string
	known map[string]string
	taken map[string]bool
}

func newWordMap(salt string) *wordMap {
	return &wordMap{salt: salt, known: map[string]string{}, taken: map[string]bool{}}
}

// language are the words that belong to Python and to the kernel language; they
// tell nothing of whose kernel it is.
var language = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for from global if import in is
		lambda nonlocal not or pass raise return try while with yield self range print len int float str bool abs min max list tuple dict super object
		pl pld pypto language program function inline jit type level role attrs name slots stage init_values kept memref space addr id size base
		file ws vscode untitled passes_dump py toml after frontend`) {
		words[w] = true
	}
	for _, w := range analysis.LanguageWords() {
		words[w] = true
	}
	return words
})

var (
	// dotted names of the language, words, numbers.
	tokens    = regexp.MustCompile(`\b(?:pl|pld)(?:\.\w+)+|[\pL_][\pL\pN_]*|\d+`)
	settings  = regexp.MustCompile(`(?m)^\s*#\s*pypto-ls:.*$`)
	generated = regexp.MustCompile(`^mem_[a-z]+_\d+$`)
	pathWord  = regexp.MustCompile(`(?:\d+_)?after_\w+|00_frontend|%[0-9A-Fa-f]{2}|[\pL_][\pL\pN_]*`)
)

// text replaces the names and numbers of a text. Lines with settings stay.
func (m *wordMap) text(s string) string {
	keep := settings.FindAllStringIndex(s, -1)
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, span := range tokens.FindAllStringIndex(s, -1) {
		for len(keep) > 0 && keep[0][1] <= span[0] {
			keep = keep[1:]
		}
		if len(keep) > 0 && keep[0][0] <= span[0] {
			continue
		}
		b.WriteString(s[at:span[0]])
		b.WriteString(m.token(s[span[0]:span[1]]))
		at = span[1]
	}
	b.WriteString(s[at:])
	return b.String()
}

// path replaces the words of a path, but not what tells the pass of a dump.
func (m *wordMap) path(s string) string {
	return pathWord.ReplaceAllStringFunc(s, func(w string) string {
		if w[0] == '%' || strings.HasPrefix(w, "after_") || strings.Contains(w, "_after_") || w == "00_frontend" {
			return w
		}
		return m.word(w)
	})
}

func (m *wordMap) token(t string) string {
	switch {
	case t[0] >= '0' && t[0] <= '9':
		return m.number(t)
	case strings.Contains(t, "."):
		return t
	}
	return m.word(t)
}

// word replaces a name; the ending that the compiler gives a name stays.
func (m *wordMap) word(w string) string {
	stem, ending := w, ""
	if i := strings.Index(w, "__"); i > 0 {
		stem, ending = w[:i], w[i:]
	}
	if language()[stem] || generated.MatchString(w) || strings.Trim(stem, "_") == "" {
		return w
	}
	out, ok := m.known[stem]
	if !ok {
		out = m.fresh(stem)
		m.known[stem], m.taken[out] = out, true
	}
	return out + ending
}

// fresh is a word of the same shape that no other one is replaced by.
func (m *wordMap) fresh(w string) string {
	for n := range 1000 {
		h := xxhash.Sum64String(fmt.Sprint(m.salt, "\x00", n, "\x00", w))
		out := strings.Map(func(r rune) rune {
			h = h*6364136223846793005 + 1442695040888963407
			k := rune(h >> 40)
			switch {
			case r == '_':
				return r
			case '0' <= r && r <= '9':
				return '0' + k%10
			case 'A' <= r && r <= 'Z':
				return 'A' + k%26
			case r < utf8.RuneSelf:
				return 'a' + k%26
			case !unicode.IsLetter(r):
				return r
			}
			return [...]rune{'é', '漢', '𝑎'}[utf8.RuneLen(r)-2]
		}, w)
		if out != w && !m.taken[out] && !language()[out] {
			return out
		}
	}
	return w // there are no others, as for a single digit
}

// number replaces a number of two digits or more by one of as many digits.
func (m *wordMap) number(n string) string {
	if len(n) < 2 {
		return n
	}
	h := xxhash.Sum64String(m.salt + "\x00" + n)
	if len(n) > 18 || n[0] == '0' {
		return strings.Repeat("0", len(n)-1) + string('0'+rune(h%10))
	}
	low := uint64(1)
	for range len(n) - 1 {
		low *= 10
	}
	step := uint64(16)
	if len(n) > 3 {
		step = 32
	}
	first := (low + step - 1) / step
	return fmt.Sprint((first + h%((10*low-1)/step-first+1)) * step)
}
