package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"pypto-ls/irsyntax"
	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/files"
	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
)

// maxWorkspaceFiles bounds how many files a check of the workspace looks at.
const maxWorkspaceFiles = 10000

// isDump reports whether a file of the workspace is looked at without being
// open: the dumps of a compilation, and kernels named so.
func isDump(path string) bool {
	slash := filepath.ToSlash(path)
	return strings.HasSuffix(slash, ".pypto.py") || strings.HasSuffix(slash, ".py") && strings.Contains(slash, "/passes_dump/")
}

// checked is what is known of a file that is not open.
type checked struct {
	stamp files.Stamp
	under string // settings and configuration that it was checked under
	items []protocol.Diagnostic
	hash  string
}

// checkTable keeps what was found in files that are not open, so that asking
// again costs a look at the files' times.
type checkTable struct {
	s *Session

	mu      sync.Mutex
	results map[string]*checked // by path; guarded by mu

	shown map[string]bool // URIs of files with diagnostics pushed; belongs to the loop
}

func newCheckTable(s *Session) *checkTable {
	return &checkTable{s: s, results: map[string]*checked{}, shown: map[string]bool{}}
}

// fileResult is a file of the workspace with what was found; doc is set when it
// is open.
type fileResult struct {
	uri   string
	doc   *Document
	items []protocol.Diagnostic
	hash  string
}

// checkFiles looks at all dumps of the workspace, and at the open documents.
// visit is called for each in the order of their names, the open ones first.
func (s *Snapshot) checkFiles(ctx context.Context, visit func(i, n int, r fileResult)) error {
	paths, _, err := s.guard.Walk(ctx, isDump, maxWorkspaceFiles)
	if err != nil {
		return err
	}
	open := sortedDocs(s.docs)
	n := len(open) + len(paths)
	for i, doc := range open {
		items := s.diagnostics(ctx, doc)
		if err := ctx.Err(); err != nil {
			return err
		}
		visit(i, n, fileResult{doc.uri.Raw, doc, items, hashOf(items)})
	}
	configs := map[string]*ConfigFile{}
	for i, path := range paths {
		uri, err := convert.ParseURI(convert.FileURI(path))
		if err != nil || s.docs[uri.Key] != nil {
			continue
		}
		c := s.checkFile(ctx, uri, s.configOf(path, configs))
		if err := ctx.Err(); err != nil {
			return err
		}
		if c != nil {
			visit(len(open)+i, n, fileResult{uri.Raw, nil, c.items, c.hash})
		}
	}
	return nil
}

// configOf is Session.configFor for files that are not open.
func (s *Snapshot) configOf(path string, known map[string]*ConfigFile) *ConfigFile {
	dir := filepath.Dir(path)
	cfg, ok := known[dir]
	if !ok {
		if found, data, err := s.guard.Upwards(path, configName, configLimit); found != "" {
			cfg = &ConfigFile{Path: found, Data: data, Err: err}
		}
		known[dir] = cfg
	}
	return cfg
}

// checkFile checks a file that is not open, nil when it cannot be read or ctx
// ends.
func (s *Snapshot) checkFile(ctx context.Context, uri convert.URI, cfg *ConfigFile) *checked {
	stamp, err := s.guard.Stat(uri.Path)
	if err != nil {
		return nil
	}
	under := s.settings.Platform + "\x00" + s.settings.Planner + "\x00" + s.chosen.Platform + "\x00" + s.chosen.Planner
	if !s.settings.LowSeverities {
		under += "\x00errors and warnings only"
	}
	if cfg != nil {
		under += "\x00" + string(cfg.Data)
	}
	if c := s.checked.get(uri.Path); c != nil && c.stamp == stamp && c.under == under {
		return c
	}
	data, err := s.guard.Read(uri.Path, int64(s.limit))
	if err != nil {
		if errors.Is(err, files.ErrTooLarge) {
			return &checked{items: []protocol.Diagnostic{}}
		}
		return nil
	}
	file := irsyntax.Parse(string(data))
	doc := &Document{uri: uri, file: file, mapper: position.New(s.encoding, nil, file), focus: -1}
	found := s.queries.Check(ctx, Source{Key: uri.Key, Path: uri.Path, File: file, Config: cfg, Focus: -1})
	if ctx.Err() != nil {
		return nil
	}
	c := &checked{stamp: stamp, under: under, items: s.convert(doc, found)}
	c.hash = hashOf(c.items)
	s.checked.put(uri.Path, c)
	return c
}

func (t *checkTable) get(path string) *checked {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.results[path]
}

func (t *checkTable) put(path string, c *checked) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.results) >= 2*maxWorkspaceFiles {
		clear(t.results)
	}
	t.results[path] = c
}

// checkResult is the answer of the command.
type checkResult struct {
	Files    int `json:"files"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
}

// checkWorkspace is a command: what it finds in files that are not open is
// published, to clients that pull by asking them to pull again.
func checkWorkspace(ctx context.Context, snap *Snapshot) (any, error) {
	var out checkResult
	var found []fileResult
	progress := progressOf(ctx)
	err := snap.checkFiles(ctx, func(i, n int, r fileResult) {
		progress.Report(i, n, filepath.Base(r.uri))
		out.Files++
		for _, d := range r.items {
			switch d.Severity {
			case protocol.DiagnosticSeverityError:
				out.Errors++
			case protocol.DiagnosticSeverityWarning:
				out.Warnings++
			}
		}
		if r.doc == nil {
			found = append(found, r)
		}
	})
	if err != nil {
		return nil, err
	}
	snap.checked.s.post(func() { snap.checked.show(found) })
	return out, nil
}

// show pushes the diagnostics of files that are not open; it runs on the loop.
func (t *checkTable) show(found []fileResult) {
	if t.s.client.flags.pullDiagnostics {
		t.s.refresh(protocol317.MethodDiagnosticRefresh)
		return
	}
	before := t.shown
	t.shown = map[string]bool{}
	for _, r := range found {
		u, err := convert.ParseURI(r.uri)
		if err != nil || t.s.docs.docs[u.Key] != nil || len(r.items) == 0 && !before[r.uri] {
			continue // what is open has its own publication
		}
		delete(before, r.uri)
		if len(r.items) > 0 {
			t.shown[r.uri] = true
		}
		t.push(r.uri, r.items)
	}
	for _, uri := range sortedKeys(before) {
		if u, err := convert.ParseURI(uri); err == nil && t.s.docs.docs[u.Key] == nil {
			t.push(uri, []protocol.Diagnostic{})
		}
	}
}

func (t *checkTable) push(uri string, items []protocol.Diagnostic) {
	t.s.notify(protocol.MethodTextDocumentPublishDiagnostics, protocol317.PublishDiagnosticsParams{URI: protocol.DocumentURI(uri), Diagnostics: items})
}
