package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlockedClient: sending never blocks; what waits is bounded; beyond the
// bound the connection ends with the reason.
func TestBlockedClient(t *testing.T) {
	server, client := net.Pipe() // unbuffered: nothing is read, so nothing is written
	defer client.Close()
	s := NewStream(server, Limits{Queue: 1 << 20, Soft: 1 << 16}, Events{})
	big := json.RawMessage(`"` + strings.Repeat("x", 1<<15) + `"`)
	var err error
	n := 0
	for ; err == nil && n < 1000; n++ {
		if n > 3 && !s.Backlogged() {
			t.Error("not backlogged with", n, "messages waiting")
		}
		err = s.Notify("n", big)
	}
	if !errors.Is(err, ErrBlocked) || n > 33 {
		t.Errorf("after %d messages of 32 KiB: %v", n, err)
	}
	if _, err := server.Write([]byte("x")); err == nil {
		t.Error("the connection is still open")
	}
	if !errors.Is(s.Err(), ErrBlocked) {
		t.Errorf("reason: %v", s.Err())
	}
}

// TestOneBigMessageIsSent although it is over the bound: there is no other way to say it.
func TestOneBigMessageIsSent(t *testing.T) {
	d := &duplex{Reader: strings.NewReader("")}
	s := NewStream(d, Limits{Queue: 10}, Events{})
	if err := s.Notify("n", json.RawMessage(`["0123456789"]`)); err != nil {
		t.Error(err)
	}
	s.Close()
	if diff := cmp.Diff([]string{`{"jsonrpc":"2.0","method":"n","params":["0123456789"]}`}, unframe(t, d.out.String())); diff != "" {
		t.Error(diff)
	}
}

type shortWriter struct{ *duplex }

func (shortWriter) Write(p []byte) (int, error) { return len(p) / 2, nil }

type brokenWriter struct{ *duplex }

func (brokenWriter) Write(p []byte) (int, error) { return 0, io.ErrClosedPipe }

// TestWriteFaults: a connection that cannot be written to ends, with the reason.
func TestWriteFaults(t *testing.T) {
	for want, conn := range map[error]io.ReadWriteCloser{
		io.ErrShortWrite: shortWriter{&duplex{Reader: strings.NewReader("")}},
		io.ErrClosedPipe: brokenWriter{&duplex{Reader: strings.NewReader("")}},
	} {
		s := NewStream(conn, Limits{}, Events{})
		_ = s.Notify("n", nil)
		s.Close()
		if !errors.Is(s.Err(), want) {
			t.Errorf("got %v, want %v", s.Err(), want)
		}
		if err := s.Notify("n", nil); err == nil {
			t.Error("sending after the end succeeded")
		}
	}
}

// TestOrder: messages go out in the order they were handed over.
func TestOrder(t *testing.T) {
	d := &duplex{Reader: strings.NewReader("")}
	s := NewStream(d, Limits{}, Events{})
	var want []string
	for i := range 2000 {
		_ = s.Notify("n", json.RawMessage(fmt.Sprint("[", i, "]")))
		want = append(want, fmt.Sprintf(`{"jsonrpc":"2.0","method":"n","params":[%d]}`, i))
	}
	s.Close()
	if diff := cmp.Diff(want, unframe(t, d.out.String())); diff != "" {
		t.Error(diff)
	}
}
