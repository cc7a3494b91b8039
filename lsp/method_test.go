package lsp_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/lsp"
)

// TestMethods: what is asked and answered is converted in every encoding.
func TestMethods(t *testing.T) {
	const text = "é漢😀 word t_x\r\ndef fn t_y\n"
	// Columns of "word" and of the end of "t_x" on line 0: bytes é2 漢3 😀4, UTF-16 1+1+2, UTF-32 1+1+1.
	for enc, col := range map[string][2]int{"utf-8": {10, 18}, "utf-16": {5, 13}, "utf-32": {4, 12}} {
		t.Run(enc, func(t *testing.T) {
			s := start(t, lsp.Options{})
			s.Optional("textDocument/publishDiagnostics")
			s.initialize(obj{"general": obj{"positionEncodings": []string{enc}}})
			s.open(uri, text)
			var got json.RawMessage
			want := func(what, w string) {
				t.Helper()
				if string(got) != w {
					t.Errorf("%s: %s", what, cmp.Diff(w, string(got)))
				}
			}
			s.Call("textDocument/hover", at(uri, 0, col[0]+1), &got)
			want("hover", fmt.Sprintf(`{"contents":{"kind":"markdown","value":"word word"},"range":{"start":{"line":0,"character":%d},"end":{"line":0,"character":%d}}}`, col[0], col[0]+4))
			s.Call("textDocument/hover", at(uri, 9, 9), &got)
			want("hover nowhere", "null")
			s.Call("textDocument/inlayHint", obj{"textDocument": obj{"uri": uri}, "range": obj{"start": obj{"line": 0, "character": 0}, "end": obj{"line": 1, "character": 0}}}, &got)
			want("hints", fmt.Sprintf(`[{"position":{"line":0,"character":%d},"label":[{"value":"▸","location":{"uri":"%s","range":{"start":{"line":0,"character":%d},"end":{"line":0,"character":%d}}}},{"value":"t_x"}],"kind":1,"tooltip":{"kind":"markdown","value":"a tile"},"paddingLeft":true}]`, col[1], uri, col[1]-3, col[1]))
			s.Call("textDocument/documentSymbol", doc(uri), &got)
			want("symbols", `[{"name":"fn","detail":"a function","kind":12,"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":6}},"selectionRange":{"start":{"line":1,"character":4},"end":{"line":1,"character":6}}}]`)
			for _, m := range []string{"textDocument/hover", "textDocument/inlayHint", "textDocument/documentSymbol"} {
				params := all("file:///ws/not-open.py")
				params["position"] = obj{"line": 0, "character": 0}
				if err := s.Call(m, params, &got); err != nil {
					t.Error(err)
				}
				want(m+" of a document that is not open", "null")
			}
		})
	}
}

// TestTrace: a client that traces is told of every answer, in more words when
// it asks for them, and of no content.
func TestTrace(t *testing.T) {
	s := begin(t)
	s.Optional("textDocument/publishDiagnostics")
	s.open(uri, "secret")
	s.Call("textDocument/hover", at(uri, 0, 1), nil)
	s.None("$/logTrace")
	for value, verbose := range map[string]bool{"messages": false, "verbose": true} {
		s.Notify("$/setTrace", obj{"value": value})
		s.Notify("$/setTrace", obj{"value": "nonsense"})
		s.Call("textDocument/hover", at(uri, 0, 1), nil)
		var p struct{ Message, Verbose string }
		json.Unmarshal(s.Next("$/logTrace").Params, &p)
		if (p.Verbose != "") != verbose || p.Message == "" {
			t.Errorf("%s: %+v", value, p)
		}
	}
	s.Optional("$/logTrace")
	s.Notify("$/setTrace", obj{"value": "off"})
}
