package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// TestSettings: where settings come from, and that everything follows a change.
func TestSettings(t *testing.T) {
	platform := func(t *testing.T, s *session, want string) {
		t.Helper()
		s.text(uri)
		if got := s.engine.input().Settings.Platform; got != want {
			t.Errorf("platform %q, want %q", got, want)
		}
	}
	t.Run("initialization options", func(t *testing.T) {
		s := start(t, lsp.Options{})
		s.Optional("textDocument/publishDiagnostics")
		s.initializeWith(obj{"capabilities": utf8, "initializationOptions": obj{"platform": "Ascend950", "inlayHints": obj{"sizes": false}}})
		s.open(uri, "")
		platform(t, s, "Ascend950")
		want := lsp.DefaultSettings()
		want.Platform, want.InlayHints.Sizes = "Ascend950", false
		if got := s.engine.input().Settings; got != want {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("pushed, nested and dotted", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "BAD")
		s.diagnostics(uri, 1)
		s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"pypto-ls": obj{"platform": "P1", "inlayHints.usage": false}}})
		if p := s.diagnostics(uri, 1); p.Diagnostics[0].Message != `BAD on "P1"` {
			t.Errorf("got %+v", p)
		}
		if s.engine.input().Settings.InlayHints.Usage {
			t.Error("the dotted name was not understood")
		}
		s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"platform": "P2"}})
		s.diagnostics(uri, 1)
		platform(t, s, "P2")
		s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"platform": "P2"}}) // no change
		s.Notify("workspace/didChangeConfiguration", obj{"settings": nil})
		s.None("textDocument/publishDiagnostics")
	})
	t.Run("wrong types are told and left out", func(t *testing.T) {
		s := begin(t)
		s.Optional("textDocument/publishDiagnostics")
		s.open(uri, "")
		s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"pypto-ls": obj{"platform": 7, "planner": "DSA_RP", "unknown": 1, "codeLens": obj{"enabled": nil}}}})
		if m := s.Next("window/showMessage"); !strings.Contains(string(m.Params), "pypto-ls.platform") {
			t.Errorf("the user is told %s", m.Params)
		}
		s.text(uri)
		if got := s.engine.input().Settings; got.Platform != "" || got.Planner != "DSA_RP" || !got.CodeLens {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("pulled", func(t *testing.T) {
		s := start(t, lsp.Options{})
		s.Optional("textDocument/publishDiagnostics")
		answers := make(chan string, 3)
		s.Answer("workspace/configuration", func(params json.RawMessage) (any, *fake.RPCError) {
			if !strings.Contains(string(params), `"section":"pypto-ls"`) {
				t.Errorf("asked for %s", params)
			}
			return []any{obj{"platform": <-answers}}, nil
		})
		answers <- "A"
		s.initialize(obj{"workspace": obj{"configuration": true, "didChangeConfiguration": obj{"dynamicRegistration": true}}})
		if m := s.Next("client/registerCapability"); !strings.Contains(string(m.Params), "workspace/didChangeConfiguration") {
			t.Errorf("registered %s", m.Params)
		}
		s.Next("workspace/configuration")
		s.open(uri, "BAD")
		for s.engine.input().Settings.Platform != "A" {
			s.text(uri)
		}
		answers <- "B"
		s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"pypto-ls": obj{"platform": "ignored"}}})
		s.Next("workspace/configuration")
		for s.engine.input().Settings.Platform != "B" {
			s.text(uri)
		}
	})
	t.Run("pulled from a client that answers null or an error", func(t *testing.T) {
		s := start(t, lsp.Options{})
		s.Optional("textDocument/publishDiagnostics", "workspace/configuration")
		var n atomic.Int32
		s.Answer("workspace/configuration", func(json.RawMessage) (any, *fake.RPCError) {
			if n.Add(1) == 1 {
				return []any{nil}, nil
			}
			return nil, &fake.RPCError{Code: -32601, Message: "no"}
		})
		s.initialize(obj{"workspace": obj{"configuration": true}})
		s.Notify("workspace/didChangeConfiguration", obj{"settings": nil})
		s.open(uri, "")
		platform(t, s, "")
	})
	t.Run("refreshes, one at a time", func(t *testing.T) {
		s := start(t, lsp.Options{})
		hold := make(chan bool)
		s.Answer("workspace/inlayHint/refresh", func(json.RawMessage) (any, *fake.RPCError) { <-hold; return nil, nil })
		can := obj{"refreshSupport": true}
		s.initialize(obj{"textDocument": obj{"diagnostic": obj{}}, "workspace": obj{"inlayHint": can, "diagnostics": can, "codeLens": can, "semanticTokens": can}})
		set := func(p string) { s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"platform": p}}) }
		set("A")
		for _, m := range []string{"inlayHint", "diagnostic", "codeLens", "semanticTokens"} {
			s.Next("workspace/" + m + "/refresh")
		}
		s.Optional("workspace/diagnostic/refresh", "workspace/codeLens/refresh", "workspace/semanticTokens/refresh")
		set("B")
		set("C")
		s.None("workspace/inlayHint/refresh")
		hold <- true
		s.Next("workspace/inlayHint/refresh") // one for both
		hold <- true
		s.None("workspace/inlayHint/refresh")
	})
}

// TestConfigFiles: the nearest pypto-ls.toml inside the workspace folder reaches
// the engine, and follows changes that the client or a save tells.
func TestConfigFiles(t *testing.T) {
	ws := filepath.Join(t.TempDir(), "ws")
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(ws, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("pypto-ls.toml", "outer")
	write("sub/pypto-ls.toml", "inner")
	write("../pypto-ls.toml", "outside")
	s := start(t, lsp.Options{})
	s.Optional("textDocument/publishDiagnostics")
	folder := func(path string) obj { return obj{"uri": "file://" + path, "name": "ws"} }
	s.initializeWith(obj{"workspaceFolders": []any{folder(ws)}, "capabilities": obj{"workspace": obj{"didChangeWatchedFiles": obj{"dynamicRegistration": true}}}})
	if m := s.Next("client/registerCapability"); !strings.Contains(string(m.Params), `"globPattern":"**/pypto-ls.toml"`) {
		t.Errorf("registered %s", m.Params)
	}
	open := func(name string) string { u := "file://" + filepath.Join(ws, name); s.open(u, ""); return u }
	config := func(uri string) string {
		t.Helper()
		s.text(uri)
		for _, d := range s.engine.input().Documents {
			if d.Key == uri && d.Config != nil {
				return string(d.Config.Data)
			}
		}
		return ""
	}
	top, sub, deep, out := open("k.py"), open("sub/k.py"), open("sub/a/b/k.py"), open("../k.py")
	for uri, want := range map[string]string{top: "outer", sub: "inner", deep: "inner", out: ""} {
		if got := config(uri); got != want {
			t.Errorf("%s has %q, want %q", uri, got, want)
		}
	}
	write("sub/pypto-ls.toml", "changed")
	s.Notify("workspace/didChangeWatchedFiles", obj{"changes": []any{obj{"uri": "file://" + ws + "/sub/pypto-ls.toml", "type": 2}}})
	if got := config(deep); got != "changed" {
		t.Errorf("after a change: %q", got)
	}
	os.Remove(filepath.Join(ws, "sub/pypto-ls.toml"))
	s.Notify("textDocument/didSave", obj{"textDocument": obj{"uri": top}})
	if got := config(deep); got != "outer" {
		t.Errorf("after its removal: %q", got)
	}
	s.Notify("workspace/didChangeWorkspaceFolders", obj{"event": obj{"added": []any{folder(filepath.Dir(ws))}, "removed": []any{folder(ws)}}})
	if got := config(out); got != "outside" {
		t.Errorf("in the new folder: %q", got)
	}
	s.Notify("workspace/didChangeWorkspaceFolders", obj{"event": obj{"added": []any{}, "removed": []any{folder(filepath.Dir(ws))}}})
	if got := config(top); got != "" {
		t.Errorf("without folders: %q", got)
	}
}
