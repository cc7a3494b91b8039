package analysis

import (
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pypto-ls/ir"
)

// everyFeature asks everything there is to ask at an offset and checks that
// answers lie within their documents.
func everyFeature(t testing.TB, d *Document, off int, heavy bool) {
	t.Helper()
	docs := []*Document{d}
	size := int32(d.File.Len)
	inside := func(what string, s ir.Span) {
		if s.Start < 0 || s.End < s.Start || s.End > size {
			t.Fatalf("%s at %d: %v is not within 0..%d", what, off, s, size)
		}
	}
	places := func(what string, ps []Place) {
		for _, p := range ps {
			inside(what, p.Span)
		}
	}
	places("definition", d.Definition(off, docs))
	places("type definition", d.TypeDefinition(off, docs))
	places("references", d.References(off, true, docs))
	for _, h := range d.Highlights(off) {
		inside("highlight", h.Span)
	}
	sel := d.Selections(off)
	for i, s := range sel {
		inside("selection", s)
		if i > 0 && (s.Start > sel[i-1].Start || s.End < sel[i-1].End || s == sel[i-1]) {
			t.Fatalf("selection at %d: %v around %v", off, s, sel[i-1])
		}
	}
	for _, c := range d.CallItems(off, docs) {
		inside("call item", c.Span)
		inside("call item's name", c.NameSpan)
		for _, e := range append(d.CallsFrom(int(c.NameSpan.Start), docs), d.CallsTo(int(c.NameSpan.Start), docs)...) {
			for _, s := range e.From {
				inside("call", s)
			}
		}
	}
	if h, ok := d.Hover(off); ok {
		inside("hover", h.Span)
	}
	if !heavy {
		return
	}
	if s, ok := d.SignatureAt(off); ok && s.Active >= len(s.Params) {
		t.Fatalf("signature at %d: parameter %d of %d", off, s.Active, len(s.Params))
	}
	for _, c := range d.Complete(off) {
		inside("completion", c.Span)
	}
	renameThereAndBack(t, d, off)
}

// renameThereAndBack renames to a fresh name and back, which must give the
// text again.
func renameThereAndBack(t testing.TB, d *Document, off int) {
	t.Helper()
	sp, old, err := d.PrepareRename(off, nil)
	if err != nil || checkNewName(old) != nil {
		return
	}
	text := d.File.Text()
	if text[sp.Start:sp.End] != old {
		t.Fatalf("rename at %d: %q is not %q", off, text[sp.Start:sp.End], old)
	}
	const fresh = "a_name_that_is_new"
	edits, err := d.Rename(off, fresh, nil)
	if err != nil {
		if msg := err.Error(); !strings.Contains(msg, "syntax error") && !strings.Contains(msg, "as well as") {
			t.Fatalf("rename of %q at %d: %v", old, off, err)
		}
		return
	}
	renamed := applyEdits(t, text, edits[0].Edits)
	d2 := docOf(t, d.Name, renamed)
	at := int(sp.Start)
	for _, e := range edits[0].Edits {
		if e.Span.Start < sp.Start {
			at += len(e.Text) - int(e.Span.End-e.Span.Start)
		}
	}
	back, err := d2.Rename(at, old, nil)
	if err != nil {
		t.Fatalf("renaming %q back: %v", old, err)
	}
	if got := applyEdits(t, renamed, back[0].Edits); got != text {
		t.Fatalf("renaming %q there and back changes the text", old)
	}
}

// everyDocument asks what is asked of whole documents.
func everyDocument(t testing.TB, d *Document) {
	t.Helper()
	size := int32(d.File.Len)
	var symbols func(list []Symbol, in ir.Span)
	symbols = func(list []Symbol, in ir.Span) {
		for _, s := range list {
			if s.Span.Start < in.Start || s.Span.End > in.End || s.NameSpan.Start < s.Span.Start || s.NameSpan.End > s.Span.End || s.NameSpan.End < s.NameSpan.Start {
				t.Fatalf("symbol %s: %v %v in %v", s.Name, s.Span, s.NameSpan, in)
			}
			symbols(s.Children, s.Span)
		}
	}
	symbols(d.Symbols(), ir.Span{End: size})
	for _, f := range d.Folds() {
		if f.Span.Start < 0 || f.Span.End > size || f.Span.End <= f.Span.Start {
			t.Fatalf("fold %v", f.Span)
		}
	}
	for _, i := range d.TokenChunks(0, d.File.Len) {
		at := int32(0)
		for _, x := range d.Tokens(i) {
			if x.Start < at || x.Len <= 0 || int(x.Start+x.Len) > len(d.File.Chunks[i].Text) || strings.ContainsAny(d.File.Chunks[i].Text[x.Start:x.Start+x.Len], "\r\n") {
				t.Fatalf("token %v of chunk %d", x, i)
			}
			at = x.Start + x.Len
		}
		d.TokenKey(i)
	}
	edits, _ := d.Format(0, d.File.Len)
	applyEdits(t, d.File.Text(), edits)
}

// tokenStarts are the offsets of words and signs.
func tokenStarts(text string) []int {
	var out []int
	for i := 0; i < len(text); {
		out = append(out, i)
		if isWordByte(text[i]) {
			for i < len(text) && isWordByte(text[i]) {
				i++
			}
		} else {
			i++
		}
		for i < len(text) && (text[i] == ' ' || text[i] == '\n') {
			i++
		}
	}
	return append(out, len(text))
}

// mutate damages a text as people do while typing.
func mutate(r *rand.Rand, text string) string {
	for range 1 + r.Intn(3) {
		if len(text) == 0 {
			return text
		}
		i := r.Intn(len(text))
		j := min(len(text), i+r.Intn(40))
		switch r.Intn(6) {
		case 0:
			text = text[:i] + text[j:]
		case 1:
			text = text[:i] + string([]byte(`"'()[]{}:=.,#\`)[r.Intn(14)]) + text[i:]
		case 2: // a line less
			k := strings.LastIndexByte(text[:i], '\n') + 1
			e := strings.IndexByte(text[i:], '\n')
			if e < 0 {
				e = len(text) - i - 1
			}
			text = text[:k] + text[i+e+1:]
		case 3:
			text = text[:i] + text[i:j] + text[i:]
		case 4:
			text = text[:i]
		case 5:
			text = text[:i] + []string{"é", "\r\n", "\t", "\r", "\x00", "\xff", "    ", "pl.", "self."}[r.Intn(9)] + text[i:]
		}
	}
	return text
}

// everythingTexts are kernels of several kinds, by name.
func everythingTexts(t testing.TB) map[string]string {
	out := map[string]string{"outline.py": outlineText}
	files, _ := filepath.Glob("testdata/*/*.txtar")
	more, _ := filepath.Glob("../test/testdata/corpus/*.txtar")
	sort.Strings(more)
	for i := 0; i < len(more); i += 1 + len(more)/5 {
		files = append(files, more[i])
	}
	shared := os.Getenv("PYPTO_LS_SHARED")
	if shared == "" {
		shared = "../../shared"
	}
	real, _ := filepath.Glob(filepath.Join(shared, "real", "*.txtar"))
	if sort.Strings(real); len(real) == 0 {
		t.Log("without kernels of real models: ../../shared or PYPTO_LS_SHARED is not there")
	}
	for i := 3; i < len(real); i += 1 + len(real)/4 {
		files = append(files, real[i])
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range txtar.Parse(data).Files {
			if strings.HasSuffix(s.Name, ".py") && len(s.Data) < 6<<10 {
				text, _, _ := takeMarkers(t, string(s.Data))
				out[filepath.Base(file)+"/"+s.Name] = text
			}
		}
	}
	return out
}

func sortedNames(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// TestEverything runs every feature at every token of several files, like
// clangd --check (those that look at a changed text at every fourth): no panic,
// no answer outside the document.
func TestEverything(t *testing.T) {
	texts := everythingTexts(t)
	for n, name := range sortedNames(texts) {
		t.Run(name, func(t *testing.T) {
			d := docOf(t, name, texts[name])
			everyDocument(t, d)
			for i, off := range tokenStarts(texts[name]) {
				everyFeature(t, d, off, (i+n)%4 == 0)
			}
		})
	}
}

// TestEverythingBroken is TestEverything on damaged texts.
func TestEverythingBroken(t *testing.T) {
	texts := everythingTexts(t)
	seed := int64(20240611)
	if s, err := strconv.ParseInt(os.Getenv("EVERYTHING_SEED"), 10, 64); err == nil {
		seed = s
	}
	r := rand.New(rand.NewSource(seed))
	for _, name := range sortedNames(texts) {
		for k := range 6 {
			text := mutate(r, texts[name])
			func() {
				defer func() {
					if v := recover(); v != nil {
						t.Fatalf("seed %d, %s, mutation %d: panic %v\n%q", seed, name, k, v, text)
					}
				}()
				d := docOf(t, name, text)
				everyDocument(t, d)
				at := tokenStarts(text)
				for i := r.Intn(9); i < len(at); i += 1 + r.Intn(2+len(at)/12) {
					everyFeature(t, d, at[i], true)
				}
			}()
		}
	}
}

// FuzzEverything: no text and no offset makes any feature panic or answer
// outside the document.
func FuzzEverything(f *testing.F) {
	texts := everythingTexts(f)
	for i, name := range sortedNames(texts) {
		f.Add(texts[name], i*37)
	}
	f.Add("", 0)
	f.Add("@pl.program\nclass P:\n @pl.function\n def f(", 30)
	f.Fuzz(func(t *testing.T, text string, off int) {
		if len(text) > 1<<13 {
			return
		}
		d := docOf(t, "f.py", text)
		everyDocument(t, d)
		at := tokenStarts(text)
		everyFeature(t, d, at[uint(off)%uint(len(at))], true)
	})
}
