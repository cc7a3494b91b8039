package lsp

import (
	"context"
	"sync"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
)

// Engine is what the server asks. It speaks byte offsets and strings; documents
// are named by keys. It must be safe for concurrent use.
type Engine interface {
	// Snapshot freezes what there is to ask about. It is called on the loop, so it
	// must only take note: the work is done by the queries.
	Snapshot(in Input) Queries
}

// Input is everything an answer may depend on.
type Input struct {
	Documents []Source // by key
	Settings  Settings
	// Chosen is what commands of this session chose, before all settings.
	Chosen Choice
	// Previous are the queries of the state before, nil at first: what did not
	// change may be taken over from them.
	Previous Queries
}

// Choice is a target chosen by command; "" means none.
type Choice struct{ Platform, Planner string }

// Source is one open document.
type Source struct {
	Key        string // equal for spellings of the same document
	Path       string // of its file, "" when it has none
	LanguageID string
	File       *irsyntax.File
	// Config is the nearest pypto-ls.toml inside the workspace, nil when there is none.
	Config *ConfigFile
	// Focus is the byte offset of the last edit, -1 before the first: what is
	// there should be worked on first.
	Focus int
}

// ConfigFile is a configuration file as read. Err is why it could not be.
type ConfigFile struct {
	Path string
	Data []byte
	Err  error

	once sync.Once
	read *analysis.Config
}

// config is the file's content; nil means that there is no file.
func (c *ConfigFile) config() *analysis.Config {
	if c == nil || c.Err != nil {
		return analysis.NoConfig()
	}
	c.once.Do(func() { c.read = analysis.ReadConfig(c.Data) })
	return c.read
}

// Queries answers about one state of the documents. A query that is given up
// because ctx ended may return anything.
type Queries interface {
	// Document is an open document for everything that the other queries do not
	// ask; nil when it is not open.
	Document(key string) *analysis.Document
	// Targeted is the same under another target; nil when it is not open.
	Targeted(key string, want Choice) *analysis.Document
	// Unopened is a document that is not open, for looking around in it.
	Unopened(src Source) *analysis.Document
	// Check is Diagnostics for a document that is not open.
	Check(ctx context.Context, src Source) []Diagnostic
	Diagnostics(ctx context.Context, key string) []Diagnostic
	// Prompt is Diagnostics without parts that take long; whole is false when
	// something is missing.
	Prompt(ctx context.Context, key string) (found []Diagnostic, whole bool)
	// Hints are those of the bytes [start, end).
	Hints(ctx context.Context, key string, start, end int) []Hint
	Hover(ctx context.Context, key string, offset int) (Hover, bool)
	Symbols(ctx context.Context, key string) []Symbol
}

// Severity is how bad a finding is, as numbered in LSP.
type Severity int

// The severities.
const (
	Error Severity = iota + 1
	Warning
	Information
	Note
)

// Diagnostic is one finding in the bytes [Start, End).
type Diagnostic struct {
	Start, End int
	Severity   Severity
	Code       string
	Message    string
	Related    []Related
	// Unnecessary and Deprecated ask for faded or struck text.
	Unnecessary, Deprecated bool
}

// Related is another place that belongs to a finding.
type Related struct {
	Key        string
	Start, End int
	Message    string
}

// Hint is a text shown at an offset. Tooltip is Markdown. Ref, when not nil,
// gives a longer tooltip on request.
type Hint struct {
	Offset  int
	Parts   []HintPart
	Tooltip string
	Ref     *HintRef
}

// HintRef identifies a hint within one version of a document; see
// analysis.InlayHint.
type HintRef struct {
	Chunk   int `json:"c"`
	Planned int `json:"p"`
	Tile    int `json:"t"`
}

// HintPart is a piece of a hint; with a Key it links to bytes of a document.
type HintPart struct {
	Text       string
	Key        string
	Start, End int
}

// Hover is Markdown about the bytes [Start, End).
type Hover struct {
	Start, End int
	Markdown   string
}

// SymbolKind is the kind of a symbol, as numbered in LSP.
type SymbolKind int

// Symbol is a named thing with its parts. Start and End bound all of it,
// NameStart and NameEnd its name.
type Symbol struct {
	Name, Detail       string
	Kind               SymbolKind
	Start, End         int
	NameStart, NameEnd int
	Children           []Symbol
}
