package lsp

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"pypto-ls/lsp/internal/convert"
)

// Recorded is one message of a recorded session. A recording is one of these a
// line, as JSON.
type Recorded struct {
	// At is the time since the session began, in milliseconds.
	At float64 `json:"at"`
	// In tells messages of the client from those of the server.
	In bool `json:"in,omitempty"`
	// Message is the message; Raw is set instead when it was no JSON.
	Message json.RawMessage `json:"message,omitempty"`
	Raw     []byte          `json:"raw,omitempty"`
}

// Recorder writes down a session. What it writes holds the texts of the
// documents.
type Recorder struct {
	begin time.Time

	mu  sync.Mutex
	w   io.Writer // guarded by mu
	err error     // guarded by mu
}

// NewRecorder begins a recording.
func NewRecorder(w io.Writer) *Recorder { return &Recorder{begin: time.Now(), w: w} }

// Message records one message; it may be called from several goroutines. It is
// written at once, so that a crash loses nothing.
func (r *Recorder) Message(in bool, content []byte) {
	rec := Recorded{At: float64(time.Since(r.begin).Microseconds()) / 1000, In: in}
	if json.Valid(content) {
		rec.Message = content
	} else {
		rec.Raw = content
	}
	line, err := json.Marshal(rec)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	if err == nil {
		_, err = r.w.Write(append(line, '\n'))
	}
	r.err = err
}

// Err is what went wrong while writing, nil if nothing did.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// FileURL is the file URL of an absolute path.
func FileURL(path string) string { return convert.FileURI(path) }
