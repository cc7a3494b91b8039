// Package report turns findings into the output formats of `check`.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"pypto-ls/analysis"
)

// Item is one finding in one file on one target; lines and characters count
// from 1. Message is the reference's text alone, Explanation ours.
type Item struct {
	File        string    `json:"file"`
	Function    string    `json:"function"`
	Code        string    `json:"code"`
	Severity    Level     `json:"severity"`
	Message     string    `json:"message"`
	Explanation string    `json:"explanation"`
	Range       Range     `json:"range"`
	Space       string    `json:"space,omitempty"`
	Used        uint64    `json:"used,omitempty"`
	Limit       uint64    `json:"limit,omitempty"`
	Related     []Related `json:"related"`
	Fixes       []Fix     `json:"fixes"`
	// Platform and Planner are set when several targets are checked.
	Platform string `json:"platform,omitempty"`
	Planner  string `json:"planner,omitempty"`

	// line is the text of the first line, for excerpts and fingerprints.
	line string
}

// Level is a severity that JSON shows by name.
type Level analysis.Severity

// The levels, worst first.
const (
	Error       = Level(analysis.Error)
	Warning     = Level(analysis.Warning)
	Information = Level(analysis.Information)
	Hint        = Level(analysis.Hint)
)

func (l Level) String() string { return analysis.Severity(l).String() }

// MarshalJSON writes the severity's name.
func (l Level) MarshalJSON() ([]byte, error) { return json.Marshal(l.String()) }

// UnmarshalJSON reads a severity's name; unknown ones count as errors.
func (l *Level) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	v, ok := ParseLevel(s)
	if !ok {
		v = Error
	}
	*l = v
	return nil
}

// ParseLevel finds a severity by name.
func ParseLevel(name string) (Level, bool) {
	for s := Error; s <= Hint; s++ {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// Position counts from 1; Character counts Unicode characters.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is half-open.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Related is another place that has to do with a finding.
type Related struct {
	Range   Range  `json:"range"`
	Message string `json:"message"`
}

// Fix is an offered change of which it is known that it helps.
type Fix struct {
	Title string `json:"title"`
	// Preferred is the one to take without reading on.
	Preferred bool   `json:"preferred"`
	Edits     []Edit `json:"edits"`
}

// Edit replaces a range of the file; the ranges of one fix are disjoint, in the
// order of the text.
type Edit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// Items are the findings of one document, with their fixes where these are
// wanted: finding them takes planning.
func Items(file string, d *analysis.Document, fixes bool) []Item {
	var out []Item
	found := d.Findings()
	for i := range found {
		it := FromFinding(file, d, found[i])
		if fixes {
			it.Fixes = fixesOf(d, &found[i])
		}
		out = append(out, it)
	}
	return out
}

func fixesOf(d *analysis.Document, f *analysis.Finding) []Fix {
	out := []Fix{}
	for _, x := range d.Fixes(f, nil) {
		fix := Fix{Title: x.Title, Preferred: x.Preferred, Edits: []Edit{}}
		for _, e := range x.Edits {
			fix.Edits = append(fix.Edits, Edit{rangeOf(d, int(e.Span.Start), int(e.Span.End)), strings.Clone(e.Text)})
		}
		out = append(out, fix)
	}
	return out
}

// FromFinding is one finding of a document as an item.
func FromFinding(file string, d *analysis.Document, f analysis.Finding) Item {
	it := Item{File: file, Function: f.Func, Code: f.Code, Severity: Level(f.Severity), Message: f.Message,
		Explanation: explanation(f), Range: rangeOf(d, int(f.Span.Start), int(f.Span.End)),
		Space: f.Space, Used: f.Used, Limit: f.Limit, Related: []Related{}, Fixes: []Fix{}}
	// Without copies a kept finding would keep the whole text of its file.
	it.line = strings.Clone(strings.TrimPrefix(d.WholeLine(int(f.Span.Start)), bom))
	it.Function, it.Message = strings.Clone(it.Function), strings.Clone(it.Message)
	for _, r := range f.Related {
		it.Related = append(it.Related, Related{rangeOf(d, int(r.Span.Start), int(r.Span.End)), r.Message})
	}
	return it
}

// Problem is a finding about a file as a whole, such as one that cannot be
// read.
func Problem(file, code, message string) Item {
	p := Position{1, 1}
	return Item{File: file, Code: code, Severity: Error, Message: message, Range: Range{p, p}, Related: []Related{}, Fixes: []Fix{}}
}

func explanation(f analysis.Finding) string {
	switch {
	case f.Help == "":
		return f.Explain
	case f.Explain == "":
		return f.Help
	}
	return f.Help + " " + f.Explain
}

func rangeOf(d *analysis.Document, start, end int) Range {
	return Range{position(d, start), position(d, end)}
}

func position(d *analysis.Document, off int) Position {
	line, text := d.LineText(off)
	if line == 1 {
		text = strings.TrimPrefix(text, bom)
	}
	return Position{line, utf8.RuneCountInString(text) + 1}
}

// bom is the byte order mark. Editors keep it to themselves, so that columns
// are counted without it.
const bom = "\ufeff"

// Fingerprint identifies a finding across edits elsewhere: it does not depend
// on line numbers, but on code, file, function, message without numbers and
// the text of the line.
func (it *Item) Fingerprint(opt Options) uint64 {
	h := xxhash.New()
	for _, s := range []string{opt.Place(it.File), it.Function, it.Code, WithoutNumbers(it.Message), strings.TrimSpace(it.line), it.Platform, it.Planner} {
		_, _ = h.WriteString(s)
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

// WithoutNumbers replaces runs of digits, so that a finding that only grew is
// the same finding.
func WithoutNumbers(s string) string {
	var b strings.Builder
	digits := false
	for _, r := range s {
		if r >= '0' && r <= '9' {
			if !digits {
				b.WriteByte('#')
			}
			digits = true
			continue
		}
		digits = false
		b.WriteRune(r)
	}
	return b.String()
}

// fingerprints gives every finding a text of its own: findings that cannot be
// told apart are counted, in their order.
func fingerprints(items []Item, opt Options) []string {
	out := make([]string, len(items))
	seen := map[uint64]int{}
	for i := range items {
		h := items[i].Fingerprint(opt)
		seen[h]++
		out[i] = fmt.Sprintf("%016x:%d", h, seen[h])
	}
	return out
}

// Options are what the formats may use.
type Options struct {
	// Color and Excerpts are for terminals.
	Color, Excerpts bool
	// Version of the tool, for formats that name it.
	Version string
	// Root is the absolute name of the folder to which formats for repositories
	// make absolute file names relative; "" for none.
	Root string
	// Files are all files that were looked at, also those without findings.
	Files []string
	// FailLevel is the severity from which on a finding is a failure.
	FailLevel Level
	// Incomplete tells that something could not be checked.
	Incomplete bool
}

// Place is a file name as formats for repositories want it: with slashes,
// without `./`, relative to the root where it lies below it.
func (o Options) Place(file string) string {
	if o.Root != "" && filepath.IsAbs(file) {
		if rel, err := filepath.Rel(o.Root, file); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			file = rel
		}
	}
	return filepath.ToSlash(filepath.Clean(file))
}

// Writer writes all findings in one format.
type Writer func(w io.Writer, items []Item, opt Options) error

// Formats are the writers by name.
var Formats = map[string]Writer{
	"text":   Text,
	"json":   JSON,
	"jsonl":  JSONLines,
	"sarif":  SARIF,
	"github": GitHub,
	"gitlab": GitLab,
	"junit":  JUnit,
}

// JSON writes a list of objects.
func JSON(w io.Writer, items []Item, _ Options) error {
	if items == nil {
		items = []Item{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(items)
}

// JSONLines writes one object a line.
func JSONLines(w io.Writer, items []Item, _ Options) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range items {
		if err := enc.Encode(&items[i]); err != nil {
			return err
		}
	}
	return nil
}
