package lsp

import (
	"sync"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
)

// viewTable remembers which virtual documents the client has asked for, so
// that it can be told to ask again. The protocol does not say when one is
// closed: the ones asked for last are kept.
type viewTable struct {
	mu   sync.Mutex
	open []view // guarded by mu; the last one asked for at the end
}

// maxViews bounds the virtual documents that are refreshed.
const maxViews = 32

type view struct {
	uri protocol.DocumentURI
	key string // of the document that it is made from
}

func newViewTable() *viewTable { return &viewTable{} }

func (t *viewTable) add(v view) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, o := range t.open {
		if o == v {
			t.open = append(t.open[:i], t.open[i+1:]...)
			break
		}
	}
	if t.open = append(t.open, v); len(t.open) > maxViews {
		t.open = t.open[1:]
	}
}

func (t *viewTable) of(key string) []protocol.DocumentURI {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []protocol.DocumentURI
	for _, v := range t.open {
		if v.key == key {
			out = append(out, v.uri)
		}
	}
	return out
}

// refreshViews makes the client read the virtual documents of a document anew.
func (s *Session) refreshViews(doc *Document) {
	if !s.client.flags.virtualDocuments {
		return
	}
	for _, uri := range s.views.of(doc.uri.Key) {
		s.refreshOf(protocol317.MethodTextContentRefresh, string(uri), protocol317.TextDocumentContentRefreshParams{URI: uri})
	}
}
