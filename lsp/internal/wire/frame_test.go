package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// parseErr is the answer to an unreadable message: code -32700, id null (JSON-RPC 2.0 §5).
func parseErr(text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":%q}}`, text)
}

// TestFraming: what follows a fault must still be served, so most cases end
// with a ping that has to be answered.
func TestFraming(t *testing.T) {
	long := strings.Repeat("x", 300)
	cases := []struct {
		name, in string
		sent     []string
		end      error
	}{
		{"plain", msg(ping), []string{pong}, io.EOF},
		{"two in one read", msg(ping) + msg(ping), []string{pong, pong}, io.EOF},
		{"line feed only", fmt.Sprintf("Content-Length: %d\n\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"mixed line ends", fmt.Sprintf("Content-Length: %d\nContent-Type: x\r\n\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"lower-case name", fmt.Sprintf("content-length: %d\r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"upper-case name", fmt.Sprintf("CONTENT-LENGTH: %d\r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"no space after colon", fmt.Sprintf("Content-Length:%d\r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"spaces around", fmt.Sprintf("Content-Length : \t%d \r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"leading zeros", fmt.Sprintf("Content-Length: 000%d\r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"extra headers", fmt.Sprintf("X-A: 1\r\nContent-Length: %d\r\nX-B: a:b\r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"content type with charset", fmt.Sprintf("Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"old utf8 charset", fmt.Sprintf("Content-Length: %d\r\nContent-Type: x; charset=\"utf8\"\r\n\r\n%s", len(ping), ping), []string{pong}, io.EOF},
		{"other charset", fmt.Sprintf("Content-Length: %d\r\nContent-Type: x; charset=utf-16\r\n\r\n%s", len(ping), ping) + msg(ping), []string{parseErr("unsupported charset; only utf-8 is"), pong}, io.EOF},
		{"same length twice", fmt.Sprintf("Content-Length: %d\r\nContent-Length: %d\r\n\r\n%s", len(ping), len(ping), ping), []string{pong}, io.EOF},
		{"two lengths", fmt.Sprintf("Content-Length: %d\r\nContent-Length: 5\r\n\r\n%s", len(ping), ping) + msg(ping), []string{parseErr("two different Content-Length headers"), pong}, io.EOF},
		{"blank lines between messages", msg(ping) + "\r\n\n\r\n" + msg(ping), []string{pong, pong}, io.EOF},
		{"no length", "X-A: 1\r\n\r\n" + ping + msg(ping), []string{parseErr("missing Content-Length header"), pong}, io.EOF},
		{"length is a word", "Content-Length: many\r\n\r\n" + ping + msg(ping), []string{parseErr("Content-Length is not a number"), pong}, io.EOF},
		{"negative length", "Content-Length: -5\r\n\r\n" + msg(ping), []string{parseErr("Content-Length is not a number"), pong}, io.EOF},
		{"signed length", "Content-Length: +5\r\n\r\nhello" + msg(ping), []string{parseErr("Content-Length is not a number"), pong}, io.EOF},
		{"length beyond 63 bits", "Content-Length: 9223372036854775808\r\n\r\n" + msg(ping), []string{parseErr("Content-Length is not a number"), pong}, io.EOF},
		{"line without colon", "hello\r\nContent-Length: 4\r\n\r\nnull" + msg(ping), []string{parseErr("header line without a colon"), pong}, io.EOF},
		{"zero length", "Content-Length: 0\r\n\r\n" + msg(ping), []string{parseErr("parse error: invalid JSON"), pong}, io.EOF},
		{"length too short cuts the message", "Content-Length: 10\r\n\r\n" + ping + msg(ping), []string{parseErr("parse error: invalid JSON"), parseErr("header name is not a word"), pong}, io.EOF},
		{"garbage before a header", "hello: {" + msg(ping), []string{parseErr("missing Content-Length header")}, io.EOF},
		{"JSON before a header", "{\"a\": 1}" + msg(ping), []string{parseErr("header name is not a word"), pong}, io.EOF},
		{"header text inside a string is no header", "Foo: 1\r\n\r\n" + `{"t":"Content-Length: 2\r\n\r\n{}"}` + msg(ping), []string{parseErr("missing Content-Length header"), pong}, io.EOF},
		{"over the message limit", msg(`"`+long+`"`) + msg(ping), []string{parseErr("message of 302 bytes exceeds the limit of 256 bytes"), pong}, io.EOF},
		{"over the header limit", "X: " + strings.Repeat("y", 2000) + "\r\nContent-Length: 4\r\n\r\nnull" + msg(ping), []string{parseErr("header exceeds the limit of 1024 bytes"), `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: a message is an object"}}`, pong}, io.EOF},
		{"end inside the header", "Content-Le", nil, io.ErrUnexpectedEOF},
		{"end after a field", "Content-Length: 10\r\n", nil, io.ErrUnexpectedEOF},
		{"end inside the content", "Content-Length: 100\r\n\r\n" + ping, nil, io.ErrUnexpectedEOF},
		{"end inside skipped content", "Content-Length: 100000\r\n\r\n" + ping, nil, io.ErrUnexpectedEOF},
		{"nothing at all", "", nil, io.EOF},
	}
	lim := Limits{Message: 256, Header: 1024}
	for _, c := range cases {
		for how, wrap := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "1-byte reads": iotest.OneByteReader, "data with EOF": iotest.DataErrReader,
		} {
			t.Run(c.name+"/"+how, func(t *testing.T) {
				_, sent, end := run(t, wrap(strings.NewReader(c.in)), lim, Events{})
				if diff := cmp.Diff(c.sent, sent); diff != "" {
					t.Errorf("sent (-want +got):\n%s", diff)
				}
				if end != c.end {
					t.Errorf("ended with %v, want %v", end, c.end)
				}
			})
		}
	}
}

// TestFramingReadFault: an error of the connection that is no EOF comes through.
func TestFramingReadFault(t *testing.T) {
	broken := errors.New("cable cut")
	_, _, end := run(t, io.MultiReader(strings.NewReader(msg(ping)+"Content-Length: 9\r\n\r\nabc"), iotest.ErrReader(broken)), Limits{}, Events{})
	if !errors.Is(end, broken) {
		t.Errorf("ended with %v, want %v", end, broken)
	}
}

// TestFramingClaimAllocatesNothing: a header that claims the maximum, with
// little behind it, must cost little.
func TestFramingClaimAllocatesNothing(t *testing.T) {
	in := "Content-Length: 67108864\r\n\r\n" + strings.Repeat("x", 1000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 20 {
		if _, err := newFrameReader(strings.NewReader(in), Limits{}).next(); err != io.ErrUnexpectedEOF {
			t.Fatalf("got %v", err)
		}
	}
	runtime.ReadMemStats(&after)
	if per := (after.TotalAlloc - before.TotalAlloc) / 20; per > 1<<20 {
		t.Errorf("a claim of 64 MiB with 1,000 bytes behind it allocated %d bytes", per)
	}
}

// TestFramingSkipStoresNothing: content over the limit is not kept.
func TestFramingSkipStoresNothing(t *testing.T) {
	const n = 50 << 20
	in := io.MultiReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", n)), io.LimitReader(zeros{}, n), strings.NewReader(msg(ping)))
	r := newFrameReader(in, Limits{Message: 1 << 20})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := r.next()
	runtime.ReadMemStats(&after)
	var lost *frameError
	if !errors.As(err, &lost) || len(lost.prefix) != prefixKept {
		t.Fatalf("got %v", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("skipping allocated %d bytes", got)
	}
	if body, err := r.next(); err != nil || string(body) != ping {
		t.Errorf("after the skip: %q, %v", body, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestFramingGarbageIsBounded: endless garbage is dropped as it comes, and
// many bad headers leave nothing behind.
func TestFramingGarbageIsBounded(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := newFrameReader(io.MultiReader(io.LimitReader(zeros{}, 4<<20), strings.NewReader(msg(ping))), Limits{})
	if _, err := r.next(); err == nil {
		t.Error("garbage was taken for a message")
	}
	if body, err := r.next(); err != nil || !bytes.Equal(body, []byte(ping)) {
		t.Errorf("after garbage: %q, %v", body, err)
	}
	r = newFrameReader(strings.NewReader(strings.Repeat("A: 1\r\n\r\nContent-Length: 2\r\nB\r\n\r\n", 20000)), Limits{})
	for {
		_, err := r.next()
		var lost *frameError
		if !errors.As(err, &lost) {
			break
		}
	}
	runtime.ReadMemStats(&after)
	if got := after.HeapAlloc; got > before.HeapAlloc+16<<20 {
		t.Errorf("heap grew from %d to %d bytes", before.HeapAlloc, got)
	}
}

// TestFramingWaitsForNothing: a message is served as soon as its last byte is
// there, also after a fault; nothing waits for bytes that may never come.
func TestFramingWaitsForNothing(t *testing.T) {
	for _, fault := range []string{"", "Foo: 1\r\n\r\n", "X: " + strings.Repeat("y", 5000) + "\r\n\r\n", "Content-Length: x\r\n\r\n", "garbage\n\nContent-Length: 1x"} {
		pr, pw := io.Pipe()
		r := newFrameReader(pr, Limits{Header: 1024})
		done := make(chan string, 1)
		go func() {
			for {
				body, err := r.next()
				var lost *frameError
				if errors.As(err, &lost) {
					continue
				}
				done <- string(body)
				return
			}
		}()
		io.WriteString(pw, fault+"Content-Length: 2\r\n\r\n{}") // and the pipe stays open
		select {
		case got := <-done:
			if got != "{}" {
				t.Errorf("%.20q: got %q", fault, got)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%.20q: the reader waits for more", fault)
		}
		pw.Close()
	}
}
