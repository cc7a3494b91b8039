package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp/report"
)

func bytesReader(b []byte) io.Reader { return bytes.NewReader(b) }

// compare reports what grew and what moved against the saved copy of a file.
func (r *runner) compare(t *target, path, name string, now *analysis.Document) ([]report.Item, error) {
	old, err := r.savedCopy(path)
	if err != nil || old == "" {
		return nil, err
	}
	text, err := r.env.read(old)
	if err != nil {
		return nil, err
	}
	before, err := r.env.documentOf(analysis.NewEngine(8<<20), t, path, name, irsyntax.Parse(text), text)
	if err != nil {
		return nil, err
	}
	type key struct {
		fn    string
		space int8
	}
	was := map[key]analysis.Usage{}
	for _, u := range before.Usages() {
		was[key{u.Func, int8(u.Space)}] = u
	}
	var out []report.Item
	for _, u := range now.Usages() {
		o, ok := was[key{u.Func, int8(u.Space)}]
		if !ok || u.Used <= o.Used {
			continue
		}
		out = append(out, report.FromFinding(name, now, analysis.Finding{Code: "usage-grew", Severity: analysis.Information, Span: u.NameSpan, Func: u.Func,
			Message: fmt.Sprintf("%s grew by %s B: %s → %s B of %s B", u.Space, analysis.Thousands(u.Used-o.Used), analysis.Thousands(o.Used), analysis.Thousands(u.Used), analysis.Thousands(u.Limit)),
			Space:   u.Space.String(), Used: u.Used, Limit: u.Limit}))
	}
	return append(out, movedTiles(name, before, now)...), nil
}

// savedCopy is the file to compare with: --against itself, or the file of the
// same relative name below it; "" when the file is new.
func (r *runner) savedCopy(path string) (string, error) {
	st, err := os.Stat(r.o.against)
	if err != nil {
		return "", err
	}
	if !st.IsDir() {
		return r.o.against, nil
	}
	for _, cand := range []string{filepath.Join(r.o.against, path), filepath.Join(r.o.against, filepath.Base(path))} {
		if s, err := os.Stat(cand); err == nil && !s.IsDir() {
			return cand, nil
		}
	}
	return "", nil
}

// movedTiles counts, per function, the tiles whose address changed.
func movedTiles(name string, before, now *analysis.Document) []report.Item {
	type key struct{ fn, tile string }
	was := map[key]int64{}
	for _, f := range before.PlanTable() {
		for _, t := range f.Tiles {
			if t.Address != nil {
				was[key{f.Name, t.Name}] = *t.Address
			}
		}
	}
	spans := map[string]analysis.Usage{}
	for _, u := range now.Usages() {
		if _, ok := spans[u.Func]; !ok {
			spans[u.Func] = u
		}
	}
	var out []report.Item
	for _, f := range now.PlanTable() {
		n, first := 0, ""
		for _, t := range f.Tiles {
			if o, ok := was[key{f.Name, t.Name}]; ok && t.Address != nil && o != *t.Address {
				if n++; n == 1 {
					first = fmt.Sprintf("%s: %s → %s", t.Name, analysis.AddressText(o), analysis.AddressText(*t.Address))
				}
			}
		}
		if n > 0 {
			out = append(out, report.FromFinding(name, now, analysis.Finding{Code: "addresses-moved", Severity: analysis.Hint, Span: spans[f.Name].NameSpan, Func: f.Name,
				Message: fmt.Sprintf("%d tile(s) have another address, first %s", n, first)}))
		}
	}
	return out
}
