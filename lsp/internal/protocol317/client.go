package protocol317

import "go.lsp.dev/protocol"

// InitializeParams are the parameters of initialize, with the client
// capabilities of 3.17.
type InitializeParams struct {
	protocol.InitializeParams
	Capabilities ClientCapabilities `json:"capabilities"`
	// RootURI and RootPath are how clients of before 3.6 give their one folder.
	RootURI  string `json:"rootUri"`
	RootPath string `json:"rootPath"`
	// InitializationOptions stays raw: its form is ours.
	InitializationOptions RawObject `json:"initializationOptions,omitempty"`
}

// ClientCapabilities adds the members of 3.17 that we look at.
type ClientCapabilities struct {
	protocol.ClientCapabilities
	General      *GeneralClientCapabilities      `json:"general,omitempty"`
	TextDocument *TextDocumentClientCapabilities `json:"textDocument,omitempty"`
	Workspace    *WorkspaceClientCapabilities    `json:"workspace,omitempty"`
}

// GeneralClientCapabilities adds the encodings of positions.
type GeneralClientCapabilities struct {
	protocol.GeneralClientCapabilities
	// PositionEncodings in the client's order of preference; absent means utf-16 only.
	PositionEncodings []string `json:"positionEncodings,omitempty"`
}

// TextDocumentClientCapabilities adds inlay hints and pulled diagnostics.
type TextDocumentClientCapabilities struct {
	protocol.TextDocumentClientCapabilities
	InlayHint  *InlayHintClientCapabilities  `json:"inlayHint,omitempty"`
	Diagnostic *DiagnosticClientCapabilities `json:"diagnostic,omitempty"`
}

// InlayHintClientCapabilities says which parts of a hint may come later.
type InlayHintClientCapabilities struct {
	DynamicRegistration bool `json:"dynamicRegistration,omitempty"`
	ResolveSupport      *struct {
		Properties []string `json:"properties"`
	} `json:"resolveSupport,omitempty"`
}

// DiagnosticClientCapabilities: the client pulls diagnostics.
type DiagnosticClientCapabilities struct {
	DynamicRegistration    bool `json:"dynamicRegistration,omitempty"`
	RelatedDocumentSupport bool `json:"relatedDocumentSupport,omitempty"`
}

// WorkspaceClientCapabilities adds the refresh requests and virtual documents.
type WorkspaceClientCapabilities struct {
	protocol.WorkspaceClientCapabilities
	InlayHint           *RefreshClientCapabilities `json:"inlayHint,omitempty"`
	Diagnostics         *RefreshClientCapabilities `json:"diagnostics,omitempty"`
	FoldingRange        *RefreshClientCapabilities `json:"foldingRange,omitempty"`
	TextDocumentContent *struct {
		DynamicRegistration bool `json:"dynamicRegistration,omitempty"`
	} `json:"textDocumentContent,omitempty"`
}

// RefreshClientCapabilities: the client takes a refresh request.
type RefreshClientCapabilities struct {
	RefreshSupport bool `json:"refreshSupport,omitempty"`
}
