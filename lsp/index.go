package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/files"
	"pypto-ls/lsp/internal/position"
)

// indexed is a file of the workspace that is not open.
type indexed struct {
	stamp files.Stamp
	under position.Encoding
	doc   *Document          // nil for a file without kernels
	an    *analysis.Document // of doc
}

// fileIndex keeps the kernel files of the workspace that are not open, so that
// looking for a name again costs a look at the files' times.
type fileIndex struct {
	mu    sync.Mutex
	files map[string]*indexed // by path; guarded by mu
	bytes int                 // of the texts kept; guarded by mu
}

// maxIndexBytes bounds the text that the index keeps; what is beyond is read
// each time.
const maxIndexBytes = 32 << 20

func newFileIndex() *fileIndex { return &fileIndex{files: map[string]*indexed{}} }

// isPython: where names of kernels may occur. Dumps define everything they
// use.
func isPython(path string) bool {
	return strings.HasSuffix(path, ".py") && !strings.Contains(filepath.ToSlash(path), "/passes_dump/")
}

// reach is the set of documents that an answer may lead to.
type reach struct {
	docs []*analysis.Document
	of   map[*analysis.Document]*Document
}

// reach lists the open documents and, when whole is set, the kernel files of
// the workspace that match.
func (s *Snapshot) reach(ctx context.Context, whole bool, match func(path string) bool) (*reach, error) {
	r := &reach{of: map[*analysis.Document]*Document{}}
	for _, d := range sortedDocs(s.docs) {
		if a := s.analysed(d); a != nil {
			r.add(d, a)
		}
	}
	if !whole {
		return r, nil
	}
	paths, _, err := s.guard.Walk(ctx, match, maxWorkspaceFiles)
	if err != nil {
		return nil, err
	}
	progress := progressOf(ctx)
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress.Report(i, len(paths), filepath.Base(path))
		uri, err := convert.ParseURI(convert.FileURI(path))
		if err != nil || s.docs[uri.Key] != nil {
			continue
		}
		if x := s.indexFile(uri); x != nil && x.doc != nil {
			r.add(x.doc, x.an)
		}
	}
	return r, nil
}

func (r *reach) add(d *Document, a *analysis.Document) {
	r.docs = append(r.docs, a)
	r.of[a] = d
}

// indexFile looks at a file that is not open, nil when it cannot be read.
func (s *Snapshot) indexFile(uri convert.URI) *indexed {
	stamp, err := s.guard.Stat(uri.Path)
	if err != nil {
		return nil
	}
	if x := s.index.get(uri.Path); x != nil && x.stamp == stamp && x.under == s.encoding {
		return x
	}
	data, err := s.guard.Read(uri.Path, int64(s.limit))
	if err != nil {
		return nil
	}
	x := &indexed{stamp: stamp, under: s.encoding}
	if text := string(data); strings.Contains(text, "pypto") || strings.Contains(text, "pl.") {
		file := irsyntax.Parse(text)
		a := s.queries.Unopened(Source{Key: uri.Key, Path: uri.Path, File: file, Focus: -1})
		if a != nil && a.IsKernel() {
			x.doc, x.an = &Document{uri: uri, file: file, mapper: position.New(s.encoding, nil, file), focus: -1}, a
		}
	}
	s.index.put(uri.Path, x)
	return x
}

func (t *fileIndex) get(path string) *indexed {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.files[path]
}

func (t *fileIndex) put(path string, x *indexed) {
	t.mu.Lock()
	defer t.mu.Unlock()
	size := func(x *indexed) int {
		if x == nil || x.doc == nil {
			return 0
		}
		return x.doc.file.Len
	}
	n := size(x) - size(t.files[path])
	if t.bytes+n > maxIndexBytes || len(t.files) >= 2*maxWorkspaceFiles {
		return
	}
	t.bytes += n
	t.files[path] = x
}

// location converts a place in one of the documents.
func (r *reach) location(p analysis.Place) (protocol.Location, bool) {
	d := r.of[p.Doc]
	if d == nil {
		return protocol.Location{}, false
	}
	return protocol.Location{URI: protocol.DocumentURI(d.uri.Raw), Range: d.mapper.SpanRange(int(p.Span.Start), int(p.Span.End))}, true
}

// locations converts places; an empty list is null.
func (r *reach) locations(places []analysis.Place) []protocol.Location {
	var out []protocol.Location
	for _, p := range places {
		if l, ok := r.location(p); ok {
			out = append(out, l)
		}
	}
	return out
}

// workspaceEdit makes the edit of several documents in the form that the client
// understands: by version where it can, so that an edit of an older text is
// refused.
func (s *Snapshot) workspaceEdit(r *reach, edits []analysis.FileEdits) *protocol.WorkspaceEdit {
	out := &protocol.WorkspaceEdit{}
	w := s.client.caps.Workspace
	versioned := w != nil && w.WorkspaceEdit != nil && w.WorkspaceEdit.DocumentChanges
	for _, f := range edits {
		d := r.of[f.Doc]
		if d == nil {
			continue
		}
		list := d.textEdits(f.Edits)
		if !versioned {
			if out.Changes == nil {
				out.Changes = map[protocol.DocumentURI][]protocol.TextEdit{}
			}
			out.Changes[protocol.DocumentURI(d.uri.Raw)] = list
			continue
		}
		id := protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: protocol.DocumentURI(d.uri.Raw)}}
		if s.docs[d.uri.Key] == d {
			version := d.version
			id.Version = &version
		}
		out.DocumentChanges = append(out.DocumentChanges, protocol.TextDocumentEdit{TextDocument: id, Edits: list})
	}
	return out
}

func (d *Document) textEdits(edits []analysis.TextEdit) []protocol.TextEdit {
	out := make([]protocol.TextEdit, len(edits))
	for i, e := range edits {
		out[i] = protocol.TextEdit{Range: d.mapper.SpanRange(int(e.Span.Start), int(e.Span.End)), NewText: e.Text}
	}
	return out
}
