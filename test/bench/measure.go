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
	text    string // as the server has it
	version int
	fresh   int
}

// Edit begins with a document; nothing is opened yet.
func (s *Server) Edit(dir string, shape Shape) *Editor {
	return &Editor{Server: s, shape: shape, uri: "file://" + filepath.ToSlash(filepath.Join(dir, shape.Name))}
}

// lineAt is the position of the beginning of a line.
func lineAt(n int) map[string]any { return map[string]any{"line": n, "character": 0} }

// change replaces whole lines, from inclusive, to exclusive.
type change struct {
	from, to int
	text     string
}

func (c change) apply(text string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:c.from], "") + c.text + strings.Join(lines[c.to:], "")
}

// Open opens the document with one fresh undefined name in the middle, and
// measures the time until the diagnostics that name it.
func (e *Editor) Open() (time.Duration, error) {
	e.fresh++
	name := fmt.Sprintf("undefined_%d", e.fresh)
	text := insertLine(e.shape.Text, e.shape.Middle, e.shape.Statement(name))
	e.version++
	e.text = text
	begin := time.Now()
	err := e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.uri, "languageId": e.shape.Language, "version": e.version, "text": text}})
	if err != nil {
		return 0, err
	}
	p, err := e.Published(e.uri, e.version, e.says(name)...)
	return p.At.Sub(begin), err
}

// says is what the finding about an undefined name holds, its place included: a
// server that has another text must not win.
func (e *Editor) says(name string) []string {
	return []string{cmp.Or(e.shape.Says, name), fmt.Sprintf(`"line":%d`, e.shape.Middle)}
}

// Close closes the document.
func (e *Editor) Close() error {
	return e.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri}})
}

// Key makes the undefined name in the middle another one and measures the time
// until the diagnostics that name it.
func (e *Editor) Key() (time.Duration, error) {
	e.fresh++
	name := fmt.Sprintf("undefined_%d", e.fresh)
	begin, err := e.change(change{e.shape.Middle, e.shape.Middle + 1, e.shape.Statement(name) + "\n"})
	if err != nil {
		return 0, err
	}
	p, err := e.Published(e.uri, e.version, e.says(name)...)
	return p.At.Sub(begin), err
}

// change sends the next version of the document, as the server wants it.
func (e *Editor) change(list ...change) (begin time.Time, err error) {
	var changes []map[string]any
	for _, c := range list {
		e.text = c.apply(e.text)
		changes = append(changes, map[string]any{"range": map[string]any{"start": lineAt(c.from), "end": lineAt(c.to)}, "text": c.text})
	}
	if e.whole {
		changes = []map[string]any{{"text": e.text}}
	}
	e.version++
	begin = time.Now()
	return begin, e.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri, "version": e.version}, "contentChanges": changes})
}

// Worst measures the edits that touch most: a quote at the top of the file,
// which is taken back, and the header of a function in the middle, likewise.
func (e *Editor) Worst() (Times, error) {
	var out Times
	quote := change{1, 1, "\"\"\"\n"}
	header := e.shape.Middle
	for header > 0 && !e.isHeader(header) {
		header--
	}
	line := e.lineText(header)
	for _, c := range []struct {
		at  int
		how change
	}{
		{e.shape.Middle + 1, quote},
		{e.shape.Middle, change{1, 2, ""}},
		{e.shape.Middle - 1, change{header, header + 1, ""}},
		{e.shape.Middle, change{header, header, line + "\n"}},
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
func (e *Editor) disturb(line int, how change) (time.Duration, error) {
	e.fresh++
	name := fmt.Sprintf("undefined_%d", e.fresh)
	begin, err := e.change(how, change{line, line + 1, e.shape.Statement(name) + "\n"})
	if err != nil {
		return 0, err
	}
	p, err := e.Published(e.uri, e.version)
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
