package lsp

import (
	"context"
	"runtime"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
)

// planner is the Engine over package analysis. The memo is shared by all its
// sessions; everything else is in the queries.
type planner struct {
	memo *analysis.Engine
	tune []func(text int)
}

// What the memo may hold of functions as they were before the last edits: some
// for undoing, and as much again as the open documents need themselves.
const (
	memoLeast   = 1 << 20
	memoPerText = 4 // bytes for each of the open documents
)

// NewPlanner makes the Engine that answers from package analysis. Each tune is
// told how many bytes of text are open whenever that may have changed.
func NewPlanner(memo *analysis.Engine, tune ...func(text int)) Engine {
	return &planner{memo, tune}
}

func (p *planner) Snapshot(in Input) Queries {
	q := &planQueries{planner: p, in: in, docs: make(map[string]*planDoc, len(in.Documents))}
	q.in.Previous = nil // or every state before would be kept
	before, _ := in.Previous.(*planQueries)
	text := 0
	for _, src := range in.Documents {
		text += src.File.Len
		q.docs[src.Key] = p.document(src, in, before)
	}
	p.memo.Limit(memoLeast + memoPerText*text)
	for _, tune := range p.tune {
		tune(text)
	}
	return q
}

// document makes the document of a source; one of which nothing changed is
// taken over as it is.
func (p *planner) document(src Source, in Input, before *planQueries) *planDoc {
	d := &planDoc{src: src, chosen: in.Chosen, platform: in.Settings.Platform, planner: in.Settings.Planner}
	var prev *analysis.Document
	if old := before.document(src.Key); old != nil {
		if old.same(d) {
			d.doc = old.doc
			return d
		}
		prev = old.doc
	}
	d.doc = p.memo.NewDocument(src.Path, src.File, resolve(src, in, Choice{}), analysis.Options{}, prev)
	return d
}

// resolve finds what a document is planned for; want goes before everything.
func resolve(src Source, in Input, want Choice) analysis.Settings {
	cfg := src.Config.config()
	s := analysis.Resolve(cfg,
		analysis.Layer{Platform: want.Platform, Planner: want.Planner, From: "request"},
		analysis.Layer{Platform: in.Chosen.Platform, Planner: in.Chosen.Planner, From: "command"},
		analysis.Layer{Platform: in.Settings.Platform, Planner: in.Settings.Planner, From: "setting"},
		analysis.FileLayer(firstLines(src.File)), cfg.Layer)
	s.AddProblems(cfg)
	return s
}

// firstLines is the beginning of a text, all of it that may hold settings.
func firstLines(f *irsyntax.File) string {
	text := ""
	for i := range f.Chunks {
		e := &f.Chunks[i]
		if e.Line > analysis.SettingsLines {
			break
		}
		text += e.Text[:min(len(e.Text), 4096)]
	}
	return text
}

// planDoc is a document with what it was made from.
type planDoc struct {
	src               Source
	chosen            Choice
	platform, planner string
	doc               *analysis.Document
}

// same reports whether d gives the document that is known already.
func (d *planDoc) same(n *planDoc) bool {
	return d.src.File == n.src.File && d.src.Path == n.src.Path && d.src.Config == n.src.Config && d.chosen == n.chosen && d.platform == n.platform && d.planner == n.planner
}

// planQueries answers about one state.
type planQueries struct {
	planner *planner
	in      Input
	docs    map[string]*planDoc
}

func (q *planQueries) document(key string) *planDoc {
	if q == nil {
		return nil
	}
	return q.docs[key]
}

func (q *planQueries) Document(key string) *analysis.Document {
	if d := q.docs[key]; d != nil {
		return d.doc
	}
	return nil
}

func (q *planQueries) Targeted(key string, want Choice) *analysis.Document {
	d := q.docs[key]
	if d == nil || want == (Choice{}) {
		return q.Document(key)
	}
	return q.planner.memo.NewDocument(d.src.Path, d.src.File, resolve(d.src, q.in, want), analysis.Options{}, nil)
}

func (q *planQueries) Unopened(src Source) *analysis.Document {
	return q.planner.document(src, q.in, nil).doc
}

func (q *planQueries) Check(ctx context.Context, src Source) []Diagnostic {
	return q.diagnostics(ctx, q.planner.document(src, q.in, nil))
}

// Diagnostics computes what is missing first; when ctx ends meanwhile, what was
// computed stays in the memo.
func (q *planQueries) Diagnostics(ctx context.Context, key string) []Diagnostic {
	if d := q.docs[key]; d != nil {
		return q.diagnostics(ctx, d)
	}
	return nil
}

// Prompt leaves out the advice about overflows that is not known yet.
func (q *planQueries) Prompt(ctx context.Context, key string) (found []Diagnostic, whole bool) {
	d := q.docs[key]
	if d == nil || !d.computed(ctx) {
		return nil, true
	}
	some, whole := d.doc.PromptFindings()
	return q.convert(d, some), whole
}

func (q *planQueries) diagnostics(ctx context.Context, d *planDoc) []Diagnostic {
	if !d.computed(ctx) {
		return nil
	}
	return q.convert(d, d.doc.FindingsUntil(ctx))
}

// computed computes what is missing, beginning where the last edit was; it is
// false when ctx ends meanwhile and for texts without kernels.
func (d *planDoc) computed(ctx context.Context) bool {
	return d.doc.IsKernel() && d.doc.Compute(ctx, d.first(), runtime.GOMAXPROCS(0)) == nil
}

func (q *planQueries) convert(d *planDoc, found []analysis.Finding) []Diagnostic {
	out := make([]Diagnostic, 0, len(found))
	for i := range found {
		f := &found[i]
		if f.Severity >= analysis.Information && !q.in.Settings.LowSeverities {
			continue
		}
		out = append(out, convertFinding(d.src.Key, f))
	}
	return out
}

// first are the functions to begin with.
func (d *planDoc) first() []int {
	if d.src.Focus < 0 {
		return nil
	}
	return []int{d.src.File.ChunkAt(min(d.src.Focus, d.src.File.Len))}
}

func convertFinding(key string, f *analysis.Finding) Diagnostic {
	d := Diagnostic{
		Start: int(f.Span.Start), End: int(f.Span.End), Severity: Severity(f.Severity) + Error, Code: f.Code,
		Message: f.Message, Unnecessary: f.Unnecessary, Deprecated: f.Deprecated,
	}
	for _, more := range []string{f.Help, f.Explain} {
		if more != "" {
			d.Message += "\n\n" + more
		}
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, Related{Key: key, Start: int(r.Span.Start), End: int(r.Span.End), Message: r.Message})
	}
	return d
}

func (q *planQueries) Hints(_ context.Context, key string, start, end int) []Hint {
	d := q.docs[key]
	if d == nil {
		return nil
	}
	found := d.doc.InlayHints(start, end, analysis.HintKinds(q.in.Settings.InlayHints))
	out := make([]Hint, len(found))
	for i, h := range found {
		out[i] = Hint{Offset: int(h.Offset), Parts: make([]HintPart, len(h.Parts)), Ref: &HintRef{h.Chunk, h.Planned, h.Tile}}
		for k, p := range h.Parts {
			out[i].Parts[k] = HintPart{Text: p.Text}
			if p.Target.Valid() {
				out[i].Parts[k] = HintPart{Text: p.Text, Key: key, Start: int(p.Target.Start), End: int(p.Target.End)}
			}
		}
	}
	return out
}

func (q *planQueries) Hover(_ context.Context, key string, offset int) (Hover, bool) {
	d := q.docs[key]
	if d == nil {
		return Hover{}, false
	}
	h, ok := d.doc.Hover(offset)
	return Hover{Start: int(h.Span.Start), End: int(h.Span.End), Markdown: h.Markdown}, ok
}

// symbolKinds are the outline's kinds as LSP numbers them: class, function,
// variable, constant, type parameter, object.
var symbolKinds = [...]SymbolKind{5, 12, 13, 14, 26, 19}

func (q *planQueries) Symbols(_ context.Context, key string) []Symbol {
	d := q.docs[key]
	if d == nil {
		return nil
	}
	return convertSymbols(d.doc.Symbols())
}

func convertSymbols(list []analysis.Symbol) []Symbol {
	if len(list) == 0 {
		return nil
	}
	out := make([]Symbol, len(list))
	for i, s := range list {
		out[i] = Symbol{Name: s.Name, Detail: s.Detail, Kind: symbolKinds[s.Kind], Start: int(s.Span.Start), End: int(s.Span.End),
			NameStart: int(s.NameSpan.Start), NameEnd: int(s.NameSpan.End), Children: convertSymbols(s.Children)}
	}
	return out
}
