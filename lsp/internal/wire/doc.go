// Package wire is the server's framing and JSON-RPC front. It implements
// jsonrpc2.Stream for the library go.lsp.dev/jsonrpc2 and takes over what that
// library cannot do: limits, parse errors, invalid requests, batches, ids of
// any form, and a client that does not read. The library is handed decodable
// messages only, because for it an unreadable message ends the connection.
//
// Source: JSON-RPC 2.0 (§4 to §6) and the base protocol of LSP 3.17.
package wire

// Limits bound what one connection may cost. The zero value of a field means
// its default.
type Limits struct {
	// Header bounds the bytes of one header block (default 16 KiB).
	Header int
	// Message bounds the bytes of one message's content (default 64 MiB). A
	// longer message is skipped without being stored, and answered with an error.
	Message int64
	// Depth bounds the nesting of arrays and objects (default 1000).
	Depth int
	// Batch bounds the messages of one batch (default 1000).
	Batch int
	// Queue bounds the bytes waiting for a client that does not read (default
	// 64 MiB). Beyond it the connection is given up.
	Queue int
	// Soft is the backlog in bytes from which Backlogged reports true (default
	// 4 MiB): what can be left out should be left out.
	Soft int
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Header, 16<<10)
	def(&l.Depth, 1000)
	def(&l.Batch, 1000)
	def(&l.Queue, 64<<20)
	def(&l.Soft, 4<<20)
	if l.Message <= 0 {
		l.Message = 64 << 20
	}
	return l
}
