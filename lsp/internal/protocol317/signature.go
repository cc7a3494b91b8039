package protocol317

import "go.lsp.dev/protocol"

// SignatureHelp is the answer to textDocument/signatureHelp. The library's type
// has no label by offsets, and cannot say that no parameter is active.
type SignatureHelp struct {
	Signatures      []SignatureInformation `json:"signatures"`
	ActiveSignature uint32                 `json:"activeSignature"`
	ActiveParameter *uint32                `json:"activeParameter,omitempty"`
}

// SignatureInformation is one signature.
type SignatureInformation struct {
	Label         string                  `json:"label"`
	Documentation *protocol.MarkupContent `json:"documentation,omitempty"`
	Parameters    []ParameterInformation  `json:"parameters"`
}

// ParameterInformation is one parameter; its label is a part of the signature's,
// or the part's range in UTF-16 units.
type ParameterInformation struct {
	Label         any                     `json:"label"`
	Documentation *protocol.MarkupContent `json:"documentation,omitempty"`
}
