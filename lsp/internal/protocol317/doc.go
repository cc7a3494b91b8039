// Package protocol317 holds the types of LSP 3.17 and 3.18 that
// go.lsp.dev/protocol, a library of LSP 3.16, lacks, and those of its types that
// cannot express what must be sent or received (an absent range, an absent
// version). Names and members follow the standard.
package protocol317

import "go.lsp.dev/jsonrpc2"

// Error codes of LSP 3.17 that the library lacks.
const (
	// CodeServerCancelled: the server gave up a request that supports that, such as pulled diagnostics.
	CodeServerCancelled jsonrpc2.Code = -32802
	// CodeRequestFailed: a well-formed request that could not be served.
	CodeRequestFailed jsonrpc2.Code = -32803
)

// Methods that the library has no names for.
const (
	MethodInlayHint           = "textDocument/inlayHint"
	MethodInlayHintResolve    = "inlayHint/resolve"
	MethodInlayHintRefresh    = "workspace/inlayHint/refresh"
	MethodDocumentDiagnostic  = "textDocument/diagnostic"
	MethodWorkspaceDiagnostic = "workspace/diagnostic"
	MethodDiagnosticRefresh   = "workspace/diagnostic/refresh"
	MethodTextContent         = "workspace/textDocumentContent"
	MethodTextContentRefresh  = "workspace/textDocumentContent/refresh"
	MethodSetTrace            = "$/setTrace"
	MethodLogTrace            = "$/logTrace"
	MethodCancelRequest       = "$/cancelRequest"
	MethodProgress            = "$/progress"
)
