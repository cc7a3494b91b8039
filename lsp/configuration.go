package lsp

import (
	"encoding/json"
	"path/filepath"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/files"
	"pypto-ls/lsp/internal/protocol317"
)

// configName is the file that holds settings of a folder and below.
const configName = "pypto-ls.toml"

// configLimit bounds its length in bytes.
const configLimit = 1 << 20

func configurationMethods(r *registry) {
	registerNotification(r, protocol.MethodWorkspaceDidChangeConfiguration, (*Session).didChangeConfiguration)
	registerNotification(r, protocol.MethodWorkspaceDidChangeWatchedFiles, (*Session).didChangeWatchedFiles)
	registerNotification(r, protocol.MethodWorkspaceDidChangeWorkspaceFolders, (*Session).didChangeWorkspaceFolders)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.Workspace = &protocol317.ServerCapabilitiesWorkspace{ServerCapabilitiesWorkspace: protocol.ServerCapabilitiesWorkspace{
			WorkspaceFolders: &protocol.ServerCapabilitiesWorkspaceFolders{Supported: true, ChangeNotifications: true},
		}}
	})
}

// didChangeConfigurationParams keeps the settings as they came.
type didChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// didChangeConfiguration takes settings that are pushed, or asks for them where
// the client prefers that.
func (s *Session) didChangeConfiguration(p *didChangeConfigurationParams) {
	if s.client.flags.configuration {
		s.pullConfiguration()
		return
	}
	if got := section(p.Settings); got != nil {
		s.useSettings(got)
	}
}

// pullConfiguration asks the client for our section.
func (s *Session) pullConfiguration() {
	if !s.client.flags.configuration {
		return
	}
	params := protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: "pypto-ls"}}}
	s.ask(protocol.MethodWorkspaceConfiguration, params, func(raw json.RawMessage, err error) {
		var items []json.RawMessage
		if err != nil || json.Unmarshal(raw, &items) != nil || len(items) == 0 {
			return
		}
		s.useSettings(section(items[0]))
	})
}

// useSettings replaces the settings that the client gave before.
func (s *Session) useSettings(given map[string]json.RawMessage) {
	base, _ := DefaultSettings().with(s.initial)
	next, problems := base.with(given)
	for _, p := range problems {
		s.showMessage(protocol.MessageTypeWarning, p)
	}
	if next == s.settings {
		return
	}
	s.settings = next
	s.recheck()
}

// recheck does everything anew after a change that no edit made.
func (s *Session) recheck() {
	s.changed()
	for _, d := range s.docs.sorted() {
		for _, c := range s.calls.outdated(d.uri.Key) {
			c.giveUp(outdatedReason(c.method))
		}
	}
	s.pub.touchAll()
	s.refresh(protocol317.MethodInlayHintRefresh, protocol317.MethodDiagnosticRefresh, protocol.MethodCodeLensRefresh, protocol.MethodSemanticTokensRefresh)
}

// configFor is the nearest configuration file of a document inside its
// workspace folder. It is read once for each folder of documents.
func (s *Session) configFor(path string) *ConfigFile {
	if path == "" {
		return nil
	}
	dir := filepath.Dir(path)
	cfg, ok := s.configs[dir]
	if !ok {
		if found, data, err := s.guard.Upwards(path, configName, configLimit); found != "" {
			cfg = &ConfigFile{Path: found, Data: data, Err: err}
		}
		s.configs[dir] = cfg
	}
	return cfg
}

// knownConfigs are the configuration files of the open documents and those of
// the workspace folders, each once.
func (s *Session) knownConfigs() []*ConfigFile {
	var out []*ConfigFile
	seen := map[string]bool{}
	add := func(c *ConfigFile) {
		if c != nil && !seen[c.Path] {
			seen[c.Path] = true
			out = append(out, c)
		}
	}
	for _, d := range s.docs.sorted() {
		add(d.config)
	}
	for _, f := range s.folders {
		if u, err := convert.ParseURI(f.URI); err == nil && u.Path != "" {
			add(s.configFor(filepath.Join(u.Path, configName)))
		}
	}
	return out
}

// reloadConfigs reads the configuration files of the open documents again.
func (s *Session) reloadConfigs() {
	s.configs = map[string]*ConfigFile{}
	differs := false
	for _, d := range s.docs.sorted() {
		if cfg := s.configFor(d.uri.Path); !sameConfig(cfg, d.config) {
			next := *d
			next.config = cfg
			s.docs.docs[d.uri.Key] = &next
			differs = true
		}
	}
	if differs {
		s.recheck()
	}
}

func sameConfig(a, b *ConfigFile) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Path == b.Path && string(a.Data) == string(b.Data) && (a.Err == nil) == (b.Err == nil)
}

func (s *Session) didChangeWatchedFiles(p *protocol.DidChangeWatchedFilesParams) {
	for _, c := range p.Changes {
		if c == nil {
			continue
		}
		if u, err := convert.ParseURI(string(c.URI)); err == nil && filepath.Base(u.Path) == configName {
			s.reloadConfigs()
			return
		}
	}
}

func (s *Session) didChangeWorkspaceFolders(p *protocol.DidChangeWorkspaceFoldersParams) {
	gone := map[string]bool{}
	for _, f := range p.Event.Removed {
		gone[f.URI] = true
	}
	var kept []protocol.WorkspaceFolder
	for _, f := range s.folders {
		if !gone[f.URI] {
			kept = append(kept, f)
		}
	}
	s.setFolders(append(kept, p.Event.Added...))
	s.reloadConfigs()
}

// setFolders makes these the only folders that files are read in.
func (s *Session) setFolders(folders []protocol.WorkspaceFolder) {
	s.folders = folders
	var paths []string
	for _, f := range folders {
		if u, err := convert.ParseURI(f.URI); err == nil {
			paths = append(paths, u.Path)
		}
	}
	s.guard = files.NewGuard(paths)
}
