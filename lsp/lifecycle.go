package lsp

import (
	"encoding/json"
	"errors"
	"slices"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
)

func lifecycleMethods(r *registry) {
	registerLoop(r, protocol.MethodInitialize, (*Session).initialize)
	registerNotification(r, protocol.MethodInitialized, (*Session).initialized)
	registerLoop(r, protocol.MethodShutdown, (*Session).shutdown)
	registerNotification(r, protocol.MethodExit, (*Session).exit)
}

// initializeParams tolerates members of a wrong type: with what an unusual client
// says of itself the session can go on without.
type initializeParams struct {
	protocol317.InitializeParams
}

func (p *initializeParams) decodeParams(raw json.RawMessage) error {
	err := json.Unmarshal(raw, &p.InitializeParams)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		return nil // the rest has been decoded
	}
	return err
}

func (s *Session) initialize(p *initializeParams) (*protocol317.InitializeResult, error) {
	s.client = newClient(p.Capabilities)
	s.client.flags.noWorkspacePull = p.ClientInfo != nil && p.ClientInfo.Name == "Neovim"
	if g := p.Capabilities.General; g != nil {
		s.encoding = position.Negotiate(g.PositionEncodings)
	}
	s.setTrace(p.Trace)
	s.initial = section(p.InitializationOptions)
	var problems []string
	s.settings, problems = s.settings.with(s.initial)
	s.problems = problems
	s.setFolders(folders(&p.InitializeParams))
	if p.ProcessID > 0 {
		s.watchParent(int(p.ProcessID))
	}
	s.log.Info("initialize", zap.Stringer("encoding", s.encoding), zap.Bool("pull", s.client.flags.pullDiagnostics), zap.Int("folders", len(s.folders)))
	caps := protocol317.ServerCapabilities{PositionEncoding: s.encoding.String()}
	for _, f := range s.registry.capabilities {
		f(s.client, &caps)
	}
	caps.Experimental = s.experimental()
	s.state = initialising
	s.canPush.Store(true) // messages to the user are allowed even before the answer
	return &protocol317.InitializeResult{Capabilities: caps, ServerInfo: &protocol.ServerInfo{Name: "pypto-ls", Version: s.opts.Version}}, nil
}

// experimental tells what there is beyond LSP (docs/protocol-extensions.md).
func (s *Session) experimental() any {
	type pypto struct {
		Plan      bool     `json:"plan"`
		IRAfter   bool     `json:"irAfter"`
		Status    bool     `json:"status"`
		Passes    []string `json:"passes"`
		Platforms []string `json:"platforms"`
		Planners  []string `json:"planners"`
	}
	p := pypto{Plan: true, IRAfter: true, Status: true, Passes: analysis.IRPasses(), Planners: analysis.PlannerNames()}
	p.Platforms = analysis.NoConfig().Names()
	for _, c := range s.knownConfigs() {
		for _, name := range c.config().Names() {
			if !slices.Contains(p.Platforms, name) {
				p.Platforms = append(p.Platforms, name)
			}
		}
	}
	return map[string]any{"pypto": p}
}

// folders are the workspace folders in the newest of the three ways to give them.
func folders(p *protocol317.InitializeParams) []protocol.WorkspaceFolder {
	switch {
	case len(p.WorkspaceFolders) > 0:
		return p.WorkspaceFolders
	case p.RootURI != "":
		return []protocol.WorkspaceFolder{{URI: p.RootURI}}
	case p.RootPath != "":
		return []protocol.WorkspaceFolder{{URI: convert.FileURI(p.RootPath)}}
	}
	return nil
}

// initialized does what the server may do only now: register and ask.
func (s *Session) initialized(*protocol.InitializedParams) {
	s.state = running
	for _, p := range s.problems {
		s.showMessage(protocol.MessageTypeWarning, p)
	}
	s.register()
	s.pullConfiguration()
}

// register asks for notifications that cannot be asked for in initialize.
func (s *Session) register() {
	var regs []protocol.Registration
	if s.client.flags.watchFiles {
		regs = append(regs, protocol.Registration{ID: "watched-files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles,
			RegisterOptions: protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: []protocol.FileSystemWatcher{{GlobPattern: "**/" + configName}}}})
	}
	if s.client.flags.registerConfig {
		regs = append(regs, protocol.Registration{ID: "configuration", Method: protocol.MethodWorkspaceDidChangeConfiguration,
			RegisterOptions: map[string]string{"section": "pypto-ls"}})
	}
	if regs != nil {
		s.ask(protocol.MethodClientRegisterCapability, protocol.RegistrationParams{Registrations: regs}, nil)
	}
}

// shutdown answers what is open and does no more work.
func (s *Session) shutdown(*struct{}) (any, error) {
	s.state = shutDown
	s.pub.stop()
	for _, c := range s.calls.all() {
		if c.method != protocol.MethodShutdown {
			c.giveUp(errEnding)
		}
	}
	return nil, nil
}

func (s *Session) exit(*struct{}) {
	if s.state == shutDown {
		s.code = 0
	}
	s.state = exited
}
