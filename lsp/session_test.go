package lsp_test

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// session is a server with its editor and engine.
type session struct {
	*fake.Editor
	t      *testing.T
	engine *tiny
	code   chan int
}

// start begins a session that is not initialised.
func start(t *testing.T, opts lsp.Options) *session {
	t.Helper()
	s := &session{t: t, engine: newTiny(), code: make(chan int, 1)}
	server, client := net.Pipe()
	opts.Engine = s.engine
	go func() { s.code <- lsp.Serve(context.Background(), server, opts) }()
	s.Editor = fake.New(t, client)
	return s
}

// exitCode waits for the server's end.
func (s *session) exitCode() int {
	s.t.Helper()
	select {
	case c := <-s.code:
		s.code <- c
		return c
	case <-time.After(fake.Patience):
		s.t.Fatal("the server does not end")
		return -1
	}
}

type obj = map[string]any

// initialize brings a session to the running state.
func (s *session) initialize(caps obj) json.RawMessage {
	s.t.Helper()
	return s.initializeWith(obj{"processId": nil, "rootUri": nil, "capabilities": caps})
}

func (s *session) initializeWith(params obj) json.RawMessage {
	s.t.Helper()
	var result json.RawMessage
	if err := s.Call("initialize", params, &result); err != nil {
		s.t.Fatalf("initialize: %v", err)
	}
	s.Notify("initialized", obj{})
	return result
}

// utf8 is a client that counts bytes, so that tests can say columns easily.
var utf8 = obj{"general": obj{"positionEncodings": []string{"utf-8"}}}

// begin starts a session and brings it to the running state.
func begin(t *testing.T) *session {
	t.Helper()
	s := start(t, lsp.Options{})
	s.initialize(utf8)
	return s
}

const uri = "file:///ws/a.py"

func (s *session) open(uri, text string) { s.openAs(uri, text, 1) }

func (s *session) openAs(uri, text string, version int) {
	s.Notify("textDocument/didOpen", obj{"textDocument": obj{"uri": uri, "languageId": "python", "version": version, "text": text}})
}

// edit is one change of a range; whole is a change of everything.
func edit(l1, c1, l2, c2 int, text string) obj {
	return obj{"range": obj{"start": obj{"line": l1, "character": c1}, "end": obj{"line": l2, "character": c2}}, "text": text}
}

func whole(text string) obj { return obj{"text": text} }

func (s *session) change(uri string, version any, changes ...obj) {
	if changes == nil {
		changes = []obj{}
	}
	s.Notify("textDocument/didChange", obj{"textDocument": obj{"uri": uri, "version": version}, "contentChanges": changes})
}

func (s *session) close(uri string) {
	s.Notify("textDocument/didClose", obj{"textDocument": obj{"uri": uri}})
}

func at(uri string, line, char int) obj {
	return obj{"textDocument": obj{"uri": uri}, "position": obj{"line": line, "character": char}}
}

func all(uri string) obj {
	return obj{"textDocument": obj{"uri": uri}, "range": obj{"start": obj{"line": 0, "character": 0}, "end": obj{"line": 1 << 20, "character": 0}}}
}

func doc(uri string) obj { return obj{"textDocument": obj{"uri": uri}} }

// published is a push of diagnostics.
type published struct {
	URI         string
	Version     *int
	Diagnostics []struct {
		Range struct {
			Start, End struct{ Line, Character int }
		}
		Severity           int
		Code, Source       string
		Message            string
		RelatedInformation []struct {
			Location struct{ URI string }
			Message  string
		}
	}
}

// diagnostics waits for the push of a version of a document; pushes of older versions go by.
func (s *session) diagnostics(uri string, version int) published {
	s.t.Helper()
	for {
		var p published
		if err := json.Unmarshal(s.Next("textDocument/publishDiagnostics").Params, &p); err != nil {
			s.t.Fatal(err)
		}
		if p.URI != uri {
			s.t.Fatalf("diagnostics of %s, want %s", p.URI, uri)
		}
		if p.Version != nil && *p.Version == version {
			return p
		}
		if p.Version != nil && *p.Version > version {
			s.t.Fatalf("diagnostics of version %d, want %d", *p.Version, version)
		}
	}
}

// text is the document as the server has it, through the engine.
func (s *session) text(uri string) (string, bool) {
	s.t.Helper()
	s.Call("textDocument/documentSymbol", doc(uri), nil)
	for _, d := range s.engine.input().Documents {
		if d.Key == uri {
			return textOf(d.File), true
		}
	}
	return "", false
}

func (s *session) wantText(uri, want string) {
	s.t.Helper()
	if got, ok := s.text(uri); !ok || got != want {
		s.t.Errorf("the server has %q (open: %v), want %q", got, ok, want)
	}
}

// quit ends a session in the orderly way and checks the exit code.
func (s *session) quit() {
	s.t.Helper()
	if err := s.Call("shutdown", nil, nil); err != nil {
		s.t.Errorf("shutdown: %v", err)
	}
	s.Notify("exit", nil)
	s.Ended()
	if code := s.exitCode(); code != 0 {
		s.t.Errorf("exit code %d after shutdown", code)
	}
}

// wantCode checks the code of an error.
func wantCode(t *testing.T, err *fake.RPCError, code int) {
	t.Helper()
	if err == nil || err.Code != code {
		t.Errorf("got %v, want an error of code %d", err, code)
	}
}

// hasErr reports whether an error's message has a part.
func hasErr(err *fake.RPCError, part string) bool {
	return err != nil && strings.Contains(err.Message, part)
}
