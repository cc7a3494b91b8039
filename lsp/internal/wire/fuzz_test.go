package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"
)

// FuzzFrame: any bytes end in an error, what is sent is well framed, and the
// size of the pieces in which bytes arrive does not matter.
func FuzzFrame(f *testing.F) {
	for _, s := range []string{
		msg(ping), msg(ping) + msg("["+ping+"]"), "Content-Length: 5\n\nhello" + msg(ping), "Foo: 1\r\n\r\n" + msg(ping),
		"Content-Length: 10\r\n\r\n" + ping + msg(ping), "Content-Length: 99999999999\r\n\r\n", "{}Content-Length: 2\r\n\r\n{}", "\r\n\r\n",
		"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "content-length:content-length: 3\r\n\r\nnull",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		lim := Limits{Message: 1 << 16, Header: 256}
		handed, sent, end := run(t, bytes.NewReader(in), lim, Events{})
		if end != io.EOF && end != io.ErrUnexpectedEOF {
			t.Errorf("ended with %v", end)
		}
		handed1, sent1, end1 := run(t, iotest.OneByteReader(bytes.NewReader(in)), lim, Events{})
		if diff := cmp.Diff(handed, handed1) + cmp.Diff(sent, sent1); diff != "" || end != end1 {
			t.Errorf("1-byte reads differ: %v %v\n%s", end, end1, diff)
		}
	})
}

// FuzzMessage: the scanner accepts exactly what encoding/json accepts; members
// are found as encoding/json finds them; strings are decoded alike; and every
// request that is handed on gets its id back, equal as a JSON value.
func FuzzMessage(f *testing.F) {
	for _, s := range []string{
		ping, "[" + ping + "," + ping + "]", `{"a":{"b":[1,-0.5e+3,true,false,null,"\u00e9\ud83d\ude00\ud800x"]}}`, `[[]]`, `{"a":1,"a":2}`, `"\\\""`, `{"\u0061":1}`,
		`{"jsonrpc":"2.0","id":"é","method":"x","params":[]}`, `01`, `-`, `1.`, `1e`, `[1,]`, `{"a"}`, `nul`, "\"\xff\"", "\"\x01\"", `{"":{}}`, `[}`, `{]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		end, err := scanValue(in, 0, 9000)
		ok := err == nil && skipSpace(in, end) == len(in)
		if want := json.Valid(in); ok != want && err != errDepth {
			t.Fatalf("valid: %v, encoding/json says %v", ok, want)
		}
		if !ok {
			return
		}
		checkMembers(t, in)
		checkEcho(t, in)
	})
}

func checkMembers(t *testing.T, in []byte) {
	var want map[string]json.RawMessage
	if json.Unmarshal(in, &want) == nil && want != nil {
		got := map[string]json.RawMessage{}
		eachMember(in, func(k, v []byte) {
			name, ok := Unquote(k)
			if !ok {
				t.Fatalf("cannot decode %q", k)
			}
			got[name] = v
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("members (-encoding/json +ours):\n%s", diff)
		}
	}
	var list []json.RawMessage
	if json.Unmarshal(in, &list) == nil && list != nil {
		got := []json.RawMessage{}
		eachElement(in, func(v []byte) { got = append(got, v) })
		if diff := cmp.Diff(list, got); diff != "" {
			t.Fatalf("elements (-encoding/json +ours):\n%s", diff)
		}
	}
	var text string
	if trimmed := bytes.TrimSpace(in); trimmed[0] == '"' && json.Unmarshal(in, &text) == nil {
		if got, ok := Unquote(trimmed); !ok || got != text {
			t.Fatalf("string: %q, encoding/json says %q", got, text)
		}
	}
}

func checkEcho(t *testing.T, in []byte) {
	s := NewStream(&duplex{Reader: strings.NewReader(msg(string(in)))}, Limits{}, Events{})
	defer s.Close()
	var out []byte
	s.ev.Tap = func(in bool, c []byte) {
		if !in {
			out = c
		}
	}
	m, _, err := s.Read(context.Background())
	call, ok := m.(*jsonrpc2.Call)
	if err != nil || !ok || json.Valid(in) && bytes.TrimSpace(in)[0] == '[' {
		return
	}
	_ = s.Reply(call.ID(), nil, nil)
	var sent, got map[string]any
	if json.Unmarshal(in, &sent) != nil || json.Unmarshal(out, &got) != nil {
		return // ids that encoding/json cannot hold, such as 1e999
	}
	if !cmp.Equal(sent["id"], got["id"]) {
		t.Fatalf("id %v was answered as %v", sent["id"], got["id"])
	}
}

// BenchmarkScan: finding the text in a message of 12 MB.
func BenchmarkScan(b *testing.B) {
	line := `        t__tile: pl.Tile[[64, 64], pl.FP32] = pl.tile.load(x, [0, 0], [64, 64])  # "c"` + "\n"
	q, _ := json.Marshal(strings.Repeat(line, 100000))
	body := []byte(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.py","text":` + string(q) + `}}}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := scanValue(body, 0, 100); err != nil {
			b.Fatal(err)
		}
		if _, ok := Unquote(Member(Member(Member(body, "params"), "textDocument"), "text")); !ok {
			b.Fatal("no text")
		}
	}
}
