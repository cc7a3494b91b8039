package lsp

import (
	"fmt"
	"time"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
)

func traceMethods(r *registry) {
	registerNotification(r, protocol317.MethodSetTrace, func(s *Session, p *protocol.SetTraceParams) { s.setTrace(p.Value) })
}

// setTrace takes the values of the standard and leaves others alone. The
// library's own name of one of them is misspelt.
func (s *Session) setTrace(v protocol.TraceValue) {
	switch v {
	case protocol.TraceOff, "messages", protocol.TraceVerbose:
		s.trace.Store(v)
	case protocol.TraceMessage:
		s.trace.Store(protocol.TraceValue("messages"))
	}
}

// traceAnswer tells a client that traces about an answer: never its content.
func (s *Session) traceAnswer(method string, took time.Duration, err error) {
	level := s.trace.Load()
	if level == protocol.TraceOff {
		return
	}
	p := protocol317.LogTraceParams{Message: fmt.Sprintf("answered %.60q in %d µs", method, took.Microseconds())}
	if level == protocol.TraceVerbose {
		p.Verbose = "ok"
		if err != nil {
			p.Verbose = "error: " + err.Error()
		}
		p.Verbose += fmt.Sprintf("; %d requests open, %d jobs waiting", s.calls.len(), s.pool.Waiting())
	}
	s.chat(protocol317.MethodLogTrace, p)
}
