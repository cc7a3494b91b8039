package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// TestPublish: current versions only, changed content only.
func TestPublish(t *testing.T) {
	t.Run("content and version", func(t *testing.T) {
		s := begin(t)
		s.openAs(uri, "a\n  BAD x\n", 0)
		p := s.diagnostics(uri, 0)
		if len(p.Diagnostics) != 1 {
			t.Fatalf("got %+v", p)
		}
		d := p.Diagnostics[0]
		if d.Range.Start.Line != 1 || d.Range.Start.Character != 2 || d.Range.End.Character != 5 || d.Severity != 1 || d.Source != "pypto-ls" || d.Code != "bad" || d.Message != `BAD on ""` || d.RelatedInformation != nil {
			t.Errorf("got %+v", d)
		}
	})
	t.Run("related places, for clients that can", func(t *testing.T) {
		s := start(t, lsp.Options{})
		s.initialize(obj{"textDocument": obj{"publishDiagnostics": obj{"relatedInformation": true}}})
		s.open(uri, "first BAD")
		d := s.diagnostics(uri, 1).Diagnostics[0]
		if len(d.RelatedInformation) != 1 || d.RelatedInformation[0].Location.URI != uri { // the place in a document that is not open is left out
			t.Errorf("got %+v", d)
		}
	})
	t.Run("the same content is not sent again", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "BAD\nx")
		s.diagnostics(uri, 1)
		s.change(uri, 2, edit(1, 0, 1, 1, "y"))
		s.change(uri, 3, edit(0, 0, 0, 0, " "))
		if p := s.diagnostics(uri, 3); p.Diagnostics[0].Range.Start.Character != 1 {
			t.Errorf("got %+v", p)
		}
		s.None("textDocument/publishDiagnostics")
	})
	t.Run("what takes long comes after what an edit changed", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "BADLATER")
		if p := s.diagnostics(uri, 1); len(p.Diagnostics) != 1 {
			t.Errorf("opened: got %+v", p)
		}
		s.change(uri, 2, edit(0, 0, 0, 0, "BAD "))
		if p := s.diagnostics(uri, 2); len(p.Diagnostics) != 1 || p.Diagnostics[0].Message != `BAD on ""` {
			t.Errorf("at once: got %+v", p)
		}
		if p := s.diagnostics(uri, 2); len(p.Diagnostics) != 2 {
			t.Errorf("then: got %+v", p)
		}
		s.None("textDocument/publishDiagnostics")
	})
	t.Run("what takes long waits until the typing rests", func(t *testing.T) {
		s := start(t, lsp.Options{Rest: time.Hour})
		s.initialize(obj{})
		s.open(uri, "BADLATER")
		s.diagnostics(uri, 1)
		for v := 2; v < 6; v++ {
			s.change(uri, v, edit(0, 0, 0, 0, "BAD "))
			if p := s.diagnostics(uri, v); len(p.Diagnostics) != v-1 {
				t.Errorf("version %d: got %+v", v, p)
			}
		}
		s.None("textDocument/publishDiagnostics")
	})
	t.Run("only the last of quick edits", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "SLOW BAD")
		<-s.engine.began
		s.change(uri, 2, whole("SLOW BAD BAD"))
		<-s.engine.began
		s.change(uri, 3, whole("BAD BAD BAD"))
		if p := s.diagnostics(uri, 3); len(p.Diagnostics) != 3 {
			t.Errorf("got %+v", p)
		}
		close(s.engine.release)
		s.None("textDocument/publishDiagnostics")
	})
	t.Run("a pass that does not listen is not published", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "STUBBORN BAD")
		<-s.engine.began
		s.change(uri, 2, whole("fine"))
		if p := s.diagnostics(uri, 2); len(p.Diagnostics) != 0 {
			t.Errorf("got %+v", p)
		}
		close(s.engine.release)
		s.None("textDocument/publishDiagnostics")
	})
	t.Run("closing takes them away", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "BAD")
		s.diagnostics(uri, 1)
		s.close(uri)
		if m := string(s.Next("textDocument/publishDiagnostics").Params); m != `{"uri":"file:///ws/a.py","diagnostics":[]}` {
			t.Errorf("got %s", m)
		}
	})
	t.Run("closing a document without any sends nothing", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "fine")
		s.diagnostics(uri, 1)
		s.close(uri)
		s.None("textDocument/publishDiagnostics")
	})
	t.Run("a panic costs one pass", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "PANIC")
		s.Next("window/logMessage")
		s.change(uri, 2, whole("BAD"))
		s.diagnostics(uri, 2)
	})
	t.Run("the client's spelling of the URI", func(t *testing.T) {
		s := begin(t)
		s.open("file:///ws/%61.py", "BAD")
		s.diagnostics("file:///ws/%61.py", 1)
	})
	t.Run("documents keep theirs apart", func(t *testing.T) {
		s := begin(t)
		s.open(uri, "BAD")
		s.diagnostics(uri, 1)
		s.open("file:///ws/b.py", "BAD BAD")
		if p := s.diagnostics("file:///ws/b.py", 1); len(p.Diagnostics) != 2 {
			t.Errorf("got %+v", p)
		}
	})
}

// canRefresh: the client can be told to pull again, without which nothing is
// pulled.
var canRefresh = obj{"diagnostics": obj{"refreshSupport": true}}

// TestPull: clients that pull get nothing pushed; results are told apart by
// their content, and equal what others are pushed.
func TestPull(t *testing.T) {
	s := start(t, lsp.Options{})
	result := s.initialize(obj{"general": utf8["general"], "textDocument": obj{"diagnostic": obj{}}, "workspace": canRefresh})
	if !strings.Contains(string(result), `"diagnosticProvider":{`) {
		t.Errorf("not advertised: %s", result)
	}
	s.open(uri, "BAD")
	type report struct {
		Kind     string
		ResultID string
		Items    json.RawMessage
	}
	pull := func(previous string) (r report) {
		t.Helper()
		if err := s.Call("textDocument/diagnostic", obj{"textDocument": obj{"uri": uri}, "previousResultId": previous}, &r); err != nil {
			t.Error(err)
		}
		return r
	}
	first := pull("")
	if first.Kind != "full" || first.ResultID == "" || !strings.Contains(string(first.Items), `BAD on`) {
		t.Errorf("got %+v", first)
	}
	if again := pull(first.ResultID); again.Kind != "unchanged" || again.ResultID != first.ResultID || again.Items != nil {
		t.Errorf("again: %+v", again)
	}
	s.change(uri, 2, edit(0, 3, 0, 3, " x")) // no other findings
	if r := pull(first.ResultID); r.Kind != "unchanged" {
		t.Errorf("after a harmless edit: %+v", r)
	}
	s.change(uri, 3, whole("fine"))
	if r := pull(first.ResultID); r.Kind != "full" || string(r.Items) != "[]" {
		t.Errorf("after the repair: %s", r.Items)
	}
	s.close(uri)
	if r := pull(""); r.Kind != "full" || string(r.Items) != "[]" {
		t.Errorf("of a closed document: %+v", r)
	}
	s.None("textDocument/publishDiagnostics")

	pushed := begin(t)
	pushed.open(uri, "BAD")
	var items struct{ Diagnostics json.RawMessage }
	json.Unmarshal(pushed.Next("textDocument/publishDiagnostics").Params, &items)
	if diff := cmp.Diff(string(items.Diagnostics), string(first.Items)); diff != "" {
		t.Errorf("pushed and pulled differ:\n%s", diff)
	}
}

// TestPushesGrowNewer: a thousand edits leave at most a thousand pushes, each newer
// than the one before, and the last is of the last edit.
func TestPushesGrowNewer(t *testing.T) {
	s := begin(t)
	s.openAs(uri, "BAD", 1)
	s.diagnostics(uri, 1)
	for v := 2; v <= 1000; v++ {
		s.change(uri, v, edit(0, 0, 0, 0, " "))
	}
	if p := s.diagnostics(uri, 1000); p.Diagnostics[0].Range.Start.Character != 999 {
		t.Errorf("got %+v", p)
	}
}

// TestPublishToABlockedClient: while the client does not read, diagnostics do not
// pile up; when it reads again it gets the newest.
func TestPublishToABlockedClient(t *testing.T) {
	s := start(t, lsp.Options{Limits: lsp.Limits{Queue: 1 << 20}}) // backlogged from 64 KiB
	s.initialize(utf8)
	s.Pause()
	var ps []*fake.Pending
	for range 2000 { // about 180 kB of answers
		ps = append(ps, s.Request("no/such", nil))
	}
	s.open(uri, "BAD")
	for v := 2; v <= 100; v++ {
		s.change(uri, v, edit(0, 0, 0, 0, " "))
	}
	s.Resume()
	for _, p := range ps {
		p.Wait(nil)
	}
	pushes := 0
	for {
		var p published
		json.Unmarshal(s.Next("textDocument/publishDiagnostics").Params, &p)
		pushes++
		if *p.Version == 100 {
			break
		}
	}
	if pushes > 50 {
		t.Errorf("%d pushes for 100 versions", pushes)
	}
}

// TestPassesLeaveTime: however many documents are being looked at, a question
// about another one is answered at once.
func TestPassesLeaveTime(t *testing.T) {
	s := start(t, lsp.Options{Workers: 2})
	s.Optional("textDocument/publishDiagnostics")
	s.initialize(utf8)
	for _, c := range "abcdef" {
		s.open("file:///ws/"+string(c)+".py", "STUBBORN")
	}
	<-s.engine.began
	s.open("file:///ws/other.py", "word")
	var h any
	if err := s.Call("textDocument/hover", at("file:///ws/other.py", 0, 1), &h); err != nil || h == nil {
		t.Errorf("no answer: %v", err)
	}
	close(s.engine.release)
}
