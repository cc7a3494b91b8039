package analysis

import (
	"strconv"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/irsyntax"
)

// alphaForm prints a function with every word replaced by the number of its
// first occurrence: two functions that differ in names only have one form,
// because the printer tells different variables apart.
func alphaForm(f *ir.Function) string {
	text := printer.Function(f, 0, printer.Options{})
	numbers := map[string]int{}
	number := func(w string) string {
		if _, ok := numbers[w]; !ok {
			numbers[w] = len(numbers)
		}
		return "w" + strconv.Itoa(numbers[w])
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i + 1
		switch c := text[i]; {
		case c == '#': // a comment says what it says
			j = lineEndAt(text, i)
		case c == '\'' || c == '"':
			j += strings.IndexByte(text[j:], c) + 1
			if strings.HasSuffix(text[:i], "MemRef(") { // the only strings that are names
				b.WriteString(number(text[i+1 : j-1]))
				i = j
				continue
			}
		case isWordByte(c):
			for j < len(text) && isWordByte(text[j]) {
				j++
			}
			if (c < '0' || c > '9') && (i == 0 || text[i-1] != '.') { // neither a number nor an operator
				b.WriteString(number(text[i:j]))
				i = j
				continue
			}
		}
		b.WriteString(text[i:j])
		i = j
	}
	return b.String()
}

// TestRenameKeepsMeaning holds names against the reader: after renaming any
// local symbol, the function reads as the same IR but for names.
func TestRenameKeepsMeaning(t *testing.T) {
	renamed := 0
	for n, file := range recordedFiles(t, 30) {
		for k, s := range file.sections {
			if strings.HasSuffix(s.Name, ".py") && (n+k)%3 == 0 && len(s.Data) < 60<<10 {
				renamed += renameAll(t, file.name+" "+s.Name, docOf(t, s.Name, string(s.Data)), n+k)
			}
		}
	}
	if renamed < 100 {
		t.Errorf("only %d names were renamed", renamed)
	}
}

func renameAll(t *testing.T, name string, d *Document, salt int) (renamed int) {
	text := d.File.Text()
	for _, i := range d.FuncChunks() {
		before := d.reading(i)
		if before == nil || before.Opaque || d.File.Chunks[i].Kind != irsyntax.FuncChunk {
			continue
		}
		want := alphaForm(before.IR)
		n := d.namesOf(i)
		for s := range n.syms {
			if n.syms[s].key.scope != scopeLocal || (s+salt)%17 != 0 {
				continue
			}
			for _, u := range n.uses {
				if int(u.sym) != s {
					continue
				}
				edits, err := d.Rename(int(d.File.Chunks[i].Start+u.span.Start), "a_name_that_is_new", nil)
				if err != nil {
					t.Errorf("%s: %q: %v", name, n.syms[s].name, err)
					break
				}
				d2 := docOf(t, d.Name, applyEdits(t, text, edits[0].Edits))
				after := d2.reading(i)
				if got := alphaForm(after.IR); got != want {
					t.Errorf("%s: renaming %s %q changes %s", name, n.syms[s].kind, n.syms[s].name, firstDifference(want, got))
				}
				if len(after.Problems) != len(before.Problems) {
					t.Errorf("%s: renaming %q: %d problems become %d", name, n.syms[s].name, len(before.Problems), len(after.Problems))
				}
				renamed++
				break
			}
		}
	}
	return renamed
}

func firstDifference(a, b string) string {
	i := commonPrefix(a, b)
	return "…" + a[max(0, i-60):min(len(a), i+40)] + "… into …" + b[max(0, i-60):min(len(b), i+40)] + "…"
}
