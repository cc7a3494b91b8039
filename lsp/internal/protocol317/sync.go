package protocol317

import (
	"encoding/json"

	"go.lsp.dev/protocol"
)

// RawObject is a JSON value that is kept as it came.
type RawObject = json.RawMessage

// DidChangeTextDocumentParams are the parameters of textDocument/didChange. The
// library cannot tell an absent range from an empty one at the start, nor an
// absent version from 0.
type DidChangeTextDocumentParams struct {
	TextDocument   VersionedTextDocumentIdentifier  `json:"textDocument"`
	ContentChanges []TextDocumentContentChangeEvent `json:"contentChanges"`
}

// VersionedTextDocumentIdentifier has a version that may be missing or null.
type VersionedTextDocumentIdentifier struct {
	URI     protocol.DocumentURI `json:"uri"`
	Version *int32               `json:"version"`
}

// TextDocumentContentChangeEvent is one change; without a range Text is the
// whole document.
type TextDocumentContentChangeEvent struct {
	Range *LooseRange `json:"range,omitempty"`
	Text  *string     `json:"text"`
}

// LooseRange is a range whose positions may be outside what the standard
// allows; they clamp.
type LooseRange struct {
	Start LoosePosition `json:"start"`
	End   LoosePosition `json:"end"`
}

// LoosePosition takes any integers.
type LoosePosition struct {
	Line      int64 `json:"line"`
	Character int64 `json:"character"`
}

// Clamp makes it a position: negative numbers become 0, too large ones the largest.
func (p LoosePosition) Clamp() protocol.Position {
	return protocol.Position{Line: clamp(p.Line), Character: clamp(p.Character)}
}

// Clamp clamps both ends.
func (r LooseRange) Clamp() protocol.Range {
	return protocol.Range{Start: r.Start.Clamp(), End: r.End.Clamp()}
}

func clamp(n int64) uint32 { return uint32(max(0, min(n, 1<<31-1))) }
