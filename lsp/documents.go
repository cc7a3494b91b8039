package lsp

import (
	"maps"
	"slices"
	"sort"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/files"
	"pypto-ls/lsp/internal/position"
)

// Document is one version of an open document. It is immutable.
type Document struct {
	uri        convert.URI
	languageID string
	version    int32  // the client's number, which may repeat
	seq        uint64 // ours, which only grows
	file       *irsyntax.File
	mapper     *position.Mapper
	config     *ConfigFile
	focus      int
	oversize   int // the document's length when it is too long to be read, else 0
}

// docStore holds the current version of every open document. It belongs to the loop.
type docStore struct {
	limit int
	docs  map[string]*Document // by key
	lost  map[string]bool      // keys of documents whose text we do not know any more

	histories map[string]*history // by key, of documents whose latest versions have gaps
}

func newDocStore(limit int) *docStore {
	return &docStore{limit: limit, docs: map[string]*Document{}, lost: map[string]bool{}, histories: map[string]*history{}}
}

// sorted lists the documents by key.
func (s *docStore) sorted() []*Document { return sortedDocs(s.docs) }

func sortedDocs(docs map[string]*Document) []*Document {
	out := make([]*Document, 0, len(docs))
	for _, d := range docs {
		out = append(out, d)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].uri.Key < out[j].uri.Key })
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// Snapshot is one state of the session, as requests see it. It is immutable.
type Snapshot struct {
	docs    map[string]*Document
	client  *client
	queries Queries
	limit   int
	manual  string // Options.Docs

	settings Settings
	chosen   Choice
	encoding position.Encoding
	guard    *files.Guard
	views    *viewTable
	checked  *checkTable
	index    *fileIndex
	tokens   *tokenTable
}

func (s *docStore) snapshot(session *Session) *Snapshot {
	snap := &Snapshot{docs: make(map[string]*Document, len(s.docs)), client: session.client, limit: s.limit, manual: session.opts.Docs,
		settings: session.settings, chosen: session.chosen, encoding: session.encoding, guard: session.guard, views: session.views, checked: session.checked,
		index: session.index, tokens: session.tokens}
	in := Input{Settings: session.settings, Chosen: session.chosen, Previous: session.queries}
	for _, d := range s.sorted() {
		snap.docs[d.uri.Key] = d
		if d.oversize == 0 {
			in.Documents = append(in.Documents, Source{Key: d.uri.Key, Path: d.uri.Path, LanguageID: d.languageID, File: d.file, Config: d.config, Focus: d.focus})
		}
	}
	snap.queries = session.opts.Engine.Snapshot(in)
	session.queries = snap.queries
	return snap
}

// analysed is what analysis knows of a document, nil when there is nothing to
// ask.
func (s *Snapshot) analysed(d *Document) *analysis.Document {
	if d == nil || d.oversize > 0 {
		return nil
	}
	return s.queries.Document(d.uri.Key)
}

// Doc finds an open document that can be asked about, nil if there is none:
// requests about others have empty answers.
func (s *Snapshot) Doc(uri protocol.DocumentURI) *Document {
	if d := s.anyDoc(uri); d != nil && d.oversize == 0 {
		return d
	}
	return nil
}

// anyDoc finds also documents that are too long to be asked about.
func (s *Snapshot) anyDoc(uri protocol.DocumentURI) *Document {
	u, err := convert.ParseURI(string(uri))
	if err != nil {
		return nil
	}
	return s.docs[u.Key]
}

// location converts a place in any open document; false when it is not open.
func (s *Snapshot) location(key string, start, end int) (protocol.Location, bool) {
	d := s.docs[key]
	if d == nil || d.oversize > 0 {
		return protocol.Location{}, false
	}
	return protocol.Location{URI: protocol.DocumentURI(d.uri.Raw), Range: d.mapper.SpanRange(start, end)}, true
}
