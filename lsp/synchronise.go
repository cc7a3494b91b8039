package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"pypto-ls/irsyntax"
	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/wire"
)

// documentChange is implemented by the parameters of notifications after whose
// failure a document's text is unknown.
type documentChange interface{ documentURI() string }

// didOpenParams are the parameters of textDocument/didOpen. They are decoded by
// hand: the text may be most of a hundred megabytes. The text is cut into chunks
// on the reader already.
type didOpenParams struct {
	uri        string
	languageID string
	version    int32
	length     int
	file       *irsyntax.File
}

func (p *didOpenParams) documentURI() string { return p.uri }

func (p *didOpenParams) decodeParams(raw json.RawMessage) error {
	doc := wire.Member(raw, "textDocument")
	var ok bool
	if p.uri, ok = wire.Unquote(wire.Member(doc, "uri")); !ok {
		return errors.New("textDocument.uri is not a string")
	}
	text, ok := wire.Unquote(wire.Member(doc, "text"))
	if !ok {
		return errors.New("textDocument.text is not a string")
	}
	p.languageID, _ = wire.Unquote(wire.Member(doc, "languageId"))
	if v := wire.Member(doc, "version"); v != nil {
		if err := json.Unmarshal(v, &p.version); err != nil {
			return errors.New("textDocument.version is not an integer")
		}
	}
	p.length = len(text)
	p.file = irsyntax.Parse(text)
	return nil
}

// didChangeParams adds what is needed when it cannot be decoded.
type didChangeParams struct {
	protocol317.DidChangeTextDocumentParams
}

func (p *didChangeParams) documentURI() string { return string(p.TextDocument.URI) }

func syncMethods(r *registry) {
	registerNotification(r, protocol.MethodTextDocumentDidOpen, (*Session).didOpen)
	registerNotification(r, protocol.MethodTextDocumentDidChange, (*Session).didChange)
	registerNotification(r, protocol.MethodTextDocumentDidSave, (*Session).didSave)
	registerNotification(r, protocol.MethodTextDocumentDidClose, (*Session).didClose)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.TextDocumentSync = protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental, Save: &protocol.SaveOptions{}}
	})
}

func (s *Session) didOpen(p *didOpenParams) {
	uri, err := convert.ParseURI(p.uri)
	if err != nil {
		s.log.Warn("a document without a usable URI")
		return
	}
	if old := s.docs.docs[uri.Key]; old != nil {
		s.log.Warn("a document was opened twice; the newer text counts")
		s.pub.close(old)
	}
	delete(s.docs.lost, uri.Key)
	delete(s.docs.histories, uri.Key)
	d := &Document{uri: uri, languageID: p.languageID, version: p.version, file: p.file, config: s.configFor(uri.Path), focus: -1}
	if p.length > s.docs.limit {
		d.oversize, d.file = p.length, irsyntax.Parse("")
	}
	d.mapper = position.New(s.encoding, nil, d.file)
	s.setDocument(d)
	s.pub.touch(uri.Key)
}

// setDocument makes d the current version: requests about older ones are
// outdated. Its diagnostics are due, of which the publisher has to be told.
func (s *Session) setDocument(d *Document) {
	s.seq++
	d.seq = s.seq
	s.docs.docs[d.uri.Key] = d
	s.changed()
	for _, c := range s.calls.outdated(d.uri.Key) {
		c.giveUp(outdatedReason(c.method))
	}
}

func outdatedReason(method string) *jsonrpc2.Error {
	if method == protocol317.MethodDocumentDiagnostic {
		return errRetrigger
	}
	return errOutdated
}

func (s *Session) didChange(p *didChangeParams) {
	uri, err := convert.ParseURI(p.documentURI())
	if err != nil {
		s.log.Warn("an edit of a document without a usable URI")
		return
	}
	d := s.docs.docs[uri.Key]
	if d == nil {
		s.loseTrack(uri, "it was edited before it was opened")
		return
	}
	c := versionedChange{version: d.version + 1, events: p.ContentChanges}
	if v := p.TextDocument.Version; v != nil {
		c.version = *v
	}
	next, err := s.changeDocument(uri.Key, d, c)
	if err != nil {
		s.dropDocument(uri.Raw, err.Error())
		return
	}
	if next != d {
		s.setDocument(next)
		s.pub.edited(uri.Key)
	}
}

// changeDocument is the document after a change, which belongs before others if
// its version is lower than theirs. A repeated version counts in the order of
// arrival: there are editors that do not count.
func (s *Session) changeDocument(key string, d *Document, c versionedChange) (next *Document, err error) {
	h := s.docs.histories[key]
	if c.version < d.version {
		s.log.Debug("an edit that was overtaken by a later one")
		next, h, err = h.insert(c, d, s.docs.limit, s.encoding)
	} else if next, err = d.step(c, s.docs.limit, s.encoding); err == nil {
		h = h.follow(d, c, next)
	}
	if err != nil {
		return nil, err
	}
	if h == nil {
		delete(s.docs.histories, key)
	} else {
		s.docs.histories[key] = h
	}
	return next, nil
}

func wholeText(changes []protocol317.TextDocumentContentChangeEvent) bool {
	return len(changes) > 0 && changes[0].Range == nil
}

// didSave looks at the configuration again: for clients that do not watch files.
func (s *Session) didSave(p *protocol.DidSaveTextDocumentParams) {
	s.reloadConfigs()
	if uri, err := convert.ParseURI(string(p.TextDocument.URI)); err == nil {
		s.pub.saved(uri.Key)
	}
}

func (s *Session) didClose(p *protocol.DidCloseTextDocumentParams) {
	uri, err := convert.ParseURI(string(p.TextDocument.URI))
	if err != nil {
		return
	}
	delete(s.docs.lost, uri.Key)
	s.removeDocument(uri.Key)
}

func (s *Session) removeDocument(key string) {
	d := s.docs.docs[key]
	if d == nil {
		return
	}
	delete(s.docs.docs, key)
	delete(s.docs.histories, key)
	s.changed()
	for _, c := range s.calls.outdated(key) {
		c.giveUp(errOutdated)
	}
	s.pub.close(d)
}

// dropDocument forgets a document whose text is not known any more, rather than
// guess at it.
func (s *Session) dropDocument(raw, why string) {
	uri, err := convert.ParseURI(raw)
	if err != nil {
		return
	}
	s.removeDocument(uri.Key)
	s.loseTrack(uri, why)
}

// loseTrack asks the user to open the document again, once.
func (s *Session) loseTrack(uri convert.URI, why string) {
	if s.docs.lost[uri.Key] {
		return
	}
	s.docs.lost[uri.Key] = true
	s.log.Warn("lost track of a document", methodField(protocol.MethodTextDocumentDidChange))
	s.showMessage(protocol.MessageTypeWarning, fmt.Sprintf("pypto-ls lost track of %.200s: %s. Close it and open it again.", path.Base(uri.Key), why))
}
