package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"
)

func badReq(id, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"invalid request: %s"}}`, id, text)
}

// TestJSONRPC: what is handed on and what is answered, message by message
// (JSON-RPC 2.0 §4 to §6). Calls that are handed on are answered by the harness.
func TestJSONRPC(t *testing.T) {
	syntax := parseErr("parse error: invalid JSON")
	cases := []struct {
		name, in     string
		handed, sent []string
	}{
		{"request", ping, []string{"call ping "}, []string{pong}},
		{"request with params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[1]}}`, []string{`call ping {"a":[1]}`}, []string{pong}},
		{"params by position", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[1,2]}`, []string{"call ping [1,2]"}, []string{pong}},
		{"null params count as none", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, []string{"call ping "}, []string{pong}},
		{"scalar params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":5}`, nil, []string{badReq("1", "params is neither an object nor an array")}},
		{"members in any order, with space", " {\n\"id\" : 1 , \"method\":\"ping\" ,\t\"jsonrpc\":\"2.0\" } \r\n", []string{"call ping "}, []string{pong}},
		{"escaped member names", `{"jsonrpc":"2.0","\u0069d":1,"method":"p\u0069ng"}`, []string{"call ping "}, []string{pong}},
		{"unknown members", `{"jsonrpc":"2.0","id":1,"method":"ping","extra":{"id":2}}`, []string{"call ping "}, []string{pong}},
		{"error answer", `{"jsonrpc":"2.0","id":1,"method":"fail"}`, []string{"call fail "}, []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32803,"message":"as asked"}}`}},
		{"notification", `{"jsonrpc":"2.0","method":"note","params":{}}`, []string{"note note {}"}, nil},
		{"string id", `{"jsonrpc":"2.0","id":"a\"b","method":"ping"}`, []string{"call ping "}, []string{`{"jsonrpc":"2.0","id":"a\"b","result":"ping"}`}},
		{"empty string id", `{"jsonrpc":"2.0","id":"","method":"ping"}`, []string{"call ping "}, []string{`{"jsonrpc":"2.0","id":"","result":"ping"}`}},
		{"string id of digits stays a string", `{"jsonrpc":"2.0","id":"1","method":"ping"}`, []string{"call ping "}, []string{`{"jsonrpc":"2.0","id":"1","result":"ping"}`}},
		{"negative id", `{"jsonrpc":"2.0","id":-7,"method":"ping"}`, []string{"call ping "}, []string{`{"jsonrpc":"2.0","id":-7,"result":"ping"}`}},
		{"zero id", `{"jsonrpc":"2.0","id":0,"method":"ping"}`, []string{"call ping "}, []string{`{"jsonrpc":"2.0","id":0,"result":"ping"}`}},
		{"id beyond 32 bits", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, []string{"call ping "}, []string{`{"jsonrpc":"2.0","id":9007199254740993,"result":"ping"}`}},
		{"fractional id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, []string{"call ping "}, []string{`{"jsonrpc":"2.0","id":1.5,"result":"ping"}`}},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, []string{badReq("null", "id is neither a number nor a string")}},
		{"object id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, []string{badReq("null", "id is neither a number nor a string")}},
		{"boolean id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, nil, []string{badReq("null", "id is neither a number nor a string")}},
		{"no version", `{"id":1,"method":"ping"}`, nil, []string{badReq("1", `\"jsonrpc\" is not \"2.0\"`)}},
		{"other version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, nil, []string{badReq("1", `\"jsonrpc\" is not \"2.0\"`)}},
		{"numeric version", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, nil, []string{badReq("1", `\"jsonrpc\" is not \"2.0\"`)}},
		{"numeric method", `{"jsonrpc":"2.0","id":1,"method":1}`, nil, []string{badReq("1", "method is not a name")}},
		{"empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, nil, []string{badReq("1", "method is not a name")}},
		{"neither request nor response", `{"jsonrpc":"2.0","id":1}`, nil, []string{badReq("1", "neither a method nor a result nor an error")}},
		{"empty object", `{}`, nil, []string{badReq("null", `\"jsonrpc\" is not \"2.0\"`)}},
		{"scalar message", `5`, nil, []string{badReq("null", "a message is an object")}},
		{"cut JSON", `{"jsonrpc":"2.0","id":1`, nil, []string{syntax}},
		{"two values", ping + ping, nil, []string{syntax}},
		{"trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, nil, []string{syntax}},
		{"single quotes", `{'jsonrpc':'2.0'}`, nil, []string{syntax}},
		{"not JSON at all", "hello", nil, []string{syntax}},
		{"control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\nng\"}", nil, []string{syntax}},
		{"nested too deeply", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, nil, []string{parseErr("parse error: JSON nested too deeply")}},
		{"brackets without end", strings.Repeat("[", 1<<20), nil, []string{parseErr("parse error: JSON nested too deeply")}},
		{"batch", "[" + ping + `,{"jsonrpc":"2.0","method":"note"},` + `{"jsonrpc":"2.0","id":"b","method":"ping"}]`,
			[]string{"call ping ", "note note ", "call ping "}, []string{"[" + pong + `,{"jsonrpc":"2.0","id":"b","result":"ping"}]`}},
		{"batch of notifications has no answer", `[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]`, []string{"note a ", "note b "}, nil},
		{"empty batch", `[]`, nil, []string{badReq("null", "an empty batch")}},
		{"batch of nonsense", `[1,2]`, nil, []string{"[" + badReq("null", "a message is an object") + "," + badReq("null", "a message is an object") + "]"}},
		{"batch with one bad message", "[" + ping + `,{"foo":"boo"}]`, []string{"call ping "}, []string{"[" + badReq("null", `\"jsonrpc\" is not \"2.0\"`) + "," + pong + "]"}},
		{"broken batch", `[{"jsonrpc":"2.0","method"]`, nil, []string{syntax}},
		{"batch too long", "[" + strings.Repeat(ping+",", 1000) + ping + "]", nil, []string{badReq("null", "too many messages in a batch")}},
		{"batch in a batch", "[[" + ping + "]]", nil, []string{"[" + badReq("null", "a message is an object") + "]"}},
		{"response to no request", `{"jsonrpc":"2.0","id":4,"result":null}`, nil, nil},
		{"response without id", `{"jsonrpc":"2.0","result":1}`, nil, []string{badReq("null", "a response without an id")}},
		{"response with result and error", `{"jsonrpc":"2.0","id":4,"result":1,"error":{"code":1,"message":""}}`, nil, []string{badReq("null", "a response with a result and an error")}},
		{"error without id is not answered", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, nil, nil},
		{"cancel of nothing", `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":77}}`, nil, nil},
		{"cancel without id", `{"jsonrpc":"2.0","method":"$/cancelRequest"}`, nil, nil},
		{"unpaired surrogate in params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":["\ud800"]}`, []string{`call ping ["\ud800"]`}, []string{pong}},
		{"bytes that are no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[\"\xff\"]}", []string{"call ping [\"\xff\"]"}, []string{pong}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			// The ping after it shows that the connection goes on.
			in := msg(c.in) + msg(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
			handed, sent, end := run(t, strings.NewReader(in), Limits{}, Events{})
			if diff := cmp.Diff(append(c.handed, "call ping "), handed); diff != "" {
				t.Errorf("handed on (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append(c.sent, `{"jsonrpc":"2.0","id":"after","result":"ping"}`), sent); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			if end != io.EOF {
				t.Errorf("ended with %v", end)
			}
		})
	}
}

// TestCancelNamesOurNumber: a cancel is handed on with the number that the
// library knows, however the client spells the id, and only while it is open.
func TestCancelNamesOurNumber(t *testing.T) {
	in := msg(`{"jsonrpc":"2.0","id":"x\u0041","method":"slow"}`) + msg(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"xA"}}`) +
		msg(`{"jsonrpc":"2.0","id":12,"method":"slow"}`) + msg(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1.2e1}}`)
	s := NewStream(&duplex{Reader: strings.NewReader(in)}, Limits{}, Events{})
	defer s.Close()
	for range 2 {
		m, _, _ := s.Read(context.Background())
		id := m.(*jsonrpc2.Call).ID()
		c, _, _ := s.Read(context.Background())
		want := fmt.Sprintf(`{"id":%d}`, id)
		got := string(s.Params())
		if n, ok := c.(*jsonrpc2.Notification); !ok || n.Method() != "$/cancelRequest" || got != want {
			t.Errorf("got %v %s, want %s", c, got, want)
		}
	}
}

// TestOneReplyPerRequest: a second reply is refused, and sent nowhere.
func TestOneReplyPerRequest(t *testing.T) {
	d := &duplex{Reader: strings.NewReader(msg(ping))}
	s := NewStream(d, Limits{}, Events{})
	m, _, _ := s.Read(context.Background())
	id := m.(*jsonrpc2.Call).ID()
	if err := s.Reply(id, json.RawMessage(`"ping"`), nil); err != nil {
		t.Error(err)
	}
	if err := s.Reply(id, json.RawMessage(`"again"`), nil); err == nil {
		t.Error("a second reply was taken")
	}
	s.Close()
	if diff := cmp.Diff([]string{pong}, unframe(t, d.out.String())); diff != "" {
		t.Error(diff)
	}
}

// TestOurRequests: the first answer to a request of ours arrives, a second one
// (which would block the library for ever) and a late one do not.
func TestOurRequests(t *testing.T) {
	pr, pw := io.Pipe()
	s := NewStream(&duplex{Reader: pr}, Limits{}, Events{})
	conn := jsonrpc2.NewConn(s)
	conn.Go(context.Background(), func(context.Context, jsonrpc2.Replier, jsonrpc2.Request) error { return nil })
	got := make(chan error, 2)
	var result []int
	go func() {
		_, err := conn.Call(context.Background(), "ask", map[string]int{"n": 1}, &result)
		got <- err
		_, err = conn.Call(context.Background(), "ask", nil, nil)
		got <- err
	}()
	answer := msg(`{"jsonrpc":"2.0","id":1,"result":[4]}`)
	for len(outgoingIDs(s)) == 0 {
	}
	io.WriteString(pw, strings.Repeat(answer, 5))
	if err := <-got; err != nil || cmp.Diff([]int{4}, result) != "" {
		t.Errorf("got %v, %v", result, err)
	}
	for len(outgoingIDs(s)) == 0 {
	}
	io.WriteString(pw, msg(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no such method"}}`))
	if err := <-got; err == nil || err.Error() != "no such method" {
		t.Errorf("got %v", err)
	}
	pw.Close()
	<-conn.Done()
}

func outgoingIDs(s *Stream) map[string]jsonrpc2.ID {
	s.ids.mu.Lock()
	defer s.ids.mu.Unlock()
	out := map[string]jsonrpc2.ID{}
	for k, v := range s.ids.outgoing {
		out[k] = v
	}
	return out
}

// TestErrorData: codes, data and messages of errors survive; other errors are internal ones.
func TestErrorData(t *testing.T) {
	data := json.RawMessage(`{"retriggerRequest":true}`)
	got := string(encodeError([]byte("3"), &jsonrpc2.Error{Code: -32802, Message: "later", Data: &data}))
	if want := `{"jsonrpc":"2.0","id":3,"error":{"code":-32802,"message":"later","data":{"retriggerRequest":true}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = string(encodeError([]byte(`"x"`), fmt.Errorf("a \"quoted\"\nthing")))
	if want := `{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"a \"quoted\"\nthing"}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestLostIsTold: content that could not be handed on is told by its beginning.
func TestLostIsTold(t *testing.T) {
	var lost []string
	in := msg(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.py"`) + msg(ping)
	run(t, strings.NewReader(in), Limits{}, Events{Lost: func(p []byte) { lost = append(lost, string(p)) }})
	if len(lost) != 1 || !strings.Contains(lost[0], "file:///a.py") {
		t.Errorf("told %q", lost)
	}
}

// TestTap sees every message once, in order, on both sides.
func TestTap(t *testing.T) {
	var seen []string
	tap := func(in bool, c []byte) { seen = append(seen, fmt.Sprintf("%v %s", in, c)) }
	run(t, strings.NewReader(msg(ping)+msg("x")), Limits{}, Events{Tap: tap})
	want := []string{"true " + ping, "false " + pong, "true x", "false " + parseErr("parse error: invalid JSON")}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}
