package lsp_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// TestSecurityListen: only loopback addresses are listened on, unless told otherwise.
func TestSecurityListen(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.com:0", "10.0.0.1:0", "[::ffff:192.0.2.1]:0", "0:0"} {
		if l, err := lsp.Listen(addr, false); !errors.Is(err, lsp.ErrNotLoopback) {
			t.Errorf("%s: %v, %v", addr, l, err)
		}
	}
	for _, addr := range []string{"127.0.0.1", "", "127.0.0.1:port"} {
		if l, err := lsp.Listen(addr, false); err == nil {
			t.Errorf("%q was listened on: %v", addr, l.Addr())
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := lsp.Listen(addr, false)
		if err != nil || !strings.HasPrefix(l.Addr().String(), "127.0.0.1:") {
			t.Errorf("%s: %v", addr, err)
			continue
		}
		l.Close()
	}
}

// TestListen: sessions over TCP are apart from each other.
func TestListen(t *testing.T) {
	l, err := lsp.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- lsp.ServeListener(ctx, l, lsp.Options{Engine: newTiny()}) }()
	var sessions []*session
	for range 2 {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		s := &session{Editor: fake.New(t, conn), t: t, engine: newTiny(), code: make(chan int, 1)}
		s.Optional("textDocument/publishDiagnostics")
		s.initialize(utf8)
		sessions = append(sessions, s)
	}
	sessions[0].open(uri, "word")
	var h any
	if sessions[0].Call("textDocument/hover", at(uri, 0, 1), &h); h == nil {
		t.Error("no hover in the first session")
	}
	if sessions[1].Call("textDocument/hover", at(uri, 0, 1), &h); h != nil {
		t.Error("the second session sees documents of the first")
	}
	sessions[0].Call("shutdown", nil, nil)
	sessions[0].Notify("exit", nil)
	sessions[0].Ended()
	if sessions[1].Call("textDocument/hover", at(uri, 0, 1), &h) != nil {
		t.Error("the end of one session ended the other")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	sessions[1].Ended()
}
