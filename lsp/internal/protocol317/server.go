package protocol317

import "go.lsp.dev/protocol"

// InitializeResult is the answer to initialize.
type InitializeResult struct {
	Capabilities ServerCapabilities   `json:"capabilities"`
	ServerInfo   *protocol.ServerInfo `json:"serverInfo,omitempty"`
}

// ServerCapabilities adds the members of 3.17 and 3.18.
type ServerCapabilities struct {
	protocol.ServerCapabilities
	PositionEncoding   string                       `json:"positionEncoding,omitempty"`
	InlayHintProvider  *InlayHintOptions            `json:"inlayHintProvider,omitempty"`
	DiagnosticProvider *DiagnosticOptions           `json:"diagnosticProvider,omitempty"`
	Workspace          *ServerCapabilitiesWorkspace `json:"workspace,omitempty"`
}

// ServerCapabilitiesWorkspace adds virtual documents.
type ServerCapabilitiesWorkspace struct {
	protocol.ServerCapabilitiesWorkspace
	TextDocumentContent *TextDocumentContentOptions `json:"textDocumentContent,omitempty"`
}

// InlayHintOptions: hints are served; resolve fills in tooltips and links.
type InlayHintOptions struct {
	ResolveProvider bool `json:"resolveProvider,omitempty"`
}

// DiagnosticOptions: diagnostics may be pulled.
type DiagnosticOptions struct {
	Identifier            string `json:"identifier,omitempty"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
	WorkDoneProgress      bool   `json:"workDoneProgress,omitempty"`
}

// TextDocumentContentOptions names the schemes of the server's virtual documents (3.18).
type TextDocumentContentOptions struct {
	Schemes []string `json:"schemes"`
}

// TextDocumentContentParams asks for the text of a virtual document (3.18).
type TextDocumentContentParams struct {
	URI protocol.DocumentURI `json:"uri"`
}

// TextDocumentContentResult is the text of a virtual document (3.18).
type TextDocumentContentResult struct {
	Text string `json:"text"`
}

// TextDocumentContentRefreshParams tells that a virtual document changed (3.18).
type TextDocumentContentRefreshParams struct {
	URI protocol.DocumentURI `json:"uri"`
}
