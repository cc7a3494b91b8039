// Package report turns findings into the output formats of `check`.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"pypto-ls/analysis"
)

// Item is one finding in one file; Range counts lines and characters from 1.
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
}

// Level is a severity that JSON shows by name.
type Level analysis.Severity

func (l Level) String() string { return analysis.Severity(l).String() }

// MarshalJSON writes the severity's name.
func (l Level) MarshalJSON() ([]byte, error) { return json.Marshal(l.String()) }

// ParseLevel finds a severity by name.
func ParseLevel(name string) (Level, bool) {
	for s := analysis.Error; s <= analysis.Hint; s++ {
		if s.String() == name {
			return Level(s), true
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

// Fix is an offered change.
type Fix struct {
	Title string `json:"title"`
}

// Items are the findings of one document.
func Items(file string, d *analysis.Document) []Item {
	var out []Item
	for _, f := range d.Findings() {
		it := Item{File: file, Function: f.Func, Code: f.Code, Severity: Level(f.Severity), Message: f.Message,
			Explanation: explanation(f), Range: rangeOf(d, int(f.Span.Start), int(f.Span.End)),
			Space: f.Space, Used: f.Used, Limit: f.Limit, Related: []Related{}, Fixes: []Fix{}}
		for _, r := range f.Related {
			it.Related = append(it.Related, Related{rangeOf(d, int(r.Span.Start), int(r.Span.End)), r.Message})
		}
		out = append(out, it)
	}
	return out
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
	return Position{line, utf8.RuneCountInString(text) + 1}
}

// Formats are the writers by name.
var Formats = map[string]func(w io.Writer, items []Item){
	"text": Text,
	"json": JSON,
}

// JSON writes a list of objects.
func JSON(w io.Writer, items []Item) {
	if items == nil {
		items = []Item{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(items)
}

// Text writes one line a finding, the explanation under it.
func Text(w io.Writer, items []Item) {
	for _, it := range items {
		fmt.Fprintf(w, "%s:%d:%d: %s: %s [%s]", it.File, it.Range.Start.Line, it.Range.Start.Character, it.Severity, it.Message, it.Code)
		if it.Function != "" {
			fmt.Fprintf(w, " in %s", it.Function)
		}
		fmt.Fprintln(w)
		if it.Explanation != "" {
			fmt.Fprintf(w, "    %s\n", it.Explanation)
		}
	}
}
