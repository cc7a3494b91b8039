package lsp

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"pypto-ls/lsp/internal/files"
	"pypto-ls/lsp/internal/metrics"
	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
	"pypto-ls/lsp/internal/wire"
)

// inboxSize is how many messages may wait for the loop before the reader waits.
const inboxSize = 1024

// Session is one connection to an editor.
type Session struct {
	opts     Options
	log      *zap.Logger
	registry *registry
	stream   *wire.Stream
	conn     jsonrpc2.Conn
	pool     *sched.Pool
	metrics  *metrics.Metrics
	calls    *callTable
	progress progressTable
	views    *viewTable
	index    *fileIndex
	tokens   *tokenTable
	checked  *checkTable
	trace    atomic.Value // protocol.TraceValue
	canPush  atomic.Bool  // notifications besides answers are allowed: initialize is answered
	inbox    chan func()
	ctx      context.Context
	cancel   context.CancelFunc
	waiters  sync.WaitGroup // goroutines that wait for the client
	seqCalls atomic.Uint64

	// What follows belongs to the loop.
	state      state
	code       int // exit code, once exited
	client     *client
	encoding   position.Encoding
	docs       *docStore
	settings   Settings
	initial    map[string]json.RawMessage // settings given with initialize
	problems   []string                   // with them, told once the client listens
	guard      *files.Guard
	folders    []protocol.WorkspaceFolder
	configs    map[string]*ConfigFile // by folder of the document; nil values too
	pub        *publisher
	snap       *Snapshot // of the current state, nil after a change
	queries    Queries   // of the last snapshot
	chosen     Choice
	seq        uint64          // versions given out
	refreshing map[string]bool // refresh requests without an answer; true: one more is due
}

// snapshot freezes the current state, once for each state.
func (s *Session) snapshot() *Snapshot {
	if s.snap == nil {
		s.snap = s.docs.snapshot(s)
	}
	return s.snap
}

// changed forgets the snapshot.
func (s *Session) changed() { s.snap = nil }

// post makes f run on the loop. It must not be called from the loop.
func (s *Session) post(f func()) {
	select {
	case s.inbox <- f:
	case <-s.ctx.Done():
	}
}

// receive takes a message of the client; it runs on the reader and returns at
// once, unless the loop is far behind.
func (s *Session) receive(_ context.Context, _ jsonrpc2.Replier, req jsonrpc2.Request) error {
	raw := s.stream.Params()
	if req.Method() == protocol317.MethodCancelRequest {
		s.cancelRequest(raw) // overtakes what waits
		return nil
	}
	m := s.registry.methods[req.Method()]
	if in, ok := req.(*jsonrpc2.Call); ok {
		s.receiveCall(in, m, raw)
	} else if m != nil && m.notify != nil {
		params, err := s.safeDecode(m, req.Method(), raw)
		s.post(func() { s.dispatchNotification(req.Method(), m, params, err) })
	}
	return nil
}

func (s *Session) receiveCall(in *jsonrpc2.Call, m *method, raw json.RawMessage) {
	c := &call{s: s, id: in.ID(), method: in.Method(), params: raw, started: time.Now()}
	c.seq = s.seqCalls.Add(1)
	c.ctx, c.cancel = context.WithCancelCause(s.ctx)
	if !s.calls.add(c, s.opts.Limits.Pending) {
		c.giveUp(errTooMany)
		return
	}
	var params any
	var err error
	if m != nil && m.request != nil {
		params, err = s.safeDecode(m, in.Method(), raw)
	}
	s.post(func() { s.dispatchCall(c, m, params, err) })
}

// safeDecode turns a panic of a decoder into an error.
func (s *Session) safeDecode(m *method, name string, raw json.RawMessage) (params any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.panicked(name, r)
		}
	}()
	return m.decode(raw)
}

// dispatchCall runs on the loop.
func (s *Session) dispatchCall(c *call, m *method, params any, decodeErr error) {
	if c.done.Load() {
		return // cancelled while it waited
	}
	defer func() {
		if r := recover(); r != nil {
			c.replyAs(nil, s.panicked(c.method, r), metrics.Panicked)
		}
	}()
	if err := s.state.admitRequest(c.method); err != nil {
		c.reply(nil, err)
		return
	}
	if m == nil || m.request == nil {
		c.reply(nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method not found: %.100q", c.method))
		return
	}
	if decodeErr != nil {
		c.reply(nil, decodeErr)
		return
	}
	m.request(s, c, params)
}

// dispatchNotification runs on the loop.
func (s *Session) dispatchNotification(name string, m *method, params any, decodeErr error) {
	if !s.state.admitNotification(name) {
		return
	}
	start := time.Now()
	how := metrics.OK
	defer func() {
		if r := recover(); r != nil {
			how = metrics.Panicked
			_ = s.panicked(name, r)
			if d, ok := params.(documentChange); ok {
				s.dropDocument(d.documentURI(), "an internal error")
			}
		}
		s.metrics.Done(name, how, time.Since(start))
	}()
	if decodeErr != nil {
		how = metrics.Failed
		s.log.Warn("notification with invalid parameters", methodField(name))
		if d, ok := params.(documentChange); ok {
			s.dropDocument(d.documentURI(), "an unreadable edit")
		}
		return
	}
	m.notify(s, params)
}

// work runs the second part of a request on a worker.
func (s *Session) work(c *call, prio sched.Priority, f func(context.Context) (any, error)) {
	ok := s.pool.Submit(prio, func() {
		if c.done.Load() {
			return // given up while it waited
		}
		defer func() {
			if r := recover(); r != nil {
				c.replyAs(nil, s.panicked(c.method, r), metrics.Panicked)
			}
		}()
		result, err := f(c.ctx)
		if c.ctx.Err() != nil {
			result, err = nil, c.reason()
		}
		c.reply(result, err)
	})
	if !ok {
		c.giveUp(errEnding)
	}
}

// answered is told about every answer, on any goroutine.
func (s *Session) answered(c *call, err error, how metrics.Outcome) {
	took := time.Since(c.started)
	if how == metrics.OK && err != nil {
		how = metrics.Failed
	}
	s.metrics.Done(c.method, how, took)
	s.log.Debug("answered", methodField(c.method), zap.Duration("took", took), zap.Bool("ok", err == nil))
	s.traceAnswer(c.method, took, err)
}

// dropped is told by the wire that a message was lost. If it was an edit, the
// document it belongs to is not what the editor has any more.
func (s *Session) dropped(prefix []byte) {
	raw, all := lostChange(prefix)
	if raw == "" && !all {
		return
	}
	s.post(func() {
		const why = "a message of the editor was unreadable"
		if !all {
			s.dropDocument(raw, why)
			return
		}
		for _, d := range s.docs.sorted() {
			s.dropDocument(d.uri.Raw, why)
		}
	})
}
