package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/lsp"
	"pypto-ls/lsp/internal/convert"
)

// kernelText has one kernel. Columns below are counted by hand; the comment of
// line 5 begins with a character of 2 UTF-16 units, 4 bytes.
const kernelText = `import pypto.language as pl
@pl.inline
def twice(x):
    return x
@pl.function(type=pl.FunctionType.InCore)
def kern(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Tensor[[64, 64], pl.FP32]):  # 😀
    t = pl.tile.load(a, [0, 0], [64, 64]); 漢 = t
    u = pl.tile.exp(漢)
    v = twice(u)
    r = pl.tile.store(v, [0, 0], o)
    return r
`

const kernelURI = "file:///ws/kern.py"

// ask calls a method and compares the answer.
func (s *session) ask(method string, params obj, want string) {
	s.t.Helper()
	var got json.RawMessage
	if err := s.Call(method, params, &got); err != nil {
		s.t.Errorf("%s: %v", method, err)
		return
	}
	if string(got) != want {
		s.t.Errorf("%s: %s", method, cmp.Diff(want, string(got)))
	}
}

func rangeOf(l1, c1, l2, c2 int) string {
	return fmt.Sprintf(`{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}`, l1, c1, l2, c2)
}

func with(params obj, key string, value any) obj {
	params[key] = value
	return params
}

// TestLanguageMethods: each method converts what it is asked and answers, in
// UTF-16: 漢 is one unit of three bytes.
func TestLanguageMethods(t *testing.T) {
	s := planned(t, obj{"textDocument": obj{"rename": obj{"prepareSupport": true}}})
	s.Optional("textDocument/publishDiagnostics")
	s.open(kernelURI, kernelText)
	at := func(l, c int) obj { return at(kernelURI, l, c) }
	loc := func(r string) string { return fmt.Sprintf(`{"uri":"%s","range":%s}`, kernelURI, r) }

	han := [3]string{rangeOf(6, 43, 6, 44), rangeOf(7, 20, 7, 21)}
	s.ask("textDocument/definition", at(7, 20), "["+loc(han[0])+"]")
	s.ask("textDocument/definition", at(7, 13), "null") // an operator
	s.ask("textDocument/typeDefinition", at(7, 20), "null")
	s.ask("textDocument/references", with(at(6, 43), "context", obj{"includeDeclaration": true}), "["+loc(han[0])+","+loc(han[1])+"]")
	s.ask("textDocument/references", with(at(6, 43), "context", obj{"includeDeclaration": false}), "["+loc(han[1])+"]")
	// u takes the bytes of t, which ends there; 漢 and v are other names of these tiles.
	mark := func(kind int, r string) string { return fmt.Sprintf(`{"range":%s,"kind":%d}`, r, kind) }
	s.ask("textDocument/documentHighlight", at(8, 15), "["+strings.Join([]string{mark(1, rangeOf(6, 4, 6, 5)), mark(1, han[0]), mark(3, rangeOf(7, 4, 7, 5)), mark(1, rangeOf(8, 4, 8, 5)), mark(2, rangeOf(8, 14, 8, 15))}, ",")+"]")
	s.ask("textDocument/prepareRename", at(7, 20), `{"range":`+han[1]+`,"placeholder":"漢"}`)
	s.ask("textDocument/rename", with(at(7, 20), "newName", "w"), fmt.Sprintf(`{"changes":{"%s":[{"range":%s,"newText":"w"},{"range":%s,"newText":"w"}]}}`, kernelURI, han[0], han[1]))
	err := s.Call("textDocument/rename", with(at(7, 20), "newName", "t"), nil)
	wantCode(t, err, -32803)
	if !hasErr(err, "'t' is already the name of a variable (line 7)") {
		t.Error(err)
	}
	wantCode(t, s.Call("textDocument/prepareRename", at(7, 13), nil), -32803)
	s.ask("textDocument/foldingRange", doc(kernelURI), `[{"startLine":2,"endLine":3},{"startLine":5,"endLine":10}]`)
	s.ask("textDocument/prepareCallHierarchy", at(8, 9), fmt.Sprintf(`[{"name":"twice","kind":12,"detail":"Inline","uri":"%s","range":%s,"selectionRange":%s}]`, kernelURI, rangeOf(1, 0, 3, 12), rangeOf(2, 4, 2, 9)))
	item := obj{"name": "twice", "kind": 12, "uri": kernelURI, "range": obj{"start": obj{"line": 1, "character": 0}, "end": obj{"line": 3, "character": 12}}, "selectionRange": obj{"start": obj{"line": 2, "character": 4}, "end": obj{"line": 2, "character": 9}}}
	s.ask("callHierarchy/incomingCalls", obj{"item": item}, fmt.Sprintf(`[{"from":{"name":"kern","kind":12,"detail":"InCore","uri":"%s","range":%s,"selectionRange":%s},"fromRanges":[%s]}]`, kernelURI, rangeOf(4, 0, 10, 12), rangeOf(5, 4, 5, 8), rangeOf(8, 8, 8, 13)))
	s.ask("callHierarchy/outgoingCalls", obj{"item": item}, "[]")
	s.ask("workspace/symbol", obj{"query": "krn"}, fmt.Sprintf(`[{"name":"kern","kind":12,"location":{"uri":"%s","range":%s}}]`, kernelURI, rangeOf(5, 4, 5, 8)))
	s.ask("textDocument/selectionRange", obj{"textDocument": obj{"uri": kernelURI}, "positions": []obj{{"line": 7, "character": 20}, {"line": 99, "character": 0}}},
		fmt.Sprintf(`[{"range":%s,"parent":{"range":%s,"parent":{"range":%s,"parent":{"range":%s,"parent":{"range":%s,"parent":{"range":%s}}}}}},{"range":%s}]`,
			han[1], rangeOf(7, 8, 7, 22), rangeOf(7, 4, 7, 22), rangeOf(6, 4, 10, 12), rangeOf(4, 0, 10, 12), rangeOf(0, 0, 11, 0), rangeOf(0, 0, 11, 0)))
}

// TestRenameVersioned: clients that can are given the version that the edit is
// for.
func TestRenameVersioned(t *testing.T) {
	s := planned(t, obj{"workspace": obj{"workspaceEdit": obj{"documentChanges": true}}})
	s.Optional("textDocument/publishDiagnostics")
	s.openAs(kernelURI, kernelText, 7)
	s.ask("textDocument/rename", with(at(kernelURI, 6, 4), "newName", "w"), fmt.Sprintf(`{"documentChanges":[{"textDocument":{"uri":"%s","version":7},"edits":[{"range":%s,"newText":"w"},{"range":%s,"newText":"w"}]}]}`,
		kernelURI, rangeOf(6, 4, 6, 5), rangeOf(6, 47, 6, 48)))
}

// TestWorkspaceNames: names lead to files of the workspace that are not open,
// and back.
func TestWorkspaceNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return string(convert.FileURI(path))
	}
	lib := write("lib/ops.py", "import pypto.language as pl\n@pl.inline\ndef twice(x):\n    return x\n")
	user := "import pypto.language as pl\nfrom lib.ops import twice\n@pl.function(type=pl.FunctionType.InCore)\ndef f(a: pl.Tensor[[64], pl.FP32]):\n    return twice(a)\n"
	other := write("other.py", user)
	write("plain.py", "def twice():\n    pass\n")
	s := startPlanned(t, lsp.Options{})
	s.Optional("textDocument/publishDiagnostics")
	s.initializeWith(obj{"processId": nil, "rootUri": convert.FileURI(dir), "capabilities": utf8})
	main := write("main.py", user)
	s.open(main, user)
	loc := func(uri, r string) string { return fmt.Sprintf(`{"uri":"%s","range":%s}`, uri, r) }
	def := loc(lib, rangeOf(2, 4, 2, 9))
	s.ask("textDocument/definition", at(main, 4, 12), "["+def+"]")
	uses := func(uri string) string {
		return loc(uri, rangeOf(1, 20, 1, 25)) + "," + loc(uri, rangeOf(4, 11, 4, 16))
	}
	s.ask("textDocument/references", with(at(main, 4, 12), "context", obj{"includeDeclaration": true}), "["+def+","+uses(main)+","+uses(other)+"]")
	edit := func(r string) string { return fmt.Sprintf(`{"range":%s,"newText":"double"}`, r) }
	both := "[" + edit(rangeOf(1, 20, 1, 25)) + "," + edit(rangeOf(4, 11, 4, 16)) + "]"
	s.ask("textDocument/rename", with(at(main, 4, 12), "newName", "double"), fmt.Sprintf(`{"changes":{"%s":[%s],"%s":%s,"%s":%s}}`, lib, edit(rangeOf(2, 4, 2, 9)), main, both, other, both))
	s.ask("workspace/symbol", obj{"query": "twice"}, `[{"name":"twice","kind":12,"location":`+def+`}]`)
	// A file that changes is read again.
	write("lib/ops.py", "import pypto.language as pl\n\n@pl.inline\ndef twice(x):\n    return x\n")
	s.ask("textDocument/definition", at(main, 4, 12), "["+loc(lib, rangeOf(3, 4, 3, 9))+"]")
}

// TestCompletionItems: snippets only for clients that take them, documentation
// on request.
func TestCompletionItems(t *testing.T) {
	for _, snippets := range []bool{true, false} {
		s := planned(t, obj{"textDocument": obj{"completion": obj{"completionItem": obj{"snippetSupport": snippets}}}})
		s.Optional("textDocument/publishDiagnostics")
		s.open(kernelURI, strings.Replace(kernelText, "exp(漢)", "ex", 1))
		var list struct {
			Items []struct {
				Label, SortText, Detail string
				InsertTextFormat        int
				TextEdit                struct {
					NewText string
					Range   json.RawMessage
				}
				Data any
			}
		}
		if err := s.Call("textDocument/completion", at(kernelURI, 7, 18), &list); err != nil {
			t.Fatal(err)
		}
		found := false
		for _, x := range list.Items {
			if x.Label != "exp" {
				continue
			}
			found = true
			want := map[bool]string{true: "exp(${1:tile})", false: "exp"}[snippets]
			if x.TextEdit.NewText != want || (x.InsertTextFormat == 2) != snippets || string(x.TextEdit.Range) != rangeOf(7, 16, 7, 18) {
				t.Errorf("snippets %v: %+v", snippets, x)
			}
			var full struct{ Documentation struct{ Value string } }
			if err := s.Call("completionItem/resolve", obj{"label": x.Label, "data": x.Data}, &full); err != nil || !strings.Contains(full.Documentation.Value, "memory: ") {
				t.Errorf("documentation %q, %v", full.Documentation.Value, err)
			}
		}
		if !found {
			t.Errorf("no exp among %d items", len(list.Items))
		}
		s.ask("completionItem/resolve", obj{"label": "x", "data": 5}, `{"label":"x","data":5}`)
	}
}

func TestSignatureHelp(t *testing.T) {
	for _, offsets := range []bool{true, false} {
		s := planned(t, obj{"textDocument": obj{"signatureHelp": obj{"signatureInformation": obj{"parameterInformation": obj{"labelOffsetSupport": offsets}}}}})
		s.Optional("textDocument/publishDiagnostics")
		s.open(kernelURI, kernelText)
		label := map[bool]string{true: "[6,7]", false: `"x"`}[offsets] // twice(x)
		s.ask("textDocument/signatureHelp", at(kernelURI, 8, 14), `{"signatures":[{"label":"twice(x)","documentation":{"kind":"markdown","value":"Inline function"},"parameters":[{"label":`+label+`}]}],"activeSignature":0,"activeParameter":0}`)
		s.ask("textDocument/signatureHelp", at(kernelURI, 8, 8), "null")
	}
}

// TestFormatting: the edits give the canonical form, and the reasons for what is
// left alone reach the client.
func TestFormatting(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	text := "@pl.function(type=pl.FunctionType.AIV)\ndef f(a: pl.Tensor[[64,64], pl.FP32]):\n    return a\n@pl.jit\ndef g(a):\n    return a\n"
	s.open(kernelURI, text)
	s.ask("textDocument/formatting", with(doc(kernelURI), "options", obj{"tabSize": 4, "insertSpaces": true}),
		`[{"range":`+rangeOf(0, 37, 0, 37)+`,"newText":", level=pl.Level.AIV, role=pl.Role.SubWorker"},{"range":`+rangeOf(1, 23, 1, 23)+`,"newText":" "}]`)
	var p struct{ Message string }
	json.Unmarshal(s.Next("window/logMessage").Params, &p)
	if p.Message != "Not formatted: 'g' (line 5): its body is not kernel IR." {
		t.Error(p.Message)
	}
	params := with(doc(kernelURI), "options", obj{"tabSize": 4, "insertSpaces": true})
	params["range"] = obj{"start": obj{"line": 4, "character": 0}, "end": obj{"line": 5, "character": 0}}
	s.ask("textDocument/rangeFormatting", params, `[]`)
	s.Next("window/logMessage")
	s.Next("window/showMessage")
}

// TestFlatSymbols: clients that know no tree of symbols get a list.
func TestFlatSymbols(t *testing.T) {
	s := planned(t, obj{"textDocument": obj{"documentSymbol": obj{}}})
	s.Optional("textDocument/publishDiagnostics")
	s.open(kernelURI, "@pl.inline\ndef g(a):\n    return a\n")
	s.ask("textDocument/documentSymbol", doc(kernelURI), fmt.Sprintf(`[{"name":"g","kind":12,"location":{"uri":"%s","range":%s}}]`, kernelURI, rangeOf(0, 0, 2, 12)))
}

// TestOrdinaryPython: a file without kernels gets empty answers.
func TestOrdinaryPython(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	s.open(kernelURI, "import os\ndef f(x):\n    return os.path.join(x,\n        x)\n")
	for method, want := range map[string]string{
		"textDocument/definition": "null", "textDocument/typeDefinition": "null", "textDocument/references": "null", "textDocument/documentHighlight": "null",
		"textDocument/prepareRename": "null", "textDocument/rename": "null", "textDocument/foldingRange": "null", "textDocument/signatureHelp": "null",
		"textDocument/prepareCallHierarchy": "null", "textDocument/completion": `{"isIncomplete":false,"items":[]}`, "textDocument/formatting": "null",
		"textDocument/semanticTokens/full": "", "textDocument/documentSymbol": "[]", "textDocument/hover": "null",
	} {
		params := with(at(kernelURI, 2, 12), "newName", "y")
		params["context"] = obj{"includeDeclaration": true}
		var got json.RawMessage
		if err := s.Call(method, params, &got); err != nil {
			t.Errorf("%s: %v", method, err)
		} else if want != "" && string(got) != want {
			t.Errorf("%s: %s", method, got)
		}
	}
	s.ask("workspace/symbol", obj{"query": "f"}, "[]")
}
