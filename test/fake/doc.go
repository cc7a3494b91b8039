// Package fake is an editor for tests: it speaks the protocol with wire code of
// its own, shares nothing with the server, and is strict. Every message of the
// server must be well framed, must be asked for or consumed by the test, and must
// decode with the types of github.com/tliron/glsp.
package fake
