package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/sched"
)

// longParams are those of test/long.
type longParams struct {
	protocol.TextDocumentIdentifier
	Steps int  `json:"steps"`
	Wait  bool `json:"wait"`
}

// WithTestMethods adds methods that exercise the machinery: test/long reports
// progress and may wait to be given up, test/panic panics on the loop.
func (o Options) WithTestMethods() Options {
	o.extra = func(r *registry) {
		registerRequest(r, "test/long", traits[longParams]{priority: sched.Low, progress: "Long work"}, func(ctx context.Context, _ *Snapshot, p *longParams) (string, error) {
			for i := range p.Steps {
				progressOf(ctx).Report(i, p.Steps, "step")
			}
			if p.Wait {
				<-ctx.Done()
			}
			return "done", nil
		})
		registerLoop(r, "test/panic", func(*Session, *struct{}) (any, error) { panic("secret text") })
		registerRequest(r, "test/unencodable", traits[struct{}]{}, func(context.Context, *Snapshot, *struct{}) (any, error) { return func() {}, nil })
		registerNotification(r, "test/panicNote", func(*Session, *struct{}) { panic("secret text") })
		registerLoop(r, "test/metrics", func(s *Session, _ *struct{}) (any, error) { return s.metrics.Report(), nil })
	}
	return o
}
