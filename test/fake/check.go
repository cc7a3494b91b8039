package fake

import (
	"bytes"
	"encoding/json"
	"testing"

	lsp "github.com/tliron/glsp/protocol_3_16"
)

// sent makes an empty value of glsp's type for the parameters of what a server sends.
var sent = map[string]func() any{
	"textDocument/publishDiagnostics":  func() any { return new(lsp.PublishDiagnosticsParams) },
	"window/logMessage":                func() any { return new(lsp.LogMessageParams) },
	"window/showMessage":               func() any { return new(lsp.ShowMessageParams) },
	"window/workDoneProgress/create":   func() any { return new(lsp.WorkDoneProgressCreateParams) },
	"workspace/configuration":          func() any { return new(lsp.ConfigurationParams) },
	"workspace/applyEdit":              func() any { return new(lsp.ApplyWorkspaceEditParams) },
	"client/registerCapability":        func() any { return new(lsp.RegistrationParams) },
	"$/progress":                       func() any { return new(lsp.ProgressParams) },
	"$/logTrace":                       func() any { return new(lsp.LogTraceParams) },
	"$/cancelRequest":                  func() any { return new(lsp.CancelParams) },
	"workspace/codeLens/refresh":       nil,
	"workspace/semanticTokens/refresh": nil,
}

// results are those of answers. A null result is always good.
var results = map[string]func() any{
	"initialize":                             func() any { return new(lsp.InitializeResult) },
	"shutdown":                               func() any { return new(any) },
	"textDocument/hover":                     func() any { return new(lsp.Hover) },
	"textDocument/documentSymbol":            func() any { return new(symbols) },
	"textDocument/definition":                func() any { return new([]lsp.Location) },
	"textDocument/typeDefinition":            func() any { return new([]lsp.Location) },
	"textDocument/references":                func() any { return new([]lsp.Location) },
	"textDocument/documentHighlight":         func() any { return new([]lsp.DocumentHighlight) },
	"textDocument/rename":                    func() any { return new(lsp.WorkspaceEdit) },
	"textDocument/prepareRename":             func() any { return new(lsp.RangeWithPlaceholder) },
	"textDocument/codeAction":                func() any { return new([]lsp.CodeAction) },
	"codeAction/resolve":                     func() any { return new(lsp.CodeAction) },
	"textDocument/codeLens":                  func() any { return new([]lsp.CodeLens) },
	"codeLens/resolve":                       func() any { return new(lsp.CodeLens) },
	"textDocument/completion":                func() any { return new(lsp.CompletionList) },
	"completionItem/resolve":                 func() any { return new(lsp.CompletionItem) },
	"textDocument/signatureHelp":             func() any { return new(lsp.SignatureHelp) },
	"textDocument/formatting":                func() any { return new([]lsp.TextEdit) },
	"textDocument/rangeFormatting":           func() any { return new([]lsp.TextEdit) },
	"textDocument/foldingRange":              func() any { return new([]lsp.FoldingRange) },
	"textDocument/selectionRange":            func() any { return new([]lsp.SelectionRange) },
	"textDocument/semanticTokens/full":       func() any { return new(lsp.SemanticTokens) },
	"textDocument/semanticTokens/full/delta": func() any { return new(map[string]any) }, // tokens or a delta
	"textDocument/semanticTokens/range":      func() any { return new(lsp.SemanticTokens) },
	"textDocument/prepareCallHierarchy":      func() any { return new([]lsp.CallHierarchyItem) },
	"callHierarchy/incomingCalls":            func() any { return new([]lsp.CallHierarchyIncomingCall) },
	"callHierarchy/outgoingCalls":            func() any { return new([]lsp.CallHierarchyOutgoingCall) },
	"workspace/symbol":                       func() any { return new([]lsp.SymbolInformation) },
	"workspace/executeCommand":               func() any { return new(any) },
}

// symbols is a tree or, for clients that cannot have one, a list.
type symbols struct{}

func (*symbols) UnmarshalJSON(raw []byte) error {
	strict := func(into any) error {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		return dec.Decode(into)
	}
	if strict(new([]lsp.SymbolInformation)) == nil {
		return nil
	}
	return strict(new([]lsp.DocumentSymbol))
}

// newer are the methods of LSP 3.17 and 3.18 and our own, which glsp cannot know.
var newer = map[string]bool{
	"textDocument/inlayHint": true, "inlayHint/resolve": true, "textDocument/diagnostic": true, "workspace/diagnostic": true,
	"workspace/textDocumentContent": true, "workspace/inlayHint/refresh": true, "workspace/diagnostic/refresh": true, "workspace/textDocumentContent/refresh": true,
	"initialize": true, // the members of 3.17 in the capabilities
}

// Newer declares methods of the server's own, for which glsp has no types.
func Newer(methods ...string) {
	for _, m := range methods {
		newer[m] = true
	}
}

// checkSent decodes a notification or request of the server.
func checkSent(t testing.TB, m Message) {
	make, ok := sent[m.Method]
	switch {
	case !ok && !newer[m.Method]:
		t.Errorf("glsp knows no message %q of a server", m.Method)
	case make != nil:
		check(t, m.Method, m.Params, make(), true)
	}
}

// checkResult decodes an answer.
func checkResult(t testing.TB, method string, result json.RawMessage) {
	make, ok := results[method]
	switch {
	case string(result) == "null":
	case !ok && !newer[method]:
		t.Errorf("glsp knows no result of %q", method)
	case ok:
		check(t, method, result, make(), !newer[method])
	}
}

// check decodes strictly: members that glsp's type does not have are errors,
// unless they may be newer.
func check(t testing.TB, method string, raw json.RawMessage, into any, strict bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if strict {
		dec.DisallowUnknownFields()
	}
	if err := dec.Decode(into); err != nil {
		t.Errorf("%s does not decode with glsp's types: %v\n%.500s", method, err, raw)
	}
}
