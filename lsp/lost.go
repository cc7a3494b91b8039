package lsp

import (
	"bytes"
	"regexp"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/wire"
)

var (
	methodPattern = regexp.MustCompile(`"method"\s*:\s*("(?:[^"\\]|\\.)*")`)
	uriPattern    = regexp.MustCompile(`"uri"\s*:\s*("(?:[^"\\]|\\.)*")`)
)

// lostChange looks at the beginning of a message that could not be read: the
// URI of the document that it would have changed, or all when that may be any.
func lostChange(prefix []byte) (uri string, all bool) {
	m := methodPattern.FindSubmatch(prefix)
	if m == nil {
		// No method to be seen: only in a message that says so later it is an edit.
		return "", bytes.Contains(prefix, []byte(`"contentChanges"`))
	}
	if name, _ := wire.Unquote(m[1]); name != protocol.MethodTextDocumentDidChange {
		return "", false
	}
	if u := uriPattern.FindSubmatch(prefix); u != nil {
		if uri, ok := wire.Unquote(u[1]); ok {
			return uri, false
		}
	}
	return "", true
}
