package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func codeActionMethods(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentCodeAction, traits[codeActionParams]{
		doc:      func(p *codeActionParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, codeAction)
	registerRequest(r, "codeAction/resolve", traits[codeActionItem]{priority: sched.High}, resolveCodeAction)
	r.advertise(func(c *client, caps *protocol317.ServerCapabilities) {
		if c.actionLiterals() {
			caps.CodeActionProvider = &protocol.CodeActionOptions{
				CodeActionKinds: []protocol.CodeActionKind{analysis.QuickFix, analysis.RewriteFix, analysis.FixAllOfPypto},
				ResolveProvider: true,
			}
		}
	})
}

// codeActionParams are those of 3.17.
type codeActionParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
	Context      struct {
		Only        []string `json:"only"`
		TriggerKind int      `json:"triggerKind"` // 1 invoked, 2 automatic, 0 of before 3.17
	} `json:"context"`
}

// codeActionItem is an action; data comes back as we wrote it.
type codeActionItem struct {
	Title       string                  `json:"title"`
	Kind        string                  `json:"kind,omitempty"`
	Diagnostics []protocol.Diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool                    `json:"isPreferred,omitempty"`
	Edit        *protocol.WorkspaceEdit `json:"edit,omitempty"`
	Data        *codeActionData         `json:"data,omitempty"`
}

// codeActionData names an action of one state of a document: the finding that
// it belongs to by its code and place, and the fix by its id. An empty code
// means an action that belongs to no finding.
type codeActionData struct {
	URI   protocol.DocumentURI `json:"uri"`
	Seq   uint64               `json:"seq"`
	Code  string               `json:"code,omitempty"`
	Start int                  `json:"start"`
	End   int                  `json:"end"`
	Fix   string               `json:"fix"`
}

// codeAction lists what can be done about the findings in a range, and what is
// offered without one. Edits come with codeAction/resolve where the client can
// ask for them.
func codeAction(ctx context.Context, snap *Snapshot, p *codeActionParams) ([]codeActionItem, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil || !a.IsKernel() || !snap.client.actionLiterals() {
		return nil, nil
	}
	start, end := doc.mapper.RangeSpan(p.Range)
	x := &actions{snap: snap, doc: doc, a: a, lazy: snap.client.resolvesEdits()}
	var err error
	if wanted(p.Context.Only, analysis.QuickFix) {
		err = x.fixes(ctx, start, end)
	}
	if err == nil && wanted(p.Context.Only, analysis.RewriteFix) && (p.Context.Only != nil || p.Context.TriggerKind != 2) {
		err = x.rewrites(ctx, start, end)
	}
	if err == nil && p.Context.Only != nil && wanted(p.Context.Only, analysis.FixAllOfPypto) {
		err = x.all(ctx)
	}
	return x.out, err
}

// wanted reports whether a kind is among those asked for; nil means all.
func wanted(only []string, kind string) bool {
	if only == nil {
		return true
	}
	for _, k := range only {
		if k == "" || k == kind || strings.HasPrefix(kind, k+".") {
			return true
		}
	}
	return false
}

// actions gathers the actions of one document.
type actions struct {
	snap *Snapshot
	doc  *Document
	a    *analysis.Document
	lazy bool
	out  []codeActionItem
}

func (x *actions) fixes(ctx context.Context, start, end int) error {
	found, r, err := x.found(ctx, start, end)
	if err != nil {
		return err
	}
	seen := map[string]int{} // a fix of several findings is one action
	worst := worstPreferred(found)
	for _, f := range found {
		diagnostic := x.snap.diagnostic(x.doc, convertFinding(x.doc.uri.Key, &f.Finding))
		for _, fix := range f.Fixes {
			if i, ok := seen[fix.ID]; ok {
				x.out[i].Diagnostics = append(x.out[i].Diagnostics, diagnostic)
				continue
			}
			seen[fix.ID] = len(x.out)
			item := codeActionItem{Title: fix.Title, Kind: fix.Kind, IsPreferred: fix.Preferred && f.Finding.Severity == worst, Diagnostics: []protocol.Diagnostic{diagnostic}}
			x.add(item, &fix, r, codeActionData{Code: f.Finding.Code, Start: int(f.Finding.Span.Start), End: int(f.Finding.Span.End)})
		}
	}
	return nil
}

// worstPreferred is the worst severity with a preferred fix: editors take the
// preferred action of a place, which is not to be that of a mere hint.
func worstPreferred(found []analysis.FoundFixes) analysis.Severity {
	worst := analysis.Hint
	for _, f := range found {
		for _, x := range f.Fixes {
			if x.Preferred {
				worst = min(worst, f.Finding.Severity)
			}
		}
	}
	return worst
}

// found are the fixes in a range; when one is of a dump, its source is looked
// for in the workspace.
func (x *actions) found(ctx context.Context, start, end int) ([]analysis.FoundFixes, *reach, error) {
	found := x.a.FixesAt(start, end, nil)
	whole := false
	for _, f := range found {
		for i := range f.Fixes {
			whole = whole || x.a.WantsSources(&f.Fixes[i])
		}
	}
	r, err := x.snap.reach(ctx, whole, isPython)
	if err != nil || !whole {
		return found, r, err
	}
	return x.a.FixesAt(start, end, r.docs), r, nil
}

func (x *actions) rewrites(ctx context.Context, start, end int) error {
	found := x.a.RewritesAt(start, end)
	if len(found) == 0 {
		return nil
	}
	r, err := x.snap.reach(ctx, false, nil)
	for i := range found {
		x.add(codeActionItem{Title: found[i].Title, Kind: found[i].Kind}, &found[i], r, codeActionData{Start: start, End: end})
	}
	return err
}

// all is the action that makes all safe fixes of the document.
func (x *actions) all(ctx context.Context) error {
	edits := x.a.SafeFixes()
	if len(edits) == 0 {
		return nil
	}
	r, err := x.snap.reach(ctx, false, nil)
	x.add(codeActionItem{Title: "Make all safe fixes of pypto-ls", Kind: analysis.FixAllOfPypto}, &analysis.Fix{ID: analysis.FixAllOfPypto, Edits: edits}, r, codeActionData{})
	return err
}

func (x *actions) add(item codeActionItem, fix *analysis.Fix, r *reach, data codeActionData) {
	data.URI, data.Seq, data.Fix = protocol.DocumentURI(x.doc.uri.Raw), x.doc.seq, fix.ID
	item.Data = &data
	if !x.lazy {
		item.Edit = x.snap.fixEdit(r, x.a, fix)
	}
	x.out = append(x.out, item)
}

// fixEdit is the edit of a fix in its document and in others.
func (s *Snapshot) fixEdit(r *reach, a *analysis.Document, fix *analysis.Fix) *protocol.WorkspaceEdit {
	var files []analysis.FileEdits
	if len(fix.Edits) > 0 {
		files = append(files, analysis.FileEdits{Doc: a, Edits: fix.Edits})
	}
	return s.workspaceEdit(r, append(files, fix.Others...))
}

// resolveCodeAction adds the edit. An action of an older text is refused: its
// numbers may not hold any more.
func resolveCodeAction(ctx context.Context, snap *Snapshot, item *codeActionItem) (*codeActionItem, error) {
	if item.Data == nil {
		return item, nil
	}
	doc := snap.Doc(item.Data.URI)
	a := snap.analysed(doc)
	if a == nil || doc.seq != item.Data.Seq {
		return nil, errOutdated
	}
	x := &actions{snap: snap, doc: doc, a: a}
	fix, r, err := x.resolve(ctx, item.Data)
	if err != nil {
		return nil, err
	}
	if fix == nil {
		return nil, errOutdated
	}
	item.Edit = snap.fixEdit(r, a, fix)
	return item, nil
}

// resolve finds the fix again; nil when it is not offered any more.
func (x *actions) resolve(ctx context.Context, d *codeActionData) (*analysis.Fix, *reach, error) {
	if d.Code != "" {
		found, r, err := x.found(ctx, d.Start, d.End)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range found {
			for i := range f.Fixes {
				if f.Fixes[i].ID == d.Fix && f.Finding.Code == d.Code {
					return &f.Fixes[i], r, nil
				}
			}
		}
		return nil, nil, nil
	}
	r, err := x.snap.reach(ctx, false, nil)
	if err != nil {
		return nil, nil, err
	}
	if d.Fix == analysis.FixAllOfPypto {
		return &analysis.Fix{Edits: x.a.SafeFixes()}, r, nil
	}
	found := x.a.RewritesAt(d.Start, d.End)
	for i := range found {
		if found[i].ID == d.Fix {
			return &found[i], r, nil
		}
	}
	return nil, nil, nil
}

// actionLiterals reports whether the client takes actions, not only commands.
func (c *client) actionLiterals() bool {
	t := c.caps.TextDocument
	return t != nil && t.CodeAction != nil && t.CodeAction.CodeActionLiteralSupport != nil
}

// resolvesEdits reports whether the client asks for the edit of an action when
// it is chosen.
func (c *client) resolvesEdits() bool {
	t := c.caps.TextDocument
	if t == nil || t.CodeAction == nil || !t.CodeAction.DataSupport || t.CodeAction.ResolveSupport == nil {
		return false
	}
	for _, p := range t.CodeAction.ResolveSupport.Properties {
		if p == "edit" {
			return true
		}
	}
	return false
}
