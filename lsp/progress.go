package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/wire"
)

// reportEvery bounds how often progress is reported.
const reportEvery = 100 * time.Millisecond

// Progress reports on one long task. All methods may be called on nil, and from
// any goroutine.
type Progress struct {
	s     *Session
	token protocol317.Token

	mu    sync.Mutex
	last  time.Time // guarded by mu
	ended bool      // guarded by mu
}

// Report says how far the task is; too frequent reports are left out.
func (p *Progress) Report(done, total int, message string) {
	if p == nil || total <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || time.Since(p.last) < reportEvery {
		return
	}
	p.last = time.Now()
	percent := uint32(min(max(done, 0)*100/total, 100))
	p.s.chat(protocol317.MethodProgress, protocol317.ProgressParams{Token: p.token, Value: protocol317.WorkDoneProgress{Kind: "report", Message: message, Percentage: &percent}})
}

// end is sent even to a client that is behind: a progress without end would stay on its screen.
func (p *Progress) end(message string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.ended = true
	p.s.progress.remove(p.token)
	p.s.notify(protocol317.MethodProgress, protocol317.ProgressParams{Token: p.token, Value: protocol317.WorkDoneProgress{Kind: "end", Message: message}})
}

// progressTable finds what a user cancels.
type progressTable struct {
	mu  sync.Mutex
	seq int               // guarded by mu
	by  map[string]func() // cancels by token; guarded by mu
}

func (t *progressTable) add(token protocol317.Token, cancel func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[string]func(){}
	}
	t.by[string(token)] = cancel
}

func (t *progressTable) remove(token protocol317.Token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.by, string(token))
}

func (t *progressTable) cancel(token protocol317.Token) {
	t.mu.Lock()
	f := t.by[string(token)]
	t.mu.Unlock()
	if f != nil {
		f()
	}
}

// newToken makes a token of ours.
func (t *progressTable) newToken() protocol317.Token {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	return protocol317.Token(fmt.Sprintf(`"pypto-ls/%d"`, t.seq))
}

// begin starts the progress of a token that the client knows.
func (s *Session) begin(token protocol317.Token, title string, cancel func()) *Progress {
	p := &Progress{s: s, token: token}
	s.progress.add(token, cancel)
	cancellable := cancel != nil
	zero := uint32(0)
	s.notify(protocol317.MethodProgress, protocol317.ProgressParams{Token: token, Value: protocol317.WorkDoneProgress{Kind: "begin", Title: title, Cancellable: &cancellable, Percentage: &zero}})
	return p
}

type progressKey struct{}

// withProgress gives a handler its progress: of the token in the request, or of
// one of ours when the client allows that. It runs on a worker.
func (s *Session) withProgress(ctx context.Context, c *call, raw json.RawMessage, title string) context.Context {
	token := protocol317.Token(wire.Member(raw, "workDoneToken"))
	if token == nil {
		if !s.client.flags.progress {
			return ctx
		}
		token = s.progress.newToken()
		params, _ := json.Marshal(protocol317.WorkDoneProgressCreateParams{Token: token})
		if _, err := s.askNow(ctx, protocol.MethodWorkDoneProgressCreate, params); err != nil {
			return ctx
		}
	}
	return context.WithValue(ctx, progressKey{}, s.begin(token, title, func() { c.giveUp(errCancelled) }))
}

// progressOf is the progress that a handler may report to; nil works too.
func progressOf(ctx context.Context) *Progress {
	p, _ := ctx.Value(progressKey{}).(*Progress)
	return p
}

func endProgress(ctx context.Context) { progressOf(ctx).end("") }

func progressMethods(r *registry) {
	registerNotification(r, protocol.MethodWorkDoneProgressCancel, func(s *Session, p *protocol317.WorkDoneProgressCancelParams) {
		s.progress.cancel(p.Token)
	})
}

// cancelRequest gives a request up. It runs on the reader: it overtakes what
// waits for the loop, the request itself included.
func (s *Session) cancelRequest(raw json.RawMessage) {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if json.Unmarshal(raw, &p) != nil {
		return
	}
	if c := s.calls.get(p.ID); c != nil {
		c.giveUp(errCancelled)
	}
}
