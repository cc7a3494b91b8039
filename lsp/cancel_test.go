package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

const (
	cancelled       = -32800
	contentModified = -32801
	serverCancelled = -32802
)

// TestCancellation: every request has exactly one answer, at once when it is
// given up, by whomever.
func TestCancellation(t *testing.T) {
	run := func(name string, f func(t *testing.T, s *session)) {
		t.Run(name, func(t *testing.T) {
			s := start(t, lsp.Options{Workers: 2})
			s.Optional("textDocument/publishDiagnostics", "workspace/diagnostic/refresh")
			s.initialize(obj{"general": utf8["general"], "textDocument": obj{"diagnostic": obj{}}, "workspace": canRefresh})
			f(t, s)
		})
	}
	slow := func(s *session) *fake.Pending { // a request that runs
		p := s.Request("textDocument/hover", at(uri, 0, 1))
		<-s.engine.began
		return p
	}
	run("a running request", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := slow(s)
		p.Cancel()
		wantCode(t, p.Wait(nil), cancelled)
	})
	run("a running request that does not listen", func(t *testing.T, s *session) {
		s.open(uri, "STUBBORN")
		p := slow(s)
		p.Cancel()
		wantCode(t, p.Wait(nil), cancelled)
		close(s.engine.release)
	})
	run("a request that waits for a worker", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		a, b := slow(s), slow(s)
		c := s.Request("textDocument/hover", at(uri, 0, 1))
		s.Barrier()
		c.Cancel()
		wantCode(t, c.Wait(nil), cancelled)
		close(s.engine.release)
		if err1, err2 := a.Wait(nil), b.Wait(nil); err1 != nil || err2 != nil {
			t.Errorf("%v, %v", err1, err2)
		}
	})
	run("one of two", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		a, b := slow(s), slow(s)
		b.Cancel()
		wantCode(t, b.Wait(nil), cancelled)
		if a.Answered() {
			t.Error("the other one was answered too")
		}
		close(s.engine.release)
		if err := a.Wait(nil); err != nil {
			t.Error(err)
		}
	})
	run("twice", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := slow(s)
		p.Cancel()
		p.Cancel()
		wantCode(t, p.Wait(nil), cancelled)
		s.Barrier() // a second answer would fail the test
	})
	run("ids that are strings", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := s.RequestAs(`"a\"b"`, "textDocument/hover", at(uri, 0, 1))
		<-s.engine.began
		s.Notify("$/cancelRequest", obj{"id": `a"b`})
		wantCode(t, p.Wait(nil), cancelled)
	})
	run("the number is not the string", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := s.RequestAs(`"77"`, "textDocument/hover", at(uri, 0, 1))
		<-s.engine.began
		s.Notify("$/cancelRequest", obj{"id": 77})
		s.Barrier()
		if p.Answered() {
			t.Error(`cancelling 77 cancelled "77"`)
		}
		close(s.engine.release)
		if err := p.Wait(nil); err != nil {
			t.Error(err)
		}
	})
	run("after the answer", func(t *testing.T, s *session) {
		s.open(uri, "x")
		p := s.Request("textDocument/hover", at(uri, 0, 1))
		if err := p.Wait(nil); err != nil {
			t.Error(err)
		}
		p.Cancel()
		s.Barrier()
	})
	run("of nothing, and nonsense", func(t *testing.T, s *session) {
		for _, params := range []any{obj{"id": 99}, obj{"id": nil}, obj{}, nil, []int{1}, obj{"id": obj{}}} {
			s.Notify("$/cancelRequest", params)
		}
		s.Barrier()
	})
	run("in the same write as the request", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := s.Expect("5", "textDocument/hover")
		s.Raw(fake.Frame(`{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{"textDocument":{"uri":"`+uri+`"},"position":{"line":0,"character":1}}}`) +
			fake.Frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":5}}`))
		wantCode(t, p.Wait(nil), cancelled)
	})
	run("inside a batch", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		one := func(id int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"%s"},"position":{"line":0,"character":1}}}`, id, uri)
		}
		a, b := s.Expect("101", "textDocument/hover"), s.Expect("102", "textDocument/hover")
		s.Raw(fake.Frame("[" + one(101) + "," + one(102) + "]"))
		<-s.engine.began
		<-s.engine.began
		a.Cancel()
		s.Barrier()
		if a.Answered() {
			t.Error("a batch is answered as a whole")
		}
		b.Cancel()
		wantCode(t, a.Wait(nil), cancelled)
		wantCode(t, b.Wait(nil), cancelled)
	})
	for _, method := range []string{"textDocument/inlayHint", "textDocument/documentSymbol", "textDocument/diagnostic"} {
		params, code := all(uri), contentModified
		if method == "textDocument/diagnostic" {
			code = serverCancelled
		}
		run("an edit outdates "+method, func(t *testing.T, s *session) {
			s.open(uri, "SLOW")
			p := s.Request(method, params)
			<-s.engine.began
			s.change(uri, 2, whole("quick"))
			err := p.Wait(nil)
			wantCode(t, err, code)
			if code == serverCancelled && string(err.Data) != `{"retriggerRequest":true}` {
				t.Errorf("data %s", err.Data)
			}
		})
		run("an edit outdates a waiting "+method, func(t *testing.T, s *session) {
			s.open(uri, "SLOW")
			slow(s)
			slow(s) // both workers are taken
			p := s.Request(method, params)
			s.change(uri, 2, whole("quick"))
			wantCode(t, p.Wait(nil), code)
			close(s.engine.release)
			s.Barrier()
			s.quit()
		})
		run("closing outdates "+method, func(t *testing.T, s *session) {
			s.open(uri, "SLOW")
			p := s.Request(method, params)
			<-s.engine.began
			s.close(uri)
			if err := p.Wait(nil); err == nil {
				t.Error("answered")
			}
		})
		run("an edit elsewhere leaves "+method+" alone", func(t *testing.T, s *session) {
			s.open(uri, "SLOW")
			s.open("file:///ws/b.py", "x")
			p := s.Request(method, params)
			<-s.engine.began
			s.change("file:///ws/b.py", 2, whole("y"))
			s.Barrier()
			if p.Answered() {
				t.Error("it was given up")
			}
			close(s.engine.release)
			if err := p.Wait(nil); err != nil {
				t.Error(err)
			}
		})
	}
	run("an edit does not outdate what the user asked for", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := slow(s)
		s.change(uri, 2, whole("quick"))
		s.Barrier()
		if p.Answered() {
			t.Error("hover was given up")
		}
		close(s.engine.release)
		var h struct{ Contents struct{ Value string } }
		if err := p.Wait(&h); err != nil || h.Contents.Value != "word SLOW" {
			t.Errorf("%v, %v", h, err) // of the version that was asked about
		}
	})
	run("new settings outdate", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := s.Request("textDocument/inlayHint", all(uri))
		<-s.engine.began
		s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"pypto-ls": obj{"platform": "Ascend950"}}})
		wantCode(t, p.Wait(nil), contentModified)
	})
	run("the session's end answers what runs", func(t *testing.T, s *session) {
		s.open(uri, "SLOW")
		p := slow(s)
		s.Notify("exit", nil)
		wantCode(t, p.Wait(nil), cancelled)
		s.Ended()
	})
}

// TestProgress: tokens of the client, of the server, and the user who cancels.
func TestProgress(t *testing.T) {
	fake.Newer("test/long", "test/panic", "test/unencodable", "test/metrics")
	values := func(s *session, n int) (kinds []string, token string) {
		for range n {
			var p struct {
				Token json.RawMessage
				Value struct{ Kind string }
			}
			json.Unmarshal(s.Next("$/progress").Params, &p)
			kinds, token = append(kinds, p.Value.Kind), string(p.Token)
		}
		return kinds, token
	}
	t.Run("token of the client", func(t *testing.T) {
		s := start(t, lsp.Options{}.WithTestMethods())
		s.initialize(utf8)
		if err := s.Call("test/long", obj{"steps": 50, "workDoneToken": 7}, nil); err != nil {
			t.Error(err)
		}
		kinds, token := values(s, 3) // 50 reports within 100 ms are one
		if strings.Join(kinds, " ") != "begin report end" || token != "7" {
			t.Errorf("%v for token %s", kinds, token)
		}
	})
	t.Run("none without a token when the client does not offer it", func(t *testing.T) {
		s := start(t, lsp.Options{}.WithTestMethods())
		s.initialize(utf8)
		s.Call("test/long", obj{"steps": 3}, nil)
		s.None("$/progress")
	})
	t.Run("token of the server", func(t *testing.T) {
		s := start(t, lsp.Options{}.WithTestMethods())
		s.initialize(obj{"window": obj{"workDoneProgress": true}})
		p := s.Request("test/long", obj{"wait": true})
		created := s.Next("window/workDoneProgress/create")
		kinds, token := values(s, 1)
		if kinds[0] != "begin" || !strings.Contains(string(created.Params), token) {
			t.Errorf("%v of %s, created %s", kinds, token, created.Params)
		}
		s.Notify("window/workDoneProgress/cancel", obj{"token": "another"})
		s.Barrier()
		if p.Answered() {
			t.Error("cancelling another token cancelled ours")
		}
		s.Notify("window/workDoneProgress/cancel", obj{"token": json.RawMessage(token)})
		wantCode(t, p.Wait(nil), cancelled)
		if kinds, _ := values(s, 1); kinds[0] != "end" {
			t.Errorf("%v", kinds)
		}
	})
	t.Run("a client that refuses the token", func(t *testing.T) {
		s := start(t, lsp.Options{}.WithTestMethods())
		s.Answer("window/workDoneProgress/create", func(json.RawMessage) (any, *fake.RPCError) { return nil, &fake.RPCError{Code: -32603, Message: "no"} })
		s.initialize(obj{"window": obj{"workDoneProgress": true}})
		if err := s.Call("test/long", obj{"steps": 3}, nil); err != nil {
			t.Error(err)
		}
		s.Next("window/workDoneProgress/create")
		s.None("$/progress")
	})
}

// TestPanics: a panic costs one request, is reported, and leaks nothing of what
// it was about.
func TestPanics(t *testing.T) {
	fake.Newer("test/long", "test/panic", "test/unencodable", "test/metrics")
	s := start(t, lsp.Options{}.WithTestMethods())
	s.Optional("textDocument/publishDiagnostics")
	s.initialize(utf8)
	s.open(uri, "PANIC secret text")
	for _, method := range []string{"textDocument/hover", "test/panic"} {
		err := s.Call(method, at(uri, 0, 0), nil)
		wantCode(t, err, -32603)
		if hasErr(err, "secret") || !hasErr(err, "internal error in "+method) {
			t.Errorf("the client is told %v", err)
		}
		if m := s.Next("window/logMessage"); strings.Contains(string(m.Params), "secret") {
			t.Errorf("the log of the client has %s", m.Params)
		}
	}
	wantCode(t, s.Call("test/unencodable", nil, nil), -32603)
	s.Notify("test/panicNote", nil)
	s.change(uri, 2, whole("word"))
	if err := s.Call("textDocument/hover", at(uri, 0, 1), nil); err != nil {
		t.Errorf("after panics: %v", err)
	}
	var report struct {
		Methods []struct {
			Name                               string
			Count, Failed, Panicked, Cancelled int
		}
	}
	s.Call("test/metrics", nil, &report)
	for _, m := range report.Methods {
		if m.Name == "textDocument/hover" && (m.Count != 2 || m.Panicked != 1 || m.Failed != 0) {
			t.Errorf("metrics: %+v", m)
		}
	}
}
