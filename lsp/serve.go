package lsp

import (
	"context"
	"io"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"pypto-ls/lsp/internal/files"
	"pypto-ls/lsp/internal/metrics"
	"pypto-ls/lsp/internal/sched"
	"pypto-ls/lsp/internal/wire"
)

// slowTurn is the length of a turn of the loop that is logged.
const slowTurn = 100 * time.Millisecond

// endTime bounds each step of ending a session: a worker that does not look at
// its context must not keep the process alive.
const endTime = 2 * time.Second

// readTime is how long the reader is waited for at the end: a read of standard
// input cannot be interrupted, and nothing depends on it.
const readTime = 100 * time.Millisecond

// Serve carries one session on a connection, until the client exits, the
// connection or ctx ends, or the client's process dies. It returns the exit code
// of the standard: 0 if shutdown came first, else 1.
func Serve(ctx context.Context, conn io.ReadWriteCloser, opts Options) int {
	s := newSession(ctx, conn, opts)
	s.conn.Go(s.ctx, s.receive)
	s.loop()
	return s.end()
}

func newSession(ctx context.Context, conn io.ReadWriteCloser, opts Options) *Session {
	opts = opts.withDefaults()
	s := &Session{
		opts: opts, log: opts.Logger, registry: allMethods(), pool: sched.NewPool(opts.Workers), metrics: &metrics.Metrics{},
		calls: newCallTable(), inbox: make(chan func(), inboxSize), code: 1,
		client: &client{}, docs: newDocStore(opts.Limits.Document), settings: DefaultSettings(), guard: files.NewGuard(nil),
		configs: map[string]*ConfigFile{}, refreshing: map[string]bool{}, views: newViewTable(), index: newFileIndex(), tokens: newTokenTable(),
	}
	if opts.extra != nil {
		opts.extra(s.registry)
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.trace.Store(protocol.TraceOff)
	s.checked = newCheckTable(s)
	s.pub = newPublisher(s)
	s.stream = wire.NewStream(conn, opts.Limits.wire(), wire.Events{
		Fault: func(msg string) { s.log.Warn("unreadable message", zap.String("fault", msg)) },
		Lost:  s.dropped,
		Tap:   opts.Record,
	})
	s.conn = jsonrpc2.NewConn(s.stream)
	return s
}

// loop handles messages in order until the session is over.
func (s *Session) loop() {
	for s.state != exited {
		select {
		case f := <-s.inbox:
			s.turn(f)
		case <-s.ctx.Done():
			return
		case <-s.conn.Done():
			// The reader has ended: what it left is all there will be.
			for s.state != exited {
				select {
				case f := <-s.inbox:
					s.turn(f)
					continue
				default:
				}
				break
			}
			if s.state == shutDown {
				s.code = 0
			}
			return
		}
	}
}

// turn runs one step of the loop. Handlers recover for themselves; a panic in
// our own machinery must not end the session either.
func (s *Session) turn(f func()) {
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			_ = s.panicked("loop", r)
		}
		took := time.Since(start)
		s.metrics.Turn(took)
		if took > slowTurn {
			s.log.Warn("a slow turn of the loop", zap.Duration("took", took))
		}
	}()
	f()
}

// end winds the session up: nothing is left without an answer, and nothing is
// left running.
func (s *Session) end() int {
	s.pub.stop()
	for _, c := range s.calls.all() {
		c.giveUp(errEnding)
	}
	s.cancel()
	if !within(endTime, s.pool.Close) {
		s.log.Error("a worker does not end")
	}
	_ = s.stream.Close()
	within(endTime, s.waiters.Wait)
	select {
	case <-s.conn.Done():
	case <-time.After(readTime):
	}
	if err := s.stream.Err(); err != nil {
		s.log.Error("the connection failed", zap.Error(err))
	}
	s.log.Info("session over", zap.Int("code", s.code))
	return s.code
}

// within runs f and waits for it, but not for ever.
func within(limit time.Duration, f func()) bool {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
