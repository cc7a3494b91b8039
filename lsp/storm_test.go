package lsp_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// settle waits until the number of goroutines is at most n.
func settle(n int) int {
	got := runtime.NumGoroutine()
	for deadline := time.Now().Add(10 * time.Second); got > n && time.Now().Before(deadline); got = runtime.NumGoroutine() {
		time.Sleep(5 * time.Millisecond)
	}
	return got
}

// TestStorm: 10,000 requests, a third of them cancelled, with edits in between.
// Each has exactly one answer (the editor checks that), and afterwards no
// goroutine is left over, neither in the session nor after it.
func TestStorm(t *testing.T) {
	before := runtime.NumGoroutine()
	s := start(t, lsp.Options{})
	s.Optional("textDocument/publishDiagnostics")
	s.initialize(utf8)
	s.open(uri, "word t_x BAD\n")
	s.Call("textDocument/hover", at(uri, 0, 1), nil)
	inSession := runtime.NumGoroutine()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	methods := []string{"textDocument/hover", "textDocument/inlayHint", "textDocument/documentSymbol", "textDocument/diagnostic", "no/such"}
	var ps []*fake.Pending
	for i := range 10000 {
		params := all(uri)
		params["position"] = obj{"line": 0, "character": 1}
		p := s.Request(methods[r.IntN(len(methods))], params)
		ps = append(ps, p)
		if r.IntN(3) == 0 {
			ps[r.IntN(len(ps))].Cancel()
		}
		if i%50 == 0 {
			text := "word t_x BAD\n"
			if r.IntN(4) == 0 {
				text = "SLOW word\n" // until the next edit, or a cancel
			}
			s.change(uri, i+2, whole(text))
		}
	}
	s.change(uri, 20000, whole("word"))
	close(s.engine.release)
	outcomes := map[string]int{}
	for _, p := range ps {
		if err := p.Wait(nil); err != nil {
			outcomes[fmt.Sprint(err.Code)]++
		} else {
			outcomes["ok"]++
		}
	}
	t.Logf("outcomes: %v", outcomes)
	if outcomes["ok"] == 0 || outcomes["-32800"] == 0 {
		t.Error("the storm was none")
	}
	if got := settle(inSession); got > inSession {
		t.Errorf("%d goroutines in the session, %d before the storm", got, inSession)
	}
	s.quit()
	s.Close()
	if got := settle(before); got > before {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines after the session, %d before\n%s", got, before, buf[:runtime.Stack(buf, true)])
	}
}
