package lsp_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// TestSecurityInput: hostile input costs an error, never the session: every case
// ends with a hover that must still be answered.
func TestSecurityInput(t *testing.T) {
	hoverWith := func(params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":%s}`, params)
	}
	lim := lsp.Limits{Message: 1 << 20, Document: 1 << 19, Depth: 200}
	for _, c := range []struct {
		name string
		send func(s *session)
	}{
		{"JSON nested a million times", func(s *session) {
			s.Raw(fake.Frame(strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19)))
			s.Next("(error)")
		}},
		{"parameters nested too deeply", func(s *session) {
			s.Raw(fake.Frame(hoverWith(strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300))))
			s.Next("(error)")
		}},
		{"a message over the limit", func(s *session) {
			s.Raw(fake.Frame(hoverWith(`["` + strings.Repeat("x", 2<<20) + `"]`)))
			s.Next("(error)")
		}},
		{"a header without end", func(s *session) {
			s.Raw("X: " + strings.Repeat("y", 1<<20) + "\r\n\r\n" + fake.Frame("null"))
			s.Next("(error)")
			s.Next("(error)")
		}},
		{"a batch of ten thousand", func(s *session) {
			s.Raw(fake.Frame("[" + strings.Repeat("1,", 9999) + "1]"))
			s.Next("(error)")
		}},
		{"a claimed length near 2^63", func(s *session) {
			// Nothing follows that could end it: the session must still be able to end.
			s.Abandon()
			s.Call("shutdown", nil, nil)
			s.Raw("Content-Length: 9223372036854775807\r\n\r\nxxxx")
			s.Close()
			if code := s.exitCode(); code != 0 {
				s.t.Errorf("exit code %d", code)
			}
		}},
		{"a document of brackets", func(s *session) { s.open(uri, "def f():\n  x = "+strings.Repeat("(", 400000)) }},
		{"a document of nested blocks", func(s *session) {
			var b strings.Builder
			for i := range 600 {
				b.WriteString(strings.Repeat(" ", i) + "if x:\n")
			}
			s.open(uri, b.String())
		}},
		{"a document in one line", func(s *session) { s.open(uri, strings.Repeat("x+", 250000)) }},
		{"a document of line ends", func(s *session) { s.open(uri, strings.Repeat("\r", 200000)+strings.Repeat("\n", 200000)) }},
		{"NUL bytes in a document", func(s *session) {
			s.open(uri, "a\x00b\x00")
			s.change(uri, 2, edit(0, 1, 0, 2, "\x00\x00"))
			s.wantText(uri, "a\x00\x00b\x00")
		}},
		{"unpaired surrogates in a document", func(s *session) {
			s.Raw(fake.Frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"` + uri + `","languageId":"python","version":1,"text":"a\ud800b\udc00"}}}`))
			s.wantText(uri, "a\ufffdb\ufffd")
		}},
		{"bytes that are no UTF-8 in a document", func(s *session) {
			s.Raw(fake.Frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"` + uri + `","languageId":"python","version":1,"text":"` + "a\xff\xc3b" + `"}}}`))
			s.wantText(uri, "a\ufffd\ufffdb")
		}},
		{"a NUL in a URI", func(s *session) { s.open("file:///ws/a%00.py", "x"); s.open("file:///ws/a\x00.py", "x") }},
		{"URIs that are none", func(s *session) {
			for _, u := range []string{"", "x", "://", "file:", "file://", "%%%", strings.Repeat("a", 9000)} {
				s.open(u, "x")
				s.change(u, 2, whole("y"))
				s.close(u)
			}
			s.Optional("window/showMessage")
		}},
		{"a URI of another machine", func(s *session) { s.open("file://10.0.0.1/share/a.py", "x") }},
		{"web URIs", func(s *session) { s.open("http://127.0.0.1:9/a.py", "x"); s.open("https://example.com/", "y") }},
		{"members of wrong types everywhere", func(s *session) {
			for _, m := range []string{"didOpen", "didChange", "didSave", "didClose"} {
				for _, p := range []any{nil, 1, "x", []any{}, obj{"textDocument": 1}, obj{"textDocument": obj{"uri": 1}}, obj{"textDocument": obj{"uri": uri, "text": 1, "version": "x"}}} {
					s.Notify("textDocument/"+m, p)
				}
			}
			s.Optional("window/showMessage", "(error)")
		}},
		{"numbers that do not fit", func(s *session) {
			s.open(uri, "x")
			s.Raw(fake.Frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"` + uri + `","version":1e400},"contentChanges":[{"range":{"start":{"line":1e400,"character":0},"end":{"line":0,"character":0}},"text":"y"}]}}`))
			s.Next("window/showMessage") // cannot be applied
		}},
		{"two thousand documents", func(s *session) {
			for i := range 2000 {
				s.open(fmt.Sprintf("file:///ws/%d.txt", i), "")
				s.close(fmt.Sprintf("file:///ws/%d.txt", i))
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, lsp.Options{Limits: lim})
			s.Optional("textDocument/publishDiagnostics")
			s.initialize(utf8)
			c.send(s)
			select {
			case code := <-s.code:
				s.code <- code
				return
			default:
			}
			s.open("file:///ws/last.py", "word")
			if err := s.Call("textDocument/hover", at("file:///ws/last.py", 0, 1), nil); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// TestSecurityTooManyRequests: requests over the limit are refused, those under
// it are served.
func TestSecurityTooManyRequests(t *testing.T) {
	s := start(t, lsp.Options{Limits: lsp.Limits{Pending: 5}})
	s.Optional("textDocument/publishDiagnostics")
	s.initialize(utf8)
	s.open(uri, "SLOW")
	var ps []*fake.Pending
	for range 8 {
		ps = append(ps, s.Request("textDocument/hover", at(uri, 0, 1)))
	}
	for _, p := range ps[5:] {
		wantCode(t, p.Wait(nil), -32803)
	}
	close(s.engine.release)
	for _, p := range ps[:5] {
		if err := p.Wait(nil); err != nil {
			t.Error(err)
		}
	}
}

// TestSecurityBlockedClient: a client that sends and does not read costs a
// bounded number of bytes; beyond them the session ends.
func TestSecurityBlockedClient(t *testing.T) {
	s := start(t, lsp.Options{Limits: lsp.Limits{Queue: 1 << 18}})
	s.Abandon()
	s.initialize(utf8)
	s.Pause()
	for range 5000 { // answers of about 90 bytes
		s.Request("no/such", nil)
	}
	if code := s.exitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	s.Resume()
}

// TestSecurityConfig: a configuration file that leads out of the workspace, is
// too long, or would block is not read.
func TestSecurityConfig(t *testing.T) {
	for name, plant := range map[string]func(ws string) error{
		"a link out of the workspace": func(ws string) error {
			return os.Symlink(filepath.Join(ws, "..", "secret.toml"), filepath.Join(ws, "pypto-ls.toml"))
		},
		"a folder": func(ws string) error { return os.Mkdir(filepath.Join(ws, "pypto-ls.toml"), 0o755) },
		"a file of 2 MiB": func(ws string) error {
			return os.WriteFile(filepath.Join(ws, "pypto-ls.toml"), make([]byte, 2<<20), 0o644)
		},
		"above the folder": func(ws string) error {
			return os.WriteFile(filepath.Join(ws, "..", "pypto-ls.toml"), []byte("secret"), 0o644)
		},
		"a link to itself":  func(ws string) error { return os.Symlink("pypto-ls.toml", filepath.Join(ws, "pypto-ls.toml")) },
		"a link to devices": func(ws string) error { return os.Symlink("/dev/zero", filepath.Join(ws, "pypto-ls.toml")) },
	} {
		t.Run(name, func(t *testing.T) {
			ws := filepath.Join(t.TempDir(), "ws")
			os.Mkdir(ws, 0o755)
			os.WriteFile(filepath.Join(ws, "..", "secret.toml"), []byte("secret"), 0o644)
			if err := plant(ws); err != nil {
				t.Fatal(err)
			}
			s := start(t, lsp.Options{})
			s.Optional("textDocument/publishDiagnostics")
			s.initializeWith(obj{"rootUri": "file://" + ws, "capabilities": utf8})
			for _, u := range []string{"file://" + ws + "/a.py", "file://" + ws + "/../b.py", "file://" + ws + "/%2e%2e/c.py"} {
				s.open(u, "")
			}
			s.Barrier()
			s.text("file://" + ws + "/a.py")
			for _, d := range s.engine.input().Documents {
				if d.Config != nil && len(d.Config.Data) > 0 {
					t.Errorf("%s was given %q", d.Key, d.Config.Data[:min(20, len(d.Config.Data))])
				}
			}
		})
	}
}

// TestSecurityLogs: at the most talkative level, over a session with everything
// that can go wrong, the log has nothing of documents: no text, no name, no path.
func TestSecurityLogs(t *testing.T) {
	core, logs := observer.New(zapcore.DebugLevel)
	s := start(t, lsp.Options{Logger: zap.New(core)}.WithTestMethods())
	s.Optional("textDocument/publishDiagnostics", "window/showMessage", "(error)", "$/logTrace")
	s.initializeWith(obj{"processId": nil, "trace": "verbose", "rootUri": "file:///ws-SECRET", "capabilities": utf8, "initializationOptions": obj{"platform": "SECRET", "planner": []string{"SECRET"}}})
	const u = "file:///ws-SECRET/SECRET.py"
	s.open(u, "SECRET BAD t_SECRET\ndef SECRET(")
	for _, m := range []string{"textDocument/hover", "textDocument/inlayHint", "textDocument/documentSymbol", "SECRET/method"} {
		params := all(u)
		params["position"] = obj{"line": 0, "character": 1}
		s.Call(m, params, nil)
		s.Call(m, obj{"textDocument": "SECRET"}, nil)
	}
	s.change(u, 2, edit(0, 0, 0, 0, "SECRET PANIC"))
	s.Call("textDocument/hover", at(u, 0, 1), nil)
	s.Call("test/panic", nil, nil)
	s.change(u, 3, obj{"text": 5, "SECRET": "SECRET"})
	s.change(u, 4, edit(0, 0, 0, 0, "SECRET"))
	s.Raw(fake.Frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"` + u + `"},"contentChanges":[{"text":"SECRET`))
	s.Raw("SECRET\r\nContent-Length: SECRET\r\n\r\n")
	s.Notify("SECRET", obj{"SECRET": "SECRET"})
	s.close(u)
	s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"pypto-ls": obj{"SECRET": "SECRET", "planner": 5}}})
	s.Barrier()
	s.quit()
	n := 0
	for _, e := range logs.All() {
		line := fmt.Sprint(e.Message, e.ContextMap())
		// The client's own name for a method is not of a document.
		if strings.Contains(strings.ReplaceAll(line, "SECRET/method", ""), "SECRET") {
			t.Errorf("logged: %.300s", line)
		}
		n++
	}
	if n < 10 {
		t.Errorf("only %d lines were logged: the test sees nothing", n)
	}
}

// TestSecurityLogFile: a log file is its owner's alone.
func TestSecurityLogFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	log, done, err := lsp.NewLogger(file, zapcore.InfoLevel)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("hello")
	log.Debug("not this")
	done()
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	data, _ := os.ReadFile(file)
	if !strings.Contains(string(data), "hello") || strings.Contains(string(data), "not this") {
		t.Errorf("logged %q", data)
	}
	if _, _, err := lsp.NewLogger(filepath.Join(file, "no", "folder"), zapcore.InfoLevel); err == nil {
		t.Error("an impossible log file was opened")
	}
}

// TestSecurityImports: no code of the server can start a process, and none but
// the listener can reach a network, since nothing imports what that needs.
func TestSecurityImports(t *testing.T) {
	may := map[string]string{
		"net":     "listen.go",
		"os":      "logging.go stdio.go files.go walk.go parent_other.go",
		"syscall": "files.go parent_unix.go",
	}
	never := []string{"os/exec", "net/http", "plugin", "net/rpc", "unsafe", "C"}
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "cli" || d.Name() == "report") {
			return fs.SkipDir // not the server
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, im := range f.Imports {
			name := strings.Trim(im.Path.Value, `"`)
			for _, n := range never {
				if name == n {
					t.Errorf("%s imports %s", path, name)
				}
			}
			if allowed, guarded := may[name]; guarded && !strings.Contains(" "+allowed+" ", " "+filepath.Base(path)+" ") {
				t.Errorf("%s imports %s", path, name)
			}
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Errorf("looked at %d files: %v", files, err)
	}
}
