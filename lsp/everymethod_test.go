package lsp_test

import (
	"math/rand"
	"strings"
	"testing"
)

// TestEveryMethod asks everything at many places of texts that are damaged more
// and more: every answer is a result or a reason, none an internal error.
func TestEveryMethod(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewSource(seed))
	for _, enc := range []string{"utf-8", "utf-16", "utf-32"} {
		s := planned(t, obj{"general": obj{"positionEncodings": []string{enc}}, "textDocument": obj{"completion": obj{"completionItem": obj{"snippetSupport": true}}}})
		for _, m := range []string{"textDocument/publishDiagnostics", "window/logMessage", "window/showMessage"} {
			s.Optional(m)
		}
		text := strings.Replace(section(t, "mixedk_0007.Ascend950.PYPTO", "after_AllocateMemoryAddr.py"), "import", "# 漢😀\nimport", 1)
		s.open(kernelURI, text)
		id := ""
		for n := range 40 {
			lines := strings.Count(text, "\n") + 1
			line, char := r.Intn(lines+1), r.Intn(120)
			pos := obj{"line": line, "character": char}
			for _, m := range []string{
				"textDocument/hover", "textDocument/definition", "textDocument/typeDefinition", "textDocument/references", "textDocument/documentHighlight",
				"textDocument/prepareRename", "textDocument/rename", "textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/selectionRange",
				"textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta", "textDocument/semanticTokens/range", "textDocument/prepareCallHierarchy",
				"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "textDocument/completion", "textDocument/signatureHelp",
				"textDocument/formatting", "textDocument/rangeFormatting", "textDocument/inlayHint", "textDocument/codeLens", "workspace/symbol",
			} {
				params := obj{"textDocument": obj{"uri": kernelURI}, "position": pos, "positions": []obj{pos}, "newName": "other", "query": "m",
					"context": obj{"includeDeclaration": true}, "previousResultId": id, "options": obj{"tabSize": 4, "insertSpaces": true},
					"range": obj{"start": pos, "end": obj{"line": line + 9, "character": 0}},
					"item":  obj{"name": "x", "kind": 12, "uri": kernelURI, "range": obj{"start": pos, "end": pos}, "selectionRange": obj{"start": pos, "end": pos}}}
				var result struct{ ResultID string }
				var into any
				if m == "textDocument/semanticTokens/full" {
					into = &result
				}
				if err := s.Call(m, params, into); err != nil && err.Code != -32803 {
					t.Fatalf("seed %d, step %d, %s, %s at %d:%d: %v\n%q", seed, n, enc, m, line, char, err, text)
				}
				if into != nil {
					id = result.ResultID
				}
			}
			i := r.Intn(len(text) + 1)
			j := min(len(text), i+r.Intn(20))
			text = strings.ToValidUTF8(text[:i]+[]string{"", "\n", "(", "\"", "'", "é", "\r\n", "\r", "#", ":", "    "}[r.Intn(11)]+text[j:], "")
			s.change(kernelURI, n+2, whole(text))
		}
	}
}
