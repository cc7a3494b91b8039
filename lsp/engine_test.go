package lsp_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp"
)

// tiny is an engine for tests. Words of the documents make it do things:
//
//	BAD       an error there, related to the first word of the document
//	SLOW      queries wait until they are given up, or until release
//	STUBBORN  queries wait until release, whatever the context says
//	PANIC     queries panic with the document's text
//	t_NAME    a hint after it, which links to it
//	def NAME  a symbol
type tiny struct {
	release   chan struct{}
	snapshots atomic.Int64
	began     chan string // names of queries that wait, if there is room

	mu   sync.Mutex
	last lsp.Input // guarded by mu
}

func newTiny() *tiny { return &tiny{release: make(chan struct{}), began: make(chan string, 100000)} }

func (e *tiny) Snapshot(in lsp.Input) lsp.Queries {
	e.snapshots.Add(1)
	e.mu.Lock()
	e.last = in
	e.mu.Unlock()
	return &tinyQueries{e, in}
}

// input is what the newest snapshot was made of.
func (e *tiny) input() lsp.Input {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last
}

type tinyQueries struct {
	e  *tiny
	in lsp.Input
}

func (q *tinyQueries) Document(string) *analysis.Document             { return nil }
func (q *tinyQueries) Targeted(string, lsp.Choice) *analysis.Document { return nil }

func (q *tinyQueries) Unopened(lsp.Source) *analysis.Document { return nil }

func (q *tinyQueries) Check(ctx context.Context, src lsp.Source) []lsp.Diagnostic {
	return (&tinyQueries{q.e, lsp.Input{Documents: []lsp.Source{src}, Settings: q.in.Settings}}).Diagnostics(ctx, src.Key)
}

func textOf(f *irsyntax.File) string {
	var b strings.Builder
	for _, c := range f.Chunks {
		b.WriteString(c.Text)
	}
	return b.String()
}

// open is the text of a document, after it has done what its words say.
func (q *tinyQueries) open(ctx context.Context, query, key string) string {
	for _, d := range q.in.Documents {
		if d.Key == key {
			text := textOf(d.File)
			q.act(ctx, query, text)
			return text
		}
	}
	return ""
}

func (q *tinyQueries) act(ctx context.Context, query, text string) {
	switch {
	case strings.Contains(text, "PANIC"):
		panic(text)
	case strings.Contains(text, "STUBBORN"):
		q.e.began <- query
		<-q.e.release
	case strings.Contains(text, "SLOW"):
		q.e.began <- query
		select {
		case <-ctx.Done():
		case <-q.e.release:
		}
	}
}

var (
	badWord  = regexp.MustCompile(`BAD\w*`)
	tileWord = regexp.MustCompile(`t_\w+`)
	defWord  = regexp.MustCompile(`def (\w+)`)
	anyWord  = regexp.MustCompile(`\pL[\pL\pN_]*`)
)

func (q *tinyQueries) Diagnostics(ctx context.Context, key string) []lsp.Diagnostic {
	text := q.open(ctx, "diagnostics", key)
	var out []lsp.Diagnostic
	for _, m := range badWord.FindAllStringIndex(text, -1) {
		d := lsp.Diagnostic{Start: m[0], End: m[1], Severity: lsp.Error, Code: "bad", Message: fmt.Sprintf("%s on %q", text[m[0]:m[1]], q.in.Settings.Platform)}
		if w := anyWord.FindStringIndex(text); w != nil {
			d.Related = []lsp.Related{{Key: key, Start: w[0], End: w[1], Message: "the first word"}, {Key: "file:///not/open.py", Message: "elsewhere"}}
		}
		out = append(out, d)
	}
	return out
}

// Prompt keeps back what it says about words with LATER in them.
func (q *tinyQueries) Prompt(ctx context.Context, key string) (found []lsp.Diagnostic, whole bool) {
	whole = true
	for _, d := range q.Diagnostics(ctx, key) {
		if strings.Contains(d.Message, "LATER") {
			whole = false
			continue
		}
		found = append(found, d)
	}
	return found, whole
}

func (q *tinyQueries) Hints(ctx context.Context, key string, start, end int) []lsp.Hint {
	text := q.open(ctx, "hints", key)
	var out []lsp.Hint
	for _, m := range tileWord.FindAllStringIndex(text, -1) {
		if m[1] >= start && m[1] <= end {
			out = append(out, lsp.Hint{Offset: m[1], Tooltip: "a tile", Parts: []lsp.HintPart{{Text: "▸", Key: key, Start: m[0], End: m[1]}, {Text: text[m[0]:m[1]]}}})
		}
	}
	return out
}

func (q *tinyQueries) Hover(ctx context.Context, key string, offset int) (lsp.Hover, bool) {
	text := q.open(ctx, "hover", key)
	for _, m := range anyWord.FindAllStringIndex(text, -1) {
		if m[0] <= offset && offset <= m[1] {
			return lsp.Hover{Start: m[0], End: m[1], Markdown: "word " + text[m[0]:m[1]]}, true
		}
	}
	return lsp.Hover{}, false
}

func (q *tinyQueries) Symbols(ctx context.Context, key string) []lsp.Symbol {
	text := q.open(ctx, "symbols", key)
	var out []lsp.Symbol
	for _, m := range defWord.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, lsp.Symbol{Name: text[m[2]:m[3]], Detail: "a function", Kind: 12, Start: m[0], End: m[1], NameStart: m[2], NameEnd: m[3]})
	}
	return out
}
