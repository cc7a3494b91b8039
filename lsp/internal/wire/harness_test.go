package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
)

// duplex is a connection whose input is given and whose output is kept.
type duplex struct {
	io.Reader
	mu  sync.Mutex
	out bytes.Buffer
}

func (d *duplex) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out.Write(p)
}
func (d *duplex) Close() error { return nil }

// run feeds input to a stream, answers every request with its own method name
// (or, for the method "fail", with an error) and returns what was handed on, what was sent and
// the error that ended reading.
func run(t testing.TB, in io.Reader, lim Limits, ev Events) (handed, sent []string, end error) {
	t.Helper()
	d := &duplex{Reader: in}
	s := NewStream(d, lim, ev)
	for {
		msg, _, err := s.Read(context.Background())
		if err != nil {
			end = err
			break
		}
		handed = append(handed, describe(s, msg))
		if call, ok := msg.(*jsonrpc2.Call); ok {
			var fail error
			if call.Method() == "fail" {
				fail = jsonrpc2.NewError(-32803, "as asked")
			}
			method, _ := json.Marshal(call.Method())
			if err := s.Reply(call.ID(), json.RawMessage(method), fail); err != nil {
				t.Errorf("reply: %v", err)
			}
		}
	}
	_ = s.Close()
	return handed, unframe(t, d.out.String()), end
}

func describe(s *Stream, msg jsonrpc2.Message) string {
	switch m := msg.(type) {
	case *jsonrpc2.Call:
		return "call " + m.Method() + " " + string(s.Params())
	case *jsonrpc2.Notification:
		return "note " + m.Method() + " " + string(s.Params())
	case *jsonrpc2.Response:
		return fmt.Sprintf("answer %v %s %v", m.ID(), m.Result(), m.Err())
	}
	return "?"
}

// unframe is an own, strict reader of what we send.
func unframe(t testing.TB, s string) []string {
	t.Helper()
	var out []string
	for s != "" {
		head, rest, ok := strings.Cut(s, "\r\n\r\n")
		n, err := strconv.Atoi(strings.TrimPrefix(head, "Content-Length: "))
		if !ok || err != nil || n > len(rest) || !json.Valid([]byte(rest[:n])) {
			t.Fatalf("we sent a bad frame: %.200q", s)
		}
		out, s = append(out, rest[:n]), rest[n:]
	}
	return out
}

// msg frames a message as a client does.
func msg(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
const pong = `{"jsonrpc":"2.0","id":1,"result":"ping"}`
