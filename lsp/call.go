package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/metrics"
	"pypto-ls/lsp/internal/protocol317"
)

// Why a request was given up. These are the errors that the client sees.
var (
	errCancelled = jsonrpc2.NewError(protocol.CodeRequestCancelled, "cancelled by the client")
	errOutdated  = jsonrpc2.NewError(protocol.CodeContentModified, "the document has changed since")
	errRetrigger = &jsonrpc2.Error{Code: protocol317.CodeServerCancelled, Message: "the document has changed since", Data: retrigger()}
	errEnding    = jsonrpc2.NewError(protocol.CodeRequestCancelled, "the session ends")
	errTooMany   = jsonrpc2.NewError(protocol317.CodeRequestFailed, "too many requests without an answer")
)

func retrigger() *json.RawMessage {
	data, _ := json.Marshal(protocol317.DiagnosticServerCancellationData{RetriggerRequest: true})
	raw := json.RawMessage(data)
	return &raw
}

// call is one request of the client until it is answered. The first answer
// counts; giving it up is an answer too, so a cancelled request is answered at
// once, whatever its worker does.
type call struct {
	s       *Session
	id      jsonrpc2.ID
	seq     uint64 // order of arrival
	method  string
	params  json.RawMessage
	started time.Time
	ctx     context.Context
	cancel  context.CancelCauseFunc
	done    atomic.Bool
}

// reply answers; it reports false if the call was answered before.
func (c *call) reply(result any, err error) bool {
	return c.replyAs(result, err, metrics.OK)
}

func (c *call) replyAs(result any, err error, how metrics.Outcome) bool {
	if !c.done.CompareAndSwap(false, true) {
		return false
	}
	var raw json.RawMessage
	if err == nil {
		if raw, err = json.Marshal(result); err != nil {
			err = jsonrpc2.NewError(jsonrpc2.InternalError, "the answer cannot be encoded")
		}
	}
	c.s.calls.remove(c.id)
	c.cancel(nil)
	if err := c.s.stream.Reply(c.id, raw, err); err != nil {
		c.s.log.Debug("reply not sent", methodField(c.method))
	}
	c.s.answered(c, err, how)
	return true
}

// giveUp ends the call with a reason.
func (c *call) giveUp(reason *jsonrpc2.Error) {
	c.cancel(reason)
	c.replyAs(nil, reason, metrics.Cancelled)
}

// reason is why the call's context ended.
func (c *call) reason() error {
	var e *jsonrpc2.Error
	if errors.As(context.Cause(c.ctx), &e) {
		return e
	}
	return errEnding
}

// callTable holds the requests without an answer.
type callTable struct {
	mu   sync.Mutex
	open map[jsonrpc2.ID]*call     // guarded by mu
	docs map[string]map[*call]bool // implicit ones by document; guarded by mu
	of   map[*call]string          // guarded by mu
}

func newCallTable() *callTable {
	return &callTable{open: map[jsonrpc2.ID]*call{}, docs: map[string]map[*call]bool{}, of: map[*call]string{}}
}

// add takes a call in unless there are too many.
func (t *callTable) add(c *call, limit int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.open) >= limit {
		return false
	}
	t.open[c.id] = c
	return true
}

// attach makes a call end when its document changes.
func (t *callTable) attach(c *call, key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[c.id] != c {
		return // answered already
	}
	if t.docs[key] == nil {
		t.docs[key] = map[*call]bool{}
	}
	t.docs[key][c] = true
	t.of[c] = key
}

func (t *callTable) remove(id jsonrpc2.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.open[id]
	delete(t.open, id)
	if key, ok := t.of[c]; ok {
		delete(t.of, c)
		if delete(t.docs[key], c); len(t.docs[key]) == 0 {
			delete(t.docs, key)
		}
	}
}

func (t *callTable) get(id jsonrpc2.ID) *call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[id]
}

// outdated takes out the calls that a change of a document ends.
func (t *callTable) outdated(key string) []*call {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []*call
	for c := range t.docs[key] {
		out = append(out, c)
	}
	return inOrder(out)
}

func (t *callTable) all() []*call {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []*call
	for _, c := range t.open {
		out = append(out, c)
	}
	return inOrder(out)
}

func inOrder(calls []*call) []*call {
	slices.SortFunc(calls, func(a, b *call) int { return cmp.Compare(a.seq, b.seq) })
	return calls
}

func (t *callTable) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}
