package lsp_test

import (
	"fmt"
	"testing"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// FuzzSession plays scripts: every byte pair is a step of an editor that may do
// anything. Whatever it does, each request has exactly one answer, the server
// has the text of the editor or none, and the session ends when told to.
func FuzzSession(f *testing.F) {
	for _, s := range []string{
		"", "\x00\x00\x01\x01\x02\x05\x03\x09\x04\x00\x0b\x00", "\x01\x00\x00\x00\x01\x00\x02\x00\x06\x00\x06\x01\x07\x00", "\x00\x00\x01\x04\x04\x00\x05\x00\x05\x00\x07\x01\x02\x01",
		"\x00\x00\x08\x00\x08\x01\x08\x02\x08\x03\x08\x04\x04\x00", "\x00\x00\x01\x00\x09\x00\x02\x00\x0a\x00\x02\x11", "\x00\x00\x0b\x00\x04\x00\x01\x00\x0c\x00", "\x00\x00\x01\x00\x03\x00\x03\x21\x03\x42\x03\x63\x03\x84\x02\x10",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 400 {
			return
		}
		p := &player{session: start(t, lsp.Options{Workers: 2}), texts: map[string]string{}}
		p.Optional("textDocument/publishDiagnostics", "window/showMessage", "(error)", "$/logTrace")
		for i := 0; i+1 < len(script) && !p.over; i += 2 {
			p.step(script[i], int(script[i+1]))
		}
		p.finish()
	})
}

// player keeps what the editor knows.
type player struct {
	*session
	texts   map[string]string // of documents that the server must have
	pending []*fake.Pending
	version int
	up      bool // initialised and not shut down
	begun   bool
	over    bool
}

var snippets = []string{"word", "é漢😀\n", "def f(x):\n    t_x = x\n", "BAD", "", "\r\n", "\"\"\"", "((("}

func (p *player) uri(arg int) string { return fmt.Sprintf("file:///ws/%c.py", 'a'+arg%3) }

func (p *player) step(op byte, arg int) {
	u := p.uri(arg)
	p.version++
	switch op % 13 {
	case 0:
		if !p.begun {
			p.initialize(utf8)
			p.begun, p.up = true, true
		} else {
			p.ask("initialize", obj{"capabilities": obj{}})
		}
	case 1:
		text := snippets[arg%len(snippets)] + snippets[arg/8%len(snippets)]
		p.openAs(u, text, p.version)
		p.know(u, text)
	case 2:
		text := snippets[arg/3%len(snippets)]
		p.change(u, p.version, whole(text))
		if _, ok := p.texts[u]; ok {
			p.know(u, text)
		}
	case 3: // insert at a byte column of line 0
		c := runeStart(p.texts[u], min(arg%7, lineEnd(p.texts[u])))
		ins := snippets[arg/7%len(snippets)]
		p.change(u, p.version, edit(0, c, 0, c, ins))
		if old, ok := p.texts[u]; ok {
			p.know(u, old[:c]+ins+old[c:])
		}
	case 4:
		params := all(u)
		params["position"] = obj{"line": arg % 4, "character": arg % 5}
		p.ask([]string{"textDocument/hover", "textDocument/inlayHint", "textDocument/documentSymbol", "textDocument/diagnostic"}[arg/16%4], params)
	case 5:
		p.ask("no/such", arg)
	case 6:
		if len(p.pending) > 0 {
			p.pending[arg%len(p.pending)].Cancel()
		}
	case 7:
		p.close(u)
		delete(p.texts, u)
	case 8:
		p.Raw([]string{"garbage\r\n\r\n", "Content-Length: 2\r\n\r\n{", fake.Frame("[]"), fake.Frame("{}"), "Content-Length: x\r\n\r\n", "\n\n\n"}[arg%6])
		if arg%6 == 1 {
			p.Raw("}") // complete it: a frame that waits for a byte would eat the next one
		}
	case 9:
		p.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"pypto-ls": obj{"platform": fmt.Sprint(arg)}}})
	case 10:
		p.change(u, p.version, obj{"range": nil})
		if p.up {
			delete(p.texts, u) // dropped
		}
	case 11:
		p.ask("shutdown", nil)
		p.up = false
	case 12:
		if arg == 0 {
			p.Notify("exit", nil)
			p.over = true
		} else {
			p.Notify("$/setTrace", obj{"value": []string{"off", "messages", "verbose"}[arg%3]})
		}
	}
}

func (p *player) know(u, text string) {
	if p.up {
		p.texts[u] = text
	}
}

func (p *player) ask(method string, params any) {
	p.pending = append(p.pending, p.Request(method, params))
}

func lineEnd(s string) int {
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' {
			return i
		}
	}
	return len(s)
}

func (p *player) finish() {
	if p.over {
		p.Ended()
		p.exitCode()
		p.Abandon() // what came after exit has no answer
		return
	}
	for _, r := range p.pending {
		r.Wait(nil)
	}
	if p.up {
		for u, want := range p.texts {
			p.wantText(u, want)
		}
		p.quit()
		return
	}
	p.Notify("exit", nil)
	p.exitCode()
}
