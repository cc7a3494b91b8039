// Package lsp is the server: the only speaker of LSP and JSON-RPC. It converts
// what editors say into documents and byte offsets, asks an Engine, and converts
// the answers back.
//
// Three goroutines carry a session: the reader decodes messages in order, the
// loop owns all state and handles messages one after the other, and the writer
// sends. The loop never waits: a request is split in two, of which the first
// part runs on the loop and may only take a Snapshot, and the second runs on a
// worker and sees nothing but that Snapshot.
package lsp
