package lsp

import (
	"runtime"
	"time"

	"go.uber.org/zap"

	"pypto-ls/lsp/internal/wire"
)

// Options is what a session is started with. Zero fields mean their defaults.
type Options struct {
	Engine  Engine      // required
	Logger  *zap.Logger // default: none
	Version string      // of the server, for serverInfo
	Limits  Limits
	Workers int // default: one a core, at least three

	// NoSearch leaves out what is found out about refused functions after their
	// findings were told, and tells nothing in parts: the same text then has the
	// same findings at any moment.
	NoSearch bool

	// Rest is how long after the diagnostics of an edit the work begins that they
	// did not wait for (default 100 ms): whoever types on is not slowed down by
	// it.
	Rest time.Duration

	// Docs is the URL of the manual; Docs/diagnostics/CODE.md is the page of a
	// diagnostic. "" means that there is none to link to.
	Docs string

	// Record, if set, is given the content of every message; in tells those of
	// the client. It may be called from several goroutines.
	Record func(in bool, content []byte)

	// ProcessAlive tells whether the editor's process lives (default: ask the
	// system), ParentInterval how often to ask (default 5 s).
	ProcessAlive   func(pid int) bool
	ParentInterval time.Duration

	// Told, if set, is called on the loop when the diagnostics of a version are on
	// their way: a good moment for what can wait. It must return at once.
	Told func()

	extra func(*registry) // methods of tests
}

// Limits bounds what a session may cost.
type Limits struct {
	Message  int64 // bytes of one message, default 64 MiB
	Document int   // bytes of one document, default 32 MiB
	Depth    int   // nesting of JSON, default 1000
	Queue    int   // bytes waiting for a client that does not read, default 64 MiB
	Pending  int   // requests without an answer, default 16384
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = zap.NewNop()
	}
	if o.Workers <= 0 {
		o.Workers = max(3, runtime.GOMAXPROCS(0))
	}
	if o.Limits.Document <= 0 {
		o.Limits.Document = 32 << 20
	}
	if o.Limits.Pending <= 0 {
		o.Limits.Pending = 16384
	}
	if o.Rest <= 0 {
		o.Rest = 100 * time.Millisecond
	}
	if o.ProcessAlive == nil {
		o.ProcessAlive = processAlive
	}
	if o.ParentInterval <= 0 {
		o.ParentInterval = 5 * time.Second
	}
	return o
}

func (l Limits) wire() wire.Limits {
	return wire.Limits{Message: l.Message, Depth: l.Depth, Queue: l.Queue, Soft: l.Queue / 16}
}
