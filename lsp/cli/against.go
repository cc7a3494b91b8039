package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp/report"
)

// compare reports what grew and what moved against the saved copy of a file. A
// file that has no copy is new: nothing is said of it.
func (r *runner) compare(t *target, src source, name string, now *analysis.Document) ([]report.Item, error) {
	old, err := savedCopy(r.o.against, src, name)
	if err != nil || old == "" {
		return nil, err
	}
	text, err := r.env.read(old)
	if err != nil {
		return nil, err
	}
	before, err := r.env.documentOf(analysis.NewEngine(memoSize), t, old, name, irsyntax.Parse(text), text)
	if err != nil {
		return nil, err
	}
	return append(grown(name, before, now), movedTiles(name, before, now)...), nil
}

// savedCopy is the file to compare with: against itself, or the file of the
// same name below it, "" when there is none. A file found in a folder has its
// copy at the same place below the saved folder; one that was given itself may
// have it at the end of its name that is longest: of kernels/a/x.py that is
// kernels/a/x.py, a/x.py or x.py.
func savedCopy(against string, src source, name string) (string, error) {
	st, err := os.Stat(against)
	if err != nil {
		return "", &readError{against, reasonOf(err)}
	}
	if !st.IsDir() {
		return against, nil
	}
	var candidates []string
	if src.below != "" {
		candidates = []string{src.below, name}
	} else {
		slash := strings.TrimLeft(filepath.ToSlash(filepath.Clean(name)), "/")
		for ok := true; ok; _, slash, ok = strings.Cut(slash, "/") {
			candidates = append(candidates, filepath.FromSlash(slash))
		}
	}
	for _, c := range candidates {
		f := filepath.Join(against, c)
		if s, err := os.Stat(f); err == nil && !s.IsDir() {
			return f, nil
		}
	}
	return "", nil
}

// grown are the spaces of which a function that was there before uses more.
func grown(name string, before, now *analysis.Document) []report.Item {
	type key struct {
		fn    string
		space int8
	}
	was, known := map[key]uint64{}, map[string]bool{}
	for _, f := range before.PlanTable() {
		known[f.Name] = true
	}
	for _, u := range before.Usages() {
		was[key{u.Func, int8(u.Space)}] = u.Used
		known[u.Func] = true
	}
	var out []report.Item
	for _, u := range now.Usages() {
		old := was[key{u.Func, int8(u.Space)}]
		if !known[u.Func] || u.Used <= old {
			continue
		}
		of := ""
		if u.Limit > 0 {
			of = " of " + analysis.Thousands(u.Limit) + " B"
		}
		out = append(out, report.FromFinding(name, now, analysis.Finding{Code: "usage-grew", Severity: analysis.Information, Span: u.NameSpan, Func: u.Func,
			Message: fmt.Sprintf("%s grew by %s B: %s → %s B%s", u.Space, analysis.Thousands(u.Used-old), analysis.Thousands(old), analysis.Thousands(u.Used), of),
			Space:   u.Space.String(), Used: u.Used, Limit: u.Limit}))
	}
	return out
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
				Message: fmt.Sprintf("%s at another address than before, the first is %s", report.Count(n, "tile"), first)}))
		}
	}
	return out
}
