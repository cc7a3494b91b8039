package protocol317

import "go.lsp.dev/protocol"

// InlayHintParams asks for the hints of a range.
type InlayHintParams struct {
	protocol.WorkDoneProgressParams
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
}

// InlayHintKind is how a hint is shown.
type InlayHintKind int

// The kinds of hints.
const (
	InlayHintType      InlayHintKind = 1
	InlayHintParameter InlayHintKind = 2
)

// InlayHint is one hint; its label is always sent in parts.
type InlayHint struct {
	Position     protocol.Position       `json:"position"`
	Label        []InlayHintLabelPart    `json:"label"`
	Kind         InlayHintKind           `json:"kind,omitempty"`
	TextEdits    []protocol.TextEdit     `json:"textEdits,omitempty"`
	Tooltip      *protocol.MarkupContent `json:"tooltip,omitempty"`
	PaddingLeft  bool                    `json:"paddingLeft,omitempty"`
	PaddingRight bool                    `json:"paddingRight,omitempty"`
	Data         RawObject               `json:"data,omitempty"`
}

// InlayHintLabelPart is a part of a label, with its own tooltip and link.
type InlayHintLabelPart struct {
	Value    string                  `json:"value"`
	Tooltip  *protocol.MarkupContent `json:"tooltip,omitempty"`
	Location *protocol.Location      `json:"location,omitempty"`
	Command  *protocol.Command       `json:"command,omitempty"`
}
