package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// TestLifecycle: what is served in which state (LSP 3.17, "Server lifecycle").
func TestLifecycle(t *testing.T) {
	run := func(name string, f func(t *testing.T, s *session)) {
		t.Run(name, func(t *testing.T) { f(t, start(t, lsp.Options{Version: "1.2.3"})) })
	}
	run("requests before initialize are refused", func(t *testing.T, s *session) {
		wantCode(t, s.Call("textDocument/hover", at(uri, 0, 0), nil), -32002)
	})
	run("unknown requests before initialize are refused alike", func(t *testing.T, s *session) {
		wantCode(t, s.Call("no/such", nil, nil), -32002)
	})
	run("shutdown before initialize is refused", func(t *testing.T, s *session) {
		wantCode(t, s.Call("shutdown", nil, nil), -32002)
	})
	run("notifications before initialize are dropped", func(t *testing.T, s *session) {
		s.open(uri, "BAD")
		s.initialize(utf8)
		if _, open := s.text(uri); open {
			t.Error("a document that was opened too early is open")
		}
	})
	run("exit before initialize ends with 1", func(t *testing.T, s *session) {
		s.Notify("exit", nil)
		if code := s.exitCode(); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	run("initialize tells name, version and encoding", func(t *testing.T, s *session) {
		var r struct {
			Capabilities struct{ PositionEncoding string }
			ServerInfo   struct{ Name, Version string }
		}
		if err := json.Unmarshal(s.initialize(utf8), &r); err != nil || r.ServerInfo.Name != "pypto-ls" || r.ServerInfo.Version != "1.2.3" || r.Capabilities.PositionEncoding != "utf-8" {
			t.Errorf("got %+v, %v", r, err)
		}
	})
	run("a second initialize is refused", func(t *testing.T, s *session) {
		s.initialize(utf8)
		wantCode(t, s.Call("initialize", obj{"processId": nil, "capabilities": obj{}}, nil), -32600)
	})
	run("initialize without parameters may be tried again", func(t *testing.T, s *session) {
		wantCode(t, s.Call("initialize", nil, nil), -32602)
		s.initialize(utf8)
		s.open(uri, "x")
		s.diagnostics(uri, 1)
		s.wantText(uri, "x")
	})
	run("initialize with members of wrong types works with the rest", func(t *testing.T, s *session) {
		result := s.initialize(obj{"general": obj{"positionEncodings": []string{"utf-8"}}, "textDocument": obj{"hover": 7, "completion": []int{1}}, "workspace": "all"})
		if !strings.Contains(string(result), `"positionEncoding":"utf-8"`) {
			t.Errorf("got %s", result)
		}
	})
	run("requests between the answer and initialized are served", func(t *testing.T, s *session) {
		if err := s.Call("initialize", obj{"processId": nil, "capabilities": utf8}, nil); err != nil {
			t.Fatal(err)
		}
		s.open(uri, "word")
		s.diagnostics(uri, 1)
		if err := s.Call("textDocument/hover", at(uri, 0, 1), nil); err != nil {
			t.Error(err)
		}
		s.Notify("initialized", obj{})
	})
	run("initialized twice registers once", func(t *testing.T, s *session) {
		s.initialize(obj{"workspace": obj{"didChangeWatchedFiles": obj{"dynamicRegistration": true}}})
		s.Notify("initialized", obj{})
		s.Next("client/registerCapability")
		s.None("client/registerCapability")
	})
	run("unknown requests are method not found", func(t *testing.T, s *session) {
		s.initialize(utf8)
		wantCode(t, s.Call("no/such", obj{}, nil), -32601)
		wantCode(t, s.Call("$/no/such", obj{}, nil), -32601)
		wantCode(t, s.Call("textDocument/didOpen", obj{}, nil), -32601) // a notification's name
	})
	run("unknown notifications are ignored", func(t *testing.T, s *session) {
		s.initialize(utf8)
		s.Notify("no/such", obj{})
		s.Notify("$/no/such", nil)
		s.Notify("textDocument/hover", at(uri, 0, 0)) // a request's name
		s.Barrier()
	})
	run("bad parameters are invalid params", func(t *testing.T, s *session) {
		s.initialize(utf8)
		for _, params := range []any{nil, []int{1}, obj{"position": "here"}, at("", 0, 0), at("no scheme", 0, 0), obj{"textDocument": obj{"uri": uri}, "position": obj{"line": -1, "character": 0}}} {
			wantCode(t, s.Call("textDocument/hover", params, nil), -32602)
		}
	})
	run("requests after shutdown are refused", func(t *testing.T, s *session) {
		s.initialize(utf8)
		if err := s.Call("shutdown", nil, nil); err != nil {
			t.Error(err)
		}
		wantCode(t, s.Call("textDocument/hover", at(uri, 0, 0), nil), -32600)
		wantCode(t, s.Call("shutdown", nil, nil), -32600)
		wantCode(t, s.Call("initialize", obj{"capabilities": obj{}}, nil), -32600)
		s.Notify("exit", nil)
		if code := s.exitCode(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	run("notifications after shutdown are dropped", func(t *testing.T, s *session) {
		s.initialize(utf8)
		s.Call("shutdown", nil, nil)
		s.open(uri, "BAD")
		s.None("textDocument/publishDiagnostics")
	})
	run("shutdown takes null and object parameters", func(t *testing.T, s *session) {
		s.initialize(utf8)
		if err := s.Call("shutdown", obj{}, nil); err != nil {
			t.Error(err)
		}
	})
	run("shutdown answers what is open", func(t *testing.T, s *session) {
		s.initialize(utf8)
		s.open(uri, "SLOW")
		p := s.Request("textDocument/hover", at(uri, 0, 1))
		<-s.engine.began
		s.quit()
		wantCode(t, p.Wait(nil), -32800)
	})
	run("exit without shutdown ends with 1", func(t *testing.T, s *session) {
		s.initialize(utf8)
		s.Notify("exit", nil)
		s.Ended()
		if code := s.exitCode(); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	run("exit after shutdown ends with 0", func(t *testing.T, s *session) {
		s.initialize(utf8)
		s.quit()
	})
	run("the end of the connection ends the server with 1", func(t *testing.T, s *session) {
		s.initialize(utf8)
		s.Close()
		if code := s.exitCode(); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	run("the end of the connection after shutdown ends it with 0", func(t *testing.T, s *session) {
		s.initialize(utf8)
		s.Call("shutdown", nil, nil)
		s.Close()
		if code := s.exitCode(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	run("everything at once, then the end", func(t *testing.T, s *session) {
		// A client that writes all it has and closes: every request is answered first.
		first, second := s.Expect("1", "initialize"), s.Expect("2", "shutdown")
		s.Raw(fake.Frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`) + fake.Frame(`{"jsonrpc":"2.0","method":"initialized","params":{}}`) +
			fake.Frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + fake.Frame(`{"jsonrpc":"2.0","method":"exit"}`))
		if err1, err2 := first.Wait(nil), second.Wait(nil); err1 != nil || err2 != nil {
			t.Errorf("%v, %v", err1, err2)
		}
		if code := s.exitCode(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
}

// TestParentDeath: a server whose editor's process is gone ends.
func TestParentDeath(t *testing.T) {
	asked := make(chan int, 100)
	alive := make(chan bool)
	s := start(t, lsp.Options{ParentInterval: 1, ProcessAlive: func(pid int) bool {
		asked <- pid
		return <-alive
	}})
	s.initializeWith(obj{"processId": 4711, "capabilities": obj{}})
	if pid := <-asked; pid != 4711 {
		t.Errorf("asked for process %d", pid)
	}
	alive <- true
	<-asked
	s.Barrier() // lives on
	alive <- false
	if code := s.exitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}
