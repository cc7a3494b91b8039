package protocol317

import "go.lsp.dev/protocol"

// PublishDiagnosticsParams pushes the diagnostics of one version of a document;
// in the library's type version 0 and no version are the same.
type PublishDiagnosticsParams struct {
	URI         protocol.DocumentURI  `json:"uri"`
	Version     *int32                `json:"version,omitempty"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

// DocumentDiagnosticParams pulls the diagnostics of a document.
type DocumentDiagnosticParams struct {
	TextDocument     protocol.TextDocumentIdentifier `json:"textDocument"`
	Identifier       string                          `json:"identifier,omitempty"`
	PreviousResultID string                          `json:"previousResultId,omitempty"`
}

// The kinds of a report.
const (
	ReportFull      = "full"
	ReportUnchanged = "unchanged"
)

// DocumentDiagnosticReport is full, with items, or unchanged, without.
type DocumentDiagnosticReport struct {
	Kind     string                 `json:"kind"`
	ResultID string                 `json:"resultId,omitempty"`
	Items    *[]protocol.Diagnostic `json:"items,omitempty"` // not nil when full
}

// DiagnosticServerCancellationData goes with CodeServerCancelled.
type DiagnosticServerCancellationData struct {
	RetriggerRequest bool `json:"retriggerRequest"`
}

// WorkspaceDiagnosticParams pulls the diagnostics of the workspace.
type WorkspaceDiagnosticParams struct {
	protocol.PartialResultParams
	protocol.WorkDoneProgressParams
	Identifier        string             `json:"identifier,omitempty"`
	PreviousResultIDs []PreviousResultID `json:"previousResultIds"`
}

// PreviousResultID is what the client has of a document.
type PreviousResultID struct {
	URI   protocol.DocumentURI `json:"uri"`
	Value string               `json:"value"`
}

// WorkspaceDiagnosticReport has a report for each document.
type WorkspaceDiagnosticReport struct {
	Items []WorkspaceDocumentDiagnosticReport `json:"items"`
}

// WorkspaceDocumentDiagnosticReport is the report of one document; Version is
// null when it is not open.
type WorkspaceDocumentDiagnosticReport struct {
	DocumentDiagnosticReport
	URI     protocol.DocumentURI `json:"uri"`
	Version *int32               `json:"version"`
}
