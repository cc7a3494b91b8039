package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Times are latencies in the order in which they were measured.
type Times []time.Duration

// P is the p-th percentile, 0…100.
func (t Times) P(p float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(t))
	return s[min(int(p/100*float64(len(s))), len(s)-1)]
}

// Editor edits one document of a server and measures.
type Editor struct {
	*Server
	shape   Shape
	uri     string
	version int
	fresh   int
}

// Edit begins with a document; nothing is opened yet.
func (s *Server) Edit(dir string, shape Shape) *Editor {
	return &Editor{Server: s, shape: shape, uri: "file://" + filepath.ToSlash(filepath.Join(dir, shape.Name))}
}

// lineAt is the position of the beginning of a line.
func lineAt(n int) map[string]any { return map[string]any{"line": n, "character": 0} }

func change(from, to map[string]any, text string) map[string]any {
	return map[string]any{"range": map[string]any{"start": from, "end": to}, "text": text}
}

// Open opens the document with one fresh undefined name in the middle, and
// measures the time until the diagnostics that name it.
func (e *Editor) Open() (time.Duration, error) {
	e.fresh++
	name := fmt.Sprintf("undefined_%d", e.fresh)
	text := insertLine(e.shape.Text, e.shape.Middle, e.shape.Statement(name))
	e.version++
	begin := time.Now()
	err := e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.uri, "languageId": e.shape.Language, "version": e.version, "text": text}})
	if err != nil {
		return 0, err
	}
	p, err := e.Published(e.uri, e.version, e.says(name))
	return p.At.Sub(begin), err
}

// says is what the finding about an undefined name holds.
func (e *Editor) says(name string) string { return cmp.Or(e.shape.Says, name) }

// Close closes the document.
func (e *Editor) Close() error {
	return e.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri}})
}

// Key makes the undefined name in the middle another one and measures the time
// until the diagnostics that name it.
func (e *Editor) Key() (time.Duration, error) {
	e.fresh++
	name := fmt.Sprintf("undefined_%d", e.fresh)
	changes := []map[string]any{change(lineAt(e.shape.Middle), lineAt(e.shape.Middle+1), e.shape.Statement(name)+"\n")}
	e.version++
	begin := time.Now()
	err := e.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri, "version": e.version}, "contentChanges": changes})
	if err != nil {
		return 0, err
	}
	p, err := e.Published(e.uri, e.version, e.says(name))
	return p.At.Sub(begin), err
}

// Worst measures the edits that touch most: a quote at the top of the file,
// which is taken back, and the header of a function in the middle, likewise.
func (e *Editor) Worst() (Times, error) {
	var out Times
	quote := change(lineAt(1), lineAt(1), "\"\"\"\n")
	header := e.shape.Middle
	for header > 0 && !e.isHeader(header) {
		header--
	}
	line := e.lineText(header)
	for _, c := range []struct {
		at  int
		how []map[string]any
	}{
		{e.shape.Middle + 1, []map[string]any{quote}},
		{e.shape.Middle, []map[string]any{change(lineAt(1), lineAt(2), "")}},
		{e.shape.Middle - 1, []map[string]any{change(lineAt(header), lineAt(header+1), "")}},
		{e.shape.Middle, []map[string]any{change(lineAt(header), lineAt(header), line+"\n")}},
	} {
		took, err := e.disturb(c.at, c.how)
		if err != nil {
			return nil, err
		}
		out = append(out, took)
	}
	return out, nil
}

// disturb edits something else and the undefined name. Where the edit swallows
// the name, whatever diagnostics come for that version count.
func (e *Editor) disturb(line int, how []map[string]any) (time.Duration, error) {
	e.fresh++
	name := fmt.Sprintf("undefined_%d", e.fresh)
	changes := append(slices.Clone(how), change(lineAt(line), lineAt(line+1), e.shape.Statement(name)+"\n"))
	e.version++
	begin := time.Now()
	err := e.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri, "version": e.version}, "contentChanges": changes})
	if err != nil {
		return 0, err
	}
	p, err := e.Published(e.uri, e.version, "")
	return p.At.Sub(begin), err
}

// lineText is a line of the document as it was generated, with the statement of
// the undefined name in it.
func (e *Editor) lineText(n int) string {
	if n >= e.shape.Middle {
		n--
	}
	return strings.Split(e.shape.Text, "\n")[n]
}

func (e *Editor) isHeader(n int) bool {
	l := strings.TrimSpace(e.lineText(n))
	for _, p := range []string{"def ", "func", "float kernel"} {
		if strings.HasPrefix(l, p) {
			return true
		}
	}
	return false
}

// Hints measures a request for the hints of 60 lines around the middle, and
// counts them.
func (e *Editor) Hints() (time.Duration, int, error) {
	from := max(e.shape.Middle-30, 0)
	begin := time.Now()
	raw, err := e.Call("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": e.uri},
		"range": map[string]any{"start": lineAt(from), "end": lineAt(from + 60)}})
	took := time.Since(begin)
	var list []json.RawMessage
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	return took, len(list), err
}

// insertLine puts a line before line n of a text.
func insertLine(text string, n int, line string) string {
	at := 0
	for range n {
		for text[at] != '\n' {
			at++
		}
		at++
	}
	return text[:at] + line + "\n" + text[at:]
}
