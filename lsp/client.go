package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"pypto-ls/lsp/internal/protocol317"
)

// client is what we know of the editor. It is immutable after initialize.
type client struct {
	caps  protocol317.ClientCapabilities
	flags clientFlags
}

// clientFlags are the capabilities that we look at, out of their nests.
type clientFlags struct {
	pullDiagnostics    bool
	configuration      bool
	watchFiles         bool // dynamic registration of watched files
	registerConfig     bool // dynamic registration of configuration changes
	progress           bool
	relatedInformation bool
	codeDescription    bool
	unnecessary        bool            // the tag
	deprecated         bool            // the tag
	planChanged        bool            // pypto/planChanged is wanted
	virtualDocuments   bool            // workspace/textDocumentContent
	resolveHints       bool            // tooltips of hints may come later
	refresh            map[string]bool // by method
	// noWorkspacePull: asked to pull again, Neovim pulls the workspace where it can,
	// and then leaves out the documents that are open.
	noWorkspacePull bool
}

func newClient(caps protocol317.ClientCapabilities) *client {
	f := clientFlags{refresh: map[string]bool{}}
	if t := caps.TextDocument; t != nil {
		f.inDiagnostics(t.PublishDiagnostics)
		f.resolveHints = t.InlayHint != nil && t.InlayHint.ResolveSupport != nil && slices.Contains(t.InlayHint.ResolveSupport.Properties, "tooltip")
	}
	if w := caps.Workspace; w != nil {
		f.configuration = w.Configuration
		f.watchFiles = w.DidChangeWatchedFiles != nil && w.DidChangeWatchedFiles.DynamicRegistration
		f.registerConfig = w.DidChangeConfiguration != nil && w.DidChangeConfiguration.DynamicRegistration
		f.refresh[protocol317.MethodInlayHintRefresh] = w.InlayHint != nil && w.InlayHint.RefreshSupport
		f.refresh[protocol317.MethodDiagnosticRefresh] = w.Diagnostics != nil && w.Diagnostics.RefreshSupport
		f.refresh[protocol.MethodCodeLensRefresh] = w.CodeLens != nil && w.CodeLens.RefreshSupport
		f.virtualDocuments = w.TextDocumentContent != nil
		f.refresh[protocol.MethodSemanticTokensRefresh] = w.SemanticTokens != nil && w.SemanticTokens.RefreshSupport
	}
	// Where a client cannot be told to pull again, a switch of the platform would
	// leave it with what it has: then pushing is the better way.
	f.pullDiagnostics = caps.TextDocument != nil && caps.TextDocument.Diagnostic != nil && f.refresh[protocol317.MethodDiagnosticRefresh]
	f.planChanged = wantsPlanChanged(caps.Experimental)
	f.progress = caps.Window != nil && caps.Window.WorkDoneProgress
	return &client{caps: caps, flags: f}
}

// inDiagnostics notes which members of a diagnostic are understood. Clients
// that pull may say it in the same place only.
func (f *clientFlags) inDiagnostics(p *protocol.PublishDiagnosticsClientCapabilities) {
	if p == nil {
		return
	}
	f.relatedInformation, f.codeDescription = p.RelatedInformation, p.CodeDescriptionSupport
	if p.TagSupport != nil {
		f.unnecessary = slices.Contains(p.TagSupport.ValueSet, protocol.DiagnosticTagUnnecessary)
		f.deprecated = slices.Contains(p.TagSupport.ValueSet, protocol.DiagnosticTagDeprecated)
	}
}

// wantsPlanChanged reads `experimental.pypto.planChanged`.
func wantsPlanChanged(experimental any) bool {
	raw, err := json.Marshal(experimental)
	if err != nil {
		return false
	}
	var e struct {
		Pypto struct {
			PlanChanged bool `json:"planChanged"`
		} `json:"pypto"`
	}
	return json.Unmarshal(raw, &e) == nil && e.Pypto.PlanChanged
}

// notify sends a notification.
func (s *Session) notify(method string, params any) {
	raw, err := json.Marshal(params)
	if err != nil {
		s.log.Error("a notification cannot be encoded", methodField(method))
		return
	}
	s.notifyRaw(method, raw)
}

func (s *Session) notifyRaw(method string, raw json.RawMessage) {
	if err := s.stream.Notify(method, raw); err != nil {
		s.log.Debug("notification not sent", methodField(method))
	}
}

// chat sends a notification that may be left out when the client is behind, or
// before initialize is answered.
func (s *Session) chat(method string, params any) {
	if s.canPush.Load() && !s.stream.Backlogged() {
		s.notify(method, params)
	}
}

func (s *Session) logMessage(t protocol.MessageType, text string) {
	s.chat(protocol.MethodWindowLogMessage, protocol.LogMessageParams{Type: t, Message: text})
}

func (s *Session) showMessage(t protocol.MessageType, text string) {
	if s.canPush.Load() {
		s.notify(protocol.MethodWindowShowMessage, protocol.ShowMessageParams{Type: t, Message: text})
	}
}

// ask sends a request to the client; then, on the loop, is given the answer.
// There is no time limit: a client may ask its user. The session's end ends it.
func (s *Session) ask(method string, params any, then func(result json.RawMessage, err error)) {
	raw, err := json.Marshal(params)
	if err != nil {
		s.log.Error("a request cannot be encoded", methodField(method))
		return
	}
	s.waiters.Add(1)
	go func() {
		defer s.waiters.Done()
		result, err := s.askNow(s.ctx, method, raw)
		if err != nil {
			s.log.Debug("the client did not serve a request", methodField(method), zap.Bool("ended", s.ctx.Err() != nil))
		}
		if then != nil {
			s.post(func() { then(result, err) })
		}
	}()
}

// askNow sends a request and waits for the answer. When ctx ends first, the
// client is told.
func (s *Session) askNow(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	var result json.RawMessage
	id, err := s.conn.Call(ctx, method, params, &result)
	if ctx.Err() != nil {
		s.stream.Forget(id)
		if s.ctx.Err() == nil {
			s.notify(protocol317.MethodCancelRequest, map[string]any{"id": &id})
		}
	}
	return result, err
}

// refresh asks the client to ask again, if it can. One request of a kind is out
// at a time; what is asked for meanwhile is asked for once more afterwards.
func (s *Session) refresh(methods ...string) {
	for _, m := range methods {
		if s.client.flags.refresh[m] {
			s.refreshOf(m, "", nil)
		}
	}
}

// refreshOf is refresh of one thing.
func (s *Session) refreshOf(m, of string, params any) {
	kind := m + "\x00" + of
	if _, out := s.refreshing[kind]; out {
		s.refreshing[kind] = true
		return
	}
	s.refreshing[kind] = false
	s.ask(m, params, func(json.RawMessage, error) {
		again := s.refreshing[kind]
		delete(s.refreshing, kind)
		if again {
			s.refreshOf(m, of, params)
		}
	})
}
