package lsp

import (
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// state is where a session is in its life (LSP 3.17, "Server lifecycle").
type state int

const (
	uninitialised state = iota // before initialize
	initialising               // initialize is answered, initialized has not come
	running
	shutDown // shutdown is answered, exit has not come
	exited
)

// codeNotInitialized is ServerNotInitialized of LSP.
const codeNotInitialized jsonrpc2.Code = -32002

var (
	errNotInitialized = jsonrpc2.NewError(codeNotInitialized, "initialize comes first")
	errTwice          = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize came before")
	errShutDown       = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server was shut down; only exit may follow")
)

// admitRequest says why a request may not be served now.
func (st state) admitRequest(method string) error {
	switch {
	case st >= shutDown:
		return errShutDown
	case method == protocol.MethodInitialize:
		if st != uninitialised {
			return errTwice
		}
	case st == uninitialised:
		return errNotInitialized
	}
	return nil
}

// admitNotification reports whether a notification counts now; what does not
// count is dropped, as the standard asks.
func (st state) admitNotification(method string) bool {
	switch {
	case method == protocol.MethodExit:
		return st != exited
	case st == uninitialised || st >= shutDown:
		return false
	case method == protocol.MethodInitialized:
		return st == initialising
	}
	return true
}
